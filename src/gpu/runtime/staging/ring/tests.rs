//! The ring against a device of host memory, whose moves end early or late, fail or panic where a test wants it.

use std::array::from_fn;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::Relaxed};
use std::thread::{sleep, yield_now};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::*;

const CHUNK: usize = 96;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Direction {
    HostToDevice,
    DeviceToHost,
}

/// What a test lets go wrong, at the n-th start or wait of all threads together.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    Fail(usize),
    Panic(usize),
}

/// The device's array, and how often each of its bytes was moved.
struct Device {
    direction: Direction,
    fault: Fault,
    bytes: Vec<AtomicU8>,
    moved: Vec<AtomicUsize>,
    calls: AtomicUsize,
    starts_after_fault: AtomicUsize,
    is_broken: AtomicBool,
}

impl Device {
    fn new(direction: Direction, fault: Fault, contents: &[u8]) -> Device {
        Device {
            direction,
            fault,
            bytes: contents.iter().copied().map(AtomicU8::new).collect(),
            moved: contents.iter().map(|_| AtomicUsize::new(0)).collect(),
            calls: AtomicUsize::new(0),
            starts_after_fault: AtomicUsize::new(0),
            is_broken: AtomicBool::new(false),
        }
    }

    fn call(&self) -> Result<()> {
        let call = self.calls.fetch_add(1, Relaxed);
        match self.fault {
            Fault::Fail(at) | Fault::Panic(at) if at != call => Ok(()),
            Fault::None => Ok(()),
            Fault::Fail(_) => {
                self.is_broken.store(true, Relaxed);
                Err(Error::new(Status::Cuda, format!("call {call} fails")))
            }
            Fault::Panic(_) => {
                self.is_broken.store(true, Relaxed);
                panic!("call {call} panics")
            }
        }
    }
}

/// The slots of one thread. A move that is in flight keeps what the slot held when it began.
struct Slots<'d> {
    device: &'d Device,
    memory: [Vec<AtomicU8>; SLOTS],
    flying: [Mutex<Option<Move>>; SLOTS],
    random: Mutex<Pcg64>,
}

struct Move {
    offset: usize,
    bytes: usize,
    held: Vec<u8>,
    is_done: bool,
}

impl<'d> Slots<'d> {
    fn new(device: &'d Device, seed: u64) -> Slots<'d> {
        Slots {
            device,
            memory: from_fn(|_| (0..CHUNK).map(|_| AtomicU8::new(0)).collect()),
            flying: from_fn(|_| Mutex::new(None)),
            random: Mutex::new(Pcg64::seed_from_u64(seed)),
        }
    }

    fn chance(&self, one_in: u32) -> bool {
        lock(&self.random).random_range(0..one_in) == 0
    }

    fn delay(&self) {
        if self.chance(16) {
            sleep(Duration::from_micros(50));
        } else if self.chance(2) {
            yield_now();
        }
    }

    fn held(&self, slot: usize, bytes: usize) -> Vec<u8> {
        self.memory[slot][..bytes].iter().map(|byte| byte.load(Relaxed)).collect()
    }

    fn carry_out(&self, slot: usize, step: &mut Move) {
        if !std::mem::replace(&mut step.is_done, true) {
            let there = &self.device.bytes[step.offset..][..step.bytes];
            let here = &self.memory[slot][..step.bytes];
            let (from, to) =
                if self.device.direction == Direction::HostToDevice { (here, there) } else { (there, here) };
            to.iter().zip(from).for_each(|(to, from)| to.store(from.load(Relaxed), Relaxed));
            self.device.moved[step.offset..][..step.bytes].iter().for_each(|count| {
                count.fetch_add(1, Relaxed);
            });
            step.held = self.held(slot, step.bytes);
        }
    }

    fn land(&self, slot: usize) {
        if let Some(mut step) = lock(&self.flying[slot]).take() {
            assert!(self.held(slot, step.bytes) == step.held, "slot {slot} was written to in flight");
            self.carry_out(slot, &mut step);
        }
    }
}

impl Dma for Slots<'_> {
    fn memory(&self, slot: usize) -> *mut u8 {
        self.memory[slot].as_ptr() as *mut u8
    }

    fn start(&self, slot: usize, offset: usize, bytes: usize) -> Result<()> {
        self.delay();
        assert!(bytes > 0 && bytes <= CHUNK, "{bytes} bytes in a slot of {CHUNK}");
        if self.device.is_broken.load(Relaxed) {
            self.device.starts_after_fault.fetch_add(1, Relaxed);
        }
        self.device.call()?;
        if self.device.direction == Direction::DeviceToHost {
            self.memory[slot].iter().for_each(|byte| byte.store(0xee, Relaxed)); // not there yet
        }
        let mut step = Move { offset, bytes, held: self.held(slot, bytes), is_done: false };
        if self.chance(2) {
            self.carry_out(slot, &mut step);
        }
        let before = lock(&self.flying[slot]).replace(step);
        assert!(before.is_none(), "slot {slot} is started in flight");
        Ok(())
    }

