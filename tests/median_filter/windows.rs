//! Medians of every dtype, boundary and size of window.

use gpumex::ffi::{MedianFilterOptions, gpumex_median_filter};
use gpumex::model::dtype::Dtype;
use gpumex::model::stencil::Boundary;
use gpumex::model::variant::Variant;

use crate::common::*;
use crate::convolve::calls::{BOUNDARIES, numbers};
use crate::map::arrays::{Array, DTYPES, Number};
use crate::stencil::calls::Grid;

/// Elements of a dtype, of all its range, of which many are equal.
fn elements(dtype: Dtype, seed: u64, count: usize) -> Array {
    let bytes = random_bytes(seed, count * 8);
    let words = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")));
    match dtype.integers() {
        None => Array::floats(
            dtype,
            words.map(|word| match word % 16 {
                0 => 0.0,
                1 => -0.0,
                2 => f64::INFINITY,
                3 => f64::NEG_INFINITY,
                4 => 1.0,
                5 if word % 32 == 5 => f64::NAN,
                _ => (word >> 12) as f64 / 2f64.powi(50) - 2.0,
            }),
        ),
        Some(_) if dtype == Dtype::Bool => Array::ints(dtype, words.map(|word| (word % 2).into())),
        Some(range) => {
            let (low, high) = range.into_inner();
            Array::ints(
                dtype,
                words.map(|word| match word % 4 {
                    0 => low,
                    1 => (low + high) / 2,
                    _ => low + (i128::from(word) << 64 >> 64 & i128::from(u64::MAX)) % (high - low + 1),
                }),
            )
        }
    }
}

/// The order of the elements: -0 before 0, NaN last.
fn sorted(mut window: Vec<Number>) -> Vec<Number> {
    window.sort_by(|a, b| match (a, b) {
        (Number::Int(a), Number::Int(b)) => a.cmp(b),
        _ => {
            let (a, b) = (a.to_f64(), b.to_f64());
            a.is_nan().cmp(&b.is_nan()).then(if a.is_nan() {
                std::cmp::Ordering::Equal
            } else {
                a.total_cmp(&b)
            })
        }
    });
    window
}

fn mean(dtype: Dtype, low: Number, high: Number) -> Number {
    match (low, high) {
        (Number::Int(low), Number::Int(high)) => Number::Int((low + high + (low + high).signum()) / 2),
        _ if dtype == Dtype::F32 => Number::Float((((low.to_f64() + high.to_f64()) / 2.0) as f32).into()),
        _ => Number::Float((low.to_f64() + high.to_f64()) / 2.0),
    }
}

#[track_caller]
fn filtered(
    ctx: &Context,
    kind: Kind,
    grid: &Grid,
    data: &Array,
    [m, n]: [usize; 2],
    order: i32,
) -> Vec<Vec<Number>> {
    let mut found = Vec::new();
    for variant in ctx.variants::<Variant>() {
        let options = MedianFilterOptions {
            variant: variant as i32,
            dtype: data.dtype as i32,
            boundary: grid.boundary as i32,
            order,
            constant: grid.constant,
            ..MedianFilterOptions::default()
        };
        let mut from = Placed::holding(ctx, kind, &data.bytes());
        let mut result = Placed::<u8>::new(ctx, kind, data.numbers.len() * data.dtype.size());
        let (a, r) = (from.as_ptr(), result.as_mut_ptr());
        // SAFETY: rows·cols elements each.
        let status = unsafe { gpumex_median_filter(ctx.handle, &options, a, grid.rows, grid.cols, m, n, r) };
        ok(status, format!("{:?}, {variant:?}, {m}×{n} of {grid:?}", ctx.backend));
        found.push(numbers(data.dtype, &result.written()));
    }
    found
}

