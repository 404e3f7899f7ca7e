//! gpumex_matmul and gpumex_dot of complex numbers: each variant that there is, within the documented bound.

use std::ptr::null;

use gpumex::error::Status::{InvalidArgument, Unsupported};
use gpumex::ffi::{DotOptions, MatmulOptions, gpumex_dot, gpumex_matmul};
use gpumex::model::dtype::Dtype;
use gpumex::model::numbered::NumberedEnum;
use gpumex::ops::dot::DotVariant;
use gpumex::ops::matmul::MatmulVariant;
use gpumex::platform::settings::Backend;

use super::number::{C, decoded, encoded, rounded};
use crate::common::*;

fn numbers(random: &mut impl Rng, dtype: Dtype, count: usize) -> Vec<C> {
    let all: Vec<C> =
        (0..count).map(|_| C(random.random_range(-1.0..1.0), random.random_range(-1.0..1.0))).collect();
    rounded(dtype, &all)
}

fn unit(dtype: Dtype) -> f64 {
    if dtype == Dtype::C64 { f64::from(f32::EPSILON) / 2.0 } else { f64::EPSILON / 2.0 }
}

/// How a matrix of rows x cols lies: elements from row to row and from column to column, and from one to the next of a batch.
#[derive(Clone, Copy)]
struct Lying {
    row: usize,
    col: usize,
    stride: usize,
    len: usize,
}

/// As an argument of options: `trans` 0, 1 or 2, with a gap of 3 elements between its lines.
fn lying(is_column: bool, trans: i32, [rows, cols]: [usize; 2], batch: usize) -> (Lying, usize) {
    let is_turned = (trans != 0) != is_column;
    let (lines, length) = if is_turned { (cols, rows) } else { (rows, cols) };
    let (ld, stride) = (length + 3, lines * (length + 3) + 5);
    let (row, col) = if is_turned { (1, ld) } else { (ld, 1) };
    (Lying { row, col, stride, len: batch * stride }, ld)
}

impl Lying {
    fn at(&self, index: usize, i: usize, j: usize) -> usize {
        index * self.stride + i * self.row + j * self.col
    }
}

struct Case {
    dtype: Dtype,
    sizes: [usize; 3],
    batch: usize,
    is_column: bool,
    trans: [i32; 2],
    alpha: Option<C>,
    beta: Option<C>,
    same: [bool; 2],
}

fn check(ctx: &Context, kind: Kind, variant: MatmulVariant, case: &Case, random: &mut impl Rng) {
    let Case { dtype, sizes: [m, n, k], batch, is_column, trans, alpha, beta, same } = *case;
    let (of_a, lda) = lying(is_column, trans[0], [m, k], batch);
    let (of_b, ldb) = lying(is_column, trans[1], [k, n], batch);
    let (of_c, ldc) = lying(is_column, 0, [m, n], batch);
    let [a, b, c] = [of_a, of_b, of_c].map(|lying| numbers(random, dtype, lying.len));
    let mut placed: Vec<Placed<u8>> =
        [&a, &b].iter().map(|array| Placed::holding(ctx, kind, &encoded(dtype, array))).collect();
    let mut to = Placed::holding(ctx, kind, &encoded(dtype, &c));
    let options = MatmulOptions {
        variant: variant as i32,
        dtype: dtype as i32,
        order: is_column.into(),
        trans_a: trans[0],
        trans_b: trans[1],
        same_a: same[0].into(),
        same_b: same[1].into(),
        lda,
        ldb,
        ldc,
        batch,
        stride_a: of_a.stride,
        stride_b: of_b.stride,
        stride_c: of_c.stride,
        alpha: alpha.as_ref().map_or(null(), |alpha| &raw const alpha.0),
        beta: beta.as_ref().map_or(null(), |beta| &raw const beta.0),
        alpha_imag: alpha.as_ref().map_or(null(), |alpha| &raw const alpha.1),
        beta_imag: beta.as_ref().map_or(null(), |beta| &raw const beta.1),
        ..MatmulOptions::default()
    };
    let (from_a, from_b, into) = (placed[0].as_ptr(), placed[1].as_ptr(), to.as_mut_ptr());
    // SAFETY: matrices as long as the options say.
    let status = unsafe { gpumex_matmul(ctx.handle, &options, m, n, k, from_a, from_b, into) };
    let what = format!("{:?}, {kind:?}, {variant:?}, {dtype:?}, {m} x {n} x {k}, {trans:?}", ctx.backend);
    ok(status, &what);
    let found = decoded(dtype, &to.written());
    let (alpha, beta) = (alpha.unwrap_or(C(1.0, 0.0)), beta.unwrap_or(C(0.0, 0.0)));
    let mut is_written = vec![false; c.len()];
    let of = |trans: i32, z: C| if trans == 2 { z.conj() } else { z };
    for index in 0..batch {
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let at = of_c.at(index, i, j);
            let (mut sum, mut size) = (C(0.0, 0.0), 0.0);
            for l in 0..k {
                let x = of(trans[0], a[of_a.at(if same[0] { 0 } else { index }, i, l)]);
                let y = of(trans[1], b[of_b.at(if same[1] { 0 } else { index }, l, j)]);
                (sum, size) = (sum + x * y, size + x.abs() * y.abs());
            }
            let want = alpha * sum + beta * c[at];
            let bound =
                (2.0 * k as f64 + 16.0) * unit(dtype) * (alpha.abs() * size + beta.abs() * c[at].abs());
            let error = (found[at] - want).abs();
            assert!(error <= 1.5 * bound, "{what} at {i}, {j} of {index}: {:?}, not {want:?}", found[at]);
            is_written[at] = true;
        }
    }
    for (at, (found, given)) in found.iter().zip(&c).enumerate() {
        assert!(is_written[at] || found == given, "{what}: a gap of C is changed at {at}");
    }
}

