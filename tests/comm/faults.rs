//! What goes wrong on one rank: all ranks get a status and a sentence, none hangs, and where it can the communicator lives.

use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::platform::settings::Backend;

use super::group::*;
use super::transport::sum;
use crate::common::*;

/// All ranks can still work.
fn lives(rank: &Rank, ranks: usize) {
    assert_eq!(sum(rank.comm, rank.rank), (0, (ranks * (ranks + 1) / 2) as u64), "{}", last_error());
}

fn reduce(rank: &Rank, options: &ReduceOptions, data: &[u32], count: usize, result: *mut u32) -> i32 {
    let from = if data.is_empty() { null() } else { data.as_ptr().cast() };
    // SAFETY: what the test hands on is refused, or is there.
    unsafe { gpumex_comm_reduce(rank.comm, options, from, count, result.cast()) }
}

#[test]
fn an_error_on_one_rank_is_peer_on_the_others_and_the_communicator_lives() {
    let group = Group::new(Backend::Cpu, 4);
    group.run(|rank| {
        let good = ReduceOptions { dtype: Dtype::U32 as i32, ..Default::default() };
        let (data, mut result) = ([1u32; 5], 0u32);
        let is_bad = rank.rank == 2;
        // A NULL.
        let from: &[u32] = if is_bad { &[] } else { &data };
        let status = reduce(rank, &good, from, 5, &mut result);
        match is_bad {
            true => refused(status, Status::NullPointer, &["data is NULL"], "a NULL"),
            false => {
                refused(status, Status::Peer, &["rank 2", "null pointer", "data is NULL"], "of another rank")
            }
        }
        lives(rank, 4);
        // A number of no enum.
        let options = ReduceOptions { dtype: if is_bad { 99 } else { good.dtype }, ..Default::default() };
        let status = reduce(rank, &options, &data, 5, &mut result);
        match is_bad {
            true => refused(status, Status::InvalidArgument, &["options.dtype is 99"], "a dtype"),
            false => refused(status, Status::Peer, &["rank 2", "options.dtype is 99"], "of another rank"),
        }
        lives(rank, 4);
        // An output that overlaps.
        let mut both = [1u32; 5];
        let to = if is_bad { both.as_mut_ptr() } else { &mut result };
        // SAFETY: five elements and a result, which overlaps them on one rank.
        let status = unsafe { gpumex_comm_reduce(rank.comm, &good, both.as_ptr().cast(), 5, to.cast()) };
        let want = if is_bad { Status::InvalidArgument } else { Status::Peer };
        refused(status, want, &["overlaps"], "an overlap");
        lives(rank, 4);
    });
}

#[test]
fn no_memory_on_one_rank_is_peer_on_the_others() {
    let group = Group::new(Backend::Cpu, 3);
    group.run(|rank| {
        let keys = [rank.rank as u64; 4];
        let count = if rank.rank == 1 { usize::MAX / 16 } else { 4 };
        let (options, mut sorted) =
            (SortOptions { dtype: Dtype::U64 as i32, ..Default::default() }, [0u64; 4]);
        // SAFETY: the large count ends in the address space, and is refused before any element is read.
        let status = unsafe {
            let (from, to) = (keys.as_ptr().cast(), sorted.as_mut_ptr().cast());
            gpumex_comm_sort(rank.comm, &options, from, null(), count, to, null_mut())
        };
        let names = ["", "NULL_POINTER", "INVALID_ARGUMENT", "OUT_OF_MEMORY"];
        match rank.rank {
            1 => assert!([2, 3].contains(&status), "{status} {names:?} {}", last_error()),
            _ => refused(status, Status::Peer, &["rank 1"], "another rank"),
        }
        lives(rank, 3);
    });
}

