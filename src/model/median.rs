//! Elements as keys whose order is that of the numbers, and the middle of two.
#![forbid(unsafe_code)]

/// The largest window of a median, in each direction.
pub const WINDOW: usize = 31;

/// An element whose median is taken: its order is that of its key. -0 is less than 0, NaN larger than all numbers.
pub trait Ordered: Copy {
    type Key: Copy + Default + Ord + Send + Sync;
    fn key(self) -> Self::Key;
    /// The element of a key; NaN is the positive quiet one.
    fn of_key(key: Self::Key) -> Self;
    /// The mean of two, rounded, of integers halves away from zero.
    fn mean(self, other: Self) -> Self;
}

macro_rules! unsigned {
    ($($number:ty),*) => {$(
        impl Ordered for $number {
            type Key = $number;
            #[inline(always)] // a part of vector loops
            fn key(self) -> $number {
                self
            }
            #[inline(always)]
            fn of_key(key: $number) -> $number {
                key
            }
            #[inline(always)]
            fn mean(self, other: $number) -> $number {
                (self | other) - ((self ^ other) >> 1)
            }
        }
    )*};
}

unsigned!(u8, u16, u32);

impl Ordered for u64 {
    type Key = i64; // signed ones are compared faster
    #[inline(always)]
    fn key(self) -> i64 {
        (self ^ (1 << 63)) as i64
    }
    #[inline(always)]
    fn of_key(key: i64) -> u64 {
        key as u64 ^ (1 << 63)
    }
    #[inline(always)]
    fn mean(self, other: u64) -> u64 {
        (self | other) - ((self ^ other) >> 1)
    }
}

macro_rules! signed {
    ($($number:ty: $key:ty, $sign:expr;)*) => {$(
        impl Ordered for $number {
            type Key = $key;
            #[inline(always)]
            fn key(self) -> $key {
                self as $key ^ $sign
            }
            #[inline(always)]
            fn of_key(key: $key) -> $number {
                (key ^ $sign) as $number
            }
            #[inline(always)]
            fn mean(self, other: $number) -> $number {
                let below = (self & other) + ((self ^ other) >> 1);
                if below >= 0 { below + ((self ^ other) & 1) } else { below }
            }
        }
    )*};
}

signed! {
    i8: u8, 1 << 7;
    i16: u16, 1 << 15;
    i32: u32, 1 << 31;
    i64: i64, 0;
}

impl Ordered for f32 {
    type Key = u32;
    #[inline(always)]
    fn key(self) -> u32 {
        const SIGN: u32 = 1 << 31;
        let bits = self.to_bits();
        let key = if bits & SIGN != 0 { !bits } else { bits | SIGN };
        if self.is_nan() { u32::MAX } else { key }
    }
    #[inline(always)]
    fn of_key(key: u32) -> f32 {
        const SIGN: u32 = 1 << 31;
        let bits = if key & SIGN != 0 { key ^ SIGN } else { !key };
        if key == u32::MAX { f32::from_bits(0x7fc0_0000) } else { f32::from_bits(bits) }
    }
    #[inline(always)]
    fn mean(self, other: f32) -> f32 {
        let mean = ((f64::from(self) + f64::from(other)) / 2.0) as f32;
        if mean.is_nan() { f32::from_bits(0x7fc0_0000) } else { mean }
    }
}

impl Ordered for f64 {
    type Key = i64;
    #[inline(always)]
    fn key(self) -> i64 {
        let bits = self.to_bits() as i64;
        let key = if bits < 0 { bits ^ i64::MAX } else { bits };
        if self.is_nan() { i64::MAX } else { key }
    }
    #[inline(always)]
    fn of_key(key: i64) -> f64 {
        let bits = if key < 0 { key ^ i64::MAX } else { key };
        if key == i64::MAX { f64::from_bits(0x7ff8 << 48) } else { f64::from_bits(bits as u64) }
    }
    #[inline(always)]
    fn mean(self, other: f64) -> f64 {
        let sum = self + other;
        let mean = if sum.is_infinite() { self / 2.0 + other / 2.0 } else { sum / 2.0 };
        if mean.is_nan() { f64::from_bits(0x7ff8 << 48) } else { mean }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ordered_as_numbers() {
        let numbers = [
            f64::NEG_INFINITY,
            f64::MIN,
            -1.5,
            -f64::MIN_POSITIVE,
            -0.0,
            0.0,
            5e-324,
            1.0,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
        ];
        for (index, &number) in numbers.iter().enumerate() {
            assert!(f64::of_key(number.key()).total_cmp(&number).is_eq());
            assert!(f32::of_key((number as f32).key()).total_cmp(&(number as f32)).is_eq());
            for &other in &numbers[index..] {
                assert!(number.key() <= other.key() && (number as f32).key() <= (other as f32).key());
            }
        }
        assert!((-f64::NAN).key() == f64::NAN.key() && (-f32::NAN).key() == f32::NAN.key());
        let signed: Vec<i8> = (i8::MIN..=i8::MAX).collect();
        assert!(
            signed.is_sorted_by_key(|&number| number.key())
                && signed.iter().all(|&number| i8::of_key(number.key()) == number)
        );
        assert!([0, 1, u64::MAX / 2, u64::MAX].is_sorted_by_key(|number: &u64| number.key()));
    }

    #[test]
    fn means_are_rounded_away_from_zero() {
        for a in i8::MIN..=i8::MAX {
            for b in i8::MIN..=i8::MAX {
                assert_eq!(a.mean(b), ((f64::from(a) + f64::from(b)) / 2.0).round() as i8, "{a} {b}");
                let (c, d) = (a as u8, b as u8);
                assert_eq!(c.mean(d), ((f64::from(c) + f64::from(d)) / 2.0).round() as u8);
            }
        }
        assert_eq!(f64::MAX.mean(f64::MAX), f64::MAX);
        assert_eq!(f32::MAX.mean(f32::MAX), f32::MAX);
        assert!(f64::INFINITY.mean(f64::NEG_INFINITY).is_nan());
    }
}
