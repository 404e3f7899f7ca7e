#![forbid(unsafe_code)]

use std::fmt::Debug;

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::*;
use crate::cpu::parallel::workers::workers;

/// What the tests need of an element type.
trait Real: Float + Debug + Into<f64> {
    const UNIT_ROUNDOFF: f64;
    const POISON: Self;
}

impl Real for f32 {
    const UNIT_ROUNDOFF: f64 = 1.0 / (1u64 << 24) as f64;
    const POISON: f32 = f32::NAN;
}

impl Real for f64 {
    const UNIT_ROUNDOFF: f64 = 1.0 / (1u64 << 53) as f64;
    const POISON: f64 = f64::NAN;
}

type Way<T> = fn(&Workers, &Product, &[T], &[T], &mut [T]) -> Result<()>;

/// A matrix that is written down where its layout says, and poison in between.
struct Matrix<T> {
    layout: Layout,
    rows: usize,
    cols: usize,
    elements: Vec<T>,
}

impl<T: Real> Matrix<T> {
    fn random(random: &mut Pcg64, batch: usize, [rows, cols]: [usize; 2], may_transpose: bool) -> Matrix<T> {
        let transposed = may_transpose && random.random_bool(0.5);
        let [lines, line] = if transposed { [cols, rows] } else { [rows, cols] };
        let gap = |random: &mut Pcg64| if random.random_bool(0.5) { 0 } else { random.random_range(1..20) };
        let ld = line + gap(random);
        let stride = ld * lines + gap(random);
        let layout = Layout { transposed, ld, stride };
        let elements = vec![T::POISON; layout.extent(batch, lines, line).unwrap()];
        let mut matrix = Matrix { layout, rows, cols, elements };
        for at in matrix.places(batch) {
            matrix.elements[at] = T::rounded(random.random_range(-1.0..1.0));
        }
        matrix
    }

    fn at(&self, index: usize, i: usize, j: usize) -> usize {
        let (row, col) = self.layout.steps();
        index * self.layout.stride + i * row + j * col
    }

    fn places(&self, batch: usize) -> Vec<usize> {
        let mut all = Vec::new();
        for index in 0..batch {
            for i in 0..self.rows {
                all.extend((0..self.cols).map(|j| self.at(index, i, j)));
            }
        }
        all
    }

    fn get(&self, index: usize, i: usize, j: usize) -> f64 {
        self.elements[self.at(index, i, j)].into()
    }
}

/// x + y and what it was rounded by.
fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    let part = sum - x;
    (sum, (x - (sum - part)) + (y - part))
}

/// A random product of sizes up to `most`, and whether one way of computing it is right.
fn check<T: Real>(seed: u64, most: usize, way: Way<T>) {
    let random = &mut Pcg64::seed_from_u64(seed);
    let size = |random: &mut Pcg64| match random.random_range(0..8) {
        0 => random.random_range(0..3),
        1 => most,
        _ => random.random_range(1..most),
    };
    let [m, n, k] = [(); 3].map(|()| size(random));
    let batch = if random.random_bool(0.6) { 1 } else { random.random_range(0..9) };
    let factor = |random: &mut Pcg64| match random.random_range(0..4) {
        0 => 0.0,
        1 => 1.0,
        2 => -1.0,
        _ => random.random_range(-2.0..2.0),
    };
    let (alpha, beta) = (factor(random), factor(random));
    let mut a = Matrix::<T>::random(random, batch, [m, k], true);
    let mut b = Matrix::<T>::random(random, batch, [k, n], true);
    let mut c = Matrix::<T>::random(random, batch, [m, n], false);
    let product = Product { m, n, k, batch, a: a.layout, b: b.layout, c: c.layout, alpha, beta };
    let what = format!("seed {seed}: {product:?}");
    if !product.has_terms() {
        a.elements.clear();
        b.elements.clear();
    }
    let places = c.places(batch);
    let before = c.elements.clone();
    if beta == 0.0 {
        places.iter().for_each(|&at| c.elements[at] = T::POISON);
    }
    way(&workers(), &product, &a.elements, &b.elements, &mut c.elements).unwrap();

    let (alpha, beta): (f64, f64) = (T::rounded(alpha).into(), T::rounded(beta).into());
    let roundings = (k + 2) as f64 * T::UNIT_ROUNDOFF;
    let gamma = roundings / (1.0 - roundings) * (1.0 + 1e-9);
    let mut inside = vec![false; c.elements.len()];
    for index in 0..batch {
        for i in 0..m {
            for j in 0..n {
                let at = c.at(index, i, j);
                let old = beta * if beta == 0.0 { 0.0 } else { before[at].into() };
                let old_error = if beta == 0.0 { 0.0 } else { beta.mul_add(before[at].into(), -old) };
                let (mut sum, mut low, mut magnitude) = (0.0, 0.0, 0.0);
                for l in 0..if product.has_terms() { k } else { 0 } {
                    let (x, y) = (a.get(index, i, l), b.get(index, l, j));
                    let (next, error) = two_sum(sum, x * y);
                    low += error + x.mul_add(y, -(x * y));
                    sum = next;
                    magnitude += (x * y).abs();
                }
                let term = alpha * sum;
                let term_error = alpha.mul_add(sum, -term) + alpha * low;
                let bound = gamma * (alpha.abs() * magnitude + old.abs());
                let got: f64 = c.elements[at].into();
                let (want, error) = two_sum(term, old);
                let off = ((got - want) - (error + term_error + old_error)).abs();
                assert!(
                    off <= bound,
                    "{what}: {index}, row {i}, column {j}: {got:e}, not {want:e}, bound {bound:e}"
                );
                inside[at] = true;
            }
        }
    }
    let touched = (0..inside.len()).find(|&at| !inside[at] && !c.elements[at].into().is_nan());
    assert_eq!(touched, None, "{what}: written between the rows");
}

