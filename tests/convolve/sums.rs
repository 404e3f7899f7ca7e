//! Sums of every dtype, shape, boundary and size.

use gpumex::model::dtype::Dtype;
use gpumex::model::stencil::Boundary;
use gpumex::model::window::{ConvolveKind, ConvolveShape};

use super::calls::*;
use crate::common::*;
use crate::map::arrays::{Array, DTYPES, Number};
use crate::stencil::calls::Grid;

const SHAPES: [ConvolveShape; 3] = [ConvolveShape::Same, ConvolveShape::Full, ConvolveShape::Valid];
const KINDS: [ConvolveKind; 2] = [ConvolveKind::Convolution, ConvolveKind::Correlation];

/// A whole sum as a result of a dtype: rounded and saturated.
fn stored(to: Dtype, sum: f64) -> Number {
    match to.integers() {
        None => Number::Float(sum),
        Some(_) if to == Dtype::Bool => Number::Int((sum != 0.0).into()),
        Some(range) => Number::Int((sum.round() as i128).clamp(*range.start(), *range.end())),
    }
}

/// Sums of whole numbers, which are exact.
#[track_caller]
fn agrees(ctx: &Context, kind: Kind, filter: &Filter, grid: &Grid, data: &Array, to: Dtype) {
    if is_not_in_share() {
        return;
    }
    let sum = |products: Vec<(Number, Number)>| products.iter().map(|(w, x)| w.to_f64() * x.to_f64()).sum();
    let want: Vec<Number> =
        filter.products(grid, data).into_iter().map(sum).map(|sum| stored(to, sum)).collect();
    for bytes in convolved(ctx, kind, (filter, grid), data, (to, 0)) {
        for (at, (got, want)) in numbers(to, &bytes).into_iter().zip(&want).enumerate() {
            assert!(
                got.is(*want) || got.to_f64() == 0.0 && want.to_f64() == 0.0,
                "{:?}: {at} is {got:?}, not {want:?}: {grid:?} {:?}×{:?} {:?} {:?} {:?} {to:?}",
                ctx.backend,
                filter.rows,
                filter.cols,
                filter.shape,
                filter.kind,
                data.dtype,
            );
        }
    }
}

fn filter(weights: Dtype, rows: usize, cols: usize, shape: ConvolveShape, kind: ConvolveKind) -> Filter {
    Filter { weights: whole(weights, (rows * 64 + cols) as u64, rows * cols), rows, cols, shape, kind }
}

#[test]
fn every_shape_boundary_and_small_size() {
    for ctx in backends() {
        for [rows, cols, m, n] in [
            [1, 1, 1, 1],
            [1, 1, 3, 3],
            [2, 3, 5, 4],
            [7, 9, 3, 3],
            [9, 7, 2, 4],
            [1, 70, 1, 5],
            [70, 1, 5, 1],
            [3, 300, 7, 3],
            [40, 20, 9, 12],
        ] {
            for boundary in BOUNDARIES {
                let grid = Grid { rows, cols, boundary, constant: 3.0 };
                for (shape, kind) in SHAPES.into_iter().flat_map(|shape| KINDS.map(|kind| (shape, kind))) {
                    let data = whole(Dtype::F64, 7, rows * cols);
                    agrees(&ctx, None, &filter(Dtype::F64, m, n, shape, kind), &grid, &data, Dtype::F64);
                }
            }
        }
    }
}

#[test]
fn every_dtype_is_summed_and_stored_as_every_dtype() {
    for ctx in backends() {
        for dtype in DTYPES {
            let sums: &[Dtype] = if dtype.is_float() {
                &[Dtype::F32, Dtype::F64]
            } else {
                &[Dtype::F32, Dtype::F64, Dtype::I32, Dtype::I64]
            };
            for (&weights, to) in sums.iter().flat_map(|weights| DTYPES.map(|to| (weights, to))) {
                for boundary in [Boundary::Constant, Boundary::Dead] {
                    let grid = Grid { rows: 6, cols: 75, boundary, constant: 5.0 };
                    let data = whole(dtype, 3, grid.rows * grid.cols);
                    let filter = filter(weights, 3, 4, ConvolveShape::Same, ConvolveKind::Convolution);
                    agrees(&ctx, None, &filter, &grid, &data, to);
                }
            }
        }
    }
}

