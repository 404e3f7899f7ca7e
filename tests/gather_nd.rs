//! gpumex_gather_nd against plain loops: ranges, index vectors and masks in every dimension, in and out of range.

use std::ffi::c_void;
use std::ptr::null;

use gpumex::ffi::{GatherNdOptions, gpumex_gather_nd};
use gpumex::model::dtype::Dtype;
use gpumex::{error::Status, model::variant::Variant};

use rand_pcg::Pcg64;

use crate::common::*;

pub const INDEX_DTYPES: [Dtype; 5] = [Dtype::U32, Dtype::U64, Dtype::I32, Dtype::I64, Dtype::F64];

/// What is taken of a dimension.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    pub extent: usize,
    pub count: usize,
    pub start: i64,
    pub step: i64,
    pub wraps: i32,
    pub indices: Option<(Dtype, Vec<f64>)>,
}

impl Taken {
    pub fn range(extent: usize, count: usize, start: i64, step: i64) -> Taken {
        Taken { extent, count, start, step, ..Taken::default() }
    }

    pub fn all(extent: usize) -> Taken {
        Taken::range(extent, extent, 0, 1)
    }

    pub fn wrapped(extent: usize, count: usize, start: i64, step: i64) -> Taken {
        Taken { wraps: 1, ..Taken::range(extent, count, start, step) }
    }

    pub fn indexed(extent: usize, dtype: Dtype, start: i64, indices: &[f64]) -> Taken {
        Taken { indices: Some((dtype, indices.to_vec())), ..Taken::range(extent, indices.len(), start, 1) }
    }

    pub fn mask(mask: &[f64], count: usize) -> Taken {
        Taken { indices: Some((Dtype::Bool, mask.to_vec())), ..Taken::range(mask.len(), count, 0, 1) }
    }

    /// One of any kind.
    pub fn random(random: &mut Pcg64, extent: usize) -> Taken {
        let (some, half) = (extent.max(1), extent as i64);
        match random.random_range(0..7) {
            0 => Taken::all(extent),
            1 if extent > 0 => {
                let count = random.random_range(0..=extent);
                Taken::range(extent, count, random.random_range(0..=extent - count) as i64, 1)
            }
            2 if extent > 0 => Taken::range(extent, extent.div_ceil(2), half - 1, -2),
            3 if extent > 0 => {
                let (start, step) = (random.random_range(-2 * half..2 * half), random.random_range(-3..4));
                Taken::wrapped(extent, random.random_range(0..3 * some), start, step)
            }
            4 => {
                let mask: Vec<f64> =
                    (0..extent).map(|_| [0.0, 0.0, 1.0, 7.0][random.random_range(0..4)]).collect();
                let set = mask.iter().filter(|&&set| set != 0.0).count();
                Taken::mask(&mask, (set + random.random_range(0..3)).saturating_sub(1))
            }
            kind => {
                let dtype = INDEX_DTYPES[random.random_range(0..5)];
                let base = random.random_range(-1..2);
                let is_strict = kind == 5;
                let mut index = || match random.random_range(0..8) {
                    0 if !is_strict => (extent as i64 - base).max(0) as f64,
                    1 if !is_strict && dtype == Dtype::F64 => 0.5,
                    2 if !is_strict && matches!(dtype, Dtype::I32 | Dtype::I64) => -7.0,
                    _ => (random.random_range(0..some) as i64 - base).max(0) as f64,
                };
                let indices: Vec<f64> = (0..2 * extent / 3 + 1).map(|_| index()).collect();
                Taken::indexed(extent, dtype, base, &indices)
            }
        }
    }

    /// Where its elements are.
    pub fn positions(&self) -> Vec<Option<usize>> {
        let inside = |position: f64| {
            (position.fract() == 0.0 && position >= 0.0 && position < self.extent as f64)
                .then_some(position as usize)
        };
        match &self.indices {
            None => (0..self.count as i64)
                .map(|i| {
                    let position = self.start + self.step * i;
                    let wrapped =
                        if self.wraps == 1 { position.rem_euclid(self.extent as i64) } else { position };
                    Some(wrapped as usize)
                })
                .collect(),
            Some((Dtype::Bool, mask)) => {
                let set = (0..mask.len()).filter(|&i| mask[i] != 0.0).map(Some);
                set.chain(std::iter::repeat(None)).take(self.count).collect()
            }
            Some((_, indices)) => indices.iter().map(|&index| inside(index + self.start as f64)).collect(),
        }
    }

