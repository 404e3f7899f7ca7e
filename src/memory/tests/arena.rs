//! A block source for tests: memory of this machine up to a limit, with every block on record, that fails when it
//! is told to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::error::{Error, Result, Status};
use crate::memory::Place;
use crate::memory::host::HostSource;
use crate::memory::{ALIGNMENT, MemoryKind, Source};
use crate::platform::fork::lock;

/// What streams share, as contexts share a device.
pub struct Arena {
    limit: usize,
    state: Mutex<State>,
}

struct State {
    out: BTreeMap<usize, Out>,
    bytes: usize,
    faults: Vec<Status>, // what the next allocations fail with
    one_in: u32,         // of the others fails by chance; 0: none
    random: Pcg64,
}

/// A block that the source has given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Out {
    pub size: usize,
    pub kind: MemoryKind,
    pub stream: usize,
}

/// A source over an arena.
pub struct Stream {
    arena: Arc<Arena>,
    number: usize,
    record: Mutex<Record>,
}

/// What a source was asked for.
#[derive(Clone, Default)]
pub struct Record {
    pub given: u64,
    pub refused: u64,
    pub taken_back: u64,
    pub trims: u64,
    pub followed: Vec<usize>,
}

/// Running out of memory empties every heap of the process: the tests of this room take turns.
pub fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    lock(&TURN)
}

impl Arena {
    /// Memory up to `limit` bytes.
    pub fn of(limit: usize) -> Arc<Arena> {
        let random = Pcg64::seed_from_u64(7);
        let state = State { out: BTreeMap::new(), bytes: 0, faults: Vec::new(), one_in: 0, random };
        Arc::new(Arena { limit, state: Mutex::new(state) })
    }

    /// A source with the stream of this number.
    pub fn stream(self: &Arc<Arena>, number: usize) -> Arc<Stream> {
        Arc::new(Stream { arena: self.clone(), number, record: Mutex::default() })
    }

    /// The next allocations fail, the last of these first.
    pub fn fail_with(&self, faults: &[Status]) {
        lock(&self.state).faults = faults.to_vec();
    }

    /// One of `one_in` allocations fails by chance, for want of memory.
    pub fn fail_by_chance(&self, one_in: u32) {
        lock(&self.state).one_in = one_in;
    }

    /// The blocks that are out, by address.
    pub fn out(&self) -> BTreeMap<usize, Out> {
        lock(&self.state).out.clone()
    }
}

impl State {
    fn refusal(&mut self, bytes: usize, limit: usize) -> Option<Error> {
        if let Some(status) = self.faults.pop() {
            return Some(Error::new(status, format!("the test said so: {bytes} bytes wanted")));
        }
        let is_unlucky = self.one_in > 0 && self.random.random_range(0..self.one_in) == 0;
        (is_unlucky || bytes > limit - self.bytes).then(|| Error::out_of_memory("test memory", bytes))
    }

    fn give(&mut self, address: usize, block: Out) {
        let before = self.out.range(..address).next_back();
        let behind = self.out.range(address..).next();
        assert!(
            before.is_none_or(|(start, before)| start + before.size <= address),
            "{address:#x}, {before:?}"
        );
        assert!(behind.is_none_or(|(start, _)| address + block.size <= *start), "{address:#x}, {behind:?}");
        self.bytes += block.size;
        self.out.insert(address, block);
    }
}

impl Stream {
    pub fn record(&self) -> Record {
        lock(&self.record).clone()
    }
}

impl Source for Stream {
    fn allocate(&self, kind: MemoryKind, bytes: usize) -> Result<usize> {
        assert!(bytes > 0 && bytes.is_multiple_of(ALIGNMENT), "{bytes} bytes are no block");
        let mut state = lock(&self.arena.state);
        if let Some(error) = state.refusal(bytes, self.arena.limit) {
            lock(&self.record).refused += 1;
            return Err(error);
        }
        let address = HostSource.allocate(kind, bytes)?;
        state.give(address, Out { size: bytes, kind, stream: self.number });
        lock(&self.record).given += 1;
        Ok(address)
    }

    fn release(&self, kind: MemoryKind, address: usize, bytes: usize) {
        let mut state = lock(&self.arena.state);
        let want = Out { size: bytes, kind, stream: self.number };
        assert_eq!(state.out.remove(&address), Some(want), "{address:#x} comes back as it was given");
        state.bytes -= bytes;
        lock(&self.record).taken_back += 1;
        HostSource.release(kind, address, bytes);
    }

    fn trim(&self) {
        lock(&self.record).trims += 1;
    }

    fn place(&self, _: MemoryKind) -> Place {
        Place::Host
    }

    fn device(&self) -> i32 {
        -1
    }

    fn stream(&self) -> usize {
        self.number
    }

    fn follow(&self, other: &dyn Source) -> Result<()> {
        lock(&self.record).followed.push(other.stream());
        Ok(())
    }
}
