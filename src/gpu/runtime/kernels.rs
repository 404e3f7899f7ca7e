//! Written from kernels/kernels.h by `make abi`; a test compares. Without kernels the launchers are stubs (launch.rs).
//!
//! kernels.h — every launcher of the CUDA side, on one page. src/gpu/runtime/kernels.rs, what `make abi` writes from here, declares the
//! same for Rust.
//!
//! All pointers are device memory of the current context, aligned to their elements; all sizes are checked by the caller,
//! nothing here allocates device memory. A launcher enqueues on `stream` (life_texture waits for it as well) and returns a
//! cudaError_t as int: 0, or the first call that failed. The number of blocks is chosen from the current device and the tuning,
//! which is never NULL; src/gpu/runtime/tuning.rs has the table of what each kernel serves, anything else is
//! cudaErrorInvalidValue.

use std::ffi::{c_char, c_int, c_uint, c_void};

use super::launch::{launchers, layouts};

pub type Stream = *mut c_void;

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// of a block
    pub threads: c_int,
    /// that a thread holds at once; the unit is the kernel's
    pub values: c_int,
    /// L1 and shared memory: 0 the driver's choice, 1 prefer shared memory, 2 prefer L1, 3 equal
    pub cache: c_int,
}

/// What is played: on which board, with what outside it (0 the nearest edge cell, 1 dead cells, 2 the opposite edge), by which rule:
/// bit k of birth, and of survival, says whether k live neighbours make a dead cell live, and keep a live one so.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LifeGame {
    pub rows: usize,
    pub cols: usize,
    pub boundary: c_int,
    pub birth: c_uint,
    pub survival: c_uint,
}

/// What is counted: len samples of `channels` interleaved channels, len a multiple of it, the first one of channel 0. Without weights
/// a sample adds 1 to its bin, with them a pixel's weight, one for `channels` samples.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Samples {
    pub data: *const c_void,
    pub len: usize,
    /// 0 u8, 1 u16, 2 u32, 3 i32, 4 f32, 5 f64
    pub dtype: c_int,
    /// 1 to 4
    pub channels: c_int,
    /// len / channels of them, or NULL
    pub weights: *const c_void,
    /// 4 f32, 5 f64
    pub weights_dtype: c_int,
}

/// Into which of `count` bins a sample x falls, numbers compared as double: bin k is e(k) <= x < e(k + 1), the last k where edges are
/// equal. NaN falls into none.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bins {
    /// of a channel, 1 to 2^31
    pub count: usize,
    /// 0: e(k) = k; 1: e(k) = lo + k·width, each operation rounded, but e(count) = hi; 2: e(k) = edges\[k\]
    pub rule: c_int,
    /// x below e(0) or not below e(count) falls 0: into no bin; 1: into the first or the last one
    pub outliers: c_int,
    /// 1: x = e(count) falls into the last bin, whatever `outliers` says (rule 0 has none: 0)
    pub right_edge: c_int,
    /// width = (hi - lo) / count is at least 4 ulp of lo and of hi: an estimate of k errs by at most one
    pub lo: f64,
    pub hi: f64,
    pub width: f64,
    /// count + 1 of them, ascending, never NaN; where they are not, a sample falls into some bin or none
    pub edges: *const f64,
}

/// What a picture is: pixel (i, j), i = column, j = row, of 3 channels red, green, blue or 4, alpha behind them. Channel c is at
/// layout 0: (j·width + i)·channels + c; 1: (c·height + j)·width + i; 2: (c·width + i)·height + j.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub channels: c_int,
    pub layout: c_int,
}

/// What is read of a text, and which of its words are counted: those that begin in \[begin, end). text\[0\] is byte `offset` of the
/// whole. letters: 4352 entries, low half the block of class, high half that of fold of 256 codes; then the blocks of class, 8 words
/// of bits each; from `folds` on those of fold, 256 differences each. Without utf8 only ASCII has letters.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WordsText {
    pub text: *const u8,
    pub len: usize,
    pub begin: usize,
    pub end: usize,
    pub offset: u64,
    pub utf8: c_int,
    pub fold: c_int,
    pub letters: *const u32,
    pub folds: usize,
}

/// Words and their counts: 2^bits slots of 4 numbers (key, 0 is empty; count; ~first position; address of the bytes), aligned to 32.
/// state: slots used; words; giants; 1 once more than half of the slots are used, when all the others are void.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WordsTable {
    pub slots: *mut c_void,
    pub bits: c_uint,
    pub state: *mut u64,
}

