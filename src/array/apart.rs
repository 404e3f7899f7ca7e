//! The arrays of a call that has several.
#![forbid(unsafe_code)]

use super::{Element, View, ViewMut};
use crate::error::{Error, Result};
use crate::memory::Place;

/// An array of any type, or none, where there are no bytes.
pub trait Memory {
    fn extent(&self) -> Extent;
}

/// Where an array lies.
#[derive(Clone, Copy)]
pub struct Extent {
    name: &'static str,
    pub(super) address: usize,
    bytes: usize,
    place: Place,
}

/// The arrays of a call, as many bytes as they have.
#[derive(Clone, Copy)]
pub struct Footprint {
    pub bytes: usize,
    /// All in ordinary memory of the host, where no stream works.
    pub are_on_host: bool,
}

impl Footprint {
    pub fn of(arrays: &[&dyn Memory]) -> Footprint {
        let none = Footprint { bytes: 0, are_on_host: true };
        arrays.iter().fold(none, |all, array| all.and(*array))
    }

    /// These and another one.
    pub fn and(self, array: &dyn Memory) -> Footprint {
        let Extent { bytes, place, .. } = array.extent();
        Footprint {
            bytes: self.bytes.saturating_add(bytes),
            are_on_host: self.are_on_host && (bytes == 0 || place == Place::Host),
        }
    }
}

impl Extent {
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Where a text of C lies, with the NUL behind it.
    pub fn of_c_text(name: &'static str, text: &[u8]) -> Extent {
        Extent { name, address: text.as_ptr() as usize, bytes: text.len() + 1, place: Place::Host }
    }

    fn overlaps(&self, other: &Extent) -> bool {
        let end = |extent: &Extent| extent.address.saturating_add(extent.bytes);
        self.bytes > 0 && other.bytes > 0 && self.address < end(other) && other.address < end(self)
    }
}

impl Memory for Extent {
    fn extent(&self) -> Extent {
        *self
    }
}

impl<T: Element> Memory for View<'_, T> {
    fn extent(&self) -> Extent {
        Extent { name: self.name, address: self.address as usize, bytes: self.bytes(), place: self.place }
    }
}

impl<T: Element> Memory for ViewMut<'_, T> {
    fn extent(&self) -> Extent {
        Extent {
            name: self.name,
            address: self.address as usize,
            bytes: self.len * size_of::<T>(),
            place: self.place,
        }
    }
}

impl<M: Memory> Memory for Option<M> {
    fn extent(&self) -> Extent {
        let none = Extent { name: "", address: 0, bytes: 0, place: Place::Host };
        self.as_ref().map_or(none, M::extent)
    }
}

/// Refuses an output that overlaps an input or another output; all of them.
pub fn all_apart(outputs: &[&dyn Memory], inputs: &[&dyn Memory]) -> Result<Footprint> {
    for (i, output) in outputs.iter().enumerate() {
        let output = output.extent();
        if output.is_empty() {
            continue;
        }
        for other in outputs[..i].iter().chain(inputs) {
            apart_by(output, other.extent(), "they have to lie apart")?;
        }
    }
    let all = Footprint::of(outputs);
    Ok(inputs.iter().fold(all, |all, input| all.and(*input)))
}

/// Refuses an output that overlaps another array, for the reason of a rule.
pub(super) fn apart_by(output: Extent, other: Extent, rule: &str) -> Result<()> {
    if !output.overlaps(&other) {
        return Ok(());
    }
    let (here, there) = (output.bytes, other.bytes);
    let ranges = format!("{here} bytes at {:#x}, {there} at {:#x}", output.address, other.address);
    Err(Error::invalid(format!("{} overlaps {} ({ranges}); {rule}", output.name, other.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_do_not_overlap() {
        let at = |address, bytes| Extent { name: "A", address, bytes, place: Place::Host };
        assert!(
            !at(8, 4).overlaps(&at(12, 4)) && at(8, 5).overlaps(&at(12, 4)) && !at(8, 0).overlaps(&at(8, 4))
        );
    }
}
