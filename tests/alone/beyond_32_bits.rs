//! More than 2^32 elements in each operation: arrays of zeros with a few elements beyond 2^32 that decide the result.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::ffi::*;
use gpumex::model::operator::Operator;
use gpumex::model::set_operation::SetOperator;
use gpumex::model::stencil::Boundary;
use gpumex::ops::life::{LifeBoundary, LifeCells};
use gpumex::ops::matmul::MatmulVariant;
use gpumex::ops::scan::ScanKind;

use crate::huge::{F32, FAR, Huge, LONG, LONG_FAR, N, U8, U32, U64, on_each, run};

#[test]
fn reduce_dot_and_check_sorted() {
    on_each(1, |at| {
        let numbers = at.zeros(4 * N)?;
        at.put(numbers, FAR, &[1.0f32]);
        at.put(numbers, N - 1, &[2.0f32]);
        for (op, want) in [(Operator::Sum, 3.0), (Operator::Max, 2.0)] {
            let (options, mut got) =
                (ReduceOptions { dtype: F32, op: op as i32, ..Default::default() }, 0f32);
            run!(gpumex_reduce(at.handle(), &options, numbers, N, (&raw mut got).cast()));
            assert_eq!(got, want, "{op:?}");
        }
        let (options, mut got) = (DotOptions { dtype: F32, ..Default::default() }, 0f32);
        run!(gpumex_dot(at.handle(), &options, numbers, numbers, N, (&raw mut got).cast()));
        assert_eq!(got, 5.0);
        assert_eq!(at.first_unsorted(F32, numbers, N), FAR as u64 + 1);
        assert_eq!(at.first_unsorted(F32, numbers, FAR + 1), FAR as u64 + 1, "all of them are sorted");
        Some(())
    });
}

/// Zeros, and behind them three ones.
fn zeros_and_ones(at: &Huge) -> Option<*mut c_void> {
    let keys = at.zeros(4 * N)?;
    at.put(keys, N - 3, &[1u32; 3]);
    Some(keys)
}

const ONES: [u64; 3] = [N as u64 - 3, N as u64 - 2, N as u64 - 1];

#[test]
fn sorted_arrays() {
    on_each(1, |at| {
        let (keys, both) = (zeros_and_ones(at)?, at.of(&[0u32, 1])?);
        assert_eq!(at.first_unsorted(U32, keys, N), N as u64);

        let (found, matches) = (at.zeros(16)?, at.zeros(16)?);
        let options = SortedSearchOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        let no = null_mut();
        run!(gpumex_sorted_search(at.handle(), &options, both, 2, keys, N, found, no, no, no, matches));
        assert_eq!(at.get::<u64, 2>(found, 0), [0, ONES[0]]);
        assert_eq!(at.get::<u64, 2>(matches, 0), [2, N as u64]);

        let (counts, lower) = (at.zeros(16)?, at.zeros(16)?);
        let options = SortedEqualityCountOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        run!(gpumex_sorted_equality_count(at.handle(), &options, both, 2, keys, N, counts, lower));
        assert_eq!((at.get(counts, 0), at.get(lower, 0)), ([ONES[0], 3], [0, ONES[0]]));

        let (one, a_indices, b_indices) = (at.of(&[1u32])?, at.of(&[7u64; 3])?, at.zeros(24)?);
        let (options, mut needed) = (JoinOptions { dtype: U32, index_dtype: U64, ..Default::default() }, 0);
        run!(gpumex_join(at.handle(), &options, one, 1, keys, N, a_indices, b_indices, 3, &mut needed));
        assert_eq!((needed, at.get(a_indices, 0), at.get(b_indices, 0)), (3, [0u64; 3], ONES));

        for (op, want) in [(SetOperator::Intersection, 2), (SetOperator::Union, N as u64)] {
            let options = SetOperationOptions { dtype: U32, op: op as i32, ..Default::default() };
            let mut needed = 0;
            let no = null();
            run!(gpumex_set_operation(
                at.handle(),
                &options,
                both,
                no,
                2,
                keys,
                no,
                N,
                null_mut(),
                null_mut(),
                0,
                &mut needed
            ));
            assert_eq!(needed, want, "{op:?}");
        }
        Some(())
    });
}

