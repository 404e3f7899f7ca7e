//! What AUTO takes: the fastest variant whose error is no larger than that of a plain product in the dtype.

use super::super::runtime::device::check_launch;
use super::super::runtime::kernels::{MatmulArgs, gpumexk_matmul_tensor_time};
use super::super::runtime::tuning::Compute;
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::matmul::MatmulVariant;

/// The compute capability that TENSOR is for. On other devices its portable kernel is no faster than tiles in registers.
const TENSOR_COMPUTE: Compute = (9, 0);
/// The k from which on TENSOR's error is at most 0.8 of a plain product's for numbers of 2^-15 to 2^15: benches/matmul prints both.
const TENSOR_K: usize = 64;
/// The least side of C for TENSOR, whose tiles have 64 rows or columns.
const TENSOR_SIDE: usize = 9;

/// From here on a product with a narrow C is skinny; with a shorter k kernels/matmul/rank_k.cuh, which TILED takes by itself, is faster.
/// Both leave what takes few microseconds to kernels/matmul/small.cuh.
const SKINNY_K: usize = 17;
/// Multiplications up to which TF32 is no faster than tiles of float.
const SMALL_FOR_TF32: usize = 1 << 23;
/// The least side of C for TF32.
const TF32_SIDE: usize = 17;
/// Multiplications from which on a C so narrow is bound by the memory of the other operand, where that need not be copied.
const MANY_FOR_TF32: usize = 1 << 27;
const TF32_NARROW: usize = 9;
/// From here on clusters do not occupy a device with few tiles of C, however fast they are.
const VERY_LONG_K: usize = 12_288;
/// The shorter side of C from which on TF32 is faster than parts of k in float.
const TF32_SPLIT_SIDE: usize = 33;
/// The multiprocessors of an H200.
const SMS: f64 = 132.0;

fn multiplications(product: &MatmulArgs) -> usize {
    [product.n, product.k, product.batch]
        .iter()
        .fold(product.m, |product, &size| product.saturating_mul(size))
}

/// Squares of 64 elements that cover C.
fn squares(product: &MatmulArgs) -> usize {
    product.m.div_ceil(64).saturating_mul(product.n.div_ceil(64))
}

/// Whether TF32 pays for a product of float: by 800 random products, few multiplications, a short side or a short k are done as soon in
/// float itself, with a smaller error.
pub fn is_for_tf32(product: &MatmulArgs) -> bool {
    let MatmulArgs { m, n, k, .. } = *product;
    let (shorter, many) = (m.min(n), multiplications(product));
    let is_aligned = product.lda.is_multiple_of(4) && product.ldb.is_multiple_of(4);
    let is_split = is_skinny(Dtype::F32, product) && shorter < TF32_SPLIT_SIDE;
    let is_wide = shorter >= TF32_SIDE && many > SMALL_FOR_TF32 && !is_split;
    let is_narrow = shorter >= TF32_NARROW && many > MANY_FOR_TF32 && is_aligned;
    let shortest_k = shortest_for_tf32(m.saturating_mul(n), product.ldc.is_multiple_of(4));
    k >= shortest_k && (is_wide || is_narrow)
}

/// The k from which on TF32 pays with so many elements of C, whose rows are aligned to packets or not.
fn shortest_for_tf32(elements: usize, is_aligned: bool) -> usize {
    match (elements.max(1).ilog2(), is_aligned) {
        (..19, true) => 96,
        (19, true) => 48,
        (20, true) => 28,
        (21, true) => 20,
        (22, true) => 14,
        (_, true) => 10,
        (..20, false) => 80,
        (20, false) => 48,
        (21, false) => 40,
        (22, false) => 33,
        (_, false) => 20,
    }
}

