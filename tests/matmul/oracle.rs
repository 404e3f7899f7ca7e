//! What a product should be, in twice the precision, and how far from it a result may be.

use crate::common::Real;

/// A number as high + low part, and the sum of the magnitudes of what was added.
#[derive(Clone, Copy, Default)]
pub struct Exact {
    pub high: f64,
    pub low: f64,
    pub magnitude: f64,
}

impl Exact {
    /// Adds x·y: T. Ogita, S. Rump, S. Oishi, "Accurate sum and dot product", 2005, algorithm 5.3 (Dot2).
    pub fn add(self, x: f64, y: f64) -> Exact {
        let product = x * y;
        let product_error = x.mul_add(y, -product);
        let high = self.high + product;
        let part = high - self.high;
        let sum_error = (self.high - (high - part)) + (product - part);
        Exact { high, low: self.low + (product_error + sum_error), magnitude: self.magnitude + product.abs() }
    }

    /// alpha times itself, within the rounding of one operation in twice the precision.
    pub fn times(self, alpha: f64) -> Exact {
        let scaled = Exact::default().add(alpha, self.high);
        Exact {
            high: scaled.high,
            low: scaled.low + alpha * self.low,
            magnitude: alpha.abs() * self.magnitude,
        }
    }
}

/// error ≤ factor · magnitude.
pub struct Bound {
    pub factor: f64,
}

impl Bound {
    /// γ_j = j·u/(1 - j·u) with j = k + 2: what is added, and the rounding of alpha and beta.
    pub fn of<T: Real>(k: usize) -> Bound {
        let ju = (k as f64 + 2.0) * T::UNIT_ROUNDOFF;
        Bound { factor: ju / (1.0 - ju) * (1.0 + 1e-9) } // the oracle's own rounding
    }

    /// With operands of 11 bits.
    pub fn of_tf32(k: usize) -> Bound {
        Bound { factor: Bound::of::<f32>(k).factor + f64::from(2.0f32.powi(-10)) }
    }
}

/// Each element is within the bound.
#[track_caller]
pub fn assert_within_bound<T: Real>(got: &[T], exact: &[Exact], cols: usize, bound: &Bound, what: &str) {
    assert_eq!(got.len(), exact.len(), "{what}: elements");
    for (index, (got, exact)) in got.iter().zip(exact).enumerate() {
        let error = ((got.to_f64() - exact.high) - exact.low).abs();
        let bound = bound.factor * exact.magnitude;
        let (i, j, want) = (index / cols, index % cols, exact.high + exact.low);
        assert!(
            error <= bound,
            "{what}: index {index}, row {i}, column {j}: got {got:?}, want {want:e}, error {error:e}, bound {bound:e}"
        );
    }
}
