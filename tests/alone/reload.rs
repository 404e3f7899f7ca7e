//! The shared library opened, used and closed a thousand times, as a MEX file is by `clear mex`.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::ptr::null_mut;

use crate::common::{cuda::Driver, *};
use crate::held::Held;
use crate::{alone, alone_on_cuda};

pub const ROLES: [Role; 1] = [("opens and closes", opens_and_closes)];

const ROUNDS: usize = 1000;
const RTLD_NOW: c_int = 2;

unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlclose(library: *mut c_void) -> c_int;
}

#[test]
fn a_thousand_rounds_of_open_use_and_close_leave_nothing() {
    alone("opens and closes", &[("GPUMEX_BACKEND", "cpu")]);
    alone_on_cuda("opens and closes", &[("GPUMEX_BACKEND", "cuda")]);
}

/// The library beside this test program, or the one that GPUMEX_TEST_LIBRARY names.
fn library() -> CString {
    let beside = || std::env::current_exe().expect("a program has a path").with_file_name("libgpumex.so");
    let path = std::env::var_os("GPUMEX_TEST_LIBRARY").map_or_else(beside, PathBuf::from);
    assert!(path.exists(), "{} is not there; GPUMEX_TEST_LIBRARY may name another", path.display());
    CString::new(path.into_os_string().into_vec()).expect("a path has no NUL")
}

fn opens_and_closes() {
    let is_cuda = std::env::var("GPUMEX_BACKEND").is_ok_and(|backend| backend == "cuda");
    let driver = is_cuda.then(Driver::load);
    if let Some(driver) = &driver {
        driver.set_current(driver.retain_primary());
    }
    let path = library();
    (0..10).for_each(|number| round(&path, number));
    let then = Held::now(driver.as_ref());
    (10..ROUNDS).for_each(|number| round(&path, number));
    Held::now(driver.as_ref())
        .is_as(&then, &format!("{ROUNDS} rounds of dlopen and dlclose, CUDA: {is_cuda}"));
    round(&path, ROUNDS);
}

/// One life of the library in the program.
fn round(path: &CStr, number: usize) {
    // SAFETY: loads a library by its path.
    let library = unsafe { dlopen(path.as_ptr(), RTLD_NOW) };
    assert!(!library.is_null(), "round {number}: {path:?} is not opened");
    // SAFETY: a library that is open.
    let find = |name: &CStr| unsafe { dlsym(library, name.as_ptr()) };
    let version = find(c"gpumex_version");
    // SAFETY: the prototypes of the header; 5 bytes, 256 counters, a context of this library.
    let text = unsafe {
        let count: unsafe extern "C" fn(*const u8, usize, *mut u64) -> i32 =
            std::mem::transmute(find(c"histogram"));
        let mut counts = [u64::POISON; 256];
        assert_eq!(count(b"abbbc".as_ptr(), 5, counts.as_mut_ptr()), 0, "round {number}: histogram");
        assert_eq!((counts[97], counts[98], counts[99], counts[0]), (1, 3, 1, 0), "round {number}");
        lends_memory(&find, number);
        let version: unsafe extern "C" fn() -> *const c_char = std::mem::transmute(version);
        version()
    };
    // SAFETY: opened above.
    assert_eq!(unsafe { dlclose(library) }, 0, "round {number}: dlclose");
    assert!(text_at(text).contains('.'), "round {number}: it stays loaded, and so do its texts");
}

/// # Safety
/// `find` gives functions of the library.
unsafe fn lends_memory(find: &impl Fn(&CStr) -> *mut c_void, number: usize) {
    // SAFETY: the prototypes of the header, and a context of the library.
    unsafe {
        let create: unsafe extern "C" fn(i32, i32) -> *mut c_void =
            std::mem::transmute(find(c"gpumex_context_create"));
        let malloc: unsafe extern "C" fn(*mut c_void, i32, usize, *mut *mut c_void) -> i32 =
            std::mem::transmute(find(c"gpumex_malloc"));
        let [free, destroy]: [unsafe extern "C" fn(*mut c_void) -> i32; 2] =
            [c"gpumex_free", c"gpumex_context_destroy"].map(|name| std::mem::transmute(find(name)));
        let (ctx, mut memory) = (create(0, -1), null_mut());
        assert!(!ctx.is_null(), "round {number}: gpumex_context_create");
        assert_eq!(malloc(ctx, 0, 5000, &mut memory), 0, "round {number}: gpumex_malloc");
        assert_eq!((free(memory), destroy(ctx)), (0, 0), "round {number}");
    }
}
