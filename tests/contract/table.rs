//! The table: a row an operation, with a call that succeeds and every field of its options, which the compiler asks for.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::join::JoinKind;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::operator::Operator;
use gpumex::model::order::SortOrder;
use gpumex::model::payload::Payload;
use gpumex::model::raytrace::PictureLayout;
use gpumex::model::reduction::{DimReduction, NanFlag};
use gpumex::model::scale::ScaleFactor;
use gpumex::model::set_operation::SetOperator;
use gpumex::model::sorted_search::Bound;
use gpumex::model::stencil::{Boundary, StencilOrder};
use gpumex::model::variant::{AddVariant, DotVariant, SortVariant, Variant};
use gpumex::model::window::{ConvolveKind, ConvolveShape};
use gpumex::ops::histogram::{HistogramOutliers, HistogramVariant};
use gpumex::ops::life::{LifeBoundary, LifeCells, LifeVariant};
use gpumex::ops::matmul::{MatmulOrder, MatmulVariant};
use gpumex::ops::raytrace::RaytraceVariant;
use gpumex::ops::scan::ScanKind;
use gpumex::ops::segmented_sort::Segments;
use gpumex::ops::words::WordsEncoding;

use crate::common::Handle;

/// Arguments that are large enough for every row: zeros to read, and places to write.
pub struct Arrays(Vec<u64>);

pub const WORDS: usize = 512; // of one array: the counters of the 256 values of bytes, say

impl Arrays {
    pub fn new() -> Arrays {
        Arrays(vec![0; 10 * WORDS])
    }

    fn input<T>(&self, index: usize) -> *const T {
        self.0[index * WORDS..].as_ptr().cast()
    }

    fn output<T>(&self, index: usize) -> *mut T {
        self.0[(5 + index) * WORDS..].as_ptr().cast::<T>().cast_mut()
    }
}

/// A field of 32 bits, by its place in the struct.
#[derive(Clone, Copy)]
pub struct Field {
    pub name: &'static str,
    pub offset: usize,
}

/// A field that holds the number of an enum.
pub struct EnumField {
    pub field: Field,
    pub name: &'static str,
    pub values: Vec<String>,
}

impl EnumField {
    fn new<E: NumberedEnum>(field: Field) -> EnumField {
        EnumField { field, name: E::NAME, values: E::ALL.iter().map(|value| value.c_name()).collect() }
    }
}

/// A dtype that has to be set, perhaps where another field has some value.
pub struct Needed {
    pub dtype: Field,
    pub condition: Option<(Field, i32)>,
}

pub struct Operation {
    pub name: &'static str,
    /// A struct of a good call.
    pub options: Vec<u8>,
    pub needed: Vec<Needed>,
    pub enums: Vec<EnumField>,
    pub switches: Vec<Field>,
    pub reserved: Vec<Field>,
    /// Those that must not be NULL.
    pub pointers: Vec<Field>,
    pub call: fn(Handle, *const c_void, &Arrays) -> i32,
}

/// The bytes of a struct of integers, floats and pointers without padding.
fn bytes_of<T: Copy>(options: &T) -> Vec<u8> {
    // SAFETY: a struct without padding (`zero_default!`) of `T`'s size.
    unsafe { std::slice::from_raw_parts(std::ptr::from_ref(options).cast(), size_of::<T>()) }.to_vec()
}

