//! What is called of libgpumex.so.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::transmute_copy;

const CPU: c_int = 1;

/// gpumex_sort_options, as far as it is set here.
#[repr(C)]
#[derive(Default)]
pub struct SortOptions {
    pub size: usize,
    pub variant: i32,
    pub dtype: i32,
    pub order: i32,
    pub payload: i32,
    pub value_dtype: i32,
    pub index_dtype: i32,
}

/// gpumex_words_options.
#[repr(C)]
#[derive(Default)]
pub struct WordsOptions {
    pub size: usize,
    pub variant: i32,
    pub encoding: i32,
    pub fold: i32,
    pub reserved: i32,
}

/// gpumex_words_summary.
#[repr(C)]
#[derive(Default)]
pub struct WordsSummary {
    pub size: usize,
    pub words: u64,
    pub distinct: u64,
}

type Configure = unsafe extern "C" fn(*const c_char, *const c_char) -> c_int;
type Create = unsafe extern "C" fn(c_int, c_int) -> *mut c_void;
type LastError = unsafe extern "C" fn() -> *const c_char;
type Keys = *const c_void;
type Sort = unsafe extern "C" fn(
    *mut c_void,
    *const SortOptions,
    Keys,
    Keys,
    usize,
    *mut c_void,
    *mut c_void,
) -> c_int;
type Places = *mut u64;
type Words = unsafe extern "C" fn(
    *mut c_void,
    *const WordsOptions,
    *const u8,
    usize,
    usize,
    Places,
    Places,
    Places,
    *mut WordsSummary,
) -> c_int;

/// The library with a context of the CPU.
pub struct Library {
    pub ctx: *mut c_void,
    pub sort: Sort,
    pub words: Words,
    last_error: LastError,
}

impl Library {
    pub fn load(path: &str, threads: &str) -> Library {
        let [path, threads] = [path, threads].map(|text| CString::new(text).expect("no NUL"));
        // SAFETY: C strings; the types are those of gpumex.h.
        unsafe {
            let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW);
            assert!(!handle.is_null(), "{:?}", CStr::from_ptr(libc::dlerror()));
            let configure: Configure = function(handle, c"gpumex_configure");
            let create: Create = function(handle, c"gpumex_context_create");
            let last_error: LastError = function(handle, c"gpumex_last_error");
            assert_eq!(
                configure(c"num_threads".as_ptr(), threads.as_ptr()),
                0,
                "{:?}",
                CStr::from_ptr(last_error())
            );
            let ctx = create(CPU, -1);
            assert!(!ctx.is_null(), "{:?}", CStr::from_ptr(last_error()));
            let (sort, words) = (function(handle, c"gpumex_sort"), function(handle, c"gpumex_words"));
            Library { ctx, sort, words, last_error }
        }
    }

    #[track_caller]
    pub fn check(&self, status: c_int) {
        // SAFETY: the message of this thread's last call.
        assert_eq!(status, 0, "{:?}", unsafe { CStr::from_ptr((self.last_error)()) });
    }
}

/// # Safety
/// `F` is the type of the function with this name.
unsafe fn function<F>(handle: *mut c_void, name: &CStr) -> F {
    assert_eq!(size_of::<F>(), size_of::<*mut c_void>());
    // SAFETY: a live library, a C string; the caller's promise.
    unsafe {
        let address = libc::dlsym(handle, name.as_ptr());
        assert!(!address.is_null(), "the library lacks {name:?}");
        transmute_copy(&address)
    }
}
