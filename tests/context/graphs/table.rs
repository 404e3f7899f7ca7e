//! Each operation that may be captured, with arrays of the device alone: one row an operation, or a way that it takes.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::array::Element;
use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::model::histogram::HistogramVariant;
use gpumex::model::life::LifeVariant;
use gpumex::model::raytrace::RaytraceVariant;
use gpumex::model::reduction::DimReduction;
use gpumex::ops::life::LifeCells;
use gpumex::ops::matmul::MatmulVariant;

use crate::common::*;

pub type Inputs<'a> = &'a [*const c_void];
pub type Outputs<'a> = &'a [*mut c_void];

pub struct Row {
    pub name: &'static str,
    /// the arrays that it reads, of a seed
    pub inputs: fn(u64) -> Vec<Vec<u8>>,
    /// what the arrays hold before that it writes
    pub outputs: fn() -> Vec<Vec<u8>>,
    pub call: fn(Handle, Inputs, Outputs) -> i32,
}

const COUNT: usize = 300_001;
const FEW: usize = 20_000; // elements of arrays that are joined
const SEGMENTS: usize = 4_000;
const ROWS: usize = 700;
const COLS: usize = 900;
const WORDS: usize = COLS.div_ceil(64);

const U32: i32 = Dtype::U32 as i32;
const U64: i32 = Dtype::U64 as i32;
const F32: i32 = Dtype::F32 as i32;
const F64: i32 = Dtype::F64 as i32;
const C64: i32 = Dtype::C64 as i32;

// ------------------------------------------------------------------------------------------------------------- contents

fn bytes_of<T: Element>(values: &[T]) -> Vec<u8> {
    // SAFETY: plain numbers without padding; as many bytes as they have.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }.to_vec()
}

fn poison(bytes: usize) -> Vec<u8> {
    vec![0xA5; bytes]
}

fn numbers(seed: u64, count: usize, below: u32) -> Vec<u32> {
    let mut random = random(seed);
    (0..count).map(|_| random.random_range(0..below)).collect()
}

fn keys(seed: u64, count: usize) -> Vec<u8> {
    bytes_of(&numbers(seed, count, u32::MAX))
}

fn sorted(seed: u64, count: usize) -> Vec<u8> {
    let mut keys = numbers(seed, count, count as u32);
    keys.sort_unstable();
    bytes_of(&keys)
}

/// Whole numbers, whose sums are exact in any order.
fn whole(seed: u64, count: usize) -> Vec<u8> {
    let values: Vec<f32> = numbers(seed, count, 17).into_iter().map(|value| value as f32 - 8.0).collect();
    bytes_of(&values)
}

fn floats(seed: u64, count: usize) -> Vec<u8> {
    bytes_of(&random_f32(seed, count))
}

fn doubles(seed: u64, count: usize) -> Vec<u8> {
    let values: Vec<f64> = random_f32(seed, count).into_iter().map(f64::from).collect();
    bytes_of(&values)
}

/// Where intervals begin whose lengths have the sum `total`.
fn exclusive_sums(seed: u64, intervals: usize, total: usize) -> Vec<u32> {
    let mut cuts = numbers(seed, intervals, total as u32 + 1);
    cuts.sort_unstable();
    cuts[0] = 0;
    cuts
}

fn offsets(seed: u64) -> Vec<u8> {
    let mut offsets = exclusive_sums(seed, SEGMENTS, COUNT);
    offsets.push(COUNT as u32);
    bytes_of(&offsets)
}

fn every_third(seed: u64, count: usize) -> Vec<u8> {
    let places = numbers(seed, count, 3).into_iter().enumerate();
    bytes_of(&places.map(|(i, place)| 3 * i as u32 + place).collect::<Vec<u32>>())
}

fn board(seed: u64) -> Vec<Vec<u8>> {
    vec![random_board(seed, ROWS * COLS)]
}

fn next_board() -> Vec<Vec<u8>> {
    vec![poison(ROWS * COLS)]
}

fn spheres(seed: u64) -> Vec<Vec<u8>> {
    vec![bytes_of(&random_spheres(seed, 700, 400, 300))]
}

fn image() -> Vec<Vec<u8>> {
    vec![poison(400 * 300 * 4)]
}

// ---------------------------------------------------------------------------------------------------------------- calls

fn life(ctx: Handle, variant: LifeVariant, input: Inputs, output: Outputs) -> i32 {
    let options = LifeOptions { variant: variant as i32, ..LifeOptions::default() };
    // SAFETY: boards of ROWS x COLS bytes.
    unsafe { gpumex_life(ctx, &options, input[0], ROWS, COLS, 37, output[0]) }
}

fn raytrace(ctx: Handle, variant: RaytraceVariant, input: Inputs, output: Outputs) -> i32 {
    let options = RaytraceOptions { variant: variant as i32, ..RaytraceOptions::default() };
    // SAFETY: 700 spheres, 400 x 300 pixels.
    unsafe { gpumex_raytrace(ctx, &options, input[0].cast(), 700, 400, 300, output[0].cast()) }
}

fn count_bytes(ctx: Handle, variant: HistogramVariant, input: Inputs, output: Outputs) -> i32 {
    let options = HistogramOptions { variant: variant as i32, ..HistogramOptions::default() };
    // SAFETY: COUNT bytes, 256 counters.
    unsafe { gpumex_histogram(ctx, &options, input[0], COUNT, output[0], 256) }
}

fn matmul(
    ctx: Handle,
    variant: MatmulVariant,
    dtype: i32,
    [m, n, k]: [usize; 3],
    input: Inputs,
    output: Outputs,
) -> i32 {
    let (alpha, beta) = (0.5, 2.0);
    let options = MatmulOptions {
        variant: variant as i32,
        dtype,
        trans_b: 1,
        alpha: &alpha,
        beta: &beta,
        ..MatmulOptions::default()
    };
    // SAFETY: m*k, n*k and m*n elements.
    unsafe { gpumex_matmul(ctx, &options, m, n, k, input[0], input[1], output[0]) }
}

const SQUARE: [usize; 3] = [384, 320, 272];
const THIN: [usize; 3] = [2, 5_000, 3_000];

