//! Joins: every kind on every backend gives the pairs of nested loops.

use std::ffi::c_void;
use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::{JoinOptions, gpumex_join};
use gpumex::model::dtype::Dtype;
use gpumex::model::index::Index;
use gpumex::model::join::JoinKind;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::order::{Key, SortOrder};
use gpumex::model::variant::Variant;

use crate::common::*;
use crate::operands::sorted::*;

const TILE: usize = 4352; // elements of both arrays that one block of the device takes
const NONE: u64 = u64::MAX;

// ------------------------------------------------------------------------------------------------------------- the call

#[derive(Clone, Copy, Debug)]
struct Case {
    variant: Variant,
    order: SortOrder,
    kind: JoinKind,
}

fn every_case(ctx: &Context) -> Vec<Case> {
    let mut cases = Vec::new();
    for variant in ctx.variants() {
        cases.extend(JoinKind::ALL.iter().map(|&kind| Case { variant, order: SortOrder::Ascending, kind }));
    }
    cases
}

fn options<K: Number, I: Number>(case: Case) -> JoinOptions {
    JoinOptions {
        variant: case.variant as i32,
        dtype: K::DTYPE as i32,
        order: case.order as i32,
        kind: case.kind as i32,
        index_dtype: I::DTYPE as i32,
        ..JoinOptions::default()
    }
}

/// Counts first, and allocates what is needed then.
#[track_caller]
fn join<K: Number, I: Number + Index>(
    ctx: &Context,
    case: Case,
    kind: Kind,
    a: &[K],
    b: &[K],
) -> Vec<(u64, u64)> {
    let what = format!("{:?}, {case:?}, {:?}, {} and {}, {kind:?}", ctx.backend, K::DTYPE, a.len(), b.len());
    let options = options::<K, I>(case);
    let (a_count, b_count) = (a.len(), b.len());
    let mut from = [Placed::holding(ctx, kind, a), Placed::holding(ctx, kind, b)];
    let [a, b] = from.each_mut().map(Placed::as_ptr::<c_void>);
    let call = |a_indices, b_indices, capacity, needed: &mut Placed<u64>| {
        let to = needed.as_mut_ptr();
        // SAFETY: arrays as long as they are said to be.
        unsafe {
            gpumex_join(ctx.handle, &options, a, a_count, b, b_count, a_indices, b_indices, capacity, to)
        }
    };
    let mut needed = Placed::<u64>::new(ctx, kind, 1);
    let counting = JoinOptions { index_dtype: 0, ..options };
    // SAFETY: as above, and no pairs.
    let status = unsafe {
        let to = needed.as_mut_ptr();
        gpumex_join(ctx.handle, &counting, a, a_count, b, b_count, null_mut(), null_mut(), 0, to)
    };
    ok(status, &what);
    let needed = needed.written()[0] as usize;
    let mut indices = [0; 2].map(|_| Placed::<I>::new(ctx, kind, needed + 3));
    let [to_a, to_b] = indices.each_mut().map(Placed::as_mut_ptr);
    let mut again = Placed::<u64>::new(ctx, kind, 1);
    ok(call(to_a, to_b, needed + 3, &mut again), &what);
    assert_same(&again.written(), &[needed as u64], &what);
    let [a, b] = indices.map(|indices| {
        let mut indices = indices.written();
        assert_same_bits(&indices.split_off(needed), &[I::POISON; 3], format!("{what}: behind the pairs"));
        let missing = I::from_usize(usize::MAX);
        let wide = |index: I| if index == missing { NONE } else { index.to_usize() as u64 };
        indices.into_iter().map(wide).collect::<Vec<u64>>()
    });
    a.into_iter().zip(b).collect()
}

// ------------------------------------------------------------------------------------------------------------ the oracle

