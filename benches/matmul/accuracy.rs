//! How far products of float are from those of double on the same numbers: largest error as a multiple of u·|A||B|, and the error's
//! L2 norm by that of the product. The products of double, and of the magnitudes, are the library's own, TILED.

use gpumex::model::dtype::Dtype;
use gpumex::ops::matmul::MatmulVariant;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::common::*;
use crate::product::{Matrices, Shape};
use crate::vendor::Vendor;

const VARIANTS: [MatmulVariant; 6] = [
    MatmulVariant::Auto,
    MatmulVariant::Naive,
    MatmulVariant::Blocked,
    MatmulVariant::Tiled,
    MatmulVariant::Tensor,
    MatmulVariant::Tf32,
];

/// What the elements of A and B are.
#[derive(Clone, Copy)]
enum Inputs {
    Positive,
    Uniform,
    Normal,
    WideExponents,
    Cancelling,
}

pub fn report(ctx: Handle, vendor: Option<&Vendor>) {
    println!(
        "\nfloat, m = n = 1024: largest error / (u |A||B|), and L2 norm of the error / that of the product"
    );
    print!("{:26}", "inputs, k");
    VARIANTS.iter().for_each(|variant| print!(" | {:>17}", format!("{variant:?}").to_lowercase()));
    println!(" | {:>17}", "SGEMM");
    for (inputs, name) in [
        (Inputs::Positive, "uniform 0..1"),
        (Inputs::Uniform, "uniform -1..1"),
        (Inputs::Normal, "normal"),
        (Inputs::WideExponents, "2^-15..2^15"),
        (Inputs::Cancelling, "cancelling"),
    ] {
        for k in [32, 128, 512, 2048, 8192] {
            let shape = Shape { m: 1024, n: 1024, k, trans: [false, false] };
            let case = Case::new(ctx, shape, inputs);
            print!("{:26}", format!("{name}, {k}"));
            for variant in VARIANTS {
                case.product.poison();
                let is_served = case.product.try_multiply(variant) == 0;
                print!(" | {}", if is_served { case.errors() } else { format!("{:>17}", "-") });
            }
            case.product.poison();
            if let Some(vendor) = vendor {
                vendor.multiply(&case.product);
                print!(" | {}", case.errors());
            }
            println!();
        }
    }
}

struct Case {
    product: Matrices,
    exact: Vec<f64>,
    magnitudes: Vec<f64>, // |A||B|
}

impl Case {
    fn new(ctx: Handle, shape: Shape, inputs: Inputs) -> Case {
        let Shape { m, n, k, .. } = shape;
        let mut random = Pcg64::seed_from_u64(k as u64);
        let (mut a, mut b) = (numbers(&mut random, inputs, m * k), numbers(&mut random, inputs, k * n));
        if let Inputs::Cancelling = inputs {
            cancel(&mut random, &mut a, &mut b, shape);
        }
        let product = Matrices::random(ctx, shape, Dtype::F32);
        upload(&product, &a, &b);
        let in_double = |of: fn(f32) -> f64| {
            let matrices = Matrices::random(ctx, shape, Dtype::F64);
            let wide = |narrow: &[f32]| narrow.iter().map(|&x| of(x)).collect::<Vec<f64>>();
            upload(&matrices, &wide(&a), &wide(&b));
            matrices.multiply(MatmulVariant::Tiled);
            download::<f64>(&matrices)
        };
        Case { product, exact: in_double(f64::from), magnitudes: in_double(|x| f64::from(x.abs())) }
    }

    fn errors(&self) -> String {
        let got = download::<f32>(&self.product);
        let (mut largest, mut squares, mut all) = (0.0f64, 0.0, 0.0);
        for ((&got, &exact), &magnitude) in got.iter().zip(&self.exact).zip(&self.magnitudes) {
            let error = (f64::from(got) - exact).abs();
            let relative = if error == 0.0 { 0.0 } else { error / magnitude * 2.0f64.powi(24) };
            largest = if relative.is_nan() { f64::NAN } else { largest.max(relative) };
            squares += error * error;
            all += exact * exact;
        }
        format!("{largest:7.2}  {:8.2e}", (squares / all).sqrt())
    }
}

fn numbers(random: &mut Pcg64, inputs: Inputs, count: usize) -> Vec<f32> {
    let mut uniform = |from: f32, to: f32| random.random_range(from..to);
    let mut one = || match inputs {
        Inputs::Positive => uniform(0.0, 1.0),
        Inputs::Uniform | Inputs::Cancelling => uniform(-1.0, 1.0),
        Inputs::Normal => {
            let (radius, angle) = (uniform(f32::MIN_POSITIVE, 1.0), uniform(0.0, std::f32::consts::TAU));
            (-2.0 * radius.ln()).sqrt() * angle.cos() // G. Box, M. Muller, 1958
        }
        Inputs::WideExponents => uniform(-1.0, 1.0) * uniform(-15.0, 15.0).exp2(),
    };
    (0..count).map(|_| one()).collect()
}

/// The second half of the terms takes away the first but for a ten-thousandth.
fn cancel(random: &mut Pcg64, a: &mut [f32], b: &mut [f32], Shape { n, k, .. }: Shape) {
    let half = k / 2;
    for row in a.chunks_exact_mut(k) {
        for l in 0..half {
            row[half + l] = -row[l];
        }
    }
    for l in 0..half {
        for j in 0..n {
            b[(half + l) * n + j] = b[l * n + j] * (1.0 + 1e-4 * random.random_range(-1.0..1.0f32));
        }
    }
}

fn upload<T>(matrices: &Matrices, a: &[T], b: &[T]) {
    copy(matrices.ctx, matrices.a, a.as_ptr().cast(), size_of_val(a));
    copy(matrices.ctx, matrices.b, b.as_ptr().cast(), size_of_val(b));
}

fn download<T: Copy + Default>(matrices: &Matrices) -> Vec<T> {
    let mut c = vec![T::default(); matrices.shape.m * matrices.shape.n];
    copy(matrices.ctx, c.as_mut_ptr().cast(), matrices.c, size_of_val(&c[..]));
    c
}
