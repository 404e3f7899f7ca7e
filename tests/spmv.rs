//! Sparse matrices times vectors: every variant, semiring and shape agrees with the plain definition.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::ffi::{SpmvOptions, gpumex_spmv};
use gpumex::model::dtype::Dtype;
use gpumex::model::index::Index;
use gpumex::model::operator::{Operand, Operator};
use gpumex::model::variant::Variant;

use crate::common::*;
use crate::operands::samples::operators;

// -------------------------------------------------------------------------------------------------------------- the call

struct Matrix<T, I> {
    values: Option<Vec<T>>,
    columns: Vec<I>,
    offsets: Vec<I>,
    sources: Option<Vec<I>>,
    x: Vec<T>,
    add: Operator,
    multiply: Operator,
}

impl<T: Number + Operand, I: Number + Index> Matrix<T, I> {
    fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    fn what(&self, ctx: &Context, variant: Variant) -> String {
        let (add, multiply, rows) = (self.add, self.multiply, self.rows());
        let (dtype, nonzeros, cols) = (T::DTYPE, self.columns.len(), self.x.len());
        format!(
            "{:?}, {variant:?}, {dtype:?}, {add:?} {multiply:?}, {rows} x {cols} with {nonzeros}",
            ctx.backend
        )
    }

    /// y, with each array in memory of the next kind from `turn` on, or all in ordinary memory.
    #[track_caller]
    fn run(&self, ctx: &Context, variant: Variant, turn: Option<usize>) -> Vec<T> {
        let kind = |array: usize| turn.and_then(|turn| EVERYWHERE[(array + turn) % 4]);
        let options = SpmvOptions {
            variant: variant as i32,
            dtype: T::DTYPE as i32,
            index_dtype: I::DTYPE as i32,
            add: self.add as i32,
            multiply: self.multiply as i32,
            ..SpmvOptions::default()
        };
        let mut values = self.values.as_ref().map(|values| Placed::holding(ctx, kind(0), values));
        let mut columns = Placed::holding(ctx, kind(1), &self.columns);
        let mut offsets = Placed::holding(ctx, kind(2), &self.offsets);
        let mut sources = self.sources.as_ref().map(|sources| Placed::holding(ctx, kind(3), sources));
        let (mut x, mut y) =
            (Placed::holding(ctx, kind(4), &self.x), Placed::<T>::new(ctx, kind(5), self.rows()));
        let values_at = values.as_mut().map_or(null(), |values| values.as_ptr::<c_void>());
        let sources_at = sources.as_mut().map_or(null(), |sources| sources.as_ptr::<c_void>());
        let (columns_at, offsets_at, x_at, to) =
            (columns.as_ptr(), offsets.as_ptr(), x.as_ptr(), y.as_mut_ptr());
        let (nonzeros, rows, cols) = (self.columns.len(), self.rows(), self.x.len());
        // SAFETY: arrays of these lengths.
        let status = unsafe {
            gpumex_spmv(
                ctx.handle, &options, values_at, columns_at, nonzeros, offsets_at, rows, x_at, cols,
                sources_at, to,
            )
        };
        ok(status, self.what(ctx, variant));
        y.written()
    }

    /// By the definition.
    fn want(&self) -> Vec<T> {
        let row = |row: usize| {
            let (from, to) = (self.offsets[row].to_usize(), self.offsets[row + 1].to_usize());
            let begin = self.sources.as_ref().map_or(from, |sources| sources[row].to_usize());
            let mut sum = T::identity(self.add);
            for k in begin..begin + (to - from) {
                let Some(&x) = self.x.get(self.columns[k].to_usize()) else { continue };
                let product = self.values.as_ref().map_or(x, |v| T::apply(self.multiply, v[k], x));
                sum = T::apply(self.add, sum, product);
            }
            sum
        };
        (0..self.rows()).map(row).collect()
    }

