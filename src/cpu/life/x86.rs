//! AVX2 and AVX-512, through the safe wrappers of pulp: a token is the proof that the machine has the
//! instructions.
#![forbid(unsafe_code)]

use std::arch::x86_64::{__m256i, __m512i};

use pulp::cast;
use pulp::x86::{V3, V4};

use super::lanes::Lanes;
use super::network::Sum;

pulp::simd_type! {
    /// AVX-512 whose funnel shift is one instruction: the compiler makes it of a pair of shifts.
    struct Vbmi2 {
        pub avx512f: "avx512f",
        pub avx512bw: "avx512bw",
        pub avx512dq: "avx512dq",
        pub avx512vl: "avx512vl",
        pub avx512vbmi2: "avx512vbmi2",
    }
}

/// Four words.
#[derive(Clone, Copy)]
pub struct Avx2(V3);

impl Avx2 {
    pub fn new() -> Option<Avx2> {
        V3::try_new().map(Avx2)
    }
}

#[rustfmt::skip]
impl Lanes for Avx2 {
    type Vector = __m256i;
    const WORDS: usize = 4;

    #[inline(always)]
    fn vectorize<R>(self, body: impl FnOnce() -> R) -> R { self.0.vectorize(body) }

    #[inline(always)]
    fn load(self, words: &[u64]) -> __m256i { cast::<[u64; 4], _>(*words.first_chunk().expect("four words")) }
    #[inline(always)]
    fn store(self, vector: __m256i, words: &mut [u64]) {
        *words.first_chunk_mut::<4>().expect("four words") = cast(vector);
    }
    #[inline(always)]
    fn splat(self, word: u64) -> __m256i { cast([word; 4]) }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i { self.0.avx2._mm256_and_si256(a, b) }
    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i { self.0.avx2._mm256_or_si256(a, b) }
    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i { self.0.avx2._mm256_xor_si256(a, b) }
    #[inline(always)]
    fn without(self, a: __m256i, b: __m256i) -> __m256i { self.0.avx2._mm256_andnot_si256(b, a) }
    #[inline(always)]
    fn shift_right(self, a: __m256i, bits: __m256i) -> __m256i { self.0.avx2._mm256_srlv_epi64(a, bits) }
    #[inline(always)]
    fn shift_left(self, a: __m256i, bits: __m256i) -> __m256i { self.0.avx2._mm256_sllv_epi64(a, bits) }
    #[inline(always)]
    fn turn_left(self, a: __m256i, bits: __m256i) -> __m256i {
        let avx2 = self.0.avx2; // a shift by 64 gives 0
        let back = avx2._mm256_srlv_epi64(a, avx2._mm256_sub_epi64(self.splat(64), bits));
        avx2._mm256_or_si256(avx2._mm256_sllv_epi64(a, bits), back)
    }
    #[inline(always)]
    fn pack(self, cells: &[u8; 64]) -> u64 {
        let avx2 = self.0.avx2;
        let dead = |half: [u8; 32]| {
            let zeros = avx2._mm256_cmpeq_epi8(cast(half), cast([0u64; 4]));
            avx2._mm256_movemask_epi8(zeros) as u32
        };
        let [low, high]: [[u8; 32]; 2] = cast(*cells);
        !(u64::from(dead(low)) | u64::from(dead(high)) << 32)
    }

    #[inline(always)]
    fn unpack(self, word: u64) -> [u8; 64] {
        let avx2 = self.0.avx2;
        let bit: __m256i = cast([0x8040_2010_0804_0201u64; 4]);
        let bytes = |first: u64| -> __m256i {
            // Each byte of the word eight times over, for eight cells.
            let index = cast([0u64, 1, 2, 3].map(|byte| (first + byte) * 0x0101_0101_0101_0101));
            let spread = avx2._mm256_shuffle_epi8(self.splat(word), index);
            avx2._mm256_min_epu8(avx2._mm256_and_si256(spread, bit), cast([1u8; 32]))
        };
        cast([bytes(0), bytes(4)])
    }
}

