//! Reductions of segments: every variant on every backend agrees with the plain definition, however segments are cut.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::ffi::{SegmentedReduceOptions, gpumex_segmented_reduce};
use gpumex::model::dtype::Dtype;
use gpumex::model::index::Index;
use gpumex::model::operator::{Operand, Operator};
use gpumex::model::variant::Variant;

use crate::common::*;

const OPERATORS: [Operator; 7] = [
    Operator::Sum,
    Operator::Product,
    Operator::Min,
    Operator::Max,
    Operator::And,
    Operator::Or,
    Operator::Xor,
];

// -------------------------------------------------------------------------------------------------------------- the call

/// Where data, offsets, sources and result lie.
type Kinds = [Kind; 4];

/// Sums of float, positions of 64 bits.
fn plain() -> SegmentedReduceOptions {
    SegmentedReduceOptions {
        dtype: Dtype::F32 as i32,
        index_dtype: Dtype::U64 as i32,
        ..SegmentedReduceOptions::default()
    }
}

struct Problem<T, I> {
    op: Operator,
    data: Vec<T>,
    offsets: Vec<I>,
    sources: Option<Vec<I>>,
}

impl<T: Number + Operand, I: Number + Index> Problem<T, I> {
    fn segments(&self) -> usize {
        self.offsets.len() - 1
    }

    fn options(&self, variant: Variant) -> SegmentedReduceOptions {
        SegmentedReduceOptions {
            variant: variant as i32,
            dtype: T::DTYPE as i32,
            op: self.op as i32,
            index_dtype: I::DTYPE as i32,
            ..SegmentedReduceOptions::default()
        }
    }

    #[track_caller]
    fn run(&self, ctx: &Context, variant: Variant, kinds: Kinds) -> Vec<T> {
        let (count, segments) = (self.data.len(), self.segments());
        let what =
            format!("{:?}, {variant:?}, {:?}, {:?}, {count} in {segments}", ctx.backend, self.op, T::DTYPE);
        let mut data = Placed::holding(ctx, kinds[0], &self.data);
        let mut offsets = Placed::holding(ctx, kinds[1], &self.offsets);
        let mut sources = self.sources.as_ref().map(|sources| Placed::holding(ctx, kinds[2], sources));
        let mut result = Placed::<T>::new(ctx, kinds[3], segments);
        let from_sources = sources.as_mut().map_or(null(), |sources| sources.as_ptr::<c_void>());
        let (from, cuts, to) = (data.as_ptr(), offsets.as_ptr(), result.as_mut_ptr());
        let options = self.options(variant);
        // SAFETY: arrays of these lengths.
        let status = unsafe {
            gpumex_segmented_reduce(ctx.handle, &options, from, count, cuts, segments, from_sources, to)
        };
        ok(status, &what);
        result.written()
    }

    /// By the definition, folded from the identity.
    fn want(&self) -> Vec<T> {
        let reduce = |segment: usize| {
            let (from, to) = (self.offsets[segment].to_usize(), self.offsets[segment + 1].to_usize());
            let begin = self.sources.as_ref().map_or(from, |sources| sources[segment].to_usize());
            let elements = &self.data[begin..begin + (to - from)];
            elements.iter().fold(T::identity(self.op), |sum, &value| T::apply(self.op, sum, value))
        };
        (0..self.segments()).map(reduce).collect()
    }

