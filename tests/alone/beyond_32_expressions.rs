//! More than 2^32 elements in expressions, and in reductions and prefixes along a dimension: bytes that are 0, but for two ones, one of
//! them beyond 2^32.

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::model::reduction::DimReduction;
use gpumex::model::stencil::{Boundary, StencilOrder};
use gpumex::ops::scan::ScanKind;

use crate::huge::{FAR, Huge, LONG, LONG_FAR, N, U8, U64, on_each, run};

const ALL: usize = 3 * LONG;
/// Where the ones are: in the first row of LONG elements, and in the second one.
const ONES: [usize; 2] = [5, LONG + LONG_FAR];
/// The inner extents of those elements, the one along which they are reduced, and the outer one.
const SHAPES: [[usize; 3]; 5] = [[1, ALL, 1], [1, LONG, 3], [3, LONG, 1], [LONG, 3, 1], [1, 3, LONG]];

fn two_ones(at: &Huge) -> Option<*mut c_void> {
    let data = at.zeros(ALL)?;
    ONES.iter().for_each(|&place| at.put(data, place, &[1u8]));
    Some(data)
}

/// The sum of so many bytes.
fn sum(at: &Huge, bytes: *const c_void, count: usize) -> u64 {
    (0..).zip(at.histogram(bytes, count)).map(|(byte, count)| byte * count).sum()
}

/// A map of bytes, `strides` those of all inputs.
fn map(
    at: &Huge,
    expression: &CStr,
    inputs: &[*const c_void],
    shape: &[usize],
    strides: Option<&[i64]>,
    result: *mut c_void,
) {
    let dtypes = [U8; 2];
    let options = MapOptions {
        dtype: U8,
        rank: shape.len() as i32,
        dtypes: dtypes.as_ptr(),
        shape: shape.as_ptr(),
        strides: strides.map_or(null(), <[i64]>::as_ptr),
        ..Default::default()
    };
    let (text, inputs, count) = (expression.as_ptr(), inputs.as_ptr(), inputs.len());
    run!(gpumex_map(at.handle(), &options, text, inputs, count, result));
}

#[test]
fn map_of_dense_and_of_strided_arrays() {
    on_each(5, |at| {
        const ROWS: usize = N / 1000;
        let (data, row, result) = (at.zeros(N)?, at.zeros(1000)?, at.zeros(N)?);
        let ones = [3, LONG_FAR, FAR, 1000 * ROWS - 1];
        ones.iter().for_each(|&place| at.put(data, place, &[1u8]));
        map(at, c"5*a + 1", &[data], &[N], None, result);
        ones.iter().for_each(|&place| at.holds(result, place, [6u8]));
        assert_eq!(at.histogram(result, N)[1..7], [N as u64 - 4, 0, 0, 0, 0, 4]);

        // A row that is repeated, and one of columns that are far apart.
        at.put(row, 7, &[5u8]);
        let (shape, strides) = ([1000, ROWS], [1, 1000, 1, 0]);
        map(at, c"a + b", &[data, row], &shape, Some(&strides), result);
        ones.iter().for_each(|&place| at.holds(result, place, [1u8]));
        let counts = [1000 * ROWS - ROWS - 4, 4, 0, 0, 0, ROWS].map(|count| count as u64);
        assert_eq!(at.histogram(result, 1000 * ROWS)[..6], counts);
        at.put(data, 2 * LONG_FAR, &[7u8, 8]);
        map(at, c"a", &[data], &[2, 3], Some(&[1, LONG_FAR as i64]), result);
        at.holds(result, 0, [0u8, 0, 1, 0, 7, 8]);
        Some(())
    });
}

/// A reduction of bytes of this shape: its operator, positions, data and result.
type Reduce<'a> = dyn Fn([usize; 3], DimReduction, *mut c_void, *const c_void, *mut c_void) + 'a;

fn reductions(at: &Huge, reduce: &Reduce) -> Option<()> {
    let (data, result, positions) = (two_ones(at)?, at.zeros(LONG)?, at.zeros(24)?);
    for shape @ [inner, count, outer] in SHAPES {
        for op in [DimReduction::Sum, DimReduction::Any] {
            at.fill(U8, result, inner * outer, 9u8);
            reduce(shape, op, null_mut(), data, result);
            let places = ONES.map(|place| place % inner + place / (inner * count) * inner);
            let (each, all) = match (places[0] == places[1], op) {
                (true, DimReduction::Sum) => (2u8, 2),
                (true, _) => (1, 1),
                (false, _) => (1, 2),
            };
            places.iter().for_each(|&place| at.holds(result, place, [each]));
            assert_eq!(sum(at, result, inner * outer), all, "{op:?} of {shape:?}");
        }
    }
    at.put(data, ONES[1], &[2u8]);
    reduce([1, ALL, 1], DimReduction::Max, positions, data, result);
    assert_eq!((at.get(result, 0), at.get(positions, 0)), ([2u8], [ONES[1] as u64]));
    reduce([3, LONG, 1], DimReduction::Max, positions, data, result);
    assert_eq!(ONES.map(|place| place % 3), [2, 1]);
    at.holds(result, 0, [0u8, 2, 1]);
    at.holds(positions, 0, [0, ONES[1] as u64 / 3, ONES[0] as u64 / 3]);
    Some(())
}