macro_rules! operation {
    (
        $name:literal, $options:ident { $($set:ident: $value:expr),* },
        needed [$($dtype:ident $(if $condition:ident == $when:expr)?),*],
        enums [$($field:ident: $enum:ident),*],
        switches [$($switch:ident),*],
        reserved [$($reserved:ident),*],
        others [$($other:ident),*] $(pointers [$($pointer:ident),*])?,
        $call:expr $(,)?
    ) => {{
        let options = $options { $($set: $value as _,)* ..$options::default() };
        let $options { size: _ $(, $field: _)* $(, $switch: _)* $(, $reserved: _)* $(, $other: _)* } = options;
        macro_rules! field {
            ($of:ident) => {
                Field { name: stringify!($of), offset: std::mem::offset_of!($options, $of) }
            };
        }
        Operation {
            name: $name,
            options: bytes_of(&options),
            needed: vec![$(
                Needed { dtype: field!($dtype), condition: None$(.or(Some((field!($condition), $when as i32))))? }
            ),*],
            enums: vec![$(EnumField::new::<$enum>(field!($field))),*],
            switches: vec![$(field!($switch)),*],
            reserved: vec![$(field!($reserved)),*],
            pointers: vec![$($(field!($pointer)),*)?],
            call: |ctx, options, arrays| {
                let call: fn(Handle, *const $options, &Arrays) -> i32 = $call;
                call(ctx, options.cast(), arrays)
            },
        }
    }};
}

const F32: Dtype = Dtype::F32;
const U64: Dtype = Dtype::U64;

static FLOAT: [i32; 1] = [Dtype::F32 as i32];
static FOUR: [usize; 1] = [4];

/// Every operation with an option struct. The arrays of a call are zeros: sorted, and offsets of empty segments.
pub fn operations() -> Vec<Operation> {
    // SAFETY, of all calls: arrays of a few elements within those of `Arrays`, or options that are refused.
    [vectors(), searches(), sorts(), sets(), segments(), others()].into_iter().flatten().collect()
}