/// Two sorted arrays of keys of `width` 4 or 8 bytes; dtype: a gpumex_dtype.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SortedArrays {
    pub a: *const c_void,
    pub a_count: usize,
    pub b: *const c_void,
    pub b_count: usize,
    pub width: c_int,
    pub dtype: c_int,
    pub descending: c_int,
}

/// Intervals of `count` elements in all, with indices of 4 or 8 bytes: scan\[j\] is where interval j begins among them. gather, scatter: where
/// in the input and the output; perhaps NULL.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intervals {
    pub count: usize,
    pub intervals: usize,
    pub index_width: c_int,
    pub gather: *const c_void,
    pub scatter: *const c_void,
    pub scan: *const c_void,
}

/// Two sorted arrays whose sets are joined (set_operation.cu), and where the result goes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sets {
    /// a_count of each
    pub a_keys: *const c_void,
    pub a_values: *const c_void,
    pub a_count: usize,
    /// b_count of each
    pub b_keys: *const c_void,
    pub b_values: *const c_void,
    pub b_count: usize,
    /// of the keys, a gpumex_dtype of 4 or 8 bytes
    pub dtype: c_int,
    /// 1: the order is descending
    pub descending: c_int,
    /// 0 intersection, 1 union, 2 difference, 3 symmetric difference
    pub op: c_int,
    /// 0 none, 1 values, 2 indices
    pub payload: c_int,
    /// 4 or 8: bytes of a value or an index
    pub width: c_int,
    /// (capacity), or NULL
    pub keys: *mut c_void,
    /// (capacity)
    pub values: *mut c_void,
    pub capacity: usize,
    /// (1)
    pub needed: *mut u64,
}

/// Two sorted arrays whose equal keys are joined (join.cu), and where the pairs of positions go.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joining {
    /// a_count
    pub a: *const c_void,
    pub a_count: usize,
    /// b_count
    pub b: *const c_void,
    pub b_count: usize,
    /// of the keys, a gpumex_dtype of 4 or 8 bytes
    pub dtype: c_int,
    /// 1: the order is descending
    pub descending: c_int,
    /// 1: a's without a partner are there, in their places
    pub keeps_a: c_int,
    /// 1: b's without a partner are there, behind all pairs
    pub keeps_b: c_int,
    /// 4 or 8: bytes of an index
    pub width: c_int,
    /// capacity of each
    pub a_indices: *mut c_void,
    pub b_indices: *mut c_void,
    pub capacity: usize,
    /// (1)
    pub needed: *mut u64,
}

/// What is multiplied, all row-major: C ← alpha·op(A)·op(B) + beta·C for each of `batch` products. op(A) is (m, k), op(B) (k, n), C
/// (m, n); where trans_a is 1 A is stored (k, m), where trans_b is 1 B is stored (n, k). From one row of a matrix as stored to the next
/// there are ld elements, at least as many as it has columns; from one matrix of a batch to the next `stride` elements, of A and B
/// perhaps 0; those of C lie apart. With beta = 0 C is not read; with alpha = 0 or k = 0 A and B are not. What lies between the rows of
/// C is neither read nor written. alpha and beta are rounded to the type of C.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Product {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub batch: usize,
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

/// Segments of an array: segment s has offsets\[s + 1\] - offsets\[s\] elements, which begin at offsets\[s\] or, where sources is not NULL, at
/// sources\[s\]. Offsets ascend, the last is at most count: what they say beyond is cut.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segments {
    /// segments + 1 of them
    pub offsets: *const c_void,
    /// one a segment, or NULL
    pub sources: *const c_void,
    pub segments: usize,
    pub count: usize,
    /// of both: 0 u64, 1 u32
    pub index_dtype: c_int,
    /// what gpumexk_segments_prepare found for the same segments on the same device, or NULL
    pub geometry: *const c_void,
}

/// What is reduced by runs of equal neighbouring keys, and where it goes: `capacity` runs at most.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Runs {
    /// count of each
    pub keys: *const c_void,
    pub data: *const c_void,
    pub count: usize,
    /// a gpumex_dtype of 4 or 8 bytes
    pub key_dtype: c_int,
    pub dtype: c_int,
    /// a gpumex_operator
    pub number: c_int,
    /// or NULL
    pub unique_keys: *mut c_void,
    /// or NULL; then data is not read
    pub results: *mut c_void,
    pub capacity: usize,
    /// how many runs there are
    pub needed: *mut u64,
}