fn want<K: Key>(case: Case, a: &[K], b: &[K]) -> Vec<(u64, u64)> {
    let rank = |keys: &[K]| keys.iter().map(|key| key.rank(case.order)).collect::<Vec<_>>();
    let (a, b) = (rank(a), rank(b));
    let mut pairs = Vec::new();
    for (i, key) in a.iter().enumerate() {
        let begin = b.partition_point(|other| other < key);
        let partners = b[begin..].iter().take_while(|&other| other == key).count();
        pairs.extend((begin..begin + partners).map(|j| (i as u64, j as u64)));
        if partners == 0 && case.kind.keeps_a() {
            pairs.push((i as u64, NONE));
        }
    }
    for (j, key) in b.iter().enumerate() {
        if case.kind.keeps_b() && a.binary_search(key).is_err() {
            pairs.push((NONE, j as u64));
        }
    }
    pairs
}

#[track_caller]
fn agrees<K: Number + Key>(ctx: &Context, case: Case, kind: Kind, a: &[K], b: &[K]) {
    let what = format!("{:?}, {case:?}, {:?}, {} and {}", ctx.backend, K::DTYPE, a.len(), b.len());
    assert_same(&join::<K, u32>(ctx, case, kind, a, b), &want(case, a, b), &what);
}

// ---------------------------------------------------------------------------------------------------------------- sizes

#[test]
fn the_golden_example() {
    let (a, b) = ([100i32, 101, 103, 103], [100i32, 100, 102, 103]);
    for ctx in backends() {
        for case in every_case(&ctx) {
            let inner = [(0, 0), (0, 1), (2, 3), (3, 3)];
            let left = [(0, 0), (0, 1), (1, NONE), (2, 3), (3, 3)];
            let lone = [(NONE, 2)];
            let want = match case.kind {
                JoinKind::Inner => inner.to_vec(),
                JoinKind::Left => left.to_vec(),
                JoinKind::Right => [&inner[..], &lone].concat(),
                JoinKind::Outer => [&left[..], &lone].concat(),
            };
            assert_same(&join::<i32, u64>(&ctx, case, None, &a, &b), &want, format!("{case:?}"));
        }
    }
}

#[test]
fn every_length_gives_the_pairs_of_nested_loops() {
    let lens = [0, 1, 2, 33, 1000, TILE / 2 - 1, TILE / 2, TILE / 2 + 1, 2 * TILE + 5];
    for ctx in backends() {
        for (a_len, b_len) in lens.into_iter().flat_map(|a| lens.map(|b| (a, b))) {
            let (a, b) = (ascending::<u32>(1, a_len, 0, 2), ascending::<u32>(2, b_len, 0, 2));
            every_case(&ctx).into_iter().for_each(|case| agrees(&ctx, case, None, &a, &b));
        }
    }
}

#[test]
fn long_arrays_agree() {
    let len = if cfg!(debug_assertions) { 20_003 } else { size(1_000_003, 200_003) };
    for ctx in backends() {
        for (least, most) in [(0, 1), (0, 3), (1, 3)] {
            let (a, b) = (ascending::<i32>(3, len, least, most), ascending::<i32>(4, len / 2, least, most));
            for case in every_case(&ctx) {
                agrees(&ctx, case, None, &a, &b);
                agrees(&ctx, case, None, &b, &a);
            }
        }
    }
}