/// That of gpumex_segments_prepare; NULL on the CPU backend, which needs none.
fn geometry(at: &Huge, offsets: *const c_void, segments: usize, count: usize) -> Option<*const c_void> {
    let options = SegmentsPrepareOptions { index_dtype: U64, ..Default::default() };
    let prepare = |geometry, capacity| {
        let mut needed = 0u64;
        let needed_at = &raw mut needed;
        run!(gpumex_segments_prepare(
            at.handle(),
            &options,
            offsets,
            segments,
            count,
            geometry,
            capacity,
            needed_at
        ));
        needed as usize
    };
    let needed = prepare(null_mut(), 0);
    assert_eq!(needed > 0, at.is_cuda());
    if needed == 0 {
        return Some(null());
    }
    let geometry = at.zeros(8 * needed)?;
    assert_eq!(prepare(geometry, needed), needed);
    Some(geometry.cast_const())
}

/// More than 2^31 segments of two elements each, one of which is 1 in a few.
#[test]
fn many_segments() {
    on_each(26, |at| {
        let (data, sums, offsets) = (at.zeros(8 * LONG)?, at.zeros(4 * LONG)?, at.zeros(8 * (LONG + 1))?);
        let ones = [6, LONG_FAR, 2 * LONG_FAR + 1, 2 * LONG - 1];
        ones.iter().for_each(|&place| at.put(data, place, &[1u32]));
        run!(gpumex_fill_ascending(at.handle(), U64, offsets, LONG + 1, 0.0, 2.0));
        for geometry in [null(), geometry(at, offsets, LONG, 2 * LONG)?] {
            let options =
                SegmentedReduceOptions { dtype: U32, index_dtype: U64, geometry, ..Default::default() };
            at.fill(U32, sums, LONG, 9u32);
            run!(gpumex_segmented_reduce(at.handle(), &options, data, 2 * LONG, offsets, LONG, null(), sums));
            ones.iter().for_each(|place| at.holds(sums, place / 2, [1u32]));
            let (options, mut sum) = (ReduceOptions { dtype: U32, ..Default::default() }, 0u32);
            run!(gpumex_reduce(at.handle(), &options, sums, LONG, (&raw mut sum).cast()));
            assert_eq!(sum, 4);
        }
        Some(())
    });
}

#[test]
fn segments_and_runs() {
    on_each(1, |at| {
        let data = zeros_and_ones(at)?;
        let (offsets, sums) = (at.of(&[0u64, 10, (1 << 31) + 5, FAR as u64, N as u64])?, at.zeros(16)?);
        for geometry in [null(), geometry(at, offsets, 4, N)?] {
            let options =
                SegmentedReduceOptions { dtype: U32, index_dtype: U64, geometry, ..Default::default() };
            at.fill(U32, sums, 4, 9u32);
            run!(gpumex_segmented_reduce(at.handle(), &options, data, N, offsets, 4, null(), sums));
            at.holds(sums, 0, [0u32, 0, 0, 3]);
        }

        let (unique, results, begins) = (at.zeros(8)?, at.zeros(8)?, at.zeros(24)?);
        let (options, mut needed) =
            (ReduceByKeyOptions { dtype: U32, key_dtype: U32, index_dtype: U64, ..Default::default() }, 0);
        run!(gpumex_reduce_by_key(
            at.handle(),
            &options,
            data,
            data,
            N,
            unique,
            results,
            begins,
            2,
            &mut needed
        ));
        assert_eq!((needed, at.get(unique, 0), at.get(results, 0)), (2, [0u32, 1], [0u32, 3]));
        at.holds(begins, 0, [0, ONES[0], N as u64]);
        Some(())
    });
}

#[test]
fn compact_and_words() {
    on_each(1, |at| {
        let (bytes, positions) = (at.zeros(N)?, at.zeros(24)?);
        [3, FAR, N - 1].iter().for_each(|&place| at.put(bytes, place, &[1u8]));
        let (options, mut needed) = (CompactOptions { index_dtype: U64, ..Default::default() }, 0);
        let no = null_mut();
        run!(gpumex_compact(at.handle(), &options, null(), bytes.cast(), N, no, positions, 3, &mut needed));
        assert_eq!((needed, at.get(positions, 0)), (3, [3u64, FAR as u64, N as u64 - 1]));

        // 0 and 1 are no letters.
        three_words(at, bytes, |places, lengths, counts, summary| {
            run!(gpumex_words(at.handle(), null(), bytes, N, 2, places, lengths, counts, summary));
        })
    });
}

