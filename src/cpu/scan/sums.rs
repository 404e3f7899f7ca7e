//! Prefix sums of a chunk, eight integers of 32 bits at a time with AVX2.
//!
//!   Within a vector each half is scanned by two shifts (Hillis, Steele), the lower half's sum is added to the upper one, and what stands
//!   before the vector to all. Sums that wrap have the same bits in any order.
//!
//! Cost  One addition waits for the vector before, where the plain loop has one an element: benches/results/cpu.md has what that makes of a scan.
#![forbid(unsafe_code)]

use super::{Array, plain};
use crate::model::operator::{Operand, Reduction};

/// Numbers whose prefix sums are computed in vectors, where the machine has them.
pub trait Sums: Operand {
    /// Scans from `before` on; returns what stands behind the array.
    fn sums(is_inclusive: bool, before: Self, array: Array<Self>) -> Self {
        plain::<Self, { Reduction::Sum as usize }>(is_inclusive, before, array)
    }
}

impl Sums for i32 {}
impl Sums for i64 {}
impl Sums for u64 {}
impl Sums for f32 {}
impl Sums for f64 {}
#[cfg(not(target_arch = "x86_64"))]
impl Sums for u32 {}

#[cfg(target_arch = "x86_64")]
impl Sums for u32 {
    fn sums(is_inclusive: bool, before: u32, array: Array<u32>) -> u32 {
        match pulp::x86::V3::try_new() {
            Some(token) => token.vectorize(vectors::Scan { token, is_inclusive, before, array }),
            None => plain::<u32, { Reduction::Sum as usize }>(is_inclusive, before, array),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    use std::arch::x86_64::__m256i;

    use pulp::x86::V3;
    use pulp::{NullaryFnOnce, cast};

    use super::super::{Array, plain};
    use crate::model::operator::Reduction;

    const LANES: usize = 8;

    /// One call, of which the compiler makes one function with these instructions.
    pub struct Scan<'a> {
        pub token: V3,
        pub is_inclusive: bool,
        pub before: u32,
        pub array: Array<'a, u32>,
    }

    impl NullaryFnOnce for Scan<'_> {
        type Output = u32;

        #[inline(always)]
        fn call(self) -> u32 {
            let Scan { token, is_inclusive, before, array } = self;
            let mut prefix = token.avx._mm256_set1_epi32(before.cast_signed());
            // Loops, whose bodies are part of this function: closures would be called, and each of their instructions as well.
            let rest = match array {
                Array::Same(array) => {
                    let (whole, rest) = array.as_chunks_mut::<LANES>();
                    for values in whole {
                        *values = next(token, is_inclusive, &mut prefix, *values);
                    }
                    Array::Same(rest)
                }
                Array::Apart(source, target) => {
                    let (whole, rest) = source.as_chunks::<LANES>();
                    let (to, rest_to) = target.as_chunks_mut::<LANES>();
                    for (to, values) in to.iter_mut().zip(whole) {
                        *to = next(token, is_inclusive, &mut prefix, *values);
                    }
                    Array::Apart(rest, rest_to)
                }
            };
            let [before, ..]: [u32; LANES] = cast(prefix);
            plain::<u32, { Reduction::Sum as usize }>(is_inclusive, before, rest)
        }
    }

    /// The prefixes of a vector, before which `prefix` stands; afterwards what stands behind it.
    #[inline(always)]
    fn next(token: V3, is_inclusive: bool, prefix: &mut __m256i, values: [u32; LANES]) -> [u32; LANES] {
        let (avx2, values) = (token.avx2, cast(values));
        let all = scanned(token, values);
        let found = if is_inclusive { all } else { avx2._mm256_sub_epi32(all, values) };
        let found = avx2._mm256_add_epi32(*prefix, found);
        *prefix = avx2._mm256_add_epi32(*prefix, last_of(token, all));
        cast(found)
    }

    /// The inclusive prefixes within a vector.
    #[inline(always)]
    fn scanned(token: V3, values: __m256i) -> __m256i {
        let avx2 = token.avx2;
        let pairs = avx2._mm256_add_epi32(values, avx2._mm256_slli_si256::<4>(values));
        let halves = avx2._mm256_add_epi32(pairs, avx2._mm256_slli_si256::<8>(pairs));
        let lower = avx2._mm256_permute2x128_si256::<0x08>(halves, halves);
        avx2._mm256_add_epi32(halves, avx2._mm256_shuffle_epi32::<0xff>(lower))
    }

    /// The last lane, in all lanes.
    #[inline(always)]
    fn last_of(token: V3, values: __m256i) -> __m256i {
        token.avx2._mm256_permutevar8x32_epi32(values, token.avx._mm256_set1_epi32(LANES as i32 - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_agree_with_the_plain_loop_at_every_length() {
        for len in (0..70).chain([1000, 4099, 70_001]) {
            let data: Vec<u32> = (0..len as u32).map(|i| (i + 3).wrapping_mul(2_654_435_769)).collect();
            for is_inclusive in [false, true] {
                let mut want = data.clone();
                let behind =
                    plain::<u32, { Reduction::Sum as usize }>(is_inclusive, 77, Array::Same(&mut want));
                let (mut same, mut apart) = (data.clone(), vec![0; len]);
                assert_eq!(u32::sums(is_inclusive, 77, Array::Same(&mut same)), behind, "{len}");
                assert_eq!(u32::sums(is_inclusive, 77, Array::Apart(&data, &mut apart)), behind, "{len}");
                assert!(same == want && apart == want, "{len}, inclusive: {is_inclusive}");
            }
        }
    }
}
