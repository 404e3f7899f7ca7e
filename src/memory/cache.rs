//! Idle blocks by size class, and which of them goes first.
//!
//! Sizes      Classes are multiples of 512 bytes up to 4 KiB, then eight a doubling: a block is at most an eighth larger than
//!            what was asked for.
//! Eviction   Weighted least-recently-used, as in ModernGPU: the idle block with the smallest `time of release − class / 2`
//!            goes first, so that large blocks age faster. Within a class the youngest is reused and the oldest evicted.
//! Cost       Reuse and release take a few instructions; an eviction looks at the oldest block of each class.
//! Source     S. Baxter, "Modern GPU", 2013, mgpualloc.h (the idea; the classes and the bookkeeping differ).

use std::collections::VecDeque;

use super::MemoryKind;

const UNIT: usize = 512;
const STEPS: usize = 8; // classes a doubling

/// The class of a size (not 0).
pub fn class_of(bytes: usize) -> usize {
    let last = (bytes - 1) / UNIT; // units, less one
    if last < STEPS {
        return last;
    }
    let shift = last.ilog2() as usize - STEPS.ilog2() as usize;
    shift * STEPS + (last >> shift)
}

/// The size of the blocks of a class; None beyond the address space.
pub fn size_of_class(class: usize) -> Option<usize> {
    let shift = (class / STEPS).saturating_sub(1);
    let steps = class - shift * STEPS + 1;
    (steps * UNIT).checked_mul(1usize.checked_shl(shift as u32)?)
}

/// An idle block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Idle {
    pub kind: MemoryKind,
    pub address: usize,
    pub size: usize,
}

/// The idle blocks of one heap.
#[derive(Default)]
pub struct Cache {
    classes: [Vec<VecDeque<Aged>>; 3], // by kind and class, oldest first
    releases: i64,
}

#[derive(Clone, Copy)]
struct Aged {
    address: usize,
    released: i64,
}

impl Cache {
    /// The address of an idle block of this class, the youngest.
    pub fn take(&mut self, kind: MemoryKind, class: usize) -> Option<usize> {
        self.classes[kind as usize].get_mut(class)?.pop_back().map(|block| block.address)
    }

    /// Keeps a block of this class.
    pub fn put(&mut self, kind: MemoryKind, class: usize, address: usize) {
        let classes = &mut self.classes[kind as usize];
        if classes.len() <= class {
            classes.resize_with(class + 1, VecDeque::new);
        }
        self.releases += 1;
        classes[class].push_back(Aged { address, released: self.releases });
    }

    /// Takes out the block that goes first.
    pub fn evict(&mut self) -> Option<Idle> {
        let oldest = MemoryKind::EVERY.into_iter().flat_map(|kind| {
            let classes = self.classes[kind as usize].iter().enumerate();
            classes.filter_map(move |(class, blocks)| {
                blocks.front().map(|block| (block.released - class as i64 / 2, kind, class))
            })
        });
        let (_, kind, class) = oldest.min_by_key(|(priority, _, _)| *priority)?;
        let block = self.classes[kind as usize][class].pop_front()?;
        let size = size_of_class(class).expect("a block of this class exists");
        Some(Idle { kind, address: block.address, size })
    }

    /// Takes out all blocks of the sizes that `goes` says, the oldest of a class first.
    pub fn take_all(&mut self, goes: impl Fn(usize) -> bool) -> Vec<Idle> {
        let mut taken = Vec::new();
        for kind in MemoryKind::EVERY {
            for (class, blocks) in self.classes[kind as usize].iter_mut().enumerate() {
                let Some(size) = size_of_class(class).filter(|&size| goes(size)) else { continue };
                taken.extend(blocks.drain(..).map(|block| Idle { kind, address: block.address, size }));
            }
        }
        taken
    }
}

impl MemoryKind {
    pub(super) const EVERY: [MemoryKind; 3] = [MemoryKind::Device, MemoryKind::Pinned, MemoryKind::Managed];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_at_most_an_eighth_larger_than_what_was_asked_for() {
        let sizes = (1..100_000).chain((17..46).flat_map(|bit| {
            let power = 1usize << bit;
            [power - 1, power, power + 1, power + power / 3]
        }));
        for bytes in sizes {
            let class = class_of(bytes);
            let size = size_of_class(class).expect("far from the end of the address space");
            assert!(size >= bytes && size - bytes < UNIT.max(bytes / 8 + 1), "{bytes} bytes got {size}");
            assert_eq!(class_of(size), class, "{size} bytes are a whole block");
            let smaller = class.checked_sub(1).and_then(size_of_class);
            assert!(smaller.is_none_or(|smaller| smaller < bytes), "{bytes} bytes fit a smaller class");
        }
    }

    #[test]
    fn the_youngest_is_reused_and_the_oldest_evicted() {
        let mut cache = Cache::default();
        for address in [1, 2, 3] {
            cache.put(MemoryKind::Device, 4, address);
        }
        assert_eq!(cache.take(MemoryKind::Device, 4), Some(3));
        assert_eq!(cache.evict().map(|block| block.address), Some(1));
        assert_eq!((cache.take(MemoryKind::Pinned, 4), cache.take(MemoryKind::Device, 5)), (None, None));
        assert_eq!(cache.take(MemoryKind::Device, 4), Some(2));
        assert_eq!(cache.evict(), None);
    }

    #[test]
    fn large_blocks_age_faster() {
        let mut cache = Cache::default();
        cache.put(MemoryKind::Device, 2, 1);
        cache.put(MemoryKind::Device, 200, 2);
        assert_eq!(cache.evict().map(|block| block.address), Some(2));
        for _ in 0..200 {
            cache.put(MemoryKind::Device, 3, 3);
        }
        cache.put(MemoryKind::Device, 200, 4);
        assert_eq!(
            cache.evict().map(|block| block.address),
            Some(1),
            "but not faster than two hundred others"
        );
    }
}
