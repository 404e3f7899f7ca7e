//! Two arrays that may be one.

use super::apart::apart_by;
use super::{Element, Input, Memory, Output, View, ViewMut};
use crate::error::Result;
use crate::memory::Place;

/// A source and a target of the same size that may be one and the same array.
pub struct Pair<'a, T> {
    pub(super) source: View<'a, T>,
    pub(super) target: ViewMut<'a, T>,
}

impl<'a, T: Element> Pair<'a, T> {
    /// `output` is `input` exactly, or apart from it.
    pub fn new(input: Input<'a>, output: Output<'a>, dims: &[usize]) -> Result<Pair<'a, T>> {
        let (source, target) = (input.view::<T>(dims)?, output.view::<T>(dims)?);
        let pair = Pair { source, target };
        if !pair.is_same() {
            let rule = "they have to lie apart, or to be one and the same";
            apart_by(pair.target.extent(), pair.source.extent(), rule)?;
        }
        Ok(pair)
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
            self.target.on_host()?.copy_from_slice(self.source.on_host()?);
        }
        self.target.on_host()
    }
}