/// What is sorted: `count` keys of a dtype (a gpumex_dtype of 4 or 8 bytes), stably; inputs stay, and overlap no output. With
/// values of 4 or 8 bytes each goes with its key; where `values` is NULL the positions of the keys are the values.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sorting {
    pub keys: *const c_void,
    /// may be NULL where there are values
    pub sorted: *mut c_void,
    pub values: *const c_void,
    /// NULL without values
    pub sorted_values: *mut c_void,
    pub count: usize,
    pub dtype: c_int,
    /// 1: the greatest key first
    pub descending: c_int,
    /// 0: no values; 4 or 8
    pub value_bytes: c_int,
    /// on the device: nothing is sorted when it is not 0; NULL: always
    pub unless: *const c_int,
}

/// The nonzeros of a sparse matrix, whose rows are segments of them, and the vector it is multiplied with.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factors {
    /// or NULL: a product is x alone
    pub values: *const c_void,
    /// of the rows' index_dtype; from cols on they add nothing
    pub columns: *const c_void,
    /// cols elements
    pub x: *const c_void,
    pub cols: usize,
    /// of values, x and y: a gpumex_dtype of 4 or 8 bytes
    pub dtype: c_int,
    /// each a gpumex_operator
    pub add: c_int,
    pub multiply: c_int,
}

/// What is merged: ascending runs of keys of a gpumex_dtype, with values of value_bytes (0: none, 4, 8) beside them, or with their
/// positions in a and then b in the place of values. Of equal keys those of a come first.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// a_count + b_count of each
    pub keys: *mut c_void,
    pub values: *mut c_void,
}

/// What is sorted by merging: as above. The results lie apart from what is read.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// Where segments begin. flags 0: `count` ascending positions of index_bytes (4 or 8) each; 1: count words of 32 bits, bit i % 32 of
/// word i / 32 set where element i begins one. The first element always does. What does not fit gives some order, nothing worse.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentHeads {
    pub heads: *const c_void,
    pub count: usize,
    pub flags: c_int,
    pub index_bytes: c_int,
}

pub const LIFE_SHMEM_STEPS: usize = 16;

pub const LIFE_STRIP_COLS: usize = 240;

pub const LIFE_STRIP_STEPS: usize = 8;

pub const LIFE_TILE_ROWS_MIN: usize = 48;

pub const HISTOGRAM_SMALL_MAX: usize = 65536;

/// what 64 KB of constant memory hold
pub const RAYTRACE_CONSTANT_SPHERES: usize = 2340;

pub const DOT_PARTIALS: usize = 1024;

pub const WORDS_RANKS: usize = 2048;

pub const REDUCE_PARTIALS: usize = 2048;

pub const SEGMENTS_SCRATCH: usize = 32768;

layouts! {
    Tuning, 12: threads 0, values 4, cache 8;
    LifeGame, 32: rows 0, cols 8, boundary 16, birth 20, survival 24;
    Samples, 40: data 0, len 8, dtype 16, channels 20, weights 24, weights_dtype 32;
    Bins, 56: count 0, rule 8, outliers 12, right_edge 16, lo 24, hi 32, width 40, edges 48;
    Picture, 24: width 0, height 8, channels 16, layout 20;
    WordsText, 64: text 0, len 8, begin 16, end 24, offset 32, utf8 40, fold 44, letters 48, folds 56;
    WordsTable, 24: slots 0, bits 8, state 16;
    SortedArrays, 48: a 0, a_count 8, b 16, b_count 24, width 32, dtype 36, descending 40;
    Intervals, 48: count 0, intervals 8, index_width 16, gather 24, scatter 32, scan 40;
    Sets, 104: a_keys 0, a_values 8, a_count 16, b_keys 24, b_values 32, b_count 40, dtype 48, descending 52, op 56, payload 60, width 64, keys 72, values 80, capacity 88, needed 96;
    Joining, 88: a 0, a_count 8, b 16, b_count 24, dtype 32, descending 36, keeps_a 40, keeps_b 44, width 48, a_indices 56, b_indices 64, capacity 72, needed 80;
    Product, 128: m 0, n 8, k 16, batch 24, trans_a 32, trans_b 36, a 40, b 48, c 56, lda 64, ldb 72, ldc 80, stride_a 88, stride_b 96, stride_c 104, alpha 112, beta 120;
    Segments, 48: offsets 0, sources 8, segments 16, count 24, index_dtype 32, geometry 40;
    Runs, 72: keys 0, data 8, count 16, key_dtype 24, dtype 28, number 32, unique_keys 40, results 48, capacity 56, needed 64;
    Sorting, 64: keys 0, sorted 8, values 16, sorted_values 24, count 32, dtype 40, descending 44, value_bytes 48, unless 56;
    Factors, 48: values 0, columns 8, x 16, cols 24, dtype 32, add 36, multiply 40;
    Merging, 80: a_keys 0, a_values 8, a_count 16, b_keys 24, b_values 32, b_count 40, dtype 48, descending 52, value_bytes 56, positions 60, keys 64, values 72;
    MergeSorting, 56: keys 0, values 8, count 16, dtype 24, descending 28, value_bytes 32, positions 36, sorted 40, sorted_values 48;
    SegmentHeads, 24: heads 0, count 8, flags 16, index_bytes 20;
}

