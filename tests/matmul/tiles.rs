//! Every tile of TILED and TF32 on a GPU, with operands that lie along k and across it, in packets and not.

use gpumex::ffi::MatmulOptions;
use gpumex::memory::MemoryKind;
use gpumex::ops::matmul::MatmulVariant;

use super::problem::{Problem, Storage};
use super::ways::{multiply, random_integers, tune};
use crate::common::*;

/// On an H200 each pair is for one tile of kernels/matmul/tiled.cu: Large, Square, Small, Wide, Tall, Tiny. Edges are aligned to packets,
/// or end inside a tile.
const OF_FLOAT: [[usize; 3]; 12] = [
    [1528, 2812, 50],
    [1529, 2813, 50],
    [17_016, 104, 50],
    [17_017, 103, 51],
    [600, 1400, 60],
    [601, 1399, 61],
    [72, 9928, 52],
    [71, 9927, 53],
    [13_708, 36, 50],
    [13_707, 35, 51],
    [100, 104, 400],
    [101, 99, 401],
];

/// Likewise of kernels/matmul/tf32.cu: Large, Small, Wide, Tall, Tiny.
const OF_TF32: [[usize; 3]; 10] = [
    [2000, 1000, 60],
    [1999, 1001, 60],
    [600, 1400, 60],
    [601, 1399, 60],
    [16, 4416, 50],
    [15, 4415, 51],
    [8500, 16, 50],
    [8499, 15, 51],
    [100, 104, 100],
    [101, 99, 101],
];

/// On an H200 each is for one tile of kernels/matmul/f64.cu: Large, Small, Wide, Tall, Narrow, Tiny; with TMA Large, Medium, Square, Wide and
/// two teams, two, four; by persistent blocks Large, Medium, Small, the same for rows that are not aligned, C alone not aligned; clusters.
const OF_DOUBLE: [[usize; 3]; 25] = [
    [2437, 649, 103],
    [2817, 275, 43],
    [71, 4519, 209],
    [1601, 544, 25],
    [1059, 653, 25],
    [499, 14, 200],
    [2840, 536, 60],
    [2554, 292, 244],
    [2712, 864, 120],
    [24, 4616, 132],
    [2144, 16, 156],
    [96, 72, 196],
    [4710, 574, 100],
    [528, 1976, 28],
    [144, 5152, 28],
    [575, 2069, 97],
    [2877, 457, 27],
    [4255, 433, 25],
    [1264, 859, 24],
    [4788, 263, 28],
    [3058, 577, 26],
    [2840, 66, 380],
    [2824, 162, 378],
    [1692, 34, 538],
    [2872, 144, 458],
];

/// For the kernels of kernels/matmul/rank_k.cuh.
const OF_A_SHORT_K: [[usize; 3]; 4] = [[7, 100_000, 9], [35_000, 20, 9], [14_000, 50, 9], [700, 700, 20]];

/// For kernels/matmul/outer.cuh: one packet of C to four of a thread.
const OUTER: [[usize; 3]; 8] = [
    [1, 1, 1],
    [3, 1, 1],
    [1, 5003, 1],
    [5001, 1, 1],
    [42, 1267, 1],
    [1501, 700, 1],
    [5, 300_001, 1],
    [2003, 1999, 1],
];

/// For kernels/matmul/skinny.cu: up to 4 and up to 8 vectors, and one, rows of the matrix aligned to packets or not.
const OF_VECTORS: [[usize; 3]; 8] = [
    [3, 2000, 1200],
    [2000, 3, 1200],
    [7, 2004, 1200],
    [2004, 7, 1200],
    [3, 2001, 1201],
    [7, 2001, 1201],
    [2200, 1, 8196],
    [1, 2203, 8201],
];

/// For kernels/matmul/small.cuh: with every number of lanes for an element, and rounds that are whole or not.
const SMALL: [[usize; 3]; 16] = [
    [2, 1, 2],
    [42, 1267, 2],
    [300, 200, 4],
    [877, 4, 6],
    [9, 700, 12],
    [130, 7, 16],
    [2, 60, 33],
    [7, 267, 19],
    [32, 33, 64],
    [7, 1, 55],
    [2, 489, 156],
    [6, 6, 256],
    [10, 11, 4709],
    [11, 35, 1518],
    [1, 3, 1500],
    [9, 4, 2048],
];

/// For tiles of packed operands.
const PACKED: [[usize; 3]; 4] = [[602, 702, 301], [263, 2201, 40], [600, 704, 301], [130, 260, 90]];

/// For kernels/matmul/narrow_wgmma.cuh: one cluster or more of them than a device runs at once, parts of k, rows aligned to 16 bytes or not.
const NARROW: [[usize; 3]; 6] =
    [[300, 64, 64], [301, 65, 63], [40, 516, 1000], [131, 33, 2501], [2100, 700, 72], [699, 2101, 71]];