#[test]
fn ranks_that_differ_are_told_what_differs() {
    let group = Group::new(Backend::Cpu, 3);
    group.run(|rank| {
        let (data, mut result) = ([1u32; 5], 0u32);
        let dtype = if rank.rank == 1 { Dtype::I32 } else { Dtype::U32 } as i32;
        let options = ReduceOptions { dtype, ..Default::default() };
        let status = reduce(rank, &options, &data, 5, &mut result);
        refused(status, Status::InvalidArgument, &["options.dtype is", "on rank 0", "on rank 1"], "dtypes");
        lives(rank, 3);
        let mut board = [0u8; 12];
        let both = board.as_mut_ptr().cast();
        let cols = if rank.rank == 2 { 3 } else { 4 };
        // SAFETY: three rows of as many columns.
        let status = unsafe { gpumex_comm_life(rank.comm, null(), both, 3, cols, 2, both) };
        refused(status, Status::InvalidArgument, &["cols is 4 on rank 0 and 3 on rank 2"], "columns");
        lives(rank, 3);
        let rule = [c"B3/S23", c"B36/S23", c"B3/S23"][rank.rank];
        let options = LifeOptions { rule: rule.as_ptr(), ..Default::default() };
        // SAFETY: three rows of four columns.
        let status = unsafe { gpumex_comm_life(rank.comm, &options, both, 3, 4, 2, both) };
        refused(status, Status::InvalidArgument, &["options.rule differs"], "rules");
        lives(rank, 3);
        let status = match rank.rank {
            // SAFETY: three rows of four columns.
            0 => unsafe { gpumex_comm_life(rank.comm, null(), both, 3, 4, 2, both) },
            _ => sum(rank.comm, rank.rank).0,
        };
        let words = ["rank 0 is in gpumex_comm_life", "rank 1 in gpumex_comm_reduce"];
        refused(status, Status::InvalidArgument, &words, "calls");
        lives(rank, 3);
    });
}

#[test]
fn a_rank_that_does_not_come_is_waited_for_until_the_limit() {
    let group = Group::with_timeout(Backend::Cpu, 3, 200);
    group.run(|rank| {
        if rank.rank == 1 {
            return; // its thread has ended
        }
        let start = Instant::now();
        let (status, _) = sum(rank.comm, rank.rank);
        assert!(
            [Status::Timeout as i32, Status::Peer as i32].contains(&status),
            "{status}: {}",
            last_error()
        );
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        refused(sum(rank.comm, rank.rank).0, Status::Peer, &["dead"], "again");
        let mut info = CommInfo { size: size_of::<CommInfo>(), ..Default::default() };
        // SAFETY: a struct with its size.
        ok(unsafe { gpumex_comm_get_info(rank.comm, &mut info) }, "info");
        assert_eq!(info.alive, 0);
        // The context goes on.
        let (data, mut counts) = ([3u8; 9], [0u64; 256]);
        // SAFETY: nine bytes, 256 counters.
        let status = unsafe {
            let to = counts.as_mut_ptr().cast();
            gpumex_histogram(rank.ctx.handle, null(), data.as_ptr().cast(), 9, to, 256)
        };
        ok(status, "the context");
    });
}

#[test]
fn a_rank_that_is_destroyed_or_aborted_wakes_the_others_at_once() {
    for is_aborted in [false, true] {
        let mut group = Group::new(Backend::Cpu, 3);
        let start = Instant::now();
        group.run(|rank| match rank.rank {
            2 => {
                std::thread::sleep(Duration::from_millis(50));
                let status =
                    if is_aborted { gpumex_comm_abort(rank.comm) } else { gpumex_comm_destroy(rank.comm) };
                ok(status, "the end of rank 2");
            }
            _ => refused(sum(rank.comm, rank.rank).0, Status::Peer, &["rank"], "a rank that waits"),
        });
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        if !is_aborted {
            group.comms.pop();
        }
    }
}