/// Whether C has too few tiles to occupy a device: what TILED multiplies by a vector's kernels, or in parts of k. By 300 random products
/// that were timed both ways.
pub fn is_skinny(dtype: Dtype, product: &MatmulArgs) -> bool {
    let MatmulArgs { k, .. } = *product;
    let (shorter, longer) = (product.m.min(product.n), product.m.max(product.n));
    match (shorter, dtype) {
        (0, _) => false,
        (1, _) => !is_outer(product),
        (2..=16, _) if k < SKINNY_K => false,
        (2..=16, Dtype::F64) => !has_tiles_of_double(shorter, longer, k),
        (2..=16, _) if shorter >= 5 && has_tiles_of_float(longer, product) => false,
        (2..=8, _) => longer >= 1024 || k <= 256 || k >= 1024,
        (9..=16, _) => k >= 2048,
        _ => product.batch == 1 && k >= shortest_to_split(dtype, shorter, squares(product)),
    }
}

/// Whether it is an outer product into a C without gaps: kernels/matmul/outer.cuh, which TILED takes by itself.
fn is_outer(product: &MatmulArgs) -> bool {
    product.k == 1 && (product.ldc == product.n || product.m == 1)
}

/// Whether tiles are faster for five to sixteen rows or columns.
fn has_tiles_of_float(longer: usize, product: &MatmulArgs) -> bool {
    longer >= 4096 || (longer <= 1024 && product.k <= 4096 && multiplications(product) <= 1 << 22)
}

/// Whether they are for two to sixteen, in double.
fn has_tiles_of_double(shorter: usize, longer: usize, k: usize) -> bool {
    match shorter {
        0..=4 => false,
        5..=8 => k <= 256 && longer <= 2048,
        _ => k <= 2048 || longer >= 1024,
    }
}

/// The k from which on clusters do not occupy a device with a C of so many squares, its shorter side above 16, and parts of k do.
fn shortest_to_split(dtype: Dtype, shorter: usize, squares: usize) -> usize {
    const NEVER: usize = usize::MAX;
    match (dtype, shorter, squares) {
        (Dtype::F32, 17..=32, 0..=4) => 2048,
        (Dtype::F32, 33..=64, 32..=64) => 3072,
        (Dtype::F32, 33.., 0..=64) => 4096,
        (Dtype::F64, 17..=32, 0..=4) => 4096,
        (Dtype::F64, 33.., 0..=128) => VERY_LONG_K,
        _ => NEVER,
    }
}

/// Microseconds that an H200 takes for a product by what TILED takes. Fitted to 600 random products that were timed this way and by TENSOR,
/// to 47 that are skinny, and to 130 with a side of 9 to 16: the faster one by these takes 1.02 times as long as the faster one.
fn tiled_time(product: &MatmulArgs) -> f64 {
    let squares = squares(product) as f64;
    let [m, n, k, batch] = [product.m, product.n, product.k, product.batch].map(|size| size as f64);
    if is_skinny(Dtype::F32, product) {
        let narrower = if m.min(n) <= 16.0 { 0.65 } else { 1.0 }; // kernels of a vector
        return narrower * (9.0 + (220e-6 * squares + 0.64e-6 * (m + n)) * k);
    }
    let narrower = if m.min(n) <= 32.0 { 0.7 } else { 1.0 }; // tiles
    let each = narrower * squares * batch / SMS;
    6.5 + 0.0316 * k * each.max(0.058) + 0.9 * each.ceil()
}

/// The same by TENSOR.
fn tensor_time(product: &MatmulArgs) -> Result<f64> {
    let mut microseconds = 0.0;
    // SAFETY: reads the product, and no matrix of it; writes one number.
    check_launch(unsafe { gpumexk_matmul_tensor_time(product, &mut microseconds) })?;
    Ok(microseconds)
}

