//! What the library does to threads: its own are set up once, the caller's is borrowed for the length of an
//! operation.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, Result, Status};
use crate::platform::rounding::IeeeRounding;
use crate::vector::reserved;

/// The first thing that a worker thread does: its panics are the library's, it takes no signal that is meant for
/// the program, and it rounds as IEEE 754 has it, whatever the thread that started it does.
pub fn prepare_worker() {
    crate::platform::panic::quiet_this_thread();
    // SAFETY: a full set of signals is blocked for this thread alone.
    #[cfg(unix)]
    unsafe {
        let mut all = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_BLOCK, &all, std::ptr::null_mut());
    }
    std::mem::forget(IeeeRounding::set());
}

/// What malloc is asked for by a thread that starts, above all for its thread-local variables, which are aligned to a page, as cudart's are.
const OF_A_THREAD: usize = 24 << 10;
/// So many threads start at a time, about.
const MOST_THREADS: usize = 64;

/// A pool of threads of the library, called `name`-0, `name`-1 …
pub fn start_pool(num_threads: usize, name: &'static str) -> Result<ThreadPool> {
    // libc and Rust's library end the process where malloc refuses what a thread needs: it is asked for as much before.
    let blocks = (0..num_threads.min(MOST_THREADS)).map(|_| reserved::<u8>(OF_A_THREAD));
    drop(blocks.collect::<Result<Vec<_>>>()?);
    let started = Arc::new(Started::default());
    let start = started.clone();
    let builder = ThreadPoolBuilder::new()
        .num_threads(num_threads)
        .thread_name(move |i| format!("{name}-{i}"))
        .start_handler(move |_| {
            prepare_worker();
            start.count();
        });
    let pool = builder.build().map_err(|error| {
        Error::new(Status::OutOfMemory, format!("{num_threads} threads could not be started: {error}"))
    })?;
    started.wait_for(pool.current_num_threads());
    Ok(pool)
}

/// How many threads of a pool run, and have their thread-local variables: libc ends the process where a thread finds no memory for these,
/// as it would if memory ran out between the start of a pool and that of its last thread.
#[derive(Default)]
struct Started {
    threads: Mutex<usize>,
    is_another: Condvar,
}

impl Started {
    fn count(&self) {
        *self.threads.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.is_another.notify_one();
    }

    fn wait_for(&self, num_threads: usize) {
        let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.is_another.wait_while(threads, |threads| *threads < num_threads));
    }
}

/// pthread_cancel waits for as long as this lives: it unwinds the thread from within open, read or poll, which neither Rust's frames nor
/// CUDA's driver let through, and would leave a context entered for ever.
pub struct Uncancelled {
    callers: libc::c_int,
}

unsafe extern "C" {
    safe fn pthread_setcancelstate(state: libc::c_int, old: &mut libc::c_int) -> libc::c_int; // not in the libc crate
}

impl Uncancelled {
    pub fn set() -> Uncancelled {
        const PTHREAD_CANCEL_DISABLE: libc::c_int = 1;
        let mut callers = 0;
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &mut callers);
        Uncancelled { callers }
    }
}

impl Drop for Uncancelled {
    fn drop(&mut self) {
        pthread_setcancelstate(self.callers, &mut 0);
    }
}