fn vectors() -> Vec<Operation> {
    vec![
        operation!(
            "gpumex_add", AddOptions { dtype: F32 },
            needed [dtype], enums [variant: AddVariant, dtype: Dtype], switches [], reserved [], others [],
            |ctx, options, at| unsafe { gpumex_add(ctx, options, at.input(0), at.output(0), 4) },
        ),
        operation!(
            "gpumex_map", MapOptions { dtype: F32, dtypes: FLOAT.as_ptr(), shape: FOUR.as_ptr() },
            needed [dtype], enums [variant: Variant, rules: Rules, dtype: Dtype], switches [], reserved [],
            others [rank, names, dtypes, shape, strides, result_strides] pointers [dtypes, shape],
            |ctx, options, at| unsafe {
                let inputs = [at.input::<c_void>(0)];
                gpumex_map(ctx, options, c"a".as_ptr(), inputs.as_ptr(), 1, at.output::<c_void>(0))
            },
        ),
        operation!(
            "gpumex_map_reduce", MapReduceOptions { dtype: F32, dtypes: FLOAT.as_ptr(), shape: FOUR.as_ptr() },
            needed [dtype],
            enums [
                variant: Variant, rules: Rules, dtype: Dtype, op: DimReduction, accumulator_dtype: Dtype, nan: NanFlag,
                index_dtype: Dtype
            ],
            switches [], reserved [reserved],
            others [rank, dimension, names, dtypes, shape, strides, positions] pointers [dtypes, shape],
            |ctx, options, at| unsafe {
                let inputs = [at.input::<c_void>(0)];
                gpumex_map_reduce(ctx, options, c"a".as_ptr(), inputs.as_ptr(), 1, at.output::<c_void>(0))
            },
        ),
        operation!(
            "gpumex_map_scan", MapScanOptions { dtype: F32, dtypes: FLOAT.as_ptr(), shape: FOUR.as_ptr() },
            needed [dtype],
            enums [
                variant: Variant, rules: Rules, dtype: Dtype, op: DimReduction, kind: ScanKind, accumulator_dtype: Dtype, nan: NanFlag
            ],
            switches [reverse], reserved [],
            others [rank, dimension, names, dtypes, shape, strides] pointers [dtypes, shape],
            |ctx, options, at| unsafe {
                let inputs = [at.input::<c_void>(0)];
                gpumex_map_scan(ctx, options, c"a".as_ptr(), inputs.as_ptr(), 1, at.output::<c_void>(0))
            },
        ),
        operation!(
            "gpumex_stencil", StencilOptions { dtype: F32, dtypes: FLOAT.as_ptr() },
            needed [dtype],
            enums [variant: Variant, rules: Rules, dtype: Dtype, boundary: Boundary, order: StencilOrder],
            switches [], reserved [reserved], others [names, dtypes, constant] pointers [dtypes],
            |ctx, options, at| unsafe {
                let inputs = [at.input::<c_void>(0)];
                let result = at.output::<c_void>(0);
                gpumex_stencil(ctx, options, c"a(1,0)".as_ptr(), inputs.as_ptr(), 1, 2, 2, result)
            },
        ),
        operation!(
            "gpumex_convolve", ConvolveOptions { dtype: F32 },
            needed [dtype],
            enums [
                variant: Variant, dtype: Dtype, accumulator_dtype: Dtype, result_dtype: Dtype, boundary: Boundary,
                shape: ConvolveShape, kind: ConvolveKind, order: StencilOrder
            ],
            switches [], reserved [], others [constant],
            |ctx, options, at| unsafe {
                gpumex_convolve(ctx, options, at.input(0), 2, 2, at.input(1), 1, 1, at.output(0))
            },
        ),
        operation!(
            "gpumex_median_filter", MedianFilterOptions { dtype: F32 },
            needed [dtype], enums [variant: Variant, dtype: Dtype, boundary: Boundary, order: StencilOrder],
            switches [], reserved [], others [constant],
            |ctx, options, at| unsafe {
                gpumex_median_filter(ctx, options, at.input(0), 2, 2, 3, 3, at.output(0))
            },
        ),
        operation!(
            "gpumex_axpy", AxpyOptions { dtype: F32 },
            needed [dtype], enums [variant: Variant, dtype: Dtype], switches [], reserved [], others [alpha, beta],
            |ctx, options, at| unsafe { gpumex_axpy(ctx, options, at.input(0), at.output(0), 4) },
        ),
        operation!(
            "gpumex_scale", ScaleOptions { dtype: F32 },
            needed [dtype], enums [variant: Variant, dtype: Dtype, factor: ScaleFactor],
            switches [], reserved [reserved], others [],
            |ctx, options, at| unsafe { gpumex_scale(ctx, options, at.input(0), at.output(0), 4) },
        ),
        operation!(
            "gpumex_dot", DotOptions { dtype: F32 },
            needed [dtype], enums [variant: DotVariant, dtype: Dtype], switches [conjugate], reserved [reserved], others [],
            |ctx, options, at| unsafe { gpumex_dot(ctx, options, at.input(0), at.input(1), 4, at.output(0)) },
        ),
        operation!(
            "gpumex_reduce", ReduceOptions { dtype: F32 },
            needed [dtype],
            enums [variant: Variant, dtype: Dtype, op: Operator, accumulator_dtype: Dtype],
            switches [], reserved [], others [result_copy, expression, identity],
            |ctx, options, at| unsafe { gpumex_reduce(ctx, options, at.input(0), 4, at.output(0)) },
        ),
        operation!(
            "gpumex_scan", ScanOptions { dtype: F32 },
            needed [dtype],
            enums [variant: Variant, dtype: Dtype, op: Operator, kind: ScanKind, accumulator_dtype: Dtype],
            switches [], reserved [reserved], others [expression, identity],
            |ctx, options, at| unsafe {
                gpumex_scan(ctx, options, at.input(0), 4, at.output(0), at.output(1))
            },
        ),
        operation!(
            "gpumex_reduce_dim", ReduceDimOptions { dtype: F32 },
            needed [dtype],
            enums [variant: Variant, dtype: Dtype, op: DimReduction, accumulator_dtype: Dtype, rules: Rules, nan: NanFlag, index_dtype: Dtype],
            switches [], reserved [reserved], others [positions],
            |ctx, options, at| unsafe {
                gpumex_reduce_dim(ctx, options, at.input(0), 2, 2, 1, at.output(0))
            },
        ),
        operation!(
            "gpumex_scan_dim", ScanDimOptions { dtype: F32 },
            needed [dtype],
            enums [variant: Variant, dtype: Dtype, op: DimReduction, kind: ScanKind, accumulator_dtype: Dtype, rules: Rules, nan: NanFlag],
            switches [reverse], reserved [], others [],
            |ctx, options, at| unsafe {
                gpumex_scan_dim(ctx, options, at.input(0), 2, 2, 1, at.output(0))
            },
        ),
        operation!(
            "gpumex_matmul", MatmulOptions {},
            needed [],
            enums [variant: MatmulVariant, dtype: Dtype, order: MatmulOrder, dtype_c: Dtype],
            switches [trans_a, trans_b, same_a, same_b], reserved [],
            others [lda, ldb, ldc, batch, stride_a, stride_b, stride_c, alpha, beta, alpha_imag, beta_imag],
            |ctx, options, at| unsafe {
                gpumex_matmul(ctx, options, 2, 2, 2, at.input(0), at.input(1), at.output(0))
            },
        ),
        operation!(
            "gpumex_histogram", HistogramOptions { weights_dtype: F32 },
            needed [],
            enums [variant: HistogramVariant, dtype: Dtype, weights_dtype: Dtype, outliers: HistogramOutliers],
            switches [accumulate, right_edge], reserved [reserved], others [channels, lo, hi, edges, weights],
            |ctx, options, at| unsafe {
                gpumex_histogram(ctx, options, at.input(0), 4, at.output(0), 256)
            },
        ),
        operation!(
            "gpumex_check_sorted", CheckSortedOptions { dtype: F32 },
            needed [dtype], enums [dtype: Dtype, order: SortOrder], switches [strict], reserved [reserved], others [],
            |ctx, options, at| unsafe { gpumex_check_sorted(ctx, options, at.input(0), 4, at.output(0)) },
        ),
    ]
}

