//! Products of many sizes are within the bound.

use gpumex::ops::matmul::{MatmulOrder, MatmulVariant};

use super::oracle::{Bound, assert_within_bound};
use super::ways::*;
use crate::common::*;

/// Random matrices of this size: each way is within the bound.
#[track_caller]
fn product_is_within_bound<T: Real>(backends: &[Context], [m, n, k]: [usize; 3]) {
    if is_not_in_share() {
        return;
    }
    let seed = (m * 1_000_000 + n * 1000 + k) as u64;
    let (a, b) = (random_matrix::<T>(seed, m * k), random_matrix::<T>(seed + 1, k * n));
    let exact = exact_product([m, n, k], &a, &b);
    each_way::<T>(backends, |way, what| {
        let c = way.product([m, n, k], &a, &b);
        let what = format!("{what}, m {m} n {n} k {k}, seed {seed}");
        assert_within_bound(&c, &exact, n, &way.bound::<T>(k), &what);
    });
}

#[test]
fn products_of_every_small_size_are_within_the_bound() {
    let lengths = [0, 1, 2, 7, 16, 17, 33];
    let backends = backends();
    for m in lengths {
        for n in lengths {
            for k in lengths {
                product_is_within_bound::<f32>(&backends, [m, n, k]);
                product_is_within_bound::<f64>(&backends, [m, n, k]);
            }
        }
    }
}

#[test]
fn square_products_around_block_sizes_are_within_the_bound() {
    let backends = backends();
    for n in [8, 15, 31, 32, 33, 63, 64, 65, 127, 128] {
        product_is_within_bound::<f32>(&backends, [n, n, n]);
        product_is_within_bound::<f64>(&backends, [n, n, n]);
    }
}

#[test]
fn products_of_129_65_and_257_are_within_the_bound() {
    let backends = backends();
    let (x, y, z) = (129, 65, 257);
    for size in [[x, y, z], [x, z, y], [y, x, z], [y, z, x], [z, x, y], [z, y, x]] {
        product_is_within_bound::<f32>(&backends, size);
        product_is_within_bound::<f64>(&backends, size);
    }
}

/// Rows that begin at multiples of 16 bytes have kernels of their own.
#[test]
fn products_of_even_sizes_around_tiles_are_within_the_bound() {
    let backends = backends();
    for size in [[18, 34, 66], [130, 62, 258], [254, 258, 30], [34, 18, 514], [1030, 70, 20]] {
        product_is_within_bound::<f32>(&backends, size);
        product_is_within_bound::<f64>(&backends, size);
    }
}

#[test]
fn products_of_500_are_within_the_bound() {
    let backends = backends();
    product_is_within_bound::<f32>(&backends, [500, 500, 500]);
    product_is_within_bound::<f64>(&backends, [500, 500, 500]);
}

#[test]
fn long_and_flat_products_are_within_the_bound() {
    let backends = backends();
    let long = if share() == 1 { 70_001 } else { 9001 };
    for size in [
        [1, 1, long],
        [1, 3000, 40],
        [3000, 1, 40],
        [1, long, 1],
        [long, 1, 1],
        [2, 2, 9999],
        [16, 40, 9000],
        [13, 3001, 40],
        [65, 70, 8201],
    ] {
        product_is_within_bound::<f32>(&backends, size);
        product_is_within_bound::<f64>(&backends, size);
    }
}

/// Products of more tiles than multiprocessors: the tensor cores read operands that a launch before has packed.
#[test]
fn products_of_packed_operands_are_within_the_bound() {
    let [m, n, k] = [602, 702, 301];
    let (a, b) = (random_matrix::<f32>(9, m * k), random_matrix::<f32>(10, k * n));
    let exact = exact_product([m, n, k], &a, &b);
    for ctx in &backends() {
        let packed = |variant: &MatmulVariant| matches!(variant, MatmulVariant::Tensor | MatmulVariant::Tf32);
        for variant in variants_of::<f32>(ctx).into_iter().filter(packed) {
            for order in ORDERS {
                let way = Way { ctx, variant, order };
                let c = way.product([m, n, k], &a, &b);
                assert_within_bound(&c, &exact, n, &way.bound::<f32>(k), &format!("{variant:?}, {order:?}"));
            }
        }
    }
}

