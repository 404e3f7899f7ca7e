//! The allocator and the registry of all blocks: heap.rs, registry.rs, cache.rs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread::{spawn, yield_now};

use models::error::{Error, Result, Status};
use models::memory::heap::{Block, return_later};
use models::memory::{self, Heap, MemoryKind, Place, Source};

use crate::explore;

const KIND: MemoryKind = MemoryKind::Device;
const BLOCK: usize = 512;

/// Addresses that are given again at once, the lowest first; never touched.
struct Addresses {
    first: usize,
    limit: usize, // blocks at once
    given: Mutex<BTreeMap<usize, usize>>,
    gives: Mutex<usize>,
}

impl Addresses {
    fn new(first: usize, limit: usize) -> Arc<Addresses> {
        Arc::new(Addresses { first, limit, given: Mutex::new(BTreeMap::new()), gives: Mutex::new(0) })
    }

    fn given(&self) -> usize {
        self.given.lock().unwrap().len()
    }
}

impl Source for Addresses {
    fn allocate(&self, _: MemoryKind, bytes: usize) -> Result<usize> {
        let mut given = self.given.lock().unwrap();
        if given.len() == self.limit {
            return Err(Error::new(Status::OutOfMemory, "no more"));
        }
        let address = (self.first..).step_by(1 << 20).find(|at| !given.contains_key(at)).unwrap();
        given.insert(address, bytes);
        *self.gives.lock().unwrap() += 1;
        Ok(address)
    }

    fn release(&self, _: MemoryKind, address: usize, bytes: usize) {
        let taken = self.given.lock().unwrap().remove(&address);
        assert_eq!(taken, Some(bytes), "{address:#x} is released, and was not given");
    }

    fn place(&self, _: MemoryKind) -> Place {
        Place::Host
    }

    fn device(&self) -> i32 {
        0
    }

    fn stream(&self) -> usize {
        self.first
    }

    fn follow(&self, _: &dyn Source) -> Result<()> {
        Ok(())
    }
}

const FIRST: usize = 1 << 30;
const SECOND: usize = 1 << 40;

/// A block that this thread holds alone: the registry knows it as long as that.
fn use_block(address: usize, bytes: usize) {
    for _ in 0..2 {
        assert_eq!(memory::find(address).and_then(|found| found.bytes), Some(bytes), "{address:#x}");
        yield_now();
    }
}

fn is_empty(heap: &Arc<Heap>) {
    let stats = heap.stats();
    assert_eq!((stats.allocated, stats.allocated_blocks), (0, 0));
}

/// Two threads take blocks of a heap whose cache holds one, so that blocks are evicted, and free each other's.
#[test]
fn blocks_of_one_heap_are_given_once() {
    explore(|| {
        let source = Addresses::new(FIRST, 8);
        let heap = Heap::new(source.clone(), BLOCK as u64);
        let passed = Arc::new(Mutex::new(Vec::new()));
        let threads = [0, 1].map(|_| {
            let (heap, passed) = (heap.clone(), passed.clone());
            spawn(move || {
                for _ in 0..2 {
                    let address = heap.allocate(KIND, BLOCK).unwrap();
                    use_block(address, BLOCK);
                    let other = {
                        let mut passed = passed.lock().unwrap();
                        passed.push(address);
                        passed.remove(0)
                    };
                    memory::free(other).unwrap();
                }
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        is_empty(&heap);
        heap.close();
        assert_eq!(source.given(), 0);
    });
}

/// One block, two threads that free it: one of them does.
#[test]
fn a_block_is_freed_once() {
    explore(|| {
        let source = Addresses::new(FIRST, 8);
        let heap = Heap::new(source.clone(), 1 << 20);
        let address = heap.allocate(KIND, BLOCK).unwrap();
        let both = [0, 1].map(|_| spawn(move || memory::free(address).is_ok()));
        let freed = both.map(|thread| thread.join().unwrap());
        assert!(freed[0] != freed[1], "{freed:?}");
        is_empty(&heap);
        heap.close();
        assert_eq!(source.given(), 0);
    });
}

/// A heap ends while another thread frees its memory and a third one, out of memory, takes what is idle in it.
#[test]
fn a_heap_ends_beside_its_memory() {
    explore(|| {
        let (source, other) = (Addresses::new(FIRST, 8), Addresses::new(SECOND, 1));
        let (heap, short) = (Heap::new(source.clone(), 1 << 20), Heap::new(other.clone(), 1 << 20));
        let held = heap.allocate(KIND, BLOCK).unwrap();
        let idle = heap.take(KIND, 4 * BLOCK).unwrap();
        heap.give_back(KIND, idle.address, idle.size);
        let frees = spawn(move || memory::free(held).unwrap());
        let wants = {
            let short = short.clone();
            spawn(move || {
                let address = short.allocate(KIND, BLOCK).unwrap();
                assert!(short.allocate(KIND, BLOCK).is_err(), "there is one block");
                memory::free(address).unwrap();
            })
        };
        heap.close();
        assert!(source.given() <= 1, "idle memory of a context that has ended");
        drop(heap);
        frees.join().unwrap();
        wants.join().unwrap();
        assert_eq!(source.given(), 0);
        short.close();
        assert_eq!(other.given(), 0);
    });
}

/// What idles in one heap serves another one that shares the memory, and no block is lost in between.
#[test]
fn what_is_late_comes_back() {
    explore(|| {
        let source = Addresses::new(FIRST, 8);
        let heap = Heap::new(source.clone(), 1 << 20);
        let Block { address, size } = heap.take(KIND, BLOCK).unwrap();
        let later = {
            let heap = heap.clone();
            spawn(move || return_later(heap, KIND, Block { address, size }))
        };
        let trims = {
            let heap = heap.clone();
            spawn(move || heap.trim())
        };
        let takes = {
            let heap = heap.clone();
            spawn(move || {
                let block = heap.take(KIND, BLOCK).unwrap();
                heap.give_back(KIND, block.address, block.size);
            })
        };
        for thread in [later, trims, takes] {
            thread.join().unwrap();
        }
        heap.trim(); // takes back what is late
        is_empty(&heap);
        heap.close();
        assert_eq!(source.given(), 0);
    });
}