/// For kernels/matmul/tma_wgmma.cuh: rows aligned to 16 bytes or not, few of them, and parts of a long k.
const OF_TMA: [[usize; 3]; 7] = [
    [256, 512, 192],
    [260, 132, 100],
    [131, 259, 67],
    [40, 300, 520],
    [300, 48, 132],
    [64, 72, 4100],
    [33, 130, 9000],
];

/// The product of op(A) and op(B), stored as they are multiplied.
#[track_caller]
fn product<T: Real>(
    ctx: &Context,
    variant: MatmulVariant,
    [m, n, k]: [usize; 3],
    trans: [bool; 2],
    [a, b]: [&[T]; 2],
) -> Vec<T> {
    let options = MatmulOptions {
        variant: variant as i32,
        dtype: T::DTYPE as i32,
        trans_a: trans[0].into(),
        trans_b: trans[1].into(),
        ..MatmulOptions::default()
    };
    let mut c = vec![T::POISON; m * n];
    let status = multiply(ctx, &options, [m, n, k], [a, b], &mut c);
    ok(status, format!("{m} x {n} x {k}, {trans:?}"));
    c
}

fn every_tile_is_exact<T: Real>(cuda: &Context, variant: MatmulVariant, sizes: &[[usize; 3]]) {
    let cpu = Context::cpu();
    for &size in sizes {
        let [m, n, k] = size;
        let (a, b) = (random_integers::<T>(13, m * k), random_integers::<T>(14, k * n));
        for trans in [[false, false], [false, true], [true, false], [true, true]] {
            if is_not_in_small_share() {
                continue;
            }
            let [got, want] = [cuda, &cpu].map(|ctx| product(ctx, variant, size, trans, [&a, &b]));
            assert_same(&got, &want, format!("{variant:?}, {:?}, {size:?}, {trans:?}", T::DTYPE));
        }
    }
}

#[test]
fn every_tile_of_float_is_exact_whatever_the_alignment_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    every_tile_is_exact::<f32>(&cuda, MatmulVariant::Tiled, &OF_FLOAT);
}

#[test]
fn every_tile_of_double_is_exact_whatever_the_alignment_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    every_tile_is_exact::<f64>(&cuda, MatmulVariant::Tiled, &OF_DOUBLE);
}

#[test]
fn every_tile_of_tf32_is_exact_whatever_the_alignment_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    tune(&cuda, c"matmul_tf32", [256, 0]);
    every_tile_is_exact::<f32>(&cuda, MatmulVariant::Tf32, &OF_TF32);
}

#[test]
fn every_plan_of_tf32_by_tma_is_exact_whatever_the_alignment_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    for values in [0, 1, 2, 4, 8, 128, 256] {
        tune(&cuda, c"matmul_tf32", [384, values]);
        every_tile_is_exact::<f32>(&cuda, MatmulVariant::Tf32, &OF_TMA);
    }
}

/// TMA stores whole pieces of 16 bytes: of C in memory of the device, whose rows begin at multiples of them and end anywhere.
#[test]
fn nothing_is_written_between_rows_of_c_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    tune(&cuda, c"matmul_tf32", [384, 128]);
    let in_rows_apart = |[m, n, k]: [usize; 3], trans: usize| {
        let gap = n.next_multiple_of(16) + 16 - n;
        let storage = |transposed| Storage { transposed, ..Storage::TIGHT };
        Problem {
            a: storage(trans % 2 == 1),
            b: storage(trans / 2 == 1),
            c: Storage { line_gap: Some(gap), ..Storage::TIGHT },
            kinds: [Some(MemoryKind::Device); 3],
            batch: 1 + trans % 2,
            scale: (n % 2 == 1).then_some([1.5, if trans % 2 == 1 { -0.5 } else { 0.0 }]),
            ..Problem::plain([m, n, k])
        }
    };
    for trans in 0..4 {
        for n in (133..137).filter(|_| !is_not_in_small_share()) {
            in_rows_apart([130, n, 68], trans).check::<f32>(&cuda, MatmulVariant::Tf32);
        }
    }
    for (trans, n) in (0..4).flat_map(|trans| [573, 574].map(|n| (trans, n))) {
        if !is_not_in_small_share() {
            in_rows_apart([1710, n, 100], trans).check::<f64>(&cuda, MatmulVariant::Tiled);
        }
    }
}

#[test]
fn products_with_a_short_k_are_exact_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    every_tile_is_exact::<f32>(&cuda, MatmulVariant::Tiled, &OF_A_SHORT_K);
    every_tile_is_exact::<f64>(&cuda, MatmulVariant::Tiled, &OF_A_SHORT_K);
}

