//! What happens to a process amid a call: memory ends, an allocation is refused, another thread cancels.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, Thread};

use crate::heap;
use crate::library::Library;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Disturbance {
    None,
    /// The process gets no more memory from the system: its address space is limited to what is mapped.
    Starved,
    /// This allocation of the heap fails, counted from the call on, and all that follow it.
    Refused(u64),
    /// Another thread cancels the calls of the context, over and over.
    Cancelled,
}

/// Stack of the fuzzer's own that a call may need; later it could not grow.
const STACK: usize = 64 << 10;

/// The context that the cancelling thread is to cancel; 0: none.
static CANCELLED: AtomicU64 = AtomicU64::new(0);
static CANCELS: AtomicBool = AtomicBool::new(false); // it does so now
static CANCELLER: OnceLock<Thread> = OnceLock::new();

impl Disturbance {
    /// Runs a call under it.
    pub fn during<R>(self, context: u64, call: impl FnOnce() -> R) -> R {
        match self {
            Disturbance::None => call(),
            Disturbance::Starved => {
                let before = limit_address_space();
                let result = call();
                set_limit(before);
                result
            }
            Disturbance::Refused(first) => {
                heap::refuse_from(first);
                let result = call();
                heap::refuse_nothing();
                result
            }
            Disturbance::Cancelled => {
                CANCELLED.store(context, Ordering::SeqCst);
                CANCELLER.get().inspect(|thread| thread.unpark());
                while !CANCELS.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
                let result = call();
                CANCELLED.store(0, Ordering::SeqCst);
                while CANCELS.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
                result
            }
        }
    }
}

/// Starts the cancelling thread.
pub fn start(library: &'static Library) {
    let canceller = thread::spawn(move || {
        loop {
            let context = CANCELLED.load(Ordering::SeqCst);
            CANCELS.store(context != 0, Ordering::SeqCst);
            match context {
                0 => thread::park(),
                context => _ = library.invoke("gpumex_context_cancel", &[context]),
            }
        }
    });
    _ = CANCELLER.set(canceller.thread().clone());
}

/// Returns the limit before.
fn limit_address_space() -> libc::rlimit {
    let mut before = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    std::hint::black_box([1u8; STACK]);
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = statm.split(' ').next().and_then(|pages| pages.parse().ok()).unwrap_or(u64::MAX >> 12);
    // SAFETY: reads a limit of this process.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut before) };
    set_limit(libc::rlimit { rlim_cur: pages << 12, rlim_max: before.rlim_max });
    before
}

fn set_limit(limit: libc::rlimit) {
    // SAFETY: a limit of this process.
    unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) };
}
