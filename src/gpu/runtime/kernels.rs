//! The launchers of kernels/kernels.h, name by name. A build without nvcc has stubs that answer "no kernel image",
//! so that the rest of the crate is one and the same.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

/// cudaStream_t
pub type Stream = *mut c_void;

/// How a kernel is launched; gpumexk_tuning. What each kernel serves is in tuning.rs.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Threads of a block.
    pub threads: c_int,
    /// Values that a thread holds at once, in the unit of the kernel.
    pub values: c_int,
    /// L1 cache and shared memory: 0 the driver's choice, 1 prefer shared memory, 2 prefer L1, 3 equal.
    pub cache: c_int,
}

/// What is played, on which board; gpumexk_life_game.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LifeGame {
    pub rows: usize,
    pub cols: usize,
    /// 0 clamp, 1 dead, 2 torus.
    pub boundary: c_int,
    /// Bit k: what k live neighbours do.
    pub birth: c_uint,
    pub survival: c_uint,
}

/// What is counted; gpumexk_samples.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Samples {
    pub data: *const c_void,
    pub len: usize,
    /// 0 u8, 1 u16, 2 u32, 3 i32, 4 f32, 5 f64.
    pub dtype: c_int,
    pub channels: c_int,
    pub weights: *const c_void,
    /// 4 f32, 5 f64.
    pub weights_dtype: c_int,
}

/// Into which bin a sample falls; gpumexk_bins.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Bins {
    pub count: usize,
    /// 0 the value, 1 even, 2 edges.
    pub rule: c_int,
    /// Outliers fall 0 into no bin, 1 into the first or the last.
    pub outliers: c_int,
    /// 1: the last bin has its right edge.
    pub right_edge: c_int,
    pub lo: f64,
    pub hi: f64,
    pub width: f64,
    pub edges: *const f64,
}

/// What a picture is; gpumexk_picture.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub channels: c_int,
    /// 0 interleaved, 1 planes of rows, 2 planes of columns.
    pub layout: c_int,
}

/// What is read of a text, and which of its words are counted; gpumexk_words_text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WordsText {
    pub text: *const u8,
    pub len: usize,
    /// Words are counted that begin in begin .. end.
    pub begin: usize,
    pub end: usize,
    /// Position of text[0] in the whole.
    pub offset: u64,
    pub utf8: c_int,
    pub fold: c_int,
    pub letters: *const u32,
    pub folds: usize,
}

/// Words and their counts; gpumexk_words_table.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WordsTable {
    pub slots: *mut c_void,
    pub bits: c_uint,
    pub state: *mut u64,
}

/// Two sorted arrays; gpumexk_sorted_arrays.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SortedArrays {
    pub a: *const c_void,
    pub a_count: usize,
    pub b: *const c_void,
    pub b_count: usize,
    /// Bytes of a key, 4 or 8.
    pub width: c_int,
    /// A gpumex_dtype.
    pub dtype: c_int,
    pub descending: c_int,
}

/// Intervals of elements; gpumexk_intervals.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Intervals {
    pub count: usize,
    pub intervals: usize,
    /// Bytes of an index, 4 or 8.
    pub index_width: c_int,
    pub gather: *const c_void,
    pub scatter: *const c_void,
    pub scan: *const c_void,
}

/// Two sorted arrays whose sets are joined, and where the result goes; gpumexk_sets.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Sets {
    pub a_keys: *const c_void,
    pub a_values: *const c_void,
    pub a_count: usize,
    pub b_keys: *const c_void,
    pub b_values: *const c_void,
    pub b_count: usize,
    /// A gpumex_dtype of 4 or 8 bytes.
    pub dtype: c_int,
    pub descending: c_int,
    /// A gpumex_set_operator.
    pub op: c_int,
    /// A gpumex_payload.
    pub payload: c_int,
    /// 4 or 8: bytes of a value or an index.
    pub width: c_int,
    /// NULL: left out.
    pub keys: *mut c_void,
    pub values: *mut c_void,
    pub capacity: usize,
    pub needed: *mut u64,
}

