//! Life as one expression is gpumex_life, of every size; the order of memory.

use gpumex::ffi::{LifeOptions, StencilOptions, gpumex_life, gpumex_stencil};
use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::life::LifeBoundary;
use gpumex::model::stencil::Boundary;

use super::calls::{Grid, bytes_of, computed};
use crate::common::*;
use crate::map::arrays::{Array, Number};

const SUM: &str = "(a(-1,-1) + a(-1,0) + a(-1,1) + a(0,-1) + a(0,1) + a(1,-1) + a(1,0) + a(1,1))";

fn board(seed: u64, rows: usize, cols: usize) -> Array {
    Array::ints(Dtype::Bool, random_board(seed, rows * cols).into_iter().map(i128::from))
}

#[test]
fn one_expression_is_a_generation_of_life() {
    let text = format!("(a & ({SUM} == 2)) | ({SUM} == 3)");
    let boundaries = [
        (Boundary::Clamp, LifeBoundary::Clamp),
        (Boundary::Dead, LifeBoundary::Dead),
        (Boundary::Torus, LifeBoundary::Torus),
    ];
    for ctx in backends() {
        for [rows, cols] in
            [[1, 1], [3, 7], [64, 64], [127, 300], [65, 1024], [200, 777], [size(4096, 300), 4096]]
        {
            for (boundary, of_life) in boundaries {
                let (grid, array) =
                    (Grid { rows, cols, boundary, constant: 0.0 }, board(cols as u64, rows, cols));
                let (bytes, mut want) = (array.bytes(), vec![9u8; rows * cols]);
                let options = LifeOptions { boundary: of_life as i32, ..LifeOptions::default() };
                // SAFETY: rows·cols bytes each.
                let status = unsafe {
                    let (from, to) = (bytes.as_ptr().cast(), want.as_mut_ptr().cast());
                    gpumex_life(ctx.handle, &options, from, rows, cols, 1, to)
                };
                ok(status, "gpumex_life");
                for rules in [Rules::C, Rules::Matlab] {
                    let got = bytes_of(
                        &ctx,
                        None,
                        (rules, &text),
                        &grid,
                        std::slice::from_ref(&array),
                        Dtype::Bool,
                    );
                    assert!(got == want, "{:?}, {rules:?}, {grid:?}", ctx.backend);
                }
            }
        }
    }
}

/// The sum of bytes as each dtype.
#[test]
fn the_number_of_neighbours_has_any_dtype() {
    let dtypes =
        [Dtype::F64, Dtype::F32, Dtype::I8, Dtype::I16, Dtype::I32, Dtype::I64, Dtype::U16, Dtype::U64];
    for ctx in backends() {
        let grid = Grid { rows: 70, cols: 301, boundary: Boundary::Dead, constant: 0.0 };
        let array = board(3, grid.rows, grid.cols);
        let want = computed(&ctx, (Rules::C, SUM), &grid, std::slice::from_ref(&array), Dtype::U8);
        for dtype in dtypes {
            let got = computed(&ctx, (Rules::C, SUM), &grid, std::slice::from_ref(&array), dtype);
            for (got, want) in got.iter().zip(&want) {
                assert_eq!(got.to_f64(), want.to_f64(), "{dtype:?}");
            }
        }
    }
}

#[test]
fn column_major_arrays_have_rows_and_columns_too() {
    for ctx in backends() {
        let (rows, cols) = (5, 300);
        let values: Vec<f32> = random_f32(1, rows * cols);
        let dtypes = [Dtype::F32 as i32];
        let options = StencilOptions {
            dtype: Dtype::F32 as i32,
            order: 1,
            boundary: Boundary::Torus as i32,
            dtypes: dtypes.as_ptr(),
            ..StencilOptions::default()
        };
        let (mut from, mut to) =
            (Placed::holding(&ctx, None, &values), Placed::<f32>::new(&ctx, None, rows * cols));
        // SAFETY: rows·cols elements each.
        let status = unsafe {
            gpumex_stencil(
                ctx.handle,
                &options,
                c"a(1,-2)".as_ptr(),
                [from.as_ptr()].as_ptr(),
                1,
                rows,
                cols,
                to.as_mut_ptr(),
            )
        };
        ok(status, "a(1,-2)");
        let got = to.written();
        for col in 0..cols {
            for row in 0..rows {
                let source = (row + 1) % rows + (col + cols - 2) % cols * rows;
                assert_eq!(got[row + col * rows], values[source]);
            }
        }
    }
}

/// No element, no input: nothing is read, and a constant is written.
#[test]
fn empty_arrays_and_no_input() {
    for ctx in backends() {
        for [rows, cols] in [[0, 0], [0, 5], [5, 0]] {
            let grid = Grid { rows, cols, boundary: Boundary::Clamp, constant: 0.0 };
            let none = Array::ints(Dtype::U8, []);
            assert!(computed(&ctx, (Rules::C, "a(1,1)"), &grid, &[none], Dtype::U8).is_empty());
        }
        let grid = Grid { rows: 3, cols: 100, boundary: Boundary::Clamp, constant: 0.0 };
        for dtype in [Dtype::U8, Dtype::F64] {
            let got = computed(&ctx, (Rules::C, "1 + 2"), &grid, &[], dtype);
            assert!(got.len() == 300 && got.iter().all(|got| got.to_f64() == 3.0));
        }
        let got = computed(&ctx, (Rules::C, "sin (0.5)"), &grid, &[], Dtype::F64);
        assert!(got.iter().all(|got| got.is(Number::Float(0.5f64.sin()))));
    }
}
