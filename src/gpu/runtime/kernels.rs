//! Written from kernels/kernels.h by `make abi`; a test compares. Without kernels the launchers are stubs (launch.rs).
//!
//! kernels.h — every launcher of the CUDA side, on one page. `make abi` writes its declarations for Rust, src/gpu/runtime/kernels.rs.
//!
//! All pointers are device memory of the current context, aligned to their elements; all sizes are checked by the caller,
//! nothing here allocates device memory. A launcher enqueues on `stream` (life_texture waits for it as well) and returns a
//! cudaError_t as int: 0, or the first call that failed. The number of blocks is chosen from the current device and the tuning,
//! which is never NULL; src/gpu/runtime/tuning/table.rs says what each kernel serves, anything else is
//! cudaErrorInvalidValue.

use std::ffi::{c_char, c_int, c_uint, c_void};

use super::launch::{launchers, layouts};

pub type Stream = *mut c_void;

/// How a kernel is launched.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// of a block; 0: by the types, or the size, of what is computed
    pub threads: c_int,
    /// that a thread holds at once, or blocks of a multiprocessor: the unit is the kernel's
    pub values: c_int,
    /// L1 and shared memory: 0 the driver's choice, 1 prefer shared memory, 2 prefer L1, 3 equal
    pub cache: c_int,
}

/// A game of Life: its board and its rule.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LifeGame {
    pub rows: usize,
    pub cols: usize,
    /// outside the board: 0 the nearest edge cell, 1 dead cells, 2 the opposite edge (torus)
    pub boundary: c_int,
    /// bit k: a cell with k live neighbours is born, stays alive
    pub birth: c_uint,
    pub survival: c_uint,
}

/// Samples of a histogram: len of them, of `channels` interleaved channels, len a multiple of it, the first one of channel 0. Without
/// weights a sample adds 1 to its bin, with them its pixel's weight: one for `channels` samples.
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

/// Bins of a histogram: a sample x, compared as double, falls into bin k with e(k) <= x < e(k + 1), the last such k where edges are
/// equal; NaN into none.
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
    /// width = (hi - lo) / count is at least 4 ulp of lo and of hi: an estimated k is wrong by at most one
    pub lo: f64,
    pub hi: f64,
    pub width: f64,
    /// count + 1 of them, ascending, never NaN; where they are not, a sample falls into some bin or none
    pub edges: *const f64,
}

/// The form of a picture of bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// 3: red, green, blue; 4: and alpha
    pub channels: c_int,
    /// channel c of column i, row j is at 0: (j·width + i)·channels + c; 1: (c·height + j)·width + i;
    /// 2: (c·width + i)·height + j
    pub layout: c_int,
}

/// A part of a text, and which of its words are counted. letters, a table of two stages: 4352 entries, for 256 characters each, whose
/// low half is the block of their classes, the high half that of their case folds; then the blocks of classes, 8 words of bits each;
/// from `folds` on the blocks of folds, 256 differences each.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WordsText {
    pub text: *const u8,
    pub len: usize,
    /// words that begin in \[begin, end) are counted
    pub begin: usize,
    pub end: usize,
    /// of text\[0\] in the whole text
    pub offset: u64,
    /// 0: only ASCII has letters
    pub utf8: c_int,
    /// 1: letters that differ by case alone are equal
    pub fold: c_int,
    pub letters: *const u32,
    pub folds: usize,
}

/// A hash table of words and their counts.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WordsTable {
    /// (2^bits, 4), aligned to 32: key, 0 where the slot is empty; count; ~first position; address of the bytes
    pub slots: *mut c_void,
    pub bits: c_uint,
    /// (4) slots used; words; long words; 1 once more than half of the slots are used: all else is then invalid
    pub state: *mut u64,
}

/// Two sorted arrays of keys.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SortedArrays {
    pub a: *const c_void,
    pub a_count: usize,
    pub b: *const c_void,
    pub b_count: usize,
    /// 4 or 8
    pub key_bytes: c_int,
    /// a gpumex_dtype
    pub dtype: c_int,
    /// 1: the order is descending
    pub descending: c_int,
}

/// Intervals that are moved.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalMoveArgs {
    /// elements of all intervals
    pub count: usize,
    pub intervals: usize,
    /// 4 or 8
    pub index_bytes: c_int,
    /// (intervals) where each begins in the input, or NULL: at scan\[j\]
    pub gather: *const c_void,
    /// (intervals) where each begins in the output, or NULL: at scan\[j\]
    pub scatter: *const c_void,
    /// (intervals) where each begins among the count elements
    pub scan: *const c_void,
}

/// A set operation on two sorted arrays.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SetOperationArgs {
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
    /// 4 or 8: of a value or an index
    pub value_bytes: c_int,
    /// (capacity), or NULL
    pub keys: *mut c_void,
    /// (capacity)
    pub values: *mut c_void,
    pub capacity: usize,
    /// (1) the length of the result
    pub needed: *mut u64,
}

/// A join of two sorted arrays: pairs of positions of equal keys.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JoinArgs {
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
    /// 1: a's without a partner are there, in their places (left outer join)
    pub keeps_a: c_int,
    /// 1: b's without a partner are there, behind all pairs (right outer join)
    pub keeps_b: c_int,
    /// 4 or 8
    pub index_bytes: c_int,
    /// capacity of each
    pub a_indices: *mut c_void,
    pub b_indices: *mut c_void,
    pub capacity: usize,
    /// (1) the number of pairs
    pub needed: *mut u64,
}

/// Where the elements of two sorted arrays lie in one another; outputs may be NULL.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SortedSearchArgs {
    /// 1: places of a in b are upper bounds and those of b in a lower ones; 0: the other way round
    pub upper: c_int,
    /// 4 or 8
    pub index_bytes: c_int,
    /// (a_count), (b_count)
    pub a_indices: *mut c_void,
    pub b_indices: *mut c_void,
    /// (a_count), (b_count)
    pub a_flags: *mut u8,
    pub b_flags: *mut u8,
    /// (2)
    pub matches: *mut u64,
}

/// The elements whose flags are not 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompactArgs {
    /// (count), or NULL where kept is
    pub data: *const c_void,
    /// (count)
    pub flags: *const u8,
    pub count: usize,
    /// (capacity), or NULL
    pub kept: *mut c_void,
    /// (capacity), or NULL
    pub positions: *mut c_void,
    pub capacity: usize,
    /// (1) how many there are
    pub needed: *mut u64,
    /// 4 or 8: of an element
    pub value_bytes: c_int,
    /// 4 or 8
    pub position_bytes: c_int,
}

/// A dimension of a walk over a dense array and an indexed one: element i of the first is at i·dense; of the second at i·stride (places
/// 0), ((start + step·i) mod extent)·stride with start + step·i >= 0 (1), or (start + indices\[i\])·stride if that is below extent (2).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dimension {
    pub count: usize,
    pub stride: i64,
    pub dense: usize,
    pub start: i64,
    pub step: i64,
    pub extent: usize,
    /// (count), or NULL
    pub indices: *const c_void,
    /// U32, U64, I32, I64 or F64
    pub index_dtype: c_int,
    pub places: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// from the fastest of the dense array on
    pub dimensions: *const Dimension,
    /// 0 to 8, no count is 0
    pub rank: c_int,
    /// 1, 2, 4, 8 or 16
    pub value_bytes: c_int,
}

/// The prefixes of an array under an operator.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScanArgs {
    /// (count)
    pub data: *const c_void,
    pub count: usize,
    /// of 4 or 8 bytes
    pub dtype: c_int,
    /// a gpumex_operator but DEFAULT
    pub op: c_int,
    /// 1: with an element's own
    pub inclusive: c_int,
    /// (count), may be data
    pub result: *mut c_void,
    /// (1) what the operator makes of all elements, or NULL
    pub total: *mut c_void,
}

