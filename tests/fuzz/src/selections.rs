//! What is taken of each dimension of an array: ranges, ranges that wrap, index vectors and masks.

use crate::case::{Buffer, Place, Value};
use crate::dice::Dice;
use crate::number::{BOOL, F64, Number, encode};
use crate::roles::{Contents, Role};

/// Elements that are taken together.
const MOST: i64 = 3000;
const MOST_OF_LARGE: i64 = 1 << 19;

/// The dtypes of index vectors.
const INDICES: [u8; 5] = [11, 12, 7, 8, F64];

struct Selection {
    count: i64,
    start: i64,
    step: i64,
    wraps: bool,
    /// The elements of an index vector or a mask, and their dtype.
    vector: Option<(u8, Vec<Number>)>,
}

/// The values of the fields with these roles, where they have a part in what is taken of an array with these extents.
pub fn fields(dice: &mut Dice, roles: &[Role], extents: &[i64], is_large: bool) -> Vec<Option<Value>> {
    let mut room = if is_large { MOST_OF_LARGE } else { MOST };
    let mut selections = Vec::new();
    for extent in extents {
        let selection = selection(dice, *extent, room);
        room = (room / selection.count.max(1)).max(1);
        selections.push(selection);
    }
    if dice.per_mille(30) {
        spoil(dice, &mut selections);
    }
    let counts: Vec<i64> = selections.iter().map(|selection| selection.count).collect();
    let is_plain = selections.iter().all(|selection| selection.vector.is_none());
    let vectors: Vec<Value> = selections.iter().map(|selection| vector(dice, selection)).collect();
    let mut field = |role: &Role| {
        let number = |of: &dyn Fn(&Selection) -> i64| selections.iter().map(of).collect::<Vec<i64>>();
        Some(match role {
            Role::Arrays(..) if is_plain && dice.per_mille(700) => Value::Null,
            Role::Arrays(..) => Value::Arrays(vectors.clone()),
            Role::Array(array) => match array.contents {
                Contents::Counts => list(dice, 12, &counts, counts == extents),
                Contents::Starts => numbers(dice, 8, &number(&|selection| selection.start), 0),
                Contents::Steps => numbers(dice, 8, &number(&|selection| selection.step), 1),
                Contents::Wraps => numbers(dice, 7, &number(&|selection| selection.wraps.into()), 0),
                Contents::Enum(_) => {
                    let dtype = |selection: &Selection| match &selection.vector {
                        Some((dtype, _)) => i64::from(*dtype),
                        None => 0,
                    };
                    list(dice, 7, &number(&dtype), is_plain)
                }
                _ => return None,
            },
            _ => return None,
        })
    };
    roles.iter().map(&mut field).collect()
}