fn searches() -> Vec<Operation> {
    vec![
        operation!(
            "gpumex_sorted_search", SortedSearchOptions { dtype: F32, index_dtype: U64 },
            needed [dtype, index_dtype],
            enums [variant: Variant, dtype: Dtype, order: SortOrder, bound: Bound, index_dtype: Dtype],
            switches [], reserved [reserved], others [expression],
            |ctx, options, at| unsafe {
                let none = null_mut();
                gpumex_sorted_search(
                    ctx, options, at.input(0), 4, at.input(1), 4, at.output(0), none, none, none, none,
                )
            },
        ),
        operation!(
            "gpumex_sorted_equality_count", SortedEqualityCountOptions { dtype: F32, index_dtype: U64 },
            needed [dtype, index_dtype],
            enums [variant: Variant, dtype: Dtype, order: SortOrder, index_dtype: Dtype],
            switches [], reserved [], others [],
            |ctx, options, at| unsafe {
                let (a, b, counts) = (at.input(0), at.input(1), at.output(0));
                gpumex_sorted_equality_count(ctx, options, a, 4, b, 4, counts, null_mut())
            },
        ),
        operation!(
            "gpumex_load_balance_search", LoadBalanceSearchOptions { index_dtype: U64 },
            needed [index_dtype], enums [variant: Variant, index_dtype: Dtype],
            switches [], reserved [], others [],
            |ctx, options, at| unsafe {
                gpumex_load_balance_search(ctx, options, 4, at.input(0), 1, at.output(0))
            },
        ),
        operation!(
            "gpumex_interval_expand", IntervalExpandOptions { dtype: F32, index_dtype: U64 },
            needed [dtype, index_dtype], enums [variant: Variant, dtype: Dtype, index_dtype: Dtype],
            switches [], reserved [reserved], others [],
            |ctx, options, at| unsafe {
                gpumex_interval_expand(ctx, options, 4, at.input(0), at.input(1), 1, at.output(0))
            },
        ),
        operation!(
            "gpumex_interval_move", IntervalMoveOptions { dtype: F32, index_dtype: U64 },
            needed [dtype, index_dtype], enums [variant: Variant, dtype: Dtype, index_dtype: Dtype],
            switches [], reserved [reserved], others [],
            |ctx, options, at| unsafe {
                let (scan, from, to) = (at.input(0), at.input(1), at.output(0));
                gpumex_interval_move(ctx, options, 4, null(), null(), scan, 1, from, 4, to, 4)
            },
        ),
        operation!(
            "gpumex_gather", GatherOptions { dtype: F32, index_dtype: U64 }, needed [dtype, index_dtype],
            enums [variant: Variant, dtype: Dtype, index_dtype: Dtype], switches [check], reserved [], others [],
            |ctx, options, at| unsafe { gpumex_gather(ctx, options, at.input(0), 4, at.input(1), 4, at.output(0)) },
        ),
        operation!(
            "gpumex_gather_nd", GatherNdOptions { dtype: F32, shape: FOUR.as_ptr() },
            needed [dtype], enums [variant: Variant, dtype: Dtype], switches [check], reserved [],
            others [rank, shape, counts, starts, steps, wraps, indices, index_dtypes] pointers [shape],
            |ctx, options, at| unsafe { gpumex_gather_nd(ctx, options, at.input(0), at.output(0)) },
        ),
        operation!(
            "gpumex_scatter_nd", ScatterNdOptions { dtype: F32, shape: FOUR.as_ptr() },
            needed [dtype], enums [variant: Variant, dtype: Dtype], switches [check, broadcast, last], reserved [],
            others [rank, shape, counts, starts, steps, wraps, indices, index_dtypes] pointers [shape],
            |ctx, options, at| unsafe { gpumex_scatter_nd(ctx, options, at.input(0), at.output(0)) },
        ),
        operation!(
            "gpumex_permute", PermuteOptions { dtype: F32 },
            needed [dtype], enums [variant: Variant, dtype: Dtype], switches [], reserved [reserved], others [rank],
            |ctx, options, at| unsafe {
                gpumex_permute(ctx, options, at.input(0), FOUR.as_ptr(), [0].as_ptr(), at.output(0))
            },
        ),
        operation!(
            "gpumex_scatter", ScatterOptions { dtype: F32, index_dtype: U64 }, needed [dtype, index_dtype],
            enums [variant: Variant, dtype: Dtype, index_dtype: Dtype], switches [check], reserved [], others [],
            |ctx, options, at| unsafe { gpumex_scatter(ctx, options, at.input(0), at.input(1), 4, at.output(0), 4) },
        ),
        operation!(
            "gpumex_bulk_insert", BulkInsertOptions { dtype: F32, index_dtype: U64 },
            needed [dtype, index_dtype], enums [variant: Variant, dtype: Dtype, index_dtype: Dtype],
            switches [], reserved [reserved], others [],
            |ctx, options, at| unsafe {
                let (a, indices, b) = (at.input(0), at.input(1), at.input(2));
                gpumex_bulk_insert(ctx, options, a, indices, 4, b, 4, at.output(0))
            },
        ),
        operation!(
            "gpumex_bulk_remove", BulkRemoveOptions { dtype: F32, index_dtype: U64 },
            needed [dtype, index_dtype], enums [variant: Variant, dtype: Dtype, index_dtype: Dtype],
            switches [], reserved [reserved], others [],
            |ctx, options, at| unsafe {
                gpumex_bulk_remove(ctx, options, at.input(0), 4, at.input(1), 1, at.output(0))
            },
        ),
    ]
}

