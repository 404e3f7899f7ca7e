//! Integers of 1 and 2 bytes are computed as integers of 4, or of an accumulator's width: converted for the length of a call. Serves the
//! operations behind `dtypes::key_dtypes` and `dtypes::accumulators`.
#![forbid(unsafe_code)]

use crate::array::{DynView, DynViewMut, Element, Input, Output, View};
use crate::context::Engine;
use crate::cpu::{self, Workers};
use crate::error::Result;
use crate::gpu::{self, convert::Temporary};
use crate::model::dtype::Dtype;
use crate::model::operator::Operator;
use crate::vector::zeros;

/// Elements on the host for the length of a call.
enum HostTemporary {
    Four(Vec<u32>),
    Eight(Vec<u64>),
}

impl HostTemporary {
    fn new(dtype: Dtype, len: usize) -> Result<HostTemporary> {
        Ok(if dtype.size() == 4 {
            HostTemporary::Four(zeros(len)?)
        } else {
            HostTemporary::Eight(zeros(len)?)
        })
    }

    fn view(&self, dtype: Dtype) -> Result<DynView<'_>> {
        match self {
            HostTemporary::Four(elements) => {
                Input::new("a temporary", elements).view_of(dtype, &[elements.len()])
            }
            HostTemporary::Eight(elements) => {
                Input::new("a temporary", elements).view_of(dtype, &[elements.len()])
            }
        }
    }

    fn view_mut(&mut self, dtype: Dtype) -> Result<DynViewMut<'_>> {
        match self {
            HostTemporary::Four(elements) => {
                let len = elements.len();
                Output::new("a temporary", elements).view_of(dtype, &[len])
            }
            HostTemporary::Eight(elements) => {
                let len = elements.len();
                Output::new("a temporary", elements).view_of(dtype, &[len])
            }
        }
    }
}

/// An array to read, of the dtype that an operation computes in.
pub struct WideInput<'e, 'a> {
    dtype: Dtype,
    elements: WideElements<'e, DynView<'a>>,
}

enum WideElements<'e, Same> {
    Same(Same),
    Host(HostTemporary),
    Device(Temporary<'e>),
}

impl<'e, 'a> WideInput<'e, 'a> {
    /// The array itself where it is of that dtype, else a copy.
    #[inline] // as all that costs nothing where nothing is converted: calls of few elements are counted in nanoseconds
    pub fn new(engine: &'e Engine, array: DynView<'a>, dtype: Dtype) -> Result<WideInput<'e, 'a>> {
        match array.dtype().size() == dtype.size() {
            true => Ok(WideInput { dtype, elements: WideElements::Same(array) }),
            false => WideInput::converted(engine, array, dtype),
        }
    }

    #[inline(never)]
    fn converted(engine: &'e Engine, array: DynView<'a>, dtype: Dtype) -> Result<WideInput<'e, 'a>> {
        let elements = match engine {
            Engine::Cpu(workers) => WideElements::Host(widened_on_host(workers, array, dtype)?),
            Engine::Cuda(device) => WideElements::Device(gpu::convert::widened(device, array, dtype)?),
        };
        Ok(WideInput { dtype, elements })
    }

    #[inline]
    pub fn view(&self) -> Result<DynView<'_>> {
        match &self.elements {
            WideElements::Same(array) => Ok(array.as_dtype(self.dtype)),
            WideElements::Host(elements) => elements.view(self.dtype),
            WideElements::Device(elements) => Ok(elements.view()),
        }
    }
}

/// An array to write, of the dtype that an operation computes in; `finish` converts what it wrote.
pub struct WideOutput<'e, 'a> {
    dtype: Dtype,
    array: Option<DynViewMut<'a>>, // None where the operation writes it itself
    elements: WideElements<'e, DynViewMut<'a>>,
}

impl<'e, 'a> WideOutput<'e, 'a> {
    /// The array itself where it is of that dtype, else a temporary.
    #[inline]
    pub fn new(engine: &'e Engine, array: DynViewMut<'a>, dtype: Dtype) -> Result<WideOutput<'e, 'a>> {
        match array.dtype().size() == dtype.size() {
            true => Ok(WideOutput { dtype, array: None, elements: WideElements::Same(array) }),
            false => WideOutput::converted(engine, array, dtype),
        }
    }

    #[inline(never)]
    fn converted(engine: &'e Engine, array: DynViewMut<'a>, dtype: Dtype) -> Result<WideOutput<'e, 'a>> {
        let len = array.len();
        Ok(match engine {
            Engine::Cpu(_) => {
                let elements = WideElements::Host(HostTemporary::new(dtype, len)?);
                WideOutput { dtype, array: Some(array), elements }
            }
            Engine::Cuda(device) => {
                let elements = WideElements::Device(Temporary::new(device, dtype, len)?);
                WideOutput { dtype, array: Some(array), elements }
            }
        })
    }

