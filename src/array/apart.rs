//! The arrays of a call that has several outputs.
#![forbid(unsafe_code)]

use std::marker::PhantomData;

use super::{Element, View, overlaps};
use crate::error::{Error, Result};

impl<'a, T: Element> View<'a, T> {
    /// The same memory as bytes.
    pub fn as_bytes(&self) -> View<'a, u8> {
        View {
            name: self.name,
            address: self.address.cast(),
            len: self.bytes(),
            place: self.place,
            lifetime: PhantomData,
        }
    }
}

/// Refuses an output that overlaps an input or another output.
pub fn all_apart(outputs: &[View<u8>], inputs: &[View<u8>]) -> Result<()> {
    for (i, output) in outputs.iter().enumerate() {
        for other in outputs[..i].iter().chain(inputs) {
            if overlaps(output.address, output.len, other.address, other.len) {
                let (here, there) = (output.len, other.len);
                let ranges = format!("{here} bytes at {:p}, {there} at {:p}", output.address, other.address);
                let rule = "they have to lie apart";
                return Err(Error::invalid(format!(
                    "{} overlaps {} ({ranges}); {rule}",
                    output.name, other.name
                )));
            }
        }
    }
    Ok(())
}