    /// The bytes of its index vector, in words.
    fn words(&self) -> Vec<u64> {
        let Some((dtype, indices)) = &self.indices else { return Vec::new() };
        let bytes_of = |&index: &f64| match dtype {
            Dtype::U32 => (index as u32).to_ne_bytes().to_vec(),
            Dtype::I32 => (index as i32).to_ne_bytes().to_vec(),
            Dtype::U64 => (index as u64).to_ne_bytes().to_vec(),
            Dtype::I64 => (index as i64).to_ne_bytes().to_vec(),
            Dtype::F64 => index.to_ne_bytes().to_vec(),
            _ => vec![index as u8],
        };
        let mut bytes: Vec<u8> = indices.iter().flat_map(bytes_of).collect();
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap())).collect()
    }
}

/// All dimensions as the fields of the options, with index vectors somewhere.
pub struct Fields {
    pub shape: Vec<usize>,
    pub counts: Vec<usize>,
    pub starts: Vec<i64>,
    pub steps: Vec<i64>,
    pub wraps: Vec<i32>,
    pub index_dtypes: Vec<i32>,
    pub indices: Vec<*const c_void>,
    _held: Vec<Placed<u64>>,
}

impl Fields {
    pub fn new(ctx: &Context, kind: Kind, taken: &[Taken]) -> Fields {
        let mut held: Vec<Placed<u64>> =
            taken.iter().map(|one| Placed::holding(ctx, kind, &one.words())).collect();
        let pointer = |(one, held): (&Taken, &mut Placed<u64>)| {
            if one.indices.is_some() { held.as_ptr() } else { null() }
        };
        Fields {
            shape: taken.iter().map(|one| one.extent).collect(),
            counts: taken.iter().map(|one| one.count).collect(),
            starts: taken.iter().map(|one| one.start).collect(),
            steps: taken.iter().map(|one| one.step).collect(),
            wraps: taken.iter().map(|one| one.wraps).collect(),
            index_dtypes: taken
                .iter()
                .map(|one| one.indices.as_ref().map_or(0, |(dtype, _)| *dtype as i32))
                .collect(),
            indices: taken.iter().zip(&mut held).map(pointer).collect(),
            _held: held,
        }
    }

    pub fn options(&self, dtype: Dtype) -> GatherNdOptions {
        GatherNdOptions {
            dtype: dtype as i32,
            rank: self.shape.len() as i32,
            shape: self.shape.as_ptr(),
            counts: self.counts.as_ptr(),
            starts: self.starts.as_ptr(),
            steps: self.steps.as_ptr(),
            wraps: self.wraps.as_ptr(),
            indices: self.indices.as_ptr(),
            index_dtypes: self.index_dtypes.as_ptr(),
            ..GatherNdOptions::default()
        }
    }
}

/// Where in the indexed array each element of the dense one is.
pub fn places(taken: &[Taken]) -> Vec<Option<usize>> {
    let mut places = vec![Some(0)];
    let mut stride: usize = taken.iter().map(|one| one.extent).product();
    for one in taken.iter().rev() {
        stride = stride.checked_div(one.extent).unwrap_or(0);
        let positions = one.positions();
        let of_all = places.iter().flat_map(|&outer: &Option<usize>| {
            positions.iter().map(move |&position| Some(outer? + position? * stride))
        });
        places = of_all.collect();
    }
    places
}

fn numbers<T: Number>(len: usize) -> Vec<T> {
    (0..len).map(|i| T::from_f64((i % 119 + 1) as f64)).collect()
}

fn agrees<T: Number>(ctx: &Context, [a, b, c]: [Kind; 3], off: usize, taken: &[Taken]) {
    let fields = Fields::new(ctx, b, taken);
    let (len, places) = (fields.shape.iter().product::<usize>(), places(taken));
    let source: Vec<T> = numbers(off + len);
    let element = |place: &Option<usize>| place.map_or(T::default(), |place| source[off + place]);
    let want: Vec<T> = std::iter::repeat_n(T::POISON, off).chain(places.iter().map(element)).collect();
    for variant in ctx.variants::<Variant>() {
        let options = GatherNdOptions { variant: variant as i32, ..fields.options(T::DTYPE) };
        let what =
            format!("{:?}, {variant:?}, {:?}, {a:?} {b:?} {c:?}, {off}: {taken:?}", ctx.backend, T::DTYPE);
        let (mut from, mut to) = (Placed::holding(ctx, a, &source), Placed::<T>::new(ctx, c, want.len()));
        // SAFETY: arrays of the elements that the fields say.
        ok(unsafe { gpumex_gather_nd(ctx.handle, &options, from.at(off), to.at(off)) }, &what);
        assert_same_bits(&to.written(), &want, what);
    }
}

