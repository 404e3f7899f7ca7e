//! Complex numbers of the tests: in double, by their definitions.

use std::ops::{Add, Div, Mul, Neg, Sub};

use gpumex::model::dtype::Dtype;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C(pub f64, pub f64);

impl Add for C {
    type Output = C;
    fn add(self, y: C) -> C {
        C(self.0 + y.0, self.1 + y.1)
    }
}

impl Sub for C {
    type Output = C;
    fn sub(self, y: C) -> C {
        C(self.0 - y.0, self.1 - y.1)
    }
}

impl Mul for C {
    type Output = C;
    fn mul(self, y: C) -> C {
        C(self.0 * y.0 - self.1 * y.1, self.0 * y.1 + self.1 * y.0)
    }
}

impl Div for C {
    type Output = C;
    fn div(self, y: C) -> C {
        let square = y.0 * y.0 + y.1 * y.1;
        let product = self * C(y.0, -y.1);
        C(product.0 / square, product.1 / square)
    }
}

impl Neg for C {
    type Output = C;
    fn neg(self) -> C {
        C(-self.0, -self.1)
    }
}

impl C {
    pub fn abs(self) -> f64 {
        self.0.hypot(self.1)
    }
    pub fn exp(self) -> C {
        C(self.0.exp() * self.1.cos(), self.0.exp() * self.1.sin())
    }
    pub fn log(self) -> C {
        C(self.abs().ln(), self.1.atan2(self.0))
    }
    pub fn scaled(self, factor: f64) -> C {
        C(self.0 * factor, self.1 * factor)
    }
    pub fn sqrt(self) -> C {
        let (size, angle) = (self.abs().sqrt(), self.1.atan2(self.0) / 2.0);
        C(size * angle.cos(), size * angle.sin())
    }
    pub fn pow(self, y: C) -> C {
        (y * self.log()).exp()
    }
    pub fn sinh(self) -> C {
        C(self.0.sinh() * self.1.cos(), self.0.cosh() * self.1.sin())
    }
    pub fn cosh(self) -> C {
        C(self.0.cosh() * self.1.cos(), self.0.sinh() * self.1.sin())
    }
    pub fn turned(self) -> C {
        C(-self.1, self.0)
    }
    pub fn conj(self) -> C {
        C(self.0, -self.1)
    }
}

/// The bytes of numbers of a dtype, real ones without their imaginary parts.
pub fn encoded(dtype: Dtype, numbers: &[C]) -> Vec<u8> {
    let parts = |z: &C| if dtype.is_complex() { vec![z.0, z.1] } else { vec![z.0] };
    let is_single = matches!(dtype, Dtype::F32 | Dtype::C64);
    let bytes = |x: f64| if is_single { (x as f32).to_le_bytes().to_vec() } else { x.to_le_bytes().to_vec() };
    numbers.iter().flat_map(parts).flat_map(bytes).collect()
}

pub fn decoded(dtype: Dtype, bytes: &[u8]) -> Vec<C> {
    let part = dtype.part().unwrap_or(dtype);
    let number = |bytes: &[u8]| match part {
        Dtype::F32 => f32::from_le_bytes(bytes.try_into().unwrap()).into(),
        Dtype::F64 => f64::from_le_bytes(bytes.try_into().unwrap()),
        _ => bytes[0].into(),
    };
    let parts: Vec<f64> = bytes.chunks_exact(part.size()).map(number).collect();
    match dtype.is_complex() {
        true => parts.chunks_exact(2).map(|pair| C(pair[0], pair[1])).collect(),
        false => parts.into_iter().map(|re| C(re, 0.0)).collect(),
    }
}

/// The numbers as a dtype holds them.
pub fn rounded(dtype: Dtype, numbers: &[C]) -> Vec<C> {
    decoded(dtype, &encoded(dtype, numbers))
}
