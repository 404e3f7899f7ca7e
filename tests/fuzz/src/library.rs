//! The library, loaded at run time: its functions by their place in the header.

use std::ffi::{CStr, CString, c_char, c_void};

use crate::header::Header;

type Words = unsafe extern "C" fn(
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    f64,
    f64,
    f64,
    f64,
) -> u64;

pub const WORDS: usize = 14;
pub const DOUBLES: usize = 4;

pub struct Library {
    functions: Vec<usize>,
    names: Vec<String>,
}

impl Library {
    pub fn load(path: &str, header: &Header) -> Result<Library, String> {
        let file = CString::new(path).map_err(|_| "a path with a NUL")?;
        // SAFETY: a NUL-terminated path; the library runs its initialisers.
        let handle = unsafe { libc::dlopen(file.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if handle.is_null() {
            // SAFETY: after a failure dlerror gives a text.
            let reason = unsafe { CStr::from_ptr(libc::dlerror()) };
            return Err(format!("{path} cannot be loaded: {}", reason.to_string_lossy()));
        }
        let mut functions = Vec::new();
        for function in &header.functions {
            let name = CString::new(function.name.as_str()).map_err(|_| "a name with a NUL")?;
            // SAFETY: an open library.
            let address = unsafe { libc::dlsym(handle, name.as_ptr()) };
            if address.is_null() {
                return Err(format!("{path} does not export {}", function.name));
            }
            if function.params.len() > WORDS {
                return Err(format!("{} cannot be called: more than {WORDS} parameters", function.name));
            }
            functions.push(address as usize);
        }
        Ok(Library {
            functions,
            names: header.functions.iter().map(|function| function.name.clone()).collect(),
        })
    }

    /// Calls a function. Integer and floating arguments go to registers of their own (System V x86-64, AAPCS64), so that
    /// one prototype serves all functions; what a function does not take is ignored.
    pub fn call(&self, function: usize, words: &[u64; WORDS], doubles: &[f64; DOUBLES]) -> u64 {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = *words;
        let [p, q, r, s] = *doubles;
        // SAFETY: the address of a C function, which finds each of its arguments in its place.
        unsafe {
            let callee: Words = std::mem::transmute(self.functions[function] as *const c_void);
            callee(a, b, c, d, e, f, g, h, i, j, k, l, m, n, p, q, r, s)
        }
    }

    /// Calls a function by its name.
    pub fn invoke(&self, name: &str, arguments: &[u64]) -> u64 {
        let function = self.names.iter().position(|candidate| candidate == name);
        let mut words = [0; WORDS];
        words[..arguments.len()].copy_from_slice(arguments);
        function.map_or(0, |function| self.call(function, &words, &[0.0; DOUBLES]))
    }

    /// A call that the fuzzer makes for itself: without it nothing of what follows would mean anything.
    pub fn must(&self, name: &str, arguments: &[u64]) {
        let status = self.invoke(name, arguments) as u32;
        assert!(status == 0, "{name} of the fuzzer's own gives {status}: {}", self.last_error());
    }

    pub fn last_error(&self) -> String {
        let text = self.invoke("gpumex_last_error", &[]) as *const c_char;
        if text.is_null() {
            return String::new();
        }
        // SAFETY: a text of the library, valid until the next failure on this thread.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }
}
