//! Reductions, inner products, prefixes and histograms of parts.

use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};
use std::sync::Mutex;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::model::operator::Operator;
use gpumex::ops::scan::ScanKind;

use super::group::*;
use crate::common::*;

const LENGTHS: [usize; 4] = [0, 1, 5, 20_011];

fn numbers<T: Number>(len: usize) -> Vec<T> {
    let mut random = random(len as u64);
    (0..len).map(|_| T::from_f64(f64::from(random.random_range(0..97)))).collect()
}

/// What one context reduces all elements to.
fn reduced<T: Number, R: Number>(options: &ReduceOptions, data: &[T]) -> R {
    let ctx = Context::cpu();
    let mut result = [R::POISON];
    // SAFETY: as many elements as the slice has, and one result.
    let status = unsafe {
        gpumex_reduce(ctx.handle, options, data.as_ptr().cast(), data.len(), result.as_mut_ptr().cast())
    };
    ok(status, "one rank");
    result[0]
}

fn reduces<T: Number, R: Number>(group: &Group, options: &ReduceOptions) {
    for len in LENGTHS {
        reduces_parts::<T, R>(group, options, &cuts(len as u64, len, group.comms.len()));
    }
}

/// A rank has the elements from its cut to the next.
fn reduces_parts<T: Number, R: Number>(group: &Group, options: &ReduceOptions, cuts: &[usize]) {
    let shared = Shared::new(*options);
    let data = numbers::<T>(cuts[group.comms.len()]);
    let want = reduced::<T, R>(options, &data);
    let what = format!("{} ranks, {:?}, op {}, {}", group.comms.len(), T::DTYPE, options.op, data.len());
    group.run(|rank| {
        let part = &data[cuts[rank.rank]..cuts[rank.rank + 1]];
        let mut part = Placed::holding(rank.ctx, rank.kind(), part);
        let mut result = Placed::<R>::new(rank.ctx, rank.kind(), 1);
        let count = cuts[rank.rank + 1] - cuts[rank.rank];
        // SAFETY: count elements, and one result.
        let status = unsafe {
            gpumex_comm_reduce(rank.comm, &shared.get(), part.as_ptr(), count, result.as_mut_ptr())
        };
        ok(status, &what);
        assert_same_bits(&result.written(), &[want], &what);
    });
}

fn reduces_by_every_operator<T: Number>(group: &Group) {
    let is_float = matches!(T::DTYPE, Dtype::F32 | Dtype::F64);
    for op in
        [Operator::Default, Operator::Product, Operator::Min, Operator::Max, Operator::And, Operator::Xor]
    {
        if is_float && !matches!(op, Operator::Default | Operator::Min | Operator::Max) {
            continue; // sums of small whole numbers are exact
        }
        let options = ReduceOptions {
            dtype: T::DTYPE as i32,
            op: op as i32,
            accumulator_dtype: T::DTYPE as i32,
            ..Default::default()
        };
        reduces::<T, T>(group, &options);
    }
}

#[test]
fn reductions_of_parts_are_those_of_the_whole() {
    for_every_group(|group| {
        for_every_dtype!(reduces_by_every_operator(group): f32 f64 i8 i32 u64);
        let wider = ReduceOptions {
            dtype: Dtype::U8 as i32,
            accumulator_dtype: Dtype::U64 as i32,
            ..Default::default()
        };
        reduces::<u8, u64>(group, &wider);
    });
}

/// Several blocks of a device reduce a part of more than 16384 elements, each leaves a piece; other ranks have few elements, or none.
#[test]
fn parts_of_many_blocks_and_of_none_are_reduced() {
    fn by<T: Number>(group: &Group, op: Operator) {
        let counts = [100_003, 3, 0, 40_000, 0, 20_000, 1];
        let ends = counts.iter().scan(0, |end, count| {
            *end += count;
            Some(*end)
        });
        let cuts: Vec<usize> = [0].into_iter().chain(ends).collect();
        let options = ReduceOptions { dtype: T::DTYPE as i32, op: op as i32, ..ReduceOptions::default() };
        reduces_parts::<T, T>(group, &options, &cuts[..=group.comms.len()]);
    }
    for_every_group(|group| {
        by::<f64>(group, Operator::Sum);
        by::<f32>(group, Operator::Max);
        by::<i32>(group, Operator::Min);
        by::<u64>(group, Operator::Xor);
    });
}

