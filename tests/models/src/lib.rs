//! The library's own files, with what they stand on: the rest of the library is a few stand-ins. See Cargo.toml.
#![allow(dead_code)] // of the files, a model uses a part
#![allow(clippy::new_without_default, unused_imports)]

#[macro_use]
extern crate model_std as std;

#[path = "../../../src/comm/mod.rs"]
#[allow(unreachable_code)] // after calls of a device, of which there are none
pub mod comm;
#[path = "../../../src/error.rs"]
pub mod error;
#[path = "../../../src/platform/fork.rs"]
pub mod fork;
pub mod gpu;
#[path = "../../../src/handle/mod.rs"]
pub mod handle;
#[path = "../../../src/interrupt.rs"]
pub mod interrupt;
#[path = "../../../src/platform/log.rs"]
pub mod log;
#[path = "../../../src/memory/mod.rs"]
pub mod memory;
#[path = "../../../src/model/numbered.rs"]
pub mod numbered;
#[path = "../../../src/gpu/runtime/staging/ring.rs"]
pub mod ring;
#[cfg(not(miri))]
#[path = "../../../src/stream_copy.rs"]
mod stream_copy;
#[path = "../../../src/vector.rs"]
mod vector;

/// What vector.rs hands on.
mod global_allocator {
    pub fn with_prepared() {}
}

/// Miri knows no stores that bypass the caches.
#[cfg(miri)]
mod stream_copy {
    pub unsafe fn stream_copy(target: *mut u8, source: *const u8, bytes: usize) {
        // SAFETY: the caller's promises.
        unsafe { std::ptr::copy_nonoverlapping(source, target, bytes) };
    }
}

pub mod model {
    pub use crate::numbered;
}

pub mod platform {
    pub use crate::{fork, log};

    /// Every level is told.
    pub mod settings {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum LogLevel {
            Error = 1,
            Warn = 2,
            Info = 3,
            Debug = 4,
        }

        pub fn tells(_: LogLevel) -> bool {
            true
        }
    }

    pub mod panic {
        use std::any::Any;
        use std::panic::{AssertUnwindSafe, catch_unwind};

        pub fn caught<T>(body: impl FnOnce() -> T) -> Result<T, String> {
            let text = |payload: Box<dyn Any + Send>| {
                payload.downcast_ref::<&str>().map_or("panic".to_string(), |text| text.to_string())
            };
            catch_unwind(AssertUnwindSafe(body)).map_err(text)
        }
    }
}

/// What the handles hold: a context that knows who is in it, and how many there are.
pub mod context {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use crate::error::Result;
    use crate::gpu::Device;

    pub static LIVE: AtomicUsize = AtomicUsize::new(0);

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum BusyPolicy {
        #[default]
        Return,
        Wait,
    }

    #[derive(Clone, Copy, Debug, Default)]
    pub struct Options {
        pub busy: BusyPolicy,
        pub threads: usize,
    }

    pub struct Context {
        busy: BusyPolicy,
        is_entered: bool,
    }

    pub struct Event;

    pub enum Engine {
        Cpu(()),
        Cuda(Device),
    }

    impl Context {
        pub fn with(options: &Options) -> Result<Context> {
            LIVE.fetch_add(1, Ordering::SeqCst);
            Ok(Context { busy: options.busy, is_entered: false })
        }

        pub fn busy_policy(&self) -> BusyPolicy {
            self.busy
        }

        pub fn check_may_end(&self) -> Result<()> {
            Ok(())
        }

        pub fn is_on_cuda(&self) -> bool {
            false
        }

        pub fn run<T>(&mut self, body: impl FnOnce(&mut Engine) -> Result<T>) -> Result<T> {
            body(&mut Engine::Cpu(()))
        }

        /// A call in this context: no other thread is in it meanwhile.
        pub fn call(&mut self) {
            assert!(!self.is_entered, "two threads are in one context");
            self.is_entered = true;
            std::thread::yield_now();
            self.is_entered = false;
        }
    }

    impl Drop for Context {
        fn drop(&mut self) {
            assert!(!self.is_entered, "a context ends with a thread in it");
            LIVE.fetch_sub(1, Ordering::SeqCst);
        }
    }
}