/// Beyond a tile of the result and a part of the filter, in both directions.
#[test]
fn large_arrays_and_large_filters() {
    for ctx in backends() {
        for [rows, cols, m, n] in [
            [67, 301, 3, 3],
            [130, 65, 8, 8],
            [33, 257, 9, 7],
            [70, 40, 16, 33],
            [40, 90, 17, 31],
            [31, 31, 31, 31],
            [20, 30, 70, 80],
            [size(700, 100), size(900, 300), 5, 5],
        ] {
            for dtype in [Dtype::F32, Dtype::F64, Dtype::I32, Dtype::I64] {
                let grid = Grid { rows, cols, boundary: Boundary::Reflect, constant: 0.0 };
                let data = whole(dtype, 5, rows * cols);
                let shape = if m > 50 { ConvolveShape::Same } else { ConvolveShape::Full };
                agrees(
                    &ctx,
                    None,
                    &filter(dtype, m, n, shape, ConvolveKind::Convolution),
                    &grid,
                    &data,
                    dtype,
                );
            }
        }
    }
}

#[test]
fn arrays_may_lie_anywhere() {
    for ctx in backends() {
        for kind in EVERYWHERE {
            let grid = Grid { rows: 40, cols: 70, boundary: Boundary::Mirror, constant: 0.0 };
            let filter = filter(Dtype::F32, 3, 5, ConvolveShape::Same, ConvolveKind::Correlation);
            agrees(&ctx, kind, &filter, &grid, &whole(Dtype::U8, 1, 2800), Dtype::U8);
        }
    }
}

/// Columns of a column-major array are the rows of its transpose.
#[test]
fn the_order_of_columns() {
    for ctx in backends() {
        let grid = Grid { rows: 9, cols: 40, boundary: Boundary::Torus, constant: 0.0 };
        let filter = filter(Dtype::F64, 3, 4, ConvolveShape::Full, ConvolveKind::Convolution);
        let data = whole(Dtype::F64, 2, 360);
        let transposed = |array: &Array, rows: usize, cols: usize| Array {
            dtype: array.dtype,
            numbers: (0..rows * cols).map(|at| array.numbers[at % rows * cols + at / rows]).collect(),
        };
        let by_rows = convolved(&ctx, None, (&filter, &grid), &data, (Dtype::F64, 0));
        let [rows, cols] = filter.result(&grid);
        let turned = Filter { weights: transposed(&filter.weights, 3, 4), ..filter };
        let by_cols = convolved(&ctx, None, (&turned, &grid), &transposed(&data, 9, 40), (Dtype::F64, 1));
        for (by_rows, by_cols) in by_rows.iter().zip(&by_cols) {
            let [by_rows, by_cols] = [by_rows, by_cols].map(|bytes| numbers(Dtype::F64, bytes));
            for at in 0..rows * cols {
                assert!(by_cols[at].is(by_rows[at % rows * cols + at / rows]), "{:?}: {at}", ctx.backend);
            }
        }
    }
}

#[test]
fn sums_of_floats_are_within_their_bound() {
    for ctx in backends() {
        for (dtype, unit) in [(Dtype::F32, (-24f64).exp2()), (Dtype::F64, (-53f64).exp2())] {
            for [m, n] in [[3, 3], [7, 5], [15, 15], [31, 31]] {
                let grid = Grid { rows: 50, cols: 90, boundary: Boundary::Clamp, constant: 0.0 };
                let values = |seed, count| {
                    Array::floats(dtype, random_f32(seed, count).into_iter().map(|x| f64::from(x) - 0.5))
                };
                let (data, weights) = (values(1, 4500), values(2, m * n));
                let filter = Filter {
                    weights,
                    rows: m,
                    cols: n,
                    shape: ConvolveShape::Same,
                    kind: ConvolveKind::Convolution,
                };
                let products = filter.products(&grid, &data);
                let k = (m * n + 2) as f64 * unit;
                for bytes in convolved(&ctx, None, (&filter, &grid), &data, (dtype, 0)) {
                    for (got, products) in numbers(dtype, &bytes).into_iter().zip(&products) {
                        let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
                            products.iter().map(|(w, x)| f(w.to_f64() * x.to_f64())).sum()
                        };
                        // The plain sum in double has an error of its own, which the second bound allows for double.
                        let bound = 2.0 * k / (1.0 - k) * sum(&f64::abs);
                        let error = (got.to_f64() - sum(&|x| x)).abs();
                        assert!(error <= bound, "{:?} {dtype:?} {m}×{n}: {error} > {bound}", ctx.backend);
                    }
                }
            }
        }
    }
}

