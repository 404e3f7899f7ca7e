//! Reductions of segments and of runs of equal keys by expressions.

use std::fmt::Debug;

use gpumex::error::Status;
use gpumex::model::variant::Variant;

use super::calls::{Segments, reduce_by_key, segmented_reduce};
use super::joins::*;
use crate::common::*;
use crate::operands::samples::{Sample, numbers};

fn expected<T: Copy>(join: &Join<T>, of: &Segments<T, u32>) -> Vec<T> {
    let bounds = of.offsets.windows(2).enumerate().map(|(segment, bounds)| {
        let [from, to] = [bounds[0] as usize, bounds[1] as usize];
        let begin = of.sources.map_or(from, |sources| sources[segment] as usize);
        join.fold(&of.data[begin..begin + (to - from)]).unwrap_or(of.identity)
    });
    bounds.collect()
}

/// Where segments of these lengths begin, with the end of the last one, and that again.
fn bounds(lengths: &[usize]) -> (Vec<u32>, usize) {
    let (mut offsets, total) = exclusive_sum(lengths);
    offsets.push(total as u32);
    (offsets, total)
}

fn every_division<T: Sample + Debug>(ctx: &Context, joins: Vec<Join<T>>) {
    let divisions = hard_lengths(3, 400).into_iter().chain([vec![70_000, 0, 3, 50_000, 0], vec![1; 5000]]);
    for lengths in divisions {
        let (offsets, total) = bounds(&lengths);
        let data = numbers::<T>(total as u64, total);
        let sources: Vec<u32> = lengths.iter().map(|&len| ((total - len) / 3) as u32).collect();
        for (join, sources) in joins.iter().flat_map(|join| [(join, None), (join, Some(&sources[..]))]) {
            if is_not_in_share() {
                continue;
            }
            let of = Segments { data: &data, offsets: &offsets, sources, identity: T::of(12_345 << 40) };
            let want = expected(join, &of);
            for variant in ctx.variants() {
                let got = segmented_reduce(ctx, (variant, &join.text), [None; 2], &of);
                let what = format!("{:?}, {variant:?}, {:?}, {:?}", ctx.backend, join.text, T::DTYPE);
                assert_same_bits(&got, &want, format!("{what}, {} in {}", total, lengths.len()));
            }
        }
    }
}

#[test]
fn every_expression_agrees_with_the_plain_loop_however_segments_are_cut() {
    for ctx in backends() {
        for_every_join!(every_division(&ctx));
    }
}

#[test]
fn offsets_of_64_bits_in_every_kind_of_memory() {
    let (join, data) = (affine64(), numbers::<u64>(8, 50_000));
    let offsets = [7u64, 7, 20_000, 20_001, 49_000];
    let of = Segments { data: &data, offsets: &offsets, sources: None, identity: 3 };
    let want =
        [3, join.fold(&data[7..20_000]).unwrap(), data[20_000], join.fold(&data[20_001..49_000]).unwrap()];
    for ctx in backends() {
        for kinds in EVERYWHERE.into_iter().flat_map(|from| EVERYWHERE.map(|to| [from, to])) {
            let got = segmented_reduce(&ctx, (Variant::Auto, &join.text), kinds, &of);
            assert_same_bits(&got, &want, format!("{:?}, {kinds:?}", ctx.backend));
        }
    }
}

#[test]
fn offsets_that_do_not_ascend_harm_nothing() {
    let data = numbers::<u32>(8, 5000);
    for offsets in [[9u32, 3, 5000, 2, 9000], [u32::MAX, 0, u32::MAX, 7, 7], [5001, 5002, 4000, 3, 1]] {
        for sources in [None, Some(&[u32::MAX, 4999, 5000, 17][..])] {
            let of = Segments { data: &data, offsets: &offsets, sources, identity: 0 };
            for ctx in backends() {
                for variant in ctx.variants::<Variant>().into_iter().filter(|v| *v == Variant::Auto) {
                    let _ = segmented_reduce(&ctx, (variant, c"a + b"), [None; 2], &of);
                }
            }
        }
    }
}

fn by_key<T: Sample + Debug>(ctx: &Context, joins: Vec<Join<T>>) {
    for lengths in hard_lengths(4, 300) {
        let lengths: Vec<usize> = lengths.into_iter().filter(|&len| len > 0).collect();
        let keys: Vec<i16> = owners(&lengths).iter().map(|run| (run % 3) as i16 - 1).collect();
        let (offsets, total) = bounds(&lengths);
        let data = numbers::<T>(total as u64 + 2, total);
        let (runs, wide) = (lengths.len(), offsets.iter().map(|&at| u64::from(at)).collect::<Vec<_>>());
        for join in &joins {
            let of = Segments { data: &data, offsets: &offsets, sources: None, identity: data[0] };
            let want = expected(join, &of);
            for variant in ctx.variants() {
                let how = (variant, &*join.text);
                let what = format!("{:?}, {how:?}, {:?}, {total} in {runs}", ctx.backend, T::DTYPE);
                let (status, results, found, needed) =
                    reduce_by_key(ctx, how, [None; 3], (&keys, &data), runs);
                ok(status, &what);
                assert_eq!((needed, found), (runs as u64, wide.clone()), "{what}");
                assert_same_bits(&results, &want, &what);
            }
        }
    }
}

#[test]
fn runs_of_equal_keys_are_joined_in_their_order() {
    for ctx in backends() {
        for_every_join!(by_key(&ctx));
    }
}

#[test]
fn runs_for_which_there_is_no_room_are_counted() {
    let (join, data) = (affine32(), numbers::<u32>(8, 30_000));
    let keys: Vec<u64> = (0..30_000).map(|i| i / 100).collect();
    for ctx in backends() {
        for to in EVERYWHERE {
            let how = (Variant::Auto, &*join.text);
            let (status, results, _, needed) = reduce_by_key(&ctx, how, [to, to, None], (&keys, &data), 7);
            assert_eq!((status, needed), (Status::InvalidArgument as i32, 300), "{:?}, {to:?}", ctx.backend);
            let want: Vec<u32> = data.chunks(100).take(7).map(|run| join.fold(run).unwrap()).collect();
            assert_eq!(results, want, "{:?}, {to:?}", ctx.backend);
        }
    }
}

#[test]
fn a_number_of_runs_in_memory_of_the_device_leaves_the_rest_alone() {
    let (join, data, keys) = (affine32(), numbers::<u32>(8, 900), vec![5.5f32; 900]);
    for ctx in backends() {
        let device = EVERYWHERE[1];
        let how = (Variant::Auto, &*join.text);
        let (status, results, offsets, needed) = reduce_by_key(&ctx, how, [device; 3], (&keys, &data), 4);
        ok(status, format!("{:?}", ctx.backend));
        assert_eq!((needed, results[0], &offsets[..2]), (1, join.fold(&data).unwrap(), &[0, 900][..]));
        assert!(results[1..].iter().all(|&result| result == u32::POISON), "{:?}", ctx.backend);
    }
}