    fn wait(&self, slot: usize) -> Result<()> {
        self.delay();
        self.device.call()?;
        self.land(slot);
        Ok(())
    }
}

/// One transfer on `threads` threads. What is in flight when they are done lands then.
fn transfer(device: &Device, host: &mut [u8], threads: u64, seed: u64) -> Result<()> {
    let threads: Vec<Slots> = (0..threads).map(|i| Slots::new(device, seed * threads + i)).collect();
    let outcome = match device.direction {
        Direction::HostToDevice => {
            let queue = Queue::new(host.chunks(CHUNK).enumerate().map(|(i, chunk)| (i * CHUNK, chunk)));
            on_all(&threads, |slots| upload(&queue, slots));
            queue.outcome()
        }
        Direction::DeviceToHost => {
            let queue = Queue::new(host.chunks_mut(CHUNK).enumerate().map(|(i, chunk)| (i * CHUNK, chunk)));
            on_all(&threads, |slots| download(&queue, slots));
            queue.outcome()
        }
    };
    threads.iter().for_each(|slots| (0..SLOTS).for_each(|slot| slots.land(slot)));
    outcome
}

fn on_all<'d>(threads: &[Slots<'d>], work: impl Fn(&Slots<'d>) + Sync) {
    std::thread::scope(|scope| {
        for slots in threads {
            scope.spawn(|| work(slots));
        }
    });
}

fn random_bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut random = Pcg64::seed_from_u64(seed);
    (0..len).map(|_| random.random()).collect()
}

/// A transfer of `len` bytes; what arrived is compared when it went well.
fn check(direction: Direction, len: usize, threads: u64, fault: Fault, seed: u64) -> Result<()> {
    let (there, mut here) = (random_bytes(len, seed), random_bytes(len, !seed));
    let sent = if direction == Direction::HostToDevice { here.clone() } else { there.clone() };
    let device = Device::new(direction, fault, &there);
    let outcome = transfer(&device, &mut here, threads, seed);
    if outcome.is_ok() {
        let arrived: Vec<u8> = device.bytes.iter().map(|byte| byte.load(Relaxed)).collect();
        assert!(here == sent && arrived == sent, "{direction:?}, {len} bytes, seed {seed}");
        let once = device.moved.iter().all(|count| count.load(Relaxed) == 1);
        assert!(once, "{direction:?}, {len} bytes, seed {seed}: not every byte was moved once");
    }
    if threads == 1 {
        assert_eq!(
            device.starts_after_fault.load(Relaxed),
            0,
            "{direction:?}, seed {seed}: went on after {fault:?}"
        );
    }
    outcome
}

#[test]
fn every_byte_arrives_once_at_any_length() {
    let around = |n: usize| [n * CHUNK - 1, n * CHUNK, n * CHUNK + 1];
    let lengths = [0, 1].into_iter().chain([1, 2, 3, 4, 11, 12, 13, 200].into_iter().flat_map(around));
    for (seed, len) in (0..).zip(lengths) {
        for (direction, threads) in [
            (Direction::HostToDevice, 1),
            (Direction::DeviceToHost, 1),
            (Direction::HostToDevice, 4),
            (Direction::DeviceToHost, 4),
        ] {
            check(direction, len, threads, Fault::None, seed).unwrap();
        }
    }
}

#[test]
fn an_error_ends_the_transfer_and_is_the_answer() {
    for at in 0..120 {
        for (direction, threads) in [
            (Direction::HostToDevice, 1),
            (Direction::DeviceToHost, 1),
            (Direction::HostToDevice, 4),
            (Direction::DeviceToHost, 4),
        ] {
            let error = check(direction, 100 * CHUNK + 7, threads, Fault::Fail(at), at as u64).unwrap_err();
            assert_eq!(error.message(), format!("call {at} fails"), "{direction:?}");
        }
    }
}

#[test]
fn a_panic_ends_the_transfer_and_the_next_one_works() {
    for at in (0..120).step_by(7) {
        for (direction, threads) in [
            (Direction::HostToDevice, 1),
            (Direction::DeviceToHost, 1),
            (Direction::HostToDevice, 4),
            (Direction::DeviceToHost, 4),
        ] {
            let error = check(direction, 100 * CHUNK + 7, threads, Fault::Panic(at), at as u64).unwrap_err();
            assert_eq!(error.status(), Status::Internal, "{direction:?}");
            assert!(error.message().contains(&format!("call {at} panics")), "{direction:?}: {error}");
            check(direction, 5 * CHUNK, threads, Fault::None, at as u64).unwrap();
        }
    }
}

#[test]
fn the_first_error_stays() {
    let queue = Queue::new(std::iter::repeat_n(0, 3));
    assert_eq!(queue.next(), Some(0));
    queue.fail(Error::new(Status::Cuda, "first"));
    queue.fail(Error::new(Status::Cuda, "second"));
    assert_eq!(queue.next(), None);
    assert_eq!(queue.outcome().unwrap_err().message(), "first");
}