/// The variant for a product of matrices of `dtype` on a device.
pub fn choose(compute: Compute, dtype: Dtype, product: &MatmulArgs) -> Result<MatmulVariant> {
    let is_served = dtype == Dtype::F32 && compute == TENSOR_COMPUTE;
    let is_accurate = product.alpha != 0.0 && product.k >= TENSOR_K;
    let is_wide = product.m.min(product.n) >= TENSOR_SIDE;
    match is_served && is_accurate && is_wide && tensor_time(product)? < tiled_time(product) {
        true => Ok(MatmulVariant::Tensor),
        false => Ok(MatmulVariant::Tiled),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of([m, n, k]: [usize; 3], alpha: f64) -> MatmulArgs {
        let none = std::ptr::null_mut();
        MatmulArgs {
            m,
            n,
            k,
            batch: 1,
            trans_a: 0,
            trans_b: 0,
            a: none,
            b: none,
            c: none,
            lda: k,
            ldb: n,
            ldc: n,
            stride_a: 0,
            stride_b: 0,
            stride_c: 0,
            alpha,
            beta: 0.0,
        }
    }

    #[test]
    fn tensor_cores_take_what_they_are_accurate_and_fast_for() {
        let variant = |size, alpha| choose((9, 0), Dtype::F32, &of(size, alpha)).unwrap();
        for size in [
            [2560, 1024, 128],
            [4096, 4096, 4096],
            [128, 8192, 1024],
            [8192, 128, 1024],
            [255, 4096, 4096],
            [4096, 4096, 64],
            [42, 9832, 1452],
            [8192, 64, 8192],
            [1091, 137, 3738],
            [512, 512, 16_384],
            [16, 4096, 4096],
            [14, 7152, 2808],
        ] {
            assert_eq!(variant(size, 1.0), MatmulVariant::Tensor, "{size:?}");
        }
        for size in [
            [42, 9832, 145],
            [4096, 4096, 63],
            [64, 64, 65_536],
            [512, 512, 512],
            [8, 8192, 8192],
            [604, 16, 3852],
            [1, 1, 0],
        ] {
            assert_eq!(variant(size, 1.0), MatmulVariant::Tiled, "{size:?}");
        }
        assert_eq!(variant([4096; 3], 0.0), MatmulVariant::Tiled);
    }

    #[test]
    fn few_tiles_with_a_long_k_and_vectors_are_skinny() {
        let is_skinny = |dtype, size| is_skinny(dtype, &of(size, 1.0));
        let (f32, f64) = (Dtype::F32, Dtype::F64);
        for size in
            [[1, 8192, 8192], [4096, 1, 7], [4, 1024, 512], [8, 2000, 512], [16, 500, 4097], [64, 64, 65_536]]
        {
            assert!(is_skinny(f32, size) && is_skinny(f64, size), "{size:?}");
        }
        for size in [
            [0, 5, 5],
            [64, 64, 4095],
            [4096, 4096, 65_536],
            [8, 9000, 16],
            [16, 500, 1024],
            [9026, 10, 5423],
            [1091, 137, 3738],
        ] {
            assert!(!is_skinny(f32, size) && !is_skinny(f64, size), "{size:?}");
        }
        assert!(!is_skinny(f32, [8, 500, 500]) && is_skinny(f64, [8, 500, 500]));
        assert!(is_skinny(f32, [730, 10, 7220]) && is_skinny(f32, [64, 64, 4096]));
        assert!(!is_skinny(f64, [1260, 10, 7220]) && !is_skinny(f64, [64, 64, 4096]));
    }

    #[test]
    fn tf32_is_for_many_multiplications() {
        for (size, is_for_it) in [
            ([4096; 3], true),
            ([8192, 64, 8192], true),
            ([128; 3], false),
            ([256; 3], true),
            ([8192, 8192, 16], true),
            ([8192, 8191, 16], false),
            ([16, 8192, 512], false),
            ([16, 4096, 4096], true),
            ([1, 8192, 8192], false),
            ([32, 64, 65_536], false),
            ([64, 64, 65_536], true),
            ([164, 887, 663], true),
            ([310, 84, 8564], true),
        ] {
            assert_eq!(is_for_tf32(&of(size, 1.0)), is_for_it, "{size:?}");
        }
    }

    #[test]
    fn double_and_other_devices_take_tiles() {
        let product = of([4096; 3], 1.0);
        let variant = |compute, dtype| choose(compute, dtype, &product).unwrap();
        assert_eq!(variant((9, 0), Dtype::F64), MatmulVariant::Tiled);
        for compute in [(7, 5), (8, 0), (10, 0), (12, 0)] {
            assert_eq!(variant(compute, Dtype::F32), MatmulVariant::Tiled, "{compute:?}");
        }
    }
}
