//! Memory of floats for the length of a call, where the engine works.
#![forbid(unsafe_code)]

use crate::array::{DynView, DynViewMut, Input, Output};
use crate::context::Engine;
use crate::error::Result;
use crate::gpu::convert::Temporary;
use crate::model::dtype::Dtype;
use crate::vector::zeros;

/// Elements of F32, F64, C64 or C128.
pub(super) struct Workspace<'e> {
    dtype: Dtype,
    len: usize,
    elements: Elements<'e>,
}

enum Elements<'e> {
    Single(Vec<f32>), // or parts
    Double(Vec<f64>),
    Device(Temporary<'e>),
}

impl<'e> Workspace<'e> {
    pub(super) fn new(engine: &'e Engine, dtype: Dtype, len: usize) -> Result<Workspace<'e>> {
        let parts = if dtype.is_complex() { len.saturating_mul(2) } else { len };
        let elements = match (engine, dtype) {
            (Engine::Cuda(device), _) => Elements::Device(Temporary::new(device, dtype, len)?),
            (_, Dtype::F32 | Dtype::C64) => Elements::Single(zeros(parts)?),
            _ => Elements::Double(zeros(parts)?),
        };
        Ok(Workspace { dtype, len, elements })
    }

    pub(super) fn view(&self) -> Result<DynView<'_>> {
        match &self.elements {
            Elements::Single(parts) => Input::new(NAME, parts).view_of(self.dtype, &[self.len]),
            Elements::Double(parts) => Input::new(NAME, parts).view_of(self.dtype, &[self.len]),
            Elements::Device(temporary) => Ok(temporary.view()),
        }
    }

    pub(super) fn view_mut(&mut self) -> Result<DynViewMut<'_>> {
        match &mut self.elements {
            Elements::Single(parts) => Output::new(NAME, parts).view_of(self.dtype, &[self.len]),
            Elements::Double(parts) => Output::new(NAME, parts).view_of(self.dtype, &[self.len]),
            Elements::Device(temporary) => Ok(temporary.view_mut()),
        }
    }
}

/// How errors name it.
const NAME: &str = "a temporary";