fn sorts() -> Vec<Operation> {
    vec![
        operation!(
            "gpumex_sort", SortOptions { dtype: F32, value_dtype: F32, index_dtype: U64 },
            needed [dtype, value_dtype if payload == Payload::Values, index_dtype if payload == Payload::Indices],
            enums [variant: SortVariant, dtype: Dtype, order: SortOrder, payload: Payload, value_dtype: Dtype,
                index_dtype: Dtype],
            switches [], reserved [], others [expression],
            |ctx, options, at| unsafe {
                gpumex_sort(ctx, options, at.input(0), at.input(1), 4, at.output(0), at.output(1))
            },
        ),
        operation!(
            "gpumex_locality_sort", LocalitySortOptions { dtype: F32, value_dtype: F32, index_dtype: U64 },
            needed [dtype, value_dtype if payload == Payload::Values, index_dtype if payload == Payload::Indices],
            enums [variant: Variant, dtype: Dtype, order: SortOrder, payload: Payload, value_dtype: Dtype,
                index_dtype: Dtype],
            switches [], reserved [], others [],
            |ctx, options, at| unsafe {
                gpumex_locality_sort(ctx, options, at.input(0), at.input(1), 4, at.output(0), at.output(1))
            },
        ),
        operation!(
            "gpumex_segmented_sort", SegmentedSortOptions { dtype: F32, value_dtype: F32, index_dtype: U64 },
            needed [dtype, index_dtype, value_dtype if payload == Payload::Values],
            enums [variant: Variant, dtype: Dtype, order: SortOrder, payload: Payload, value_dtype: Dtype,
                index_dtype: Dtype, segments_by: Segments],
            switches [], reserved [reserved], others [],
            |ctx, options, at| unsafe {
                let (keys, values, segments) = (at.input(0), at.input(1), at.input(2));
                let (sorted, sorted_values) = (at.output(0), at.output(1));
                gpumex_segmented_sort(ctx, options, keys, values, 4, segments, 1, sorted, sorted_values)
            },
        ),
        operation!(
            "gpumex_merge", MergeOptions { dtype: F32, value_dtype: F32, index_dtype: U64 },
            needed [dtype, value_dtype if payload == Payload::Values, index_dtype if payload == Payload::Indices],
            enums [variant: Variant, dtype: Dtype, order: SortOrder, payload: Payload, value_dtype: Dtype,
                index_dtype: Dtype],
            switches [], reserved [], others [expression],
            |ctx, options, at| unsafe {
                let [a, a_values, b, b_values] = [0, 1, 2, 3].map(|index| at.input(index));
                gpumex_merge(ctx, options, a, a_values, 4, b, b_values, 4, at.output(0), at.output(1))
            },
        ),
    ]
}

