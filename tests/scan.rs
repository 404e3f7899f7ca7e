//! Scan: every operator, dtype and kind on every backend agrees with a plain loop, sums and products of floats within the bound.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::{ReduceOptions, ScanOptions, gpumex_reduce, gpumex_scan};
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::operator::Operator;
use gpumex::model::variant::Variant;
use gpumex::ops::scan::ScanKind;

use crate::common::*;
use crate::matmul::ways::tune;
use crate::operands::samples::*;

const LARGEST: usize = if cfg!(debug_assertions) { 135_001 } else { 1_000_003 };
const SIZES: [usize; 14] = [0, 1, 2, 3, 33, 1000, 4799, 4800, 4801, 9601, 19_200, 19_201, 65_537, LARGEST];

// -------------------------------------------------------------------------------------------------------------- the call

#[derive(Clone, Copy, Debug)]
struct Case {
    variant: Variant,
    op: Operator,
    kind: ScanKind,
    in_place: bool,
    memory: [Kind; 3],
}

const PLAIN: Case = Case {
    variant: Variant::Auto,
    op: Operator::Sum,
    kind: ScanKind::Exclusive,
    in_place: false,
    memory: [None; 3],
};

fn options<T: Number>(case: Case) -> ScanOptions {
    ScanOptions {
        variant: case.variant as i32,
        dtype: T::DTYPE as i32,
        op: case.op as i32,
        kind: case.kind as i32,
        ..ScanOptions::default()
    }
}

/// The prefixes, and the total behind them.
#[track_caller]
fn scan<T: Number>(ctx: &Context, case: Case, data: &[T]) -> Vec<T> {
    let what = format!("gpumex_scan on {:?}, {case:?}, {} of {:?}", ctx.backend, data.len(), T::DTYPE);
    let mut from = Placed::holding(ctx, case.memory[0], data);
    let mut result = Placed::<T>::new(ctx, case.memory[1], data.len());
    let mut total = Placed::<T>::new(ctx, case.memory[2], 1);
    let (at, total_at) = (from.as_mut_ptr(), total.as_mut_ptr());
    let to = if case.in_place { at } else { result.as_mut_ptr() };
    // SAFETY: as many elements as data has, one total.
    ok(unsafe { gpumex_scan(ctx.handle, &options::<T>(case), at, data.len(), to, total_at) }, &what);
    let mut written = if case.in_place { from.written() } else { result.written() };
    written.extend(total.written());
    written
}

// ------------------------------------------------------------------------------------------------------------ the oracle

/// got is what a plain loop finds, with the total behind it; sums and products of floats within γ_n Σ|x| and γ_n |Π|.
#[track_caller]
fn agrees<T: Sample>(got: &[T], case: Case, data: &[T], backend: &str) {
    let what = format!("{backend}, {case:?}, {} elements of {:?}", data.len(), T::DTYPE);
    let (mut want, mut prefix) = (vec![], T::identity(case.op));
    for &value in data {
        let before = prefix;
        prefix = T::apply(case.op, prefix, value);
        want.push(if case.kind == ScanKind::Inclusive { prefix } else { before });
    }
    want.push(prefix);
    if T::UNIT_ROUNDOFF == 0.0 || !matches!(case.op, Operator::Sum | Operator::Product) {
        let is_nan = |value: &T| value.wide().is_nan();
        let other =
            |values: &[T]| values.iter().map(|x| if is_nan(x) { 0 } else { x.bits() }).collect::<Vec<_>>();
        assert!(got.iter().zip(&want).all(|(got, want)| is_nan(got) == is_nan(want)), "{what}: NaN differ");
        return assert_same(&other(got), &other(&want), what);
    }
    assert_eq!(got.len(), want.len(), "{what}");
    let is_sum = case.op == Operator::Sum;
    let (mut exact, mut size) = if is_sum { (0.0, 0.0) } else { (1.0, 1.0) };
    for (i, got) in got.iter().enumerate() {
        let taken = if i == data.len() { None } else { Some(data[i].wide()) };
        let (before, size_before) = (exact, size);
        if let Some(x) = taken {
            exact = if is_sum { exact + x } else { exact * x };
            size = if is_sum { size + x.abs() } else { exact.abs() };
        }
        let is_behind = taken.is_none() || case.kind == ScanKind::Inclusive;
        let (want, size) = if is_behind { (exact, size) } else { (before, size_before) };
        let nu = (i + 1) as f64 * T::UNIT_ROUNDOFF;
        let bound = nu / (1.0 - nu) * size * 1.001 + f64::from(f32::MIN_POSITIVE);
        let got = got.wide();
        assert!(
            (got - want).abs() <= bound,
            "{what}: index {i}: got {got:e}, want {want:e} within {bound:e}"
        );
    }
}

