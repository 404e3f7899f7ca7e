//! The CPU backend runs an operation on a pool of the process, and keeps its time.
#![forbid(unsafe_code)]

use std::cell::Cell;
use std::time::Instant;

use rayon::ThreadPool;

use crate::error::{Error, Result, Status};
use crate::interrupt::{self, Interrupt};

/// Runs a body with a pool of so many threads of this process, which is the call's alone.
type WithPool = fn(usize, &mut dyn FnMut(&ThreadPool)) -> Result<()>;

/// How many threads operations run on, which start at their first use, and the time of the last operation.
#[derive(Clone)]
pub struct Workers {
    num_threads: usize,
    with_pool: WithPool,
    last_ms: Cell<f64>,
}

/// The machine as its users see it.
pub struct Machine {
    pub name: String,
    pub threads: usize,
    pub total_memory: u64,
    pub free_memory: u64,
}

impl Workers {
    /// `num_threads` 0 takes all cores.
    pub fn new(num_threads: usize, with_pool: WithPool) -> Workers {
        Workers { num_threads: counted(num_threads), with_pool, last_ms: Cell::new(0.0) }
    }

    /// Later operations run on so many threads; 0 takes all cores. Their results are the same.
    pub fn set_threads(&mut self, num_threads: usize) {
        self.num_threads = counted(num_threads);
    }

    /// The threads that operations run on.
    pub fn threads(&self) -> usize {
        self.num_threads
    }

    /// Runs `body` on the pool: rayon's parallel iterators in it use our threads. Keeps the time.
    pub fn run<T: Send>(&self, body: impl FnOnce() -> T + Send) -> Result<T> {
        crate::cpu::run(self, false, body)
    }

    /// Runs a body of any type on the pool, or on the caller's thread, and keeps the time; compiled once.
    pub fn run_body(&self, is_alone: bool, body: &mut (dyn FnMut() + Send)) -> Result<()> {
        if is_alone {
            self.run_sequential(body);
            return Ok(());
        }
        let mut outcome = Ok(());
        (self.with_pool)(self.num_threads, &mut |pool| {
            let start = Instant::now();
            interrupt::begin(start);
            outcome = run_in(pool, body);
            self.count(start);
        })?;
        outcome
    }

    /// Calls `next` until it returns false, on the caller's thread at once, and beside it on threads of the pool as soon as they have
    /// woken up, on at most so many threads. Nothing in it may use rayon, and the caller is on no thread of a rayon pool. Keeps the
    /// time.
    pub fn run_beside(&self, at_once: usize, next: &(dyn Fn() -> bool + Sync)) -> Result<()> {
        (self.with_pool)(self.num_threads, &mut |pool| {
            let start = Instant::now();
            interrupt::begin(start);
            let call = Interrupt::current();
            pool.in_place_scope(|scope| {
                for _ in 1..at_once.min(pool.current_num_threads()) {
                    scope.spawn(|_| call.run(|| while next() {}));
                }
                while next() {}
            });
            self.count(start);
        })
    }

    /// Runs `body` on the caller's thread, and keeps the time.
    pub fn run_sequential<T>(&self, body: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        interrupt::begin(start);
        let value = body();
        self.count(start);
        value
    }

    /// An operation may run several bodies.
    fn count(&self, start: Instant) {
        self.last_ms.set(self.last_ms.get() + start.elapsed().as_secs_f64() * 1e3);
    }

    pub fn forget_time(&self) {
        self.last_ms.set(0.0);
    }

    /// How long the last operation ran, in ms; 0 when it had nothing to do.
    pub fn last_ms(&self) -> f64 {
        self.last_ms.get()
    }

    pub fn machine(&self) -> Machine {
        let line = |file: &str, key: &str| {
            let text = std::fs::read_to_string(file).unwrap_or_default();
            let line = text.lines().find(|line| line.starts_with(key));
            line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_string())
        };
        let bytes = |key| {
            let kib = line("/proc/meminfo", key)?;
            kib.split(' ').next()?.parse::<u64>().ok().map(|kib| kib << 10)
        };
        Machine {
            name: line("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_string()),
            threads: self.num_threads,
            total_memory: bytes("MemTotal").unwrap_or(0),
            free_memory: bytes("MemAvailable").unwrap_or(0),
        }
    }
}

/// Runs `body` on a thread of the pool for the call of this thread.
fn run_in(pool: &ThreadPool, body: &mut (dyn FnMut() + Send)) -> Result<()> {
    let call = Interrupt::current();
    let body = || call.run(body);
    if rayon::current_thread_index().is_none() {
        pool.install(body);
        return Ok(());
    }
    // On a thread of the program's own rayon pool, waiting in `install` would steal jobs of that pool, and
    // one of them may want the context that this operation holds: a plain thread waits instead.
    std::thread::scope(|scope| {
        let waiting = std::thread::Builder::new().spawn_scoped(scope, || pool.install(body));
        let waiting =
            waiting.map_err(|error| Error::new(Status::OutOfMemory, format!("no thread: {error}")))?;
        waiting.join().map_or_else(|panic| std::panic::resume_unwind(panic), Ok)
    })
}

/// 0 stands for all cores.
fn counted(num_threads: usize) -> usize {
    match num_threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        _ => num_threads,
    }
}

/// Workers of the tests of this layer.
#[cfg(test)]
pub fn workers() -> Workers {
    fn with_pool(num_threads: usize, body: &mut dyn FnMut(&ThreadPool)) -> Result<()> {
        static POOL: std::sync::OnceLock<ThreadPool> = std::sync::OnceLock::new();
        let build = || rayon::ThreadPoolBuilder::new().num_threads(num_threads).build();
        body(POOL.get_or_init(|| build().expect("a machine that tests has threads")));
        Ok(())
    }
    Workers::new(2, with_pool)
}

/// The same, with a pool of so many threads for each call.
#[cfg(test)]
pub fn workers_of(num_threads: usize) -> Workers {
    Workers::new(num_threads, |num_threads, body| {
        let built = rayon::ThreadPoolBuilder::new().num_threads(num_threads).build();
        body(&built.expect("a machine that tests has threads"));
        Ok(())
    })
}