fn sets() -> Vec<Operation> {
    vec![
        operation!(
            "gpumex_set_operation", SetOperationOptions { dtype: F32, value_dtype: F32, index_dtype: U64 },
            needed [dtype, value_dtype if payload == Payload::Values, index_dtype if payload == Payload::Indices],
            enums [variant: Variant, dtype: Dtype, order: SortOrder, op: SetOperator, payload: Payload,
                value_dtype: Dtype, index_dtype: Dtype],
            switches [distinct], reserved [], others [],
            |ctx, options, at| unsafe {
                let [a, a_values, b, b_values] = [0, 1, 2, 3].map(|index| at.input(index));
                let (keys, values, needed) = (at.output(0), at.output(1), at.output(2));
                gpumex_set_operation(ctx, options, a, a_values, 4, b, b_values, 4, keys, values, 8, needed)
            },
        ),
        operation!(
            "gpumex_join", JoinOptions { dtype: F32, index_dtype: U64 },
            needed [dtype, index_dtype],
            enums [variant: Variant, dtype: Dtype, order: SortOrder, kind: JoinKind, index_dtype: Dtype],
            switches [], reserved [reserved], others [],
            |ctx, options, at| unsafe {
                let (a, b, needed) = (at.input(0), at.input(1), at.output(2));
                gpumex_join(ctx, options, a, 4, b, 4, at.output(0), at.output(1), 16, needed)
            },
        ),
        operation!(
            "gpumex_compact", CompactOptions { dtype: F32, index_dtype: U64 },
            needed [dtype, index_dtype], enums [variant: Variant, dtype: Dtype, index_dtype: Dtype],
            switches [], reserved [reserved], others [],
            |ctx, options, at| unsafe {
                let (data, flags, needed) = (at.input(0), at.input(1), at.output(2));
                gpumex_compact(ctx, options, data, flags, 4, at.output(0), at.output(1), 4, needed)
            },
        ),
        operation!(
            "gpumex_reduce_by_key", ReduceByKeyOptions { dtype: F32, key_dtype: F32, index_dtype: U64 },
            needed [dtype, key_dtype, index_dtype],
            enums [variant: Variant, dtype: Dtype, op: Operator, key_dtype: Dtype, index_dtype: Dtype],
            switches [], reserved [reserved], others [expression],
            |ctx, options, at| unsafe {
                let (keys, data, needed) = (at.input(0), at.input(1), at.output(2));
                let (unique_keys, results, offsets) = (at.output(0), at.output(1), at.output(3));
                gpumex_reduce_by_key(ctx, options, keys, data, 4, unique_keys, results, offsets, 4, needed)
            },
        ),
    ]
}

