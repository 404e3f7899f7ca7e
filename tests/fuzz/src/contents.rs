//! Contents of arrays: few or many different keys, special floats, sorted data, positions.

use crate::dice::Dice;
use crate::number::{
    BOOL, F32, F64, Number, dtype_size, encode, half_bits, is_float, is_half, is_signed, of_bits, parts,
};
use crate::roles::Contents;

/// Elements that a call may visit: a plain loop does so in a second.
const LONGEST: u64 = 1 << 30;

/// What is asked of an array.
pub struct Wanted {
    pub dtype: u8,
    pub count: usize,
    pub contents: Contents,
    /// Largest position, for arrays of positions.
    pub range: Option<u64>,
    pub descending: bool,
}

/// The bytes of an array, and whether they are as the header wants them.
pub fn fill(dice: &mut Dice, wanted: &Wanted) -> (Vec<u8>, bool) {
    let mut numbers = Vec::with_capacity(wanted.count);
    let mut specified = true;
    let sorted = wanted.contents != Contents::Any;
    if let Some(range) = wanted.range {
        if wanted.contents == Contents::StrictlyAscending
            && wanted.count as u64 <= range
            && dice.per_mille(950)
        {
            choose(dice, wanted.count, range, &mut numbers);
            return (bytes(wanted.dtype, &numbers), true);
        }
        let wild = dice.per_mille(40);
        for _ in 0..wanted.count {
            let position =
                if wild && dice.per_mille(300) { dice.bits() } else { dice.below(range as usize + 1) as u64 };
            numbers.push(Number::Int(i128::from(position)));
        }
        specified = !(wild && sorted) && wanted.contents != Contents::StrictlyAscending;
    } else {
        let class = dice.below(8);
        numbers.extend((0..wanted.count).map(|_| element(dice, wanted.dtype, class)));
    }
    if sorted && (wanted.dtype < 3 || wanted.dtype > 4) {
        // Segments whose offsets do not ascend overlap: their lengths add up to far more than there are elements.
        let overlap = wanted.range.map_or(0, |range| range.saturating_mul(wanted.count as u64));
        if dice.per_mille(40) && wanted.count > 1 && overlap < LONGEST {
            specified = false;
        } else {
            numbers.sort_by(|left, right| {
                let order = left.order(*right);
                if wanted.descending { order.reverse() } else { order }
            });
            if wanted.contents == Contents::PrefixSums && wanted.count > 0 && dice.per_mille(900) {
                numbers[0] = Number::Int(0);
            }
        }
    } else if dice.per_mille(150) {
        numbers.sort_by(|left, right| left.order(*right));
    }
    (bytes(wanted.dtype, &numbers), specified)
}

/// `count` of the numbers below `range`, ascending.
fn choose(dice: &mut Dice, count: usize, range: u64, numbers: &mut Vec<Number>) {
    let mut left = count as u64;
    for position in 0..range {
        if left > 0 && dice.below((range - position) as usize) < left as usize {
            numbers.push(Number::Int(i128::from(position)));
            left -= 1;
        }
    }
}

fn bytes(dtype: u8, numbers: &[Number]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(numbers.len() * dtype_size(dtype).max(1));
    for number in numbers {
        encode(dtype, *number, &mut bytes);
    }
    bytes
}

fn element(dice: &mut Dice, dtype: u8, class: usize) -> Number {
    if dtype == BOOL {
        return Number::Int(i128::from(dice.bits() & 1));
    }
    let (_, dtype) = parts(dtype);
    if is_float(dtype) {
        return Number::Float(float(dice, dtype, class));
    }
    if is_half(dtype) && class < 7 {
        return Number::Int(i128::from(half_bits(dtype, float(dice, F32, class))));
    }
    let bits = 8 * dtype_size(dtype).max(1) as u32;
    let word = match class {
        0..3 => (dice.below(10) as u64).wrapping_sub(if is_signed(dtype) { 5 } else { 0 }),
        3..5 => dice.below(1000) as u64,
        5 => 0,
        6 => [0, 1, u64::MAX, (1 << (bits - 1)) - 1, 1 << (bits - 1), 2][dice.below(6)],
        _ => dice.bits(),
    };
    of_bits(dtype, word & (u64::MAX >> (64 - bits))) // as the dtype holds it, so that numbers sort as elements do
}

fn float(dice: &mut Dice, dtype: u8, class: usize) -> f64 {
    let uniform = (dice.bits() >> 11) as f64 / (1u64 << 53) as f64;
    let number = match class {
        0..3 => dice.below(16) as f64 - 8.0,
        3 => uniform,
        4 => (uniform - 0.5) * 2000.0,
        5 => special(dice, dtype),
        6 if dice.per_mille(100) => special(dice, dtype),
        6 => uniform * 100.0 - 50.0,
        _ if dtype == F32 => f64::from(f32::from_bits(dice.bits() as u32)),
        _ => f64::from_bits(dice.bits()),
    };
    if dtype == F32 { f64::from(number as f32) } else { number }
}

fn special(dice: &mut Dice, dtype: u8) -> f64 {
    let (tiny, least, most) = match dtype {
        F64 => (f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX),
        _ => (f64::from(f32::from_bits(1)), f64::from(f32::MIN_POSITIVE), f64::from(f32::MAX)),
    };
    let sign = if dice.per_mille(500) { 1.0 } else { -1.0 };
    sign * dice.pick(&[
        f64::NAN,
        f64::INFINITY,
        0.0,
        1.0,
        tiny,
        tiny * 3.0,
        least,
        most,
        most * 0.5,
        0.5,
        16777216.0,
    ])
}