fn every_case(ctx: &Context) -> Vec<Case> {
    let variants = ctx.variants().into_iter();
    let kinds =
        variants.flat_map(|variant| ScanKind::ALL.iter().map(move |&kind| Case { variant, kind, ..PLAIN }));
    kinds.flat_map(|case| [false, true].map(|in_place| Case { in_place, ..case })).collect()
}

// ------------------------------------------------------------------------------------------------------- sizes and places

fn every_length<T: Sample>(ctx: &Context) {
    for (len, case) in
        SIZES.into_iter().flat_map(|len| every_case(ctx).into_iter().map(move |case| (len, case)))
    {
        if is_not_in_small_share() {
            continue;
        }
        let data = numbers::<T>(len as u64 + 1, len);
        for op in operators::<T>().filter(|&op| len < 10_000 || op == Operator::Sum || op == Operator::Max) {
            let case = Case { op, ..case };
            agrees(&scan(ctx, case, &data), case, &data, &format!("{:?}", ctx.backend));
        }
    }
}

#[test]
fn every_operator_agrees_with_the_plain_loop_at_every_length() {
    for ctx in backends() {
        for_every_operand!(every_length(&ctx));
    }
}

/// AUTO takes them for more elements than the registers of a device hold; a number of threads asks for them.
#[test]
fn tiles_agree_with_the_plain_loop_at_every_length_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    tune(&cuda, c"scan", [512, 1]);
    for_every_operand!(every_length(&cuda));
}

/// The last lengths that a cluster, and the registers of 132 multiprocessors, hold, and the next ones.
#[test]
fn arrays_at_the_limits_of_each_way_are_scanned_on_cuda() {
    fn of<T: Sample>(ctx: &Context, lengths: [usize; 4]) {
        for len in lengths {
            let data: Vec<T> = (0..len).map(|i| T::from_f64((i % 5) as f64)).collect();
            let got = scan(ctx, PLAIN, &data);
            let sum = |n: usize| T::from_f64((n / 5 * 10 + [0, 0, 1, 3, 6][n % 5]) as f64);
            for at in [0, 1, 4096, 65_536, len / 2, len - 1] {
                assert_same_bits(
                    &got[at..][..1],
                    &[sum(at)],
                    format!("{len} of {:?}: element {at}", T::DTYPE),
                );
            }
        }
    }
    let Some(cuda) = Context::cuda() else { return };
    of::<u32>(&cuda, [131_072, 131_073, 4_325_376, 4_325_377]);
    of::<f64>(&cuda, [65_536, 65_537, 2_162_688, 2_162_689]);
}

/// Products of floats are powers of two, of which no product of some of the factors overflows; those of integers wrap.
fn long_products<T: Sample>(ctx: &Context) {
    let factor = |i: usize| match (T::UNIT_ROUNDOFF == 0.0, i % 20_011) {
        (true, _) => [3.0, 5.0, 7.0][i % 3],
        (false, 5) => 2.0,
        (false, 7_000) => 0.5,
        (false, place) if place % 3 == 0 => -1.0,
        (false, _) => 1.0,
    };
    let data: Vec<T> = (0..LARGEST).map(|i| T::from_f64(factor(i))).collect();
    let mut prefix = T::identity(Operator::Product);
    let want: Vec<T> = data
        .iter()
        .map(|&factor| {
            prefix = T::apply(Operator::Product, prefix, factor);
            prefix
        })
        .collect();
    let case = Case { op: Operator::Product, kind: ScanKind::Inclusive, ..PLAIN };
    let got = scan(ctx, case, &data);
    assert_same_bits(&got[..LARGEST], &want, format!("{:?}, products of {:?}", ctx.backend, T::DTYPE));
}

