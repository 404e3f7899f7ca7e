//! A product of ordinary memory of the host: the whole call beside what its copies and its computation take by themselves.

use gpumex::model::dtype::Dtype;
use gpumex::ops::matmul::MatmulVariant;

use crate::common::*;
use crate::product::{Matrices, Shape, multiply, width_of};

const N: usize = 8192;
const ROUNDS: usize = 11;

pub fn report() {
    let ctx = context(); // with a stream of its own, as contexts have
    println!(
        "\n{:40} | {:>8} | {:>8} | {:>8} | {:>7}",
        "8192, arrays of the host, ms", "copies", "compute", "call", "ratio"
    );
    for (dtype, name) in [(Dtype::F32, "float"), (Dtype::F64, "double")] {
        let device = Matrices::random(ctx, Shape::square(N), dtype);
        let bytes = N * N * width_of(dtype);
        let mut host = [random(bytes), random(bytes), random(bytes)]; // touched; numbers for two of them follow
        for (matrix, from) in host.iter_mut().zip([device.a, device.b]) {
            copy(ctx, matrix.as_mut_ptr().cast(), from, bytes);
        }
        let [a, b, c] = host.each_mut().map(|matrix| matrix.as_mut_ptr().cast());
        let (mut copies, mut compute, mut calls) = (vec![], vec![], vec![]);
        for _ in 0..ROUNDS {
            copies.push(
                1e3 * seconds(|| {
                    copy(ctx, device.a, a, bytes);
                    copy(ctx, device.b, b, bytes);
                    copy(ctx, c, device.c, bytes);
                }),
            );
            compute.push(device.kernel_ms(MatmulVariant::Auto));
            calls.push(
                1e3 * seconds(|| {
                    // SAFETY: three matrices of N x N.
                    check(unsafe { multiply(ctx, Shape::square(N), dtype, MatmulVariant::Auto, [a, b, c]) });
                }),
            );
        }
        let [copies, compute, call] = [copies, compute, calls].map(middle);
        let ratio = copies.max(compute) / call;
        println!("{name:40} | {copies:8.2} | {compute:8.2} | {call:8.2} | {ratio:7.2}");
    }
    check(gpumex::ffi::gpumex_context_destroy(ctx));
}