#[track_caller]
fn agrees(ctx: &Context, kind: Kind, grid: &Grid, data: &Array, [m, n]: [usize; 2]) {
    if is_not_in_share() {
        return;
    }
    let window = |at: usize| -> Vec<Number> {
        let (y, x) = ((at / grid.cols) as i64, (at % grid.cols) as i64);
        let places = (0..m as i64).flat_map(|i| (0..n as i64).map(move |j| (i, j)));
        let (up, left) = ((m as i64 - 1) / 2, (n as i64 - 1) / 2);
        sorted(places.map(|(i, j)| grid.element(data, y - up + i, x - left + j)).collect())
    };
    let want: Vec<Number> = (0..data.numbers.len())
        .map(|at| {
            let window = window(at);
            let (low, high) = (window[(m * n - 1) / 2], window[m * n / 2]);
            if m * n % 2 == 0 { mean(data.dtype, low, high) } else { high }
        })
        .collect();
    for found in filtered(ctx, kind, grid, data, [m, n], 0) {
        for (at, (got, want)) in found.into_iter().zip(&want).enumerate() {
            let what = format!("{:?}: {at} of {m}×{n}, {:?}, {grid:?}", ctx.backend, data.dtype);
            assert!(got.is(*want), "{what}: {got:?}, not {want:?}");
        }
    }
}

#[test]
fn every_boundary_and_small_size() {
    for ctx in backends() {
        for [rows, cols] in [[1, 1], [1, 70], [70, 1], [2, 3], [7, 9], [20, 66]] {
            for window in [[1, 1], [3, 3], [5, 5], [2, 2], [1, 5], [4, 1], [3, 5], [7, 7]] {
                for boundary in BOUNDARIES {
                    let grid = Grid { rows, cols, boundary, constant: 2.0 };
                    agrees(&ctx, None, &grid, &elements(Dtype::F32, 1, rows * cols), window);
                }
            }
        }
    }
}

#[test]
fn every_dtype() {
    for ctx in backends() {
        for dtype in DTYPES {
            for window in [[3, 3], [5, 5], [7, 7], [2, 3], [4, 7], [9, 9]] {
                for boundary in [Boundary::Constant, Boundary::Torus] {
                    let grid = Grid { rows: 37, cols: 71, boundary, constant: 1.0 };
                    agrees(&ctx, None, &grid, &elements(dtype, 2, 37 * 71), window);
                }
            }
        }
    }
}

/// Beyond a tile of the result, in both directions; the largest windows.
#[test]
fn large_arrays_and_large_windows() {
    for ctx in backends() {
        for ([rows, cols], window) in [
            ([67, 301], [3, 3]),
            ([70, 130], [5, 5]),
            ([69, 131], [7, 7]),
            ([33, 257], [6, 6]),
            ([40, 70], [15, 15]),
            ([20, 40], [31, 31]),
            ([5, 300], [1, 31]),
            ([80, 7], [31, 2]),
        ] {
            for dtype in [Dtype::U8, Dtype::I16, Dtype::F32, Dtype::F64] {
                let grid = Grid { rows, cols, boundary: Boundary::Mirror, constant: 0.0 };
                agrees(&ctx, None, &grid, &elements(dtype, 3, rows * cols), window);
            }
        }
    }
}

#[test]
fn arrays_may_lie_anywhere() {
    for ctx in backends() {
        for kind in EVERYWHERE {
            let grid = Grid { rows: 40, cols: 70, boundary: Boundary::Clamp, constant: 0.0 };
            agrees(&ctx, kind, &grid, &elements(Dtype::U16, 4, 2800), [3, 3]);
        }
    }
}

#[test]
fn the_order_of_columns() {
    for ctx in backends() {
        let (rows, cols) = (9, 40);
        let data = elements(Dtype::I32, 5, rows * cols);
        let turned = Array {
            dtype: data.dtype,
            numbers: (0..rows * cols).map(|at| data.numbers[at % rows * cols + at / rows]).collect(),
        };
        let grid = Grid { rows, cols, boundary: Boundary::Reflect, constant: 0.0 };
        let by_rows = filtered(&ctx, None, &grid, &data, [2, 5], 0);
        let by_cols = filtered(&ctx, None, &grid, &turned, [2, 5], 1);
        for (by_rows, by_cols) in by_rows.iter().zip(&by_cols) {
            for at in 0..rows * cols {
                assert!(by_cols[at].is(by_rows[at % rows * cols + at / rows]), "{:?}: {at}", ctx.backend);
            }
        }
    }
}