/// A reduction or a scan along a dimension of data (inner, count, outer), no extent 0, the first index fastest.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DimArgs {
    pub data: *const c_void,
    pub inner: usize,
    pub count: usize,
    pub outer: usize,
    /// a gpumex_dtype but F16 and BF16
    pub dtype: c_int,
    /// a gpumex_dim_reduction; of a scan SUM, PRODUCT, MIN or MAX
    pub op: c_int,
    /// one that the operation serves
    pub result_dtype: c_int,
    /// of an element of it
    pub result_bytes: c_int,
    /// 1: NaN is left out
    pub omits: c_int,
    /// 1: sums and products of integers saturate after each element; result_dtype holds every element
    pub saturates: c_int,
    /// 4 or 8
    pub position_bytes: c_int,
    /// of a scan, 1: with an element's own
    pub inclusive: c_int,
    /// of a scan, 1: from the last element to the first
    pub reversed: c_int,
    pub reserved: c_int,
    /// (inner, outer); of a scan (inner, count, outer), which may be data if it has its dtype
    pub result: *mut c_void,
    /// (inner, outer), or NULL
    pub positions: *mut c_void,
}

/// A step of an element-wise program; src/model/expression/program.rs says what the numbers are.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapStep {
    pub op: u8,
    pub ty: u8,
    pub operand: u8,
    pub reverse: u8,
    pub index: u16,
    pub other: u16,
}

/// An input of an element-wise program, or its result.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapArray {
    pub data: *const c_void,
    /// a real gpumex_dtype; of 8 bytes and U32 only in wide programs. Inputs that are the real or
    /// the imaginary part of a C64 or C128 have 14, 15, 16, 17; data is the first number
    pub dtype: c_int,
    /// in elements, not negative; 0: the same element along that dimension
    pub strides: [i64; 8],
}

/// An element-wise program and its arrays.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapArgs {
    /// at most 160; operands lie within the arrays below
    pub steps: *const MapStep,
    pub step_count: usize,
    /// at most 64; a 32-bit type in the low half
    pub literals: *const u64,
    pub literal_count: usize,
    /// at most 16
    pub inputs: *const MapArray,
    pub input_count: usize,
    /// at most 8
    pub slots: c_int,
    /// 1: a step's type has 64 bits
    pub wide: c_int,
    /// 1: a step is a function of the mathematical library, or rem or mod of floats
    pub elementary: c_int,
    /// 1 to 8
    pub rank: c_int,
    /// of all arrays
    pub extents: [usize; 8],
    /// each element has a place of its own, none in an input
    pub result: *const MapArray,
    /// -1; or result is complex, its dtype that of a part, and this slot has the real parts at the end
    pub real_slot: c_int,
    pub reserved: c_int,
}

/// An associative expression of two variables, the inputs 0 and 1 of its program, whose elements lie densely.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Functor {
    /// at most 160; begins with a move
    pub steps: *const MapStep,
    pub step_count: usize,
    /// at most 64; a 32-bit type in the low half
    pub literals: *const u64,
    pub literal_count: usize,
    /// at most 8
    pub slots: c_int,
    /// 1: a step's type has 64 bits
    pub wide: c_int,
    /// 1: a step is a function of the mathematical library, or rem or mod of floats
    pub elementary: c_int,
    /// of an element, 4 or 8; integers of 4 are I32, and in wide programs U32 as well
    pub bytes: c_int,
}

/// Segments of the elements that an expression joins.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FunctorSegments {
    /// segments + 1 of them
    pub offsets: *const c_void,
    /// segments of them, or NULL
    pub sources: *const c_void,
    /// on the device: segments from *limit on are left alone; or NULL
    pub limit: *const u64,
    pub segments: usize,
    pub count: usize,
    /// of offsets and sources, 4 or 8
    pub index_bytes: c_int,
    /// of an element, 4 or 8
    pub bytes: c_int,
}

/// Keys that are looked for among others, which are sorted by an expression, and what is made of where they are; NULL where it is not wanted.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FunctorSearch {
    pub keys: *const c_void,
    pub others: *const c_void,
    pub count: usize,
    pub other_count: usize,
    /// count of them
    pub indices: *mut c_void,
    /// count of them: 1 where another one is equal
    pub flags: *mut u8,
    /// 1: how many flags are
    pub matches: *mut u64,
    /// count + other_count keys, of which each goes behind those that its index counts
    pub merged: *mut c_void,
    /// count of them; NULL: first_position and the numbers behind it
    pub values: *const c_void,
    /// as merged
    pub merged_values: *mut c_void,
    pub first_position: usize,
    /// 0: an index counts those that precede the key; 1: those that it does not precede
    pub upper: c_int,
    pub index_bytes: c_int,
    pub value_bytes: c_int,
    pub reserved: c_int,
}

/// An input of an expression of neighbours, at an offset from the place of the result.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StencilTap {
    /// rows and cols from -7 to 7
    pub input: c_int,
    pub rows: c_int,
    pub cols: c_int,
}

/// An input of an expression of neighbours, dense.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StencilArray {
    pub data: *const c_void,
    /// what lies outside it, as a literal of the type in which it is computed
    pub outside: u64,
    /// a gpumex_dtype; of 8 bytes and U32 only in wide programs, in bytes BOOL and U8
    pub dtype: c_int,
    pub reserved: c_int,
}

/// An expression of neighbours and its arrays (rows, cols), row-major.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StencilArgs {
    /// at most 160; an operand that is an input is the number of a tap
    pub steps: *const MapStep,
    pub step_count: usize,
    /// at most 64; a 32-bit type in the low half
    pub literals: *const u64,
    pub literal_count: usize,
    pub taps: *const StencilTap,
    pub tap_count: usize,
    /// at most 16
    pub inputs: *const StencilArray,
    pub input_count: usize,
    /// at most 8
    pub slots: c_int,
    /// 1: a step's type has 64 bits
    pub wide: c_int,
    /// 1: a step is a function of the mathematical library, or rem or mod of floats
    pub elementary: c_int,
    /// a gpumex_boundary
    pub boundary: c_int,
    pub rows: usize,
    pub cols: usize,
    /// overlaps no input
    pub result: *mut c_void,
    /// of the result, as those of the inputs; of a program in bytes any
    pub dtype: c_int,
    pub reserved: c_int,
}

/// Windows of an array (rows, cols), row-major, one for each element of a result (result_rows, result_cols): that of (y, x) begins at
/// (y + first_row, x + first_col) and is not empty.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Windows {
    pub data: *const c_void,
    /// not 0
    pub rows: usize,
    pub cols: usize,
    pub result_rows: usize,
    pub result_cols: usize,
    pub window_rows: usize,
    pub window_cols: usize,
    pub first_row: i64,
    pub first_col: i64,
    /// the bits of an element that lies outside, for GPUMEX_BOUNDARY_DEAD and CONSTANT
    pub outside: u64,
    /// a gpumex_dtype, not F16 or BF16
    pub dtype: c_int,
    /// a gpumex_boundary
    pub boundary: c_int,
}

/// A number of a vector's dtype: *at on the device, or where at is NULL `value`, which the dtype represents.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scalar {
    pub at: *const c_void,
    pub value: f64,
}

/// C ← alpha·op(A)·op(B) + beta·C for each of `batch` products; op(A) (m, k), op(B) (k, n), C (m, n), all row-major. With beta = 0 C is
/// not read; with alpha = 0 or k = 0 A and B are not. What lies between the rows of C is neither read nor written.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatmulArgs {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub batch: usize,
    /// 1: A is stored (k, m), B is stored (n, k)
    pub trans_a: c_int,
    pub trans_b: c_int,
    pub a: *const c_void,
    pub b: *const c_void,
    pub c: *mut c_void,
    /// leading dimensions: elements from one row as stored to the next, at least its columns
    pub lda: usize,
    pub ldb: usize,
    pub ldc: usize,
    /// elements from one matrix of a batch to the next; 0: the same A, or B, for all
    pub stride_a: usize,
    pub stride_b: usize,
    pub stride_c: usize,
    /// rounded to the type of C
    pub alpha: f64,
    pub beta: f64,
}

