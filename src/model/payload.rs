//! What moves with keys.
#![forbid(unsafe_code)]

use super::numbered::numbered_enum;
use crate::stream_copy::Plain;

/// What moves with the keys.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Payload {
    /// Nothing: keys only.
    #[default]
    None = 0,
    /// Values, copied bitwise, 4 or 8 bytes each.
    Values = 1,
    /// The positions of the keys.
    Indices = 2,
}

numbered_enum!(Payload = "gpumex_payload": None, Values, Indices);

/// What moves with keys: bits of 4 or 8 bytes, or nothing.
pub trait Value: Plain + Default + Send + Sync {
    fn from_position(position: usize) -> Self;
}

/// The values beside keys.
pub enum Values<'a, V> {
    Given(&'a [V]),
    /// The positions of the keys, counted from here on.
    Positions(usize),
}

impl<V: Value> Values<'_, V> {
    /// The first position, if these are positions.
    pub fn first(&self) -> usize {
        match self {
            Values::Given(_) => 0,
            Values::Positions(first) => *first,
        }
    }

    #[inline(always)] // into loops, which decide once
    pub fn get(&self, index: usize) -> V {
        match self {
            Values::Given(values) => values[index],
            Values::Positions(first) => V::from_position(first + index),
        }
    }
}

impl Value for () {
    fn from_position(_: usize) {}
}

impl Value for u32 {
    #[inline(always)]
    fn from_position(position: usize) -> u32 {
        position as u32
    }
}

impl Value for u64 {
    #[inline(always)]
    fn from_position(position: usize) -> u64 {
        position as u64
    }
}
