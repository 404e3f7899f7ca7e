//! Keys of 8 and 16 bits and logicals, and accumulators of integers, against plain Rust: every operation that takes them, in every
//! kind of memory.

use std::collections::BTreeMap;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::model::join::JoinKind;
use gpumex::model::operator::Operator;
use gpumex::model::order::SortOrder;
use gpumex::model::payload::Payload;
use gpumex::model::set_operation::SetOperator;
use gpumex::model::variant::Variant;
use gpumex::ops::scan::ScanKind;

use crate::common::*;

const COUNTS: [usize; 6] = [0, 1, 5, 1023, 4097, 70_001];
const U64: i32 = Dtype::U64 as i32;

trait Small: Number + Ord + Into<i64> {}
impl<T: Number + Ord + Into<i64>> Small for T {}

fn keys<K: Small>(seed: u64, count: usize) -> Vec<K> {
    random_bytes(seed, 2 * count)
        .chunks(2)
        .map(|two| K::from_f64(f64::from(two[0]) * 3.0 - f64::from(two[1])))
        .collect()
}

fn ascending<K: Small>(seed: u64, count: usize) -> Vec<K> {
    let mut keys = keys::<K>(seed, count);
    keys.sort_unstable();
    keys
}

/// body (context, kind of memory, elements)
fn everywhere(body: impl Fn(&Context, Kind, usize)) {
    for ctx in backends() {
        for count in COUNTS {
            body(&ctx, None, count);
        }
        EVERYWHERE.into_iter().for_each(|kind| body(&ctx, kind, 2051));
    }
}

macro_rules! for_small {
    ($function:ident) => {
        $function::<u8>();
        $function::<i8>();
        $function::<u16>();
        $function::<i16>();
    };
}

fn sorts<K: Small>() {
    everywhere(|ctx, kind, count| {
        let keys = keys::<K>(1, count);
        for (variant, order) in [Variant::Auto, Variant::Sequential]
            .into_iter()
            .zip([SortOrder::Ascending, SortOrder::Descending])
        {
            if variant == Variant::Sequential && ctx.variants::<Variant>().len() == 1 {
                continue;
            }
            let what = format!("{:?} {variant:?} {order:?} {:?} {kind:?} {count}", ctx.backend, K::DTYPE);
            let mut want: Vec<usize> = (0..count).collect();
            want.sort_by_key(
                |&i| if order == SortOrder::Ascending { keys[i].into() } else { -keys[i].into() },
            );
            let (mut from, mut to) = (Placed::holding(ctx, kind, &keys), Placed::<K>::new(ctx, kind, count));
            let mut at = Placed::<u64>::new(ctx, kind, count);
            let options = SortOptions {
                variant: variant as i32,
                dtype: K::DTYPE as i32,
                order: order as i32,
                payload: Payload::Indices as i32,
                index_dtype: U64,
                ..SortOptions::default()
            };
            let (from, sorted, places) = (from.as_ptr(), to.as_mut_ptr(), at.as_mut_ptr());
            // SAFETY: count keys, as many sorted, as many positions.
            ok(unsafe { gpumex_sort(ctx.handle, &options, from, null(), count, sorted, places) }, &what);
            assert_same(&to.written(), &want.iter().map(|&i| keys[i]).collect::<Vec<_>>(), &what);
            assert_same(&at.written(), &want.iter().map(|&i| i as u64).collect::<Vec<_>>(), &what);
        }
    });
}

#[test]
fn sorts_are_stable() {
    for_small!(sorts);
}

fn merges<K: Small>() {
    everywhere(|ctx, kind, count| {
        let [a, b] = [ascending::<K>(2, count), ascending::<K>(3, count / 2)];
        let mut want = [a.clone(), b.clone()].concat();
        want.sort();
        let (mut from_a, mut from_b) = (Placed::holding(ctx, kind, &a), Placed::holding(ctx, kind, &b));
        let mut to = Placed::<K>::new(ctx, kind, want.len());
        let options = MergeOptions { dtype: K::DTYPE as i32, ..MergeOptions::default() };
        let what = format!("{:?} {:?} {kind:?} {count}", ctx.backend, K::DTYPE);
        // SAFETY: the keys of a and b, and as many merged.
        ok(
            unsafe {
                gpumex_merge(
                    ctx.handle,
                    &options,
                    from_a.as_ptr(),
                    null(),
                    a.len(),
                    from_b.as_ptr(),
                    null(),
                    b.len(),
                    to.as_mut_ptr(),
                    null_mut(),
                )
            },
            &what,
        );
        assert_same(&to.written(), &want, &what);
    });
}