    #[track_caller]
    fn agrees(&self) {
        let want = self.want();
        for ctx in backends() {
            for variant in ctx.variants() {
                let got = self.run(&ctx, variant, None);
                let row = got.iter().zip(&want).position(|(got, want)| differ(got, want));
                let show = row.map(|row| (row, got[row], want[row]));
                assert!(row.is_none(), "{}: row, got, want: {show:?}", self.what(&ctx, variant));
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ the inputs

/// Small whole numbers; rows of 0 to 2·mean nonzeros, and now and then a long one; a few columns beyond cols.
fn matrix<T: Number + Operand, I: Number + Index>(
    seed: u64,
    rows: usize,
    cols: usize,
    mean: usize,
) -> Matrix<T, I> {
    let mut random = random(seed);
    let mut offsets = vec![0usize];
    for _ in 0..rows {
        let long = random.random_range(0..60) == 0;
        let len = if long { 30 * mean } else { random.random_range(0..2 * mean + 1) };
        offsets.push(offsets[offsets.len() - 1] + len);
    }
    let nonzeros = offsets[rows];
    let columns =
        (0..nonzeros).map(|_| I::from_usize(random.random_range(0..cols + cols / 20 + 1))).collect();
    let mut number = || T::from_f64(f64::from(random.random_range(0..9)));
    Matrix {
        values: Some((0..nonzeros).map(|_| number()).collect()),
        columns,
        offsets: offsets.into_iter().map(I::from_usize).collect(),
        sources: None,
        x: (0..cols).map(|_| number()).collect(),
        add: Operator::Sum,
        multiply: Operator::Product,
    }
}

// ---------------------------------------------------------------------------------------------------------------- values

#[test]
fn every_shape_agrees() {
    for (rows, cols) in [(0, 5), (1, 1), (1, 1000), (300, 0), (700, 40), (4000, 3000), (30_000, 50)] {
        for mean in [0, 1, 7, 90] {
            if rows * mean < 300_000 {
                matrix::<f32, u32>(1, rows, cols, mean).agrees();
                matrix::<f64, u64>(2, rows, cols, mean).agrees();
            }
        }
    }
}

#[test]
fn every_semiring_agrees() {
    fn of<T: Number + Operand>(seed: u64) {
        for add in operators::<T>() {
            for multiply in operators::<T>() {
                if T::DTYPE.is_float() && add == Operator::Product {
                    continue; // does not stay exact
                }
                Matrix { add, multiply, ..matrix::<T, u32>(seed, 200, 100, 5) }.agrees();
            }
        }
    }
    of::<f32>(3);
    of::<f64>(4);
    of::<i32>(5);
    of::<i64>(6);
    of::<u32>(7);
    of::<u64>(8);
}

#[test]
fn the_default_semiring_is_that_of_sums_and_products() {
    let (add, multiply) = (Operator::Default, Operator::Default);
    let plain = matrix::<i64, u32>(18, 500, 100, 9);
    let want = plain.want();
    let matrix = Matrix { add, multiply, ..plain };
    for ctx in backends() {
        for variant in ctx.variants() {
            assert_same(&matrix.run(&ctx, variant, None), &want, matrix.what(&ctx, variant));
        }
    }
}

#[test]
fn matrices_without_values_add_up_x() {
    for mean in [2, 40] {
        Matrix { values: None, ..matrix::<i64, u64>(9, 3000, 500, mean) }.agrees();
        let add = Operator::Max;
        Matrix { values: None, add, ..matrix::<f64, u32>(10, 3000, 500, mean) }.agrees();
    }
}

#[test]
fn sources_move_rows() {
    for mean in [1, 30] {
        let mut matrix = matrix::<f32, u64>(11, 2000, 300, mean);
        let nonzeros = matrix.columns.len() as u64;
        let mut random = random(12);
        let lengths = matrix.offsets.windows(2).map(|pair| pair[1] - pair[0]);
        matrix.sources = Some(lengths.map(|len| random.random_range(0..=nonzeros - len)).collect());
        matrix.agrees();
    }
}

#[test]
fn shortest_paths_relax() {
    // 0 -> 1 costs 4, 0 -> 2 costs 1, 2 -> 1 costs 2, by rows of where edges arrive.
    let far = f32::INFINITY;
    let paths = |x: Vec<f32>| Matrix {
        values: Some(vec![0.0, 4.0, 0.0, 2.0, 1.0, 0.0]),
        columns: vec![0u32, 0, 1, 2, 0, 2],
        offsets: vec![0, 1, 4, 6],
        sources: None,
        x,
        add: Operator::Min,
        multiply: Operator::Sum,
    };
    for ctx in backends() {
        for variant in ctx.variants() {
            let once = paths(vec![0.0, far, far]).run(&ctx, variant, None);
            assert_eq!(once, [0.0, 4.0, 1.0]);
            assert_eq!(paths(once).run(&ctx, variant, None), [0.0, 3.0, 1.0]);
        }
    }
}

#[test]
fn products_of_floats_meet_the_bound_and_repeat() {
    let mut matrix = matrix::<f32, u32>(13, 500, 1000, 300);
    let mut random = random(14);
    matrix.values.as_mut().unwrap().fill_with(|| random.random_range(-1.0..1.0));
    for ctx in backends() {
        for variant in ctx.variants() {
            let got = matrix.run(&ctx, variant, None);
            for (row, &got) in got.iter().enumerate() {
                let nonzeros = matrix.offsets[row] as usize..matrix.offsets[row + 1] as usize;
                let n = nonzeros.len() as f64;
                let value = |k: usize| f64::from(matrix.values.as_ref().unwrap()[k]);
                let x =
                    |k: usize| f64::from(matrix.x.get(matrix.columns[k] as usize).copied().unwrap_or(0.0));
                let want: f64 = nonzeros.clone().map(|k| value(k) * x(k)).sum();
                let sizes: f64 = nonzeros.map(|k| (value(k) * x(k)).abs()).sum();
                let bound = (n + 1.0) * f64::from(f32::EPSILON) / 2.0 * sizes * 1.01;
                assert!((f64::from(got) - want).abs() <= bound, "{:?}, row {row}", ctx.backend);
            }
            for _ in 0..5 {
                assert_same_bits(&matrix.run(&ctx, variant, None), &got, "again");
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------- memory, bad input

#[test]
fn every_kind_of_memory_is_served() {
    let mut matrix = matrix::<i32, u64>(15, 900, 100, 6);
    matrix.sources = Some(matrix.offsets[..900].to_vec());
    for ctx in backends() {
        for turn in 0..4 {
            let got = matrix.run(&ctx, Variant::Auto, Some(turn));
            assert_same(&got, &matrix.want(), format!("{:?}, turn {turn}", ctx.backend));
        }
    }
}

#[test]
fn indices_that_lie_touch_nothing_else() {
    let mut random = random(16);
    let mut matrix = matrix::<u32, u64>(17, 2000, 100, 10);
    matrix.offsets.fill_with(|| random.random_range(0..u64::MAX));
    for ctx in backends() {
        for variant in ctx.variants() {
            matrix.run(&ctx, variant, None);
        }
    }
    matrix.columns.fill_with(|| random.random_range(0..u64::MAX));
    matrix.sources = Some((0..2000).map(|_| random.random_range(0..u64::MAX)).collect());
    matrix.offsets.fill_with(|| random.random_range(0..30_000));
    for ctx in backends() {
        for variant in ctx.variants() {
            assert_eq!(matrix.run(&ctx, variant, None).len(), 2000);
        }
    }
}

#[test]
fn bad_calls_are_refused_with_a_sentence() {
    let (values, columns, offsets, x) = ([1.0f32; 4], [0u64, 1, 0, 1], [0u64, 2, 4], [1.0f32; 2]);
    let mut y = [0.0f32; 2];
    let (v, c) = (values.as_ptr().cast::<c_void>(), columns.as_ptr().cast::<c_void>());
    let (o, x) = (offsets.as_ptr().cast::<c_void>(), x.as_ptr().cast::<c_void>());
    let to = y.as_mut_ptr().cast::<c_void>();
    for ctx in backends() {
        let call = |options: SpmvOptions, c, o, x, cols, to| {
            // SAFETY: arrays of these lengths, or NULL, which is refused.
            let status = unsafe { gpumex_spmv(ctx.handle, &options, v, c, 4, o, 2, x, cols, null(), to) };
            (status, last_error())
        };
        let plain = SpmvOptions {
            dtype: Dtype::F32 as i32,
            index_dtype: Dtype::U64 as i32,
            ..SpmvOptions::default()
        };
        for (answer, status, part) in [
            (call(plain, null(), o, x, 2, to), 1, "columns is NULL"),
            (call(plain, c, null(), x, 2, to), 1, "offsets is NULL"),
            (call(plain, c, o, null(), 2, to), 1, "x is NULL"),
            (call(plain, c, o, x, 2, null_mut()), 1, "y is NULL"),
            (call(plain, c, o, x, 2, x.cast_mut()), 2, "overlaps x"),
            (call(plain, c, o, x, 2, v.cast_mut()), 2, "overlaps values"),
            (call(SpmvOptions { dtype: Dtype::I8 as i32, ..plain }, c, o, x, 2, to), 6, "options.dtype"),
            (
                call(SpmvOptions { add: Operator::And as i32, ..plain }, c, o, x, 2, to),
                6,
                "options.add is GPUMEX_OPERATOR_AND",
            ),
            (
                call(SpmvOptions { multiply: Operator::Or as i32, ..plain }, c, o, x, 2, to),
                6,
                "options.multiply is GPUMEX_OPERATOR_OR",
            ),
            (
                call(SpmvOptions { multiply: first_unknown::<Operator>(), ..plain }, c, o, x, 2, to),
                2,
                "gpumex_operator",
            ),
            (
                call(SpmvOptions { index_dtype: Dtype::U32 as i32, ..plain }, c, o, x, 1 << 32, to),
                2,
                "which GPUMEX_DTYPE_U32 does not hold",
            ),
        ] {
            assert_eq!(answer.0, status, "{:?}: {}", ctx.backend, answer.1);
            assert!(answer.1.contains(part), "{:?}: {} lacks {part}", ctx.backend, answer.1);
        }
    }
}