#[test]
fn products_of_complex_matrices_are_within_the_bound() {
    let mut random = random(61);
    let (alpha, beta) = (Some(C(0.5, -1.5)), Some(C(-0.25, 2.0)));
    for ctx in backends() {
        let is_bounded = |it: &MatmulVariant| !matches!(it, MatmulVariant::Tf32 | MatmulVariant::Cublas);
        let variants: Vec<MatmulVariant> =
            ctx.variants::<MatmulVariant>().into_iter().filter(is_bounded).collect();
        for dtype in [Dtype::C64, Dtype::C128] {
            for trans in (0..3).flat_map(|a| (0..3).map(move |b| [a, b])) {
                for is_column in [false, true] {
                    for (alpha, beta) in [(None, None), (alpha, beta), (Some(C(2.0, 0.0)), Some(C(3.0, 0.0)))]
                    {
                        let case = Case {
                            dtype,
                            sizes: [7, 5, 11],
                            batch: 2,
                            is_column,
                            trans,
                            alpha,
                            beta,
                            same: [false; 2],
                        };
                        for &variant in &variants {
                            check(&ctx, None, variant, &case, &mut random);
                        }
                    }
                }
            }
            for kind in EVERYWHERE {
                let case = Case {
                    dtype,
                    sizes: [33, 65, 40],
                    batch: 3,
                    is_column: true,
                    trans: [2, 1],
                    alpha,
                    beta,
                    same: [true, false],
                };
                check(&ctx, kind, MatmulVariant::Auto, &case, &mut random);
                let case = Case { trans: [0, 2], same: [false, true], is_column: false, ..case };
                check(&ctx, kind, MatmulVariant::Auto, &case, &mut random);
            }
            for sizes in [[1, 1, 1], [1, 9, 300], [300, 1, 9], [2, 3, 0], [0, 4, 4], [129, 130, 131]] {
                let case = Case {
                    dtype,
                    sizes,
                    batch: 1,
                    is_column: false,
                    trans: [1, 0],
                    alpha,
                    beta,
                    same: [false; 2],
                };
                check(&ctx, None, MatmulVariant::Auto, &case, &mut random);
            }
        }
    }
}

