//! Set operations: every operator on every backend is what the standard's loop over two sorted arrays gives.

use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::{SetOperationOptions, gpumex_set_operation};
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::order::{Key, SortOrder};
use gpumex::model::payload::Payload;
use gpumex::model::set_operation::SetOperator;
use gpumex::model::variant::Variant;

use crate::common::*;
use crate::operands::sorted::*;

// Elements of both arrays that one block of the device takes: without a payload, with one.
const TILES: [usize; 2] = [5952, 5888]; // keys of 4 bytes
const WIDE_TILES: [usize; 2] = [5376, 4864]; // of 8

// ------------------------------------------------------------------------------------------------------------- the call

#[derive(Clone, Copy, Debug)]
struct Case {
    variant: Variant,
    order: SortOrder,
    op: SetOperator,
    distinct: bool,
}

fn case(op: SetOperator) -> Case {
    Case { variant: Variant::Auto, order: SortOrder::Ascending, op, distinct: false }
}

impl Case {
    fn options<K: Number>(&self, payload: Payload) -> SetOperationOptions {
        SetOperationOptions {
            variant: self.variant as i32,
            dtype: K::DTYPE as i32,
            order: self.order as i32,
            op: self.op as i32,
            payload: payload as i32,
            index_dtype: Dtype::U64 as i32,
            distinct: self.distinct.into(),
            ..SetOperationOptions::default()
        }
    }
}

/// Keys and their positions in the arrays, one behind the other; counts first, and allocates what is needed then. The same keys come
/// without positions.
#[track_caller]
fn positions<K: Number>(ctx: &Context, case: Case, kind: Kind, a: &[K], b: &[K]) -> (Vec<K>, Vec<u64>) {
    let what = format!("{:?}, {case:?}, {:?}, {} and {}, {kind:?}", ctx.backend, K::DTYPE, a.len(), b.len());
    let [indices, keys_alone] = [Payload::Indices, Payload::None].map(|payload| case.options::<K>(payload));
    let (a_count, b_count) = (a.len(), b.len());
    let mut from = [Placed::holding(ctx, kind, a), Placed::holding(ctx, kind, b)];
    let [a, b] = from.each_mut().map(Placed::as_ptr::<std::ffi::c_void>);
    let none = null_mut();
    let call = |options: &SetOperationOptions, keys, values, capacity, needed: &mut Placed<u64>| {
        let needed = needed.as_mut_ptr();
        // SAFETY: arrays as long as they are said to be.
        unsafe {
            gpumex_set_operation(
                ctx.handle, options, a, none, a_count, b, none, b_count, keys, values, capacity, needed,
            )
        }
    };
    let mut needed = Placed::<u64>::new(ctx, kind, 1);
    ok(call(&indices, none, none, 0, &mut needed), &what);
    let needed = needed.written()[0];
    let capacity = needed as usize + 3;
    let (mut keys, mut values) =
        (Placed::<K>::new(ctx, kind, capacity), Placed::<u64>::new(ctx, kind, capacity));
    let mut again = Placed::<u64>::new(ctx, kind, 1);
    ok(call(&indices, keys.as_mut_ptr(), values.as_mut_ptr(), capacity, &mut again), &what);
    assert_same(&again.written(), &[needed], &what);
    let (mut keys, mut values) = (keys.written(), values.written());
    assert_same_bits(&keys.split_off(needed as usize), &[K::POISON; 3], format!("{what}: behind the keys"));
    assert_same_bits(
        &values.split_off(needed as usize),
        &[u64::POISON; 3],
        format!("{what}: behind the values"),
    );
    let (mut alone, mut again) = (Placed::<K>::new(ctx, kind, keys.len()), Placed::<u64>::new(ctx, kind, 1));
    ok(call(&keys_alone, alone.as_mut_ptr(), none, keys.len(), &mut again), &what);
    assert_same(&again.written(), &[needed], format!("{what}: keys alone"));
    assert_same_bits(&alone.written(), &keys, format!("{what}: keys alone"));
    (keys, values)
}

