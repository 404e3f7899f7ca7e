//! The staging ring: ring.rs. Two copy threads, a device that moves slots whenever it likes, and an error at any of its calls.

use std::cell::UnsafeCell;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{scope, spawn};

use models::error::{Error, Result, Status};
use models::ring::{Dma, Queue, SLOTS, download, upload};

use crate::explore;

const CHUNK: usize = 4;
const BYTES: usize = 6 * CHUNK + 1;

/// A move that the device was asked for.
struct Move {
    ring: usize,
    slot: usize,
    offset: usize,
    bytes: usize,
}

struct Device {
    up: bool,
    slots: [[UnsafeCell<[u8; CHUNK]>; SLOTS]; 2],
    array: UnsafeCell<[u8; BYTES]>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    moves: Vec<Move>,
    is_over: bool,
    calls: usize,
    fails_at: Option<usize>,
}

// SAFETY: the threads of a model run one at a time.
unsafe impl Sync for Device {}
// SAFETY: as above.
unsafe impl Send for Device {}

impl Device {
    fn new(up: bool, fails_at: Option<usize>) -> Arc<Device> {
        Arc::new(Device {
            up,
            slots: [0, 1].map(|_| [0; SLOTS].map(|_| UnsafeCell::new([0; CHUNK]))),
            array: UnsafeCell::new(if up { [0; BYTES] } else { content() }),
            state: Mutex::new(State { fails_at, ..State::default() }),
            changed: Condvar::new(),
        })
    }

    /// Carries moves out, in their order, until the transfer is over and none is left.
    fn run(&self) {
        let mut state = self.state.lock().unwrap();
        loop {
            while state.moves.is_empty() && !state.is_over {
                state = self.changed.wait(state).unwrap();
            }
            let Some(Move { ring, slot, offset, bytes }) = state.moves.first() else { return };
            // SAFETY: the threads of a model run one at a time.
            let (slot, array) = unsafe { (&mut *self.slots[*ring][*slot].get(), &mut *self.array.get()) };
            let (here, there) = (&mut slot[..*bytes], &mut array[*offset..][..*bytes]);
            if self.up {
                there.copy_from_slice(here)
            } else {
                here.copy_from_slice(there)
            }
            state.moves.remove(0);
            self.changed.notify_all();
            drop(state);
            state = self.state.lock().unwrap();
        }
    }

    fn call(&self) -> Result<()> {
        let mut state = self.state.lock().unwrap();
        let call = state.calls;
        state.calls += 1;
        if state.fails_at == Some(call) { Err(Error::new(Status::Cuda, "it fails")) } else { Ok(()) }
    }

    fn finish(&self) {
        self.state.lock().unwrap().is_over = true;
        self.changed.notify_all();
    }
}

struct Ring<'l> {
    device: &'l Device,
    number: usize,
}

impl Dma for Ring<'_> {
    fn memory(&self, slot: usize) -> *mut u8 {
        self.device.slots[self.number][slot].get().cast()
    }

    fn start(&self, slot: usize, offset: usize, bytes: usize) -> Result<()> {
        self.device.call()?;
        self.device.state.lock().unwrap().moves.push(Move { ring: self.number, slot, offset, bytes });
        self.device.changed.notify_all();
        Ok(())
    }

    fn wait(&self, slot: usize) -> Result<()> {
        self.device.call()?;
        let mut state = self.device.state.lock().unwrap();
        while state.moves.iter().any(|one| (one.ring, one.slot) == (self.number, slot)) {
            state = self.device.changed.wait(state).unwrap();
        }
        Ok(())
    }
}

fn content() -> [u8; BYTES] {
    std::array::from_fn(|i| i as u8 + 1)
}

/// A transfer on two copy threads; what the target holds when it was a success.
fn transfer(up: bool, fails_at: Option<usize>) {
    let device = Device::new(up, fails_at);
    let engine = {
        let device = device.clone();
        spawn(move || device.run())
    };
    let mut host = if up { content() } else { [0; BYTES] };
    let outcome = if up {
        let queue = Queue::new(host.chunks(CHUNK).enumerate().map(|(i, chunk)| (i * CHUNK, chunk)));
        on_both(&device, |ring| upload(&queue, ring));
        queue.outcome()
    } else {
        let queue = Queue::new(host.chunks_mut(CHUNK).enumerate().map(|(i, chunk)| (i * CHUNK, chunk)));
        on_both(&device, |ring| download(&queue, ring));
        queue.outcome()
    };
    device.finish();
    engine.join().unwrap();
    // SAFETY: the threads of a model run one at a time, and its others have ended.
    let array = unsafe { *device.array.get() };
    assert!(outcome.is_err() == fails_at.is_some(), "{outcome:?}");
    assert!(outcome.is_err() || (array, host) == (content(), content()), "{array:?} {host:?}");
}

fn on_both(device: &Device, work: impl Fn(&Ring) + Sync) {
    scope(|scope| {
        for number in 0..2 {
            let work = &work;
            scope.spawn(move || work(&Ring { device, number }));
        }
    });
}

#[test]
fn every_byte_comes_up() {
    explore(|| transfer(true, None));
}

#[test]
fn every_byte_comes_down() {
    explore(|| transfer(false, None));
}

#[test]
fn an_error_ends_the_transfer() {
    explore(|| transfer(true, Some(0)));
    explore(|| transfer(true, Some(5)));
    explore(|| transfer(false, Some(3)));
}