    #[track_caller]
    fn agrees(&self, what: &str) {
        let want = self.want();
        for ctx in backends() {
            for variant in ctx.variants() {
                let got = self.run(&ctx, variant, [None; 4]);
                let same = got.iter().zip(&want).position(|(got, want)| differ(got, want));
                let n = self.data.len();
                assert!(
                    same.is_none(),
                    "{what}: {:?}, {variant:?}, {:?}, {:?}, {n} in {}: segment {same:?}: got {:?}, want {:?}",
                    ctx.backend,
                    self.op,
                    T::DTYPE,
                    self.segments(),
                    got[same.unwrap()],
                    want[same.unwrap()]
                );
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ the inputs

/// Whole numbers whose sums and products every dtype holds exactly.
fn numbers<T: Operand>(seed: u64, op: Operator, len: usize) -> Vec<T> {
    let mut random = random(seed);
    let mut number = || match op {
        Operator::Product => [1.0, 1.0, 1.0, -1.0][random.random_range(0..4)],
        _ => f64::from(random.random_range(-16..17)),
    };
    (0..len).map(|_| T::from_f64(number())).collect()
}

/// Offsets of segments of 0 to 2·mean elements that cover `count`.
fn cuts<I: Index>(seed: u64, count: usize, mean: usize) -> Vec<I> {
    let mut random = random(seed);
    let (mut offsets, mut end) = (vec![I::from_usize(0)], 0);
    while end < count {
        end = count.min(end + random.random_range(0..2 * mean + 1));
        offsets.push(I::from_usize(end));
    }
    offsets
}

fn of_dtype<T: Number + Operand, I: Number + Index>(seed: u64) {
    for op in OPERATORS.into_iter().filter(|op| !op.is_of_bits() || T::DTYPE.integers().is_some()) {
        for (count, mean) in [(1000, 1), (4093, 40), (20_011, 700)] {
            let data = numbers::<T>(seed, op, count);
            Problem { op, data, offsets: cuts::<I>(seed + 1, count, mean), sources: None }.agrees("random");
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------- values

#[test]
fn every_dtype_and_operator_agrees() {
    of_dtype::<f32, u64>(1);
    of_dtype::<f64, u32>(2);
    of_dtype::<i32, u32>(3);
    of_dtype::<i64, u64>(4);
    of_dtype::<u32, u64>(5);
    of_dtype::<u64, u32>(6);
}

#[test]
fn every_length_of_array_and_segment_agrees() {
    let op = Operator::Sum;
    for count in [0, 1, 2, 15, 16, 17, 2047, 4079, 4080, 4081, 4095, 4096, 12_287, 32_769, 65_536, 100_003] {
        for mean in [1, 3, 16, 500, 30_000] {
            let data = numbers::<i64>(7, op, count);
            Problem { op, data, offsets: cuts::<u32>(8, count, mean), sources: None }.agrees("lengths");
        }
    }
}

#[test]
fn a_million_elements_agree() {
    for (op, mean) in [(Operator::Sum, 500), (Operator::Max, 16), (Operator::Sum, 200_000)] {
        let data = numbers::<f32>(9, op, 1_000_003);
        Problem { op, data, offsets: cuts::<u64>(10, 1_000_003, mean), sources: None }.agrees("a million");
    }
}

#[test]
fn skewed_segments_agree() {
    let op = Operator::Sum;
    let data = numbers::<u32>(11, op, 200_001);
    let one = vec![0u64, 200_001];
    let middle = vec![70_000u64, 150_000];
    let mut empty = vec![100_000u64; 300_000];
    (empty[0], empty[299_999]) = (0, 200_001);
    let all_empty = vec![5u64; 50_001];
    let of_one: Vec<u64> = (0..=200_001).collect();
    for offsets in [one, middle, empty, all_empty, of_one] {
        Problem { op, data: data.clone(), offsets, sources: None }.agrees("skewed");
    }
}

#[test]
fn sources_move_segments() {
    for (count, mean) in [(100, 3), (10_007, 40), (300_000, 9000)] {
        let op = Operator::Sum;
        let offsets = cuts::<u64>(12, count, mean);
        let mut random = random(13);
        let sources = offsets
            .windows(2)
            .map(|pair| random.random_range(0..=count as u64 - (pair[1] - pair[0])))
            .collect::<Vec<_>>();
        let data = numbers::<f64>(14, op, count);
        Problem { op, data, offsets, sources: Some(sources) }.agrees("sources");
    }
}

#[test]
fn empty_segments_have_the_identity_and_nan_is_passed_over() {
    let nan = f32::NAN;
    let data = vec![nan, 2.0, -3.0, nan, 0.0, -0.0];
    let offsets = vec![0u32, 3, 3, 4, 6, 6];
    for (op, want) in [
        (Operator::Min, [-3.0, nan, nan, -0.0, nan]),
        (Operator::Max, [2.0, nan, nan, 0.0, nan]),
        (Operator::Sum, [nan, 0.0, nan, 0.0, 0.0]),
    ] {
        let problem = Problem { op, data: data.clone(), offsets: offsets.clone(), sources: None };
        for ctx in backends() {
            for variant in ctx.variants() {
                let got = problem.run(&ctx, variant, [None; 4]);
                let same =
                    |got: &f32, want: &f32| got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
                let all = got.iter().zip(&want).all(|(got, want)| same(got, want));
                assert!(all, "{:?}, {variant:?}, {op:?}: {got:?}", ctx.backend);
            }
        }
    }
}

#[test]
fn sums_of_floats_meet_the_bound_and_repeat() {
    let count = 300_000;
    let mut random = random(15);
    let data: Vec<f32> = (0..count).map(|_| random.random_range(-1.0..1.0)).collect();
    let problem = Problem { op: Operator::Sum, data, offsets: cuts::<u64>(16, count, 20_000), sources: None };
    for ctx in backends() {
        for variant in ctx.variants() {
            let got = problem.run(&ctx, variant, [None; 4]);
            for (segment, got) in got.iter().enumerate() {
                let run =
                    &problem.data[problem.offsets[segment] as usize..problem.offsets[segment + 1] as usize];
                let want: f64 = run.iter().map(|&x| f64::from(x)).sum();
                let sizes: f64 = run.iter().map(|&x| f64::from(x).abs()).sum();
                let bound = run.len() as f64 * f64::from(f32::EPSILON) / 2.0 * sizes * 1.01;
                assert!((f64::from(*got) - want).abs() <= bound, "{:?}, {segment}", ctx.backend);
            }
            for _ in 0..5 {
                let again = problem.run(&ctx, variant, [None; 4]);
                assert_same_bits(&again, &got, format!("{:?}, {variant:?} again", ctx.backend));
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------- memory

#[test]
fn every_kind_of_memory_is_served() {
    let problem = Problem {
        op: Operator::Sum,
        data: numbers::<i32>(17, Operator::Sum, 5003),
        offsets: cuts::<u64>(18, 5003, 20),
        sources: None,
    };
    let sources = problem.offsets[..problem.segments()].to_vec();
    let problem = Problem { sources: Some(sources), ..problem };
    for ctx in backends() {
        for turn in 0..4 {
            let kinds = [0, 1, 2, 3].map(|array| EVERYWHERE[(array + turn) % 4]);
            let got = problem.run(&ctx, Variant::Auto, kinds);
            assert_same(&got, &problem.want(), format!("{:?}, {kinds:?}", ctx.backend));
        }
    }
}

#[test]
fn unaligned_arrays_are_reduced() {
    let data = numbers::<f32>(19, Operator::Sum, 9000);
    for ctx in backends() {
        for off in 0..5usize {
            let offsets = cuts::<u64>(20, 9000 - off, 33);
            let segments = offsets.len() - 1;
            let device = Some(gpumex::memory::MemoryKind::Device);
            let mut from = Placed::holding(&ctx, device, &data);
            let mut result = Output::<f32>::new(segments);
            let at = from.as_ptr::<f32>().wrapping_add(off).cast();
            let (cuts, to) = (offsets.as_ptr().cast(), result.as_mut_ptr().cast());
            // SAFETY: 9000 - off elements from there on.
            let status = unsafe {
                gpumex_segmented_reduce(ctx.handle, &plain(), at, 9000 - off, cuts, segments, null(), to)
            };
            ok(status, "unaligned");
            let moved = Problem { op: Operator::Sum, data: data[off..].to_vec(), offsets, sources: None };
            assert_same(&result.written("unaligned"), &moved.want(), format!("{off} off"));
        }
    }
}

// ------------------------------------------------------------------------------------------------------------- bad input

#[test]
fn offsets_that_lie_touch_nothing_else() {
    for ctx in backends() {
        let mut random = random(21);
        for count in [0, 10, 5000, 60_000] {
            let mut problem = Problem {
                op: Operator::Sum,
                data: numbers::<u64>(22, Operator::Sum, count),
                offsets: (0..3001).map(|_| random.random_range(0..u64::MAX)).collect(),
                sources: None,
            };
            for variant in ctx.variants() {
                problem.run(&ctx, variant, [None; 4]);
            }
            problem.offsets = (0..3001).map(|_| random.random_range(0..2 * count as u64 + 1)).collect();
            problem.sources = Some((0..3000).map(|_| random.random_range(0..u64::MAX)).collect());
            for variant in ctx.variants() {
                problem.run(&ctx, variant, [None; 4]);
            }
        }
    }
}

#[test]
fn bad_calls_are_refused_with_a_sentence() {
    let (data, offsets, mut result) = ([1.0f32; 8], [0u64, 4, 8], [0.0f32; 2]);
    let (from, cuts) = (data.as_ptr().cast::<c_void>(), offsets.as_ptr().cast::<c_void>());
    let to = result.as_mut_ptr().cast::<c_void>();
    for ctx in backends() {
        let call = |options: SegmentedReduceOptions, data, count, offsets, to| {
            // SAFETY: arrays of these lengths, or NULL, which is refused.
            let status =
                unsafe { gpumex_segmented_reduce(ctx.handle, &options, data, count, offsets, 2, null(), to) };
            (status, last_error())
        };
        let of = plain();
        for (answer, status, part) in [
            (call(of, null(), 8, cuts, to), 1, "data is NULL"),
            (call(of, from, 8, null(), to), 1, "offsets is NULL"),
            (call(of, from, 8, cuts, null_mut()), 1, "result is NULL"),
            (call(of, from, 8, cuts, from.cast_mut()), 2, "overlaps data"),
            (
                call(SegmentedReduceOptions { dtype: Dtype::I8 as i32, ..of }, from, 8, cuts, to),
                6,
                "options.dtype",
            ),
            (
                call(SegmentedReduceOptions { op: Operator::And as i32, ..of }, from, 8, cuts, to),
                6,
                "options.op is GPUMEX_OPERATOR_AND",
            ),
            (
                call(SegmentedReduceOptions { op: first_unknown::<Operator>(), ..of }, from, 8, cuts, to),
                2,
                "gpumex_operator",
            ),
            (
                call(
                    SegmentedReduceOptions { index_dtype: Dtype::U32 as i32, ..of },
                    from,
                    1 << 32,
                    cuts,
                    to,
                ),
                2,
                "which GPUMEX_DTYPE_U32 does not hold",
            ),
        ] {
            assert_eq!(answer.0, status, "{:?}: {}", ctx.backend, answer.1);
            assert!(answer.1.contains(part), "{:?}: {} lacks {part}", ctx.backend, answer.1);
        }
        // SAFETY: no elements and no segments.
        let status = unsafe {
            gpumex_segmented_reduce(ctx.handle, &plain(), null(), 0, null(), 0, null(), null_mut())
        };
        ok(status, "nothing at all");
    }
}
