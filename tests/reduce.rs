//! Reduction: every operator and dtype on every backend agrees with a plain loop, sums and products of floats within the bound.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::{ReduceOptions, gpumex_reduce};
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::model::operator::Operator;
use gpumex::model::variant::Variant;

use crate::common::*;
use crate::operands::samples::*;

const SIZES: [usize; 14] = [0, 1, 2, 3, 31, 33, 1000, 4095, 4096, 4097, 16_384, 16_385, 135_000, 1_000_003];

// -------------------------------------------------------------------------------------------------------------- the call

#[track_caller]
fn reduce<T: Number>(ctx: &Context, variant: Variant, op: Operator, kinds: [Kind; 2], data: &[T]) -> T {
    let what = format!("gpumex_reduce on {:?}, {variant:?}, {op:?}, {:?}, {kinds:?}", ctx.backend, T::DTYPE);
    let options = ReduceOptions {
        variant: variant as i32,
        dtype: T::DTYPE as i32,
        op: op as i32,
        ..ReduceOptions::default()
    };
    let (mut from, mut result) = (Placed::holding(ctx, kinds[0], data), Placed::<T>::new(ctx, kinds[1], 1));
    let (at, to) = (from.as_ptr(), result.as_mut_ptr());
    // SAFETY: as many elements as data has, one result.
    ok(unsafe { gpumex_reduce(ctx.handle, &options, at, data.len(), to) }, what);
    result.written()[0]
}

// ------------------------------------------------------------------------------------------------------------ the oracle

/// got is what a plain loop finds; sums and products of floats within γ_n Σ|x| and γ_n |Π|.
#[track_caller]
fn agrees<T: Sample>(got: T, op: Operator, data: &[T], what: &str) {
    let what = format!("{what}, {op:?}, {} elements of {:?}", data.len(), T::DTYPE);
    let plain = data.iter().fold(T::identity(op), |left, &right| T::apply(op, left, right));
    let nu = data.len() as f64 * T::UNIT_ROUNDOFF;
    let (want, size) = match op {
        Operator::Sum => (data.iter().map(|x| x.wide()).sum(), data.iter().map(|x| x.wide().abs()).sum()),
        _ => {
            let product: f64 = data.iter().map(|x| x.wide()).product();
            (product, product.abs() + f64::from(f32::MIN_POSITIVE))
        }
    };
    match op {
        Operator::Sum | Operator::Product if nu > 0.0 => {
            let bound = nu / (1.0 - nu) * size * 1.0001;
            assert!(
                (got.wide() - want).abs() <= bound,
                "{what}: got {got:?}, want {want:e} within {bound:e}"
            );
        }
        _ if plain.wide().is_nan() => assert!(got.wide().is_nan(), "{what}: got {got:?}, want NaN"),
        _ => assert_same_bits(&[got], &[plain], what),
    }
}

// ------------------------------------------------------------------------------------------------------- sizes and places

fn every_length<T: Sample>(ctx: &Context) {
    for (len, variant) in SIZES.into_iter().flat_map(|len| ctx.variants().into_iter().map(move |v| (len, v)))
    {
        let data = numbers::<T>(len as u64 + 1, len);
        for op in operators::<T>() {
            let got = reduce(ctx, variant, op, [None; 2], &data);
            agrees(got, op, &data, &format!("{:?}, {variant:?}", ctx.backend));
        }
    }
}

#[test]
fn every_operator_agrees_with_the_plain_loop_at_every_length() {
    for ctx in backends() {
        for_every_operand!(every_length(&ctx));
    }
}

#[test]
fn arrays_of_every_pattern_are_reduced() {
    let up: Vec<i32> = (-5000..5003).collect();
    let patterns = [up.clone(), up.into_iter().rev().collect(), vec![-7; 9001], numbers(3, 20_000)];
    for ctx in backends() {
        for (data, op) in patterns.iter().flat_map(|data| operators::<i32>().map(move |op| (data, op))) {
            agrees(reduce(&ctx, Variant::Auto, op, [None; 2], data), op, data, "patterns");
        }
    }
}

#[test]
fn every_kind_of_memory_is_reduced() {
    let data = numbers::<f64>(5, 20_001);
    for ctx in backends() {
        for kinds in EVERYWHERE.into_iter().flat_map(|data| EVERYWHERE.map(|result| [data, result])) {
            for (variant, op) in ctx
                .variants()
                .into_iter()
                .flat_map(|variant| [(variant, Operator::Sum), (variant, Operator::Min)])
            {
                agrees(reduce(&ctx, variant, op, kinds, &data), op, &data, &format!("{kinds:?}"));
            }
        }
    }
}

#[test]
fn arrays_of_any_alignment_have_the_same_bits() {
    let data = numbers::<f32>(6, 60_000);
    for ctx in backends() {
        let mut sums = vec![];
        for (off, len) in (0..5).flat_map(|off| [(off, 4900), (off, 59_000)]) {
            let device = Some(MemoryKind::Device);
            let shifted: Vec<f32> = [&data[..off], &data[..len]].concat();
            let mut from = Placed::holding(&ctx, device, &shifted);
            let (at, mut result) = (from.as_ptr::<f32>().wrapping_add(off).cast(), Output::<f32>::new(1));
            let what = format!("{:?}, {off} elements off", ctx.backend);
            let options = ReduceOptions { dtype: Dtype::F32 as i32, ..ReduceOptions::default() };
            // SAFETY: `len` elements from there on, one result.
            ok(unsafe { gpumex_reduce(ctx.handle, &options, at, len, result.as_mut_ptr().cast()) }, &what);
            sums.push((len, result.written(&what)[0].to_bits()));
        }
        sums.sort_unstable();
        sums.dedup();
        assert_eq!(sums.len(), 2, "{:?}: {sums:?}", ctx.backend);
    }
}