    #[inline]
    pub fn view(&mut self) -> Result<DynViewMut<'_>> {
        match &mut self.elements {
            WideElements::Same(array) => Ok(array.reborrow()), // of that dtype, or of its bits
            WideElements::Host(elements) => elements.view_mut(self.dtype),
            WideElements::Device(elements) => Ok(elements.view_mut()),
        }
    }

    /// Brings all elements to the array.
    #[inline]
    pub fn finish(self, engine: &Engine) -> Result<()> {
        self.finish_first(engine, usize::MAX, None)
    }

    /// The same for an array whose first element is the identity of an operator.
    pub fn finish_with_identity(self, engine: &Engine, op: Operator) -> Result<()> {
        let Some(mut array) = self.array else { return Ok(()) };
        narrow(engine, &self.elements, usize::MAX, None, array.reborrow())?;
        if array.is_empty() { Ok(()) } else { write_identity(engine, array, op) }
    }

    /// Brings the first elements to the array: as many as `written` says, and *limit, which a kernel wrote.
    #[inline]
    pub fn finish_first(self, engine: &Engine, written: usize, limit: Option<View<u64>>) -> Result<()> {
        match self.array {
            None => Ok(()),
            Some(array) => narrow(engine, &self.elements, written, limit, array),
        }
    }
}

/// array\[0\] ← the identity of an operator in the array's own width: that of the wider integers is another number for MIN and MAX.
fn write_identity(engine: &Engine, array: DynViewMut, op: Operator) -> Result<()> {
    let range = array.dtype().integers().unwrap_or(0..=0);
    let bits = match op {
        Operator::Min => *range.end() as u64,
        Operator::Max => *range.start() as u64,
        _ => return Ok(()),
    };
    let mut first = array.first(1);
    match engine {
        Engine::Cuda(device) => gpu::fill::fill(device, first, bits),
        Engine::Cpu(workers) if first.dtype().size() == 1 => {
            cpu::fill::fill(workers, first.on_host()?, bits as u8)
        }
        Engine::Cpu(workers) => cpu::fill::fill(workers, first.on_host()?, bits as u16),
    }
}

/// array ← the first elements of what an operation computed.
#[inline(never)]
fn narrow(
    engine: &Engine,
    elements: &WideElements<DynViewMut>,
    written: usize,
    limit: Option<View<u64>>,
    mut array: DynViewMut,
) -> Result<()> {
    match (engine, elements) {
        (Engine::Cpu(workers), WideElements::Host(HostTemporary::Four(elements))) => {
            let len = elements.len().min(written);
            narrow_on_host(workers, elements.get(..len).unwrap_or_default(), &mut array)
        }
        (Engine::Cuda(device), WideElements::Device(elements)) => {
            gpu::convert::narrow(device, elements, written, limit, array)
        }
        _ => unreachable!("outputs are narrowed from 4 bytes, on the engine that computed them"),
    }
}

/// Brings an output sized on the device to its array: `found` elements, or *needed where the host has not seen it.
pub fn finish_first(
    engine: &Engine,
    output: Option<WideOutput>,
    found: Option<u64>,
    needed: View<u64>,
) -> Result<()> {
    let written = found.map_or(usize::MAX, |found| usize::try_from(found).unwrap_or(usize::MAX));
    let limit = if found.is_none() { Some(needed) } else { None };
    output.map_or(Ok(()), |output| output.finish_first(engine, written, limit))
}

/// The dtype that keys of `dtype` are computed in: 4 bytes at least, with the same numbers in the same order.
pub fn wide_key(dtype: Dtype) -> Dtype {
    match dtype {
        Dtype::I8 | Dtype::I16 => Dtype::I32,
        Dtype::U8 | Dtype::U16 | Dtype::Bool => Dtype::U32,
        other => other,
    }
}

fn widened_on_host(workers: &Workers, array: DynView, dtype: Dtype) -> Result<HostTemporary> {
    let mut wide = HostTemporary::new(dtype, array.len())?;
    match array.dtype() {
        Dtype::I8 => widen::<i8>(workers, array, &mut wide)?,
        Dtype::U8 | Dtype::Bool => widen::<u8>(workers, array, &mut wide)?,
        Dtype::I16 => widen::<i16>(workers, array, &mut wide)?,
        Dtype::U16 => widen::<u16>(workers, array, &mut wide)?,
        Dtype::I32 => widen::<i32>(workers, array, &mut wide)?,
        _ => widen::<u32>(workers, array, &mut wide)?,
    }
    Ok(wide)
}

fn widen<S: Element + Into<i64>>(workers: &Workers, array: DynView, wide: &mut HostTemporary) -> Result<()> {
    let array = array.on_host::<S>()?;
    match wide {
        HostTemporary::Four(to) => cpu::convert::convert(workers, array, to, |from| from.into() as u32),
        HostTemporary::Eight(to) => cpu::convert::convert(workers, array, to, |from| from.into() as u64),
    }
}

fn narrow_on_host(workers: &Workers, elements: &[u32], array: &mut DynViewMut) -> Result<()> {
    match array.dtype().size() {
        1 => {
            cpu::convert::convert(workers, elements, first(array.on_host::<u8>()?, elements.len()), |from| {
                from as u8
            })
        }
        _ => {
            cpu::convert::convert(workers, elements, first(array.on_host::<u16>()?, elements.len()), |from| {
                from as u16
            })
        }
    }
}

/// The first `len` elements, or what there are.
fn first<T>(array: &mut [T], len: usize) -> &mut [T] {
    let len = len.min(array.len());
    &mut array[..len]
}