#[test]
fn sorted_arrays_are_merged() {
    for_small!(merges);
}

fn searches<K: Small>() {
    everywhere(|ctx, kind, count| {
        let [a, b] = [ascending::<K>(4, count), ascending::<K>(5, count / 2 + 3)];
        let what = format!("{:?} {:?} {kind:?} {count}", ctx.backend, K::DTYPE);
        let (mut from_a, mut from_b) = (Placed::holding(ctx, kind, &a), Placed::holding(ctx, kind, &b));
        let (mut lower, mut counts) =
            (Placed::<u64>::new(ctx, kind, count), Placed::<u64>::new(ctx, kind, count));
        let options =
            SortedEqualityCountOptions { dtype: K::DTYPE as i32, index_dtype: U64, ..Default::default() };
        let (at_a, at_b, to, low) =
            (from_a.as_ptr(), from_b.as_ptr(), counts.as_mut_ptr(), lower.as_mut_ptr());
        // SAFETY: the keys of a and b, two numbers for each of a.
        ok(
            unsafe {
                gpumex_sorted_equality_count(ctx.handle, &options, at_a, count, at_b, b.len(), to, low)
            },
            &what,
        );
        let below = |key: &K| b.partition_point(|other| other < key) as u64;
        let equal = |key: &K| b.iter().filter(|other| *other == key).count() as u64;
        assert_same(&counts.written(), &a.iter().map(equal).collect::<Vec<_>>(), &what);
        assert_same(&lower.written(), &a.iter().map(below).collect::<Vec<_>>(), &what);

        let mut indices = Placed::<u64>::new(ctx, kind, count);
        let options = SortedSearchOptions { dtype: K::DTYPE as i32, index_dtype: U64, ..Default::default() };
        let (none, to) = (null_mut(), indices.as_mut_ptr());
        // SAFETY: as above.
        ok(
            unsafe {
                gpumex_sorted_search(
                    ctx.handle,
                    &options,
                    at_a,
                    count,
                    at_b,
                    b.len(),
                    to,
                    none,
                    none,
                    none,
                    none,
                )
            },
            &what,
        );
        assert_same(&indices.written(), &a.iter().map(below).collect::<Vec<_>>(), &what);
    });
}

#[test]
fn keys_are_found_and_counted() {
    for_small!(searches);
}

fn unites<K: Small>() {
    everywhere(|ctx, kind, count| {
        let unique = |seed, count| {
            let mut keys = ascending::<K>(seed, count);
            keys.dedup();
            keys
        };
        let [a, b] = [unique(6, count), unique(7, count / 2)];
        let mut want = [a.clone(), b.clone()].concat();
        want.sort();
        want.dedup();
        let capacity = a.len() + b.len() + 3;
        let what = format!("{:?} {:?} {kind:?} {count}", ctx.backend, K::DTYPE);
        let (mut from_a, mut from_b) = (Placed::holding(ctx, kind, &a), Placed::holding(ctx, kind, &b));
        let (mut to, mut needed) = (Placed::<K>::new(ctx, kind, capacity), Placed::<u64>::new(ctx, kind, 1));
        let options = SetOperationOptions {
            dtype: K::DTYPE as i32,
            op: SetOperator::Union as i32,
            ..Default::default()
        };
        let (at_a, at_b, keys, none) = (from_a.as_ptr(), from_b.as_ptr(), to.as_mut_ptr(), null());
        // SAFETY: the keys of a and b, room for all of them, one number.
        ok(
            unsafe {
                gpumex_set_operation(
                    ctx.handle,
                    &options,
                    at_a,
                    none,
                    a.len(),
                    at_b,
                    none,
                    b.len(),
                    keys,
                    null_mut(),
                    capacity,
                    needed.as_mut_ptr(),
                )
            },
            &what,
        );
        let found = needed.written()[0] as usize;
        assert_eq!(found, want.len(), "{what}");
        let (keys, rest) = (to.written(), [K::POISON; 3]);
        assert_same(&keys[..found], &want, &what);
        assert_same(&keys[capacity - 3..], &rest, format!("{what}: behind the result"));
    });
}