/// Words beyond 2^32 of a text of N bytes without letters.
pub fn three_words(
    at: &Huge,
    text: *mut c_void,
    count: impl Fn(*mut c_void, *mut c_void, *mut c_void, &mut WordsSummary),
) -> Option<()> {
    at.put(text, FAR - 100, b"alpha beta");
    at.put(text, N - 5, b"beta");
    let (places, lengths, counts) = (at.zeros(16)?, at.zeros(16)?, at.zeros(16)?);
    let mut summary = WordsSummary { size: size_of::<WordsSummary>(), ..Default::default() };
    count(places, lengths, counts, &mut summary);
    assert_eq!((summary.words, summary.distinct), (3, 2));
    at.holds(places, 0, [FAR as u64 - 94, FAR as u64 - 100]);
    assert_eq!((at.get(lengths, 0), at.get(counts, 0)), ([4u64, 5], [2u64, 1]));
    Some(())
}

#[test]
fn histogram_gather_scatter_and_random() {
    on_each(5, |at| {
        let bytes = at.zeros(N)?;
        at.fill(U8, bytes, N, 7u8);
        assert_eq!(at.histogram(bytes, N)[7], N as u64);

        let indices = at.of(&[1u64, FAR as u64, N as u64 - 1])?;
        let (values, found) = (at.of(&[1u8, 2, 3])?, at.zeros(3)?);
        let options = ScatterOptions { dtype: U8, index_dtype: U64, ..Default::default() };
        run!(gpumex_scatter(at.handle(), &options, values, indices, 3, bytes, N));
        let counts = at.histogram(bytes, N);
        assert_eq!(counts[..8], [0, 1, 1, 1, 0, 0, 0, N as u64 - 3]);
        let options = GatherOptions { dtype: U8, index_dtype: U64, ..Default::default() };
        run!(gpumex_gather(at.handle(), &options, bytes, N, indices, 3, found));
        at.holds(found, 0, [1u8, 2, 3]);

        run!(gpumex_random(at.handle(), U8, bytes, N, 5, 0.0, 255.0));
        let counts = at.histogram(bytes, N);
        assert_eq!(counts.iter().sum::<u64>(), N as u64);
        let each = N as f64 / 256.0;
        assert!(counts.iter().all(|&count| (count as f64 - each).abs() < 8.0 * each.sqrt()), "{counts:?}");
        let [first, wrapped] = [0, 1 << 32].map(|from| at.get::<u8, 4096>(bytes, from));
        assert_ne!(first, wrapped, "numbers repeat after 2^32");
        Some(())
    });
}

/// Places beyond 2^32 of long dimensions, and a transpose of more than 2^32 bytes.
#[test]
fn indexing() {
    on_each(9, |at| {
        let (bytes, taken) = (at.zeros(N)?, at.zeros(5)?);
        let (shape, counts, starts, steps) = ([N], [3usize], [FAR as i64], [-5i64]);
        let values = at.of(&[1u8, 2, 3])?;
        let (shape_at, counts_at, starts_at) = (shape.as_ptr(), counts.as_ptr(), starts.as_ptr());
        let options = ScatterNdOptions {
            dtype: U8,
            shape: shape_at,
            counts: counts_at,
            starts: starts_at,
            ..Default::default()
        };
        run!(gpumex_scatter_nd(
            at.handle(),
            &ScatterNdOptions { steps: steps.as_ptr(), ..options },
            values,
            bytes
        ));
        at.holds(bytes, FAR - 10, [3u8, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]);

        let indices = at.of(&[FAR as u64 + 1, FAR as u64 - 4, FAR as u64 - 9, u64::MAX, 0])?;
        let (indices, counts, starts, dtypes) = ([indices.cast_const()], [5usize], [-1i64], [U64]);
        let options = GatherNdOptions {
            dtype: U8,
            shape: shape_at,
            counts: counts.as_ptr(),
            starts: starts.as_ptr(),
            indices: indices.as_ptr(),
            index_dtypes: dtypes.as_ptr(),
            ..Default::default()
        };
        run!(gpumex_gather_nd(at.handle(), &options, bytes, taken));
        at.holds(taken, 0, [1u8, 2, 3, 0, 0]);

        let (shape, order, turned) = ([N / 1000, 1000], [1, 0], at.zeros(N)?);
        let options = PermuteOptions { dtype: U8, rank: 2, ..Default::default() };
        run!(gpumex_permute(at.handle(), &options, bytes, shape.as_ptr(), order.as_ptr(), turned));
        for (value, place) in [(1u8, FAR), (2, FAR - 5), (3, FAR - 10)] {
            at.holds(turned, place % shape[0] * 1000 + place / shape[0], [value]);
        }
        Some(())
    });
}

