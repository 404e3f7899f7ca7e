//! The threads of the CPU backend: pools of our own, never rayon's global one, one for each number of threads that contexts work
//! with. rayon cannot limit a call to some threads of a pool: a nested `join` takes all of them.

use std::sync::{LazyLock, mpsc};
use std::thread::available_parallelism;

use rayon::ThreadPool;

use crate::error::Result;
use crate::platform::fork::{self, Name, ShortLock};
use crate::platform::thread;

/// Threads a core at most, on a machine of few cores as if it had so many.
const OVERSUBSCRIPTION: usize = 4;
const MANY: usize = 16;

struct Pool {
    generation: u32, // of the process that built it
    num_threads: usize,
    threads: &'static ThreadPool,
}

/// The pool of so many threads of this process, or of as many as serve it: more than a few a core only wait for each other, and take a
/// minute to start where they are thousands. They start when it is first used and live as long as the process. A forked child
/// has none of its parent's threads and builds its own pools; the parent's are left alone.
pub fn pool(num_threads: usize) -> Result<&'static ThreadPool> {
    static POOLS: ShortLock<Vec<Pool>> = ShortLock::new(Name::Pool, Vec::new());
    static CORES: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from)); // reads files
    let cores = *CORES;
    let num_threads = num_threads.min(OVERSUBSCRIPTION * cores.max(MANY));
    let mut pools = POOLS.lock();
    let generation = fork::generation();
    pools.retain(|pool| pool.generation == generation);
    if let Some(pool) = pools.iter().find(|pool| pool.num_threads == num_threads) {
        return Ok(pool.threads);
    }
    let threads: &'static ThreadPool = Box::leak(Box::new(build(num_threads)?));
    pools.push(Pool { generation, num_threads, threads });
    Ok(threads)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_pool_for_a_number_of_threads() {
        let [two, three, again] = [2, 3, 2].map(|num_threads| pool(num_threads).unwrap());
        assert!(std::ptr::eq(two, again) && !std::ptr::eq(two, three));
        assert_eq!([two, three].map(ThreadPool::current_num_threads), [2, 3]);
    }
}