#[test]
fn sets_are_united_and_nothing_is_written_behind_the_result() {
    for_small!(unites);
}

fn joins<K: Small>() {
    everywhere(|ctx, kind, count| {
        let [a, b] = [ascending::<K>(8, count.min(5000)), ascending::<K>(9, 40)];
        let mut want = Vec::new();
        for (i, key) in a.iter().enumerate() {
            want.extend(
                b.iter().enumerate().filter(|(_, other)| *other == key).map(|(j, _)| (i as u64, j as u64)),
            );
        }
        let capacity = want.len().max(1);
        let what = format!("{:?} {:?} {kind:?} {count}", ctx.backend, K::DTYPE);
        let (mut from_a, mut from_b) = (Placed::holding(ctx, kind, &a), Placed::holding(ctx, kind, &b));
        let (mut of_a, mut of_b) =
            (Placed::<u64>::new(ctx, kind, capacity), Placed::<u64>::new(ctx, kind, capacity));
        let mut needed = Output::<u64>::new(1);
        let options = JoinOptions {
            dtype: K::DTYPE as i32,
            kind: JoinKind::Inner as i32,
            index_dtype: U64,
            ..Default::default()
        };
        let (at_a, at_b, to_a, to_b) =
            (from_a.as_ptr(), from_b.as_ptr(), of_a.as_mut_ptr(), of_b.as_mut_ptr());
        // SAFETY: the keys of a and b, capacity positions of each, one number.
        ok(
            unsafe {
                gpumex_join(
                    ctx.handle,
                    &options,
                    at_a,
                    a.len(),
                    at_b,
                    b.len(),
                    to_a,
                    to_b,
                    capacity,
                    needed.as_mut_ptr(),
                )
            },
            &what,
        );
        assert_eq!(needed.written(&what)[0] as usize, want.len(), "{what}");
        let pairs: Vec<(u64, u64)> =
            of_a.written().into_iter().zip(of_b.written()).take(want.len()).collect();
        assert_same(&pairs, &want, &what);
    });
}

#[test]
fn equal_keys_are_joined() {
    for_small!(joins);
}

fn compacts<K: Small>() {
    everywhere(|ctx, kind, count| {
        let (data, flags) =
            (keys::<K>(10, count), random_bytes(11, count).iter().map(|byte| byte & 1).collect::<Vec<u8>>());
        let want: Vec<K> =
            data.iter().zip(&flags).filter(|(_, flag)| **flag != 0).map(|(key, _)| *key).collect();
        let what = format!("{:?} {:?} {kind:?} {count}", ctx.backend, K::DTYPE);
        let (mut from, mut by) = (Placed::holding(ctx, kind, &data), Placed::holding(ctx, kind, &flags));
        let (mut kept, mut needed) = (Placed::<K>::new(ctx, kind, count), Placed::<u64>::new(ctx, kind, 1));
        let options = CompactOptions { dtype: K::DTYPE as i32, ..Default::default() };
        let (from, by, to) = (from.as_ptr(), by.as_ptr(), kept.as_mut_ptr());
        // SAFETY: count elements and flags, room for all, one number.
        ok(
            unsafe {
                gpumex_compact(
                    ctx.handle,
                    &options,
                    from,
                    by,
                    count,
                    to,
                    null_mut(),
                    count,
                    needed.as_mut_ptr(),
                )
            },
            &what,
        );
        assert_eq!(needed.written()[0] as usize, want.len(), "{what}");
        let kept = kept.written();
        assert_same(&kept[..want.len()], &want, &what);
        assert_same(
            &kept[want.len()..],
            &vec![K::POISON; count - want.len()],
            format!("{what}: behind the result"),
        );
    });
}

#[test]
fn flagged_elements_are_kept() {
    for_small!(compacts);
}

