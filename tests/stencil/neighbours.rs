//! Each neighbour of each dtype, boundary and size is the element that the definition says.

use std::ffi::c_void;

use gpumex::ffi::{StencilOptions, gpumex_stencil};
use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::stencil::Boundary;

use super::calls::{Grid, bytes_of, computed};
use crate::common::*;
use crate::map::arrays::{Array, DTYPES, Number};

/// Elements that tell their places, as far as the dtype can.
fn numbered(dtype: Dtype, count: usize) -> Array {
    match dtype.integers() {
        None => Array::floats(dtype, (0..count).map(|i| i as f64 - 100.5)),
        Some(_) if dtype == Dtype::Bool => Array::ints(dtype, (0..count).map(|i| (i * i / 3 % 2) as i128)),
        Some(range) => Array::ints(
            dtype,
            (0..count).map(|i| {
                let (low, high) = (*range.start(), (*range.end()).min(1 << 60));
                low + (i as i128 * 7919) % (high - low)
            }),
        ),
    }
}

#[track_caller]
fn neighbour_agrees(ctx: &Context, grid: &Grid, dtype: Dtype, [rows, cols]: [i64; 2]) {
    let array = numbered(dtype, grid.rows * grid.cols);
    let text = format!("a({rows}, {cols})");
    let got = computed(ctx, (Rules::Matlab, &text), grid, std::slice::from_ref(&array), dtype);
    for row in 0..grid.rows {
        for col in 0..grid.cols {
            let want = grid.element(&array, row as i64 + rows, col as i64 + cols);
            let got = got[row * grid.cols + col];
            assert!(
                got.is(want),
                "{:?}: {text} of {dtype:?} {grid:?}, at {row}, {col}: {got:?} instead of {want:?}",
                ctx.backend
            );
        }
    }
}

const SIZES: [[usize; 2]; 15] = [
    [1, 1],
    [1, 2],
    [2, 1],
    [1, 700],
    [700, 1],
    [3, 5],
    [5, 3],
    [16, 16],
    [33, 257],
    [70, 100],
    [9, 1030],
    [8, 2048],
    [129, 64],
    [67, 516],
    [40, 272],
];

#[test]
fn every_boundary_of_every_size() {
    for ctx in backends() {
        let mut seed = 0;
        for [rows, cols] in SIZES {
            for &boundary in Boundary::ALL {
                for dtype in [Dtype::U8, Dtype::Bool, Dtype::I16, Dtype::F32, Dtype::F64] {
                    seed += 1;
                    let mut random = random(seed);
                    let far = [random.random_range(-7..=7), random.random_range(-7..=7)];
                    let near = [random.random_range(-1..=1), random.random_range(-1..=1)];
                    let grid = Grid { rows, cols, boundary, constant: 3.0 };
                    neighbour_agrees(&ctx, &grid, dtype, far);
                    neighbour_agrees(&ctx, &grid, dtype, near);
                }
            }
        }
    }
}

#[test]
fn every_offset() {
    for ctx in backends() {
        for rows in -7..=7 {
            for cols in -7..=7 {
                let grid = Grid { rows: 19, cols: 48, boundary: Boundary::Torus, constant: 0.0 };
                neighbour_agrees(&ctx, &grid, Dtype::U8, [rows, cols]);
                neighbour_agrees(&ctx, &grid, Dtype::I32, [rows, cols]);
            }
        }
    }
}

#[test]
fn every_dtype_and_constant() {
    for ctx in backends() {
        for dtype in DTYPES {
            for constant in [-2.5, 0.0, 1e30, f64::NAN, 200.5] {
                let grid = Grid { rows: 6, cols: 37, boundary: Boundary::Constant, constant };
                neighbour_agrees(&ctx, &grid, dtype, [-2, 3]);
            }
        }
    }
}