/// Shapes of every rank, of few elements.
pub fn random_shape(random: &mut Pcg64) -> Vec<usize> {
    let rank = random.random_range(1..=8);
    let most = [400, 40, 14, 7, 5, 4, 3, 3][rank - 1];
    (0..rank)
        .map(|_| random.random_range(0..=most).max(usize::from(random.random_range(0..20) > 0)))
        .collect()
}

fn random_cases<T: Number>() {
    for ctx in backends() {
        let mut random = random(u64::from(T::DTYPE as u32));
        for case in 0..size(150, 60) {
            let taken: Vec<Taken> =
                random_shape(&mut random).into_iter().map(|e| Taken::random(&mut random, e)).collect();
            let kind = EVERYWHERE[case % EVERYWHERE.len()];
            agrees::<T>(&ctx, [kind; 3], case % 3, &taken);
        }
    }
}

#[test]
fn ranges_vectors_and_masks_of_every_rank_and_type() {
    for_every_dtype!(random_cases());
}

#[test]
fn whole_columns_blocks_rows_flips_shifts_and_repetitions() {
    let [rows, columns] = [size(2048, 512), size(515, 67)];
    let last = |n: usize| n as i64 - 1;
    let shuffled: Vec<f64> = (0..columns).map(|i| (i * 31 % columns + 1) as f64).collect();
    let neighbours: Vec<f64> = (0..rows).map(|i| i.saturating_sub(1) as f64).collect();
    let of_rows = [
        Taken::all(rows),
        Taken::range(rows, rows - 64, 64, 1),
        Taken::range(rows, rows - 3, 1, 1),
        Taken::range(rows, 1, 5, 1),
        Taken::range(rows, rows, last(rows), -1),
        Taken::range(rows, rows / 2, 1, 2),
        Taken::wrapped(rows, rows, -5, 1),
        Taken::wrapped(rows, 2 * rows, 0, 1),
        Taken::indexed(rows, Dtype::U32, 0, &neighbours),
    ];
    let of_columns = [
        Taken::all(columns),
        Taken::range(columns, 1, last(columns), 1),
        Taken::range(columns, columns, last(columns), -1),
        Taken::wrapped(columns, columns, 7, 1),
        Taken::indexed(columns, Dtype::F64, -1, &shuffled),
    ];
    for ctx in backends() {
        for (p, q) in of_rows.iter().flat_map(|p| of_columns.iter().map(move |q| (p, q))) {
            let taken = [p.clone(), q.clone()];
            agrees::<u8>(&ctx, [None; 3], 0, &taken);
            agrees::<u16>(&ctx, [None; 3], 1, &taken);
            agrees::<f32>(&ctx, [None; 3], 0, &taken);
            agrees::<f64>(&ctx, [None; 3], 1, &taken);
        }
    }
}

#[test]
fn arrays_may_lie_and_start_anywhere() {
    let indices: Vec<f64> = (0..100).map(|i| (i * 7 % 90) as f64).collect();
    for ctx in backends() {
        for kind in EVERYWHERE {
            for kinds in [[kind, None, None], [None, kind, None], [None, None, kind], [kind; 3]] {
                for off in 0..5 {
                    let taken = [Taken::range(64, 33, 7, 1), Taken::indexed(90, Dtype::I64, 0, &indices)];
                    agrees::<u8>(&ctx, kinds, off, &taken);
                    agrees::<u32>(&ctx, kinds, off, &taken);
                }
            }
        }
    }
}

#[test]
fn long_vectors_are_one_dimension() {
    let len = size(3_000_001, 200_003);
    let mut random = random(5);
    let indices: Vec<f64> = (0..len).map(|_| random.random_range(0..len + 9) as f64).collect();
    let mask: Vec<f64> = (0..len).map(|_| f64::from(random.random_range(0..2u8))).collect();
    let set = mask.iter().filter(|&&set| set != 0.0).count();
    for ctx in backends() {
        for kind in EVERYWHERE {
            agrees::<f32>(&ctx, [kind; 3], 0, &[Taken::indexed(len, Dtype::U32, 0, &indices)]);
            agrees::<u8>(&ctx, [kind; 3], 0, &[Taken::mask(&mask, set)]);
        }
        agrees::<f64>(&ctx, [None; 3], 0, &[Taken::indexed(len, Dtype::F64, -1, &indices)]);
    }
}

