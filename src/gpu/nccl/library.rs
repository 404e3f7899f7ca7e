//! NVIDIA's NCCL, which is no part of this library: loaded at its first use, where the process finds it.
//!
//! What is declared here are the few functions that are called, and the beginning of ncclConfig_t: their ABI is that of all NCCL 2
//! from 2.14 on, whose nccl.h says so by the `size` and `version` of the struct.
//! Source: NVIDIA, "NCCL API", docs.nvidia.com/deeplearning/nccl; src/init.cc, parseCommConfig, for what a shorter struct means.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

use crate::error::{Error, Result, Status};
use crate::gpu::runtime::kernels::Stream;
use crate::platform::fork;

/// ncclComm_t.
pub type Handle = *mut c_void;

/// ncclUniqueId.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct UniqueId(pub [u8; UNIQUE_ID]);

/// NCCL_UNIQUE_ID_BYTES.
pub const UNIQUE_ID: usize = 128;

/// The beginning of ncclConfig_t, as NCCL 2.14 has it.
#[repr(C)]
pub struct Config {
    pub size: usize,
    pub magic: u32,
    pub version: u32,
    pub blocking: c_int,
    pub padding: c_int, // what newer ones have here is left at their default, as `version` says
}

impl Config {
    /// Calls return at once, and ncclCommGetAsyncError tells when they are done.
    pub fn asynchronous() -> Config {
        let size = size_of::<Config>();
        Config { size, magic: 0xcafe_beef, version: LEAST_VERSION as u32, blocking: 0, padding: c_int::MIN }
    }
}

const LEAST_VERSION: c_int = 21400;

pub const SUCCESS: c_int = 0;
pub const REMOTE_ERROR: c_int = 6;
pub const IN_PROGRESS: c_int = 7;
/// ncclInt8, ncclChar.
pub const BYTES: c_int = 0;

macro_rules! functions {
    ($($field:ident = $name:literal: fn($($parameter:ty),*) -> $result:ty;)*) => {
        /// The functions that are called.
        pub struct Library {
            $(pub $field: unsafe extern "C" fn($($parameter),*) -> $result,)*
        }

        impl Library {
            /// # Safety
            /// The handle is that of an NCCL 2 which stays loaded.
            unsafe fn of(handle: *mut c_void) -> Result<Library> {
                Ok(Library {
                    $($field: {
                        // SAFETY: the caller's promise; the name ends with 0.
                        let found = unsafe { libc::dlsym(handle, concat!($name, "\0").as_ptr().cast::<c_char>()) };
                        if found.is_null() {
                            return Err(unusable(concat!("it lacks ", $name)));
                        }
                        // SAFETY: the signature that nccl.h has for this name.
                        unsafe {
                            std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($parameter),*) -> $result>(found)
                        }
                    },)*
                })
            }
        }
    };
}

functions! {
    get_version = "ncclGetVersion": fn(*mut c_int) -> c_int;
    get_unique_id = "ncclGetUniqueId": fn(*mut UniqueId) -> c_int;
    init_rank = "ncclCommInitRankConfig": fn(*mut Handle, c_int, UniqueId, c_int, *const Config) -> c_int;
    async_error = "ncclCommGetAsyncError": fn(Handle, *mut c_int) -> c_int;
    finalize = "ncclCommFinalize": fn(Handle) -> c_int;
    destroy = "ncclCommDestroy": fn(Handle) -> c_int;
    abort = "ncclCommAbort": fn(Handle) -> c_int;
    last_error = "ncclGetLastError": fn(Handle) -> *const c_char;
    error_string = "ncclGetErrorString": fn(c_int) -> *const c_char;
    group_start = "ncclGroupStart": fn() -> c_int;
    group_end = "ncclGroupEnd": fn() -> c_int;
    send = "ncclSend": fn(*const c_void, usize, c_int, c_int, Handle, Stream) -> c_int;
    receive = "ncclRecv": fn(*mut c_void, usize, c_int, c_int, Handle, Stream) -> c_int;
    all_gather = "ncclAllGather": fn(*const c_void, *mut c_void, usize, c_int, Handle, Stream) -> c_int;
}

impl Library {
    /// The process's NCCL, or why there is none; looks once.
    pub fn get() -> Result<&'static Library> {
        static LOADED: OnceLock<Result<Library>> = OnceLock::new();
        let loaded = LOADED.get();
        let loaded = loaded.unwrap_or_else(|| fork::without_fork(|| LOADED.get_or_init(load)));
        loaded.as_ref().map_err(Clone::clone)
    }

    /// An error of NCCL as one of ours, with its own sentence about it.
    pub fn check(&self, what: &str, code: c_int) -> Result<()> {
        if code == SUCCESS || code == IN_PROGRESS {
            return Ok(());
        }
        // SAFETY: both give texts that stay, or NULL.
        let [text, last] =
            unsafe { [(self.error_string)(code), (self.last_error)(std::ptr::null_mut())] }
                // SAFETY: as above.
                .map(|text| {
                    if text.is_null() { "".into() } else { unsafe { CStr::from_ptr(text) }.to_string_lossy() }
                });
        let status = if code == REMOTE_ERROR { Status::Peer } else { Status::Cuda };
        let last = if last.is_empty() { String::new() } else { format!(" ({})", last.trim_end()) };
        Err(Error::new(status, format!("{what}: {text}{last}")))
    }
}

fn unusable(why: &str) -> Error {
    Error::unsupported(format!("NCCL 2.14 or a later NCCL 2 is needed, libnccl.so.2: {why}"))
}

fn load() -> Result<Library> {
    let open = |flags| {
        // SAFETY: a name that ends with 0; what a library does when it is loaded is its own.
        unsafe { libc::dlopen(c"libnccl.so.2".as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL | flags) }
    };
    let mut handle = open(libc::RTLD_NOLOAD); // the one that the process has already
    if handle.is_null() {
        handle = open(0);
    }
    if handle.is_null() {
        return Err(unusable("this process cannot load one; it is looked for as LD_LIBRARY_PATH says"));
    }
    // SAFETY: just loaded, and never closed.
    let library = unsafe { Library::of(handle)? };
    let mut version = 0;
    // SAFETY: writes an int.
    library.check("ncclGetVersion", unsafe { (library.get_version)(&mut version) })?;
    match version {
        LEAST_VERSION..30000 => Ok(library),
        _ => {
            let [major, minor] = if version < 10000 {
                [version / 1000, version % 1000 / 100]
            } else {
                [version / 10000, version % 10000 / 100]
            };
            Err(unusable(&format!("the one that was found is {major}.{minor}")))
        }
    }
}
