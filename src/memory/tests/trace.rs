//! A million random steps over four threads and several heaps that share one arena: takes, frees by other threads,
//! uses on other streams, trims, capacities, closed heaps and failures. Nothing is lost, no two live blocks
//! overlap, registry and statistics are right.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::arena::{Arena, Out, turn};
use super::site::{LIMIT, Live, Site};
use crate::error::Status;
use crate::memory::{self, Source};
use crate::platform::fork::lock;

const STEPS: usize = 1_000_000;
const THREADS: usize = 4;
const ROUNDS: usize = 20; // the registry is compared at the end of each
const HEAPS: usize = 4;
const SHELVES: usize = 16; // of live blocks that any thread may free
const SHELF: usize = 32;

struct World {
    arena: Arc<Arena>,
    sites: Vec<Mutex<Arc<Site>>>,
    shelves: Vec<Mutex<Vec<Live>>>,
    ranges: Mutex<BTreeMap<usize, usize>>, // of all live blocks: start and end
}

impl World {
    fn new() -> World {
        let arena = Arena::of(LIMIT);
        arena.fail_by_chance(16);
        let sites = (0..HEAPS).map(|number| Mutex::new(Site::open(&arena, number))).collect();
        let shelves = (0..SHELVES).map(|_| Mutex::default()).collect();
        World { arena, sites, shelves, ranges: Mutex::default() }
    }

    fn site(&self, random: &mut Pcg64) -> Arc<Site> {
        lock(&self.sites[random.random_range(0..HEAPS)]).clone()
    }

    fn step(&self, random: &mut Pcg64) {
        match random.random_range(0..10_000) {
            0..5 => self.site(random).heap.trim(),
            5..15 => self.site(random).change_capacity(random),
            15..115 => self.use_elsewhere(random),
            115..215 => self.free_wrongly(random),
            215..315 => self.site(random).is_within_capacity(),
            _ => self.take_or_free(random),
        }
    }

    /// A shelf fills and empties at random.
    fn take_or_free(&self, random: &mut Pcg64) {
        let shelf = &self.shelves[random.random_range(0..SHELVES)];
        let is_full = lock(shelf).len() >= SHELF;
        if is_full || random.random() {
            let mut shelf = lock(shelf);
            let any = random.random_range(0..shelf.len().max(1));
            let live = (any < shelf.len()).then(|| shelf.swap_remove(any));
            drop(shelf);
            live.into_iter().for_each(|live| self.free(live));
        } else if let Some(live) = self.site(random).ask(random) {
            self.enter(&live);
            live.mark();
            lock(shelf).push(live);
        }
    }

    fn enter(&self, live: &Live) {
        let mut ranges = lock(&self.ranges);
        let (start, end) = (live.address, live.address + live.bytes);
        let before = ranges.range(..start).next_back().is_none_or(|(_, end)| *end <= start);
        let behind = ranges.range(start..).next().is_none_or(|(start, _)| end <= *start);
        assert!(before && behind, "{start:#x} to {end:#x} overlaps a live block");
        ranges.insert(start, end);
    }

    fn free(&self, live: Live) {
        assert!(live.is_as_marked(), "somebody wrote into {:#x}, {} bytes", live.address, live.bytes);
        lock(&self.ranges).remove(&live.address);
        match live.size {
            Some(size) => live.site.heap.give_back(live.kind, live.address, size),
            None => memory::free(live.address).unwrap(),
        }
    }

    /// Memory of one heap in the hands of another's stream.
    fn use_elsewhere(&self, random: &mut Pcg64) {
        let user: Arc<dyn Source> = self.site(random).stream.clone();
        let shelf = lock(&self.shelves[random.random_range(0..SHELVES)]);
        for live in shelf.iter().filter(|live| live.size.is_none()) {
            memory::use_on(&user, live.address + live.bytes / 2).unwrap();
        }
    }

    fn free_wrongly(&self, random: &mut Pcg64) {
        let shelf = lock(&self.shelves[random.random_range(0..SHELVES)]);
        for live in shelf.iter() {
            let address = if live.size.is_some() { live.address } else { live.address + 8 };
            assert_eq!(memory::free(address).unwrap_err().status(), Status::InvalidArgument);
            let known = memory::find(live.address).and_then(|found| found.bytes);
            assert_eq!(known, live.size.is_none().then_some(live.bytes));
        }
    }

    /// Compares the statistics of every heap with the arena's record, closed ones that still have live blocks included.
    fn compare_registry(&self) {
        let shelves: Vec<_> = self.shelves.iter().map(lock).collect();
        let live: Vec<&Live> = shelves.iter().flat_map(|shelf| shelf.iter()).collect();
        let open = self.sites.iter().map(|site| lock(site).clone());
        let sites: Vec<Arc<Site>> = open.chain(live.iter().map(|live| live.site.clone())).collect();
        let out = self.arena.out();
        for site in sites {
            let number = site.stream.stream();
            let of_site = |(address, out): (&usize, &Out)| (out.stream == number).then_some((*address, *out));
            let its_live = live.iter().filter(|live| Arc::ptr_eq(&live.site, &site));
            let its_live: Vec<usize> = its_live.map(|live| live.address).collect();
            site.has_right_stats(&out.iter().filter_map(of_site).collect::<Vec<_>>(), &its_live);
        }
    }

    /// A heap ends while its memory is in use, and another one takes its place.
    fn replace(&self, round: usize) {
        let mut site = lock(&self.sites[round % HEAPS]);
        site.heap.close();
        assert_eq!((site.heap.stats().cached, site.heap.stats().cached_blocks), (0, 0), "a closed heap");
        *site = Site::open(&self.arena, HEAPS + round);
    }
}

#[test]
fn a_million_random_steps_over_four_threads_lose_nothing() {
    let _turn = turn();
    let world = World::new();
    let (mut hits, mut failed) = (0, 0);
    for round in 0..ROUNDS {
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let mut random = Pcg64::seed_from_u64((round * THREADS + thread) as u64);
                let world = &world;
                scope.spawn(move || {
                    (0..STEPS / ROUNDS / THREADS).for_each(|_| world.step(&mut random));
                });
            }
        });
        world.compare_registry();
        let ending = lock(&world.sites[round % HEAPS]).clone();
        hits += ending.heap.stats().hits;
        failed += ending.failed.load(Ordering::Relaxed);
        world.replace(round);
        world.compare_registry();
    }
    assert!(hits > 10_000 && failed > 100, "the trace meets both: {hits} hits, {failed} failures");

    for site in &world.sites {
        lock(site).heap.close();
    }
    for shelf in &world.shelves {
        lock(shelf).drain(..).for_each(|live| {
            let address = live.address;
            world.free(live);
            assert!(memory::find(address).is_none(), "{address:#x} went straight back");
        });
    }
    assert_eq!(world.arena.out(), BTreeMap::new(), "everything went back to the source");
    assert!(lock(&world.ranges).is_empty());
}