#[test]
fn outer_products_are_exact_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    every_tile_is_exact::<f32>(&cuda, MatmulVariant::Tiled, &OUTER);
    every_tile_is_exact::<f64>(&cuda, MatmulVariant::Tiled, &OUTER);
}

/// Batches of an odd number of elements, so that C begins within 16 bytes, gaps, alpha and beta.
#[test]
fn outer_products_are_as_their_options_ask_for_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    for (size, at) in [[3, 5, 1], [131, 77, 1], [1, 4099, 1], [701, 1, 1]]
        .into_iter()
        .zip(0..)
        .flat_map(|(size, of_size)| (0..8).map(move |at| (size, 8 * of_size + at)))
    {
        let storage = |transposed, gap| Storage { transposed, line_gap: Some(gap), ..Storage::TIGHT };
        let problem = Problem {
            a: storage(at % 2 == 1, at % 5),
            b: Storage { same: at % 3 == 0, ..storage(at / 2 % 2 == 1, at % 3) },
            c: storage(false, at / 4 % 2),
            kinds: [Some(MemoryKind::Device); 3],
            batch: 3,
            scale: Some([1.5, [0.0, -0.5][at % 2]]),
            ..Problem::plain(size)
        };
        problem.check::<f32>(&cuda, MatmulVariant::Tiled);
        problem.check::<f64>(&cuda, MatmulVariant::Tiled);
    }
}

#[test]
fn products_with_few_vectors_are_exact_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    every_tile_is_exact::<f32>(&cuda, MatmulVariant::Tiled, &OF_VECTORS);
    every_tile_is_exact::<f64>(&cuda, MatmulVariant::Tiled, &OF_VECTORS);
}

#[test]
fn small_products_are_exact_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    every_tile_is_exact::<f32>(&cuda, MatmulVariant::Tiled, &SMALL);
    every_tile_is_exact::<f64>(&cuda, MatmulVariant::Tiled, &SMALL);
}

#[test]
fn products_of_packed_operands_are_exact_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    for cols in [64, 128] {
        tune(&cuda, c"matmul_tensor", [384, cols]);
        every_tile_is_exact::<f32>(&cuda, MatmulVariant::Tensor, &PACKED);
    }
}

#[test]
fn narrow_products_are_exact_whatever_the_alignment_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    tune(&cuda, c"matmul_tensor", [384, 1]);
    every_tile_is_exact::<f32>(&cuda, MatmulVariant::Tensor, &NARROW);
}

/// Batches, gaps, alpha and beta: with beta C is stored by the kernel that adds up parts.
#[test]
fn narrow_products_are_as_their_options_ask_for_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    tune(&cuda, c"matmul_tensor", [384, 1]);
    are_as_their_options_ask_for::<f32>(&cuda, MatmulVariant::Tensor, [[270, 35, 130], [37, 141, 700]]);
}

/// The same where both operands are packed: C is stored by TMA, in packets, or element by element.
#[test]
fn products_of_packed_operands_are_as_their_options_ask_for_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    for cols in [64, 128] {
        tune(&cuda, c"matmul_tensor", [384, cols]);
        are_as_their_options_ask_for::<f32>(&cuda, MatmulVariant::Tensor, [[270, 136, 130], [137, 141, 100]]);
    }
}

/// The same where a block of threads has an element of C.
#[test]
fn small_products_are_as_their_options_ask_for_on_cuda() {
    let Some(cuda) = Context::cuda() else { return };
    are_as_their_options_ask_for::<f32>(&cuda, MatmulVariant::Tiled, [[10, 11, 2001], [3, 2, 1600]]);
    are_as_their_options_ask_for::<f64>(&cuda, MatmulVariant::Tiled, [[10, 11, 2001], [3, 2, 1600]]);
}

fn are_as_their_options_ask_for<T: Real>(cuda: &Context, variant: MatmulVariant, sizes: [[usize; 3]; 2]) {
    for (size, at) in
        sizes.into_iter().zip(0..).flat_map(|(size, of_size)| (0..8).map(move |at| (size, 8 * of_size + at)))
    {
        let storage = |transposed, gap| Storage { transposed, line_gap: Some(gap), ..Storage::TIGHT };
        let (batch, beta) = ([1, 3][at / 4 % 2], [0.0, -0.5][at % 2]);
        Problem {
            a: storage(at % 2 == 1, at % 5),
            b: Storage { same: at % 3 == 0, ..storage(at / 2 % 2 == 1, at % 3) },
            c: storage(false, [0, 0, 2, 3][at % 4]),
            batch,
            scale: Some([1.5, beta]),
            ..Problem::plain(size)
        }
        .check::<T>(cuda, variant);
    }
}