/// Few elements, from beyond 2^32 to beyond 2^32.
#[test]
fn interval_move() {
    on_each(1, |at| {
        let (input, output) = (at.zeros(4 * N)?, at.zeros(4 * N)?);
        at.put(input, 0, &[1u32, 2, 3]);
        at.put(input, FAR, &[5u32, 6, 7]);
        let (from, to) = (at.of(&[FAR as u64, 0])?, at.of(&[N as u64 - 3, 2])?);
        let scan = at.of(&[0u64, 3])?;
        let options = IntervalMoveOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        run!(gpumex_interval_move(at.handle(), &options, 6, from, to, scan, 2, input, N, output, N));
        at.holds(output, N - 4, [0u32, 5, 6, 7]);
        at.holds(output, 1, [0u32, 1, 2, 3, 0]);
        Some(())
    });
}

#[test]
fn interval_expand() {
    on_each(17, |at| {
        let (expanded, scan) = (at.zeros(4 * N)?, at.of(&[0u64, 5, (1 << 31) + 9, FAR as u64])?);
        let values = at.of(&[1u32, 2, 3, 4])?;
        let options = IntervalExpandOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        run!(gpumex_interval_expand(at.handle(), &options, N, scan, values, 4, expanded));
        assert_eq!(at.first_unsorted(U32, expanded, N), N as u64);
        at.holds(expanded, 4, [1u32, 2]);
        at.holds(expanded, (1 << 31) + 8, [2u32, 3]);
        at.holds(expanded, FAR - 1, [3u32, 4]);
        at.holds(expanded, N - 1, [4u32]);
        Some(())
    });
}

#[test]
fn bulk_remove_insert_and_copy() {
    on_each(33, |at| {
        let (source, result) = (at.zeros(4 * N)?, at.zeros(4 * N)?);
        at.put(source, 2, &[1u32, 2, 3]);
        at.put(source, FAR - 1, &[4u32, 5, 6]);
        let indices = at.of(&[3u64, FAR as u64])?;
        let options = BulkRemoveOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        run!(gpumex_bulk_remove(at.handle(), &options, source, N, indices, 2, result));
        at.holds(result, 1, [0u32, 1, 3, 0]);
        at.holds(result, FAR - 3, [0u32, 4, 6, 0]);

        // Back into their places: before the elements of the rest that stood behind them.
        let (removed, before) = (at.of(&[2u32, 5])?, at.of(&[3u64, FAR as u64 - 1])?);
        run!(gpumex_copy(at.handle(), source, result, 4 * N));
        let options = BulkInsertOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        run!(gpumex_bulk_insert(at.handle(), &options, removed, before, 2, source, N - 2, result));
        at.holds(result, 1, [0u32, 1, 2, 3, 0]);
        at.holds(result, FAR - 2, [0u32, 4, 5, 6, 0]);
        Some(())
    });
}

#[test]
fn life_on_bits() {
    on_each(3, |at| {
        glider(at, |options, board, [rows, cols], next| {
            run!(gpumex_life(at.handle(), options, board, rows, cols, 8, next));
        })
    });
}

/// More than 2^32 cells of a square board of bits, with a glider at its end, and eight generations later.
pub fn glider(at: &Huge, play: impl Fn(&LifeOptions, *const c_void, [usize; 2], *mut c_void)) -> Option<()> {
    const SIDE: usize = 65_600;
    const WORDS: usize = SIDE.div_ceil(64);
    let (board, next) = (at.zeros(8 * SIDE * WORDS)?, at.zeros(8 * SIDE * WORDS)?);
    let (top, word) = (SIDE - 20, WORDS - 2);
    let glider = [0b010u64, 0b100, 0b111];
    for (row, bits) in glider.iter().enumerate() {
        at.put(board, (top + row) * WORDS + word, &[bits << 30]);
    }
    let options = LifeOptions { cells: LifeCells::Bits as i32, ..Default::default() };
    play(&options, board, [SIDE, SIDE], next);
    for (row, bits) in glider.iter().enumerate() {
        at.holds(next, (top + 2 + row) * WORDS + word, [bits << 32]);
    }
    let counts = at.histogram(next, 8 * SIDE * WORDS);
    assert_eq!(counts.iter().sum::<u64>() - counts[0], 3, "bytes with cells");
    Some(())
}

