//! Normal random numbers on the CPU.
//!
//! Elements 2b and 2b + 1 have the 64-bit keys k and l of Philox (philox.rs), of seed and their indices:
//!
//!   u = 1 − ⌊k / 2^12⌋·2^-52 (f64), or the upper 48 bits of k in two parts, rounded once (f32)       in (0, 1]
//!   r = √(−2 ln u),  φ = 2π·(q/4 + t/8), q the upper two bits of l, t the next ones, in (−1, 1)
//!   2b: mean + deviation·(r cos φ),  2b + 1: mean + deviation·(r sin φ)
//!
//! Algorithm  The logarithm is e·ln 2 + 2 artanh ((m − 1)/(m + 1)) for u = m·2^e, √½ ≤ m < √2; it, the sine and the cosine of t·π/4 are
//!            Taylor series. Every operation is rounded to nearest and none fused, here and in kernels/random/random_normal.cu, so that
//!            the bits are the same. Chunks in parallel, 64 pairs at a time for the best instruction set of the machine (pulp).
//! Cost       About 60 operations an element beside Philox. No memory beside the array.
//! Source     G. Box, M. Muller, "A Note on the Generation of Random Normal Deviates", 1958.
#![forbid(unsafe_code)]

use pulp::Arch;

use super::parallel::chunks;
use super::{Workers, is_small_for_long_work, philox};
use crate::error::Result;

/// array ← normal numbers.
pub fn random_normal<T: Normal>(
    workers: &Workers,
    array: &mut [T],
    seed: u64,
    mean: T,
    deviation: T,
) -> Result<()> {
    let arch = Arch::new();
    chunks::beside(workers, is_small_for_long_work(array), array, &|start, chunk| {
        let groups = chunk.chunks_mut(philox::ELEMENTS);
        arch.dispatch(
            #[inline(always)]
            || {
                for (first, group) in (start..).step_by(philox::ELEMENTS).zip(groups) {
                    let keys = philox::bits(seed, first as u64);
                    let mut made = [T::default(); philox::ELEMENTS];
                    for (pair, keys) in made.chunks_exact_mut(2).zip(keys.chunks_exact(2)) {
                        (pair[0], pair[1]) = T::pair(keys[0], keys[1], mean, deviation);
                    }
                    group.copy_from_slice(&made[..group.len()]);
                }
            },
        );
    })
}

/// A type of normal numbers.
pub trait Normal: Copy + Default + Send + Sync {
    /// Two independent ones of two keys.
    fn pair(k: u64, l: u64, mean: Self, deviation: Self) -> (Self, Self);
}

/// c\[0\] + x·(c\[1\] + x·(c\[2\] + …))
macro_rules! series {
    ($x:expr; $last:expr) => { $last };
    ($x:expr; $first:expr, $($rest:expr),+) => { $first + $x * series!($x; $($rest),+) };
}

macro_rules! normal {
    ($float:ident, $bits:ident, $fraction:expr, $root:expr, $ln2_high:expr, $ln2_low:expr, $exponent:expr, $u:expr, $t:expr,
     [$($log:expr),*], [$($sine:expr),*], [$($cosine:expr),*]) => {
        impl Normal for $float {
            #[inline(always)] // so that it is compiled for the instruction set of a `dispatch`
            fn pair(k: u64, l: u64, mean: $float, deviation: $float) -> ($float, $float) {
                const ROOT: $bits = $root; // √½
                let u: $float = $u(k);
                let shifted = u.to_bits().wrapping_sub(ROOT);
                let e: $float = $exponent(shifted);
                let m = $float::from_bits((shifted & ((1 << $fraction) - 1)) + ROOT);
                let s = (m - 1.0) / (m + 1.0);
                let log_of_m = s * series!(s * s; $($log),*);
                let log = e * $ln2_high + (log_of_m + e * $ln2_low);
                let r = (-2.0 * log).sqrt();

                let t: $float = $t(l << 2);
                let angle = t * (std::f64::consts::FRAC_PI_4 as $float);
                let square = angle * angle;
                let sine = angle * series!(square; $($sine),*);
                let cosine = series!(square; $($cosine),*);
                let (x, y) = if l & (1 << 62) == 0 { (cosine, sine) } else { (-sine, cosine) };
                let (x, y) = if l & (1 << 63) == 0 { (x, y) } else { (-x, -y) };
                (mean + deviation * (r * x), mean + deviation * (r * y))
            }
        }
    };
}

normal!(
    f64,
    u64,
    52,
    0x3FE6_A09E_667F_3BCD,
    0.693_147_180_369_123_8,
    1.908_214_929_270_587_7e-10,
    |shifted: u64| f64::from((shifted >> 32) as i32 >> 20),
    |k: u64| 2.0 - f64::from_bits(0x3FF0_0000_0000_0000 | k >> 12),
    |l: u64| f64::from_bits(0x4000_0000_0000_0000 | l >> 12) - 3.0 + f64::EPSILON,
    [
        2.0,
        2.0 / 3.0,
        2.0 / 5.0,
        2.0 / 7.0,
        2.0 / 9.0,
        2.0 / 11.0,
        2.0 / 13.0,
        2.0 / 15.0,
        2.0 / 17.0,
        2.0 / 19.0,
        2.0 / 21.0
    ],
    [
        1.0,
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5040.0,
        1.0 / 362_880.0,
        -1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
        -1.0 / 1_307_674_368_000.0,
        1.0 / 355_687_428_096_000.0
    ],
    [
        1.0,
        -1.0 / 2.0,
        1.0 / 24.0,
        -1.0 / 720.0,
        1.0 / 40_320.0,
        -1.0 / 3_628_800.0,
        1.0 / 479_001_600.0,
        -1.0 / 87_178_291_200.0,
        1.0 / 20_922_789_888_000.0
    ]
);

normal!(
    f32,
    u32,
    23,
    0x3F35_04F3,
    355.0 / 512.0,
    -2.121_944_4e-4,
    |shifted: u32| (shifted as i32 >> 23) as f32,
    |k: u64| upper(k) as f32 * TWO_TO_MINUS_24
        + ((k >> 16 & 0xFF_FFFF) as i32 + 1) as f32 * (TWO_TO_MINUS_24 * TWO_TO_MINUS_24),
    |l: u64| (upper(l) - (1 << 23)) as f32 * (2.0 * TWO_TO_MINUS_24)
        + ((l >> 17 & 0x7F_FFFF) as i32 as f32 + 0.5) * (4.0 * TWO_TO_MINUS_24 * TWO_TO_MINUS_24),
    [2.0, 2.0 / 3.0, 2.0 / 5.0, 2.0 / 7.0, 2.0 / 9.0, 2.0 / 11.0],
    [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0],
    [1.0, -1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0]
);

const TWO_TO_MINUS_24: f32 = 1.0 / 16_777_216.0;

/// The upper 24 bits.
#[inline(always)]
fn upper(bits: u64) -> i32 {
    (bits >> 40) as i32
}
