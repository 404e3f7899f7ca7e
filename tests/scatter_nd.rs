//! gpumex_scatter_nd against plain loops: ranges, index vectors and masks, one value for all, and which one of equal places wins.

use gpumex::ffi::{GatherNdOptions, ScatterNdOptions, gpumex_scatter_nd};
use gpumex::model::dtype::Dtype;
use gpumex::{error::Status, model::variant::Variant};

use crate::common::*;
use crate::gather_nd::{Fields, INDEX_DTYPES, Taken, places, random_shape};

fn options(fields: &Fields, dtype: Dtype) -> ScatterNdOptions {
    let GatherNdOptions { dtype, rank, shape, counts, starts, steps, wraps, indices, index_dtypes, .. } =
        fields.options(dtype);
    ScatterNdOptions {
        dtype,
        rank,
        shape,
        counts,
        starts,
        steps,
        wraps,
        indices,
        index_dtypes,
        ..ScatterNdOptions::default()
    }
}

/// broadcast: one value for all. last: of equal places the last one wins; without it the target may have any of them.
fn agrees<T: Number>(
    ctx: &Context,
    [a, b, c]: [Kind; 3],
    off: usize,
    taken: &[Taken],
    broadcast: bool,
    last: bool,
) {
    let fields = Fields::new(ctx, b, taken);
    let (len, places) = (fields.shape.iter().product::<usize>(), places(taken));
    let count = if broadcast { usize::from(!places.is_empty()) } else { places.len() };
    let values: Vec<T> = (0..off + count).map(|i| T::from_f64((i % 119 + 1) as f64)).collect();
    let mut want = vec![T::POISON; off + len];
    let mut candidates = vec![Vec::new(); len];
    for (i, place) in places.iter().enumerate().filter_map(|(i, place)| place.map(|place| (i, place))) {
        want[off + place] = values[off + if broadcast { 0 } else { i }];
        candidates[place].push(want[off + place]);
    }
    for variant in ctx.variants::<Variant>() {
        let (broadcast, last) = (i32::from(broadcast), i32::from(last));
        let options =
            ScatterNdOptions { variant: variant as i32, broadcast, last, ..options(&fields, T::DTYPE) };
        let what = format!(
            "{:?}, {variant:?}, {broadcast} {last}, {:?}, {a:?} {b:?} {c:?}, {off}: {taken:?}",
            ctx.backend,
            T::DTYPE
        );
        let (mut from, mut to) = (Placed::holding(ctx, a, &values), Placed::<T>::new(ctx, c, off + len));
        // SAFETY: arrays of the elements that the fields say.
        ok(unsafe { gpumex_scatter_nd(ctx.handle, &options, from.at(off), to.at(off)) }, &what);
        let mut got = to.written();
        if last == 0 && variant == Variant::Auto {
            for (place, candidates) in
                candidates.iter().enumerate().filter(|(_, candidates)| candidates.len() > 1)
            {
                assert!(candidates.iter().any(|one| !differ(&got[off + place], one)), "{place}: {what}");
                got[off + place] = want[off + place];
            }
        }
        assert_same_bits(&got, &want, what);
    }
}

fn random_cases<T: Number>() {
    for ctx in backends() {
        let mut random = random(90 + u64::from(T::DTYPE as u32));
        for case in 0..size(150, 60) {
            let taken: Vec<Taken> =
                random_shape(&mut random).into_iter().map(|e| Taken::random(&mut random, e)).collect();
            let kind = EVERYWHERE[case % EVERYWHERE.len()];
            agrees::<T>(&ctx, [kind; 3], case % 3, &taken, case % 4 == 3, case % 2 == 0);
        }
    }
}

#[test]
fn ranges_vectors_and_masks_of_every_rank_and_type() {
    for_every_dtype!(random_cases());
}

#[test]
fn one_value_of_any_place_goes_to_blocks_vectors_and_masks() {
    let (rows, columns) = (size(1000, 300), size(300, 40));
    let mask: Vec<f64> = (0..rows).map(|i| f64::from(u8::from(i % 3 == 0))).collect();
    let indices: Vec<f64> = (0..columns / 2).map(|i| (2 * i + 1) as f64).collect();
    for (ctx, kind) in backends().iter().flat_map(|ctx| EVERYWHERE.map(|kind| (ctx, kind))) {
        let of_columns = Taken::indexed(columns, Dtype::F64, -1, &indices);
        for first in [Taken::all(rows), Taken::range(rows, 64, 32, 1), Taken::mask(&mask, rows.div_ceil(3))] {
            for kinds in [[None, None, kind], [kind; 3]] {
                agrees::<u8>(ctx, kinds, 0, &[first.clone(), of_columns.clone()], true, false);
                agrees::<f64>(ctx, kinds, 1, &[first.clone(), of_columns.clone()], true, true);
                agrees::<u16>(
                    ctx,
                    kinds,
                    0,
                    &[first.clone(), Taken::range(columns, 8, 20, -2)],
                    false,
                    false,
                );
            }
        }
    }
}

#[test]
fn the_last_one_of_equal_places_wins_on_request() {
    let count = size(300_000, 50_000);
    let mut random = random(77);
    for (ctx, kind) in backends().iter().flat_map(|ctx| EVERYWHERE.map(|kind| (ctx, kind))) {
        for dtype in INDEX_DTYPES {
            let indices: Vec<f64> = (0..count).map(|_| random.random_range(0..1000) as f64).collect();
            agrees::<u32>(ctx, [kind; 3], 0, &[Taken::indexed(990, dtype, 0, &indices)], false, true);
            let both = [
                Taken::indexed(30, dtype, 0, &indices[..90]),
                Taken::indexed(20, dtype, -1, &indices[90..130]),
            ];
            agrees::<u8>(ctx, [kind; 3], 0, &both, false, true);
        }
        let wrapped = [Taken::wrapped(7, 40, 3, 2), Taken::wrapped(5, 5, 0, 0)];
        agrees::<u16>(ctx, [kind; 3], 0, &wrapped, false, true);
    }
}

#[test]
fn a_refused_call_leaves_the_target() {
    for (ctx, kind) in backends().iter().flat_map(|ctx| EVERYWHERE.map(|kind| (ctx, kind))) {
        let fields = Fields::new(ctx, kind, &[Taken::indexed(3, Dtype::I32, 0, &[1.0, -4.0])]);
        let (mut values, mut target) =
            (Placed::holding(ctx, kind, &[5i16, 6]), Placed::<i16>::new(ctx, kind, 3));
        let options = ScatterNdOptions { check: 1, ..options(&fields, Dtype::I16) };
        // SAFETY: two values, three places.
        let status = unsafe { gpumex_scatter_nd(ctx.handle, &options, values.as_ptr(), target.as_mut_ptr()) };
        let words = ["gpumex_scatter_nd", "indices of dimension 0 at position 1 is -4"];
        refused(status, Status::InvalidArgument, &words, "an index that is out of range");
        assert_same_bits(&target.written(), &[i16::POISON; 3], "the target");
    }
}