#[test]
fn a_call_that_waits_is_cancelled_or_aborted_by_another_thread() {
    for is_aborted in [false, true] {
        let group = Group::new(Backend::Cpu, 2);
        let start = Instant::now();
        group.run(|rank| match rank.rank {
            0 => {
                let want = if is_aborted { Status::Peer } else { Status::Cancelled };
                refused(sum(rank.comm, 0).0, want, &["gpumex_comm"], "a call that waits");
            }
            _ => {
                std::thread::sleep(Duration::from_millis(100));
                match is_aborted {
                    true => ok(gpumex_comm_abort(group.comm(0)), "abort"),
                    false => ok(gpumex_context_cancel(group.context(0)), "cancel"),
                }
            }
        });
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}

#[test]
fn a_cancelled_call_whose_ranks_all_come_leaves_the_communicator_alive() {
    let group = Group::new(Backend::Cpu, 2);
    group.run(|rank| {
        let mut board = random_bytes(1, 1 << 20);
        let both = board.as_mut_ptr().cast();
        let cancel = || {
            std::thread::sleep(Duration::from_millis(60));
            ok(gpumex_context_cancel(group.context(1)), "cancel");
        };
        std::thread::scope(|scope| {
            if rank.rank == 1 {
                scope.spawn(cancel);
            }
            // SAFETY: 1024 x 1024 cells.
            let status = unsafe { gpumex_comm_life(rank.comm, null(), both, 1024, 1024, u64::MAX, both) };
            let (want, word) =
                if rank.rank == 1 { (Status::Cancelled, "cancel") } else { (Status::Peer, "rank 1") };
            refused(status, want, &[word], "Life for ever");
        });
        lives(rank, 2);
    });
}

#[test]
fn bad_groups_are_refused() {
    let (a, b) = (Context::cpu(), Context::cpu());
    let mut comms = [null_mut(); 2];
    let create = |contexts: &[Handle], count, options: &CommOptions, comms: &mut [_; 2]| {
        // SAFETY: two places, and at most as many contexts as are read before the refusal.
        unsafe { gpumex_comm_create_local(contexts.as_ptr(), count, options, comms.as_mut_ptr()) }
    };
    let plain = CommOptions::default();
    refused(
        create(&[a.handle; 2], 2, &plain, &mut comms),
        Status::InvalidArgument,
        &["contexts[1] is contexts[0]"],
        "twice",
    );
    refused(create(&[a.handle, null_mut()], 2, &plain, &mut comms), Status::NullPointer, &["NULL"], "NULL");
    refused(create(&[], 0, &plain, &mut comms), Status::InvalidArgument, &["count is 0"], "none");
    let negative = CommOptions { timeout_ms: -1, ..plain };
    refused(
        create(&[a.handle, b.handle], 2, &negative, &mut comms),
        Status::InvalidArgument,
        &["timeout_ms is -1"],
        "a limit",
    );
    ok(create(&[a.handle, b.handle], 2, &plain, &mut comms), "two ranks");
    comms.iter().for_each(|&comm| ok(gpumex_comm_destroy(comm), "destroyed"));
    refused(
        gpumex_comm_destroy(comms[0]),
        Status::InvalidArgument,
        &["not a live communicator"],
        "destroyed twice",
    );
    refused(sum(comms[0], 0).0, Status::InvalidArgument, &["not a live communicator"], "destroyed");
    refused(sum(null_mut(), 0).0, Status::NullPointer, &["comm is NULL"], "NULL");
    ok(gpumex_comm_destroy(null_mut()), "NULL");
    assert_eq!(gpumex_comm_poll(), 0);
}

#[test]
fn a_context_that_ends_before_its_communicator_is_an_error_on_all_ranks() {
    let mut group = Group::new(Backend::Cpu, 2);
    let ended = group.contexts.pop().unwrap();
    let handle = ended.handle.addr();
    drop(ended);
    let comm = |rank| group.comm(rank).addr();
    let comms = [comm(0), comm(1)];
    std::thread::scope(|scope| {
        for (rank, want, words) in [(0, Status::Peer, "rank 1"), (1, Status::InvalidArgument, "not a live")] {
            let comm = comms[rank];
            scope.spawn(move || {
                refused(sum(std::ptr::without_provenance_mut(comm), rank).0, want, &[words], handle);
            });
        }
    });
}
