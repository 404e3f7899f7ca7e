//! A part of a test of very many cases, for tools under which a call takes a hundred times as long.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// GPUMEX_TEST_SHARE: one in so many cases is tried, 1 where it is not set.
pub fn share() -> u64 {
    static SHARE: LazyLock<u64> = LazyLock::new(|| {
        std::env::var("GPUMEX_TEST_SHARE")
            .map_or(1, |text| text.parse().expect("GPUMEX_TEST_SHARE is a number"))
    });
    *SHARE
}

/// Whether an array is longer than such a tool has time for: kernels that have several tiles have them of 20 000 elements, too.
pub fn is_long_for_share(len: usize) -> bool {
    share() > 1 && len > 40_000
}

/// Whether the next case is left out. Which ones are tried is the same in each run of one test alone.
pub fn is_not_in_share() -> bool {
    static CASES: AtomicU64 = AtomicU64::new(0);
    let case = CASES.fetch_add(1, Ordering::Relaxed);
    case.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40 & 0xFFFF >= 0x1_0000 / share()
}

/// The same in shares smaller than the usual one of a tool alone: what the slowest tools leave out.
pub fn is_not_in_small_share() -> bool {
    share() > 3 && is_not_in_share()
}
