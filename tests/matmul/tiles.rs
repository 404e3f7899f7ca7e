//! Every tile of TILED on a GPU, with operands that lie along k and across it, in packets and not.

use gpumex::ffi::{MatmulOptions, gpumex_matmul};
use gpumex::ops::matmul::MatmulVariant;

use super::ways::random_integers;
use crate::common::*;

/// On an H200 each pair is for one tile of kernels/matmul/tiled.cu: Large, Middle, Small, Tiny, Wide, Tall. Edges are aligned to packets,
/// or end inside a tile.
const SIZES: [[usize; 3]; 12] = [
    [1528, 2812, 50],
    [1529, 2813, 50],
    [2000, 1000, 60],
    [1999, 1001, 60],
    [600, 1400, 60],
    [601, 1399, 60],
    [100, 104, 100],
    [101, 99, 101],
    [32, 16_896, 50],
    [31, 16_895, 50],
    [16_896, 32, 50],
    [16_895, 31, 50],
];

/// The product of op(A) and op(B), stored as they are multiplied.
#[track_caller]
fn product<T: Real>(ctx: &Context, [m, n, k]: [usize; 3], trans: [bool; 2], a: &[T], b: &[T]) -> Vec<T> {
    let options = MatmulOptions {
        variant: MatmulVariant::Tiled as i32,
        dtype: T::DTYPE as i32,
        trans_a: trans[0].into(),
        trans_b: trans[1].into(),
        ..MatmulOptions::default()
    };
    let mut c = vec![T::POISON; m * n];
    // SAFETY: the arrays hold the matrices.
    let status = unsafe {
        gpumex_matmul(
            ctx.handle,
            &options,
            m,
            n,
            k,
            a.as_ptr().cast(),
            b.as_ptr().cast(),
            c.as_mut_ptr().cast(),
        )
    };
    ok(status, format!("{m} x {n} x {k}, {trans:?}"));
    c
}

fn every_tile_is_exact<T: Real>() {
    let Some(cuda) = Context::cuda() else { return };
    let cpu = Context::cpu();
    for size @ [m, n, k] in SIZES {
        let (a, b) = (random_integers::<T>(13, m * k), random_integers::<T>(14, k * n));
        for trans in [[false, false], [false, true], [true, false], [true, true]] {
            if is_not_in_small_share() {
                continue;
            }
            let [got, want] = [&cuda, &cpu].map(|ctx| product(ctx, size, trans, &a, &b));
            assert_same(&got, &want, format!("{:?}, {size:?}, {trans:?}", T::DTYPE));
        }
    }
}

#[test]
fn every_tile_of_float_is_exact_whatever_the_alignment_on_cuda() {
    every_tile_is_exact::<f32>();
}

#[test]
fn every_tile_of_double_is_exact_whatever_the_alignment_on_cuda() {
    every_tile_is_exact::<f64>();
}