/// Segments of an array of `count` elements: segment s has offsets\[s + 1\] - offsets\[s\] elements.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segments {
    /// (segments + 1), ascending; cut at count
    pub offsets: *const c_void,
    /// (segments) where each segment begins, or NULL: at its offset
    pub sources: *const c_void,
    pub segments: usize,
    pub count: usize,
    /// of both: 0 u64, 1 u32
    pub index_dtype: c_int,
    /// from gpumexk_segments_prepare for the same segments on the same device, or NULL
    pub geometry: *const c_void,
}

/// A reduction of each run of equal neighbouring keys.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReduceByKeyArgs {
    /// (count)
    pub keys: *const c_void,
    pub data: *const c_void,
    pub count: usize,
    /// each a gpumex_dtype of 4 or 8 bytes
    pub key_dtype: c_int,
    pub dtype: c_int,
    /// a gpumex_operator
    pub op: c_int,
    /// of an offset: 4 or 8
    pub offset_bytes: c_int,
    /// (capacity), or NULL
    pub unique_keys: *mut c_void,
    /// (capacity), or NULL: data is then not read
    pub results: *mut c_void,
    /// (capacity + 1), or NULL; not written for capacity 0
    pub offsets: *mut c_void,
    pub capacity: usize,
    /// (1) the number of runs
    pub needed: *mut u64,
}

/// A stable sort of keys, with or without values. Inputs stay as they are and overlap no output.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SortArgs {
    /// (count)
    pub keys: *const c_void,
    /// (count); may be NULL if there are values
    pub sorted: *mut c_void,
    /// (count), or NULL: the values are the positions of the keys
    pub values: *const c_void,
    /// (count), NULL without values
    pub sorted_values: *mut c_void,
    pub count: usize,
    /// of the keys, a gpumex_dtype of 4 or 8 bytes
    pub dtype: c_int,
    /// 1: the greatest key first
    pub descending: c_int,
    /// 0: no values; 4 or 8
    pub value_bytes: c_int,
    /// (1) on the device: if it is not 0 nothing is sorted; or NULL
    pub unless: *const c_int,
}

/// The nonzeros of a sparse matrix, whose rows are segments of them (CSR), and the vector it is multiplied with.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpmvArgs {
    /// (nonzeros), or NULL: a product is x alone
    pub values: *const c_void,
    /// (nonzeros) of the rows' index_dtype; those from cols on add nothing
    pub columns: *const c_void,
    /// (cols)
    pub x: *const c_void,
    pub cols: usize,
    /// of values, x and y: a gpumex_dtype of 4 or 8 bytes
    pub dtype: c_int,
    /// each a gpumex_operator
    pub add: c_int,
    pub multiply: c_int,
}

/// A merge of two sorted arrays; of equal keys those of a come first.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MergeArgs {
    /// (a_count)
    pub a_keys: *const c_void,
    pub a_values: *const c_void,
    pub a_count: usize,
    /// (b_count)
    pub b_keys: *const c_void,
    pub b_values: *const c_void,
    pub b_count: usize,
    /// of the keys, a gpumex_dtype of 4 or 8 bytes
    pub dtype: c_int,
    /// 1: the order is descending
    pub descending: c_int,
    /// 0: no values; 4 or 8
    pub value_bytes: c_int,
    /// 1: the values are the positions of the keys in a, then b
    pub positions: c_int,
    /// (a_count + b_count)
    pub keys: *mut c_void,
    pub values: *mut c_void,
}

/// A stable merge sort of keys, with or without values. Inputs overlap no output.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MergeSortArgs {
    /// (count)
    pub keys: *const c_void,
    pub values: *const c_void,
    pub count: usize,
    /// of the keys, a gpumex_dtype of 4 or 8 bytes
    pub dtype: c_int,
    /// 1: the greatest key first
    pub descending: c_int,
    /// 0: no values; 4 or 8
    pub value_bytes: c_int,
    /// 1: the values are the positions of the keys
    pub positions: c_int,
    /// (count)
    pub sorted: *mut c_void,
    pub sorted_values: *mut c_void,
}

/// Where segments begin; the first element always begins one. Heads that are out of order give some order of the keys, nothing worse.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentHeads {
    /// (count)
    pub heads: *const c_void,
    pub count: usize,
    /// 0: heads are ascending positions; 1: words of 32 bits, of which bit i % 32 of word i / 32 is set if element i
    /// begins a segment
    pub flags: c_int,
    /// of a position, 4 or 8
    pub index_bytes: c_int,
}

/// A slab between those of other ranks.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LifeJoinedArgs {
    /// game->rows rows: a halo where there is a neighbour above, own rows, a halo where there is one below
    pub front: *mut u32,
    pub back: *mut u32,
    /// the counter, and behind it flags: (ceil(rows / GPUMEXK_LIFE_TILE_ROWS_MIN) + 2) · strips at most
    pub counter: *mut c_uint,
    /// of the halos, GPUMEXK_LIFE_JOINED_PACKETS words a strip, which neighbours write
    pub packets_above: *const u32,
    pub packets_below: *const u32,
    /// the packets of the neighbours' halos there; NULL where there is no neighbour
    pub to_above: *mut u32,
    pub to_below: *mut u32,
    /// 1: a step begins with the lowest tile. Of two neighbours one plays so, or waits at the end of each step
    pub upwards: c_int,
    /// memory of the host that all devices reach: not 0 ends the waits of all ranks, whose boards are undefined
    pub stop: *mut c_uint,
    /// ns that a halo is waited for; then *stop becomes 1
    pub patience: u64,
}

/// Elements of a rank that are joined with those of all others, which are devices that see each other.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AllreduceArgs {
    /// (pieces, count); not read where has is without this rank
    pub own: *const c_void,
    /// rows of own, which the operator joins before they cross: any number where count is 1, else 1
    pub pieces: usize,
    /// 1 or more, the same on all ranks
    pub count: usize,
    /// of each rank, on its device, aligned to 16 bytes: 4·ranks·GPUMEXK_ALLREDUCE_ELEMENTS words
    pub boxes: [*mut u64; 16],
    pub rank: c_int,
    pub ranks: c_int,
    /// by one more than in the launch before with these boxes, from 1 on; the boxes are 0 before the first one
    pub round: c_uint,
    /// bit r: rank r has elements
    pub has: c_uint,
    /// memory of the host that all devices reach: not 0 ends the waits of all ranks, whose results are undefined
    pub stop: *mut c_uint,
    /// ns that packets are waited for; then *stop becomes 1
    pub patience: u64,
}

/// dimensions of an element-wise expression's arrays
pub const MAP_RANK: usize = 8;

/// generations of a launch
pub const LIFE_SHMEM_STEPS: usize = 16;

/// columns of a strip
pub const LIFE_STRIP_COLS: usize = 240;

/// generations of a step on strips
pub const LIFE_STRIP_STEPS: usize = 8;

/// rows of the lowest tile of a strip
pub const LIFE_TILE_ROWS_MIN: usize = 48;

/// own rows of a rank
pub const LIFE_JOINED_ROWS_MIN: usize = 512;

/// words of packets for each strip of a halo
pub const LIFE_JOINED_PACKETS: usize = 256;

/// bytes that one block counts
pub const HISTOGRAM_SMALL_MAX: usize = 65536;

/// spheres in 64 KB of constant memory
pub const RAYTRACE_CONSTANT_SPHERES: usize = 2340;

/// ranks at most
pub const ALLREDUCE_RANKS: usize = 16;

/// elements of a rank at most
pub const ALLREDUCE_ELEMENTS: usize = 4096;

/// elements of scratch
pub const DOT_PARTIALS: usize = 1024;

/// bins that words are ranked into
pub const WORDS_RANKS: usize = 2048;

/// elements of scratch
pub const REDUCE_PARTIALS: usize = 2048;

/// bytes
pub const SEGMENTS_SCRATCH: usize = 32768;

