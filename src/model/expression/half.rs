//! Floats of 16 bits, as the lower or the upper half of what they are in memory: their values as f32, and back, rounded to nearest, ties
//! to even.
#![forbid(unsafe_code)]

/// IEEE 754 binary16. A product with 2^112 moves the exponent, of subnormal numbers too; infinities and NaN are apart.
#[inline(always)]
pub fn from_f16(bits: u16) -> f32 {
    let magnitude = f32::from_bits((u32::from(bits) & 0x7FFF) << 13);
    let scaled = (magnitude * f32::from_bits(0x7780_0000)).to_bits();
    let special = if bits & 0x7C00 == 0x7C00 { 0x7F80_0000 } else { 0 };
    f32::from_bits(scaled | special | (u32::from(bits) & 0x8000) << 16)
}

/// To IEEE 754 binary16. Subnormal results are rounded by the addition of a number whose last bit is worth 2^-24.
#[inline(always)]
pub fn to_f16(value: f32) -> u16 {
    let bits = value.to_bits();
    let (sign, magnitude) = ((bits >> 16) & 0x8000, bits & 0x7FFF_FFFF);
    let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
    let normal = (magnitude.wrapping_add(0xFFF + ((magnitude >> 13) & 1)).wrapping_sub(112 << 23)) >> 13;
    let finite = if magnitude < 0x3880_0000 { subnormal } else { normal };
    let special = if magnitude > 0x7F80_0000 { 0x7E00 } else { 0x7C00 };
    (sign | if magnitude >= 0x477F_F000 { special } else { finite }) as u16
}

/// bfloat16.
#[inline(always)]
pub fn from_bf16(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// To bfloat16.
#[inline(always)]
pub fn to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7FFF + ((bits >> 16) & 1)) >> 16;
    (if value.is_nan() { (bits >> 16) | 0x40 } else { rounded }) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value by the definition of the format.
    fn by_definition(bits: u16, exponent_bits: u32) -> f64 {
        let fraction_bits = 15 - exponent_bits;
        let (fraction, exponent) =
            (i32::from(bits) & ((1 << fraction_bits) - 1), (i32::from(bits) & 0x7FFF) >> fraction_bits);
        let bias = (1 << (exponent_bits - 1)) - 1;
        let magnitude = match exponent {
            0 => f64::from(fraction) * 2f64.powi(1 - bias - fraction_bits as i32),
            all if all == 2 * bias + 1 && fraction == 0 => f64::INFINITY,
            all if all == 2 * bias + 1 => f64::NAN,
            _ => {
                f64::from((1 << fraction_bits) + fraction) * 2f64.powi(exponent - bias - fraction_bits as i32)
            }
        };
        if bits < 0x8000 { magnitude } else { -magnitude }
    }

    #[test]
    fn every_number_of_16_bits_is_what_the_format_says() {
        for bits in 0..=u16::MAX {
            let (half, bf16) = (f64::from(from_f16(bits)), f64::from(from_bf16(bits)));
            assert!(
                half == by_definition(bits, 5) || half.is_nan() && by_definition(bits, 5).is_nan(),
                "{bits:#x}"
            );
            assert!(
                bf16 == by_definition(bits, 8) || bf16.is_nan() && by_definition(bits, 8).is_nan(),
                "{bits:#x}"
            );
            let is_nan = (half.is_nan(), bf16.is_nan());
            assert!(
                to_f16(from_f16(bits)) == bits || is_nan.0 && from_f16(to_f16(half as f32)).is_nan(),
                "{bits:#x}"
            );
            assert!(to_bf16(from_bf16(bits)) == bits || is_nan.1, "{bits:#x}");
        }
    }

    #[test]
    fn numbers_between_two_are_rounded_to_the_nearest_and_halves_to_even() {
        for bits in 0..0x7C00u16 {
            let (low, high) = (by_definition(bits, 5), by_definition(bits + 1, 5));
            let high = if high.is_finite() { high } else { 65536.0 };
            let middle = ((low + high) / 2.0) as f32;
            let even = bits + (bits & 1);
            assert_eq!(to_f16(middle), even, "{bits:#x}");
            assert_eq!(to_f16(-middle), even | 0x8000, "{bits:#x}");
            assert_eq!((to_f16(middle.next_down()), to_f16(middle.next_up())), (bits, bits + 1), "{bits:#x}");
        }
        assert_eq!(
            (to_bf16(f32::from_bits(0x3F80_8000)), to_bf16(f32::from_bits(0x3F81_8000))),
            (0x3F80, 0x3F82)
        );
        assert_eq!((to_bf16(f32::from_bits(0x3F80_8001)), to_bf16(f32::MAX)), (0x3F81, 0x7F80));
    }
}