/// Two sorted arrays whose equal keys are joined, and where the pairs go; gpumexk_joining.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Joining {
    pub a: *const c_void,
    pub a_count: usize,
    pub b: *const c_void,
    pub b_count: usize,
    /// A gpumex_dtype of 4 or 8 bytes.
    pub dtype: c_int,
    pub descending: c_int,
    /// 1: keys without a partner are there.
    pub keeps_a: c_int,
    pub keeps_b: c_int,
    /// 4 or 8: bytes of an index.
    pub width: c_int,
    pub a_indices: *mut c_void,
    pub b_indices: *mut c_void,
    pub capacity: usize,
    pub needed: *mut u64,
}

/// What is multiplied, row-major; gpumexk_product.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Product {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub batch: usize,
    /// 1: A is stored (k, m), B (n, k).
    pub trans_a: c_int,
    pub trans_b: c_int,
    pub a: *const c_void,
    pub b: *const c_void,
    pub c: *mut c_void,
    pub lda: usize,
    pub ldb: usize,
    pub ldc: usize,
    pub stride_a: usize,
    pub stride_b: usize,
    pub stride_c: usize,
    pub alpha: f64,
    pub beta: f64,
}

/// Segments of an array; gpumexk_segments.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Segments {
    pub offsets: *const c_void,
    /// Null where segments begin at their offsets.
    pub sources: *const c_void,
    pub segments: usize,
    pub count: usize,
    /// 0 u64, 1 u32.
    pub index_dtype: c_int,
    pub geometry: *const c_void,
}

/// What is sorted; gpumexk_sorting.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Sorting {
    pub keys: *const c_void,
    /// May be null where there are values.
    pub sorted: *mut c_void,
    /// Null: the positions of the keys are the values.
    pub values: *const c_void,
    pub sorted_values: *mut c_void,
    pub count: usize,
    pub dtype: c_int,
    pub descending: c_int,
    /// 0: no values; 4 or 8.
    pub value_bytes: c_int,
    /// On the device: nothing is sorted when it is not 0. Null: always.
    pub unless: *const c_int,
}

/// What is reduced by runs of equal keys; gpumexk_runs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    pub keys: *const c_void,
    pub data: *const c_void,
    pub count: usize,
    pub key_dtype: c_int,
    pub dtype: c_int,
    pub number: c_int,
    pub unique_keys: *mut c_void,
    pub results: *mut c_void,
    pub capacity: usize,
    pub needed: *mut u64,
}

/// The nonzeros of a sparse matrix and a vector; gpumexk_factors.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Factors {
    pub values: *const c_void,
    pub columns: *const c_void,
    pub x: *const c_void,
    pub cols: usize,
    pub dtype: c_int,
    pub add: c_int,
    pub multiply: c_int,
}

/// What is merged; gpumexk_merging.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Merging {
    pub a_keys: *const c_void,
    pub a_values: *const c_void,
    pub a_count: usize,
    pub b_keys: *const c_void,
    pub b_values: *const c_void,
    pub b_count: usize,
    pub dtype: c_int,
    pub descending: c_int,
    pub value_bytes: c_int,
    pub positions: c_int,
    pub keys: *mut c_void,
    pub values: *mut c_void,
}

/// What is sorted by merging; gpumexk_merge_sorting.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MergeSorting {
    pub keys: *const c_void,
    pub values: *const c_void,
    pub count: usize,
    pub dtype: c_int,
    pub descending: c_int,
    pub value_bytes: c_int,
    pub positions: c_int,
    pub sorted: *mut c_void,
    pub sorted_values: *mut c_void,
}

/// Where segments begin; gpumexk_segment_heads.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SegmentHeads {
    pub heads: *const c_void,
    pub count: usize,
    /// 1: bits, else positions.
    pub flags: c_int,
    pub index_bytes: c_int,
}