/// Whether ranks join their parts by kernels or not.
#[test]
fn sums_of_complex_numbers_have_no_identity_but_zero() {
    for_every_group(|group| {
        let identity = [1.0f32, 0.0];
        let options = Shared::new(ReduceOptions {
            dtype: Dtype::C64 as i32,
            identity: identity.as_ptr().cast(),
            ..ReduceOptions::default()
        });
        group.run(|rank| {
            let mut part = Placed::holding(rank.ctx, rank.kind(), &[1.0f32; 20]);
            let mut result = Placed::<f32>::new(rank.ctx, rank.kind(), 2);
            // SAFETY: ten elements of two numbers, and one result.
            let status = unsafe {
                gpumex_comm_reduce(rank.comm, &options.get(), part.as_ptr(), 10, result.as_mut_ptr())
            };
            assert_eq!(status, Status::Unsupported as i32);
        });
    });
}

#[test]
fn expressions_join_parts_in_the_order_of_ranks() {
    let last_but_zero: &CStr = c"b != 0 ? b : a";
    let identity = [0i64];
    for_every_group(|group| {
        let options = ReduceOptions {
            dtype: Dtype::I64 as i32,
            expression: last_but_zero.as_ptr(),
            identity: identity.as_ptr().cast(),
            ..Default::default()
        };
        let options = Shared::new(options);
        let data: Vec<i64> = (0..3001).map(|i| i64::from(i % 3 == 1) * i).collect();
        let cuts = cuts(5, data.len(), group.comms.len());
        group.run(|rank| {
            let part = &data[cuts[rank.rank]..cuts[rank.rank + 1]];
            let mut result = [0i64];
            // SAFETY: as many elements as the slice has.
            let status = unsafe {
                let options = options.get();
                gpumex_comm_reduce(
                    rank.comm,
                    &options,
                    part.as_ptr().cast(),
                    part.len(),
                    result.as_mut_ptr().cast(),
                )
            };
            ok(status, "the last one that is not 0");
            assert_eq!(result, [2998]);
        });
    });
}

/// What each rank gets as the sum of elements of `dtype`, which are `width` numbers of T, has the same bits.
fn rounds_alike<T: Real>(group: &Group, dtype: Dtype, width: usize, expression: *const c_char) {
    let options = Shared::new(ReduceOptions { dtype: dtype as i32, expression, ..ReduceOptions::default() });
    let mut random = random(9);
    let data: Vec<T> =
        (0..width * 20_011).map(|_| T::from_f64(random.random_range(-1.0..1.0f64) * 1e3)).collect();
    let cuts = cuts(6, data.len() / width, group.comms.len());
    let sums = Mutex::new(Vec::new());
    group.run(|rank| {
        let count = cuts[rank.rank + 1] - cuts[rank.rank];
        let part = &data[width * cuts[rank.rank]..width * cuts[rank.rank + 1]];
        let mut part = Placed::holding(rank.ctx, rank.kind(), part);
        let mut result = Placed::<T>::new(rank.ctx, rank.kind(), width);
        // SAFETY: count elements, and one result.
        let status = unsafe {
            gpumex_comm_reduce(rank.comm, &options.get(), part.as_ptr(), count, result.as_mut_ptr())
        };
        ok(status, format!("{dtype:?}"));
        sums.lock().unwrap().push(result.written());
    });
    let sums = sums.into_inner().unwrap();
    for sum in &sums {
        assert_same_bits(sum, &sums[0], format!("{} ranks, {dtype:?}", group.comms.len()));
    }
}

/// Whichever rank joins the partial results, and wherever it wants the sum.
#[test]
fn sums_that_round_have_the_same_bits_on_all_ranks() {
    let sum: &CStr = c"a + b";
    for_every_group(|group| {
        for expression in [null(), sum.as_ptr()] {
            rounds_alike::<f32>(group, Dtype::F32, 1, expression);
            rounds_alike::<f64>(group, Dtype::F64, 1, expression);
        }
        rounds_alike::<f32>(group, Dtype::C64, 2, null());
        rounds_alike::<f64>(group, Dtype::C128, 2, null());
    });
}