// ------------------------------------------------------------------------------------------------------------ the oracle

/// Where the result comes from, by the counts of each key: positions in a followed by b.
fn want<K: Key>(case: Case, a: &[K], b: &[K]) -> Vec<u64> {
    let rank = |key: &K| key.rank(case.order);
    let (mut i, mut j, mut found) = (0, 0, Vec::new());
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(a), Some(b)) => rank(a).min(rank(b)),
            (Some(key), None) | (None, Some(key)) => rank(key),
            (None, None) => unreachable!("the loop has ended"),
        };
        let m = a[i..].iter().take_while(|key| rank(key) == next).count();
        let n = b[j..].iter().take_while(|key| rank(key) == next).count();
        let both = m.min(n);
        let (from_a, from_b) = match case.op {
            SetOperator::Intersection => (i..i + both, 0..0),
            SetOperator::Union => (i..i + m, j + both..j + n),
            SetOperator::Difference => (i + both..i + m, 0..0),
            SetOperator::SymmetricDifference => (i + both..i + m, j + both..j + n),
        };
        found.extend(from_a.map(|i| i as u64));
        found.extend(from_b.map(|j| (a.len() + j) as u64));
        (i, j) = (i + m, j + n);
    }
    found
}

#[track_caller]
fn agrees<K: Number + Key>(ctx: &Context, case: Case, kind: Kind, a: &[K], b: &[K]) {
    let want = want(case, a, b);
    let key = |&position: &u64| *a.iter().chain(b).nth(position as usize).expect("a position in a or b");
    let keys: Vec<K> = match a.len() + b.len() < 3000 {
        true => want.iter().map(key).collect(),
        false => {
            let all = [a, b].concat();
            want.iter().map(|&position| all[position as usize]).collect()
        }
    };
    let what = format!("{:?}, {case:?}, {:?}, {} and {}", ctx.backend, K::DTYPE, a.len(), b.len());
    let (got_keys, got) = positions(ctx, case, kind, a, b);
    assert_same(&got, &want, &what);
    assert_same_bits(&got_keys, &keys, &what);
}

fn every_case(ctx: &Context) -> Vec<Case> {
    let mut cases = Vec::new();
    for variant in ctx.variants() {
        cases.extend(SetOperator::ALL.iter().map(|&op| Case { variant, ..case(op) }));
    }
    cases
}

// ---------------------------------------------------------------------------------------------------------------- sizes

fn lengths_agree<K: Number + Key>(lens: impl IntoIterator<Item = (usize, usize)> + Clone) {
    for ctx in backends() {
        for (a_len, b_len) in lens.clone() {
            let (a, b) = (ascending::<K>(1, a_len, 0, 2), ascending::<K>(2, b_len, 0, 2));
            every_case(&ctx).into_iter().for_each(|case| agrees(&ctx, case, None, &a, &b));
        }
    }
}

#[test]
fn every_length_agrees_with_the_counts_of_each_key() {
    let lens = [0, 1, 2, 33, 1000, TILES[0] / 2, 3 * TILES[0] + 5];
    lengths_agree::<u32>(lens.into_iter().flat_map(|a| lens.map(|b| (a, b))));
}

#[test]
fn lengths_around_a_tile_agree() {
    let around = |tile: usize| [tile - 1, tile, tile + 1].map(|len| (tile / 2, len - tile / 2));
    lengths_agree::<u32>(TILES.into_iter().flat_map(around));
    lengths_agree::<u64>(WIDE_TILES.into_iter().flat_map(around));
}

#[test]
fn long_arrays_agree() {
    let len = if cfg!(debug_assertions) { 20_003 } else { size(1_000_003, 200_003) };
    for ctx in backends() {
        for (least, most) in [(0, 1), (0, 3), (1, 3)] {
            let (a, b) = (ascending::<i32>(3, len, least, most), ascending::<i32>(4, len / 2, least, most));
            for case in every_case(&ctx) {
                agrees(&ctx, case, None, &a, &b);
                agrees(&ctx, Case { distinct: least > 0, ..case }, None, &b, &a);
            }
        }
    }
}

