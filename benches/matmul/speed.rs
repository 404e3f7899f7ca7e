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
const HALF: [MatmulVariant; 1] = [MatmulVariant::Auto];
const F64: [MatmulVariant; 3] = [MatmulVariant::Auto, MatmulVariant::Tiled, MatmulVariant::Blocked];
/// Beyond it the textbook's take too long to wait for.
const TEXTBOOK_FLOP: f64 = 2e11;

/// Extents of square products.
const SQUARES: [usize; 6] = [256, 512, 1024, 2048, 4096, 8192];

pub fn report(ctx: Handle, vendor: Option<&Vendor>) {
    let squares = || SQUARES.map(Shape::square);
    let skinny = [
        Shape { m: 64, n: 64, k: 65_536, trans: [false, false] },
        Shape { m: 16, n: 4096, k: 4096, trans: [false, false] },
        Shape { m: 4096, n: 1, k: 4096, trans: [false, false] },
        Shape { m: 8192, n: 64, k: 8192, trans: [false, false] },
        Shape { m: 8192, n: 8192, k: 64, trans: [false, false] },
        Shape { m: 1999, n: 2003, k: 2011, trans: [false, false] },
    ];
    let turned = turned(4096);
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

/// Of F16 and BF16.
pub fn report_halves(ctx: Handle, vendor: Option<&Vendor>) {
    let of = |m, n, k, trans| Shape { m, n, k, trans };
    let others = [
        of(1, 8192, 8192, [false, true]),
        of(16, 4096, 4096, [false, true]),
        of(64, 4096, 11_008, [false, true]),
        of(4096, 64, 4096, [false, false]),
        of(128, 128, 65_536, [false, true]),
        of(8192, 8192, 64, [false, false]),
        of(1999, 2003, 2011, [false, false]),
    ];
    for dtype in [Dtype::F16, Dtype::Bf16] {
        println!("\n{dtype:?}, sums in float, TFLOP/s, beside cuBLAS: GemmEx");
        header(&HALF, &["GemmEx", "auto/GemmEx"]);
        for shape in
            SQUARES.map(Shape::square).into_iter().chain(turned(4096)).chain(turned(8192)).chain(others)
        {
            let matrices = Matrices::random(ctx, shape, dtype);
            let (ours, [gemm, _]) = rates(&matrices, &HALF, vendor);
            print_row(&shape, &ours, &[gemm, ours[0] / gemm]);
        }
    }
}

/// Squares with B, A and both stored transposed.
fn turned(extent: usize) -> [Shape; 3] {
    [[false, true], [true, false], [true, true]].map(|trans| Shape { trans, ..Shape::square(extent) })
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
            if matrices.dtype == Dtype::F32 {
                theirs[1].push(matrices.device_ms(|| vendor.multiply_tf32(matrices)));
            }
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