/// Sixteen inputs at all corners of the greatest radius: more than shared memory holds on most devices.
#[test]
fn sixteen_inputs_with_far_neighbours() {
    let names = "abcdefghijklmnop";
    let corners = ["(-7,-7)", "(-7,7)", "(7,-7)", "(7,7)"];
    for ctx in backends() {
        for dtype in [Dtype::F32, Dtype::F64, Dtype::I64, Dtype::U8] {
            for [rows, cols] in [[50, 150], [300, 90]] {
                let grid = Grid { rows, cols, boundary: Boundary::Reflect, constant: 0.0 };
                let arrays: Vec<Array> = (0..16)
                    .map(|i| {
                        let ints = (0..rows * cols).map(|k| ((k * 31 + i * 17) % 97) as i128);
                        match dtype.is_float() {
                            true => Array::floats(dtype, ints.map(|value| value as f64)),
                            false => Array::ints(dtype, ints),
                        }
                    })
                    .collect();
                let terms: Vec<String> =
                    names.chars().enumerate().map(|(i, name)| format!("{name}{}", corners[i % 4])).collect();
                let text = format!("double ({})", terms.join(") + double ("));
                let got = computed(&ctx, (Rules::C, &text), &grid, &arrays, Dtype::F64);
                let offsets = [[-7, -7], [-7, 7], [7, -7], [7, 7]];
                for (at, got) in got.iter().enumerate() {
                    let (row, col) = ((at / cols) as i64, (at % cols) as i64);
                    let want: f64 = (0..16)
                        .map(|i| {
                            let [y, x] = offsets[i % 4];
                            grid.element(&arrays[i], row + y, col + x).to_f64()
                        })
                        .sum();
                    assert!(
                        got.is(Number::Float(want)),
                        "{:?}, {dtype:?}: {got:?}, {want}, at {at}",
                        ctx.backend
                    );
                }
            }
        }
    }
}

#[test]
fn memory_of_each_kind_and_misaligned_rows() {
    for ctx in backends() {
        for kind in EVERYWHERE {
            for cols in [500, 513, 512] {
                let grid = Grid { rows: 70, cols, boundary: Boundary::Clamp, constant: 0.0 };
                let array = numbered(Dtype::U8, grid.rows * cols);
                let got = bytes_of(
                    &ctx,
                    kind,
                    (Rules::C, "a(-1,1)"),
                    &grid,
                    std::slice::from_ref(&array),
                    Dtype::U8,
                );
                for (at, got) in got.iter().enumerate() {
                    let (row, col) = ((at / cols) as i64, (at % cols) as i64);
                    assert!(
                        grid.element(&array, row - 1, col + 1).is(Number::Int((*got).into())),
                        "{kind:?} {cols} {at}"
                    );
                }
            }
        }
    }
}

/// Arrays that begin anywhere in memory: a byte behind the start of an allocation.
#[test]
fn arrays_begin_at_any_byte() {
    let (rows, cols) = (40, 96);
    for ctx in backends() {
        for kind in EVERYWHERE {
            for (from, to) in [(0, 1), (1, 0), (3, 5), (8, 4)] {
                let bytes = random_bytes(from as u64, from + rows * cols);
                let mut source = Placed::holding(&ctx, kind, &bytes);
                let mut result = Placed::<u8>::holding(&ctx, kind, &vec![7; to + rows * cols]);
                let dtypes = [Dtype::U8 as i32];
                let options = StencilOptions {
                    dtype: Dtype::U8 as i32,
                    dtypes: dtypes.as_ptr(),
                    ..StencilOptions::default()
                };
                let inputs: [*const c_void; 1] = [source.at::<c_void>(from).cast_const()];
                let at = result.at::<c_void>(to);
                // SAFETY: rows·cols bytes from there on.
                let status = unsafe {
                    gpumex_stencil(
                        ctx.handle,
                        &options,
                        c"min (a, a(1, 2))".as_ptr(),
                        inputs.as_ptr(),
                        1,
                        rows,
                        cols,
                        at,
                    )
                };
                ok(status, format!("{kind:?} {from} {to}"));
                let got = result.written();
                assert!(got[..to].iter().all(|&byte| byte == 7));
                let board = &bytes[from..];
                for row in 0..rows {
                    for col in 0..cols {
                        let neighbour = board[(row + 1).min(rows - 1) * cols + (col + 2).min(cols - 1)];
                        assert_eq!(got[to + row * cols + col], board[row * cols + col].min(neighbour));
                    }
                }
            }
        }
    }
}