fn scans<T: Number, R: Number>(group: &Group, op: Operator, kind: ScanKind) {
    let options = ScanOptions {
        dtype: T::DTYPE as i32,
        op: op as i32,
        kind: kind as i32,
        accumulator_dtype: R::DTYPE as i32,
        ..Default::default()
    };
    let shared = Shared::new(options);
    for len in LENGTHS {
        let data = numbers::<T>(len);
        let (mut want, mut all) = (vec![R::POISON; len], [R::POISON]);
        let one = Context::cpu();
        // SAFETY: len elements, len results and a total.
        let status = unsafe {
            let (from, to) = (data.as_ptr().cast(), want.as_mut_ptr().cast());
            gpumex_scan(one.handle, &options, from, len, to, all.as_mut_ptr().cast())
        };
        ok(status, "one rank");
        let cuts = cuts(len as u64 + 1, len, group.comms.len());
        let what = format!("{} ranks, {:?}, {op:?}, {kind:?}, {len}", group.comms.len(), T::DTYPE);
        group.run(|rank| {
            let range = cuts[rank.rank]..cuts[rank.rank + 1];
            let mut part = Placed::holding(rank.ctx, rank.kind(), &data[range.clone()]);
            let mut result = Placed::<R>::new(rank.ctx, rank.kind(), range.len());
            let mut total = Placed::<R>::new(rank.ctx, rank.kind(), 1);
            // SAFETY: as many elements and results as the range has, and a total.
            let status = unsafe {
                let total = if rank.rank == 1 { null_mut() } else { total.as_mut_ptr() };
                gpumex_comm_scan(
                    rank.comm,
                    &shared.get(),
                    part.as_ptr(),
                    range.len(),
                    result.as_mut_ptr(),
                    total,
                )
            };
            ok(status, &what);
            assert_same_bits(&result.written(), &want[range], &what);
            if rank.rank != 1 {
                assert_same_bits(&total.written(), &all, &what);
            }
        });
    }
}

#[test]
fn prefixes_of_parts_are_those_of_the_whole() {
    for_every_group(|group| {
        for kind in [ScanKind::Exclusive, ScanKind::Inclusive] {
            for op in [Operator::Sum, Operator::Product, Operator::Min, Operator::Max, Operator::Or] {
                scans::<i32, i32>(group, op, kind);
                scans::<u8, u8>(group, op, kind);
            }
            for op in [Operator::Sum, Operator::Min, Operator::Max] {
                scans::<f32, f32>(group, op, kind); // sums of small whole numbers are exact
            }
            scans::<i16, i64>(group, Operator::Sum, kind);
        }
    });
}

#[test]
fn prefixes_may_take_the_place_of_a_part() {
    for_every_group(|group| {
        let data = numbers::<u64>(5003);
        let cuts = cuts(3, data.len(), group.comms.len());
        let shared = Shared::new(ScanOptions { dtype: Dtype::U64 as i32, kind: 1, ..Default::default() });
        let parts = group.run(|rank| {
            let mut part = data[cuts[rank.rank]..cuts[rank.rank + 1]].to_vec();
            let both = part.as_mut_ptr().cast();
            // SAFETY: the part is read and written.
            ok(
                unsafe { gpumex_comm_scan(rank.comm, &shared.get(), both, part.len(), both, null_mut()) },
                "in place",
            );
            part
        });
        let mut sum = 0;
        let want: Vec<u64> = data
            .iter()
            .map(|x| {
                sum += x;
                sum
            })
            .collect();
        assert_eq!(parts.concat(), want);
    });
}

#[test]
fn minima_of_floats_pass_over_nan_and_know_the_sign_of_zero() {
    for_every_group(|group| {
        let data = [f32::NAN, 0.0, -0.0, f32::NAN, 1.0, 0.0, -0.0, 3.0];
        for (op, want) in [(Operator::Min, -0.0f32), (Operator::Max, 3.0)] {
            let options =
                ScanOptions { dtype: Dtype::F32 as i32, op: op as i32, kind: 1, ..Default::default() };
            let shared = Shared::new(options);
            let cuts = cuts(2, data.len(), group.comms.len());
            let one = Context::cpu();
            let mut prefixes = data;
            // SAFETY: eight elements.
            let status = unsafe {
                let to = prefixes.as_mut_ptr().cast();
                gpumex_scan(one.handle, &options, data.as_ptr().cast(), 8, to, null_mut())
            };
            ok(status, "one rank");
            let parts = group.run(|rank| {
                let part = &data[cuts[rank.rank]..cuts[rank.rank + 1]];
                let (mut result, mut total) = (part.to_vec(), [0f32]);
                // SAFETY: as many elements and results as the part has, and a total.
                let status = unsafe {
                    let (from, to) = (part.as_ptr().cast(), result.as_mut_ptr().cast());
                    gpumex_comm_scan(
                        rank.comm,
                        &shared.get(),
                        from,
                        part.len(),
                        to,
                        total.as_mut_ptr().cast(),
                    )
                };
                ok(status, "some ranks");
                assert_eq!(total[0].to_bits(), want.to_bits());
                result
            });
            assert_same_bits(&parts.concat(), &prefixes, format!("{op:?}"));
        }
    });
}