#[test]
fn numbers_beyond_every_array_name_nothing() {
    let far = [0.0, 1e19, -1.0, 1e300, f64::NAN, f64::INFINITY, 9.3e18, 2.0, -0.0];
    for ctx in backends() {
        for start in [0, -1, 1, 1 << 62, -(1 << 62)] {
            agrees::<u16>(&ctx, [None; 3], 0, &[Taken::indexed(3, Dtype::F64, start, &far)]);
        }
        let integers = [0.0, 9.2e18, 1.8e19, 2.0];
        for start in [0, 1, -1, 1 << 62] {
            agrees::<u16>(&ctx, [None; 3], 0, &[Taken::indexed(3, Dtype::U64, start, &integers)]);
            agrees::<u16>(&ctx, [None; 3], 0, &[Taken::indexed(3, Dtype::I64, start, &integers[..2])]);
        }
    }
}

fn answer(ctx: &Context, kind: Kind, taken: &[Taken], check: i32) -> i32 {
    let fields = Fields::new(ctx, kind, taken);
    let options = GatherNdOptions { check, ..fields.options(Dtype::I16) };
    let (mut source, mut result) =
        (Placed::holding(ctx, kind, &[1i16; 64]), Placed::<i16>::new(ctx, kind, 64));
    // SAFETY: up to 64 elements each.
    unsafe { gpumex_gather_nd(ctx.handle, &options, source.as_ptr(), result.as_mut_ptr()) }
}

#[test]
fn what_is_out_of_range_is_named_on_request() {
    for (ctx, kind) in backends().iter().flat_map(|ctx| EVERYWHERE.map(|kind| (ctx, kind))) {
        for dtype in INDEX_DTYPES {
            let taken = [Taken::all(4), Taken::indexed(5, dtype, -1, &[1.0, 5.0, 6.0, 0.0])];
            let words =
                ["gpumex_gather_nd", "indices of dimension 1 at position 2 is 6;", "options.shape[1], 5"];
            refused(
                answer(ctx, kind, &taken, 1),
                Status::InvalidArgument,
                &words,
                format!("{dtype:?} {kind:?}"),
            );
            ok(answer(ctx, kind, &taken, 0), "not checked");
        }
        for count in [1, 3] {
            let words = ["the mask of dimension 0 has 2 set elements", "options.counts[0]"];
            let taken = [Taken::mask(&[0.0, 1.0, 0.0, 2.0], count)];
            refused(answer(ctx, kind, &taken, 1), Status::InvalidArgument, &words, format!("{kind:?}"));
        }
        ok(answer(ctx, kind, &[Taken::mask(&[0.0, 1.0, 0.0, 2.0], 2)], 1), "as many as stated");
    }
}

#[test]
fn ranges_that_leave_an_array_and_other_nonsense_are_refused() {
    let wrapped_vector = Taken { wraps: 1, ..Taken::indexed(5, Dtype::U32, 0, &[1.0]) };
    let wrong_type = Taken { indices: Some((Dtype::F32, vec![1.0])), ..Taken::range(5, 1, 0, 1) };
    let shifted_mask = Taken { start: 1, ..Taken::mask(&[1.0, 0.0], 1) };
    let cases: [(Taken, &str); 8] = [
        (Taken::range(5, 6, 0, 1), "the range of dimension 0 has positions 0 to 5"),
        (Taken::range(5, 2, 0, -1), "positions 0 to -1"),
        (Taken::range(5, 3, 4, i64::MAX), "the range of dimension 0"),
        (Taken::wrapped(0, 1, 0, 1), "options.shape[0] is 0"),
        (wrapped_vector, "only ranges wrap"),
        (wrong_type, "options.index_dtypes[0]"),
        (shifted_mask, "beside a mask it is 0"),
        (Taken::indexed(5, Dtype::U32, i64::MIN, &[1.0]), "options.starts[0]"),
    ];
    for ctx in backends() {
        for (taken, words) in &cases {
            refused(
                answer(&ctx, None, std::slice::from_ref(taken), 0),
                Status::InvalidArgument,
                &[words],
                words,
            );
        }
        let fields = Fields::new(&ctx, None, &[Taken::all(4)]);
        let mut array = [1u8; 8];
        let at = array.as_mut_ptr();
        // SAFETY: four elements each, which overlap.
        let status =
            unsafe { gpumex_gather_nd(ctx.handle, &fields.options(Dtype::U8), at.cast(), at.add(3).cast()) };
        refused(status, Status::InvalidArgument, &["overlaps"], "overlap");
        let options = GatherNdOptions { rank: 9, ..fields.options(Dtype::U8) };
        // SAFETY: refused before it reads.
        let status = unsafe { gpumex_gather_nd(ctx.handle, &options, at.cast(), at.add(4).cast()) };
        refused(status, Status::InvalidArgument, &["options.rank is 9"], "rank");
    }
}
