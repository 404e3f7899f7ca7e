//! The threads of the CPU backend: pools of our own, never rayon's global one. rayon cannot limit a call to some threads of a pool (a
//! nested `join` takes all of them), and a thread that waits for a part of its call takes work of any other call in the pool: that
//! call would keep this one from its end, a cancelled one too. So a call has a pool to itself, as long as they are few.

use std::sync::{LazyLock, mpsc};
use std::thread::available_parallelism;

use rayon::ThreadPool;

use crate::error::Result;
use crate::platform::fork::{self, Name, ShortLock};
use crate::platform::thread;

/// Threads a core at most, on a machine of few cores in one pool as if it had MANY: more only wait for each other, and take a minute to
/// start where they are thousands.
const OVERSUBSCRIPTION: usize = 4;
const MANY: usize = 16;
/// Pools at work at most, but for the first of each number of threads.
const MOST_POOLS: usize = 8;

struct Pool {
    generation: u32, // of the process that built it
    num_threads: usize,
    threads: &'static ThreadPool,
    calls: usize, // that have it now
}

static POOLS: ShortLock<Vec<Pool>> = ShortLock::new(Name::Pool, Vec::new());

/// Runs `body` with a pool of so many threads, or as many as serve it, which no other call has meanwhile. A call that comes while others
/// are at work may get fewer threads, on which results do not depend; beyond MOST_POOLS, or where no thread can be started, calls share.
/// Threads start when they are first needed and live as long as the process. A forked child has none of its parent's threads and
/// builds its own pools; the parent's are left alone.
pub fn with_pool(num_threads: usize, body: &mut dyn FnMut(&ThreadPool)) -> Result<()> {
    let lent = Lent::new(num_threads)?;
    body(lent.threads);
    Ok(())
}

/// A pool that a call has until this is dropped.
struct Lent {
    threads: &'static ThreadPool,
}

impl Lent {
    fn new(num_threads: usize) -> Result<Lent> {
        static CORES: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from)); // reads files
        let cores = *CORES;
        let wanted = num_threads.min(OVERSUBSCRIPTION * cores.max(MANY));
        let mut pools = POOLS.lock();
        let generation = fork::generation();
        pools.retain(|pool| pool.generation == generation);
        let size = size_of_next(&pools, wanted, OVERSUBSCRIPTION * cores);
        if let Some(pool) = size.and_then(|size| least_used(&mut pools, size)).filter(|pool| pool.calls == 0)
        {
            return Ok(pool.lend());
        }
        match size.map(build) {
            Some(Ok(threads)) => {
                let (num_threads, threads) = (threads.current_num_threads(), &*Box::leak(Box::new(threads)));
                pools.push(Pool { generation, num_threads, threads, calls: 1 });
                Ok(Lent { threads })
            }
            Some(Err(error)) => least_used(&mut pools, wanted).map(Pool::lend).ok_or(error),
            None => Ok(least_used(&mut pools, wanted).expect("one of this size is at work").lend()),
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let mut pools = POOLS.lock();
        let pool = pools.iter_mut().find(|pool| std::ptr::eq(pool.threads, self.threads)); // a forked child has none
        pool.into_iter().for_each(|pool| pool.calls -= 1);
    }
}

impl Pool {
    fn lend(&mut self) -> Lent {
        self.calls += 1;
        Lent { threads: self.threads }
    }
}

/// The threads of the next call's pool, none where it shares one of `wanted`: so many where there is an idle one of them, or none at
/// all; else half of what is left of those that may be `at_once`, so that those who come later find some.
fn size_of_next(pools: &[Pool], wanted: usize, at_once: usize) -> Option<usize> {
    let mut of_size = pools.iter().filter(|pool| pool.num_threads == wanted).peekable();
    if of_size.peek().is_none() || of_size.any(|pool| pool.calls == 0) {
        return Some(wanted);
    }
    let at_work = || pools.iter().filter(|pool| pool.calls > 0);
    let threads: usize = at_work().map(|pool| pool.num_threads).sum();
    (at_work().count() < MOST_POOLS).then(|| (at_once.saturating_sub(threads) / 2).clamp(1, wanted))
}

/// Of the pools of so many threads that which the fewest calls have.
fn least_used(pools: &mut [Pool], num_threads: usize) -> Option<&mut Pool> {
    pools.iter_mut().filter(|pool| pool.num_threads == num_threads).min_by_key(|pool| pool.calls)
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

    /// Tests that count threads at work come one after another.
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());

    /// The pools of calls that go on at once, by their addresses, with their numbers of threads.
    fn at_once(wanted: &[usize]) -> Vec<(*const ThreadPool, usize)> {
        let lent: Vec<_> = wanted.iter().map(|&num_threads| Lent::new(num_threads).unwrap()).collect();
        lent.iter()
            .map(|lent| (std::ptr::from_ref(lent.threads), lent.threads.current_num_threads()))
            .collect()
    }

    #[test]
    fn calls_that_go_on_at_once_have_pools_of_their_own_which_later_calls_use_again() {
        let _turn = fork::lock(&TURN);
        let first = at_once(&[5, 7, 5]);
        assert!(first[0].1 == 5 && first[1].1 == 7 && (1..=5).contains(&first[2].1), "{first:?}");
        assert!(first[0].0 != first[2].0);
        let mut again = [at_once(&[5]), at_once(&[7]), vec![first[2]]].concat();
        again.sort_unstable();
        let mut sorted = first.clone();
        sorted.sort_unstable();
        assert_eq!(again, sorted);
    }

    #[test]
    fn many_calls_at_once_have_fewer_threads_and_then_share() {
        let _turn = fork::lock(&TURN);
        let calls = at_once(&[1000; 12]);
        assert!(calls[0].1 >= OVERSUBSCRIPTION * MANY && calls[0].1 <= 1000);
        let distinct = |of: &[(*const ThreadPool, usize)]| {
            let mut pools: Vec<_> = of.iter().map(|call| call.0).collect();
            pools.sort_unstable();
            pools.dedup();
            pools.len()
        };
        let number = distinct(&calls);
        assert!(number > 1 && number <= MOST_POOLS);
        assert_eq!(distinct(&calls[..number]), number);
        assert!(calls[1..number].iter().all(|call| call.1 <= calls[0].1));
        assert!(
            calls[number..].iter().all(|call| call.0 == calls[0].0),
            "of as many threads as they asked for"
        );
    }

    #[test]
    fn calls_that_come_later_find_threads() {
        static THREADS: LazyLock<ThreadPool> = LazyLock::new(|| build(1).unwrap());
        let mut pools = Vec::new();
        let sizes = std::iter::from_fn(|| {
            let num_threads = size_of_next(&pools, 128, 512)?;
            pools.push(Pool { generation: 1, num_threads, threads: &THREADS, calls: 1 });
            Some(num_threads)
        });
        assert_eq!(sizes.collect::<Vec<_>>(), [128, 128, 128, 64, 32, 16, 8, 4]);
    }

    #[test]
    fn a_pool_is_given_back_when_the_call_unwinds() {
        let unwound =
            std::panic::catch_unwind(|| with_pool(9, &mut |_| std::panic::resume_unwind(Box::new(()))));
        assert!(unwound.is_err());
        assert!(POOLS.lock().iter().any(|pool| pool.num_threads == 9 && pool.calls == 0));
    }
}