/// From 4096 tiles on a thread, not a warp, searches where each begins: even numbers, and multiples of three.
#[test]
fn arrays_of_many_tiles_agree() {
    fn of<K: Number + From<u32>>(tiles: [usize; 2]) {
        let len = size(4097 * tiles[0] / 2, 300_001);
        let [a, b] = [2, 3].map(|step| (0..len as u32).map(|i| K::from(i * step)).collect::<Vec<K>>());
        for ctx in backends() {
            let (keys, values) = positions(&ctx, case(SetOperator::Intersection), None, &a, &b);
            assert_eq!(keys.len(), len.div_ceil(3));
            assert!(keys.iter().zip(0u32..).all(|(key, i)| *key == K::from(6 * i)), "{:?}", K::DTYPE);
            assert!(values.iter().zip(0u64..).all(|(value, i)| *value == 3 * i), "{:?}", K::DTYPE);
        }
    }
    let _mine = much_memory_is_mine();
    of::<u32>(TILES);
    of::<u64>(WIDE_TILES);
}

fn every_dtype_agrees<K: Number + Key>() {
    for ctx in backends() {
        in_both_orders::<K>(|order, a, b| {
            for case in every_case(&ctx) {
                agrees(&ctx, Case { order, ..case }, None, a, b);
            }
        });
    }
}

#[test]
fn all_dtypes_agree_in_both_orders() {
    for_every_dtype!(every_dtype_agrees(): f32 f64 i32 i64 u32 u64);
}