/// That of sums of bytes: sums modulo 256.
fn accumulator(op: DimReduction) -> i32 {
    if op == DimReduction::Sum { U8 } else { Dtype::None as i32 }
}

#[test]
fn reduce_dim() {
    on_each(5, |at| {
        reductions(at, &|[inner, count, outer], op, positions, data, result| {
            let options = ReduceDimOptions {
                dtype: U8,
                op: op as i32,
                accumulator_dtype: accumulator(op),
                index_dtype: U64,
                positions,
                ..Default::default()
            };
            run!(gpumex_reduce_dim(at.handle(), &options, data, inner, count, outer, result));
        })
    });
}

#[test]
fn map_reduce() {
    on_each(7, |at| {
        reductions(at, &|shape, op, positions, data, result| {
            let options = MapReduceOptions {
                dtype: U8,
                rank: 3,
                op: op as i32,
                dimension: 2,
                accumulator_dtype: accumulator(op),
                index_dtype: U64,
                dtypes: &U8,
                shape: shape.as_ptr(),
                positions,
                ..Default::default()
            };
            run!(gpumex_map_reduce(at.handle(), &options, c"3*a - 2*a".as_ptr(), &data, 1, result));
        })
    });
}

/// An inclusive scan of sums of bytes modulo 256: its shape, data and result.
type Scan<'a> = dyn Fn([usize; 3], *const c_void, *mut c_void) + 'a;

fn prefixes(at: &Huge, scan: &Scan) -> Option<()> {
    let (data, sums) = (two_ones(at)?, at.zeros(ALL)?);
    for shape @ [inner, count, _] in SHAPES {
        scan(shape, data, sums);
        let mut want = 0;
        for place in ONES {
            let along = place / inner % count;
            let before = if along > 0 { at.get::<u8, 1>(sums, place - inner)[0] } else { 0 };
            at.holds(sums, place, [before + 1]);
            want += (count - along) as u64;
        }
        assert_eq!(sum(at, sums, ALL), want, "{shape:?}");
    }
    Some(())
}

#[test]
fn scan_dim() {
    on_each(9, |at| {
        prefixes(at, &|[inner, count, outer], data, sums| {
            let options = ScanDimOptions {
                dtype: U8,
                kind: ScanKind::Inclusive as i32,
                accumulator_dtype: U8,
                ..Default::default()
            };
            run!(gpumex_scan_dim(at.handle(), &options, data, inner, count, outer, sums));
        })
    });
}

#[test]
fn map_scan() {
    on_each(10, |at| {
        prefixes(at, &|shape, data, sums| {
            let options = MapScanOptions {
                dtype: U8,
                rank: 3,
                dimension: 2,
                kind: ScanKind::Inclusive as i32,
                accumulator_dtype: U8,
                dtypes: &U8,
                shape: shape.as_ptr(),
                ..Default::default()
            };
            run!(gpumex_map_scan(at.handle(), &options, c"3*a - 2*a".as_ptr(), &data, 1, sums));
        })
    });
}

/// Neighbours in memory, and in the next row or column, of boards with more than 2^31 columns or rows.
#[test]
fn stencil() {
    on_each(7, |at| {
        let (data, result, one) = (two_ones(at)?, at.zeros(ALL)?, ONES[1]);
        for (order, rows, cols) in [
            (StencilOrder::Row, 3, LONG),
            (StencilOrder::Row, LONG, 3),
            (StencilOrder::Column, LONG, 3),
            (StencilOrder::Column, 3, LONG),
        ] {
            let (line, expression) = match order {
                StencilOrder::Row => (cols, c"a(0,-1) + 2*a(-1,0)"),
                StencilOrder::Column => (rows, c"a(-1,0) + 2*a(0,-1)"),
            };
            let options = StencilOptions {
                dtype: U8,
                boundary: Boundary::Dead as i32,
                order: order as i32,
                dtypes: &U8,
                ..Default::default()
            };
            let inputs = data.cast_const();
            run!(gpumex_stencil(at.handle(), &options, expression.as_ptr(), &inputs, 1, rows, cols, result));
            let at_end = |place: usize| u64::from((place + 1).is_multiple_of(line));
            let next = 2 - ONES.map(at_end).iter().sum::<u64>();
            assert_eq!(at.histogram(result, ALL)[..3], [ALL as u64 - 2 - next, next, 2], "{rows} x {cols}");
            at.holds(result, one + line, [2u8]);
            at.holds(result, one + 1, [1u8]);
        }
        Some(())
    });
}