fn selection(dice: &mut Dice, extent: i64, room: i64) -> Selection {
    if extent == 0 {
        let count = i64::from(dice.per_mille(50));
        return Selection { count, start: 0, step: 1, wraps: dice.per_mille(100), vector: None };
    }
    let below = |dice: &mut Dice, end: i64| dice.below(end.max(1) as usize) as i64;
    match dice.below(10) {
        0..4 if extent <= room => Selection { count: extent, start: 0, step: 1, wraps: false, vector: None },
        4 | 5 => {
            let far = if dice.per_mille(100) { dice.bits().cast_signed() >> (3 + dice.below(50)) } else { 0 };
            Selection {
                count: below(dice, 2 * extent + 3).min(room),
                start: far + below(dice, 40) - 20,
                step: if dice.per_mille(500) { 1 } else { below(dice, 11) - 5 },
                wraps: true,
                vector: None,
            }
        }
        6 | 7 => {
            let count = below(dice, extent + 3).min(room);
            let start = dice.pick(&[0, 0, -1, -1, 3, -5]);
            let dtype = dice.pick(&INDICES);
            let is_wild = dice.per_mille(150);
            let index = |dice: &mut Dice| match is_wild && dice.per_mille(200) {
                true => strange(dice, dtype, extent),
                false => Number::Int(i128::from(below(dice, extent) - start)),
            };
            let elements = (0..count).map(|_| index(dice)).collect();
            Selection { count, start, step: 1, wraps: false, vector: Some((dtype, elements)) }
        }
        8 if extent <= room => {
            let often = dice.below(1001);
            let elements: Vec<Number> =
                (0..extent).map(|_| Number::Int(dice.per_mille(often).into())).collect();
            let set = elements.iter().filter(|element| element.int() != 0).count() as i64;
            let count = if dice.per_mille(950) { set } else { below(dice, extent + 2) };
            Selection { count, start: 0, step: 1, wraps: false, vector: Some((BOOL, elements)) }
        }
        _ => {
            let step = dice.pick(&[1, 1, 1, -1, -1, 2, -2, 3, -7, 0]);
            let most = if step == 0 { 3 } else { (extent - 1) / i64::abs(step) + 1 }.min(room);
            let count = if dice.per_mille(400) { most } else { below(dice, most + 1) };
            let reach = (count - 1).max(0) * i64::abs(step);
            let first = below(dice, extent - reach);
            let start = if step < 0 { first + reach } else { first };
            Selection { count, start, step, wraps: false, vector: None }
        }
    }
}

/// An index that names no element, or one that is written in another way.
fn strange(dice: &mut Dice, dtype: u8, extent: i64) -> Number {
    if dtype == F64 {
        let far = [f64::NAN, f64::INFINITY, -f64::INFINITY, 1.5, -0.0, -1.0, 1e300, 9.3e18, -0.5];
        return Number::Float(dice.pick(&far));
    }
    let far = [-1, extent, extent + 1, -6, i64::MAX, i64::MIN, 1 << 32, dice.bits().cast_signed()];
    Number::Int(dice.pick(&far).into())
}

/// A number that is mostly refused.
fn spoil(dice: &mut Dice, selections: &mut [Selection]) {
    if selections.is_empty() {
        return;
    }
    let at = dice.below(selections.len());
    let number = dice.bits().cast_signed() >> dice.below(64);
    match dice.below(4) {
        0 => selections[at].start = number,
        1 => selections[at].step = number,
        2 => selections[at].wraps = !selections[at].wraps,
        _ => selections[at].count = (selections[at].count + 1 - 2 * i64::from(dice.per_mille(500))).max(0),
    }
    if let Some((_, elements)) = &mut selections[at].vector
        && elements.len() as i64 != selections[at].count
    {
        selections[at].count = elements.len() as i64;
    }
}

fn vector(dice: &mut Dice, selection: &Selection) -> Value {
    let Some((dtype, elements)) = &selection.vector else { return Value::Null };
    let mut bytes = Vec::new();
    elements.iter().for_each(|element| encode(*dtype, *element, &mut bytes));
    let mut buffer = buffer(dice, *dtype, bytes);
    if dice.per_mille(40) && !elements.is_empty() {
        buffer.place = Place::Block(dice.below(3) as u64);
    }
    Value::Array(buffer)
}

/// NULL may stand for these numbers where all are the default.
fn numbers(dice: &mut Dice, dtype: u8, numbers: &[i64], default: i64) -> Value {
    list(dice, dtype, numbers, numbers.iter().all(|number| *number == default))
}

fn list(dice: &mut Dice, dtype: u8, numbers: &[i64], is_default: bool) -> Value {
    if is_default && dice.per_mille(700) {
        return Value::Null;
    }
    let mut bytes = Vec::new();
    numbers.iter().for_each(|number| encode(dtype, Number::Int(i128::from(*number)), &mut bytes));
    Value::Array(buffer(dice, dtype, bytes))
}

fn buffer(dice: &mut Dice, dtype: u8, bytes: Vec<u8>) -> Buffer {
    let high = dice.per_mille(700);
    Buffer { bytes, dtype, high, skew: 0, output: false, receives: false, place: Place::Ordinary }
}