#[test]
fn runs_of_equal_keys_longer_than_a_tile_agree() {
    let runs = |runs: &[(u32, usize)]| -> Vec<u32> {
        runs.iter().flat_map(|&(key, len)| std::iter::repeat_n(key, len)).collect()
    };
    let arrays = [
        runs(&[(5, 20_000)]),
        runs(&[(5, 20_001)]),
        runs(&[(4, 1), (5, 50_000), (6, 3)]),
        runs(&[(1, 9000), (5, 7), (9, 9000)]),
        runs(&[]),
    ];
    for ctx in backends() {
        for (a, b) in arrays.iter().flat_map(|a| arrays.iter().map(move |b| (a, b))) {
            every_case(&ctx).into_iter().for_each(|case| agrees(&ctx, case, None, a, b));
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- meaning

#[test]
fn zeros_are_equal_and_nan_is_the_greatest_key() {
    let other_nan = f32::from_bits(0xFFC0_0001);
    let a = [-1.0, -0.0, 0.0, 2.0, f32::INFINITY, f32::NAN, other_nan];
    let b = [0.0, 2.0, 3.0, other_nan];
    for ctx in backends() {
        every_case(&ctx).into_iter().for_each(|case| agrees(&ctx, case, None, &a, &b));
        let (keys, from) = positions(&ctx, case(SetOperator::Intersection), None, &a, &b);
        assert_same(&from, &[1, 3, 5], "the first ones of a");
        assert_same_bits(&keys, &[-0.0, 2.0, f32::NAN], "as they are");
    }
}

#[test]
fn multisets_are_those_of_the_standard() {
    let (a, b) = ([1u32, 1, 1, 2, 4], [1u32, 2, 2, 3]);
    let results: [(SetOperator, &[u64]); 4] = [
        (SetOperator::Intersection, &[0, 3]),
        (SetOperator::Union, &[0, 1, 2, 3, 7, 8, 4]),
        (SetOperator::Difference, &[1, 2, 4]),
        (SetOperator::SymmetricDifference, &[1, 2, 7, 8, 4]),
    ];
    for ctx in backends() {
        for (op, want) in results {
            assert_same(&positions(&ctx, case(op), None, &a, &b).1, want, format!("{op:?}"));
        }
    }
}

#[test]
fn values_go_with_their_keys_and_keys_can_be_left_out() {
    let (a, b) = (ascending::<i64>(7, 6000, 0, 2), ascending::<i64>(8, 5000, 0, 2));
    let value = |position: u64| position as f64 * 0.5;
    let values = |from: u64, len: usize| (from..from + len as u64).map(value).collect::<Vec<f64>>();
    let (a_values, b_values) = (values(0, a.len()), values(a.len() as u64, b.len()));
    for ctx in backends() {
        for case in every_case(&ctx) {
            let want: Vec<f64> = want(case, &a, &b).into_iter().map(value).collect();
            let mut options = case.options::<i64>(Payload::Values);
            options.value_dtype = f64::DTYPE_NUMBER;
            let (mut got, mut needed) = (Output::<f64>::new(want.len()), Output::<u64>::new(1));
            // SAFETY: values beside each key, capacity for the result.
            let status = unsafe {
                gpumex_set_operation(
                    ctx.handle,
                    &options,
                    a.as_ptr().cast(),
                    a_values.as_ptr().cast(),
                    a.len(),
                    b.as_ptr().cast(),
                    b_values.as_ptr().cast(),
                    b.len(),
                    null_mut(),
                    got.as_mut_ptr().cast(),
                    want.len(),
                    needed.as_mut_ptr().cast(),
                )
            };
            ok(status, format!("{case:?}"));
            assert_same_bits(&got.written("values"), &want, format!("{:?}, {case:?}", ctx.backend));
            assert_same(&needed.written("needed"), &[want.len() as u64], "needed");
        }
    }
}

trait DtypeNumber {
    const DTYPE_NUMBER: i32;
}
impl DtypeNumber for f64 {
    const DTYPE_NUMBER: i32 = <f64 as gpumex::array::Element>::DTYPE as i32;
}

#[test]
fn every_kind_of_memory_agrees() {
    let (a, b) = (ascending::<f64>(9, 5003, 0, 2), ascending::<f64>(10, 6007, 0, 2));
    for ctx in backends() {
        for kind in EVERYWHERE {
            agrees(&ctx, case(SetOperator::Union), kind, &a, &b);
        }
    }
}

#[test]
fn arrays_that_are_not_sorted_do_no_harm() {
    let mut random = random(11);
    let mut any = |len: usize| (0..len).map(|_| random.random_range(0..500)).collect::<Vec<u32>>();
    let (a, b) = (any(30_000), any(40_000));
    for ctx in backends() {
        for case in every_case(&ctx) {
            for distinct in [false, true] {
                let options = Case { distinct, ..case }.options::<u32>(Payload::None);
                let (mut keys, mut needed) = (Output::<u32>::new(80_000), Output::<u64>::new(1));
                let (a_at, b_at, to) = (a.as_ptr().cast(), b.as_ptr().cast(), keys.as_mut_ptr().cast());
                let (none, needed_at) = (null_mut(), needed.as_mut_ptr().cast());
                // SAFETY: arrays as long as they are said to be.
                let status = unsafe {
                    gpumex_set_operation(
                        ctx.handle, &options, a_at, none, 30_000, b_at, none, 40_000, to, none, 80_000,
                        needed_at,
                    )
                };
                ok(status, "arrays that are not sorted");
                keys.written("keys");
                needed.written("needed");
            }
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- refusals

#[test]
fn a_capacity_that_is_too_small_is_refused_and_filled() {
    let (a, b) = (ascending::<u32>(12, 20_000, 1, 2), ascending::<u32>(13, 20_000, 1, 2));
    for ctx in backends() {
        for variant in ctx.variants() {
            let case = Case { variant, ..case(SetOperator::Union) };
            let all = [&a[..], &b].concat();
            let want: Vec<u32> = want(case, &a, &b).iter().map(|&from| all[from as usize]).collect();
            let (mut keys, mut needed) = (Output::<u32>::new(9999), Output::<u64>::new(1));
            let options = case.options::<u32>(Payload::None);
            let (a_at, b_at, to) = (a.as_ptr().cast(), b.as_ptr().cast(), keys.as_mut_ptr().cast());
            let (none, needed_at) = (null_mut(), needed.as_mut_ptr().cast());
            // SAFETY: arrays as long as they are said to be.
            let status = unsafe {
                gpumex_set_operation(
                    ctx.handle, &options, a_at, none, 20_000, b_at, none, 20_000, to, none, 9999, needed_at,
                )
            };
            let len = want.len().to_string();
            refused(
                status,
                Status::InvalidArgument,
                &["gpumex_set_operation", "9999", &len],
                "a small capacity",
            );
            assert_same(&keys.written("keys"), &want[..9999], "the first keys");
            assert_same(&needed.written("needed"), &[want.len() as u64], "needed");
        }
    }
}

#[test]
fn bad_calls_are_refused() {
    let ctx = Context::cpu();
    let (a, mut keys, mut needed) = ([1.0f32, 2.0], [0.0f32; 4], 0u64);
    let good = SetOperationOptions { dtype: Dtype::F32 as i32, ..SetOperationOptions::default() };
    let mut call = |options: SetOperationOptions, keys: *mut f32, capacity, has_needed: bool| {
        let (at, none) = (a.as_ptr().cast(), null_mut());
        let needed = if has_needed { &raw mut needed } else { null_mut() };
        // SAFETY: two keys each, capacity for four.
        unsafe {
            gpumex_set_operation(
                ctx.handle,
                &options,
                at,
                none,
                2,
                at,
                none,
                2,
                keys.cast(),
                none,
                capacity,
                needed,
            )
        }
    };
    let to = keys.as_mut_ptr();
    ok(call(good, to, 4, true), "a good call");
    refused(call(good, null_mut(), 4, true), Status::NullPointer, &["keys"], "no keys");
    refused(call(good, to, 4, false), Status::NullPointer, &["needed"], "no needed");
    let overlapping = a.as_ptr().cast_mut();
    refused(call(good, overlapping, 2, true), Status::InvalidArgument, &["overlaps"], "keys over a");
    let halves = SetOperationOptions { dtype: Dtype::F16 as i32, ..good };
    refused(call(halves, to, 4, true), Status::Unsupported, &["options.dtype is GPUMEX_DTYPE_F16"], "halves");
    let unknown = SetOperationOptions { op: first_unknown::<SetOperator>(), ..good };
    refused(call(unknown, to, 4, true), Status::InvalidArgument, &["gpumex_set_operator"], "an operator");
    let small =
        SetOperationOptions { payload: Payload::Values as i32, value_dtype: Dtype::I16 as i32, ..good };
    refused(call(small, to, 4, true), Status::Unsupported, &["value_dtype"], "values of two bytes");
    let promised = SetOperationOptions { distinct: 2, ..good };
    refused(call(promised, to, 4, true), Status::InvalidArgument, &["distinct"], "distinct 2");
}

#[test]
fn thirty_two_bit_positions_are_those_of_sixty_four() {
    let (a, b) = (ascending::<u32>(14, 3000, 0, 2), ascending::<u32>(15, 3000, 0, 2));
    let device = Some(MemoryKind::Device);
    for ctx in backends() {
        let want = want(case(SetOperator::Union), &a, &b);
        let mut options = case(SetOperator::Union).options::<u32>(Payload::Indices);
        options.index_dtype = Dtype::U32 as i32;
        let mut from = [Placed::holding(&ctx, device, &a), Placed::holding(&ctx, device, &b)];
        let [a, b] = from.each_mut().map(Placed::as_ptr::<std::ffi::c_void>);
        let (mut values, mut needed) =
            (Placed::<u32>::new(&ctx, device, want.len()), Placed::<u64>::new(&ctx, device, 1));
        let (none, to, needed_at) = (null_mut(), values.as_mut_ptr(), needed.as_mut_ptr());
        // SAFETY: arrays as long as they are said to be.
        let status = unsafe {
            gpumex_set_operation(
                ctx.handle,
                &options,
                a,
                none,
                3000,
                b,
                none,
                3000,
                none,
                to,
                want.len(),
                needed_at,
            )
        };
        ok(status, "positions of 32 bits");
        assert_same(&values.written().into_iter().map(u64::from).collect::<Vec<_>>(), &want, "positions");
        assert_same(&needed.written(), &[want.len() as u64], "needed");
    }
}
