//! The threads of the CPU backend: one pool a process, our own, never rayon's global one.

use std::sync::mpsc;

use rayon::ThreadPool;

use crate::error::Result;
use crate::platform::fork::{self, Name, ShortLock};
use crate::platform::thread;

/// The pool of this process. A forked child has none of its parent's threads and builds its own; the old one is
/// left alone.
pub fn pool(num_threads: usize) -> Result<&'static ThreadPool> {
    static POOL: ShortLock<Option<(u32, &'static ThreadPool)>> = ShortLock::new(Name::Pool, None);
    let mut pool = POOL.lock();
    match *pool {
        Some((generation, built)) if generation == fork::generation() => Ok(built),
        _ => {
            let built: &'static ThreadPool = Box::leak(Box::new(build(num_threads)?)); // lives as long as the process, as its threads do
            *pool = Some((fork::generation(), built));
            Ok(built)
        }
    }
}

fn build(num_threads: usize) -> Result<ThreadPool> {
    let built = thread::start_pool(num_threads, "gpumex")?;
    // Every thread has begun its work before a fork can happen: a child would wait for ever for what a thread sets
    // up once, at its start. (`broadcast` would steal jobs of the caller's own rayon pool while it waits.)
    let (working, all) = mpsc::channel();
    built.spawn_broadcast(move |_| working.send(()).unwrap_or_default());
    all.iter().for_each(drop);
    Ok(built)
}