fn square(seed: u64) -> Vec<Vec<u8>> {
    vec![floats(seed, 384 * 272), floats(seed + 1, 320 * 272)]
}

fn square_before() -> Vec<Vec<u8>> {
    vec![floats(9, 384 * 320)]
}

fn sort(ctx: Handle, count: usize, dtype: i32, input: Inputs, output: Outputs) -> i32 {
    let options = SortOptions { dtype, ..SortOptions::default() };
    // SAFETY: `count` keys each.
    unsafe { gpumex_sort(ctx, &options, input[0], null(), count, output[0], null_mut()) }
}

fn set_operation(ctx: Handle, op: i32, input: Inputs, output: Outputs) -> i32 {
    let options = SetOperationOptions {
        dtype: U32,
        op,
        payload: 2,
        index_dtype: U32,
        ..SetOperationOptions::default()
    };
    let [keys, values, needed] = [output[0], output[1], output[2]];
    // SAFETY: FEW keys each, room for all of them, one number.
    unsafe {
        gpumex_set_operation(
            ctx,
            &options,
            input[0],
            null(),
            FEW,
            input[1],
            null(),
            FEW,
            keys,
            values,
            2 * FEW,
            needed.cast(),
        )
    }
}

fn two_sorted(seed: u64) -> Vec<Vec<u8>> {
    vec![sorted(seed, FEW), sorted(seed + 1, FEW)]
}

fn two_sets() -> Vec<Vec<u8>> {
    vec![poison(8 * FEW), poison(8 * FEW), poison(8)]
}

/// Prepares a geometry in the graph, and uses it there.
fn with_geometry(ctx: Handle, geometry: *mut c_void, offsets: *const c_void, count: usize) -> i32 {
    let options = SegmentsPrepareOptions { index_dtype: U32, ..SegmentsPrepareOptions::default() };
    let mut needed = 0;
    // SAFETY: SEGMENTS + 1 offsets, and no room; one number of the host.
    let status = unsafe {
        gpumex_segments_prepare(ctx, &options, offsets, SEGMENTS, count, null_mut(), 0, &mut needed)
    };
    assert!(status != 0 || needed as usize <= COUNT, "the geometry has {needed} elements");
    match status {
        // SAFETY: as above, and as many elements as are needed.
        0 => unsafe {
            gpumex_segments_prepare(
                ctx,
                &options,
                offsets,
                SEGMENTS,
                count,
                geometry,
                needed as usize,
                &mut needed,
            )
        },
        status => status,
    }
}

fn segmented_reduce(ctx: Handle, geometry: *const c_void, input: Inputs, result: *mut c_void) -> i32 {
    let options = SegmentedReduceOptions {
        dtype: F32,
        index_dtype: U32,
        geometry,
        ..SegmentedReduceOptions::default()
    };
    // SAFETY: COUNT elements, SEGMENTS + 1 offsets, SEGMENTS results.
    unsafe { gpumex_segmented_reduce(ctx, &options, input[0], COUNT, input[1], SEGMENTS, null(), result) }
}

fn spmv(ctx: Handle, geometry: *const c_void, input: Inputs, y: *mut c_void) -> i32 {
    let options = SpmvOptions { dtype: F32, index_dtype: U32, geometry, ..SpmvOptions::default() };
    // SAFETY: COUNT values and columns, SEGMENTS + 1 offsets, COLS elements of x, SEGMENTS of y.
    unsafe {
        let (values, columns, offsets, x) = (input[0], input[1], input[2], input[3]);
        gpumex_spmv(ctx, &options, values, columns, COUNT, offsets, SEGMENTS, x, COLS, null(), y)
    }
}

fn matrix(seed: u64) -> Vec<Vec<u8>> {
    let columns = bytes_of(&numbers(seed + 1, COUNT, COLS as u32));
    vec![whole(seed, COUNT), columns, offsets(seed + 2), whole(seed + 3, COLS)]
}

