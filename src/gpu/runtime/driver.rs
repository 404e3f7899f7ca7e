//! The CUDA driver library: whether it is here, and what it says of pointers and of the caller's device.

use std::ffi::{CStr, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use cudarc::driver::{DriverError, result, sys};
use once_cell::sync::OnceCell;

use super::fault;
use crate::error::{Error, Result, Status};
use crate::memory::Place;
use crate::platform::fork::{self, Name, PerProcess, ShortLock};

/// The CUDA version whose driver the kernels need (1000·major + 10·minor).
const DRIVER_NEEDED: c_int = 13000;

/// What the driver said, as an error that names what was tried.
pub fn failed(what: &str, error: DriverError) -> Error {
    let text = error.error_string().map(|text| text.to_string_lossy().into_owned()).unwrap_or_default();
    let status = match error.0 {
        sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Status::OutOfMemory,
        _ => Status::Cuda,
    };
    Error::new(status, format!("{what}: {text} ({:?}){}", error.0, fault::remedy(error.0 as u32)))
}

/// The generation of the process that called the driver, 0 before that. What the driver has in one process is of
/// no use in its children, and its locks may be held there by threads that are none.
static USED_IN: AtomicU32 = AtomicU32::new(0);

/// The driver is about to be called in this process; a forked child of one that has called it must not.
fn claim() -> Result<()> {
    match USED_IN.compare_exchange(0, fork::generation(), Ordering::Relaxed, Ordering::Relaxed) {
        Err(used) if used != fork::generation() => {
            Err(Error::unsupported("CUDA was in use before fork, and a forked child cannot use it"))
        }
        _ => Ok(()),
    }
}

fn was_used_before_fork() -> bool {
    ![0, fork::generation()].contains(&USED_IN.load(Ordering::Relaxed))
}

/// Starts the driver once a process, or says why there is none. Returns its version.
pub fn start() -> Result<c_int> {
    static STARTED: PerProcess<OnceCell<c_int>> = PerProcess::new(OnceCell::new);
    let started = STARTED.get().get_or_try_init(|| {
        claim()?;
        initialize().inspect_err(|_| USED_IN.store(0, Ordering::Relaxed)) // a child finds out for itself
    });
    started.copied()
}

fn initialize() -> Result<c_int> {
    let absent = |reason: String| Error::new(Status::NoDevice, reason);
    if cfg!(not(gpumex_cuda)) {
        return Err(absent(concat!("this build has no CUDA kernels: ", env!("GPUMEX_BUILD")).to_string()));
    }
    // SAFETY: looks for the library; cudarc's other functions panic without it.
    if !unsafe { sys::is_culib_present() } {
        return Err(absent("no CUDA driver: libcuda.so.1 was not found".to_string()));
    }
    result::init().map_err(|DriverError(error)| {
        absent(format!("the CUDA driver did not start: {error:?}{}", fault::remedy(error as u32)))
    })?;
    let mut version = 0;
    // SAFETY: writes one int.
    unsafe { sys::cuDriverGetVersion(&mut version) }
        .result()
        .map_err(|error| failed("cuDriverGetVersion", error))?;
    if version < DRIVER_NEEDED {
        let text = |version: c_int| format!("{}.{}", version / 1000, version % 1000 / 10);
        return Err(absent(format!(
            "the CUDA driver is for CUDA {}, too old: {} is needed",
            text(version),
            text(DRIVER_NEEDED)
        )));
    }
    Ok(version)
}

type PointerGetAttributes = unsafe extern "C" fn(
    c_uint,
    *mut sys::CUpointer_attribute,
    *mut *mut c_void,
    sys::CUdeviceptr,
) -> sys::CUresult;

/// The driver's question about pointers, when somebody has loaded the driver into this process; does not load it,
/// and takes no offence at a driver library without it.
fn pointer_get_attributes() -> Option<PointerGetAttributes> {
    static FOUND: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
    if was_used_before_fork() {
        return None;
    }
    let mut function = FOUND.load(Ordering::Relaxed);
    if function.is_null() && is_driver_loaded() {
        // SAFETY: RTLD_NOLOAD takes what is loaded; the handle is kept, so that the function stays.
        let handle = unsafe { libc::dlopen(c"libcuda.so.1".as_ptr(), libc::RTLD_NOLOAD | libc::RTLD_LAZY) };
        if !handle.is_null() {
            // SAFETY: a library that was just opened.
            function = unsafe { libc::dlsym(handle, c"cuPointerGetAttributes".as_ptr()) };
            FOUND.store(function, Ordering::Relaxed);
        }
    }
    // SAFETY: the driver's documented signature; Option's null is dlsym's "not there".
    unsafe { std::mem::transmute::<*mut c_void, Option<PointerGetAttributes>>(function) }
}

/// Whether a library called libcuda.so… is loaded. (Asking dlopen instead would search the file system at each
/// call.) The loader counts what it has loaded, so that the list is walked again only after a change.
fn is_driver_loaded() -> bool {
    struct Walk {
        known: u64, // loads without the driver among them
        loads: u64,
        found: bool,
    }

    unsafe extern "C" fn visit(library: *mut libc::dl_phdr_info, _: usize, walk: *mut c_void) -> c_int {
        // SAFETY: the loader hands a library of its list, and the Walk that it was given; names are C strings or
        // NULL.
        let (library, walk) = unsafe { (&*library, &mut *walk.cast::<Walk>()) };
        walk.loads = library.dlpi_adds;
        if walk.loads == walk.known {
            return 1;
        }
        // SAFETY: as above.
        let path =
            (!library.dlpi_name.is_null()).then(|| unsafe { CStr::from_ptr(library.dlpi_name) }.to_bytes());
        let file = path.and_then(|path| path.rsplit(|&byte| byte == b'/').next());
        walk.found = file.is_some_and(|file| file.starts_with(b"libcuda.so"));
        c_int::from(walk.found)
    }

    // The loader has a lock of its own for the walk, which would stay locked in a child: no fork meanwhile.
    static LOADS_WITHOUT: ShortLock<u64> = ShortLock::new(Name::Loader, 0);
    let mut loads_without = LOADS_WITHOUT.lock();
    let mut walk = Walk { known: *loads_without, loads: 0, found: false };
    // SAFETY: `visit` has the loader's signature, and `walk` outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut walk).cast()) };
    if !walk.found {
        *loads_without = walk.loads;
    }
    walk.found
}

/// The ordinal of the device whose context is current on this thread, when there is one.
pub fn current_device() -> Option<usize> {
    pointer_get_attributes()?; // a driver is here
    claim().ok()?;
    result::ctx::get_current().ok().flatten()?;
    let mut device = 0;
    // SAFETY: writes one int; a context is current.
    unsafe { sys::cuCtxGetDevice(&mut device) }.result().ok()?;
    usize::try_from(device).ok()
}

/// Where a pointer lies and how many bytes of its allocation follow, as far as the driver knows it. What it does
/// not know is ordinary host memory: its attributes are zeros, and no error, which a program that watches its CUDA
/// calls would see.
pub fn locate(pointer: *const u8) -> Option<(Place, usize)> {
    use sys::CUpointer_attribute::*;
    let pointer_get_attributes = pointer_get_attributes()?;
    let (mut kind, mut is_managed, mut ordinal) = (0u32, 0u32, 0 as c_int);
    let (mut start, mut size) = (0u64, 0usize);
    let mut asked = [
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        CU_POINTER_ATTRIBUTE_IS_MANAGED,
        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
        CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
        CU_POINTER_ATTRIBUTE_RANGE_SIZE,
    ];
    let mut answers: [*mut c_void; 5] = [
        (&raw mut kind).cast(),
        (&raw mut is_managed).cast(),
        (&raw mut ordinal).cast(),
        (&raw mut start).cast(),
        (&raw mut size).cast(),
    ];
    // SAFETY: five attributes, each with room for its type; the driver looks the address up and does not touch it.
    let status =
        unsafe { pointer_get_attributes(5, asked.as_mut_ptr(), answers.as_mut_ptr(), pointer as u64) };
    if status != sys::CUresult::CUDA_SUCCESS || kind == 0 {
        return None;
    }
    let place = match is_managed & 0xff {
        0 if kind == sys::CUmemorytype::CU_MEMORYTYPE_DEVICE as u32 => Place::Device(ordinal),
        0 => Place::Pinned,
        _ => Place::Managed,
    };
    let offset = (pointer as u64).saturating_sub(start) as usize;
    Some((place, size.saturating_sub(offset)))
}
