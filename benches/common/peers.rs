//! The vendor's own library beside ours: benches/peers, built by `scripts/build-cuda` and found through GPUMEX_PEERS.

use std::env;
use std::ffi::{CString, c_void};

/// The library of peers, where there is one.
#[derive(Clone, Copy)]
pub struct Peers(*mut c_void);

impl Peers {
    pub fn load() -> Option<Peers> {
        let path = CString::new(env::var("GPUMEX_PEERS").ok()?).ok()?;
        // SAFETY: a C string; the library has no constructor of its own.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        (!handle.is_null()).then_some(Peers(handle))
    }

    /// A function of it.
    ///
    /// # Safety
    /// `F` is the function pointer's type that benches/peers declares for `name`.
    pub unsafe fn function<F: Copy>(self, name: &str) -> F {
        let symbol = CString::new(name).expect("names have no NUL");
        // SAFETY: a live library, a C string.
        let address = unsafe { libc::dlsym(self.0, symbol.as_ptr()) };
        assert!(!address.is_null(), "the library of peers lacks {name}");
        assert_eq!(size_of::<F>(), size_of::<*mut c_void>());
        // SAFETY: the caller's promise; both are addresses.
        unsafe { std::mem::transmute_copy(&address) }
    }
}