#[test]
fn weights_of_zero_add_nothing() {
    for ctx in backends() {
        for dtype in [Dtype::F32, Dtype::F64] {
            let mut values = vec![1.0; 300];
            values[150] = f64::NAN;
            values[20] = f64::INFINITY;
            let grid = Grid { rows: 10, cols: 30, boundary: Boundary::Dead, constant: 0.0 };
            let weights = Array::floats(dtype, [0.0, 1.0, -0.0, 0.0, 0.0, 2.0]);
            let filter = Filter {
                weights,
                rows: 2,
                cols: 3,
                shape: ConvolveShape::Same,
                kind: ConvolveKind::Correlation,
            };
            let data = Array::floats(dtype, values);
            let products = filter.products(&grid, &data);
            for bytes in convolved(&ctx, None, (&filter, &grid), &data, (dtype, 0)) {
                for (got, products) in numbers(dtype, &bytes).into_iter().zip(&products) {
                    let want: f64 = products.iter().map(|(w, x)| w.to_f64() * x.to_f64()).sum();
                    assert!(got.is(Number::Float(want + 0.0)), "{:?}: {got:?}, not {want}", ctx.backend);
                }
            }
            let nothing = Filter { weights: Array::floats(dtype, [0.0; 6]), ..filter };
            for bytes in convolved(&ctx, None, (&nothing, &grid), &data, (dtype, 0)) {
                assert!(bytes.iter().all(|&byte| byte == 0), "zeros without a sign");
            }
        }
    }
}

#[test]
fn integers_wrap_and_results_saturate() {
    for ctx in backends() {
        for (dtype, weights) in [
            (Dtype::U32, Dtype::I32),
            (Dtype::I32, Dtype::I32),
            (Dtype::U64, Dtype::I64),
            (Dtype::I64, Dtype::I64),
        ] {
            let bytes = random_bytes(9, 800 * 8);
            let all = |dtype: Dtype, skip: usize, count: usize| Array {
                dtype,
                numbers: numbers(dtype, &bytes[skip..][..count * dtype.size()]),
            };
            let grid = Grid { rows: 8, cols: 80, boundary: Boundary::Torus, constant: 0.0 };
            let filter = Filter {
                weights: all(weights, 8, 6),
                rows: 2,
                cols: 3,
                shape: ConvolveShape::Same,
                kind: ConvolveKind::Convolution,
            };
            let data = all(dtype, 64, 640);
            let products = filter.products(&grid, &data);
            for to in [weights, Dtype::I8, Dtype::U16, Dtype::U64] {
                for bytes in convolved(&ctx, None, (&filter, &grid), &data, (to, 0)) {
                    for (got, products) in numbers(to, &bytes).into_iter().zip(&products) {
                        let sum = products.iter().fold(0i64, |sum, pair| match pair {
                            (Number::Int(w), Number::Int(x)) => {
                                sum.wrapping_add((*w as i64).wrapping_mul(*x as i64))
                            }
                            _ => unreachable!("integers"),
                        });
                        let sum = if weights == Dtype::I32 { i64::from(sum as i32) } else { sum };
                        let range = to.integers().expect("an integer type");
                        let want = Number::Int(i128::from(sum).clamp(*range.start(), *range.end()));
                        assert!(got.is(want), "{:?} {dtype:?} {to:?}: {got:?}, not {want:?}", ctx.backend);
                    }
                }
            }
        }
    }
}

/// Halves go away from zero, NaN is 0, infinities saturate.
#[test]
fn floats_are_rounded_to_integers() {
    for ctx in backends() {
        for dtype in [Dtype::F32, Dtype::F64] {
            let values = [
                0.5,
                -0.5,
                1.5,
                2.5,
                -2.5,
                0.49999997,
                f64::NAN,
                f64::INFINITY,
                -f64::INFINITY,
                300.0,
                -300.0,
                1e30,
            ];
            let data = Array::floats(dtype, values);
            let grid = Grid { rows: 1, cols: values.len(), boundary: Boundary::Dead, constant: 0.0 };
            let filter = Filter {
                weights: Array::floats(dtype, [1.0]),
                rows: 1,
                cols: 1,
                shape: ConvolveShape::Same,
                kind: ConvolveKind::Convolution,
            };
            for to in
                [Dtype::I8, Dtype::U8, Dtype::I16, Dtype::U16, Dtype::I32, Dtype::U32, Dtype::I64, Dtype::U64]
            {
                let (low, high) = to.integers().expect("an integer type").into_inner();
                for bytes in convolved(&ctx, None, (&filter, &grid), &data, (to, 0)) {
                    for (got, value) in numbers(to, &bytes).into_iter().zip(values) {
                        let want = Number::Int((value.round() as i128).clamp(low, high));
                        assert!(got.is(want), "{:?} {dtype:?} {to:?}: {value} is {got:?}", ctx.backend);
                    }
                }
            }
        }
    }
}