fn reduces_by_key<K: Small>() {
    everywhere(|ctx, kind, count| {
        let keys = ascending::<K>(12, count);
        let data: Vec<i64> = (0..count as i64).map(|i| i % 100 - 50).collect();
        let mut want = BTreeMap::<K, i64>::new();
        keys.iter().zip(&data).for_each(|(key, x)| *want.entry(*key).or_default() += x);
        let capacity = want.len() + 2;
        let what = format!("{:?} {:?} {kind:?} {count}", ctx.backend, K::DTYPE);
        let (mut from, mut values) = (Placed::holding(ctx, kind, &keys), Placed::holding(ctx, kind, &data));
        let (mut unique, mut sums) =
            (Placed::<K>::new(ctx, kind, capacity), Placed::<i64>::new(ctx, kind, capacity));
        let mut needed = Placed::<u64>::new(ctx, kind, 1);
        let options =
            ReduceByKeyOptions { dtype: Dtype::I64 as i32, key_dtype: K::DTYPE as i32, ..Default::default() };
        let (from, values, to, sum) =
            (from.as_ptr(), values.as_ptr(), unique.as_mut_ptr(), sums.as_mut_ptr());
        // SAFETY: count keys and elements, capacity of both outputs, one number.
        ok(
            unsafe {
                gpumex_reduce_by_key(
                    ctx.handle,
                    &options,
                    from,
                    values,
                    count,
                    to,
                    sum,
                    null_mut(),
                    capacity,
                    needed.as_mut_ptr(),
                )
            },
            &what,
        );
        assert_eq!(needed.written()[0] as usize, want.len(), "{what}");
        assert_same(&unique.written()[..want.len()], &want.keys().copied().collect::<Vec<_>>(), &what);
        assert_same(&sums.written()[..want.len()], &want.values().copied().collect::<Vec<_>>(), &what);
    });
}

#[test]
fn elements_are_reduced_by_key() {
    for_small!(reduces_by_key);
}

fn checks_order<K: Small>() {
    everywhere(|ctx, kind, count| {
        let mut keys = ascending::<K>(13, count);
        let options = CheckSortedOptions { dtype: K::DTYPE as i32, ..Default::default() };
        let what = format!("{:?} {:?} {kind:?} {count}", ctx.backend, K::DTYPE);
        for is_broken in [false, true] {
            let mut first_bad = 0;
            let mut from = Placed::holding(ctx, kind, &keys);
            // SAFETY: count keys, one number.
            ok(
                unsafe { gpumex_check_sorted(ctx.handle, &options, from.as_ptr(), count, &mut first_bad) },
                &what,
            );
            let want = (1..count).find(|&i| keys[i] < keys[i - 1]).unwrap_or(count);
            assert_eq!(first_bad as usize, want, "{what}, {is_broken}");
            keys.reverse();
        }
    });
}

#[test]
fn the_first_key_out_of_order_is_found() {
    for_small!(checks_order);
}

/// Sums, maxima and prefixes of small integers in accumulators of 64 bits.
fn accumulates<K: Small>() {
    everywhere(|ctx, kind, count| {
        let data = keys::<K>(14, count);
        let what = format!("{:?} {:?} {kind:?} {count}", ctx.backend, K::DTYPE);
        let sums: Vec<i64> = data
            .iter()
            .scan(0, |sum, &x| {
                *sum += x.into();
                Some(*sum)
            })
            .collect();
        let total = sums.last().copied().unwrap_or(0);
        let largest = data.iter().map(|&x| x.into()).max().unwrap_or(i64::MIN);
        let mut from = Placed::holding(ctx, kind, &data);
        for (op, want) in [(Operator::Sum, total), (Operator::Max, largest)] {
            let (mut result, mut copy) = (Placed::<i64>::new(ctx, kind, 1), Output::<i64>::new(1));
            let options = ReduceOptions {
                dtype: K::DTYPE as i32,
                op: op as i32,
                accumulator_dtype: Dtype::I64 as i32,
                result_copy: copy.as_mut_ptr().cast(),
                ..Default::default()
            };
            // SAFETY: count elements, two results.
            ok(
                unsafe { gpumex_reduce(ctx.handle, &options, from.as_ptr(), count, result.as_mut_ptr()) },
                &what,
            );
            assert_same(&result.written(), &[want], format!("{what} {op:?}"));
            assert_same(&copy.written(&what), &[want], format!("{what} {op:?}, the copy"));
        }
        let (mut result, mut last) = (Placed::<i64>::new(ctx, kind, count), Placed::<i64>::new(ctx, kind, 1));
        let options = ScanOptions {
            dtype: K::DTYPE as i32,
            kind: ScanKind::Inclusive as i32,
            accumulator_dtype: Dtype::I64 as i32,
            ..Default::default()
        };
        // SAFETY: count elements and results, one total.
        ok(
            unsafe {
                gpumex_scan(
                    ctx.handle,
                    &options,
                    from.as_ptr(),
                    count,
                    result.as_mut_ptr(),
                    last.as_mut_ptr(),
                )
            },
            &what,
        );
        assert_same(&result.written(), &sums, &what);
        assert_same(&last.written(), &[total], &what);
    });
}

