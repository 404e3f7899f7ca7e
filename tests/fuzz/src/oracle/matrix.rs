//! Matrix products by a triple loop, within the error bound of the header.

use super::View;
use crate::case::{Matrix, Value};
use crate::number::{F32, F64, decode};

/// GPUMEX_MATMUL_VARIANT_TF32 and _CUBLAS.
const TF32: u32 = 6;
pub const CUBLAS: u32 = 7;

pub fn matmul(view: &View) -> Result<(), String> {
    let [m, n, k] = ["m", "n", "k"].map(|name| view.number(name));
    let matrices = ['a', 'b', 'c'].map(|which| Matrix::of(&view.scope, which));
    let dtype = if view.dtype("c") == F64 { F64 } else { F32 };
    if m * n * k * matrices[2].batch as usize > 5_000 || view.option("variant") == TF32 {
        return Ok(()); // TF32 has a bound of its own
    }
    let factor = |name: &str, default: f64| match view.scope.value(name) {
        Some(Value::Array(buffer)) => decode(F64, &buffer.bytes, 0).float(),
        _ => default,
    };
    let rounded = |number: f64| if dtype == F32 { f64::from(number as f32) } else { number };
    let (alpha, beta) = (rounded(factor("alpha", 1.0)), rounded(factor("beta", 0.0)));
    if !alpha.is_finite() || !beta.is_finite() {
        return Ok(());
    }
    let is_cublas = view.option("variant") == CUBLAS;
    if is_cublas && alpha != 0.0 && !(1e-6..1e6).contains(&alpha.abs()) {
        return Ok(()); // cuBLAS multiplies alpha into an operand where it likes, which may overflow or become subnormal
    }
    let (a, b, c) = (view.before("a"), view.before("b"), view.before("c").unwrap_or_default());
    let Some(found) = view.after("c") else { return Ok(()) };
    let (u, least) = if dtype == F32 {
        (f64::from(f32::EPSILON) / 2.0, f64::from(f32::MIN_POSITIVE))
    } else {
        (f64::EPSILON / 2.0, f64::MIN_POSITIVE)
    };
    let bound = (k + 12) as f64 * u / (1.0 - (k + 12) as f64 * u);
    let most = if dtype == F32 { f64::from(f32::MAX) } else { f64::MAX };
    let mut written = vec![false; found.len() / crate::number::dtype_size(dtype)];
    for product in 0..matrices[2].batch {
        for (row, col) in (0..m).flat_map(|row| (0..n).map(move |col| (row as u128, col as u128))) {
            let at = matrices[2].index(product, row, col);
            written[at] = true;
            let (mut sum, mut absolute, mut has_subnormal) = (0.0, 0.0f64, false);
            let reads = if alpha == 0.0 { 0 } else { k };
            for l in 0..reads as u128 {
                let (Some(a), Some(b)) = (a, b) else { return Ok(()) };
                let x = decode(dtype, a, matrices[0].index(product, row, l)).float();
                let y = decode(dtype, b, matrices[1].index(product, l, col)).float();
                sum += x * y;
                absolute += (x * y).abs();
                has_subnormal |=
                    [x, y].iter().any(|element| *element != 0.0 && (alpha * element).abs() < least);
            }
            let old = if beta == 0.0 { 0.0 } else { beta * decode(dtype, c, at).float() };
            let scaled = alpha.abs().max(1.0) * absolute + old.abs();
            // Infinities, NaN, overflow and underflow are those of a plain product in the dtype: not calculated here.
            if !scaled.is_finite() || scaled > most / 4.0 || alpha != 0.0 && alpha.abs() < least / u {
                continue;
            }
            let expected = if alpha == 0.0 { 0.0 } else { alpha * sum } + old;
            let error = 2.0 * bound * (alpha.abs() * absolute + old.abs())
                + (k as f64 + 2.0) * least * alpha.abs().max(1.0);
            let result = decode(dtype, found, at).float();
            if is_cublas && (has_subnormal || !result.is_finite()) {
                continue; // cuBLAS may read a C that beta = 0 leaves out, and multiply alpha into an operand
            }
            if (result - expected).is_nan() || (result - expected).abs() > error {
                return Err(format!(
                    "c is wrong: [{at}] is {result:e}, expected {expected:e} within {error:e}"
                ));
            }
        }
    }
    let size = crate::number::dtype_size(dtype);
    for at in (0..written.len()).filter(|at| !written[*at]) {
        if found[at * size..][..size] != c[at * size..][..size] {
            return Err(format!("c is wrong: [{at}] lies between rows and was written"));
        }
    }
    Ok(())
}
