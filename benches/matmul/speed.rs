//! TFLOP/s on the device, beside cuBLAS.

use gpumex::model::dtype::Dtype;
use gpumex::ops::matmul::MatmulVariant;

use crate::common::*;
use crate::product::{Matrices, Shape};
use crate::vendor::Vendor;

const F32: [MatmulVariant; 6] = [
    MatmulVariant::Auto,
    MatmulVariant::Tiled,
    MatmulVariant::Tensor,
    MatmulVariant::Tf32,
    MatmulVariant::Blocked,
    MatmulVariant::Naive,
];
const F64: [MatmulVariant; 3] = [MatmulVariant::Auto, MatmulVariant::Tiled, MatmulVariant::Blocked];
/// Beyond it the textbook's take too long to wait for.
const TEXTBOOK_FLOP: f64 = 2e11;

pub fn report(ctx: Handle, vendor: Option<&Vendor>) {
    let squares = || [256, 512, 1024, 2048, 4096, 8192].map(Shape::square);
    let skinny = [
        Shape { m: 64, n: 64, k: 65_536, trans: [false, false] },
        Shape { m: 16, n: 4096, k: 4096, trans: [false, false] },
        Shape { m: 4096, n: 1, k: 4096, trans: [false, false] },
        Shape { m: 8192, n: 64, k: 8192, trans: [false, false] },
        Shape { m: 8192, n: 8192, k: 64, trans: [false, false] },
        Shape { m: 1999, n: 2003, k: 2011, trans: [false, false] },
    ];
    let turned =
        [[false, true], [true, false], [true, true]].map(|trans| Shape { trans, ..Shape::square(4096) });
    println!("\nfloat, TFLOP/s, beside cuBLAS: SGEMM, and with TF32");
    header(&F32, &["SGEMM", "TF32", "auto/SGEMM", "tf32/TF32"]);
    for shape in squares().into_iter().chain(turned).chain(skinny) {
        let matrices = Matrices::random(ctx, shape, Dtype::F32);
        let (ours, [sgemm, tf32]) = rates(&matrices, &F32, vendor);
        print_row(&shape, &ours, &[sgemm, tf32, ours[0] / sgemm, ours[3] / tf32]);
    }
    println!("\ndouble, TFLOP/s, beside cuBLAS: DGEMM");
    header(&F64, &["DGEMM", "auto/DGEMM"]);
    for shape in squares().into_iter().chain(turned).chain(skinny) {
        let matrices = Matrices::random(ctx, shape, Dtype::F64);
        let (ours, [dgemm, _]) = rates(&matrices, &F64, vendor);
        print_row(&shape, &ours, &[dgemm, ours[0] / dgemm]);
    }
}

/// TFLOP/s of each variant, of cuBLAS, and of cuBLAS with TF32, in turn; NaN for what is not served or takes too long.
fn rates(matrices: &Matrices, variants: &[MatmulVariant], vendor: Option<&Vendor>) -> (Vec<f64>, [f64; 2]) {
    let flop = matrices.shape.flop();
    let rounds = if flop < TEXTBOOK_FLOP { 51 } else { 11 };
    let is_served = |variant: &MatmulVariant| {
        let is_textbook = matches!(variant, MatmulVariant::Blocked | MatmulVariant::Naive);
        !(is_textbook && flop > TEXTBOOK_FLOP) && matrices.try_multiply(*variant) == 0
    };
    let served: Vec<bool> = variants.iter().map(is_served).collect();
    let mut ours = vec![vec![]; variants.len()];
    let mut theirs = [vec![], vec![]];
    for _ in 0..rounds {
        for (i, &variant) in variants.iter().enumerate().filter(|(i, _)| served[*i]) {
            ours[i].push(matrices.kernel_ms(variant));
        }
        if let Some(vendor) = vendor {
            theirs[0].push(matrices.device_ms(|| vendor.multiply(matrices)));
            theirs[1].push(matrices.device_ms(|| vendor.multiply_tf32(matrices)));
        }
    }
    let rate = |times: Vec<f64>| if times.is_empty() { f64::NAN } else { flop / middle(times) / 1e9 };
    (ours.into_iter().map(rate).collect(), theirs.map(rate))
}

fn header(variants: &[MatmulVariant], others: &[&str]) {
    print!("{:24}", "m x n x k");
    variants.iter().for_each(|variant| print!(" | {:>7}", format!("{variant:?}").to_lowercase()));
    others.iter().for_each(|other| print!(" | {other:>10}"));
    println!();
}

fn print_row(shape: &Shape, ours: &[f64], others: &[f64]) {
    print!("{:24}", shape.text());
    ours.iter().for_each(|rate| print!(" | {}", number(*rate, 7)));
    others.iter().for_each(|rate| print!(" | {}", number(*rate, 10)));
    println!();
}

fn number(value: f64, width: usize) -> String {
    if value.is_nan() { format!("{:>width$}", "-") } else { format!("{value:width$.2}") }
}
