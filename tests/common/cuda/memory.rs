//! Memory, streams and a fault of the driver's own making. A context has to be current.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;

use super::{CuContext, Driver, check};

/// A CUstream.
pub type CuStream = *mut c_void;

impl Driver {
    pub fn allocate(&self, bytes: usize) -> *mut c_void {
        let mut address = null_mut();
        // SAFETY: the prototype of cuMemAlloc, which writes one address.
        check("cuMemAlloc", unsafe {
            let allocate: unsafe extern "C" fn(*mut *mut c_void, usize) -> c_int =
                self.function(c"cuMemAlloc_v2");
            allocate(&mut address, bytes)
        });
        address
    }

    /// Frees memory of `allocate` or `allocate_managed`.
    pub fn free(&self, memory: *mut c_void) {
        // SAFETY: the prototype of cuMemFree; memory of this driver.
        check("cuMemFree", unsafe {
            let free: unsafe extern "C" fn(*mut c_void) -> c_int = self.function(c"cuMemFree_v2");
            free(memory)
        });
    }

    pub fn allocate_managed(&self, bytes: usize) -> *mut c_void {
        let mut address = null_mut();
        // SAFETY: the prototype of cuMemAllocManaged, which writes one address.
        check("cuMemAllocManaged", unsafe {
            let allocate: unsafe extern "C" fn(*mut *mut c_void, usize, c_uint) -> c_int =
                self.function(c"cuMemAllocManaged");
            allocate(&mut address, bytes, 1)
        });
        address
    }

    pub fn allocate_pinned(&self, bytes: usize) -> *mut c_void {
        let mut address = null_mut();
        // SAFETY: the prototype of cuMemAllocHost, which writes one address.
        check("cuMemAllocHost", unsafe {
            let allocate: unsafe extern "C" fn(*mut *mut c_void, usize) -> c_int =
                self.function(c"cuMemAllocHost_v2");
            allocate(&mut address, bytes)
        });
        address
    }

    pub fn free_pinned(&self, memory: *mut c_void) {
        // SAFETY: the prototype of cuMemFreeHost; memory of allocate_pinned.
        check("cuMemFreeHost", unsafe {
            let free: unsafe extern "C" fn(*mut c_void) -> c_int = self.function(c"cuMemFreeHost");
            free(memory)
        });
    }

    /// Free bytes of the device.
    pub fn free_memory(&self) -> usize {
        let (mut free, mut total) = (0, 0);
        // SAFETY: the prototype of cuMemGetInfo, which writes two sizes.
        check("cuMemGetInfo", unsafe {
            let info: unsafe extern "C" fn(*mut usize, *mut usize) -> c_int =
                self.function(c"cuMemGetInfo_v2");
            info(&mut free, &mut total)
        });
        free
    }

    /// Waits for everything in the current context; the driver's answer.
    pub fn synchronize(&self) -> c_int {
        // SAFETY: the prototype of cuCtxSynchronize.
        unsafe {
            let synchronize: unsafe extern "C" fn() -> c_int = self.function(c"cuCtxSynchronize");
            synchronize()
        }
    }

    pub fn create_stream(&self) -> CuStream {
        let mut stream = null_mut();
        // SAFETY: the prototype of cuStreamCreate, which writes one pointer.
        check("cuStreamCreate", unsafe {
            let create: unsafe extern "C" fn(*mut CuStream, c_uint) -> c_int =
                self.function(c"cuStreamCreate");
            create(&mut stream, 0)
        });
        stream
    }

    /// A stream that runs beside all others, the legacy default stream included.
    pub fn create_beside(&self) -> CuStream {
        let mut stream = null_mut();
        // SAFETY: the prototype of cuStreamCreate, which writes one handle.
        check("cuStreamCreate", unsafe {
            let create: unsafe extern "C" fn(*mut CuStream, c_uint) -> c_int =
                self.function(c"cuStreamCreate");
            create(&mut stream, 1)
        });
        stream
    }

    pub fn destroy_stream(&self, stream: CuStream) {
        // SAFETY: the prototype of cuStreamDestroy; a stream of create_stream.
        check("cuStreamDestroy", unsafe {
            let destroy: unsafe extern "C" fn(CuStream) -> c_int = self.function(c"cuStreamDestroy_v2");
            destroy(stream)
        });
    }

    pub fn synchronize_stream(&self, stream: CuStream) {
        // SAFETY: the prototype of cuStreamSynchronize; a stream of this driver.
        check("cuStreamSynchronize", unsafe {
            let synchronize: unsafe extern "C" fn(CuStream) -> c_int = self.function(c"cuStreamSynchronize");
            synchronize(stream)
        });
    }

    /// Sets every byte, behind what the stream has been given so far.
    pub fn fill_on(&self, stream: CuStream, memory: *mut c_void, byte: u8, bytes: usize) {
        // SAFETY: the prototype of cuMemsetD8Async; memory that holds that many bytes.
        check("cuMemsetD8Async", unsafe {
            let fill: unsafe extern "C" fn(*mut c_void, u8, usize, CuStream) -> c_int =
                self.function(c"cuMemsetD8Async");
            fill(memory, byte, bytes, stream)
        });
    }

    /// Makes `work` with a context current, and the one of before current again.
    pub fn with_current<T>(&self, context: CuContext, work: impl FnOnce() -> T) -> T {
        let before = self.current();
        self.set_current(context);
        let value = work();
        self.set_current(before);
        value
    }

    /// Runs a kernel that writes where nothing is. The context does not recover; the driver's answer.
    pub fn fault(&self) -> c_int {
        const WRITES_TO_8: &std::ffi::CStr =
            c".version 6.4\n.target sm_75\n.address_size 64\n.visible .entry fault() {\n\
            .reg .u64 %address;\n.reg .u32 %value;\nmov.u64 %address, 8;\nmov.u32 %value, 7;\n\
            st.global.u32 [%address], %value;\nret;\n}\n";
        let (mut module, mut kernel) = (null_mut(), null_mut());
        // SAFETY: the prototypes of the three functions; a kernel without parameters.
        unsafe {
            let load: unsafe extern "C" fn(*mut *mut c_void, *const c_void) -> c_int =
                self.function(c"cuModuleLoadData");
            check("cuModuleLoadData", load(&mut module, WRITES_TO_8.as_ptr().cast()));
            let find: unsafe extern "C" fn(*mut *mut c_void, *mut c_void, *const std::ffi::c_char) -> c_int =
                self.function(c"cuModuleGetFunction");
            check("cuModuleGetFunction", find(&mut kernel, module, c"fault".as_ptr()));
            let none: *mut *mut c_void = null_mut();
            #[rustfmt::skip]
            let launch: unsafe extern "C" fn(
                *mut c_void, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, CuStream, *mut *mut c_void,
                *mut *mut c_void,
            ) -> c_int = self.function(c"cuLaunchKernel");
            check("cuLaunchKernel", launch(kernel, 1, 1, 1, 1, 1, 1, 0, null_mut(), none, none));
        }
        self.synchronize()
    }
}
