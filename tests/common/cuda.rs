//! The CUDA driver as other code in the process (MATLAB, say) uses it: looked up by hand, next to the library.

pub mod graph;
mod memory;

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

const RTLD_NOW: c_int = 2;

/// A CUcontext; null is none.
pub type CuContext = *mut c_void;

pub struct Driver {
    handle: *mut c_void,
}

impl Driver {
    /// The driver of a machine that has one.
    pub fn load() -> Driver {
        // SAFETY: loads a system library.
        let library = unsafe { dlopen(c"libcuda.so.1".as_ptr(), RTLD_NOW) };
        assert!(
            !library.is_null(),
            "libcuda.so.1 cannot be loaded, although a CUDA context could be created"
        );
        let driver = Driver { handle: library };
        // SAFETY: the prototype of cuInit.
        let init: unsafe extern "C" fn(c_uint) -> c_int = unsafe { driver.function(c"cuInit") };
        // SAFETY: no pointers.
        check("cuInit", unsafe { init(0) });
        driver
    }

    /// # Safety
    /// `F` is the type of that function.
    unsafe fn function<F: Copy>(&self, name: &CStr) -> F {
        // SAFETY: a library that stays loaded.
        let address = unsafe { dlsym(self.handle, name.as_ptr()) };
        assert!(!address.is_null(), "libcuda.so.1 has no {name:?}");
        assert_eq!(size_of::<F>(), size_of::<*mut c_void>());
        // SAFETY: an address that is not null, of a function of the caller's type.
        unsafe { std::mem::transmute_copy(&address) }
    }

    /// The context that is current on this thread.
    pub fn current(&self) -> CuContext {
        let mut context = std::ptr::null_mut();
        // SAFETY: the prototype of cuCtxGetCurrent, which writes one pointer.
        check("cuCtxGetCurrent", unsafe {
            let get: unsafe extern "C" fn(*mut CuContext) -> c_int = self.function(c"cuCtxGetCurrent");
            get(&mut context)
        });
        context
    }

    /// Replaces the context that is current on this thread.
    pub fn set_current(&self, context: CuContext) {
        // SAFETY: the prototype of cuCtxSetCurrent; a context of this driver or null.
        check("cuCtxSetCurrent", unsafe {
            let set: unsafe extern "C" fn(CuContext) -> c_int = self.function(c"cuCtxSetCurrent");
            set(context)
        });
    }

    /// The primary context of device 0, which the CUDA runtime uses as well.
    pub fn retain_primary(&self) -> CuContext {
        let mut context = std::ptr::null_mut();
        // SAFETY: the prototype of cuDevicePrimaryCtxRetain, which writes one pointer.
        check("cuDevicePrimaryCtxRetain", unsafe {
            let retain: unsafe extern "C" fn(*mut CuContext, c_int) -> c_int =
                self.function(c"cuDevicePrimaryCtxRetain");
            retain(&mut context, 0)
        });
        context
    }

    pub fn release_primary(&self) {
        // SAFETY: the prototype of cuDevicePrimaryCtxRelease.
        check("cuDevicePrimaryCtxRelease", unsafe {
            let release: unsafe extern "C" fn(c_int) -> c_int =
                self.function(c"cuDevicePrimaryCtxRelease_v2");
            release(0)
        });
    }

    /// Destroys everything in the primary context of device 0, whoever made it.
    pub fn reset_primary(&self) {
        // SAFETY: the prototype of cuDevicePrimaryCtxReset.
        check("cuDevicePrimaryCtxReset", unsafe {
            let reset: unsafe extern "C" fn(c_int) -> c_int = self.function(c"cuDevicePrimaryCtxReset_v2");
            reset(0)
        });
    }

    /// A context of one's own on device 0; it is current on this thread.
    pub fn create_context(&self) -> CuContext {
        let mut context = std::ptr::null_mut();
        // SAFETY: the prototype of cuCtxCreate, which writes one pointer.
        check("cuCtxCreate", unsafe {
            let create: unsafe extern "C" fn(*mut CuContext, c_uint, c_int) -> c_int =
                self.function(c"cuCtxCreate_v2");
            create(&mut context, 0, 0)
        });
        context
    }

    pub fn destroy_context(&self, context: CuContext) {
        // SAFETY: the prototype of cuCtxDestroy; a context of create_context.
        check("cuCtxDestroy", unsafe {
            let destroy: unsafe extern "C" fn(CuContext) -> c_int = self.function(c"cuCtxDestroy_v2");
            destroy(context)
        });
    }
}

#[track_caller]
fn check(function: &str, result: c_int) {
    assert!(result == 0, "{function}: CUDA error {result}");
}