#[rustfmt::skip] // a table
pub const ROWS_OF_TABLE: &[Row] = &[
    Row { name: "add", inputs: |seed| vec![floats(seed, COUNT)], outputs: || vec![floats(8, COUNT)], call: |ctx, i, o| {
        let options = AddOptions { dtype: F32, ..AddOptions::default() };
        // SAFETY: COUNT elements each.
        unsafe { gpumex_add(ctx, &options, i[0], o[0], COUNT) }
    } },
    Row { name: "axpy", inputs: |seed| vec![floats(seed, COUNT), floats(seed + 1, 2)], outputs: || vec![floats(8, COUNT)], call: |ctx, i, o| {
        let (alpha, beta) = (i[1], i[1].wrapping_byte_add(4));
        let options = AxpyOptions { dtype: F32, alpha, beta, ..AxpyOptions::default() };
        // SAFETY: COUNT elements each, two numbers.
        unsafe { gpumex_axpy(ctx, &options, i[0], o[0], COUNT) }
    } },
    Row { name: "map", inputs: |seed| vec![floats(seed, COUNT), floats(seed + 1, COUNT)], outputs: || vec![floats(8, COUNT)], call: |ctx, i, o| {
        let (dtypes, shape) = ([F32; 2], [COUNT]);
        let options = MapOptions { dtype: F32, dtypes: dtypes.as_ptr(), shape: shape.as_ptr(), ..MapOptions::default() };
        // SAFETY: COUNT elements each.
        unsafe { gpumex_map(ctx, &options, c"a * b + 1".as_ptr(), i.as_ptr(), 2, o[0]) }
    } },
    Row { name: "map of complex numbers", inputs: |seed| vec![floats(seed, COUNT), floats(seed + 1, COUNT)], outputs: || vec![floats(8, COUNT)],
          call: |ctx, i, o| {
        let (dtypes, shape) = ([C64; 2], [COUNT / 2]);
        let options = MapOptions { dtype: C64, dtypes: dtypes.as_ptr(), shape: shape.as_ptr(), ..MapOptions::default() };
        // SAFETY: COUNT parts each.
        unsafe { gpumex_map(ctx, &options, c"a * conj (b) + 2i".as_ptr(), i.as_ptr(), 2, o[0]) }
    } },
    Row { name: "map_reduce", inputs: |seed| vec![whole(seed, COUNT), whole(seed + 1, COUNT)], outputs: || vec![floats(8, 1)], call: |ctx, i, o| {
        let (dtypes, shape) = ([F32; 2], [COUNT]);
        let options = MapReduceOptions { dtype: F32, dtypes: dtypes.as_ptr(), shape: shape.as_ptr(), ..MapReduceOptions::default() };
        // SAFETY: COUNT elements each, one result.
        unsafe { gpumex_map_reduce(ctx, &options, c"a * b".as_ptr(), i.as_ptr(), 2, o[0]) }
    } },
    Row { name: "map_reduce along a dimension with positions", inputs: |seed| vec![keys(seed, COUNT)], outputs: || vec![poison(4 * 50), poison(4 * 50)],
          call: |ctx, i, o| {
        let (dtypes, shape, op, positions) = ([U32; 1], [50, COUNT / 50], DimReduction::Max as i32, o[1]);
        let (dtypes, shape) = (dtypes.as_ptr(), shape.as_ptr());
        let options = MapReduceOptions { dtype: U32, op, rank: 2, dimension: 2, index_dtype: U32, dtypes, shape, positions, ..MapReduceOptions::default() };
        // SAFETY: COUNT elements at least, 50 results and positions.
        unsafe { gpumex_map_reduce(ctx, &options, c"a / 3".as_ptr(), i.as_ptr(), 1, o[0]) }
    } },
    Row { name: "map_scan", inputs: |seed| vec![whole(seed, COUNT), whole(seed + 1, COUNT)], outputs: || vec![floats(8, COUNT)], call: |ctx, i, o| {
        let (dtypes, shape) = ([F32; 2], [COUNT]);
        let options = MapScanOptions { dtype: F32, dtypes: dtypes.as_ptr(), shape: shape.as_ptr(), ..MapScanOptions::default() };
        // SAFETY: COUNT elements each.
        unsafe { gpumex_map_scan(ctx, &options, c"a * b".as_ptr(), i.as_ptr(), 2, o[0]) }
    } },
    Row { name: "map_scan along a dimension, reversed", inputs: |seed| vec![keys(seed, COUNT)], outputs: || vec![poison(4 * COUNT)], call: |ctx, i, o| {
        let (dtypes, shape, op) = ([U32; 1], [5, COUNT / 5], DimReduction::Max as i32);
        let (dtypes, shape) = (dtypes.as_ptr(), shape.as_ptr());
        let options = MapScanOptions { dtype: U32, op, rank: 2, dimension: 2, kind: 1, reverse: 1, dtypes, shape, ..MapScanOptions::default() };
        // SAFETY: COUNT elements at least.
        unsafe { gpumex_map_scan(ctx, &options, c"a / 3".as_ptr(), i.as_ptr(), 1, o[0]) }
    } },
    Row { name: "map_scan of many short rows", inputs: |seed| vec![keys(seed, COUNT)], outputs: || vec![poison(4 * COUNT)], call: |ctx, i, o| {
        let (dtypes, shape, kind) = ([U32; 1], [40, COUNT / 40], 1);
        let (dtypes, shape) = (dtypes.as_ptr(), shape.as_ptr());
        let options = MapScanOptions { dtype: U32, rank: 2, dimension: 1, kind, dtypes, shape, ..MapScanOptions::default() };
        // SAFETY: COUNT elements at least.
        unsafe { gpumex_map_scan(ctx, &options, c"a + 1".as_ptr(), i.as_ptr(), 1, o[0]) }
    } },
    Row { name: "stencil", inputs: |seed| vec![floats(seed, COUNT)], outputs: || vec![floats(8, COUNT)], call: |ctx, i, o| {
        let dtypes = [F32; 1];
        let options = StencilOptions { dtype: F32, dtypes: dtypes.as_ptr(), ..StencilOptions::default() };
        // SAFETY: COUNT elements each.
        unsafe { gpumex_stencil(ctx, &options, c"a(0,1) - 2 * a + a(0,-1)".as_ptr(), i.as_ptr(), 1, 1, COUNT, o[0]) }
    } },
    Row { name: "convolve", inputs: |seed| vec![whole(seed, COUNT), whole(seed + 1, 15)], outputs: || vec![floats(8, COUNT)], call: |ctx, i, o| {
        let options = ConvolveOptions { dtype: F32, ..ConvolveOptions::default() };
        // SAFETY: COUNT elements, 3·5 weights, COUNT results.
        unsafe { gpumex_convolve(ctx, &options, i[0], COUNT / 8, 8, i[1], 3, 5, o[0]) }
    } },
    Row { name: "median_filter", inputs: |seed| vec![floats(seed, COUNT)], outputs: || vec![floats(8, COUNT)], call: |ctx, i, o| {
        let options = MedianFilterOptions { dtype: F32, ..MedianFilterOptions::default() };
        // SAFETY: COUNT elements each.
        unsafe { gpumex_median_filter(ctx, &options, i[0], COUNT / 8, 8, 3, 3, o[0]) }
    } },
    Row { name: "scale", inputs: |seed| vec![floats(seed, 1)], outputs: || vec![floats(8, COUNT)], call: |ctx, i, o| {
        let options = ScaleOptions { dtype: F32, factor: 1, ..ScaleOptions::default() };
        // SAFETY: one number, COUNT elements.
        unsafe { gpumex_scale(ctx, &options, i[0], o[0], COUNT) }
    } },
    Row { name: "dot", inputs: |seed| vec![whole(seed, COUNT), whole(seed + 1, COUNT)], outputs: || vec![poison(4)], call: |ctx, i, o| {
        let options = DotOptions { dtype: F32, ..DotOptions::default() };
        // SAFETY: COUNT elements each, one result.
        unsafe { gpumex_dot(ctx, &options, i[0], i[1], COUNT, o[0]) }
    } },
    Row { name: "fill", inputs: |_| vec![], outputs: || vec![poison(4 * COUNT)], call: |ctx, _, o| {
        let value = [1.5f32];
        // SAFETY: COUNT elements, and one.
        unsafe { gpumex_fill(ctx, F32, o[0], COUNT, value.as_ptr().cast()) }
    } },
    Row { name: "fill_ascending", inputs: |_| vec![], outputs: || vec![poison(4 * COUNT)], call: |ctx, _, o| {
        // SAFETY: COUNT elements.
        unsafe { gpumex_fill_ascending(ctx, U32, o[0], COUNT, 3.0, 2.0) }
    } },
    Row { name: "random", inputs: |_| vec![], outputs: || vec![poison(8 * COUNT)], call: |ctx, _, o| {
        // SAFETY: COUNT elements.
        unsafe { gpumex_random(ctx, F64, o[0], COUNT, 5, -1.0, 1.0) }
    } },
    Row { name: "random_normal", inputs: |_| vec![], outputs: || vec![poison(8 * COUNT)], call: |ctx, _, o| {
        // SAFETY: COUNT elements.
        unsafe { gpumex_random_normal(ctx, F64, o[0], COUNT, 5, -1.0, 2.0) }
    } },
    Row { name: "random_sorted", inputs: |_| vec![], outputs: || vec![poison(4 * COUNT)], call: |ctx, _, o| {
        // SAFETY: COUNT elements.
        unsafe { gpumex_random_sorted(ctx, F32, o[0], COUNT, 5, -1.0, 1.0) }
    } },
    Row { name: "copy", inputs: |seed| vec![random_bytes(seed, COUNT)], outputs: || vec![poison(COUNT)], call: |ctx, i, o| {
        // SAFETY: COUNT bytes each.
        unsafe { gpumex_copy(ctx, o[0], i[0], COUNT) }
    } },
    Row { name: "histogram of bytes", inputs: |seed| vec![random_bytes(seed, COUNT)], outputs: || vec![poison(2048)],
          call: |ctx, i, o| count_bytes(ctx, HistogramVariant::Auto, i, o) },
    Row { name: "histogram, GLOBAL", inputs: |seed| vec![random_bytes(seed, COUNT)], outputs: || vec![poison(2048)],
          call: |ctx, i, o| count_bytes(ctx, HistogramVariant::Global, i, o) },
    Row { name: "histogram, STRIDED", inputs: |seed| vec![random_bytes(seed, COUNT)], outputs: || vec![poison(2048)],
          call: |ctx, i, o| count_bytes(ctx, HistogramVariant::Strided, i, o) },
    Row { name: "histogram, SHARED", inputs: |seed| vec![random_bytes(seed, COUNT)], outputs: || vec![poison(2048)],
          call: |ctx, i, o| count_bytes(ctx, HistogramVariant::Shared, i, o) },
    Row { name: "histogram of even bins", inputs: |seed| vec![floats(seed, COUNT)], outputs: || vec![poison(8 * 5000)], call: |ctx, i, o| {
        let options = HistogramOptions { dtype: F32, lo: -1.0, hi: 1.0, ..HistogramOptions::default() };
        // SAFETY: COUNT samples, 5000 counters.
        unsafe { gpumex_histogram(ctx, &options, i[0], COUNT, o[0], 5000) }
    } },
    Row { name: "histogram of bytes in bins", inputs: |seed| vec![random_bytes(seed, COUNT)], outputs: || vec![poison(80)], call: |ctx, i, o| {
        let options = HistogramOptions { lo: 3.0, hi: 200.0, ..HistogramOptions::default() };
        // SAFETY: COUNT samples, 10 counters.
        unsafe { gpumex_histogram(ctx, &options, i[0], COUNT, o[0], 10) }
    } },
    Row { name: "histogram with edges and weights, added",
          inputs: |seed| vec![floats(seed, COUNT), whole(seed + 1, COUNT), bytes_of(&[-0.9f64, -0.3, 0.01, 0.5, 0.7])],
          outputs: || vec![bytes_of(&[1.0f64, 2.0, 3.0, 4.0])], call: |ctx, i, o| {
        let options = HistogramOptions {
            dtype: F32, edges: i[2].cast(), weights: i[1], weights_dtype: F32, accumulate: 1, ..HistogramOptions::default()
        };
        // SAFETY: COUNT samples and weights, 5 edges, 4 sums.
        unsafe { gpumex_histogram(ctx, &options, i[0], COUNT, o[0], 4) }
    } },
    Row { name: "life", inputs: board, outputs: next_board, call: |ctx, i, o| life(ctx, LifeVariant::Auto, i, o) },
    Row { name: "life, ARRAYS", inputs: board, outputs: next_board, call: |ctx, i, o| life(ctx, LifeVariant::Arrays, i, o) },
    Row { name: "life, SHMEM", inputs: board, outputs: next_board, call: |ctx, i, o| life(ctx, LifeVariant::Shmem, i, o) },
    Row { name: "life, SHMEM_BYTES", inputs: board, outputs: next_board, call: |ctx, i, o| life(ctx, LifeVariant::ShmemBytes, i, o) },
    Row { name: "life, REGISTERS", inputs: board, outputs: next_board, call: |ctx, i, o| life(ctx, LifeVariant::Registers, i, o) },
    Row { name: "life of bits, in place", inputs: |_| vec![], outputs: || vec![random_bytes(4, 8 * ROWS * WORDS)], call: |ctx, _, o| {
        let options = LifeOptions { cells: LifeCells::Bits as i32, boundary: 2, ..LifeOptions::default() };
        // SAFETY: ROWS x WORDS words.
        unsafe { gpumex_life(ctx, &options, o[0], ROWS, COLS, 50, o[0]) }
    } },
    Row { name: "matmul", inputs: square, outputs: square_before,
          call: |ctx, i, o| matmul(ctx, MatmulVariant::Auto, F32, SQUARE, i, o) },
    Row { name: "matmul, NAIVE", inputs: square, outputs: square_before,
          call: |ctx, i, o| matmul(ctx, MatmulVariant::Naive, F32, SQUARE, i, o) },
    Row { name: "matmul, BLOCKED", inputs: square, outputs: square_before,
          call: |ctx, i, o| matmul(ctx, MatmulVariant::Blocked, F32, SQUARE, i, o) },
    Row { name: "matmul, TILED", inputs: square, outputs: square_before,
          call: |ctx, i, o| matmul(ctx, MatmulVariant::Tiled, F32, SQUARE, i, o) },
    Row { name: "matmul, TENSOR", inputs: square, outputs: square_before,
          call: |ctx, i, o| matmul(ctx, MatmulVariant::Tensor, F32, SQUARE, i, o) },
    Row { name: "matmul, TF32", inputs: square, outputs: square_before,
          call: |ctx, i, o| matmul(ctx, MatmulVariant::Tf32, F32, SQUARE, i, o) },
    Row { name: "matmul of double", inputs: |seed| vec![doubles(seed, 384 * 272), doubles(seed + 1, 320 * 272)],
          outputs: || vec![doubles(9, 384 * 320)], call: |ctx, i, o| matmul(ctx, MatmulVariant::Auto, F64, SQUARE, i, o) },
    Row { name: "matmul of complex matrices", inputs: |seed| vec![floats(seed, 2 * 384 * 272), floats(seed + 1, 2 * 320 * 272)],
          outputs: || vec![floats(9, 2 * 384 * 320)], call: |ctx, i, o| matmul(ctx, MatmulVariant::Auto, C64, SQUARE, i, o) },
    Row { name: "matmul of a thin matrix", inputs: |seed| vec![floats(seed, 2 * 3_000), floats(seed + 1, 5_000 * 3_000)],
          outputs: || vec![floats(9, 2 * 5_000)], call: |ctx, i, o| matmul(ctx, MatmulVariant::Auto, F32, THIN, i, o) },
    Row { name: "raytrace", inputs: spheres, outputs: image, call: |ctx, i, o| raytrace(ctx, RaytraceVariant::Auto, i, o) },
    Row { name: "raytrace, GLOBAL", inputs: spheres, outputs: image, call: |ctx, i, o| raytrace(ctx, RaytraceVariant::Global, i, o) },
    Row { name: "raytrace, READ_ONLY", inputs: spheres, outputs: image, call: |ctx, i, o| raytrace(ctx, RaytraceVariant::ReadOnly, i, o) },
    Row { name: "raytrace, BINNED", inputs: spheres, outputs: image, call: |ctx, i, o| raytrace(ctx, RaytraceVariant::Binned, i, o) },
    Row { name: "reduce", inputs: |seed| vec![floats(seed, COUNT)], outputs: || vec![poison(4)], call: |ctx, i, o| {
        let options = ReduceOptions { dtype: F32, ..ReduceOptions::default() };
        // SAFETY: COUNT elements, one result.
        unsafe { gpumex_reduce(ctx, &options, i[0], COUNT, o[0]) }
    } },
    Row { name: "reduce by an expression", inputs: |seed| vec![floats(seed, COUNT)], outputs: || vec![poison(4)], call: |ctx, i, o| {
        let options = ReduceOptions { dtype: F32, expression: c"a + b".as_ptr(), ..ReduceOptions::default() };
        // SAFETY: COUNT elements, one result.
        unsafe { gpumex_reduce(ctx, &options, i[0], COUNT, o[0]) }
    } },
    Row { name: "sort by an expression", inputs: |seed| vec![floats(seed, COUNT)], outputs: || vec![poison(4 * COUNT)], call: |ctx, i, o| {
        let options = SortOptions { dtype: F32, expression: c"abs (a) < abs (b)".as_ptr(), ..SortOptions::default() };
        // SAFETY: COUNT keys each.
        unsafe { gpumex_sort(ctx, &options, i[0], null(), COUNT, o[0], null_mut()) }
    } },
    Row { name: "merge by an expression", inputs: |seed| vec![sorted(seed, COUNT), sorted(seed + 1, COUNT)], outputs: || vec![poison(8 * COUNT)],
          call: |ctx, i, o| {
        let options = MergeOptions { dtype: U32, expression: c"a < b".as_ptr(), ..MergeOptions::default() };
        // SAFETY: COUNT keys each, and as many as both.
        unsafe { gpumex_merge(ctx, &options, i[0], null(), COUNT, i[1], null(), COUNT, o[0], null_mut()) }
    } },
    Row { name: "sorted_search by an expression", inputs: |seed| vec![sorted(seed, COUNT), sorted(seed + 1, COUNT)],
          outputs: || vec![poison(4 * COUNT), poison(16)], call: |ctx, i, o| {
        let options = SortedSearchOptions { dtype: U32, index_dtype: U32, expression: c"a < b".as_ptr(), ..SortedSearchOptions::default() };
        let none = null_mut();
        // SAFETY: COUNT keys each, as many indices, two numbers.
        unsafe { gpumex_sorted_search(ctx, &options, i[0], COUNT, i[1], COUNT, o[0], none, none.cast(), none.cast(), o[1].cast()) }
    } },
    Row { name: "scan by an expression", inputs: |seed| vec![keys(seed, COUNT)], outputs: || vec![poison(4 * COUNT), poison(4)], call: |ctx, i, o| {
        let options = ScanOptions { dtype: U32, kind: 1, expression: c"max (a, b)".as_ptr(), ..ScanOptions::default() };
        // SAFETY: COUNT elements each, one total.
        unsafe { gpumex_scan(ctx, &options, i[0], COUNT, o[0], o[1]) }
    } },
    Row { name: "scan with a total", inputs: |seed| vec![keys(seed, COUNT)], outputs: || vec![poison(4 * COUNT), poison(4)], call: |ctx, i, o| {
        let options = ScanOptions { dtype: U32, kind: 1, ..ScanOptions::default() };
        // SAFETY: COUNT elements each, one total.
        unsafe { gpumex_scan(ctx, &options, i[0], COUNT, o[0], o[1]) }
    } },
    Row { name: "scan in place", inputs: |_| vec![], outputs: || vec![keys(6, COUNT)], call: |ctx, _, o| {
        let options = ScanOptions { dtype: U32, ..ScanOptions::default() };
        // SAFETY: COUNT elements.
        unsafe { gpumex_scan(ctx, &options, o[0], COUNT, o[0], null_mut()) }
    } },
    Row { name: "reduce_dim", inputs: |seed| vec![keys(seed, COUNT)], outputs: || vec![poison(4 * 50)], call: |ctx, i, o| {
        let options = ReduceDimOptions { dtype: U32, ..ReduceDimOptions::default() };
        // SAFETY: COUNT elements at least, 50 results.
        unsafe { gpumex_reduce_dim(ctx, &options, i[0], 50, COUNT / 50, 1, o[0]) }
    } },
    Row { name: "reduce_dim of complex numbers", inputs: |seed| vec![floats(seed, COUNT)], outputs: || vec![poison(8 * 25)], call: |ctx, i, o| {
        let options = ReduceDimOptions { dtype: C64, ..ReduceDimOptions::default() };
        // SAFETY: COUNT parts at least, 25 results.
        unsafe { gpumex_reduce_dim(ctx, &options, i[0], 25, COUNT / 50, 1, o[0]) }
    } },
    Row { name: "reduce_dim with positions", inputs: |seed| vec![keys(seed, COUNT)], outputs: || vec![poison(4), poison(4)], call: |ctx, i, o| {
        let (op, positions) = (DimReduction::Max as i32, o[1]);
        let options = ReduceDimOptions { dtype: U32, op, index_dtype: U32, positions, ..ReduceDimOptions::default() };
        // SAFETY: COUNT elements, one result and position.
        unsafe { gpumex_reduce_dim(ctx, &options, i[0], 1, COUNT, 1, o[0]) }
    } },
    Row { name: "scan_dim", inputs: |seed| vec![keys(seed, COUNT)], outputs: || vec![poison(4 * COUNT)], call: |ctx, i, o| {
        let options = ScanDimOptions { dtype: U32, kind: 1, ..ScanDimOptions::default() };
        // SAFETY: COUNT elements each.
        unsafe { gpumex_scan_dim(ctx, &options, i[0], 5, COUNT / 5, 1, o[0]) }
    } },
    Row { name: "scan_dim in place, reversed", inputs: |_| vec![], outputs: || vec![keys(6, COUNT)], call: |ctx, _, o| {
        let options = ScanDimOptions { dtype: U32, reverse: 1, ..ScanDimOptions::default() };
        // SAFETY: COUNT elements.
        unsafe { gpumex_scan_dim(ctx, &options, o[0], 1, COUNT, 1, o[0]) }
    } },
    Row { name: "sort", inputs: |seed| vec![keys(seed, COUNT)], outputs: || vec![poison(4 * COUNT)],
          call: |ctx, i, o| sort(ctx, COUNT, U32, i, o) },
    Row { name: "sort of few keys", inputs: |seed| vec![keys(seed, 900)], outputs: || vec![poison(4 * 900)],
          call: |ctx, i, o| sort(ctx, 900, U32, i, o) },
    Row { name: "sort of bytes", inputs: |seed| vec![random_bytes(seed, COUNT)], outputs: || vec![poison(COUNT)],
          call: |ctx, i, o| sort(ctx, COUNT, Dtype::U8 as i32, i, o) },
    Row { name: "sort with values", inputs: |seed| vec![keys(seed, COUNT), doubles(seed + 1, COUNT)],
          outputs: || vec![poison(4 * COUNT), poison(8 * COUNT)], call: |ctx, i, o| {
        let options = SortOptions { dtype: U32, payload: 1, value_dtype: F64, order: 1, ..SortOptions::default() };
        // SAFETY: COUNT keys and values each.
        unsafe { gpumex_sort(ctx, &options, i[0], i[1], COUNT, o[0], o[1]) }
    } },
    Row { name: "locality_sort", inputs: |seed| vec![keys(seed, COUNT)], outputs: || vec![poison(4 * COUNT), poison(4 * COUNT)], call: |ctx, i, o| {
        let options = LocalitySortOptions { dtype: U32, payload: 2, index_dtype: U32, ..LocalitySortOptions::default() };
        // SAFETY: COUNT keys each, COUNT positions.
        unsafe { gpumex_locality_sort(ctx, &options, i[0], null(), COUNT, o[0], o[1]) }
    } },
    Row { name: "segmented_sort", inputs: |seed| vec![keys(seed, COUNT), bytes_of(&exclusive_sums(seed + 1, SEGMENTS, COUNT - 1))],
          outputs: || vec![poison(4 * COUNT)], call: |ctx, i, o| {
        let options = SegmentedSortOptions { dtype: U32, index_dtype: U32, ..SegmentedSortOptions::default() };
        // SAFETY: COUNT keys each, SEGMENTS positions.
        unsafe { gpumex_segmented_sort(ctx, &options, i[0], null(), COUNT, i[1], SEGMENTS, o[0], null_mut()) }
    } },
    Row { name: "merge", inputs: |seed| vec![sorted(seed, COUNT), sorted(seed + 1, FEW)],
          outputs: || vec![poison(4 * (COUNT + FEW)), poison(4 * (COUNT + FEW))], call: |ctx, i, o| {
        let options = MergeOptions { dtype: U32, payload: 2, index_dtype: U32, ..MergeOptions::default() };
        // SAFETY: COUNT and FEW keys, and as many together.
        unsafe { gpumex_merge(ctx, &options, i[0], null(), COUNT, i[1], null(), FEW, o[0], o[1]) }
    } },
    Row { name: "sorted_search", inputs: |seed| vec![sorted(seed, COUNT), sorted(seed + 1, FEW)],
          outputs: || vec![poison(4 * COUNT), poison(4 * FEW), poison(COUNT), poison(FEW), poison(16)], call: |ctx, i, o| {
        let options = SortedSearchOptions { dtype: U32, index_dtype: U32, ..SortedSearchOptions::default() };
        // SAFETY: COUNT and FEW keys, as many indices and flags, two counts.
        unsafe { gpumex_sorted_search(ctx, &options, i[0], COUNT, i[1], FEW, o[0], o[1], o[2], o[3], o[4]) }
    } },
    Row { name: "sorted_equality_count", inputs: |seed| vec![sorted(seed, COUNT), sorted(seed + 1, FEW)],
          outputs: || vec![poison(8 * COUNT), poison(8 * COUNT)], call: |ctx, i, o| {
        let options = SortedEqualityCountOptions { dtype: U32, index_dtype: U64, ..SortedEqualityCountOptions::default() };
        // SAFETY: COUNT and FEW keys, COUNT counts and bounds.
        unsafe { gpumex_sorted_equality_count(ctx, &options, i[0], COUNT, i[1], FEW, o[0], o[1]) }
    } },
    Row { name: "load_balance_search", inputs: |seed| vec![bytes_of(&exclusive_sums(seed, SEGMENTS, COUNT))],
          outputs: || vec![poison(4 * COUNT)], call: |ctx, i, o| {
        let options = LoadBalanceSearchOptions { index_dtype: U32, ..LoadBalanceSearchOptions::default() };
        // SAFETY: SEGMENTS numbers, COUNT indices.
        unsafe { gpumex_load_balance_search(ctx, &options, COUNT, i[0], SEGMENTS, o[0]) }
    } },
    Row { name: "interval_expand", inputs: |seed| vec![bytes_of(&exclusive_sums(seed, SEGMENTS, COUNT)), keys(seed + 1, SEGMENTS)],
          outputs: || vec![poison(4 * COUNT)], call: |ctx, i, o| {
        let options = IntervalExpandOptions { dtype: U32, index_dtype: U32, ..IntervalExpandOptions::default() };
        // SAFETY: SEGMENTS numbers and values, COUNT elements.
        unsafe { gpumex_interval_expand(ctx, &options, COUNT, i[0], i[1], SEGMENTS, o[0]) }
    } },
    Row { name: "interval_move", inputs: |seed| vec![
              bytes_of(&exclusive_sums(seed, SEGMENTS, COUNT)), bytes_of(&numbers(seed + 1, SEGMENTS, COUNT as u32)), keys(seed + 2, COUNT)],
          outputs: || vec![poison(4 * COUNT)], call: |ctx, i, o| {
        let options = IntervalMoveOptions { dtype: U32, index_dtype: U32, ..IntervalMoveOptions::default() };
        // SAFETY: SEGMENTS numbers twice, COUNT elements each.
        unsafe { gpumex_interval_move(ctx, &options, COUNT, i[1], null(), i[0], SEGMENTS, i[2], COUNT, o[0], COUNT) }
    } },
    Row { name: "gather", inputs: |seed| vec![keys(seed, COUNT), sorted(seed + 1, FEW)], outputs: || vec![poison(4 * FEW)], call: |ctx, i, o| {
        let options = GatherOptions { dtype: U32, index_dtype: U32, ..GatherOptions::default() };
        // SAFETY: COUNT elements, FEW indices and results.
        unsafe { gpumex_gather(ctx, &options, i[0], COUNT, i[1], FEW, o[0]) }
    } },
    Row { name: "gather_nd", inputs: |seed| vec![keys(seed, COUNT), sorted(seed + 1, FEW)], outputs: || vec![poison(4 * FEW)], call: |ctx, i, o| {
        let (shape, counts, indices, index_dtypes) = ([COUNT], [FEW], [i[1]], [U32]);
        let (shape, counts) = (shape.as_ptr(), counts.as_ptr());
        let (indices, index_dtypes) = (indices.as_ptr(), index_dtypes.as_ptr());
        let options = GatherNdOptions { dtype: U32, shape, counts, indices, index_dtypes, ..GatherNdOptions::default() };
        // SAFETY: COUNT elements, FEW indices and results.
        unsafe { gpumex_gather_nd(ctx, &options, i[0], o[0]) }
    } },
    Row { name: "scatter_nd", inputs: |seed| vec![keys(seed, FEW), every_third(seed + 1, FEW)], // each place once
          outputs: || vec![poison(4 * COUNT)], call: |ctx, i, o| {
        let (shape, counts, indices, index_dtypes) = ([COUNT], [FEW], [i[1]], [U32]);
        let (shape, counts) = (shape.as_ptr(), counts.as_ptr());
        let (indices, index_dtypes) = (indices.as_ptr(), index_dtypes.as_ptr());
        let options = ScatterNdOptions { dtype: U32, last: 1, shape, counts, indices, index_dtypes, ..ScatterNdOptions::default() };
        // SAFETY: FEW elements and indices, COUNT places.
        unsafe { gpumex_scatter_nd(ctx, &options, i[0], o[0]) }
    } },
    Row { name: "permute", inputs: |seed| vec![keys(seed, COUNT)], outputs: || vec![poison(4 * COUNT)], call: |ctx, i, o| {
        let (shape, order) = ([COUNT / 8, 8], [1, 0]);
        let options = PermuteOptions { dtype: U32, rank: 2, ..PermuteOptions::default() };
        // SAFETY: at most COUNT elements each.
        unsafe { gpumex_permute(ctx, &options, i[0], shape.as_ptr(), order.as_ptr(), o[0]) }
    } },
    Row { name: "scatter", inputs: |seed| vec![keys(seed, FEW), every_third(seed + 1, FEW)], // each place once
          outputs: || vec![poison(4 * COUNT)], call: |ctx, i, o| {
        let options = ScatterOptions { dtype: U32, index_dtype: U32, ..ScatterOptions::default() };
        // SAFETY: FEW elements and indices, COUNT places.
        unsafe { gpumex_scatter(ctx, &options, i[0], i[1], FEW, o[0], COUNT) }
    } },
    Row { name: "bulk_insert", inputs: |seed| vec![keys(seed, FEW), sorted(seed + 1, FEW), keys(seed + 2, COUNT)],
          outputs: || vec![poison(4 * (COUNT + FEW))], call: |ctx, i, o| {
        let options = BulkInsertOptions { dtype: U32, index_dtype: U32, ..BulkInsertOptions::default() };
        // SAFETY: FEW elements and indices, COUNT elements, and as many together.
        unsafe { gpumex_bulk_insert(ctx, &options, i[0], i[1], FEW, i[2], COUNT, o[0]) }
    } },
    Row { name: "bulk_remove", inputs: |seed| vec![keys(seed, 3 * FEW), every_third(seed + 1, FEW)],
          outputs: || vec![poison(8 * FEW)], call: |ctx, i, o| {
        let options = BulkRemoveOptions { dtype: U32, index_dtype: U32, ..BulkRemoveOptions::default() };
        // SAFETY: 3 FEW elements, FEW indices, 2 FEW elements.
        unsafe { gpumex_bulk_remove(ctx, &options, i[0], 3 * FEW, i[1], FEW, o[0]) }
    } },
    Row { name: "compact", inputs: |seed| vec![keys(seed, COUNT), random_board(seed + 1, COUNT)],
          outputs: || vec![poison(4 * COUNT), poison(4 * COUNT), poison(8)], call: |ctx, i, o| {
        let options = CompactOptions { dtype: U32, index_dtype: U32, ..CompactOptions::default() };
        // SAFETY: COUNT elements, flags, and room for as many, one number.
        unsafe { gpumex_compact(ctx, &options, i[0], i[1].cast(), COUNT, o[0], o[1], COUNT, o[2].cast()) }
    } },
    Row { name: "reduce_by_key", inputs: |seed| vec![bytes_of(&numbers(seed, COUNT, 3)), whole(seed + 1, COUNT)],
          outputs: || vec![poison(4 * COUNT), poison(4 * COUNT), poison(8), poison(4 * (COUNT + 1))], call: |ctx, i, o| {
        let options = ReduceByKeyOptions { dtype: F32, key_dtype: U32, index_dtype: U32, ..Default::default() };
        // SAFETY: COUNT keys and elements, outputs of as many, one number, one offset more.
        unsafe { gpumex_reduce_by_key(ctx, &options, i[0], i[1], COUNT, o[0], o[1], o[3], COUNT, o[2].cast()) }
    } },
    Row { name: "reduce_by_key by an expression", inputs: |seed| vec![bytes_of(&numbers(seed, COUNT, 3)), whole(seed + 1, COUNT)],
          outputs: || vec![poison(4 * COUNT), poison(4 * COUNT), poison(8)], call: |ctx, i, o| {
        let options = ReduceByKeyOptions { dtype: F32, key_dtype: U32, expression: c"a + b".as_ptr(), ..Default::default() };
        // SAFETY: COUNT keys and elements, outputs of as many, one number.
        unsafe { gpumex_reduce_by_key(ctx, &options, i[0], i[1], COUNT, o[0], o[1], null_mut(), COUNT, o[2].cast()) }
    } },
    Row { name: "segmented_reduce", inputs: |seed| vec![whole(seed, COUNT), offsets(seed + 1)], outputs: || vec![poison(4 * SEGMENTS)],
          call: |ctx, i, o| segmented_reduce(ctx, null(), i, o[0]) },
    Row { name: "segmented_reduce by an expression", inputs: |seed| vec![whole(seed, COUNT), offsets(seed + 1)],
          outputs: || vec![poison(4 * SEGMENTS)], call: |ctx, i, o| {
        let (identity, expression) = (0f32, c"a + b".as_ptr());
        let identity = std::ptr::from_ref(&identity).cast();
        let options = SegmentedReduceOptions {
            dtype: F32, index_dtype: U32, identity, expression, ..SegmentedReduceOptions::default()
        };
        // SAFETY: COUNT elements, SEGMENTS + 1 offsets, SEGMENTS results.
        unsafe { gpumex_segmented_reduce(ctx, &options, i[0], COUNT, i[1], SEGMENTS, null(), o[0]) }
    } },
    Row { name: "segments_prepare and segmented_reduce", inputs: |seed| vec![whole(seed, COUNT), offsets(seed + 1)],
          outputs: || vec![poison(4 * SEGMENTS), poison(8 * COUNT)], call: |ctx, i, o| {
        match with_geometry(ctx, o[1], i[1], COUNT) {
            0 => segmented_reduce(ctx, o[1], i, o[0]),
            status => status,
        }
    } },
    Row { name: "spmv", inputs: matrix, outputs: || vec![poison(4 * SEGMENTS)], call: |ctx, i, o| spmv(ctx, null(), i, o[0]) },
    Row { name: "segments_prepare and spmv", inputs: matrix, outputs: || vec![poison(4 * SEGMENTS), poison(8 * COUNT)], call: |ctx, i, o| {
        match with_geometry(ctx, o[1], i[2], COUNT) {
            0 => spmv(ctx, o[1], i, o[0]),
            status => status,
        }
    } },
    Row { name: "set_operation, INTERSECTION", inputs: two_sorted, outputs: two_sets, call: |ctx, i, o| set_operation(ctx, 0, i, o) },
    Row { name: "set_operation, UNION", inputs: two_sorted, outputs: two_sets, call: |ctx, i, o| set_operation(ctx, 1, i, o) },
    Row { name: "set_operation, DIFFERENCE", inputs: two_sorted, outputs: two_sets, call: |ctx, i, o| set_operation(ctx, 2, i, o) },
    Row { name: "set_operation, SYMMETRIC_DIFFERENCE", inputs: two_sorted, outputs: two_sets, call: |ctx, i, o| set_operation(ctx, 3, i, o) },
    Row { name: "join, OUTER", inputs: two_sorted, outputs: || vec![poison(20 * FEW), poison(20 * FEW), poison(8)], call: |ctx, i, o| {
        let options = JoinOptions { dtype: U32, kind: 3, index_dtype: U32, ..JoinOptions::default() };
        // SAFETY: FEW keys each, room for 5 FEW pairs, one number.
        unsafe { gpumex_join(ctx, &options, i[0], FEW, i[1], FEW, o[0], o[1], 5 * FEW, o[2].cast()) }
    } },
    Row { name: "several in a row", inputs: |seed| vec![keys(seed, COUNT)],
          outputs: || vec![poison(4 * COUNT), poison(4 * COUNT), poison(4 * COUNT)], call: |ctx, i, o| {
        let options = ScanOptions { dtype: U32, ..ScanOptions::default() };
        let sorted = [o[0].cast_const()];
        // SAFETY: COUNT elements each.
        let calls = [
            sort(ctx, COUNT, U32, i, o),
            unsafe { gpumex_scan(ctx, &options, o[0], COUNT, o[1], null_mut()) },
            sort(ctx, COUNT, U32, &sorted, &o[2..]),
        ];
        calls.into_iter().find(|status| *status != 0).unwrap_or(0)
    } },
];
