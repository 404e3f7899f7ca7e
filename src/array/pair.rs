//! Two arrays that may be one.

use super::apart::apart_by;
use super::{Element, Input, Memory, Output, View, ViewMut};
use crate::error::Result;
use crate::memory::Place;
use crate::vector::copy;

/// Whether an output of the same size as an input is that array; else it has to lie apart.
pub fn is_same_or_apart(output: &dyn Memory, input: &dyn Memory) -> Result<bool> {
    let (output, input) = (output.extent(), input.extent());
    let is_same = output.address == input.address;
    if !is_same {
        apart_by(output, input, "they have to lie apart, or to be one and the same")?;
    }
    Ok(is_same)
}

/// A source and a target of the same size that may be one and the same array.
pub struct Pair<'a, T> {
    pub(super) source: View<'a, T>,
    pub(super) target: ViewMut<'a, T>,
}

impl<'a, T: Element> Pair<'a, T> {
    /// `output` is `input` exactly, or apart from it.
    pub fn new(input: Input<'a>, output: Output<'a>, dims: &[usize]) -> Result<Pair<'a, T>> {
        let (source, target) = (input.view::<T>(dims)?, output.view::<T>(dims)?);
        is_same_or_apart(&target, &source)?;
        Ok(Pair { source, target })
    }

    /// Whether source and target are one and the same array.
    pub fn is_same(&self) -> bool {
        self.source.address == self.target.address
    }

    pub fn source(&self) -> View<'a, T> {
        self.source
    }

    /// The target to read; not while it is written.
    pub fn target_as_view(&mut self) -> View<'a, T> {
        self.target.as_view()
    }

    pub fn target(&self) -> &ViewMut<'a, T> {
        &self.target
    }

    pub fn target_place(&self) -> Place {
        self.target.place
    }

    /// The target as memory of the host; it may be the source.
    pub fn target_on_host(&mut self) -> Result<&mut [T]> {
        self.target.on_host()
    }

    pub fn into_target(self) -> ViewMut<'a, T> {
        self.target
    }

    /// The target as memory of the host, holding a copy of the source.
    pub fn copied_on_host(&mut self) -> Result<&mut [T]> {
        if !self.is_same() {
            copy(self.target.on_host()?, self.source.on_host()?);
        }
        self.target.on_host()
    }
}