#[test]
fn random_products_are_within_the_bound_and_keep_to_their_rows() {
    for seed in 0..1200 {
        check::<f32>(seed, 40, matmul);
        check::<f64>(seed, 40, matmul);
    }
    for seed in 0..30 {
        check::<f32>(seed, 140, matmul);
        check::<f64>(seed, 140, matmul);
    }
}

#[test]
fn random_products_of_the_plain_loop_are_within_the_bound() {
    for seed in 0..300 {
        check::<f32>(seed, 30, sequential);
        check::<f64>(seed, 30, sequential);
    }
}

/// A plain product of whole numbers, which is exact.
fn whole_numbers(m: usize, n: usize, k: usize, alpha: f64, beta: f64) -> (Product, [Vec<f32>; 3]) {
    let layout = |ld| Layout { transposed: false, ld, stride: 0 };
    let product = Product { m, n, k, batch: 1, a: layout(k), b: layout(n), c: layout(n), alpha, beta };
    let mut random = Pcg64::seed_from_u64((m + n + k) as u64);
    let arrays =
        [m * k, k * n, m * n].map(|len| (0..len).map(|_| (random.next_u32() % 5) as f32 - 2.0).collect());
    (product, arrays)
}

#[test]
fn tall_wide_deep_and_large_products_of_whole_numbers_are_exact() {
    let sizes =
        [[3000, 2, 5], [1, 5000, 7], [5, 1, 4000], [2, 3, 9000], [2100, 9, 3], [3, 4200, 2], [333, 257, 600]];
    for [m, n, k] in sizes {
        let (product, [a, b, c]) = whole_numbers(m, n, k, 2.0, -1.0);
        let (mut got, mut want) = (c.clone(), c);
        matmul(&workers(), &product, &a, &b, &mut got).unwrap();
        sequential(&workers(), &product, &a, &b, &mut want).unwrap();
        assert!(got == want, "{m} x {n} x {k}");
    }
}

/// A product of any size, which pieces for so many threads leave as they do for one.
fn is_the_same_with_any_number_of_threads<T: Real>(seed: u64) {
    const EXTENTS: [usize; 14] = [1, 2, 3, 9, 15, 16, 17, 33, 48, 64, 65, 129, 257, 700];
    const TERMS: [usize; 8] = [1, 2, 3, 33, 150, 384, 386, 900];
    let random = &mut Pcg64::seed_from_u64(seed);
    let [m, n] = [(); 2].map(|()| EXTENTS[random.random_range(0..EXTENTS.len())]);
    let k = TERMS[random.random_range(0..TERMS.len())];
    let mut factor = |rows: usize, cols: usize| {
        let elements: Vec<T> = (0..rows * cols).map(|_| T::rounded(random.random_range(-1.0..1.0))).collect();
        let [row, col] = if random.random_bool(0.5) { [1, rows] } else { [cols, 1] };
        (elements, row, col)
    };
    let [(a, a_row, a_col), (b, b_row, b_col), (before, ..)] = [factor(m, k), factor(k, n), factor(m, n)];
    let a = Factor { elements: &a, row: a_row, col: a_col };
    let b = Factor { elements: &b, row: b_row, col: b_col };
    let [alpha, beta] = [(); 2].map(|()| T::rounded([0.0, 1.0, -0.3][random.random_range(0..3)]));
    let alpha = if alpha == T::default() { T::ONE } else { alpha };
    let product = |threads| {
        let mut c = before.clone();
        Task { m, n, k, a, b, alpha, beta, ld: n, threads }.run(&mut c, &mut Workspace::default()).unwrap();
        c
    };
    let one = product(1);
    for threads in [2, 3, 4, 7, 16, 64] {
        let differs = product(threads).iter().zip(&one).position(|(x, y)| x != y);
        assert_eq!(
            differs, None,
            "seed {seed}: {threads} threads, {m} x {n} x {k}, {a_row} {b_row}, {alpha:?} {beta:?}"
        );
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    for seed in 0..400 {
        is_the_same_with_any_number_of_threads::<f32>(seed);
        is_the_same_with_any_number_of_threads::<f64>(seed);
    }
}

#[test]
fn infinities_and_nan_in_a_row_of_a_stay_in_that_row_of_c() {
    let (product, [mut a, b, _]) = whole_numbers(50, 60, 70, 1.0, 0.0);
    a[7 * 70 + 3] = f32::INFINITY;
    a[9 * 70 + 1] = f32::NAN;
    let mut c = vec![f32::NAN; 50 * 60];
    matmul(&workers(), &product, &a, &b, &mut c).unwrap();
    for (i, row) in c.chunks(60).enumerate() {
        assert_eq!(row.iter().all(|value| value.is_finite()), i != 7 && i != 9, "row {i}");
    }
}