#[test]
fn integers_are_accumulated_in_wider_ones() {
    for_small!(accumulates);
}

/// Prefixes in accumulators of 64 bits, of arrays that start behind the start of their memory.
fn accumulates_from_anywhere<K: Small>() {
    let data = keys::<K>(15, 2054);
    for (ctx, off) in backends().iter().flat_map(|ctx| [0, 1, 3].map(|off| (ctx, off))) {
        let (mut from, mut to) =
            (Placed::holding(ctx, EVERYWHERE[1], &data), Placed::<i64>::new(ctx, EVERYWHERE[1], 2054));
        let options = ScanOptions {
            dtype: K::DTYPE as i32,
            kind: ScanKind::Inclusive as i32,
            accumulator_dtype: Dtype::I64 as i32,
            ..Default::default()
        };
        let what = format!("{:?} {:?}, {off} elements before", ctx.backend, K::DTYPE);
        // SAFETY: 2051 elements and results.
        ok(unsafe { gpumex_scan(ctx.handle, &options, from.at(off), 2051, to.at(off), null_mut()) }, &what);
        let mut want = vec![i64::POISON; off];
        want.extend(data[off..off + 2051].iter().scan(0, |sum, &x| {
            *sum += x.into();
            Some(*sum)
        }));
        assert_same(&to.written()[..off + 2051], &want, &what);
    }
}

#[test]
fn integers_of_every_type_are_accumulated_from_anywhere() {
    for_small!(accumulates_from_anywhere);
    accumulates_from_anywhere::<i32>();
    accumulates_from_anywhere::<u32>();
}

#[test]
fn the_accumulator_is_never_guessed() {
    for ctx in backends() {
        let (data, mut result) = ([1u8, 2, 3], [7u64]);
        let mut call = |dtype: Dtype, accumulator: Dtype| {
            let options = ReduceOptions {
                dtype: dtype as i32,
                accumulator_dtype: accumulator as i32,
                ..Default::default()
            };
            // SAFETY: three elements, a result of 8 bytes.
            unsafe {
                gpumex_reduce(ctx.handle, &options, data.as_ptr().cast(), 3, result.as_mut_ptr().cast())
            }
        };
        let words = ["options.dtype", "accumulator_dtype"];
        refused(call(Dtype::U8, Dtype::None), Status::InvalidArgument, &words, "none");
        refused(call(Dtype::U16, Dtype::U8), Status::InvalidArgument, &words, "too narrow");
        refused(call(Dtype::U8, Dtype::F64), Status::InvalidArgument, &words, "a float");
        refused(call(Dtype::F32, Dtype::F64), Status::InvalidArgument, &words, "of floats");
        ok(call(Dtype::U8, Dtype::U64), "U64");
        assert_eq!(result, [6]);
    }
}

#[test]
fn a_reduction_in_its_own_width_wraps_in_it() {
    everywhere(|ctx, kind, count| {
        let data = keys::<u8>(15, count);
        let (mut from, mut result) = (Placed::holding(ctx, kind, &data), Placed::<u8>::new(ctx, kind, 1));
        let dtype = Dtype::U8 as i32;
        let options = ReduceOptions { dtype, accumulator_dtype: dtype, ..Default::default() };
        // SAFETY: count elements, one result.
        ok(unsafe { gpumex_reduce(ctx.handle, &options, from.as_ptr(), count, result.as_mut_ptr()) }, count);
        assert_same(&result.written(), &[data.iter().fold(0, |sum: u8, &x| sum.wrapping_add(x))], count);
    });
}

