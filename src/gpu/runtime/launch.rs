//! What the declarations in kernels.rs stand on: functions of the kernels' library or, in a build without it, stubs that answer "no
//! kernel image", so that the rest of the crate is one and the same; and the codes that launchers return.

use std::ffi::{CStr, c_char, c_int};

use super::kernels::gpumexk_error_string;

/// cudaErrorMemoryAllocation
pub const MEMORY_ALLOCATION: c_int = 2;
/// cudaErrorInsufficientDriver
pub const INSUFFICIENT_DRIVER: c_int = 35;
/// cudaErrorNoKernelImageForDevice
pub const NO_KERNEL_IMAGE: c_int = 209;
/// cudaErrorUnsupportedPtxVersion
pub const UNSUPPORTED_PTX: c_int = 222;

/// The text of a launcher's code.
pub fn launch_text(code: c_int) -> String {
    // SAFETY: static text.
    unsafe { CStr::from_ptr(gpumexk_error_string(code)) }.to_string_lossy().into_owned()
}

/// What a stub returns.
#[cfg_attr(gpumex_cuda, allow(dead_code))]
pub trait Stub {
    const RESULT: Self;
}

impl Stub for () {
    const RESULT: () = ();
}

impl Stub for c_int {
    const RESULT: c_int = NO_KERNEL_IMAGE;
}

impl Stub for *const c_char {
    const RESULT: *const c_char = c"no kernel image is available for execution on the device".as_ptr();
}

/// Functions of the kernels' library, or their stubs.
macro_rules! launchers {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {
        #[cfg(gpumex_cuda)]
        unsafe extern "C" {
            $($(#[$doc])* pub fn $name($($argument: $kind),*) -> $result;)*
        }
        $(
            #[cfg(not(gpumex_cuda))]
            #[allow(clippy::too_many_arguments)] // as many as the launcher has
            pub unsafe fn $name($(_: $kind),*) -> $result {
                <$result as $crate::gpu::runtime::launch::Stub>::RESULT
            }
        )*
    };
}
pub(super) use launchers;

/// Structs with their sizes and the offsets of their fields in C: one that Rust lays out in another way does not compile.
macro_rules! layouts {
    ($($name:ident, $size:literal: $($field:ident $offset:literal),*;)*) => {
        $(const _: () = {
            assert!(size_of::<$name>() == $size);
            $(assert!(std::mem::offset_of!($name, $field) == $offset);)*
        };)*
    };
}
pub(super) use layouts;