/// C of two million elements, whose rows are not aligned to packets, is stored in another way than a small one.
#[test]
fn large_products_of_small_integers_are_exact_whatever_the_alignment() {
    large_product_is_exact::<f32>([1449, 1451, 60]);
    large_product_is_exact::<f64>([1449, 1451, 60]);
    large_product_is_exact::<f32>([1448, 1452, 60]);
    large_product_is_exact::<f64>([2050, 2052, 36]);
}

#[track_caller]
fn large_product_is_exact<T: Real>([m, n, k]: [usize; 3]) {
    let Some(cuda) = Context::cuda() else { return };
    let (a, b) = (random_integers::<T>(13, m * k), random_integers::<T>(14, k * n));
    let of =
        |ctx: &Context, variant| Way { ctx, variant, order: MatmulOrder::Row }.product([m, n, k], &a, &b);
    let want = of(&Context::cpu(), MatmulVariant::Auto);
    for variant in variants_of::<T>(&cuda) {
        assert_same(&of(&cuda, variant), &want, format!("{variant:?}, {:?}, m {m} n {n} k {k}", T::DTYPE));
    }
}

/// A context without a tuning of its own computes few multiplications in float, which TF32 has the whole error of.
#[test]
fn small_products_with_tf32_are_within_the_bound_of_float() {
    for [m, n, k] in [[40, 50, 60], [200, 100, 8], [1, 300, 700], [300, 9, 500]] {
        let (a, b) = (random_matrix::<f32>(11, m * k), random_matrix::<f32>(12, k * n));
        let exact = exact_product([m, n, k], &a, &b);
        for ctx in &backends() {
            let way = Way { ctx, variant: MatmulVariant::Tf32, order: MatmulOrder::Row };
            let c = way.product([m, n, k], &a, &b);
            let what = format!("{:?}, m {m} n {n} k {k}", ctx.backend);
            assert_within_bound(&c, &exact, n, &Bound::of::<f32>(k), &what);
        }
    }
}

/// Panels along k and across it, whose rows begin at multiples of 16 bytes or do not, by few vectors and by more: each has a kernel.
#[test]
fn panels_of_every_kind_are_within_the_bound() {
    let backends = backends();
    for (vectors, [edge, k]) in
        [1, 3, 7, 13].into_iter().flat_map(|vectors| [(vectors, [2504, 44]), (vectors, [2501, 45])])
    {
        for size in [[vectors, edge, k], [edge, vectors, k]] {
            panel_is_within_bound::<f32>(&backends, size);
            panel_is_within_bound::<f64>(&backends, size);
        }
    }
    for [edge, k] in [[404, 2100], [401, 2101]] {
        for size in [[13, edge, k], [edge, 13, k]] {
            panel_is_within_bound::<f32>(&backends, size); // with a shorter k tiles are faster
            panel_is_within_bound::<f64>(&backends, size);
        }
    }
}

#[track_caller]
fn panel_is_within_bound<T: Real>(backends: &[Context], [m, n, k]: [usize; 3]) {
    let (a, b) = (random_matrix::<T>(7, m * k), random_matrix::<T>(8, k * n));
    let exact = exact_product([m, n, k], &a, &b);
    for ctx in backends {
        let way = Way { ctx, variant: MatmulVariant::Auto, order: MatmulOrder::Row };
        let c = way.product([m, n, k], &a, &b);
        assert_within_bound(&c, &exact, n, &way.bound::<T>(k), &format!("m {m} n {n} k {k}"));
    }
}