#[test]
fn products_of_long_arrays_are_exact() {
    for ctx in backends() {
        for_every_operand!(long_products(&ctx));
    }
}

#[test]
fn arrays_of_every_pattern_are_scanned() {
    let up: Vec<i32> = (-15_000..15_003).collect();
    let patterns = [up.clone(), up.into_iter().rev().collect(), vec![-7; 40_001], numbers(3, 70_000)];
    for ctx in backends() {
        for (data, op) in patterns.iter().flat_map(|data| operators::<i32>().map(move |op| (data, op))) {
            let case = Case { op, kind: ScanKind::Inclusive, ..PLAIN };
            agrees(&scan(&ctx, case, data), case, data, "patterns");
        }
    }
}

#[test]
fn every_kind_of_memory_is_scanned() {
    let data = numbers::<i64>(5, 20_001);
    for ctx in backends() {
        let kinds = EVERYWHERE.into_iter().flat_map(|data| EVERYWHERE.map(|result| [data, result]));
        for memory in kinds.flat_map(|[data, result]| EVERYWHERE.map(|total| [data, result, total])) {
            for case in every_case(&ctx) {
                let case = Case { memory, ..case };
                agrees(&scan(&ctx, case, &data), case, &data, "memory");
            }
        }
    }
}

#[test]
fn arrays_of_any_alignment_are_scanned() {
    let data = numbers::<u32>(6, 30_000);
    for ctx in backends() {
        for (from, to) in (0..4).flat_map(|from| (0..4).map(move |to| (from, to))) {
            let device = Some(MemoryKind::Device);
            let mut source = Placed::holding(&ctx, device, &data);
            let mut target = Placed::<u32>::new(&ctx, device, data.len());
            let at = source.as_ptr::<u32>().wrapping_add(from).cast();
            let place = target.as_mut_ptr::<u32>().wrapping_add(to).cast();
            let what = format!("{:?}, {from} and {to} elements off", ctx.backend);
            // SAFETY: 29000 elements from there on.
            let status =
                unsafe { gpumex_scan(ctx.handle, &options::<u32>(PLAIN), at, 29_000, place, null_mut()) };
            ok(status, &what);
            let got = target.written();
            let mut sum = 0u32;
            let want = data[from..from + 29_000].iter().map(|&x| {
                sum = sum.wrapping_add(x);
                sum.wrapping_sub(x)
            });
            assert_same(&got[to..to + 29_000], &want.collect::<Vec<_>>(), &what);
            assert!(
                got[..to].iter().chain(&got[to + 29_000..]).all(|&x| x == u32::POISON),
                "{what}: wrote beside"
            );
        }
    }
}

// --------------------------------------------------------------------------------------------------------------- meaning

#[test]
fn the_last_inclusive_prefix_is_the_total_and_the_reduction() {
    let data = numbers::<u64>(9, 50_000);
    for ctx in backends() {
        let got = scan(&ctx, Case { kind: ScanKind::Inclusive, ..PLAIN }, &data);
        assert_eq!(got[49_999], got[50_000]);
        let (options, mut sum) =
            (ReduceOptions { dtype: Dtype::U64 as i32, ..ReduceOptions::default() }, 0u64);
        let (at, to) = (data.as_ptr().cast(), (&raw mut sum).cast());
        // SAFETY: 50000 elements, one result.
        ok(unsafe { gpumex_reduce(ctx.handle, &options, at, data.len(), to) }, "gpumex_reduce");
        assert_eq!(sum, got[50_000]);
    }
}

#[test]
fn extremes_pass_over_nan() {
    for ctx in backends() {
        for variant in ctx.variants() {
            let case = Case { variant, op: Operator::Max, kind: ScanKind::Inclusive, ..PLAIN };
            let got = scan(&ctx, case, &[f32::NAN, f32::NAN, -3.0, f32::NAN, 2.0, 1.0]);
            assert!(got[0].is_nan() && got[1].is_nan());
            assert_eq!(got[2..], [-3.0, -3.0, 2.0, 2.0, 2.0]);
        }
    }
}