/// More than 2^31 columns, with a line of three that turns.
#[test]
fn life_on_bytes() {
    on_each(9, |at| {
        let (board, next) = (at.zeros(3 * LONG)?, at.zeros(3 * LONG)?);
        (0..3).for_each(|row| at.put(board, row * LONG + LONG_FAR, &[1u8]));
        let options = LifeOptions { boundary: LifeBoundary::Dead as i32, ..Default::default() };
        run!(gpumex_life(at.handle(), &options, board, 3, LONG, 1, next));
        at.holds(next, LONG + LONG_FAR - 2, [0u8, 1, 1, 1, 0]);
        assert_eq!(at.histogram(next, 3 * LONG)[..2], [3 * LONG as u64 - 3, 3]);
        Some(())
    });
}

/// More than 2^31 columns, and 2^32 elements, with a few that are not 0.
#[test]
fn filters() {
    on_each(9, |at| {
        let (image, result) = (at.zeros(3 * LONG)?, at.zeros(3 * LONG)?);
        at.put(image, 2 * LONG + LONG_FAR, &[1u8, 0, 2]);
        let filter = at.of(&[1i32, 2, 3])?;
        let options = ConvolveOptions {
            dtype: U8,
            result_dtype: U8,
            boundary: Boundary::Dead as i32,
            ..Default::default()
        };
        run!(gpumex_convolve(at.handle(), &options, image, 3, LONG, filter, 1, 3, result));
        at.holds(result, 2 * LONG + LONG_FAR - 2, [0u8, 1, 2, 5, 4, 6, 0]);
        let options =
            MedianFilterOptions { dtype: U8, boundary: Boundary::Dead as i32, ..Default::default() };
        run!(gpumex_median_filter(at.handle(), &options, image, 3, LONG, 1, 3, result));
        at.holds(result, 2 * LONG + LONG_FAR - 1, [0u8, 0, 1, 0]);
        Some(())
    });
}

#[test]
fn matmul_of_a_large_matrix() {
    on_each(1, |at| {
        large_matrix(at, |[m, k], a, x, y| run!(gpumex_matmul(at.handle(), null(), m, 1, k, a, x, y)))
    });
}

/// A matrix of more than 2^32 elements, times a vector of ones.
pub fn large_matrix(
    at: &Huge,
    multiply: impl Fn([usize; 2], *const c_void, *const c_void, *mut c_void),
) -> Option<()> {
    const M: usize = 65_537;
    const K: usize = 65_600;
    let (a, ones, product) = (at.zeros(4 * M * K)?, at.zeros(4 * K)?, at.zeros(4 * M)?);
    at.fill(F32, ones, K, 1f32);
    at.put(a, (M - 1) * K + K - 1, &[3f32]);
    at.put(a, (M - 2) * K + 7, &[2f32]);
    multiply([M, K], a, ones, product);
    at.holds(product, M - 3, [0f32, 2.0, 3.0]);
    Some(())
}

/// An image of more than 2^32 bytes, with a ball in its last corner.
#[test]
fn raytrace() {
    on_each(5, |at| {
        const WIDTH: usize = 32_768;
        const HEIGHT: usize = 32_800;
        let (image, red) = (at.zeros(4 * WIDTH * HEIGHT)?, [1f32, 0.0, 0.0, 10.0]);
        let centre = [WIDTH as f32 / 2.0 - 20.0, HEIGHT as f32 / 2.0 - 20.0, 0.0];
        let ball = at.of(&[&red[..], &centre].concat())?;
        run!(gpumex_raytrace(at.handle(), null(), ball.cast(), 1, WIDTH, HEIGHT, image.cast()));
        let pixel = |i: usize, j: usize| at.get::<u8, 4>(image, 4 * (j * WIDTH + i));
        assert_eq!(pixel(WIDTH - 20, HEIGHT - 20), [255, 0, 0, 255]);
        assert_eq!((pixel(WIDTH - 31, HEIGHT - 20), pixel(5, 5)), ([0, 0, 0, 255], [0, 0, 0, 255]));
        let counts = at.histogram(image, 4 * WIDTH * HEIGHT);
        assert!(counts[255] > (WIDTH * HEIGHT) as u64 && counts[0] > 3 * (WIDTH * HEIGHT - 400) as u64);
        Some(())
    });
}

