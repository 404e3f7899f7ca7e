//! Walks of N-D indexing on the device: index vectors, and the arguments of their kernels.

use std::ffi::c_int;
use std::marker::PhantomData;
use std::ptr::{null, null_mut};

use super::Device;
use super::runtime::device::check_launch;
use super::runtime::kernels::{
    CompactArgs, Dimension as DimensionArgs, Walk as WalkArgs, gpumexk_compact, gpumexk_compact_scratch,
    gpumexk_fill, gpumexk_first_outside, gpumexk_last_positions,
};
use super::runtime::memory::{Buffer, DeviceInput};
use super::runtime::tuning::Kernel;
use crate::array::{DynView, Input, Output};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::indexing::{Dimension, Places, Walk};

const WIDEST: usize = 16; // bytes of an element of the kernels

/// The index vector of a dimension: positions, which u64::MAX is none of, or what the caller has.
pub enum Indices<'a> {
    None,
    Host(Vec<u64>),
    Device(DynView<'a>),
}

/// An index vector as a kernel reads it.
#[derive(Clone, Copy)]
struct Vector {
    address: *const u8,
    dtype: Dtype,
    are_positions: bool, // start is 0
}

/// The index vectors of a walk on the device, for the length of a call.
pub struct Vectors<'d> {
    by_dimension: Vec<Option<Vector>>,
    _copies: Vec<Buffer<'d, u64>>,
    _inputs: Vec<DeviceInput<'d, u8>>,
}

impl<'d> Vectors<'d> {
    /// keeps_last: of equal positions only the last one stays.
    pub fn new(
        device: &'d Device,
        walk: &Walk,
        indices: &[Indices],
        keeps_last: bool,
    ) -> Result<Vectors<'d>> {
        let mut vectors =
            Vectors { by_dimension: vec![None; indices.len()], _copies: Vec::new(), _inputs: Vec::new() };
        vectors.upload(device, indices)?;
        for dimension in &walk.dimensions {
            if let Places::Indexed { vector, .. } = dimension.places
                && let Indices::Device(view) = &indices[vector]
            {
                vectors.by_dimension[vector] = Some(vectors.read(device, dimension, *view, keeps_last)?);
            }
        }
        Ok(vectors)
    }

    /// Positions of the host in one copy, which has been read on return: the call need not wait.
    fn upload(&mut self, device: &'d Device, indices: &[Indices]) -> Result<()> {
        let (mut all, mut begins) = (Vec::new(), Vec::new());
        for (d, indices) in indices.iter().enumerate() {
            if let Indices::Host(positions) = indices {
                begins.push((d, all.len()));
                crate::vector::append(&mut all, positions.iter().copied())?;
            }
        }
        if all.is_empty() {
            return Ok(());
        }
        device.refuse_capture("indices are in memory of the host")?;
        let copy = Buffer::new(device, all.len())?;
        device.upload(copy.as_ptr(), &Input::new("indices", &all).view::<u64>(&[all.len()])?)?;
        for (d, begin) in begins {
            self.by_dimension[d] = Some(positions_at(copy.as_ptr().wrapping_add(begin)));
        }
        self._copies.push(copy);
        Ok(())
    }

    fn read(
        &mut self,
        device: &'d Device,
        dimension: &Dimension,
        view: DynView,
        keeps_last: bool,
    ) -> Result<Vector> {
        let input = device.read(&view.bytes())?;
        let address = input.as_ptr();
        let vector = match (view.dtype(), dimension.places) {
            (Dtype::Bool, _) => {
                let positions = positions_of_mask(device, address, view.len(), dimension.count)?;
                let vector = positions_at(positions.as_ptr());
                self._copies.push(positions);
                vector
            }
            (dtype, Places::Indexed { start, extent, .. }) if keeps_last => {
                let (owners, positions) =
                    (Buffer::<u64>::new(device, extent)?, Buffer::new(device, dimension.count)?);
                let (owner, to, count) = (owners.as_ptr(), positions.as_ptr(), dimension.count);
                // SAFETY: count indices of the dtype and positions, extent owners.
                device.launch(|stream| unsafe {
                    gpumexk_last_positions(
                        address.cast(),
                        dtype as c_int,
                        count,
                        start,
                        extent,
                        owner,
                        to,
                        stream,
                    )
                })?;
                self._copies.push(positions);
                positions_at(to)
            }
            (dtype, _) => Vector { address, dtype, are_positions: false },
        };
        self._inputs.push(input);
        Ok(vector)
    }

    /// The arguments of a kernel for elements of `value_bytes`, which live as long as the result.
    pub fn args<'v>(&'v self, walk: &Walk, value_bytes: usize) -> Args<'v> {
        let dimensions: Vec<_> = walk.dimensions.iter().map(|dimension| self.dimension(dimension)).collect();
        Args { dimensions, value_bytes: value_bytes as c_int, vectors: PhantomData }
    }

    fn dimension(&self, dimension: &Dimension) -> DimensionArgs {
        let Dimension { count, stride, dense, places } = *dimension;
        let mut args = DimensionArgs {
            count,
            stride,
            dense,
            start: 0,
            step: 0,
            extent: 0,
            indices: null(),
            index_dtype: 0,
            places: 0,
        };
        match places {
            Places::Affine => {}
            Places::Wrapped { start, step, extent } => {
                args = DimensionArgs { start, step, extent, places: 1, ..args };
            }
            Places::Indexed { vector, start, extent } => {
                let vector = self.by_dimension[vector];
                let start = vector.filter(|vector| !vector.are_positions).map_or(0, |_| start);
                let indices = vector.map_or(null(), |vector| vector.address.cast());
                let index_dtype = vector.map_or(0, |vector| vector.dtype as c_int);
                args = DimensionArgs { start, extent, indices, index_dtype, places: 2, ..args };
            }
        }
        args
    }
}