#[test]
fn the_same_array_gives_the_same_bits() {
    let data = numbers::<f32>(21, 300_007);
    for ctx in backends() {
        let once = scan(&ctx, PLAIN, &data);
        for case in [PLAIN; 5].into_iter().chain([Case { in_place: true, ..PLAIN }]) {
            assert_same_bits(&scan(&ctx, case, &data), &once, format!("{:?}, {case:?}", ctx.backend));
        }
    }
}

#[test]
fn a_total_can_be_left_out() {
    for ctx in backends() {
        let (data, mut result, options) = ([1.0f32, 2.0, 3.0], [0.0f32; 3], options::<f32>(PLAIN));
        let (at, to) = (data.as_ptr().cast(), result.as_mut_ptr().cast());
        // SAFETY: three elements each.
        ok(unsafe { gpumex_scan(ctx.handle, &options, at, 3, to, null_mut()) }, "no total");
        assert_eq!(result, [0.0, 1.0, 3.0]);
        // SAFETY: no elements.
        ok(unsafe { gpumex_scan(ctx.handle, &options, null(), 0, null_mut(), null_mut()) }, "nothing at all");
    }
}

// -------------------------------------------------------------------------------------------------------------- bad input

#[test]
fn bad_input_is_refused_with_a_sentence() {
    for ctx in backends() {
        let mut memory = [1.0f32; 32];
        let at: *mut c_void = memory.as_mut_ptr().cast();
        let place = |element: usize| at.wrapping_byte_add(4 * element);
        let call =
            |options: ScanOptions, from: *const c_void, count: usize, to: *mut c_void, total: *mut c_void| {
                // SAFETY: within the 32 elements, or a call that is refused before it looks at them.
                unsafe { gpumex_scan(ctx.handle, &options, from, count, to, total) }
            };
        let plain = options::<f32>(PLAIN);
        refused(call(plain, null(), 8, place(8), null_mut()), Status::NullPointer, &["data"], "data is NULL");
        refused(
            call(plain, at, 8, null_mut(), null_mut()),
            Status::NullPointer,
            &["result"],
            "result is NULL",
        );
        let overlap = &["result", "overlaps", "the same"];
        refused(
            call(plain, at, 8, place(1), null_mut()),
            Status::InvalidArgument,
            overlap,
            "result overlaps data",
        );
        let total = &["total", "overlaps"];
        refused(
            call(plain, at, 8, place(8), place(7)),
            Status::InvalidArgument,
            total,
            "total overlaps data",
        );
        refused(
            call(plain, at, 8, place(8), place(8)),
            Status::InvalidArgument,
            total,
            "total overlaps result",
        );
        let off = at.wrapping_byte_add(1);
        refused(
            call(plain, off, 2, place(8), null_mut()),
            Status::InvalidArgument,
            &["multiple"],
            "alignment",
        );
        let huge = usize::MAX / 2;
        refused(call(plain, at, huge, place(8), null_mut()), Status::InvalidArgument, &["data"], "a size");
        for (options, status, words) in [
            (
                ScanOptions { op: first_unknown::<Operator>(), ..plain },
                Status::InvalidArgument,
                "gpumex_operator",
            ),
            (
                ScanOptions { kind: first_unknown::<ScanKind>(), ..plain },
                Status::InvalidArgument,
                "gpumex_scan_kind",
            ),
            (
                ScanOptions { dtype: first_unknown::<Dtype>(), ..plain },
                Status::InvalidArgument,
                "gpumex_dtype",
            ),
            (
                ScanOptions { variant: first_unknown::<Variant>(), ..plain },
                Status::InvalidArgument,
                "gpumex_variant",
            ),
            (ScanOptions { op: Operator::And as i32, ..plain }, Status::Unsupported, "GPUMEX_OPERATOR_AND"),
            (ScanOptions { dtype: Dtype::F16 as i32, ..plain }, Status::Unsupported, "GPUMEX_DTYPE_F16"),
        ] {
            refused(call(options, at, 8, place(8), null_mut()), status, &[words], words);
        }
    }
}