/// cudaErrorMemoryAllocation
pub const MEMORY_ALLOCATION: c_int = 2;
/// cudaErrorInsufficientDriver
pub const INSUFFICIENT_DRIVER: c_int = 35;
/// cudaErrorNoKernelImageForDevice
pub const NO_KERNEL_IMAGE: c_int = 209;
/// cudaErrorUnsupportedPtxVersion
pub const UNSUPPORTED_PTX: c_int = 222;

macro_rules! launchers {
    ($(fn $name:ident($($argument:ident: $kind:ty),* $(,)?);)*) => {
        #[cfg(gpumex_cuda)]
        unsafe extern "C" {
            $(pub fn $name($($argument: $kind),*) -> c_int;)*
        }
        $(
            #[cfg(not(gpumex_cuda))]
            #[allow(clippy::too_many_arguments)] // as many as the launcher has
            pub unsafe fn $name($(_: $kind),*) -> c_int {
                NO_KERNEL_IMAGE
            }
        )*
    };
}

launchers! {
    fn gpumexk_device_ready();
    fn gpumexk_life_arrays(front: *mut u8, back: *mut u8, neighbours: *mut u8, rows: usize, cols: usize, generations: u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_life_shmem_bytes(front: *mut u8, back: *mut u8, rows: usize, cols: usize, generations: u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_life_texture_bytes(front: *mut u8, back: *mut u8, rows: usize, cols: usize, generations: u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_life_pack(cells: *const u8, rows: usize, cols: usize, bits: *mut u64, stream: Stream);
    fn gpumexk_life_unpack(bits: *const u64, rows: usize, cols: usize, cells: *mut u8, stream: Stream);
    fn gpumexk_life_shmem(front: *mut u64, back: *mut u64, game: *const LifeGame, generations: u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_life_cluster_fits(rows: usize, cols: usize, fits: *mut c_int);
    fn gpumexk_life_cluster(board: *const c_void, next: *mut c_void, bits: c_int, game: *const LifeGame, generations: u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_life_to_strips(bits: *const u64, game: *const LifeGame, strips: *mut u32, stream: Stream);
    fn gpumexk_life_from_strips(strips: *const u32, game: *const LifeGame, bits: *mut u64, stream: Stream);
    fn gpumexk_life_registers(front: *mut u32, back: *mut u32, scratch: *mut c_uint, game: *const LifeGame, generations: u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_life_texture(front: *mut u32, back: *mut u32, game: *const LifeGame, generations: u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_matmul_naive_f32(product: *const Product, tuning: *const Tuning, stream: Stream);
    fn gpumexk_matmul_naive_f64(product: *const Product, tuning: *const Tuning, stream: Stream);
    fn gpumexk_matmul_blocked_f32(product: *const Product, tuning: *const Tuning, stream: Stream);
    fn gpumexk_matmul_blocked_f64(product: *const Product, tuning: *const Tuning, stream: Stream);
    fn gpumexk_matmul_tiled_f32(product: *const Product, only_if: *const c_uint, tuning: *const Tuning, stream: Stream);
    fn gpumexk_matmul_tiled_f64(product: *const Product, tuning: *const Tuning, stream: Stream);
    fn gpumexk_matmul_skinny_scratch(product: *const Product, bytes: *mut usize);
    fn gpumexk_matmul_skinny_f32(product: *const Product, scratch: *mut c_void, tuning: *const Tuning, stream: Stream);
    fn gpumexk_matmul_skinny_f64(product: *const Product, scratch: *mut c_void, tuning: *const Tuning, stream: Stream);
    fn gpumexk_matmul_tensor_scratch(product: *const Product, bytes: *mut usize);
    fn gpumexk_matmul_tensor_f32(product: *const Product, scratch: *mut c_void, flagged: *mut c_int, tuning: *const Tuning, stream: Stream);
    fn gpumexk_matmul_tf32_scratch(product: *const Product, bytes: *mut usize);
    fn gpumexk_matmul_tf32_f32(product: *const Product, scratch: *mut c_void, tuning: *const Tuning, stream: Stream);
    fn gpumexk_histogram_clear(counts: *mut c_void, count: usize, stream: Stream);
    fn gpumexk_histogram_global(data: *const u8, len: usize, counts: *mut u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_histogram_strided(data: *const u8, len: usize, counts: *mut u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_histogram_shared(data: *const u8, len: usize, counts: *mut u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_histogram_small(data: *const u8, len: usize, counts: *mut u64, stream: Stream);
    fn gpumexk_histogram_bytes(data: *const u8, len: usize, channels: c_int, counts: *mut u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_histogram_bins(samples: *const Samples, bins: *const Bins, counts: *mut c_void, tuning: *const Tuning, stream: Stream);
    fn gpumexk_histogram_fold(values: *const u64, dtype: c_int, channels: c_int, bins: *const Bins, counts: *mut u64, stream: Stream);
    fn gpumexk_raytrace_global(spheres: *const f32, count: usize, picture: *const Picture, image: *mut u8, tuning: *const Tuning, stream: Stream);
    fn gpumexk_raytrace_read_only(spheres: *const f32, count: usize, picture: *const Picture, image: *mut u8, tuning: *const Tuning, stream: Stream);
    fn gpumexk_raytrace_constant(spheres: *const f32, count: usize, picture: *const Picture, depth: *mut f32, image: *mut u8, tuning: *const Tuning, stream: Stream);
    fn gpumexk_raytrace_binned_scratch(count: usize, picture: *const Picture, bytes: *mut usize, is_served: *mut c_int);
    fn gpumexk_raytrace_binned(spheres: *const f32, count: usize, picture: *const Picture, scratch: *mut c_void, image: *mut u8, tuning: *const Tuning, stream: Stream);
    fn gpumexk_fill(array: *mut c_void, count: usize, width: usize, pattern: u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_fill_ascending_int(array: *mut c_void, count: usize, width: usize, first: u64, step: u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_fill_ascending_f32(array: *mut f32, count: usize, first: f64, step: f64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_fill_ascending_f64(array: *mut f64, count: usize, first: f64, step: f64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_random_keys(keys: *mut u64, count: usize, seed: u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_random_int(array: *mut c_void, count: usize, width: usize, seed: u64, keys: *const u64, lo: u64, range: u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_random_f32(array: *mut f32, count: usize, seed: u64, keys: *const u64, lo: f32, hi: f32, tuning: *const Tuning, stream: Stream);
    fn gpumexk_random_f64(array: *mut f64, count: usize, seed: u64, keys: *const u64, lo: f64, hi: f64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_sorted_search(arrays: *const SortedArrays, upper: c_int, index_width: c_int, a_indices: *mut c_void, b_indices: *mut c_void, a_flags: *mut u8, b_flags: *mut u8, matches: *mut u64, stream: Stream);
    fn gpumexk_sorted_equality_count(arrays: *const SortedArrays, index_width: c_int, counts: *mut c_void, lower: *mut c_void, stream: Stream);
    fn gpumexk_load_balance_search(count: usize, scan: *const c_void, objects: usize, index_width: c_int, indices: *mut c_void, stream: Stream);
    fn gpumexk_interval_expand(count: usize, scan: *const c_void, intervals: usize, index_width: c_int, values: *const c_void, width: c_int, output: *mut c_void, stream: Stream);
    fn gpumexk_interval_move(intervals: *const Intervals, input: *const c_void, input_count: usize, width: c_int, output: *mut c_void, output_count: usize, stream: Stream);
    fn gpumexk_bulk_remove(source: *const c_void, count: usize, width: c_int, indices: *const c_void, index_count: usize, index_width: c_int, result: *mut c_void, stream: Stream);
    fn gpumexk_bulk_insert(a: *const c_void, indices: *const c_void, a_count: usize, b: *const c_void, b_count: usize, width: c_int, index_width: c_int, result: *mut c_void, stream: Stream);
    fn gpumexk_sort_scratch(what: *const Sorting, bytes: *mut usize);
    fn gpumexk_sort(what: *const Sorting, scratch: *mut c_void, stream: Stream);
    fn gpumexk_merge(merging: *const Merging, stream: Stream);
    fn gpumexk_locality_sort_scratch(sorting: *const MergeSorting, bytes: *mut usize);
    fn gpumexk_locality_sort(sorting: *const MergeSorting, scratch: *mut c_void, stream: Stream);
    fn gpumexk_segmented_sort_scratch(sorting: *const MergeSorting, bytes: *mut usize);
    fn gpumexk_segmented_sort(sorting: *const MergeSorting, segments: *const SegmentHeads, scratch: *mut c_void, stream: Stream);
    fn gpumexk_add_f32(x: *const f32, y: *mut f32, count: usize, tuning: *const Tuning, stream: Stream);
    fn gpumexk_add_f64(x: *const f64, y: *mut f64, count: usize, tuning: *const Tuning, stream: Stream);
    fn gpumexk_dot_atomic_f32(x: *const f32, y: *const f32, count: usize, result: *mut f32, tuning: *const Tuning, stream: Stream);
    fn gpumexk_dot_atomic_f64(x: *const f64, y: *const f64, count: usize, result: *mut f64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_dot_shared_f32(x: *const f32, y: *const f32, count: usize, result: *mut f32, tuning: *const Tuning, stream: Stream);
    fn gpumexk_dot_shared_f64(x: *const f64, y: *const f64, count: usize, result: *mut f64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_dot_two_pass_f32(x: *const f32, y: *const f32, count: usize, partials: *mut f32, result: *mut f32, tuning: *const Tuning, stream: Stream);
    fn gpumexk_dot_two_pass_f64(x: *const f64, y: *const f64, count: usize, partials: *mut f64, result: *mut f64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_words_count(text: *const WordsText, table: *const WordsTable, giants: *mut u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_words_clear(table: *const WordsTable, stream: Stream);
    fn gpumexk_words_missing(text: *const WordsText, from: *const WordsTable, to: *const WordsTable, missing: *mut u64, stream: Stream);
    fn gpumexk_words_merge(text: *const WordsText, from: *const WordsTable, to: *const WordsTable, copies: *mut u8, used: *mut u64, stream: Stream);
    fn gpumexk_words_rank(table: *const WordsTable, most: u64, count: u64, low: u64, shift: c_uint, ranks: *mut u64, stream: Stream);
    fn gpumexk_words_pick(table: *const WordsTable, count: u64, position: u64, most: u64, picked: *mut u64, number: *mut u64, stream: Stream);
    fn gpumexk_segments_fill_empty(segments: *const Segments, value_bytes: c_int, value: u64, result: *mut c_void, stream: Stream);
    fn gpumexk_histogram_textbook(samples: *const Samples, bins: *const Bins, memory: c_int, counts: *mut u64, tuning: *const Tuning, stream: Stream);
    fn gpumexk_histogram_shared_bins_max(bins: *mut usize);
    fn gpumexk_convert(source: *const c_void, count: usize, source_bytes: c_int, source_signed: c_int, limit: *const u64, target: *mut c_void, target_bytes: c_int, stream: Stream);
    fn gpumexk_set_operation_scratch(job: *const Sets, bytes: *mut usize);
    fn gpumexk_set_operation(job: *const Sets, scratch: *mut c_void, stream: Stream);
    fn gpumexk_join_scratch(job: *const Joining, bytes: *mut usize);
    fn gpumexk_join(job: *const Joining, scratch: *mut c_void, stream: Stream);
    fn gpumexk_check_sorted(keys: *const c_void, count: usize, dtype: c_int, descending: c_int, strict: c_int, position: *mut u64, stream: Stream);
    fn gpumexk_words_lengths(text: *const WordsText, positions: *const u64, count: usize, lengths: *mut u64, stream: Stream);
    fn gpumexk_reduce(data: *const c_void, count: usize, dtype: c_int, op: c_int, partials: *mut c_void, result: *mut c_void, stream: Stream);
    fn gpumexk_segments_geometry(segments: usize, count: usize, elements: *mut usize);
    fn gpumexk_segments_prepare(segments: *const Segments, geometry: *mut u64, stream: Stream);
    fn gpumexk_segmented_reduce(segments: *const Segments, dtype: c_int, number: c_int, data: *const c_void, result: *mut c_void, scratch: *mut c_void, stream: Stream);
    fn gpumexk_reduce_by_key_scratch(count: usize, key_bytes: usize, data_bytes: usize, bytes: *mut usize);
    fn gpumexk_reduce_by_key(runs: *const Runs, scratch: *mut c_void, stream: Stream);
    fn gpumexk_spmv(rows: *const Segments, factors: *const Factors, y: *mut c_void, scratch: *mut c_void, stream: Stream);
    fn gpumexk_scan_scratch(count: usize, dtype: c_int, bytes: *mut usize);
    fn gpumexk_scan(data: *const c_void, count: usize, dtype: c_int, op: c_int, inclusive: c_int, scratch: *mut c_void, result: *mut c_void, total: *mut c_void, stream: Stream);
    fn gpumexk_compact_scratch(count: usize, width: usize, bytes: *mut usize);
    fn gpumexk_compact(data: *const c_void, width: usize, flags: *const u8, count: usize, scratch: *mut c_void, kept: *mut c_void, positions: *mut c_void, position_width: usize, capacity: usize, needed: *mut u64, stream: Stream);
}

/// Generations between two barriers of all tiles; GPUMEXK_LIFE_SHMEM_STEPS.
pub const LIFE_SHMEM_STEPS: usize = 16;

/// Columns of a strip; GPUMEXK_LIFE_STRIP_COLS.
pub const LIFE_STRIP_COLS: usize = 240;

/// Generations of a step on strips; GPUMEXK_LIFE_STRIP_STEPS.
pub const LIFE_STRIP_STEPS: usize = 8;

/// Rows of the lowest tile of a strip; GPUMEXK_LIFE_TILE_ROWS_MIN.
pub const LIFE_TILE_ROWS_MIN: usize = 48;

/// What a block of constant memory holds; GPUMEXK_RAYTRACE_CONSTANT_SPHERES.
pub const RAYTRACE_CONSTANT_SPHERES: usize = 2340;

/// What one block counts in one go; GPUMEXK_HISTOGRAM_SMALL_MAX.
pub const HISTOGRAM_SMALL_MAX: usize = 65536;

/// The scratch of a dot product in two passes, in elements; GPUMEXK_DOT_PARTIALS.
pub const DOT_PARTIALS: usize = 1024;

/// The scratch of a reduction, in elements; GPUMEXK_REDUCE_PARTIALS.
pub const REDUCE_PARTIALS: usize = 2048;
/// The scratch of a walk over segments, in bytes; GPUMEXK_SEGMENTS_SCRATCH.
pub const SEGMENTS_SCRATCH: usize = 32768;

/// Bins that words are ranked into; GPUMEXK_WORDS_RANKS.
pub const WORDS_RANKS: usize = 2048;

#[cfg(gpumex_cuda)]
unsafe extern "C" {
    pub fn gpumexk_error_string(error: c_int) -> *const c_char;
    pub fn gpumexk_clear_error();
}

#[cfg(not(gpumex_cuda))]
pub unsafe fn gpumexk_error_string(_: c_int) -> *const c_char {
    c"no kernel image is available for execution on the device".as_ptr()
}

#[cfg(not(gpumex_cuda))]
pub unsafe fn gpumexk_clear_error() {}

/// The text of a launcher's code.
pub fn launch_text(code: c_int) -> String {
    // SAFETY: static text.
    unsafe { CStr::from_ptr(gpumexk_error_string(code)) }.to_string_lossy().into_owned()
}