/// The arguments of a walk.
pub struct Args<'v> {
    dimensions: Vec<DimensionArgs>,
    value_bytes: c_int,
    vectors: PhantomData<&'v ()>,
}

impl Args<'_> {
    /// As the launcher takes them; they are read at the launch.
    pub fn walk(&self) -> WalkArgs {
        let rank = self.dimensions.len() as c_int;
        WalkArgs { dimensions: self.dimensions.as_ptr(), rank, value_bytes: self.value_bytes }
    }
}

/// The walk over the largest elements that both arrays, at these addresses, are made of; and their bytes.
pub fn widened(walk: &Walk, width: usize, addresses: [usize; 2]) -> (Walk, usize) {
    let (mut walk, mut width) = (walk.clone(), width);
    while width < WIDEST && addresses.iter().all(|address| address.is_multiple_of(2 * width)) {
        let Some(halved) = walk.halved() else { break };
        (walk, width) = (halved, 2 * width);
    }
    (walk, width)
}

fn positions_at(address: *const u64) -> Vector {
    Vector { address: address.cast(), dtype: Dtype::U64, are_positions: true }
}

/// The positions of the first `count` set elements of a mask on the device; u64::MAX where it has fewer.
fn positions_of_mask<'d>(
    device: &'d Device,
    mask: *const u8,
    len: usize,
    count: usize,
) -> Result<Buffer<'d, u64>> {
    let (positions, tuning) = (Buffer::<u64>::new(device, count)?, device.tuning(Kernel::Fill));
    let to = positions.as_ptr();
    // SAFETY: count elements of 8 bytes.
    device.launch(|stream| unsafe { gpumexk_fill(to.cast(), count, 8, u64::MAX, &tuning, stream) })?;
    compact(device, mask, len, to, count)?;
    Ok(positions)
}

/// positions (capacity) ← where set elements are, and their number on the device.
fn compact<'d>(
    device: &'d Device,
    mask: *const u8,
    len: usize,
    positions: *mut u64,
    capacity: usize,
) -> Result<Buffer<'d, u64>> {
    let mut bytes = 0;
    // SAFETY: writes one size.
    check_launch(unsafe { gpumexk_compact_scratch(len, &mut bytes) })?;
    let (scratch, needed) = (Buffer::<u8>::new(device, bytes)?, Buffer::<u64>::new(device, 1)?);
    let args = CompactArgs {
        data: null(),
        flags: mask,
        count: len,
        kept: null_mut(),
        positions: positions.cast(),
        capacity,
        needed: needed.as_ptr(),
        value_bytes: 4,
        position_bytes: 8,
    };
    let scratch = scratch.as_ptr().cast();
    // SAFETY: len flags, room for as many positions as the capacity says, or NULL; the scratch has the bytes that were asked for.
    device.launch(|stream| unsafe { gpumexk_compact(&args, scratch, stream) })?;
    Ok(needed)
}

/// The number of set elements of a mask; waits for the answer.
pub fn count_set(device: &Device, mask: DynView) -> Result<usize> {
    if mask.is_empty() {
        return Ok(0);
    }
    let input = device.read(&mask.bytes())?;
    let needed = compact(device, input.as_ptr(), mask.len(), null_mut(), 0)?;
    Ok(usize::try_from(device.read_number(needed.as_ptr())?).unwrap_or(usize::MAX))
}

/// The first element of a vector whose position is not below `extent`, and its bits; waits for the answer.
pub fn first_out_of_range(
    device: &Device,
    vector: DynView,
    start: i64,
    extent: usize,
) -> Result<Option<(usize, u64)>> {
    if vector.is_empty() {
        return Ok(None);
    }
    device.refuse_capture("the host reads what was found")?;
    let (count, dtype) = (vector.len(), vector.dtype());
    let input = device.read(&vector.bytes())?;
    let first = Buffer::<u64>::new(device, 1)?;
    let (from, to) = (input.as_ptr(), first.as_ptr());
    // SAFETY: count indices of the dtype, room for one position.
    device.launch(|stream| unsafe {
        gpumexk_first_outside(from.cast(), dtype as c_int, count, start, extent, to, stream)
    })?;
    let found = device.read_number(to)?;
    let Some(position) = usize::try_from(found).ok().filter(|&position| position < count) else {
        return Ok(None);
    };
    let mut bits = [0u64]; // little-endian: an index of 4 bytes is its low half
    let mut copy = Output::new("the index", &mut bits).view_of(dtype, &[1])?.into_bytes();
    device.download(&mut copy, from.wrapping_add(position * dtype.size()))?;
    device.synchronize()?;
    Ok(Some((position, bits[0])))
}
