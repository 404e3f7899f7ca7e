//! Boards whose rows are on several ranks.

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::model::life::LifeBoundary;
use gpumex::ops::life::LifeCells;
use gpumex::platform::settings::Backend;

use super::group::*;
use crate::common::*;

/// The board after some generations, by one context, of cells of any type.
fn played<T: Number>(
    options: &LifeOptions,
    board: &[T],
    rows: usize,
    cols: usize,
    generations: u64,
) -> Vec<T> {
    let (ctx, mut next) = (Context::cpu(), board.to_vec());
    // SAFETY: rows x cols cells each.
    let status = unsafe {
        let to = next.as_mut_ptr().cast();
        gpumex_life(ctx.handle, options, board.as_ptr().cast(), rows, cols, generations, to)
    };
    ok(status, "one rank");
    next
}

fn plays<T: Number>(
    group: &Group,
    options: &LifeOptions,
    board: &[T],
    cols: usize,
    width: usize,
    generations: u64,
) {
    let rows = board.len().checked_div(width).unwrap_or(0);
    let all_cuts: Vec<_> = (0..3).map(|seed| cuts(seed, rows, group.comms.len())).collect();
    plays_cut(group, options, (board, width), cols, generations, &all_cuts);
}

/// The same, for rows of `width` elements of which rank r has those from one cut to the next.
fn plays_cut<T: Number>(
    group: &Group,
    options: &LifeOptions,
    (board, width): (&[T], usize),
    cols: usize,
    generations: u64,
    all_cuts: &[Vec<usize>],
) {
    let rows = board.len().checked_div(width).unwrap_or(0);
    let want = played(options, board, rows, cols, generations);
    let ranks = group.comms.len();
    for cuts in all_cuts {
        let what = format!(
            "{ranks} ranks with rows {cuts:?}, {cols} columns, {generations} generations, boundary {}",
            options.boundary
        );
        let shared = Shared::new(*options);
        group.run(|rank| {
            let options = shared.get();
            let range = cuts[rank.rank]..cuts[rank.rank + 1];
            let part = &board[range.start * width..range.end * width];
            let mut from = Placed::holding(rank.ctx, rank.kind(), part);
            let mut to = Placed::<T>::new(rank.ctx, rank.kind(), part.len());
            let in_place = rank.rank % 2 == 1;
            let next: *mut c_void = if in_place { from.as_mut_ptr() } else { to.as_mut_ptr() };
            // SAFETY: the rows of this rank each.
            let status = unsafe {
                gpumex_comm_life(rank.comm, &options, from.as_ptr(), range.len(), cols, generations, next)
            };
            ok(status, &what);
            let got = if in_place { from.written() } else { to.written() };
            assert_same_bits(&got, &want[range.start * width..range.end * width], &what);
        });
    }
}

#[test]
fn boards_in_parts_live_as_the_whole_does() {
    for_every_group(|group| {
        for boundary in [LifeBoundary::Clamp, LifeBoundary::Dead, LifeBoundary::Torus] {
            let options = LifeOptions { boundary: boundary as i32, ..Default::default() };
            for (rows, cols, generations) in [(1, 5, 3), (7, 13, 20), (97, 66, 70), (40, 200, 0), (3, 0, 2)] {
                let board: Vec<u8> =
                    random_bytes(rows as u64, rows * cols).iter().map(|byte| byte & 1).collect();
                plays(group, &options, &board, cols, cols, generations);
            }
        }
    });
}

#[test]
fn bits_and_other_rules_live_as_well() {
    let rule: &CStr = c"B36/S23";
    for_every_group(|group| {
        let options = LifeOptions {
            boundary: LifeBoundary::Torus as i32,
            cells: LifeCells::Bits as i32,
            rule: rule.as_ptr(),
            ..Default::default()
        };
        let (rows, cols) = (53, 130);
        let words: Vec<u64> = random_bytes(4, rows * 3 * 8)
            .chunks_exact(8)
            .map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap()))
            .collect();
        plays(group, &options, &words, cols, 3, 45);
    });
}

/// Ranks of 512 rows and more, which devices play without an end for each exchange.
#[test]
fn tall_boards_live_as_well() {
    play_tall_boards(Backend::Cpu);
    on_cuda_in_a_new_process("plays tall boards on ranks");
}

/// The kernels of two devices wait for each other: none must wait for memory that another thread of the process gives back.
pub const ROLES: [Role; 1] = [("plays tall boards on ranks", || play_tall_boards(Backend::Cuda))];

fn play_tall_boards(backend: Backend) {
    for (ranks, all_cuts) in [
        (2, [vec![0, 512, 1100], vec![0, 571, 1100]]),
        (3, [vec![0, 600, 1113, 1801], vec![0, 700, 1289, 1801]]),
    ] {
        let options = CommOptions { life_halo: 8, ..Default::default() };
        let group = Group::with(backend, ranks, options);
        for boundary in [LifeBoundary::Clamp, LifeBoundary::Dead, LifeBoundary::Torus] {
            let rows = all_cuts[0][ranks];
            for (cols, generations, rule) in
                [(700usize, 45, None), (250, 8, Some(c"B36/S23")), (5, 163, None), (300, 3, None)]
            {
                let options = LifeOptions {
                    boundary: boundary as i32,
                    cells: LifeCells::Bits as i32,
                    rule: rule.map_or(null(), CStr::as_ptr),
                    ..Default::default()
                };
                let width = cols.div_ceil(64);
                let words: Vec<u64> = random_bytes(cols as u64, rows * width * 8)
                    .chunks_exact(8)
                    .map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap()))
                    .collect();
                plays_cut(&group, &options, (&words, width), cols, generations, &all_cuts);
            }
        }
    }
}

/// A callback of gpumex_context_set_progress that ends the call behind so many generations.
unsafe extern "C" fn end_behind(user: *mut c_void, done: u64, total: u64) -> i32 {
    // SAFETY: the test hands a number that lives as long.
    let seen = unsafe { &*user.cast::<AtomicU64>() };
    assert_eq!(total, 1000);
    seen.store(done, Ordering::Relaxed);
    i32::from(done >= 300)
}

#[test]
fn progress_is_told_and_may_end_the_call_on_all_ranks() {
    let group = Group::new(Backend::Cpu, 3);
    let seen = AtomicU64::new(0);
    group.run(|rank| {
        if rank.rank == 0 {
            let user = std::ptr::from_ref(&seen).cast_mut().cast();
            // SAFETY: the number lives as long as the group.
            ok(unsafe { gpumex_context_set_progress(rank.ctx.handle, Some(end_behind), user) }, "progress");
        }
        let mut board = random_bytes(7, 64 * 64);
        let both = board.as_mut_ptr().cast();
        // SAFETY: 64 x 64 cells.
        let status = unsafe { gpumex_comm_life(rank.comm, null(), both, 64, 64, 1000, both) };
        match rank.rank {
            0 => refused(status, Status::Cancelled, &["of 1000"], "the rank that is watched"),
            _ => refused(status, Status::Peer, &["rank 0", "cancelled"], "another one"),
        }
        // SAFETY: no callback.
        ok(unsafe { gpumex_context_set_progress(rank.ctx.handle, None, null_mut()) }, "no progress");
        // SAFETY: as above.
        ok(unsafe { gpumex_comm_life(rank.comm, null(), both, 64, 64, 5, both) }, "the communicator lives");
    });
    assert!((300..1000).contains(&seen.load(Ordering::Relaxed)));
}