/// From 4096 tiles on a thread, not a warp, searches where each begins: even numbers, and multiples of three.
#[test]
fn arrays_of_many_tiles_agree() {
    fn of<K: Number + From<u32>>() {
        let len = size(4097 * TILE / 2, 300_001);
        let [a, b] = [2, 3].map(|step| (0..len as u32).map(|i| K::from(i * step)).collect::<Vec<K>>());
        let inner = Case { variant: Variant::Auto, order: SortOrder::Ascending, kind: JoinKind::Inner };
        for ctx in backends() {
            let pairs = join::<K, u32>(&ctx, inner, None, &a, &b);
            assert_eq!(pairs.len(), len.div_ceil(3));
            assert!(pairs.iter().zip(0u64..).all(|(pair, i)| *pair == (3 * i, 2 * i)), "{:?}", K::DTYPE);
        }
    }
    let _mine = much_memory_is_mine();
    of::<u32>();
    of::<u64>();
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
fn one_key_with_many_partners_agrees() {
    let runs = |runs: &[(u32, usize)]| -> Vec<u32> {
        runs.iter().flat_map(|&(key, len)| std::iter::repeat_n(key, len)).collect()
    };
    let arrays = [
        (runs(&[(5, 900)]), runs(&[(5, 1000)])),
        (runs(&[(1, 3), (5, 20), (6, 3000)]), runs(&[(5, 20_000), (7, 9000)])),
        (runs(&[(5, 20_000), (7, 9000)]), runs(&[(1, 3), (5, 20), (6, 3000)])),
        (runs(&[(5, 1)]), runs(&[(5, 100_000)])),
        (runs(&[(4, 5000), (5, 1)]), runs(&[(5, 50_000)])),
    ];
    for ctx in backends() {
        for (a, b) in &arrays {
            every_case(&ctx).into_iter().for_each(|case| agrees(&ctx, case, None, a, b));
        }
    }
}

#[test]
fn a_product_beyond_32_bits_is_counted() {
    let (a, b) = (vec![1.5f64; 100_000], vec![1.5f64; 90_000]);
    for ctx in backends() {
        let case = Case { variant: Variant::Auto, order: SortOrder::Ascending, kind: JoinKind::Outer };
        let (options, mut needed) = (options::<f64, u64>(case), 0u64);
        let (a_at, b_at, to) = (a.as_ptr().cast(), b.as_ptr().cast(), (&raw mut needed).cast());
        let none = null_mut();
        // SAFETY: arrays as long as they are said to be.
        let status =
            unsafe { gpumex_join(ctx.handle, &options, a_at, a.len(), b_at, b.len(), none, none, 0, to) };
        ok(status, "a count");
        assert_eq!(needed, 9_000_000_000, "{:?}", ctx.backend);
    }
}

// -------------------------------------------------------------------------------------------------------------- meaning

#[test]
fn zeros_are_equal_and_so_are_nans() {
    let a = [-1.0, -0.0, 2.0, f32::NAN];
    let b = [0.0, -0.0, 3.0, f32::from_bits(0xFFC0_0001)];
    for ctx in backends() {
        every_case(&ctx).into_iter().for_each(|case| agrees(&ctx, case, None, &a, &b));
        let case = Case { variant: Variant::Auto, order: SortOrder::Ascending, kind: JoinKind::Inner };
        assert_same(&join::<f32, u64>(&ctx, case, None, &a, &b), &[(1, 0), (1, 1), (3, 3)], "inner");
    }
}

#[test]
fn every_kind_of_memory_agrees() {
    let (a, b) = (ascending::<f64>(9, 5003, 0, 2), ascending::<f64>(10, 6007, 0, 2));
    for ctx in backends() {
        for kind in EVERYWHERE {
            let case = Case { variant: Variant::Auto, order: SortOrder::Ascending, kind: JoinKind::Outer };
            agrees(&ctx, case, kind, &a, &b);
        }
    }
}

#[test]
fn arrays_that_are_not_sorted_do_no_harm() {
    let mut random = random(11);
    let mut any = |len: usize| (0..len).map(|_| random.random_range(0..5000)).collect::<Vec<u32>>();
    let (a, b) = (any(30_000), any(40_000));
    for ctx in backends() {
        for case in every_case(&ctx) {
            let options = options::<u32, u32>(case);
            let mut indices = [0; 2].map(|_| Output::<u32>::new(100_000));
            let [to_a, to_b] = indices.each_mut().map(|indices| indices.as_mut_ptr().cast());
            let mut needed = 0u64;
            let (a_at, b_at, needed_at) = (a.as_ptr().cast(), b.as_ptr().cast(), (&raw mut needed).cast());
            // SAFETY: arrays as long as they are said to be.
            let status = unsafe {
                gpumex_join(ctx.handle, &options, a_at, 30_000, b_at, 40_000, to_a, to_b, 100_000, needed_at)
            };
            assert!(status == 0 || status == Status::InvalidArgument as i32, "{}", explain(status));
            for indices in indices {
                indices.written("indices");
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------------- refusals

#[test]
fn a_capacity_that_is_too_small_is_refused_and_filled() {
    let (a, b) = (ascending::<u32>(12, 20_000, 0, 2), ascending::<u32>(13, 20_000, 0, 2));
    for ctx in backends() {
        for case in every_case(&ctx) {
            let want = want(case, &a, &b);
            for capacity in [1, 9999, want.len() - 1] {
                let mut indices = [0; 2].map(|_| Output::<u64>::new(capacity));
                let [to_a, to_b] = indices.each_mut().map(|indices| indices.as_mut_ptr().cast());
                let (mut needed, options) = (0u64, options::<u32, u64>(case));
                let (a_at, b_at, needed_at) =
                    (a.as_ptr().cast(), b.as_ptr().cast(), (&raw mut needed).cast());
                // SAFETY: arrays as long as they are said to be.
                let status = unsafe {
                    gpumex_join(
                        ctx.handle, &options, a_at, 20_000, b_at, 20_000, to_a, to_b, capacity, needed_at,
                    )
                };
                let words = ["gpumex_join", &capacity.to_string(), &want.len().to_string()];
                refused(status, Status::InvalidArgument, &words, "a small capacity");
                let [a_indices, b_indices] = indices.map(|indices| indices.written("indices"));
                let got: Vec<_> = a_indices.into_iter().zip(b_indices).collect();
                assert_same(&got, &want[..capacity], format!("{:?}, {case:?}, the first pairs", ctx.backend));
                assert_eq!(needed, want.len() as u64);
            }
        }
    }
}

#[test]
fn bad_calls_are_refused() {
    let ctx = Context::cpu();
    let (a, mut indices, mut needed) = ([1.0f32, 2.0], [[0u64; 4]; 2], 0u64);
    let good = options::<f32, u64>(Case {
        variant: Variant::Auto,
        order: SortOrder::Ascending,
        kind: JoinKind::Inner,
    });
    let [to_a, to_b] = indices.each_mut().map(|indices| indices.as_mut_ptr().cast::<c_void>());
    let mut call = |options: JoinOptions, to_a, to_b, has_needed: bool| {
        let needed = if has_needed { (&raw mut needed).cast() } else { null_mut() };
        let at = a.as_ptr().cast();
        // SAFETY: two keys each, capacity for four.
        unsafe { gpumex_join(ctx.handle, &options, at, 2, at, 2, to_a, to_b, 4, needed) }
    };
    ok(call(good, to_a, to_b, true), "a good call");
    refused(call(good, null_mut(), to_b, true), Status::NullPointer, &["a_indices"], "no indices");
    refused(call(good, to_a, to_b, false), Status::NullPointer, &["needed"], "no needed");
    refused(call(good, to_a, to_a, true), Status::InvalidArgument, &["overlaps"], "indices over indices");
    let halves = JoinOptions { dtype: Dtype::F16 as i32, ..good };
    refused(
        call(halves, to_a, to_b, true),
        Status::Unsupported,
        &["options.dtype is GPUMEX_DTYPE_F16"],
        "halves",
    );
    let unknown = JoinOptions { kind: first_unknown::<JoinKind>(), ..good };
    refused(call(unknown, to_a, to_b, true), Status::InvalidArgument, &["gpumex_join_kind"], "a kind");
}

#[test]
fn pairs_beyond_the_capacity_are_counted_without_being_visited() {
    let keys = vec![7u32; 1 << 18]; // 2^36 pairs
    let ctx = Context::cpu();
    for variant in ctx.variants::<Variant>() {
        let options = JoinOptions {
            variant: variant as i32,
            dtype: Dtype::U32 as i32,
            index_dtype: Dtype::U64 as i32,
            ..JoinOptions::default()
        };
        let (mut a, mut b, mut needed) = ([9u64; 3], [9u64; 3], 0u64);
        let (from, to_a, to_b) = (keys.as_ptr().cast(), a.as_mut_ptr().cast(), b.as_mut_ptr().cast());
        // SAFETY: 2^18 keys on both sides, three pairs, one number.
        let status = unsafe {
            gpumex_join(ctx.handle, &options, from, 1 << 18, from, 1 << 18, to_a, to_b, 3, &mut needed)
        };
        assert_eq!((status, needed, a, b), (2, 1 << 36, [0, 0, 0], [0, 1, 2]), "{variant:?}");
    }
}