#[test]
fn conjugates_of_real_matrices_are_refused_and_factors_of_zero_read_nothing() {
    for ctx in backends() {
        let options = MatmulOptions { trans_a: 2, dtype: Dtype::F64 as i32, ..MatmulOptions::default() };
        // SAFETY: refused before anything is read.
        let status =
            unsafe { gpumex_matmul(ctx.handle, &options, 1, 1, 1, null(), null(), std::ptr::null_mut()) };
        refused(
            status,
            InvalidArgument,
            &["gpumex_matmul: options.trans_a is 2; it is 0 or 1"],
            "a real one",
        );
        let (zero, one, number, mut c) = (0.0f64, 1.0f64, [1.0f64, 2.0], [1.0f64, 2.0]);
        let options = MatmulOptions {
            dtype: Dtype::C128 as i32,
            alpha: &zero,
            beta_imag: &one,
            ..MatmulOptions::default()
        };
        // SAFETY: one complex number.
        let status =
            unsafe { gpumex_matmul(ctx.handle, &options, 1, 1, 5, null(), null(), c.as_mut_ptr().cast()) };
        ok(status, "alpha = 0");
        assert_eq!(c, [-2.0, 1.0]);
        let options = MatmulOptions {
            dtype: Dtype::C128 as i32,
            variant: MatmulVariant::Tf32 as i32,
            ..MatmulOptions::default()
        };
        // SAFETY: refused before anything is read.
        let status =
            unsafe { gpumex_matmul(ctx.handle, &options, 1, 1, 1, null(), null(), std::ptr::null_mut()) };
        refused(status, Unsupported, &["which rounds float; options.dtype is GPUMEX_DTYPE_C128"], "TF32");
        if ctx.backend == Backend::Cpu {
            let options = MatmulOptions {
                dtype: Dtype::C128 as i32,
                variant: MatmulVariant::Cublas as i32,
                beta_imag: &one,
                ..MatmulOptions::default()
            };
            let (from, to) = ((&raw const number).cast(), c.as_mut_ptr().cast());
            // SAFETY: one complex number each.
            let status = unsafe { gpumex_matmul(ctx.handle, &options, 1, 1, 1, from, from, to) };
            refused(status, Unsupported, &["GPUMEX_MATMUL_VARIANT_CUBLAS"], "CUBLAS");
            assert_eq!(c, [-2.0, 1.0], "C is not written");
        }
    }
}

#[test]
fn inner_products_of_complex_vectors() {
    let mut random = random(62);
    for ctx in backends() {
        for dtype in [Dtype::C64, Dtype::C128] {
            for count in [0, 1, 2, 1000, size(1_000_003, 50_003)] {
                let (x, y) = (numbers(&mut random, dtype, count), numbers(&mut random, dtype, count));
                for conjugate in [0, 1] {
                    let of = |z: C| if conjugate == 1 { z.conj() } else { z };
                    let pairs = || x.iter().zip(&y);
                    let want = pairs().fold(C(0.0, 0.0), |sum, (&x, &y)| sum + of(x) * y);
                    let size: f64 = pairs().map(|(x, y)| x.abs() * y.abs()).sum();
                    for variant in ctx.variants::<DotVariant>() {
                        let is_served = matches!(variant, DotVariant::Auto | DotVariant::Sequential);
                        let mut from_x = Placed::holding(&ctx, None, &encoded(dtype, &x));
                        let mut from_y = Placed::holding(&ctx, None, &encoded(dtype, &y));
                        let mut to = Placed::<u8>::new(&ctx, None, dtype.size());
                        let options = DotOptions {
                            variant: variant as i32,
                            dtype: dtype as i32,
                            conjugate,
                            ..DotOptions::default()
                        };
                        let (x, y) = (from_x.as_ptr(), from_y.as_ptr());
                        // SAFETY: count elements each, and one.
                        let status =
                            unsafe { gpumex_dot(ctx.handle, &options, x, y, count, to.as_mut_ptr()) };
                        if !is_served {
                            let words = ["of complex numbers AUTO and SEQUENTIAL are served"];
                            refused(status, Unsupported, &words, variant.c_name());
                            continue;
                        }
                        ok(status, format!("{:?}, {dtype:?}, {count}", ctx.backend));
                        let found = decoded(dtype, &to.written())[0];
                        let bound = 1.5 * (2.0 * count as f64 + 4.0) * unit(dtype) * size;
                        assert!((found - want).abs() <= bound, "{dtype:?}, {count}: {found:?}, not {want:?}");
                    }
                }
            }
        }
    }
}
