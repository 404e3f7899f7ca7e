//! Ranks as threads of this process, each with a context of its own.

use std::ptr::null_mut;

use gpumex::comm::Comm;
use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::platform::settings::Backend;

use crate::common::*;

/// Numbers of ranks, one and odd ones among them.
pub const RANKS: [usize; 5] = [1, 2, 3, 4, 7];

/// How long a rank waits in a test that is meant to succeed: less than for ever, so that a failure shows.
pub const PATIENCE_MS: i32 = 30_000;

/// What a thread has of its rank.
pub struct Rank<'g> {
    pub rank: usize,
    pub comm: *mut Comm,
    pub ctx: &'g Context,
}

impl Rank<'_> {
    /// A kind of memory, another one for each rank.
    pub fn kind(&self) -> Kind {
        EVERYWHERE[self.rank % EVERYWHERE.len()]
    }
}

/// Options, whose pointers are shared with the threads of a test.
pub struct Shared<T>(T);

// SAFETY: nobody writes to what the options of these tests point to.
unsafe impl<T> Sync for Shared<T> {}

impl<T: Copy> Shared<T> {
    pub fn new(value: T) -> Shared<T> {
        Shared(value)
    }

    pub fn get(&self) -> T {
        self.0
    }
}

// SAFETY: a thread uses its own rank; handles are tokens.
unsafe impl Sync for Group {}

/// A group of ranks, which ends with the test.
pub struct Group {
    pub contexts: Vec<Context>,
    pub comms: Vec<usize>,
}

impl Group {
    pub fn new(backend: Backend, ranks: usize) -> Group {
        Group::with_timeout(backend, ranks, PATIENCE_MS)
    }

    pub fn with_timeout(backend: Backend, ranks: usize, timeout_ms: i32) -> Group {
        Group::with(backend, ranks, CommOptions { timeout_ms, ..Default::default() })
    }

    pub fn with(backend: Backend, ranks: usize, options: CommOptions) -> Group {
        let contexts: Vec<Context> = (0..ranks).map(|rank| open(backend, rank)).collect();
        let handles: Vec<Handle> = contexts.iter().map(|ctx| ctx.handle).collect();
        let mut comms = vec![null_mut::<Comm>(); ranks];
        // SAFETY: as many contexts as places.
        let made = unsafe { gpumex_comm_create_local(handles.as_ptr(), ranks, &options, comms.as_mut_ptr()) };
        ok(made, format!("{ranks} ranks"));
        Group { contexts, comms: comms.into_iter().map(|comm| comm.addr()).collect() }
    }

    pub fn context(&self, rank: usize) -> Handle {
        self.contexts[rank].handle
    }

    pub fn comm(&self, rank: usize) -> *mut Comm {
        std::ptr::without_provenance_mut(self.comms[rank])
    }

    /// What `body` gives on each rank, each on a thread.
    pub fn run<T: Send>(&self, body: impl Fn(&Rank) -> T + Sync) -> Vec<T> {
        let body = &body;
        let on = move |rank| body(&Rank { rank, comm: self.comm(rank), ctx: &self.contexts[rank] });
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.comms.len()).map(|rank| scope.spawn(move || on(rank))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for rank in 0..self.comms.len() {
            let status = gpumex_comm_destroy(self.comm(rank));
            if !std::thread::panicking() {
                assert_eq!(status, Status::Ok as i32, "{}", last_error());
            }
        }
    }
}

/// The context of a rank: on a machine with several devices each has another one, as far as they go.
fn open(backend: Backend, rank: usize) -> Context {
    let mut devices = 0;
    // SAFETY: one place.
    let counted = unsafe { gpumex_device_count(&mut devices) };
    let device = match backend {
        Backend::Cuda if counted == 0 && devices > 1 => rank as i32 % devices,
        _ => -1,
    };
    let handle = gpumex_context_create(backend as i32, device);
    assert!(!handle.is_null(), "rank {rank}: {}", last_error());
    Context { handle, backend }
}

/// Runs `body` with a group of each number of ranks on every backend.
pub fn for_every_group(body: impl Fn(&Group)) {
    for backend in backends() {
        RANKS.iter().for_each(|&ranks| body(&Group::new(backend.backend, ranks)));
    }
}

/// Uneven parts of `len` elements, empty ones among them: where each begins, and behind them the end.
pub fn cuts(seed: u64, len: usize, ranks: usize) -> Vec<usize> {
    let mut random = random(seed);
    let mut cuts: Vec<usize> = (1..ranks).map(|_| random.random_range(0..len + 1)).collect();
    if ranks > 2 && seed % 2 == 1 {
        cuts[0] = if seed % 4 == 1 { 0 } else { len };
        cuts[1] = cuts[0];
    }
    cuts.extend([0, len]);
    cuts.sort_unstable();
    cuts
}