layouts! {
    Tuning, 12: threads 0, values 4, cache 8;
    LifeGame, 32: rows 0, cols 8, boundary 16, birth 20, survival 24;
    Samples, 40: data 0, len 8, dtype 16, channels 20, weights 24, weights_dtype 32;
    Bins, 56: count 0, rule 8, outliers 12, right_edge 16, lo 24, hi 32, width 40, edges 48;
    Picture, 24: width 0, height 8, channels 16, layout 20;
    WordsText, 64: text 0, len 8, begin 16, end 24, offset 32, utf8 40, fold 44, letters 48, folds 56;
    WordsTable, 24: slots 0, bits 8, state 16;
    SortedArrays, 48: a 0, a_count 8, b 16, b_count 24, key_bytes 32, dtype 36, descending 40;
    IntervalMoveArgs, 48: count 0, intervals 8, index_bytes 16, gather 24, scatter 32, scan 40;
    SetOperationArgs, 104: a_keys 0, a_values 8, a_count 16, b_keys 24, b_values 32, b_count 40, dtype 48, descending 52, op 56, payload 60, value_bytes 64, keys 72, values 80, capacity 88, needed 96;
    JoinArgs, 88: a 0, a_count 8, b 16, b_count 24, dtype 32, descending 36, keeps_a 40, keeps_b 44, index_bytes 48, a_indices 56, b_indices 64, capacity 72, needed 80;
    SortedSearchArgs, 48: upper 0, index_bytes 4, a_indices 8, b_indices 16, a_flags 24, b_flags 32, matches 40;
    CompactArgs, 64: data 0, flags 8, count 16, kept 24, positions 32, capacity 40, needed 48, value_bytes 56, position_bytes 60;
    Dimension, 64: count 0, stride 8, dense 16, start 24, step 32, extent 40, indices 48, index_dtype 56, places 60;
    Walk, 16: dimensions 0, rank 8, value_bytes 12;
    ScanArgs, 48: data 0, count 8, dtype 16, op 20, inclusive 24, result 32, total 40;
    DimArgs, 88: data 0, inner 8, count 16, outer 24, dtype 32, op 36, result_dtype 40, result_bytes 44, omits 48, saturates 52, position_bytes 56, inclusive 60, reversed 64, reserved 68, result 72, positions 80;
    MapStep, 8: op 0, ty 1, operand 2, reverse 3, index 4, other 6;
    MapArray, 80: data 0, dtype 8, strides 16;
    MapArgs, 144: steps 0, step_count 8, literals 16, literal_count 24, inputs 32, input_count 40, slots 48, wide 52, elementary 56, rank 60, extents 64, result 128, real_slot 136, reserved 140;
    Functor, 48: steps 0, step_count 8, literals 16, literal_count 24, slots 32, wide 36, elementary 40, bytes 44;
    FunctorSegments, 48: offsets 0, sources 8, limit 16, segments 24, count 32, index_bytes 40, bytes 44;
    FunctorSearch, 104: keys 0, others 8, count 16, other_count 24, indices 32, flags 40, matches 48, merged 56, values 64, merged_values 72, first_position 80, upper 88, index_bytes 92, value_bytes 96, reserved 100;
    StencilTap, 12: input 0, rows 4, cols 8;
    StencilArray, 24: data 0, outside 8, dtype 16, reserved 20;
    StencilArgs, 112: steps 0, step_count 8, literals 16, literal_count 24, taps 32, tap_count 40, inputs 48, input_count 56, slots 64, wide 68, elementary 72, boundary 76, rows 80, cols 88, result 96, dtype 104, reserved 108;
    Windows, 88: data 0, rows 8, cols 16, result_rows 24, result_cols 32, window_rows 40, window_cols 48, first_row 56, first_col 64, outside 72, dtype 80, boundary 84;
    Scalar, 16: at 0, value 8;
    MatmulArgs, 128: m 0, n 8, k 16, batch 24, trans_a 32, trans_b 36, a 40, b 48, c 56, lda 64, ldb 72, ldc 80, stride_a 88, stride_b 96, stride_c 104, alpha 112, beta 120;
    Segments, 48: offsets 0, sources 8, segments 16, count 24, index_dtype 32, geometry 40;
    ReduceByKeyArgs, 80: keys 0, data 8, count 16, key_dtype 24, dtype 28, op 32, offset_bytes 36, unique_keys 40, results 48, offsets 56, capacity 64, needed 72;
    SortArgs, 64: keys 0, sorted 8, values 16, sorted_values 24, count 32, dtype 40, descending 44, value_bytes 48, unless 56;
    SpmvArgs, 48: values 0, columns 8, x 16, cols 24, dtype 32, add 36, multiply 40;
    MergeArgs, 80: a_keys 0, a_values 8, a_count 16, b_keys 24, b_values 32, b_count 40, dtype 48, descending 52, value_bytes 56, positions 60, keys 64, values 72;
    MergeSortArgs, 56: keys 0, values 8, count 16, dtype 24, descending 28, value_bytes 32, positions 36, sorted 40, sorted_values 48;
    SegmentHeads, 24: heads 0, count 8, flags 16, index_bytes 20;
    LifeJoinedArgs, 80: front 0, back 8, counter 16, packets_above 24, packets_below 32, to_above 40, to_below 48, upwards 56, stop 64, patience 72;
    AllreduceArgs, 184: own 0, pieces 8, count 16, boxes 24, rank 152, ranks 156, round 160, has 164, stop 168, patience 176;
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
    /// life/bytes.cu — `generations` steps of Conway's Life, clamped edges. front (rows·cols bytes, any value ≠ 0 is alive) holds the
    /// board; both buffers are overwritten. The result, cells 0 or 1, is in front when generations is even, else in back.
    ///
    /// neighbours: rows·cols bytes of scratch
    fn gpumexk_life_arrays(front: *mut u8, back: *mut u8, neighbours: *mut u8, rows: usize, cols: usize, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_life_shmem_bytes(front: *mut u8, back: *mut u8, rows: usize, cols: usize, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// both buffers aligned to 512 bytes
    fn gpumexk_life_texture_bytes(front: *mut u8, back: *mut u8, rows: usize, cols: usize, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// life/cluster.cu — Life on a small board, all generations in one launch. *fits ← 1 when the current device holds such a board, else 0.
    fn gpumexk_life_cluster_fits(rows: usize, cols: usize, fits: *mut c_int) -> c_int;
    /// next ← board after `generations`. bits: 0 bytes, any value ≠ 0 is alive, the result 0 and 1; 1 packed, each row padded to whole
    /// 64-bit words, bit b of word w is column 64·w + b, padding ignored in board and 0 in next; 2 the same, and the board, at a multiple of
    /// 512 bytes, is read through a texture object: the launcher waits for the stream. next may be board. Either may be mapped memory of the
    /// host: each cell is read once and written once. tuning: at most 128, 256 or 512 threads a block.
    fn gpumexk_life_cluster(board: *const c_void, next: *mut c_void, bits: c_int, game: *const LifeGame, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// life/pack.cu — boards of bits: each row padded to whole 64-bit words, bit b of word w is column 64·w + b. bits ← cells, where
    /// any byte ≠ 0 is alive and padding is 0; cells ← bits as 0 or 1, padding ignored. cells (rows, cols).
    fn gpumexk_life_pack(cells: *const u8, rows: usize, cols: usize, bits: *mut u64, stream: Stream) -> c_int;
    fn gpumexk_life_unpack(bits: *const u64, rows: usize, cols: usize, cells: *mut u8, stream: Stream) -> c_int;
    /// life/shmem.cu — `generations` steps of the game on boards of bits, GPUMEXK_LIFE_SHMEM_STEPS a launch. front holds the board,
    /// both buffers have rows × ceil(cols / 64) words. The result, its padding 0, is in front when the number of launches is even,
    /// else in back; with one launch front is only read, with none it stays as it is.
    fn gpumexk_life_shmem(front: *mut u64, back: *mut u64, game: *const LifeGame, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// life/strips.cu — a board of bits becomes `rows` rows, from `first` on, of one as strips of 240 columns (life/strips.cuh), and back; the
    /// game's board has game->rows · strips · 8 words of 32 bits, strips = ceil(cols / GPUMEXK_LIFE_STRIP_COLS), aligned to 512 bytes.
    fn gpumexk_life_to_strips(bits: *const u64, game: *const LifeGame, first: usize, rows: usize, strips: *mut u32, stream: Stream) -> c_int;
    fn gpumexk_life_from_strips(strips: *const u32, game: *const LifeGame, first: usize, rows: usize, bits: *mut u64, stream: Stream) -> c_int;
    /// life/registers.cu, life/texture.cu — Life on strips, GPUMEXK_LIFE_STRIP_STEPS generations a step. The board is in front; the result
    /// is there when the number of steps is even, else in back. scratch has the bytes that …_scratch says for the game and the tuning on the
    /// current device, and starts at a multiple of 16.
    fn gpumexk_life_registers_scratch(game: *const LifeGame, tuning: *const Tuning, bytes: *mut usize) -> c_int;
    fn gpumexk_life_registers(front: *mut u32, back: *mut u32, scratch: *mut c_void, game: *const LifeGame, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// waits for the stream
    fn gpumexk_life_texture(front: *mut u32, back: *mut u32, game: *const LifeGame, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// life/joined.cu — a rank's slab of a board, whose halos come as packets that the kernels of its neighbours write, on other devices, while it
    /// runs: all of them have to be launched, with as many generations. Halos have GPUMEXK_LIFE_STRIP_STEPS rows. Before the first launch they hold
    /// the rows of the neighbours, and before each one all packets, which are aligned to 16 bytes, the flags and the word `counter` are 0 on all
    /// ranks. With no generations and no neighbours it loads the kernel, changes `counter` alone, and comes before an agreement of the ranks.
    fn gpumexk_life_joined(args: *const LifeJoinedArgs, game: *const LifeGame, generations: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// matmul.cu — the product by the two textbook kernels.
    fn gpumexk_matmul_naive_f32(product: *const MatmulArgs, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_matmul_naive_f64(product: *const MatmulArgs, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_matmul_blocked_f32(product: *const MatmulArgs, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_matmul_blocked_f64(product: *const MatmulArgs, tuning: *const Tuning, stream: Stream) -> c_int;
    /// matmul/tiled.cu — the product by register tiles, strictly IEEE: one fused multiply-add for each of the mnk. Where only_if, a word of the
    /// device, is given and holds 0, C stays as it is. tuning: 256 threads; at most 16, 32, 64 or 128 sums a thread.
    fn gpumexk_matmul_tiled_f32(product: *const MatmulArgs, only_if: *const c_uint, tuning: *const Tuning, stream: Stream) -> c_int;
    /// matmul/f64.cu — the same in double, on tensor cores where there are some for it. tuning: 256 threads; at most 32 sums a thread,
    /// or 64: any tile.
    fn gpumexk_matmul_tiled_f64(product: *const MatmulArgs, tuning: *const Tuning, stream: Stream) -> c_int;
    /// matmul/skinny.cu — the same, strictly IEEE, for products with at most 16 rows or columns of C, and for others with few tiles of C
    /// and a long k, which it splits. scratch has the bytes that …_scratch says, perhaps 0, for either type and every tuning, and starts
    /// at a multiple of 16. tuning: 256 threads; 1, 2 or 4 blocks a multiprocessor are aimed at.
    fn gpumexk_matmul_skinny_scratch(product: *const MatmulArgs, bytes: *mut usize) -> c_int;
    fn gpumexk_matmul_skinny_f32(product: *const MatmulArgs, scratch: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_matmul_skinny_f64(product: *const MatmulArgs, scratch: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// matmul/tensor.cu — the product of float32 on tensor cores at float32's accuracy; cudaErrorNotSupported where code or device are older than
    /// compute capability 8.0. scratch has the bytes that …_scratch says for the product and the tuning, perhaps 0, and starts at a multiple of 128.
    /// tuning: threads 0 the launcher chooses by the size; 256, and all devices but 9.0, one launch; 384 a pass and what follows: values 1 it packs
    /// the smaller operand alone, 64, 128 both, for tiles of so many columns; 0 the launcher chooses. Where *flagged becomes 1 the first word of the
    /// scratch becomes 0, or, where the operands hold what the split cannot represent, 1: then C is untouched, or where beta is 0 arbitrary, and the
    /// caller has it computed in another way, all of the batch. *microseconds ← what the best pass and what follows take of an H200.
    fn gpumexk_matmul_tensor_time(product: *const MatmulArgs, microseconds: *mut f64) -> c_int;
    fn gpumexk_matmul_tensor_scratch(product: *const MatmulArgs, tuning: *const Tuning, bytes: *mut usize) -> c_int;
    fn gpumexk_matmul_tensor_f32(product: *const MatmulArgs, scratch: *mut c_void, flagged: *mut c_int, tuning: *const Tuning, stream: Stream) -> c_int;
    /// matmul/tf32.cu — the product with operands rounded to the nearest TF32, and sums in the tensor core; cudaErrorNotSupported as above. scratch
    /// has the bytes that …_scratch says for the product, perhaps 0, and starts at a multiple of 128.
    /// tuning: threads 0 the launcher chooses by the size; 256 tiles; 384, on 9.0, what matmul/f16.cu has, by values of that, elsewhere tiles.
    fn gpumexk_matmul_tf32_scratch(product: *const MatmulArgs, bytes: *mut usize) -> c_int;
    fn gpumexk_matmul_tf32_f32(product: *const MatmulArgs, scratch: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// matmul/f16.cu, bf16.cu — the product of 16-bit floats on Hopper's tensor cores, sums in float32; C of the same type, or where is_float
    /// is 1 of float32. *serves ← 1 where the device, this code for it and the product are such that it is computed, whatever the pointers.
    /// scratch has the bytes that …_scratch says of a product that is, perhaps 0, and starts at a multiple of 128. tuning: 384 threads; values
    /// 1, 2, 4, 8 tiles of 64 columns, so many blocks share k; 128, 256 tiles of so many columns; 0 the launcher chooses.
    fn gpumexk_matmul_half_serves(product: *const MatmulArgs, serves: *mut c_int) -> c_int;
    fn gpumexk_matmul_half_scratch(product: *const MatmulArgs, bytes: *mut usize) -> c_int;
    fn gpumexk_matmul_f16(product: *const MatmulArgs, is_float: c_int, scratch: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_matmul_bf16(product: *const MatmulArgs, is_float: c_int, scratch: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// textbook_bytes.cu — counts\[v\] ← counts\[v\] + how many of the len bytes equal v (256 counters), so that data may come in pieces.
    ///
    /// count counters of 8 bytes ← zeros
    fn gpumexk_histogram_clear(counts: *mut c_void, count: usize, stream: Stream) -> c_int;
    fn gpumexk_histogram_global(data: *const u8, len: usize, counts: *mut u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_histogram_strided(data: *const u8, len: usize, counts: *mut u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_histogram_shared(data: *const u8, len: usize, counts: *mut u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// textbook.cu — counts\[v\] ← counts\[v\] + how many samples (u8, u16, u32 or i32, one channel, no weights) equal v, for bins of rule 0; in
    /// memory 0: one thread a sample, 1: a grid that strides, 2: shared memory, for as many bins as …_shared_bins_max says.
    fn gpumexk_histogram_textbook(samples: *const Samples, bins: *const Bins, memory: c_int, counts: *mut u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_histogram_shared_bins_max(bins: *mut usize) -> c_int;
    /// counts ← how many of at most GPUMEXK_HISTOGRAM_SMALL_MAX bytes equal v, overwritten; both may be mapped memory of the host.
    fn gpumexk_histogram_small(data: *const u8, len: usize, counts: *mut u64, stream: Stream) -> c_int;
    /// histogram/bytes.cu — counts (channels, 256) ← counts + how many of the len bytes equal each value, of each of 1 to 4 interleaved
    /// channels; len is a multiple of channels.
    fn gpumexk_histogram_bytes(data: *const u8, len: usize, channels: c_int, counts: *mut u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// histogram/bins.cu — counts (channels, bins), uint64_t, or double with weights, ← counts + those of the samples.
    fn gpumexk_histogram_bins(samples: *const Samples, bins: *const Bins, counts: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// counts (channels, bins) ← counts + those of samples of which `values` (channels, 256 of u8, or 65536 of u16) says how many have
    /// each value: bytes and 16-bit numbers are counted by value first.
    fn gpumexk_histogram_fold(values: *const u64, dtype: c_int, channels: c_int, bins: *const Bins, counts: *mut u64, stream: Stream) -> c_int;
    /// raytrace.cu — orthographic ray cast of count spheres, 7 floats each (formula in raytrace/formula.cuh). image may start at any
    /// byte.
    fn gpumexk_raytrace_global(spheres: *const f32, count: usize, picture: *const Picture, image: *mut u8, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_raytrace_read_only(spheres: *const f32, count: usize, picture: *const Picture, image: *mut u8, tuning: *const Tuning, stream: Stream) -> c_int;
    /// depth: width·height floats of scratch, used when count is above GPUMEXK_RAYTRACE_CONSTANT_SPHERES, else may be NULL.
    /// The constant bank is one per device: the caller keeps a second call away until this one's stream has drained.
    fn gpumexk_raytrace_constant(spheres: *const f32, count: usize, picture: *const Picture, depth: *mut f32, image: *mut u8, tuning: *const Tuning, stream: Stream) -> c_int;
    /// raytrace/binned.cu — the same picture, from the spheres that a tile may show. scratch starts at a multiple of 16 and has the bytes
    /// that gpumexk_raytrace_binned_scratch says for count and the picture; more spheres, or a larger picture, than 32-bit numbers of
    /// entries and cells can name are 0 in *is_served.
    fn gpumexk_raytrace_binned_scratch(count: usize, picture: *const Picture, bytes: *mut usize, is_served: *mut c_int) -> c_int;
    fn gpumexk_raytrace_binned(spheres: *const f32, count: usize, picture: *const Picture, scratch: *mut c_void, image: *mut u8, tuning: *const Tuning, stream: Stream) -> c_int;
    /// fill.cu — array\[i\] ← pattern, or first + i·step. value_bytes is 1, 2, 4 or 8 bytes; the low bytes of pattern, first and step count,
    /// and integers wrap. Floating elements are computed in double and rounded to the element.
    fn gpumexk_fill(array: *mut c_void, count: usize, value_bytes: usize, pattern: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_fill_ascending_int(array: *mut c_void, count: usize, value_bytes: usize, first: u64, step: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_fill_ascending_f32(array: *mut f32, count: usize, first: f64, step: f64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_fill_ascending_f64(array: *mut f64, count: usize, first: f64, step: f64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// random.cu — uniform numbers from Philox4x32-10 under `seed`, an element's own 64-bit key or, where keys is not NULL, keys\[i\].
    /// Integers of value_bytes 1, 2, 4 or 8 bytes in \[lo, lo + range\], floating numbers in \[lo, hi); hi > lo and hi - lo is finite.
    fn gpumexk_random_keys(keys: *mut u64, count: usize, seed: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_random_int(array: *mut c_void, count: usize, value_bytes: usize, seed: u64, keys: *const u64, lo: u64, range: u64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_random_f32(array: *mut f32, count: usize, seed: u64, keys: *const u64, lo: f32, hi: f32, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_random_f64(array: *mut f64, count: usize, seed: u64, keys: *const u64, lo: f64, hi: f64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// random_normal.cu — normal numbers from the same keys, two elements a block of Philox; deviation >= 0, |mean| + 9*deviation finite.
    fn gpumexk_random_normal_f32(array: *mut f32, count: usize, seed: u64, mean: f32, deviation: f32, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_random_normal_f64(array: *mut f64, count: usize, seed: u64, mean: f64, deviation: f64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// sort.cu — sorted, and sorted_values, as gpumexk_sort_args says. scratch is aligned to 256 and has the bytes that
    /// gpumexk_sort_scratch says for the same args, perhaps none. tuning: 0 threads, 0 values: by the types.
    fn gpumexk_sort_scratch(args: *const SortArgs, bytes: *mut usize) -> c_int;
    fn gpumexk_sort(args: *const SortArgs, scratch: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// sorted_search.cu — where the elements of a lie in b (lower bounds, or `upper` ones), and those of b in a. tuning: 256 threads; a
    /// block has at most 1, 2 or 4 tiles, 0: 7.
    fn gpumexk_sorted_search(arrays: *const SortedArrays, args: *const SortedSearchArgs, tuning: *const Tuning, stream: Stream) -> c_int;
    /// sorted_equality_count.cu — how many elements of b equal each of a, and their lower bounds, which may be NULL.
    fn gpumexk_sorted_equality_count(arrays: *const SortedArrays, index_bytes: c_int, counts: *mut c_void, lower: *mut c_void, stream: Stream) -> c_int;
    /// load_balance_search.cu, interval_expand.cu, interval_move.cu, bulk_remove.cu, bulk_insert.cu — elements of `value_bytes`, indices of
    /// `index_bytes`, 4 or 8; at least one object, or interval, where count > 0.
    fn gpumexk_load_balance_search(count: usize, scan: *const c_void, objects: usize, index_bytes: c_int, indices: *mut c_void, stream: Stream) -> c_int;
    fn gpumexk_interval_expand(count: usize, scan: *const c_void, intervals: usize, index_bytes: c_int, values: *const c_void, value_bytes: c_int, output: *mut c_void, stream: Stream) -> c_int;
    fn gpumexk_interval_move(args: *const IntervalMoveArgs, input: *const c_void, input_count: usize, value_bytes: c_int, output: *mut c_void, output_count: usize, stream: Stream) -> c_int;
    fn gpumexk_bulk_remove(source: *const c_void, count: usize, value_bytes: c_int, indices: *const c_void, index_count: usize, index_bytes: c_int, result: *mut c_void, stream: Stream) -> c_int;
    fn gpumexk_bulk_insert(a: *const c_void, indices: *const c_void, a_count: usize, b: *const c_void, b_count: usize, value_bytes: c_int, index_bytes: c_int, result: *mut c_void, stream: Stream) -> c_int;
    /// merge.cu — keys, values ← those of a and b. tuning: 0 threads: by the types; a block has at most 1, 2 or 4 tiles of keys alone.
    fn gpumexk_merge(args: *const MergeArgs, tuning: *const Tuning, stream: Stream) -> c_int;
    /// locality_sort.cu — sorted, sorted_values ← the keys in order, equal ones as they stood, and what moves with them. scratch starts
    /// at a multiple of 256 and has the bytes that gpumexk_locality_sort_scratch says, which looks at sizes alone.
    fn gpumexk_locality_sort_scratch(args: *const MergeSortArgs, bytes: *mut usize) -> c_int;
    fn gpumexk_locality_sort(args: *const MergeSortArgs, scratch: *mut c_void, stream: Stream) -> c_int;
    /// segmented_sort.cu — the same for each segment by itself.
    fn gpumexk_segmented_sort_scratch(args: *const MergeSortArgs, bytes: *mut usize) -> c_int;
    fn gpumexk_segmented_sort(args: *const MergeSortArgs, segments: *const SegmentHeads, scratch: *mut c_void, stream: Stream) -> c_int;
    /// add.cu — y ← x + y; x may be y.
    fn gpumexk_add_f32(x: *const f32, y: *mut f32, count: usize, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_add_f64(x: *const f64, y: *mut f64, count: usize, tuning: *const Tuning, stream: Stream) -> c_int;
    /// allreduce.cu — result (count) ← the elements of those ranks that have some, joined in the order of ranks, behind what is in result where adds
    /// is 1. dtype and op as in reduce.cu. The kernels of all ranks have to be launched.
    fn gpumexk_allreduce(args: *const AllreduceArgs, dtype: c_int, op: c_int, adds: c_int, result: *mut c_void, stream: Stream) -> c_int;
    /// Loads the kernel of these on the current device, by a launch for no elements, once. That may wait for kernels that run, on other devices
    /// too: it comes before any rank launches it.
    fn gpumexk_allreduce_load(dtype: c_int, op: c_int, stream: Stream) -> c_int;
    /// dot.cu — *result ← Σ x\[i\]·y\[i\], 0 for count = 0. partials: GPUMEXK_DOT_PARTIALS elements of scratch.
    fn gpumexk_dot_atomic_f32(x: *const f32, y: *const f32, count: usize, result: *mut f32, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_dot_atomic_f64(x: *const f64, y: *const f64, count: usize, result: *mut f64, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_dot_two_pass_f32(x: *const f32, y: *const f32, count: usize, partials: *mut f32, result: *mut f32, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_dot_two_pass_f64(x: *const f64, y: *const f64, count: usize, partials: *mut f64, result: *mut f64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// dot/textbook.cu — the same by a tree in shared memory.
    fn gpumexk_dot_shared_f32(x: *const f32, y: *const f32, count: usize, result: *mut f32, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_dot_shared_f64(x: *const f64, y: *const f64, count: usize, result: *mut f64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// axpy.cu — y ← fma (alpha, x, beta·y); where beta is 0 y ← alpha·x, and y is not read.
    fn gpumexk_axpy_f32(alpha: *const Scalar, beta: *const Scalar, x: *const f32, y: *mut f32, count: usize, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_axpy_f64(alpha: *const Scalar, beta: *const Scalar, x: *const f64, y: *mut f64, count: usize, tuning: *const Tuning, stream: Stream) -> c_int;
    /// scale.cu — x ← alpha·x, x / alpha or x / √alpha for factor 0, 1 or 2.
    fn gpumexk_scale_f32(alpha: *const Scalar, factor: c_int, x: *mut f32, count: usize, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_scale_f64(alpha: *const Scalar, factor: c_int, x: *mut f64, count: usize, tuning: *const Tuning, stream: Stream) -> c_int;
    /// gather.cu — result\[i\] ← source\[indices\[i\]\], zero where that is not below source_count. value_bytes 1, 2, 4, 8, index_bytes 4, 8.
    fn gpumexk_gather(source: *const c_void, source_count: usize, value_bytes: c_int, indices: *const c_void, index_bytes: c_int, count: usize, result: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// scatter.cu — target\[indices\[i\]\] ← source\[i\] where that is below target_count.
    fn gpumexk_scatter(source: *const c_void, value_bytes: c_int, indices: *const c_void, index_bytes: c_int, count: usize, target: *mut c_void, target_count: usize, tuning: *const Tuning, stream: Stream) -> c_int;
    /// map.cu — result ← a program of the inputs, element by element. The arrays of args are the host's, and read before the return.
    fn gpumexk_map(args: *const MapArgs, tuning: *const Tuning, stream: Stream) -> c_int;
    /// map/map_reduce.cu — result and positions of dim ← the reductions of what a program makes of the inputs. map: its result has the dtype of the
    /// program and the strides of dim's result in the extents, 0 along those that are reduced, which are neighbours; its data are not read.
    /// dim: inner, count and outer are products of the extents, none 0; the dtype is that of the program; data are not read. bytes, scratch:
    /// as for gpumexk_reduce_dim_sum.
    fn gpumexk_map_reduce(map: *const MapArgs, dim: *const DimArgs, scratch: *mut c_void, bytes: *mut usize, stream: Stream) -> c_int;
    /// map/map_scan.cu — result of dim ← the prefixes of what a program makes of the inputs, in the order of the extents. map, dim, bytes,
    /// scratch: as for gpumexk_map_reduce.
    fn gpumexk_map_scan(map: *const MapArgs, dim: *const DimArgs, scratch: *mut c_void, bytes: *mut usize, stream: Stream) -> c_int;
    /// map/functor_reduce.cu — result (1) ← the elements of data (count >= 1) joined in their order. partials: as many bytes as _scratch says,
    /// aligned to 8. What the functor points to is the host's, and read before the return.
    fn gpumexk_functor_reduce_scratch(functor: *const Functor, count: usize, bytes: *mut usize) -> c_int;
    fn gpumexk_functor_reduce(functor: *const Functor, data: *const c_void, count: usize, partials: *mut c_void, result: *mut c_void, stream: Stream) -> c_int;
    /// map/functor_scan.cu — result (count >= 1) ← the prefixes of data, which may be result; of an exclusive scan without the first one, which
    /// is left as it is. total (1), or NULL: the last inclusive prefix. heads, or NULL: bytes, 1 where a prefix begins anew; inclusive scans
    /// alone. scratch: as many bytes as _scratch says, aligned to 8.
    fn gpumexk_functor_scan_scratch(functor: *const Functor, count: usize, bytes: *mut usize) -> c_int;
    fn gpumexk_functor_scan(functor: *const Functor, data: *const c_void, heads: *const u8, count: usize, inclusive: c_int, result: *mut c_void, total: *mut c_void, scratch: *mut c_void, stream: Stream) -> c_int;
    /// map/functor_segments.cu — heads (count) ← 1 where a segment begins, else 0; with sources gathered (count) ← the segments' elements at
    /// their offsets. Then, of inclusive scans of them, result\[s\] ← the last prefix of segment s, or identity where it is empty.
    fn gpumexk_functor_heads(segments: *const FunctorSegments, data: *const c_void, heads: *mut u8, gathered: *mut c_void, stream: Stream) -> c_int;
    fn gpumexk_functor_results(segments: *const FunctorSegments, prefixes: *const c_void, identity: u64, result: *mut c_void, stream: Stream) -> c_int;
    /// map/functor_search.cu — what the search asks for. matches is set, and counted in. What the functor points to is the host's, and read before
    /// the return.
    fn gpumexk_functor_search_run(functor: *const Functor, search: *const FunctorSearch, stream: Stream) -> c_int;
    /// map/functor_sort.cu — keys, positions (count) ← the keys in the order of a functor that says whether a precedes b, stable, and where they
    /// were. positions of 4 bytes hold less than 2^32. What the functor points to is the host's, and read before the return.
    fn gpumexk_functor_sort(functor: *const Functor, keys: *mut c_void, positions: *mut c_void, position_bytes: c_int, count: usize, stream: Stream) -> c_int;
    /// result\[i\] ← values\[positions\[i\]\], of 4 or 8 bytes, or positions\[i\] where values is NULL, or i where both are; count of them.
    fn gpumexk_functor_place(positions: *const c_void, position_bytes: c_int, values: *const c_void, result: *mut c_void, bytes: c_int, count: usize, stream: Stream) -> c_int;
    /// map/stencil.cu, map/stencil_bytes.cu — result ← the program of the neighbours. In bytes all steps have type 5; *enqueued ← 0 where the
    /// tiles do not fit into shared memory, and nothing was enqueued, else 1. tuning: at most 256 threads, one value.
    fn gpumexk_stencil(args: *const StencilArgs, tuning: *const Tuning, stream: Stream) -> c_int;
    fn gpumexk_stencil_bytes(args: *const StencilArgs, tuning: *const Tuning, enqueued: *mut c_int, stream: Stream) -> c_int;
    /// convolve.cu — result ← the sums of each window, weighed by the filter, in the order of rows or turned by 180°. accumulator_dtype, of
    /// filter: F32, F64, of integers and BOOL I32 and I64 as well; result_dtype is one of the dtypes of windows.
    fn gpumexk_convolve(windows: *const Windows, filter: *const c_void, accumulator_dtype: c_int, turned: c_int, result: *mut c_void, result_dtype: c_int, tuning: *const Tuning, stream: Stream) -> c_int;
    /// median_filter.cu — result ← the median of each window, of the dtype of windows, whose extents are at most 31.
    fn gpumexk_median_filter(windows: *const Windows, result: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// check_indices.cu — *position ← the first i for which indices\[i\] is not below limit, else 2^64 - 1.
    fn gpumexk_check_indices(indices: *const c_void, index_bytes: c_int, count: usize, limit: usize, position: *mut u64, stream: Stream) -> c_int;
    /// words.cu — table ← table + the words of a text that begin in \[begin, end), but for long words, of more than 4096 characters,
    /// which are only listed: long_words has end/4096 + 1 elements. The addresses in the table stay those of the text.
    fn gpumexk_words_count(text: *const WordsText, table: *const WordsTable, long_words: *mut u64, tuning: *const Tuning, stream: Stream) -> c_int;
    /// words/table.cu — table ← no words.
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
    /// tuning: 512 threads; 1, 2 or 4 blocks a multiprocessor.
    fn gpumexk_reduce(data: *const c_void, count: usize, dtype: c_int, op: c_int, partials: *mut c_void, result: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// Its first kernel alone: partials ← *found elements, 1 or more, from which the operator makes the result.
    fn gpumexk_reduce_partials(data: *const c_void, count: usize, dtype: c_int, op: c_int, partials: *mut c_void, found: *mut usize, tuning: *const Tuning, stream: Stream) -> c_int;
    /// reduce_dim/ — the reductions along a dimension: sum.cu sums and means, but those of floats that leave NaN out; extremum.cu minima and
    /// maxima, with positions or without; rare.cu counts (ANY, ALL, COUNT) and all others. With bytes not NULL they launch nothing: *bytes ←
    /// the scratch, perhaps 0, that the same arguments need; it starts at a multiple of 16.
    fn gpumexk_reduce_dim_sum(args: *const DimArgs, scratch: *mut c_void, bytes: *mut usize, stream: Stream) -> c_int;
    fn gpumexk_reduce_dim_extremum(args: *const DimArgs, scratch: *mut c_void, bytes: *mut usize, stream: Stream) -> c_int;
    fn gpumexk_reduce_dim_count(args: *const DimArgs, scratch: *mut c_void, bytes: *mut usize, stream: Stream) -> c_int;
    fn gpumexk_reduce_dim_rare(args: *const DimArgs, scratch: *mut c_void, bytes: *mut usize, stream: Stream) -> c_int;
    /// scan_dim/ — the scans along a dimension: sum.cu sums, rare.cu minima and maxima, and products and what saturates. bytes, scratch: as
    /// above.
    fn gpumexk_scan_dim_sum(args: *const DimArgs, scratch: *mut c_void, bytes: *mut usize, stream: Stream) -> c_int;
    fn gpumexk_scan_dim_extremum(args: *const DimArgs, scratch: *mut c_void, bytes: *mut usize, stream: Stream) -> c_int;
    fn gpumexk_scan_dim_rare(args: *const DimArgs, scratch: *mut c_void, bytes: *mut usize, stream: Stream) -> c_int;
    /// segments_prepare.cu — *elements ← how many numbers the geometry of so many segments and elements has on the current device, at least 1.
    /// geometry ← where the parts of a walk over these segments begin; their sources do not matter.
    fn gpumexk_segments_geometry(segments: usize, count: usize, elements: *mut usize) -> c_int;
    fn gpumexk_segments_prepare(segments: *const Segments, geometry: *mut u64, stream: Stream) -> c_int;
    /// segmented_reduce.cu — result (segments) ← the reduction of each segment of data (count) by a gpumex_operator. scratch:
    /// GPUMEXK_SEGMENTS_SCRATCH bytes, aligned to 16; also of spmv. tuning: 256 threads; 1 or 2 blocks a multiprocessor, 0: by the type.
    fn gpumexk_segmented_reduce(segments: *const Segments, dtype: c_int, op: c_int, data: *const c_void, result: *mut c_void, scratch: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// reduce_by_key.cu — unique_keys, results, offsets, needed ← the runs of keys. scratch: as many bytes as …_scratch says, aligned to 16.
    fn gpumexk_reduce_by_key_scratch(count: usize, key_bytes: usize, data_bytes: usize, bytes: *mut usize) -> c_int;
    fn gpumexk_reduce_by_key(args: *const ReduceByKeyArgs, scratch: *mut c_void, stream: Stream) -> c_int;
    /// spmv.cu — y (rows) ← the matrix times x. scratch: GPUMEXK_SEGMENTS_SCRATCH bytes, aligned to 16.
    fn gpumexk_spmv(rows: *const Segments, args: *const SpmvArgs, y: *mut c_void, scratch: *mut c_void, stream: Stream) -> c_int;
    /// scan.cu — result ← the prefixes of data under the operator, as in reduce.cu. scratch has the bytes that …_scratch says for the same
    /// tuning, perhaps 0, and starts at a multiple of 16. tuning: 256 or 512 threads, or 0: as many as there is memory for.
    fn gpumexk_scan_scratch(count: usize, dtype: c_int, tuning: *const Tuning, bytes: *mut usize) -> c_int;
    fn gpumexk_scan(args: *const ScanArgs, scratch: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// fill_empty.cu — result\[s\] ← the low value_bytes (4 or 8) of value, for each empty segment s.
    fn gpumexk_segments_fill_empty(segments: *const Segments, value_bytes: c_int, value: u64, result: *mut c_void, stream: Stream) -> c_int;
    /// convert.cu — target\[i\] ← source\[i\] for i < count, and i < *limit where limit is not NULL: integers of 1, 2 or 4 bytes, signed
    /// or not, as integers of 8, those of 1 or 2 as integers of 4, and those of 4 as integers of 1 or 2, their low bytes.
    fn gpumexk_convert(source: *const c_void, count: usize, source_bytes: c_int, source_signed: c_int, limit: *const u64, target: *mut c_void, target_bytes: c_int, stream: Stream) -> c_int;
    /// set_operation.cu — the first `capacity` elements of the result, and *needed ← how long it is. tuning: 0 threads: by the types; 1 or 2
    /// blocks a multiprocessor where there is no payload and keys are integers, 0: by the type.
    fn gpumexk_set_operation_scratch(args: *const SetOperationArgs, bytes: *mut usize) -> c_int;
    fn gpumexk_set_operation(args: *const SetOperationArgs, scratch: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// join.cu — the first `capacity` pairs, and *needed ← how many there are. tuning: 256 threads; 1, 2 or 4 blocks a multiprocessor for
    /// tiles of very many pairs.
    fn gpumexk_join_scratch(args: *const JoinArgs, bytes: *mut usize) -> c_int;
    fn gpumexk_join(args: *const JoinArgs, scratch: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// check_sorted.cu — *position ← the first i ≥ 1 for which keys\[i\] comes before keys\[i - 1\], or with `strict` is equal to it, else
    /// 2^64 - 1.
    fn gpumexk_check_sorted(keys: *const c_void, count: usize, dtype: c_int, descending: c_int, strict: c_int, position: *mut u64, stream: Stream) -> c_int;
    /// compact.cu — kept ← the elements of data whose flags are not 0, positions ← where they stand, at most capacity of both; *needed ←
    /// how many there are. scratch has the bytes that …_scratch says, perhaps 0, and starts at a multiple of 16.
    fn gpumexk_compact_scratch(count: usize, bytes: *mut usize) -> c_int;
    fn gpumexk_compact(args: *const CompactArgs, scratch: *mut c_void, stream: Stream) -> c_int;
    /// gather_nd.cu — result ← the elements of source where the walk, which begins there, finds them; zero where it is out of range.
    fn gpumexk_gather_nd(walk: *const Walk, source: *const c_void, result: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// scatter_nd.cu — elements of target where the walk finds them ← values; NULL: the one whose bits are `pattern`.
    fn gpumexk_scatter_nd(walk: *const Walk, values: *const c_void, pattern: u64, target: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// permute.cu — result ← source in the order of the walk, all of whose places are 0.
    fn gpumexk_permute(walk: *const Walk, source: *const c_void, result: *mut c_void, tuning: *const Tuning, stream: Stream) -> c_int;
    /// positions.cu — *first ← the first i for which start + indices\[i\] is not below extent; 2^64 - 1 for none.
    fn gpumexk_first_outside(indices: *const c_void, index_dtype: c_int, count: usize, start: i64, extent: usize, first: *mut u64, stream: Stream) -> c_int;
    /// positions.cu — positions\[i\] ← start + indices\[i\] where that is below extent and no later i has the same; else 2^64 - 1. owners (extent)
    /// is scratch.
    fn gpumexk_last_positions(indices: *const c_void, index_dtype: c_int, count: usize, start: i64, extent: usize, owners: *mut u64, positions: *mut u64, stream: Stream) -> c_int;
}