launchers! {
    /// device.cu
    ///
    /// 0 when the current device can run this library's machine code
    fn gpumexk_device_ready() -> c_int;
    /// forgets the last error of this thread, so that the next launcher does not see it
    fn gpumexk_clear_error() -> ();
    /// static text of a cudaError_t
    fn gpumexk_error_string(error: c_int) -> *const c_char;
    /// life_bytes.cu — `generations` steps of Conway's Life, clamped edges. front (rows·cols bytes, any value ≠ 0 is alive) holds the
    /// board; both buffers are overwritten. The result, cells 0 or 1, is in front when generations is even, else in back.
    ///
    /// neighbours: rows·cols bytes of scratch
    fn gpumexk_life_arrays(front: *mut u8, back: *mut u8, neighbours: *mut u8, rows: usize, cols: usize, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_life_shmem_bytes(front: *mut u8, back: *mut u8, rows: usize, cols: usize, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// both buffers aligned to 512 bytes
    fn gpumexk_life_texture_bytes(front: *mut u8, back: *mut u8, rows: usize, cols: usize, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// life_cluster.cu — Life on a small board, all generations in one launch. *fits ← 1 when the current device holds such a board, else 0.
    fn gpumexk_life_cluster_fits(rows: usize, cols: usize, fits: *mut c_int) -> c_int;
    /// next ← board after `generations`. bits: 0 bytes, any value ≠ 0 is alive, the result 0 and 1; 1 packed, each row padded to whole
    /// 64-bit words, bit b of word w is column 64·w + b, padding ignored in board and 0 in next. next may be board. Either may be mapped
    /// memory of the host: each cell is read once and written once. tuning: at most 128, 256 or 512 threads a block.
    fn gpumexk_life_cluster(board: *const c_void, next: *mut c_void, bits: c_int, game: *const LifeGame, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// life_pack.cu — boards of bits: each row padded to whole 64-bit words, bit b of word w is column 64·w + b. bits ← cells, where
    /// any byte ≠ 0 is alive and padding is 0; cells ← bits as 0 or 1, padding ignored. cells (rows, cols).
    fn gpumexk_life_pack(cells: *const u8, rows: usize, cols: usize, bits: *mut u64, stream: Stream) -> c_int;
    fn gpumexk_life_unpack(bits: *const u64, rows: usize, cols: usize, cells: *mut u8, stream: Stream) -> c_int;
    /// life_shmem.cu — `generations` steps of the game on boards of bits, GPUMEXK_LIFE_SHMEM_STEPS a launch. front holds the board,
    /// both buffers have rows × ceil(cols / 64) words. The result, its padding 0, is in front when the number of launches is even,
    /// else in back; with one launch front is only read, with none it stays as it is.
    fn gpumexk_life_shmem(front: *mut u64, back: *mut u64, game: *const LifeGame, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// life_strips.cu — a board of bits as strips of 240 columns (prim/life/strips.cuh), and back: rows · strips · 8 words of 32 bits,
    /// strips = ceil(cols / GPUMEXK_LIFE_STRIP_COLS), aligned to 512 bytes.
    fn gpumexk_life_to_strips(bits: *const u64, game: *const LifeGame, strips: *mut u32, stream: Stream) -> c_int;
    fn gpumexk_life_from_strips(strips: *const u32, game: *const LifeGame, bits: *mut u64, stream: Stream) -> c_int;
    /// life_registers.cu, life_texture.cu — Life on strips, GPUMEXK_LIFE_STRIP_STEPS generations a step. The board is in front; the result
    /// is there when the number of steps is even, else in back. scratch: 1 + ceil(rows / GPUMEXK_LIFE_TILE_ROWS_MIN) · strips words.
    fn gpumexk_life_registers(front: *mut u32, back: *mut u32, scratch: *mut c_uint, game: *const LifeGame, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// waits for the stream
    fn gpumexk_life_texture(front: *mut u32, back: *mut u32, game: *const LifeGame, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// matmul.cu — the product by the two textbook kernels.
    fn gpumexk_matmul_naive_f32(product: *const Product, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_matmul_naive_f64(product: *const Product, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_matmul_blocked_f32(product: *const Product, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_matmul_blocked_f64(product: *const Product, tuning: *const Tuning, stream: Stream) -> c_int;
    /// matmul_tiled.cu — the product by register tiles, strictly IEEE: one fused multiply-add for each of the mnk. Where only_if, a word of the
    /// device, is given and holds 0, C stays as it is. tuning: 256 threads; at most 16, 32, 64 or 128 sums a thread.
    fn gpumexk_matmul_tiled_f32(product: *const Product, only_if: *const c_uint, tuning: *const Tuning, stream: Stream) -> c_int;
    /// matmul_f64.cu — the same in double, on tensor cores where there are some for it. tuning: 256 threads; at most 32 sums a thread,
    /// or 64: any tile.
    fn gpumexk_matmul_tiled_f64(product: *const Product, tuning: *const Tuning, stream: Stream) -> c_int;
    /// matmul_skinny.cu — the same, strictly IEEE, for products with at most 16 rows or columns of C, and for others with few tiles of C
    /// and a long k, which it splits. scratch has the bytes that …_scratch says, perhaps 0, for either type and every tuning, and starts
    /// at a multiple of 16. tuning: 256 threads; 1, 2 or 4 blocks a multiprocessor are aimed at.
    fn gpumexk_matmul_skinny_scratch(product: *const Product, bytes: *mut usize) -> c_int;
    fn gpumexk_matmul_skinny_f32(product: *const Product, scratch: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_matmul_skinny_f64(product: *const Product, scratch: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// matmul_tensor.cu — the product of float32 on tensor cores; cudaErrorNotSupported where code or device are older than compute
    /// capability 8.0. scratch has the bytes that …_scratch says for the product and starts at a multiple of 128. tuning: threads 0,
    /// values 0 the launcher chooses by the size; 256 one launch, values blocks share k (1; from 9.0 on also 2, 4, 8; 0 chosen); 384, on
    /// 9.0 alone, a pass and tiles of values columns (64, 128, tf32 also 256; 0 chosen).
    /// tensor: at float32's accuracy. Where *flagged becomes 1 the first word of the scratch becomes 0, or, where the operands hold what the
    /// split cannot represent, 1: then C is untouched, and the caller has it computed in another way, all of the batch.
    /// tf32: operands rounded to nearest TF32, sums in the tensor core.
    fn gpumexk_matmul_tensor_scratch(product: *const Product, bytes: *mut usize) -> c_int;
    fn gpumexk_matmul_tensor_f32(product: *const Product, scratch: *mut c_void, flagged: *mut c_int, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_matmul_tf32_scratch(product: *const Product, bytes: *mut usize) -> c_int;
    fn gpumexk_matmul_tf32_f32(product: *const Product, scratch: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// histogram.cu — counts\[v\] ← counts\[v\] + how many of the len bytes equal v (256 counters), so that data may come in pieces.
    ///
    /// count counters of 8 bytes ← zeros
    fn gpumexk_histogram_clear(counts: *mut c_void, count: usize, stream: Stream) -> c_int;
    fn gpumexk_histogram_global(data: *const u8, len: usize, counts: *mut u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_histogram_strided(data: *const u8, len: usize, counts: *mut u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_histogram_shared(data: *const u8, len: usize, counts: *mut u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// counts ← how many of at most GPUMEXK_HISTOGRAM_SMALL_MAX bytes equal v, overwritten; both may be mapped memory of the host.
    fn gpumexk_histogram_small(data: *const u8, len: usize, counts: *mut u64, stream: Stream) -> c_int;
    /// histogram_bytes.cu — counts (channels, 256) ← counts + how many of the len bytes equal each value, of each of 1 to 4 interleaved
    /// channels; len is a multiple of channels.
    fn gpumexk_histogram_bytes(data: *const u8, len: usize, channels: c_int, counts: *mut u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// histogram_bins.cu — counts (channels, bins), uint64_t, or double with weights, ← counts + those of the samples.
    fn gpumexk_histogram_bins(samples: *const Samples, bins: *const Bins, counts: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// counts (channels, bins) ← counts + those of samples of which `values` (channels, 256 of u8, or 65536 of u16) says how many have
    /// each value: bytes and 16-bit numbers are counted by value first.
    fn gpumexk_histogram_fold(values: *const u64, dtype: c_int, channels: c_int, bins: *const Bins, counts: *mut u64, stream: Stream) -> c_int;
    /// raytrace.cu — orthographic ray cast of count spheres, 7 floats each (formula in prim/raytrace/formula.cuh). image may start at any
    /// byte.
    fn gpumexk_raytrace_global(spheres: *const f32, count: usize, picture: *const Picture, image: *mut u8, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_raytrace_read_only(spheres: *const f32, count: usize, picture: *const Picture, image: *mut u8, tuning: *const Tuning, stream: Stream) -> c_int;
    /// depth: width·height floats of scratch, used when count is above GPUMEXK_RAYTRACE_CONSTANT_SPHERES, else may be NULL.
    /// The constant bank is one per device: the caller keeps a second call away until this one's stream has drained.
    fn gpumexk_raytrace_constant(spheres: *const f32, count: usize, picture: *const Picture, depth: *mut f32, image: *mut u8, tuning: *const Tuning, stream: Stream) -> c_int;
    /// raytrace_binned.cu — the same picture, from the spheres that a tile may show. scratch starts at a multiple of 16 and has the bytes
    /// that gpumexk_raytrace_binned_scratch says for count and the picture; more spheres, or a larger picture, than 32-bit numbers of
    /// entries and cells can name are 0 in *is_served.
    fn gpumexk_raytrace_binned_scratch(count: usize, picture: *const Picture, bytes: *mut usize, is_served: *mut c_int) -> c_int;
    fn gpumexk_raytrace_binned(spheres: *const f32, count: usize, picture: *const Picture, scratch: *mut c_void, image: *mut u8, tuning: *const Tuning, stream: Stream) -> c_int;
    /// fill.cu — array\[i\] ← pattern, or first + i·step. width is 1, 2, 4 or 8 bytes; the low bytes of pattern, first and step count,
    /// and integers wrap. Floating elements are computed in double and rounded to the element.
    fn gpumexk_fill(array: *mut c_void, count: usize, width: usize, pattern: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_fill_ascending_int(array: *mut c_void, count: usize, width: usize, first: u64, step: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_fill_ascending_f32(array: *mut f32, count: usize, first: f64, step: f64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_fill_ascending_f64(array: *mut f64, count: usize, first: f64, step: f64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// random.cu — uniform numbers from Philox4x32-10 under `seed`, an element's own 64-bit key or, where keys is not NULL, keys\[i\].
    /// Integers of width 1, 2, 4 or 8 bytes in \[lo, lo + range\], floating numbers in \[lo, hi); hi > lo and hi - lo is finite.
    fn gpumexk_random_keys(keys: *mut u64, count: usize, seed: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_random_int(array: *mut c_void, count: usize, width: usize, seed: u64, keys: *const u64, lo: u64, range: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_random_f32(array: *mut f32, count: usize, seed: u64, keys: *const u64, lo: f32, hi: f32, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_random_f64(array: *mut f64, count: usize, seed: u64, keys: *const u64, lo: f64, hi: f64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// sort.cu — sorted, and sorted_values, as gpumexk_sorting says. scratch is aligned to 256 and has the bytes that
    /// gpumexk_sort_scratch says for the same `what`, perhaps none.
    fn gpumexk_sort_scratch(what: *const Sorting, bytes: *mut usize) -> c_int;
    fn gpumexk_sort(what: *const Sorting, scratch: *mut c_void, stream: Stream) -> c_int;
    /// sorted_search.cu — where the elements of a lie in b (lower bounds, or `upper` ones), and those of b in a; outputs may be NULL.
    /// matches: two.
    fn gpumexk_sorted_search(arrays: *const SortedArrays, upper: c_int, index_width: c_int, a_indices: *mut c_void, b_indices: *mut c_void, a_flags: *mut u8, b_flags: *mut u8, matches: *mut u64, stream: Stream) -> c_int;
    /// sorted_equality_count.cu — how many elements of b equal each of a, and their lower bounds, which may be NULL.
    fn gpumexk_sorted_equality_count(arrays: *const SortedArrays, index_width: c_int, counts: *mut c_void, lower: *mut c_void, stream: Stream) -> c_int;
    /// load_balance_search.cu, interval_expand.cu, interval_move.cu, bulk_remove.cu, bulk_insert.cu — elements of `width`, indices of
    /// `index_width` bytes, 4 or 8; at least one object, or interval, where count > 0.
    fn gpumexk_load_balance_search(count: usize, scan: *const c_void, objects: usize, index_width: c_int, indices: *mut c_void, stream: Stream) -> c_int;
    fn gpumexk_interval_expand(count: usize, scan: *const c_void, intervals: usize, index_width: c_int, values: *const c_void, width: c_int, output: *mut c_void, stream: Stream) -> c_int;
    fn gpumexk_interval_move(intervals: *const Intervals, input: *const c_void, input_count: usize, width: c_int, output: *mut c_void, output_count: usize, stream: Stream) -> c_int;
    fn gpumexk_bulk_remove(source: *const c_void, count: usize, width: c_int, indices: *const c_void, index_count: usize, index_width: c_int, result: *mut c_void, stream: Stream) -> c_int;
    fn gpumexk_bulk_insert(a: *const c_void, indices: *const c_void, a_count: usize, b: *const c_void, b_count: usize, width: c_int, index_width: c_int, result: *mut c_void, stream: Stream) -> c_int;
    /// merge.cu — keys, values ← those of a and b.
    fn gpumexk_merge(merging: *const Merging, stream: Stream) -> c_int;
    /// locality_sort.cu — sorted, sorted_values ← the keys in order, equal ones as they stood, and what moves with them. scratch starts
    /// at a multiple of 256 and has the bytes that gpumexk_locality_sort_scratch says, which looks at sizes alone.
    fn gpumexk_locality_sort_scratch(sorting: *const MergeSorting, bytes: *mut usize) -> c_int;
    fn gpumexk_locality_sort(sorting: *const MergeSorting, scratch: *mut c_void, stream: Stream) -> c_int;
    /// segmented_sort.cu — the same for each segment by itself.
    fn gpumexk_segmented_sort_scratch(sorting: *const MergeSorting, bytes: *mut usize) -> c_int;
    fn gpumexk_segmented_sort(sorting: *const MergeSorting, segments: *const SegmentHeads, scratch: *mut c_void, stream: Stream) -> c_int;
    /// add.cu — y ← x + y; x may be y.
    fn gpumexk_add_f32(x: *const f32, y: *mut f32, count: usize, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_add_f64(x: *const f64, y: *mut f64, count: usize, tuning: *const Tuning, stream: Stream) -> c_int;
    /// dot.cu — *result ← Σ x\[i\]·y\[i\], 0 for count = 0. partials: GPUMEXK_DOT_PARTIALS elements of scratch.
    fn gpumexk_dot_atomic_f32(x: *const f32, y: *const f32, count: usize, result: *mut f32, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_dot_atomic_f64(x: *const f64, y: *const f64, count: usize, result: *mut f64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_dot_two_pass_f32(x: *const f32, y: *const f32, count: usize, partials: *mut f32, result: *mut f32, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_dot_two_pass_f64(x: *const f64, y: *const f64, count: usize, partials: *mut f64, result: *mut f64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// words.cu — table ← table + the words of a text that begin in \[begin, end), but for giants, words of more than 4096 characters,
    /// which are only listed: giants has end/4096 + 1 elements. The addresses in the table stay those of the text.
    fn gpumexk_words_count(text: *const WordsText, table: *const WordsTable, giants: *mut u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// words_table.cu — table ← no words.
    fn gpumexk_words_clear(table: *const WordsTable, stream: Stream) -> c_int;
    /// missing ← how many words of `from` are not in `to`; the bytes that copies of the longer ones take.
    fn gpumexk_words_missing(text: *const WordsText, from: *const WordsTable, to: *const WordsTable, missing: *mut u64, stream: Stream) -> c_int;
    /// to ← to + from. Addresses of new words become those of their copies; with copies NULL they stay. *used ← bytes of copies.
    fn gpumexk_words_merge(text: *const WordsText, from: *const WordsTable, to: *const WordsTable, copies: *mut u8, used: *mut u64, stream: Stream) -> c_int;
    /// ranks (GPUMEXK_WORDS_RANKS) ← how many words have a value in \[low + r·2^shift, low + (r + 1)·2^shift): `most` - count; for
    /// count ≠ 0 the first position, of the words with this count alone.
    fn gpumexk_words_rank(table: *const WordsTable, most: u64, count: u64, low: u64, shift: c_uint, ranks: *mut u64, stream: Stream) -> c_int;
    /// picked (most, 2) ← first position and count of the words that occur more often than `count`, and of those that occur as often
    /// and begin up to `position`; *number ← how many they are.
    fn gpumexk_words_pick(table: *const WordsTable, count: u64, position: u64, most: u64, picked: *mut u64, number: *mut u64, stream: Stream) -> c_int;
    /// lengths (count) ← bytes of the words at positions (count) of the text.
    fn gpumexk_words_lengths(text: *const WordsText, positions: *const u64, count: usize, lengths: *mut u64, stream: Stream) -> c_int;
    /// reduce.cu — *result ← what the operator (a gpumex_operator; of floats the first four) makes of the elements of a dtype (a gpumex_dtype
    /// of 4 or 8 bytes), its identity for count = 0. partials: GPUMEXK_REDUCE_PARTIALS elements of scratch, aligned to 16 bytes.
    fn gpumexk_reduce(data: *const c_void, count: usize, dtype: c_int, op: c_int, partials: *mut c_void, result: *mut c_void, stream: Stream) -> c_int;
    /// segments_prepare.cu — *elements ← how many numbers the geometry of so many segments and elements has on the current device, at least 1.
    /// geometry ← where the parts of a walk over these segments begin; their sources do not matter.
    fn gpumexk_segments_geometry(segments: usize, count: usize, elements: *mut usize) -> c_int;
    fn gpumexk_segments_prepare(segments: *const Segments, geometry: *mut u64, stream: Stream) -> c_int;
    /// segmented_reduce.cu — result (segments) ← the reduction of each segment of data (count) by gpumex_operator `number`. scratch:
    /// GPUMEXK_SEGMENTS_SCRATCH bytes, aligned to 16; also of spmv.
    fn gpumexk_segmented_reduce(segments: *const Segments, dtype: c_int, number: c_int, data: *const c_void, result: *mut c_void, scratch: *mut c_void, stream: Stream) -> c_int;
    /// reduce_by_key.cu — unique_keys, results, needed ← the runs of keys. scratch: as many bytes as …_scratch says, aligned to 16.
    fn gpumexk_reduce_by_key_scratch(count: usize, key_bytes: usize, data_bytes: usize, bytes: *mut usize) -> c_int;
    fn gpumexk_reduce_by_key(runs: *const Runs, scratch: *mut c_void, stream: Stream) -> c_int;
    /// spmv.cu — y (rows) ← the matrix times x. scratch: GPUMEXK_SEGMENTS_SCRATCH bytes, aligned to 16.
    fn gpumexk_spmv(rows: *const Segments, factors: *const Factors, y: *mut c_void, scratch: *mut c_void, stream: Stream) -> c_int;
    /// scan.cu — result ← the prefixes of data (count) under the operator, as in reduce.cu, with (inclusive 1) or without (0) an element's
    /// own; *total ← what it makes of all elements, where total is not NULL. result may be data. scratch has the bytes that …_scratch says,
    /// perhaps 0, and starts at a multiple of 16.
    fn gpumexk_scan_scratch(count: usize, dtype: c_int, bytes: *mut usize) -> c_int;
    fn gpumexk_scan(data: *const c_void, count: usize, dtype: c_int, op: c_int, inclusive: c_int, scratch: *mut c_void, result: *mut c_void, total: *mut c_void, stream: Stream) -> c_int;
    /// set_operation.cu — the first `capacity` elements of the result, and *needed ← how long it is.
    fn gpumexk_set_operation_scratch(job: *const Sets, bytes: *mut usize) -> c_int;
    fn gpumexk_set_operation(job: *const Sets, scratch: *mut c_void, stream: Stream) -> c_int;
    /// join.cu — the first `capacity` pairs, and *needed ← how many there are.
    fn gpumexk_join_scratch(job: *const Joining, bytes: *mut usize) -> c_int;
    fn gpumexk_join(job: *const Joining, scratch: *mut c_void, stream: Stream) -> c_int;
    /// check_sorted.cu — *position ← the first i ≥ 1 for which keys\[i\] comes before keys\[i - 1\], or with `strict` is equal to it, else
    /// 2^64 - 1.
    fn gpumexk_check_sorted(keys: *const c_void, count: usize, dtype: c_int, descending: c_int, strict: c_int, position: *mut u64, stream: Stream) -> c_int;
    /// compact.cu — kept ← the elements of data (count) of width 4 or 8 whose flags are not 0, positions ← where they stand, of
    /// position_width 4 or 8, at most capacity of both; *needed ← how many there are. kept and positions may be NULL, data where kept is.
    /// scratch has the bytes that …_scratch says, perhaps 0, and starts at a multiple of 16.
    fn gpumexk_compact_scratch(count: usize, width: usize, bytes: *mut usize) -> c_int;
    fn gpumexk_compact(data: *const c_void, width: usize, flags: *const u8, count: usize, scratch: *mut c_void, kept: *mut c_void, positions: *mut c_void, position_width: usize, capacity: usize, needed: *mut u64, stream: Stream) -> c_int;
}