fn segments() -> Vec<Operation> {
    vec![
        operation!(
            "gpumex_segmented_reduce", SegmentedReduceOptions { dtype: F32, index_dtype: U64 },
            needed [dtype, index_dtype],
            enums [variant: Variant, dtype: Dtype, op: Operator, index_dtype: Dtype],
            switches [], reserved [], others [geometry, identity, expression],
            |ctx, options, at| unsafe {
                let (data, offsets) = (at.input(0), at.input(1));
                gpumex_segmented_reduce(ctx, options, data, 4, offsets, 2, null(), at.output(0))
            },
        ),
        operation!(
            "gpumex_segments_prepare", SegmentsPrepareOptions { index_dtype: U64 },
            needed [index_dtype], enums [index_dtype: Dtype], switches [], reserved [reserved], others [],
            |ctx, options, at| unsafe {
                gpumex_segments_prepare(ctx, options, at.input(0), 2, 0, at.output(0), WORDS, at.output(1))
            },
        ),
        operation!(
            "gpumex_spmv", SpmvOptions { dtype: F32, index_dtype: U64 },
            needed [dtype, index_dtype],
            enums [variant: Variant, dtype: Dtype, index_dtype: Dtype, add: Operator, multiply: Operator],
            switches [], reserved [reserved], others [geometry, identity],
            |ctx, options, at| unsafe {
                let [values, columns, offsets, x] = [0, 1, 2, 3].map(|index| at.input(index));
                gpumex_spmv(ctx, options, values, columns, 4, offsets, 2, x, 4, null(), at.output(0))
            },
        ),
    ]
}

fn others() -> Vec<Operation> {
    vec![
        operation!(
            "gpumex_life", LifeOptions {},
            needed [], enums [variant: LifeVariant, boundary: LifeBoundary, cells: LifeCells],
            switches [], reserved [reserved], others [rule],
            |ctx, options, at| unsafe { gpumex_life(ctx, options, at.input(0), 4, 4, 1, at.output(0)) },
        ),
        operation!(
            "gpumex_raytrace", RaytraceOptions {},
            needed [], enums [variant: RaytraceVariant, layout: PictureLayout],
            switches [], reserved [reserved], others [channels],
            |ctx, options, at| unsafe {
                gpumex_raytrace(ctx, options, at.input(0), 4, 4, 4, at.output(0))
            },
        ),
        operation!(
            "gpumex_words", WordsOptions {},
            needed [], enums [variant: Variant, encoding: WordsEncoding],
            switches [fold], reserved [reserved], others [],
            |ctx, options, at| unsafe {
                let [positions, lengths, counts] = [0, 1, 2].map(|index| at.output(index));
                gpumex_words(ctx, options, at.input(0), 16, 4, positions, lengths, counts, null_mut())
            },
        ),
    ]
}