#[test]
fn identities_of_narrow_accumulators_are_their_own() {
    let cases =
        [(Operator::Min, i16::MAX), (Operator::Max, i16::MIN), (Operator::Sum, 0), (Operator::And, -1)];
    for ctx in backends() {
        for (op, identity) in cases {
            let (op, dtype) = (op as i32, Dtype::I16 as i32);
            let options = ReduceOptions { op, dtype, accumulator_dtype: dtype, ..Default::default() };
            let mut result = [7i16];
            let (none, to) = (null(), result.as_mut_ptr().cast());
            // SAFETY: no elements, one result.
            ok(unsafe { gpumex_reduce(ctx.handle, &options, none, 0, to) }, "no elements");
            assert_eq!(result, [identity], "{:?}", ctx.backend);
            let options = ScanOptions { op, dtype, accumulator_dtype: dtype, ..Default::default() };
            let (data, mut result, mut total) = ([-300i16, 5], [7i16; 2], [7i16]);
            let (from, to, sum) =
                (data.as_ptr().cast(), result.as_mut_ptr().cast(), total.as_mut_ptr().cast());
            // SAFETY: two elements and results, one total; then none but the total.
            unsafe {
                ok(gpumex_scan(ctx.handle, &options, from, 2, to, sum), "two elements");
                assert_eq!(result, [identity, -300], "{:?}", ctx.backend);
                ok(gpumex_scan(ctx.handle, &options, none, 0, null_mut(), sum), "no elements");
            }
            assert_eq!(total, [identity], "{:?}", ctx.backend);
        }
    }
}

#[test]
fn a_narrow_accumulator_holds_every_value() {
    let ctx = Context::cpu();
    let served =
        [(Dtype::U8, Dtype::U8), (Dtype::U8, Dtype::I16), (Dtype::Bool, Dtype::I8), (Dtype::U32, Dtype::I32)];
    let refused =
        [(Dtype::U8, Dtype::I8), (Dtype::I8, Dtype::U16), (Dtype::I16, Dtype::U16), (Dtype::U8, Dtype::Bool)];
    for ((dtype, accumulator), want) in
        served.map(|pair| (pair, 0)).into_iter().chain(refused.map(|pair| (pair, 2)))
    {
        let (data, mut result) = ([1u32; 2], [0u32]);
        let options = ReduceOptions {
            dtype: dtype as i32,
            accumulator_dtype: accumulator as i32,
            ..Default::default()
        };
        // SAFETY: at least two elements, one result.
        let status = unsafe {
            gpumex_reduce(ctx.handle, &options, data.as_ptr().cast(), 2, result.as_mut_ptr().cast())
        };
        assert_eq!(status, want, "{dtype:?} in {accumulator:?}: {}", last_error());
    }
}

#[test]
fn empty_segments_give_the_callers_identity() {
    everywhere(|ctx, kind, count| {
        let data: Vec<f64> = (0..count).map(|i| i as f64).collect();
        let offsets: Vec<u64> = (0..=20).map(|s| (count * (s / 2) / 10) as u64).collect(); // each second segment is empty
        let infinity = f64::INFINITY;
        let want: Vec<f64> = offsets
            .windows(2)
            .map(|ends| {
                data[ends[0] as usize..ends[1] as usize].iter().fold(infinity, |least, &x| least.min(x))
            })
            .collect();
        let (mut from, mut at) = (Placed::holding(ctx, kind, &data), Placed::holding(ctx, kind, &offsets));
        let mut result = Placed::<f64>::new(ctx, kind, 20);
        let options = SegmentedReduceOptions {
            dtype: Dtype::F64 as i32,
            op: Operator::Min as i32,
            index_dtype: U64,
            identity: (&raw const infinity).cast(),
            ..Default::default()
        };
        let (from, at, to) = (from.as_ptr(), at.as_ptr(), result.as_mut_ptr());
        // SAFETY: count elements, 21 offsets, 20 results, one identity.
        ok(unsafe { gpumex_segmented_reduce(ctx.handle, &options, from, count, at, 20, null(), to) }, count);
        assert_same(&result.written(), &want, format!("{:?} {kind:?} {count}", ctx.backend));
    });
}
