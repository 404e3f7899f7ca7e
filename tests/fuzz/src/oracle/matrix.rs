//! Matrix products by a triple loop, within the error bound of the header.

use super::View;
use crate::case::{Matrix, Value};
use crate::number::{F16, F32, F64, decode, half_step, half_value, is_half};

/// GPUMEX_MATMUL_VARIANT_TF32 and _CUBLAS.
const TF32: u32 = 6;
pub const CUBLAS: u32 = 7;

/// An element of a matrix.
fn element(dtype: u8, bytes: &[u8], at: usize) -> f64 {
    match decode(dtype, bytes, at) {
        number if is_half(dtype) => half_value(dtype, number.int() as u16),
        number => number.float(),
    }
}

pub fn matmul(view: &View) -> Result<(), String> {
    let [m, n, k] = ["m", "n", "k"].map(|name| view.number(name));
    let matrices = ['a', 'b', 'c'].map(|which| Matrix::of(&view.scope, which));
    let known = |dtype: u8| if dtype == F64 || is_half(dtype) { dtype } else { F32 };
    let (of_c, factors) = (known(view.dtype("c")), known(view.dtype("a")));
    let dtype = if of_c == F64 { F64 } else { F32 }; // of the sums
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
    let terms = if is_half(factors) { 2 * k + 20 } else { k + 12 };
    let bound = terms as f64 * u / (1.0 - terms as f64 * u);
    let most = if dtype == F32 { f64::from(f32::MAX) } else { f64::MAX };
    let mut written = vec![false; found.len() / crate::number::dtype_size(of_c)];
    for product in 0..matrices[2].batch {
        for (row, col) in (0..m).flat_map(|row| (0..n).map(move |col| (row as u128, col as u128))) {
            let at = matrices[2].index(product, row, col);
            written[at] = true;
            let (mut sum, mut absolute, mut has_subnormal) = (0.0, 0.0f64, false);
            let reads = if alpha == 0.0 { 0 } else { k };
            for l in 0..reads as u128 {
                let (Some(a), Some(b)) = (a, b) else { return Ok(()) };
                let x = element(factors, a, matrices[0].index(product, row, l));
                let y = element(factors, b, matrices[1].index(product, l, col));
                sum += x * y;
                absolute += (x * y).abs();
                has_subnormal |=
                    [x, y].iter().any(|element| *element != 0.0 && (alpha * element).abs() < least);
            }
            let old = if beta == 0.0 { 0.0 } else { beta * element(of_c, c, at) };
            let scaled = alpha.abs().max(1.0) * absolute + old.abs();
            // Infinities, NaN, overflow and underflow are those of a plain product in the dtype: not calculated here.
            if !scaled.is_finite() || scaled > most / 4.0 || alpha != 0.0 && alpha.abs() < least / u {
                continue;
            }
            if of_c == F16 && scaled > 30_000.0 {
                continue; // rounded to infinity
            }
            let expected = if alpha == 0.0 { 0.0 } else { alpha * sum } + old;
            let error = 2.0 * bound * (alpha.abs() * absolute + old.abs())
                + (k as f64 + 2.0) * least * alpha.abs().max(1.0)
                + if is_half(of_c) { 1.01 * half_step(of_c, expected) } else { 0.0 };
            let result = element(of_c, found, at);
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
    let size = crate::number::dtype_size(of_c);
    for at in (0..written.len()).filter(|at| !written[*at]) {
        if found[at * size..][..size] != c[at * size..][..size] {
            return Err(format!("c is wrong: [{at}] lies between rows and was written"));
        }
    }
    Ok(())
}