#[test]
fn vectors() {
    on_each(17, |at| {
        let (x, y) = (at.zeros(4 * N)?, at.zeros(4 * N)?);
        at.put(x, FAR, &[1f32, 2.0]);
        at.put(y, FAR, &[10f32, 20.0]);
        let (three, minus) = (3f32, -1f32);
        run!(gpumex_add(at.handle(), &AddOptions { dtype: F32, ..Default::default() }, x, y, N));
        at.holds(y, FAR - 1, [0f32, 11.0, 22.0, 0.0]);
        let options = AxpyOptions { dtype: F32, alpha: (&raw const three).cast(), ..Default::default() };
        run!(gpumex_axpy(at.handle(), &options, x, y, N));
        at.holds(y, FAR - 1, [0f32, 14.0, 28.0, 0.0]);
        let options = ScaleOptions { dtype: F32, ..Default::default() };
        run!(gpumex_scale(at.handle(), &options, (&raw const minus).cast(), y, N));
        assert_eq!((at.get(y, FAR), at.get(y, N - 1)), ([-14f32, -28.0], [0f32]));
        Some(())
    });
}

#[test]
fn scan_and_load_balance() {
    on_each(49, |at| {
        let (sums, mut total) = (at.zeros(4 * N)?, 0u32);
        [3, FAR].iter().for_each(|&place| at.put(sums, place, &[1u32]));
        let options = ScanOptions { dtype: U32, kind: ScanKind::Inclusive as i32, ..Default::default() };
        run!(gpumex_scan(at.handle(), &options, sums, N, sums, (&raw mut total).cast()));
        assert_eq!((total, at.get(sums, 2), at.get(sums, FAR - 1)), (2, [0u32, 1], [1u32, 2]));
        at.holds(sums, N - 1, [2u32]);

        let (scan, objects) = (at.of(&[0u64, 5, FAR as u64])?, at.zeros(8 * N)?);
        let options = LoadBalanceSearchOptions { index_dtype: U64, ..Default::default() };
        run!(gpumex_load_balance_search(at.handle(), &options, N, scan, 3, objects));
        assert_eq!((at.get(objects, 4), at.get(objects, FAR - 1)), ([0u64, 1], [1u64, 2]));
        at.holds(objects, N - 1, [2u64]);
        Some(())
    });
}

#[test]
fn spmv() {
    on_each(1, |at| {
        let (columns, y) = (at.zeros(8 * N)?, at.zeros(12)?);
        let (offsets, x) = (at.of(&[0u64, 7, FAR as u64, N as u64])?, at.of(&[1u32])?);
        let no = null();
        for geometry in [no, geometry(at, offsets, 3, N)?] {
            let options = SpmvOptions { dtype: U32, index_dtype: U64, geometry, ..Default::default() };
            at.fill(U32, y, 3, 9u32);
            run!(gpumex_spmv(at.handle(), &options, no, columns, N, offsets, 3, x, 1, no, y));
            at.holds(y, 0, [7, (FAR - 7) as u32, (N - FAR) as u32]);
        }
        Some(())
    });
}

/// A product of more than 2^32 elements; the textbook's kernels have their own indices.
#[test]
fn matmul_with_a_large_result() {
    on_each(17, |at| {
        const M: usize = 65_537;
        const COLS: usize = 65_600;
        let (a, b, c) = (at.zeros(4 * M)?, at.zeros(4 * COLS)?, at.zeros(4 * M * COLS)?);
        run!(gpumex_fill_ascending(at.handle(), F32, a, M, 0.0, 1.0));
        at.fill(F32, b, COLS, 1f32);
        let variants = [MatmulVariant::Auto, MatmulVariant::Naive, MatmulVariant::Blocked];
        for variant in if at.is_cuda() { &variants[..] } else { &variants[..1] } {
            let options = MatmulOptions { variant: *variant as i32, ..Default::default() };
            at.fill(F32, c, M * COLS, -1f32);
            run!(gpumex_matmul(at.handle(), &options, M, COLS, 1, a, b, c));
            for row in [0, 1, M / 2, M - 2, M - 1] {
                let ends = [0, COLS - 1].map(|col| at.get::<f32, 1>(c, row * COLS + col)[0]);
                assert_eq!(ends, [row as f32; 2], "row {row}, {variant:?}");
            }
        }
        Some(())
    });
}
