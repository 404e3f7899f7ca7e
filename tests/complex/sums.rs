//! Sums of complex numbers: gpumex_reduce, gpumex_reduce_dim, gpumex_scan and gpumex_scan_dim.

use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::{ReduceDimOptions, ReduceOptions, ScanDimOptions, ScanOptions};
use gpumex::ffi::{gpumex_reduce, gpumex_reduce_dim, gpumex_scan, gpumex_scan_dim};
use gpumex::model::dtype::Dtype;
use gpumex::model::operator::Operator;
use gpumex::model::reduction::{DimReduction, NanFlag};
use gpumex::model::variant::Variant;

use super::number::{C, decoded, encoded, rounded};
use crate::common::*;

const DTYPES: [(Dtype, Dtype); 3] =
    [(Dtype::C64, Dtype::C64), (Dtype::C64, Dtype::C128), (Dtype::C128, Dtype::C128)];

fn numbers(random: &mut impl Rng, dtype: Dtype, count: usize) -> Vec<C> {
    let all: Vec<C> =
        (0..count).map(|_| C(random.random_range(-1.0..1.0), random.random_range(-1.0..1.0))).collect();
    rounded(dtype, &all)
}

/// Whether a sum of so many numbers up to √2 is within the bound.
#[track_caller]
fn is_near(found: C, want: C, count: usize, to: Dtype) {
    let unit = if to == Dtype::C64 { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let bound = unit * (count as f64 + 1.0) * count as f64;
    assert!((found - want).abs() <= bound, "{found:?}, not {want:?}, of {count}");
}

#[test]
fn sums_along_a_dimension() {
    let mut random = random(71);
    for ctx in backends() {
        for (dtype, to) in DTYPES {
            for (inner, count, outer) in
                [(1, 1, 1), (1, 1000, 3), (5, 17, 4), (33, 300, 2), (2, 0, 3), (0, 3, 3), (1, 70_001, 1)]
            {
                let data = numbers(&mut random, dtype, inner * count * outer);
                for kind in if inner == 5 { &EVERYWHERE[..] } else { &EVERYWHERE[..1] } {
                    for (variant, op) in ctx
                        .variants::<Variant>()
                        .into_iter()
                        .flat_map(|variant| [(variant, DimReduction::Sum), (variant, DimReduction::Mean)])
                    {
                        let mut from = Placed::holding(&ctx, *kind, &encoded(dtype, &data));
                        let mut result = Placed::<u8>::new(&ctx, *kind, inner * outer * to.size());
                        let options = ReduceDimOptions {
                            variant: variant as i32,
                            dtype: dtype as i32,
                            op: op as i32,
                            accumulator_dtype: if to == dtype { 0 } else { to as i32 },
                            ..ReduceDimOptions::default()
                        };
                        let (from, into) = (from.as_ptr(), result.as_mut_ptr());
                        // SAFETY: arrays of these extents.
                        let status = unsafe {
                            gpumex_reduce_dim(ctx.handle, &options, from, inner, count, outer, into)
                        };
                        ok(status, format!("{:?}, {dtype:?}, {inner} x {count} x {outer}", ctx.backend));
                        for (at, found) in decoded(to, &result.written()).into_iter().enumerate() {
                            let (i, k) = (at % inner, at / inner);
                            let sum = (0..count)
                                .fold(C(0.0, 0.0), |sum, j| sum + data[i + inner * (j + count * k)]);
                            if op == DimReduction::Sum {
                                is_near(found, sum, count, to);
                            } else if count == 0 {
                                assert!(found.0.is_nan() && found.1.is_nan());
                            } else {
                                is_near(found.scaled(count as f64), sum, count + 2, to);
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn prefixes_along_a_dimension() {
    let mut random = random(72);
    for ctx in backends() {
        for (dtype, to) in DTYPES {
            for (inner, count, outer) in
                [(1, 1, 1), (1, 1000, 3), (5, 17, 4), (33, 300, 2), (2, 0, 3), (1, 70_001, 1)]
            {
                let data = numbers(&mut random, dtype, inner * count * outer);
                for (variant, is_inclusive, reverse) in ctx
                    .variants::<Variant>()
                    .into_iter()
                    .flat_map(|variant| [(variant, 1, 0), (variant, 0, 0), (variant, 1, 1)])
                {
                    for in_place in [false, to == dtype] {
                        let mut from = Placed::holding(&ctx, None, &encoded(dtype, &data));
                        let mut result = match in_place {
                            true => Placed::holding(&ctx, None, &encoded(dtype, &data)),
                            false => Placed::<u8>::new(&ctx, None, data.len() * to.size()),
                        };
                        let options = ScanDimOptions {
                            variant: variant as i32,
                            dtype: dtype as i32,
                            kind: is_inclusive,
                            accumulator_dtype: to as i32,
                            reverse,
                            ..ScanDimOptions::default()
                        };
                        let into = result.as_mut_ptr();
                        let from = if in_place { result.as_ptr() } else { from.as_ptr() };
                        // SAFETY: arrays of these extents.
                        let status =
                            unsafe { gpumex_scan_dim(ctx.handle, &options, from, inner, count, outer, into) };
                        ok(status, format!("{:?}, {dtype:?}, {inner} x {count} x {outer}", ctx.backend));
                        let found = decoded(to, &result.written());
                        for (i, k) in (0..inner).flat_map(|i| (0..outer).map(move |k| (i, k))) {
                            let mut sum = C(0.0, 0.0);
                            for step in 0..count {
                                let j = if reverse == 1 { count - 1 - step } else { step };
                                let at = i + inner * (j + count * k);
                                let before = sum;
                                sum = sum + data[at];
                                is_near(
                                    found[at],
                                    if is_inclusive == 1 { sum } else { before },
                                    step + 1,
                                    to,
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn sums_and_prefixes_of_an_array() {
    let mut random = random(73);
    for ctx in backends() {
        for (dtype, to) in DTYPES {
            for count in [0, 1, 2, 1000, 70_001] {
                let data = numbers(&mut random, dtype, count);
                let want = data.iter().fold(C(0.0, 0.0), |sum, &z| sum + z);
                for variant in ctx.variants::<Variant>() {
                    let mut from = Placed::holding(&ctx, None, &encoded(dtype, &data));
                    let [mut result, mut copy, mut total] =
                        [(); 3].map(|()| Placed::<u8>::new(&ctx, None, to.size()));
                    let options = ReduceOptions {
                        variant: variant as i32,
                        dtype: dtype as i32,
                        accumulator_dtype: to as i32,
                        result_copy: copy.as_mut_ptr(),
                        ..ReduceOptions::default()
                    };
                    // SAFETY: count elements, and one.
                    let status = unsafe {
                        gpumex_reduce(ctx.handle, &options, from.as_ptr(), count, result.as_mut_ptr())
                    };
                    ok(status, format!("{:?}, {dtype:?}, {count}", ctx.backend));
                    let (found, copied) =
                        (decoded(to, &result.written())[0], decoded(to, &copy.written())[0]);
                    is_near(found, want, count, to);
                    assert_eq!(found, copied);
                    let mut prefixes = Placed::<u8>::new(&ctx, None, count * to.size());
                    let options = ScanOptions {
                        variant: variant as i32,
                        dtype: dtype as i32,
                        op: Operator::Sum as i32,
                        accumulator_dtype: to as i32,
                        ..ScanOptions::default()
                    };
                    let (into, last) = (prefixes.as_mut_ptr(), total.as_mut_ptr());
                    // SAFETY: count elements each, and one.
                    let status =
                        unsafe { gpumex_scan(ctx.handle, &options, from.as_ptr(), count, into, last) };
                    ok(status, format!("{:?}, {dtype:?}, {count}", ctx.backend));
                    is_near(decoded(to, &total.written())[0], want, count, to);
                    let mut sum = C(0.0, 0.0);
                    for (at, found) in decoded(to, &prefixes.written()).into_iter().enumerate() {
                        is_near(found, sum, at + 1, to);
                        sum = sum + data[at];
                    }
                }
            }
        }
    }
}

/// Numbers of a size near 1.
fn factors(random: &mut impl Rng, dtype: Dtype, count: usize) -> Vec<C> {
    let all = (0..count)
        .map(|_| C(0.0, random.random_range(-3.0..3.0)).exp().scaled(random.random_range(0.9..1.1)));
    rounded(dtype, &all.collect::<Vec<_>>())
}

#[test]
fn products_along_a_dimension_and_of_an_array() {
    let mut random = random(74);
    for ctx in backends() {
        for (dtype, to) in DTYPES {
            let unit = if to == Dtype::C64 { f64::from(f32::EPSILON) } else { f64::EPSILON };
            for (inner, count, outer) in
                [(1, 0, 1), (2, 1, 3), (1, 2, 1), (3, 5, 4), (1, 1000, 1), (33, 100, 2)]
            {
                let data = factors(&mut random, dtype, inner * count * outer);
                for variant in ctx.variants::<Variant>() {
                    for kind in if inner == 3 { &EVERYWHERE[..] } else { &EVERYWHERE[..1] } {
                        let mut from = Placed::holding(&ctx, *kind, &encoded(dtype, &data));
                        let mut result = Placed::<u8>::new(&ctx, *kind, inner * outer * to.size());
                        let (variant, accumulator_dtype) = (variant as i32, to as i32);
                        let options = ReduceDimOptions {
                            variant,
                            dtype: dtype as i32,
                            op: DimReduction::Product as i32,
                            accumulator_dtype,
                            ..ReduceDimOptions::default()
                        };
                        let (from, into) = (from.as_ptr(), result.as_mut_ptr());
                        // SAFETY: arrays of these extents.
                        let status = unsafe {
                            gpumex_reduce_dim(ctx.handle, &options, from, inner, count, outer, into)
                        };
                        ok(status, format!("{:?}, {dtype:?}, {inner} x {count} x {outer}", ctx.backend));
                        let mut found = decoded(to, &result.written());
                        if inner * outer == 1 {
                            let mut result = Placed::<u8>::new(&ctx, *kind, to.size());
                            let op = Operator::Product as i32;
                            let (dtype, into) = (dtype as i32, result.as_mut_ptr());
                            let options = ReduceOptions {
                                variant,
                                dtype,
                                op,
                                accumulator_dtype,
                                ..ReduceOptions::default()
                            };
                            // SAFETY: count elements, and one.
                            ok(unsafe { gpumex_reduce(ctx.handle, &options, from, count, into) }, "reduce");
                            found.extend(decoded(to, &result.written()));
                        }
                        for (at, found) in found.into_iter().enumerate() {
                            let (i, k) = (at % inner, at / inner % outer);
                            let want = (0..count)
                                .fold(C(1.0, 0.0), |all, j| all * data[i + inner * (j + count * k)]);
                            let bound = (4.0 * count as f64 + 1.0) * unit * want.abs();
                            assert!((found - want).abs() <= bound, "{found:?}, not {want:?}, of {count}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_no_sum_is_refused() {
    let one = [1.0f64, 2.0];
    let from = (&raw const one).cast();
    for ctx in backends() {
        let mut result = [7.0f64; 2];
        let to = result.as_mut_ptr().cast();
        for op in [DimReduction::Max, DimReduction::Min, DimReduction::Any, DimReduction::Count] {
            let options =
                ReduceDimOptions { dtype: Dtype::C128 as i32, op: op as i32, ..ReduceDimOptions::default() };
            // SAFETY: one element each.
            let status = unsafe { gpumex_reduce_dim(ctx.handle, &options, from, 1, 1, 1, to) };
            refused(
                status,
                Status::Unsupported,
                &["of complex numbers SUM, PRODUCT and MEAN are served"],
                format!("{op:?}"),
            );
        }
        let omit = ReduceDimOptions {
            dtype: Dtype::C128 as i32,
            nan: NanFlag::Omit as i32,
            ..ReduceDimOptions::default()
        };
        // SAFETY: as above.
        let status = unsafe { gpumex_reduce_dim(ctx.handle, &omit, from, 1, 1, 1, to) };
        refused(status, Status::Unsupported, &["of complex numbers NaN is not left out"], "OMIT");
        let options =
            ReduceOptions { dtype: Dtype::C128 as i32, op: Operator::Max as i32, ..ReduceOptions::default() };
        // SAFETY: as above.
        let status = unsafe { gpumex_reduce(ctx.handle, &options, from, 1, to) };
        refused(status, Status::Unsupported, &["of complex numbers SUM and PRODUCT are served"], "MAX");
        let options = ScanOptions {
            dtype: Dtype::C128 as i32,
            accumulator_dtype: Dtype::F64 as i32,
            ..ScanOptions::default()
        };
        // SAFETY: as above.
        let status = unsafe { gpumex_scan(ctx.handle, &options, from, 1, to, null_mut()) };
        refused(
            status,
            Status::InvalidArgument,
            &["complex numbers are accumulated in dtype or C128"],
            "F64",
        );
        assert_eq!(result, [7.0; 2]);
    }
}