// --------------------------------------------------------------------------------------------------------------- meaning

fn identities<T: Sample>(ctx: &Context) {
    for (variant, op) in ctx.variants().into_iter().flat_map(|v| operators::<T>().map(move |op| (v, op))) {
        agrees(reduce::<T>(ctx, variant, op, [None; 2], &[]), op, &[], "nothing");
    }
}

#[test]
fn the_default_operator_is_the_sum() {
    let data: Vec<u32> = numbers(22, 5003);
    let want = data.iter().fold(0u32, |sum, &x| sum.wrapping_add(x));
    for ctx in backends() {
        for variant in ctx.variants() {
            assert_eq!(reduce(&ctx, variant, Operator::Default, [None; 2], &data), want);
        }
    }
}

#[test]
fn nothing_gives_the_identity() {
    for ctx in backends() {
        for_every_operand!(identities(&ctx));
        assert_eq!(reduce::<i64>(&ctx, Variant::Auto, Operator::Max, [None; 2], &[]), i64::MIN);
        assert!(reduce::<f32>(&ctx, Variant::Auto, Operator::Max, [None; 2], &[]).is_nan());
    }
}

#[test]
fn extremes_pass_over_nan_and_tell_the_zeros_apart() {
    for ctx in backends() {
        for variant in ctx.variants() {
            let extreme = |op, data: &[f32]| reduce(&ctx, variant, op, [None; 2], data);
            let mut data = vec![f32::NAN; 30_000];
            assert!(extreme(Operator::Min, &data).is_nan() && extreme(Operator::Max, &data).is_nan());
            data[20_001] = -3.5;
            data[17] = f32::NEG_INFINITY;
            assert_eq!(extreme(Operator::Min, &data), f32::NEG_INFINITY);
            assert_eq!(extreme(Operator::Max, &data), -3.5);
            let zeros = [0.0, -0.0, 0.0, -0.0, 0.0];
            assert!(extreme(Operator::Min, &zeros).is_sign_negative());
            assert!(extreme(Operator::Max, &zeros).is_sign_positive());
        }
    }
}

#[test]
fn what_is_not_finite_shows_in_sums() {
    for ctx in backends() {
        for variant in ctx.variants() {
            let with = |value: f64| {
                let mut data = vec![1.0; 40_000];
                data[39_123] = value;
                reduce(&ctx, variant, Operator::Sum, [None; 2], &data)
            };
            assert!(with(f64::NAN).is_nan() && with(f64::INFINITY) == f64::INFINITY);
            assert_eq!(with(3.0), 40_002.0);
        }
    }
}

#[test]
fn the_same_array_gives_the_same_bits() {
    let data = numbers::<f32>(21, 300_007);
    for ctx in backends() {
        let once = reduce(&ctx, Variant::Auto, Operator::Sum, [None; 2], &data);
        for _ in 0..10 {
            let again = reduce(&ctx, Variant::Auto, Operator::Sum, [None; 2], &data);
            assert_eq!(again.to_bits(), once.to_bits(), "{:?}", ctx.backend);
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- bad input

#[test]
fn bad_input_is_refused_with_a_sentence() {
    for ctx in backends() {
        let mut data = [1.0f32; 8];
        let at: *mut c_void = data.as_mut_ptr().cast();
        let call = |options: ReduceOptions, from: *const c_void, count: usize, to: *mut c_void| {
            // SAFETY: at most 8 elements and one result, or a call that is refused before it looks at them.
            unsafe { gpumex_reduce(ctx.handle, &options, from, count, to) }
        };
        let plain = ReduceOptions { dtype: Dtype::F32 as i32, ..ReduceOptions::default() };
        let last = at.wrapping_byte_add(28);
        refused(call(plain, null(), 7, last), Status::NullPointer, &["data"], "data is NULL");
        refused(call(plain, at, 7, null_mut()), Status::NullPointer, &["result"], "result is NULL");
        refused(call(plain, at, 8, last), Status::InvalidArgument, &["result", "overlaps"], "overlap");
        refused(
            call(plain, at.wrapping_byte_add(1), 2, last),
            Status::InvalidArgument,
            &["data", "multiple"],
            "alignment",
        );
        refused(call(plain, at, usize::MAX, last), Status::InvalidArgument, &["data"], "a size");
        let op = |op| ReduceOptions { op, ..plain };
        refused(
            call(op(first_unknown::<Operator>()), at, 7, last),
            Status::InvalidArgument,
            &["gpumex_operator"],
            "no operator",
        );
        refused(
            call(op(Operator::Xor as i32), at, 7, last),
            Status::Unsupported,
            &["options.op is GPUMEX_OPERATOR_XOR"],
            "bits of floats",
        );
        let dtype = |dtype| ReduceOptions { dtype, ..plain };
        refused(
            call(dtype(Dtype::F16 as i32), at, 7, last),
            Status::Unsupported,
            &["GPUMEX_DTYPE_F16"],
            "halves",
        );
        let words = ["GPUMEX_DTYPE_I8", "options.accumulator_dtype"];
        refused(
            call(dtype(Dtype::I8 as i32), at, 7, last),
            Status::InvalidArgument,
            &words,
            "no accumulator",
        );
        refused(
            call(dtype(first_unknown::<Dtype>()), at, 7, last),
            Status::InvalidArgument,
            &["gpumex_dtype"],
            "no dtype",
        );
        let variant = ReduceOptions { variant: first_unknown::<Variant>(), ..plain };
        refused(call(variant, at, 7, last), Status::InvalidArgument, &["gpumex_variant"], "no variant");
        assert_eq!(call(plain, at, 7, last), 0);
        assert_eq!(data[7], 7.0);
    }
}