#[test]
fn inner_products_of_parts_are_those_of_the_whole() {
    for_every_group(|group| {
        for len in LENGTHS {
            let (x, y) = (numbers::<f64>(len), numbers::<f64>(len));
            let want: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum::<f64>() + 0.0; // exact
            let cuts = cuts(len as u64, len, group.comms.len());
            let options = DotOptions { dtype: Dtype::F64 as i32, ..Default::default() };
            group.run(|rank| {
                let range = cuts[rank.rank]..cuts[rank.rank + 1];
                let mut x = Placed::holding(rank.ctx, rank.kind(), &x[range.clone()]);
                let mut y = Placed::holding(rank.ctx, rank.kind(), &y[range.clone()]);
                let mut result = Placed::<f64>::new(rank.ctx, rank.kind(), 1);
                // SAFETY: as many elements as the range has, and a result.
                let status = unsafe {
                    let to = result.as_mut_ptr();
                    gpumex_comm_dot(rank.comm, &options, x.as_ptr(), y.as_ptr(), range.len(), to)
                };
                ok(status, "a product");
                assert_same_bits(&result.written(), &[want], len);
            });
        }
    });
}

fn counts<T: Number>(group: &Group, options: &HistogramOptions, bins: usize, len: usize) {
    let data = numbers::<T>(len);
    let shared = Shared::new(*options);
    let start: Vec<u64> = (0..bins as u64).collect();
    let one = Context::cpu();
    let mut want = start.clone();
    // SAFETY: len samples, bins counters.
    let status = unsafe {
        let to = want.as_mut_ptr().cast();
        gpumex_histogram(one.handle, options, data.as_ptr().cast(), len, to, bins)
    };
    ok(status, "one rank");
    let cuts = cuts(len as u64 + 3, len, group.comms.len());
    let what = format!("{} ranks, {:?}, {bins} bins, {len}", group.comms.len(), T::DTYPE);
    group.run(|rank| {
        let range = cuts[rank.rank]..cuts[rank.rank + 1];
        let mut part = Placed::holding(rank.ctx, rank.kind(), &data[range.clone()]);
        let mut counts = Placed::holding(rank.ctx, rank.kind(), &start);
        // SAFETY: as many samples as the range has, bins counters.
        let status = unsafe {
            let to = counts.as_mut_ptr();
            gpumex_comm_histogram(rank.comm, &shared.get(), part.as_ptr(), range.len(), to, bins)
        };
        ok(status, &what);
        assert_same_bits(&counts.written(), &want, &what);
    });
}

#[test]
fn histograms_of_parts_are_those_of_the_whole() {
    for_every_group(|group| {
        for len in LENGTHS {
            counts::<u8>(group, &HistogramOptions::default(), 256, len);
            let added =
                HistogramOptions { accumulate: 1, dtype: Dtype::F32 as i32, hi: 97.0, ..Default::default() };
            counts::<f32>(group, &added, 17, len);
            let values = HistogramOptions { dtype: Dtype::U16 as i32, ..Default::default() };
            counts::<u16>(group, &values, 10_007, len); // more than cross in one step
        }
    });
}

#[test]
fn sums_of_weights_are_added_over_ranks() {
    for_every_group(|group| {
        let totals = group.run(|rank| {
            let (samples, weights) = ([rank.rank as u8, 9], [0.5f32, 0.25]);
            let options = HistogramOptions {
                weights: weights.as_ptr().cast(),
                weights_dtype: Dtype::F32 as i32,
                ..Default::default()
            };
            let mut sums = [f64::NAN; 10];
            // SAFETY: two samples, two weights, ten sums.
            let status = unsafe {
                let to = sums.as_mut_ptr().cast();
                gpumex_comm_histogram(rank.comm, &options, samples.as_ptr().cast(), 2, to, 10)
            };
            ok(status, "weights");
            sums
        });
        let ranks = group.comms.len();
        for sums in totals {
            assert_eq!(sums[9], 0.25 * ranks as f64);
            assert!(
                sums[..ranks].iter().all(|&sum| sum == 0.5) && sums[ranks..9].iter().all(|&sum| sum == 0.0)
            );
        }
    });
}

#[test]
fn no_elements_on_any_rank_give_the_identity_or_a_refusal() {
    for_every_group(|group| {
        group.run(|rank| {
            let mut result = [7u32];
            let least =
                ReduceOptions { dtype: Dtype::U32 as i32, op: Operator::Min as i32, ..Default::default() };
            // SAFETY: no elements, one result.
            ok(
                unsafe { gpumex_comm_reduce(rank.comm, &least, null(), 0, result.as_mut_ptr().cast()) },
                "no elements",
            );
            assert_eq!(result, [u32::MAX]);
            let joined = ReduceOptions {
                dtype: Dtype::U32 as i32,
                expression: c"a + b".as_ptr(),
                ..Default::default()
            };
            // SAFETY: as above.
            let status =
                unsafe { gpumex_comm_reduce(rank.comm, &joined, null(), 0, result.as_mut_ptr().cast()) };
            refused(status, Status::InvalidArgument, &["identity"], "an expression of nothing");
        });
    });
}
