//! Elements of arrays as numbers, by gpumex_dtype.

use std::cmp::Ordering;

pub const F32: u8 = 1;
pub const F64: u8 = 2;
pub const F16: u8 = 3;
pub const BF16: u8 = 4;
pub const BOOL: u8 = 13;
pub const C64: u8 = 14;
pub const C128: u8 = 15;

/// The parts of a complex number: how many, and their dtype; one of a real number.
pub fn parts(dtype: u8) -> (usize, u8) {
    match dtype {
        C64 => (2, F32),
        C128 => (2, F64),
        dtype => (1, dtype),
    }
}

pub fn is_complex(dtype: u8) -> bool {
    parts(dtype).0 == 2
}

/// Bytes of an element of each gpumex_dtype; 0 for NONE and unknown ones.
pub fn dtype_size(dtype: u8) -> usize {
    [0, 4, 8, 2, 2, 1, 2, 4, 8, 1, 2, 4, 8, 1, 8, 16].get(usize::from(dtype)).copied().unwrap_or(0)
}

pub fn is_float(dtype: u8) -> bool {
    matches!(dtype, F32 | F64)
}

pub fn is_half(dtype: u8) -> bool {
    matches!(dtype, F16 | BF16)
}

/// The digits behind the point and the bias of the exponent of a 16-bit float.
fn half_format(dtype: u8) -> (u32, i32) {
    if dtype == F16 { (10, 15) } else { (7, 127) }
}

/// The number that has these bits as F16 or BF16.
pub fn half_value(dtype: u8, bits: u16) -> f64 {
    let (digits, bias) = half_format(dtype);
    let (one, most) = (1u16 << digits, (1u16 << (15 - digits)) - 1);
    let (fraction, exponent) = (f64::from(bits % one) / f64::from(one), bits >> digits & most);
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    sign * match exponent {
        0 => fraction * 2f64.powi(1 - bias),
        exponent if exponent < most => (1.0 + fraction) * 2f64.powi(i32::from(exponent) - bias),
        _ if fraction == 0.0 => f64::INFINITY,
        _ => f64::NAN,
    }
}

/// The bits of the number of F16 or BF16 next to zero from this one; of NaN a NaN.
pub fn half_bits(dtype: u8, number: f64) -> u16 {
    let (digits, _) = half_format(dtype);
    let infinity = ((1u16 << (15 - digits)) - 1) << digits;
    let sign = if number.is_sign_negative() { 1 << 15 } else { 0 };
    if number.is_nan() {
        return sign | (infinity + 1);
    }
    let (mut bits, mut above) = (0, infinity + 1); // numbers ascend with their bits
    while above - bits > 1 {
        let between = bits + (above - bits) / 2;
        if half_value(dtype, between) <= number.abs() {
            bits = between;
        } else {
            above = between;
        }
    }
    sign | bits
}

/// Half the distance of two numbers of the dtype about this one.
pub fn half_step(dtype: u8, number: f64) -> f64 {
    let (digits, bias) = half_format(dtype);
    (number.abs() * 2f64.powi(-(digits as i32))).max(2f64.powi(1 - bias - digits as i32)) / 2.0
}

pub fn is_signed(dtype: u8) -> bool {
    (5..=8).contains(&dtype)
}

/// The gpumex_dtype of a C type.
pub fn dtype_of(c_type: &str) -> u8 {
    match c_type {
        "float" => 1,
        "double" => 2,
        "int8_t" => 5,
        "int16_t" => 6,
        "int32_t" => 7,
        "int64_t" => 8,
        "uint16_t" => 10,
        "uint32_t" => 11,
        "uint64_t" | "size_t" => 12,
        _ => 9,
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Int(i128),
    Float(f64),
}

impl Number {
    pub fn float(self) -> f64 {
        match self {
            Number::Int(number) => {
                i64::try_from(number).map_or_else(|_| number as f64, |number| number as f64)
            }
            Number::Float(number) => number,
        }
    }

    pub fn int(self) -> i128 {
        match self {
            Number::Int(number) => number,
            Number::Float(number) => number as i128,
        }
    }

    /// The order of sorted keys: -0 equals 0, NaN equals NaN and is greater than all numbers.
    pub fn order(self, other: Number) -> Ordering {
        match (self, other) {
            (Number::Int(left), Number::Int(right)) => left.cmp(&right),
            _ => {
                let (left, right) = (self.float(), other.float());
                left.partial_cmp(&right).unwrap_or_else(|| left.is_nan().cmp(&right.is_nan()))
            }
        }
    }
}

/// Element `index` of an array; F16 and BF16 by their bits, of a complex number the real part.
pub fn decode(dtype: u8, bytes: &[u8], index: usize) -> Number {
    let (parts, dtype) = parts(dtype);
    let (size, index) = (dtype_size(dtype), parts * index);
    let mut word = [0u8; 8];
    word[..size].copy_from_slice(&bytes[index * size..][..size]);
    of_bits(dtype, u64::from_le_bytes(word))
}

/// The number that has these bits as an element.
pub fn of_bits(dtype: u8, word: u64) -> Number {
    match dtype {
        F32 => Number::Float(f64::from(f32::from_bits(word as u32))),
        F64 => Number::Float(f64::from_bits(word)),
        _ if is_signed(dtype) => {
            let shift = 64 - 8 * dtype_size(dtype);
            Number::Int(i128::from((word << shift).cast_signed() >> shift))
        }
        _ => Number::Int(i128::from(word)),
    }
}

/// The bits of a number as an element; integers wrap, and both parts of a complex number are the number.
pub fn encode(dtype: u8, number: Number, bytes: &mut Vec<u8>) {
    if is_complex(dtype) {
        let (_, part) = parts(dtype);
        encode(part, number, bytes);
        return encode(part, number, bytes);
    }
    let word = match dtype {
        F32 => u64::from((number.float() as f32).to_bits()),
        F64 => number.float().to_bits(),
        _ => number.int() as u64,
    };
    bytes.extend_from_slice(&word.to_le_bytes()[..dtype_size(dtype).max(1)]);
}

pub fn decode_all(dtype: u8, bytes: &[u8]) -> Vec<Number> {
    (0..bytes.len() / dtype_size(dtype).max(1)).map(|index| decode(dtype, bytes, index)).collect()
}