/// Eight words, and every function of three bits in one instruction.
#[derive(Clone, Copy)]
pub struct Avx512 {
    v4: V4,
    vbmi2: Option<Vbmi2>,
}

impl Avx512 {
    /// With VBMI2 and without.
    pub fn both() -> [Option<Avx512>; 2] {
        let v4 = V4::try_new();
        let vbmi2 = v4.zip(Vbmi2::try_new()).map(|(v4, vbmi2)| Avx512 { v4, vbmi2: Some(vbmi2) });
        [vbmi2, v4.map(|v4| Avx512 { v4, vbmi2: None })]
    }
}

#[rustfmt::skip]
impl Lanes for Avx512 {
    type Vector = __m512i;
    const WORDS: usize = 8;

    #[inline(always)]
    fn vectorize<R>(self, body: impl FnOnce() -> R) -> R {
        match self.vbmi2 {
            Some(token) => token.vectorize(body),
            None => self.v4.vectorize(body),
        }
    }

    #[inline(always)]
    fn load(self, words: &[u64]) -> __m512i { cast::<[u64; 8], _>(*words.first_chunk().expect("eight words")) }
    #[inline(always)]
    fn store(self, vector: __m512i, words: &mut [u64]) {
        *words.first_chunk_mut::<8>().expect("eight words") = cast(vector);
    }
    #[inline(always)]
    fn splat(self, word: u64) -> __m512i { cast([word; 8]) }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i { self.v4.avx512f._mm512_and_si512(a, b) }
    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i { self.v4.avx512f._mm512_or_si512(a, b) }
    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i { self.v4.avx512f._mm512_xor_si512(a, b) }
    #[inline(always)]
    fn without(self, a: __m512i, b: __m512i) -> __m512i { self.v4.avx512f._mm512_andnot_si512(b, a) }
    #[inline(always)]
    fn shift_right(self, a: __m512i, bits: __m512i) -> __m512i { self.v4.avx512f._mm512_srlv_epi64(a, bits) }
    #[inline(always)]
    fn shift_left(self, a: __m512i, bits: __m512i) -> __m512i { self.v4.avx512f._mm512_sllv_epi64(a, bits) }

    #[inline(always)]
    fn turn_left(self, a: __m512i, bits: __m512i) -> __m512i { self.v4.avx512f._mm512_rolv_epi64(a, bits) }
    #[inline(always)]
    fn xor3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        self.v4.avx512f._mm512_ternarylogic_epi64::<0x96>(a, b, c)
    }
    #[inline(always)]
    fn majority(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        self.v4.avx512f._mm512_ternarylogic_epi64::<0xE8>(a, b, c)
    }
    #[inline(always)]
    fn select(self, mask: __m512i, a: __m512i, b: __m512i) -> __m512i {
        self.v4.avx512f._mm512_ternarylogic_epi64::<0xCA>(mask, a, b)
    }

    /// Six functions of three bits, found by a SAT solver over the 96 states of three sums and a centre.
    #[inline(always)]
    fn conway(self, above: Sum<__m512i>, same: Sum<__m512i>, below: Sum<__m512i>) -> __m512i {
        let f = self.v4.avx512f;
        let ones = self.xor3(above.ones, same.ones, below.ones);
        let differ = f._mm512_ternarylogic_epi64::<0x7E>(above.ones, same.ones, below.ones);
        let one_two = f._mm512_ternarylogic_epi64::<0x16>(above.twos, same.twos, below.twos);
        let many = self.majority(above.ones, above.twos, below.twos);
        let mix = f._mm512_ternarylogic_epi64::<0x3E>(one_two, differ, many);
        f._mm512_ternarylogic_epi64::<0x54>(same.centre, ones, mix)
    }

    #[inline(always)]
    fn pack(self, cells: &[u8; 64]) -> u64 {
        let cells: __m512i = cast(*cells);
        self.v4.avx512bw._mm512_test_epi8_mask(cells, cells)
    }

    #[inline(always)]
    fn unpack(self, word: u64) -> [u8; 64] { cast(self.v4.avx512bw._mm512_maskz_set1_epi8(word, 1)) }
}
