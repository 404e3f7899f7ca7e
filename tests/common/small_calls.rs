//! Small calls for tests of what stands around an operation: their status is the answer.

use std::ptr::null;

use gpumex::ffi::*;
use gpumex::ops::life::LifeVariant;

use super::{Handle, random_board};

/// Life on a board of 500 x 500, for some milliseconds a hundred generations.
pub fn work(ctx: Handle, generations: u64) -> i32 {
    let (board, mut next) = (random_board(1, 250_000), vec![0u8; 250_000]);
    // SAFETY: both hold 500*500 bytes.
    unsafe {
        gpumex_life(ctx, null(), board.as_ptr().cast(), 500, 500, generations, next.as_mut_ptr().cast())
    }
}

/// As `work`, three generations by a kernel that takes its temporaries from the context's allocator.
pub fn work_in_temporaries(ctx: Handle) -> i32 {
    let (board, mut next) = (random_board(1, 250_000), vec![0u8; 250_000]);
    let options = LifeOptions { variant: LifeVariant::Shmem as i32, ..LifeOptions::default() };
    // SAFETY: both hold 500*500 bytes.
    unsafe { gpumex_life(ctx, &options, board.as_ptr().cast(), 500, 500, 3, next.as_mut_ptr().cast()) }
}

/// The status of counting 100 bytes.
pub fn count(ctx: Handle) -> i32 {
    let (data, mut counts) = ([1u8; 100], [0u64; 256]);
    // SAFETY: 100 bytes, 256 counters.
    unsafe { gpumex_histogram(ctx, null(), data.as_ptr().cast(), 100, counts.as_mut_ptr().cast(), 256) }
}

/// The status of counting 100 bytes on the default context; the counts have to be right.
pub fn plain_count() -> i32 {
    let (data, mut counts) = ([1u8; 100], [0u64; 256]);
    // SAFETY: 100 bytes, 256 counters.
    let status = unsafe { gpumex::ffi::histogram(data.as_ptr(), 100, counts.as_mut_ptr()) };
    assert!(status != 0 || counts[1] == 100, "histogram: got {} bytes of 1, want 100", counts[1]);
    status
}
