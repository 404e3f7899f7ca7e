//! What gather_nd and scatter_nd have in common: selections, and their index vectors.
#![forbid(unsafe_code)]

use super::prelude::*;
use crate::array::Memory;
use crate::cpu::indexing::{first_out_of_range, keep_last, positions_of, positions_of_mask};
use crate::error::Error;
use crate::gpu::indexing::Indices;
use crate::memory::Place;
use crate::model::indexing::{MAX_RANK, Selection, Vector};
use crate::model::numbered::NumberedEnum;

/// Options of `gather_nd` and `scatter_nd`.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    /// What is taken of each dimension, the fastest one first.
    pub selections: Vec<Selection>,
    /// A position that is out of range is an error.
    pub check: bool,
    /// scatter_nd: the values are one element, which goes everywhere.
    pub broadcast: bool,
    /// scatter_nd: of elements that go to one place the last one wins.
    pub last: bool,
    /// Dimensions of the library's own in front of the caller's.
    pub leading: usize,
}

impl Options {
    /// The options of arrays of parts: complex numbers are a dimension of two.
    pub(super) fn of_parts(&self) -> Result<Options> {
        if self.selections.len() == MAX_RANK {
            return Err(Error::unsupported(format!(
                "options.rank is {MAX_RANK} and options.dtype {}; complex arrays have {} dimensions at most",
                self.dtype.c_name(),
                MAX_RANK - 1
            )));
        }
        let pair = Selection { extent: 2, count: 2, start: 0, step: 1, wraps: false, indices: None };
        let selections = [&[pair], &self.selections[..]].concat();
        Ok(Options { dtype: self.dtype.part().unwrap_or(self.dtype), selections, leading: 1, ..self.clone() })
    }

    pub(super) fn shape(&self) -> Vec<usize> {
        self.selections.iter().map(|selection| selection.extent).collect()
    }

    /// Whether it matters which one of equal places wins, and the last one has to.
    pub(super) fn keeps_last(&self) -> bool {
        self.last && !self.broadcast
    }

    pub(super) fn counts(&self) -> Vec<usize> {
        self.selections.iter().map(|selection| selection.count).collect()
    }
}

/// The index vectors of each dimension, of the lengths that selections state.
pub fn vectors<'a>(
    selections: &[Selection],
    indices: &[Option<Input<'a>>],
) -> Result<Vec<Option<DynView<'a>>>> {
    if !(1..=MAX_RANK).contains(&selections.len()) || indices.len() != selections.len() {
        return Err(Error::invalid(format!("options.rank is {}; it is 0 to {MAX_RANK}", selections.len())));
    }
    let vector = |(d, (selection, indices)): (usize, (&Selection, &Option<Input<'a>>))| {
        let Some((dtype, indices)) = selection.indices.zip(indices.as_ref()) else { return Ok(None) };
        let len = match dtype.required("index_dtypes")? {
            Dtype::Bool => selection.extent,
            Dtype::U32 | Dtype::U64 | Dtype::I32 | Dtype::I64 | Dtype::F64 => selection.count,
            other => {
                return Err(Error::invalid(format!(
                    "options.index_dtypes[{d}] is {}; indices are U32, U64, I32, I64, F64 or BOOL",
                    other.c_name()
                )));
            }
        };
        if dtype == Dtype::Bool && selection.start != 0 {
            return Err(Error::invalid(format!(
                "options.starts[{d}] is {}; beside a mask it is 0",
                selection.start
            )));
        }
        indices.view_of(dtype, &[len]).map(Some)
    };
    selections.iter().zip(indices).enumerate().map(vector).collect()
}

/// The index vectors of arrays of parts.
pub fn of_parts<'a>(indices: &[Option<Input<'a>>]) -> Vec<Option<Input<'a>>> {
    std::iter::once(None).chain(indices.iter().copied()).collect()
}

/// Index vectors as memory that an output has to lie apart from.
pub fn memories<'v>(vectors: &'v [Option<DynView>]) -> impl Iterator<Item = &'v dyn Memory> {
    vectors.iter().flatten().map(|vector| vector as &dyn Memory)
}

/// The elements of an index vector on the host.
fn vector_on_host<'a>(view: &DynView<'a>) -> Result<Vector<'a>> {
    Ok(match view.dtype() {
        Dtype::U32 => Vector::U32(view.on_host()?),
        Dtype::I32 => Vector::I32(view.on_host()?),
        Dtype::I64 => Vector::I64(view.on_host()?),
        Dtype::F64 => Vector::F64(view.on_host()?),
        _ => Vector::U64(view.on_host()?),
    })
}

/// Positions of the masks; None for other dimensions.
pub fn positions_of_masks(options: &Options, vectors: &[Option<DynView>]) -> Result<Vec<Option<Vec<u64>>>> {
    let dimensions = options.selections.iter().zip(vectors).enumerate();
    dimensions.map(|(d, (selection, vector))| of_mask(options, d, selection, vector)).collect()
}

fn of_mask(
    options: &Options,
    d: usize,
    selection: &Selection,
    vector: &Option<DynView>,
) -> Result<Option<Vec<u64>>> {
    let Some(mask) = vector.filter(|mask| mask.dtype() == Dtype::Bool) else { return Ok(None) };
    let (positions, set) = positions_of_mask(mask.on_host::<u8>()?, selection.count)?;
    if options.check {
        as_many_as_stated(d - options.leading, set, selection.count)?;
    }
    Ok(Some(positions))
}

/// The index vectors of each dimension on the CPU, checked where that is asked for; those of masks are their positions.
pub fn vectors_on_host<'v>(
    workers: &cpu::Workers,
    options: &Options,
    vectors: &[Option<DynView<'v>>],
    of_masks: &'v [Option<Vec<u64>>],
) -> Result<Vec<Option<Vector<'v>>>> {
    let vector =
        |(d, (view, of_mask)): (usize, (&Option<DynView<'v>>, &'v Option<Vec<u64>>))| match (of_mask, view) {
            (Some(positions), _) => Ok(Some(Vector::U64(positions))),
            (None, Some(view)) => {
                let vector = vector_on_host(view)?;
                if options.check {
                    check_on_host(Some(workers), d - options.leading, &options.selections[d], vector)?;
                }
                Ok(Some(vector))
            }
            (None, None) => Ok(None),
        };
    vectors.iter().zip(of_masks).enumerate().map(vector).collect()
}

/// Refuses an element of an index vector, not a mask, whose position is out of range.
fn check_on_host(
    workers: Option<&cpu::Workers>,
    d: usize,
    selection: &Selection,
    vector: Vector,
) -> Result<()> {
    let Selection { count, start, extent, .. } = *selection;
    let found = first_out_of_range(workers, vector, count, start, extent)?;
    found.map_or(Ok(()), |i| Err(out_of_range(d, i, selection, &element_of(vector, i))))
}

fn element_of(vector: Vector, i: usize) -> String {
    match vector {
        Vector::U32(all) => all[i].to_string(),
        Vector::U64(all) => all[i].to_string(),
        Vector::I32(all) => all[i].to_string(),
        Vector::I64(all) => all[i].to_string(),
        Vector::F64(all) => all[i].to_string(),
    }
}

/// What a device takes of each dimension: vectors of the host as their positions, those of the device as they are.
pub fn vectors_on_device<'v>(
    device: &gpu::Device,
    options: &Options,
    vectors: &[Option<DynView<'v>>],
) -> Result<Vec<Indices<'v>>> {
    let dimensions = options.selections.iter().zip(vectors).enumerate();
    dimensions.map(|(d, (selection, vector))| on_device(device, options, d, selection, vector)).collect()
}

fn on_device<'v>(
    device: &gpu::Device,
    options: &Options,
    d: usize,
    selection: &Selection,
    vector: &Option<DynView<'v>>,
) -> Result<Indices<'v>> {
    let may_repeat = selection.count > 1 && (selection.wraps || selection.step == 0);
    let mut positions = match vector {
        None if options.keeps_last() && may_repeat && selection.extent > 0 => positions_of(selection, None)?,
        None => return Ok(Indices::None),
        Some(vector) if !matches!(vector.place(), Place::Host | Place::Pinned) => {
            if options.check {
                check_on_device(device, d - options.leading, selection, vector)?;
            }
            return Ok(Indices::Device(*vector));
        }
        Some(vector) => match of_mask(options, d, selection, &Some(*vector))? {
            Some(positions) => positions,
            None => {
                let vector = vector_on_host(vector)?;
                if options.check {
                    check_on_host(None, d - options.leading, selection, vector)?;
                }
                positions_of(selection, Some(vector))?
            }
        },
    };
    if options.keeps_last() {
        keep_last(&mut positions, selection.extent)?;
    }
    Ok(Indices::Host(positions))
}

/// The selections with ranges as index vectors where positions have taken their place.
pub fn as_indexed(selections: &[Selection], indices: &[Indices]) -> Vec<Selection> {
    let selection = |(selection, indices): (&Selection, &Indices)| match indices {
        Indices::Host(_) => Selection { start: 0, wraps: false, indices: Some(Dtype::U64), ..*selection },
        _ => *selection,
    };
    selections.iter().zip(indices).map(selection).collect()
}

fn check_on_device(device: &gpu::Device, d: usize, selection: &Selection, vector: &DynView) -> Result<()> {
    if vector.dtype() == Dtype::Bool {
        let set = gpu::indexing::count_set(device, *vector)?;
        return as_many_as_stated(d, set, selection.count);
    }
    let found = gpu::indexing::first_out_of_range(device, *vector, selection.start, selection.extent)?;
    found.map_or(Ok(()), |(i, bits)| {
        let element = match vector.dtype() {
            Dtype::U32 => (bits as u32).to_string(),
            Dtype::I32 => (bits as i32).to_string(),
            Dtype::I64 => (bits as i64).to_string(),
            Dtype::F64 => f64::from_bits(bits).to_string(),
            _ => bits.to_string(),
        };
        Err(out_of_range(d, i, selection, &element))
    })
}

fn out_of_range(d: usize, i: usize, selection: &Selection, element: &str) -> Error {
    let Selection { start, extent, .. } = selection;
    Error::invalid(format!(
        "indices of dimension {d} at position {i} is {element}; with options.starts[{d}], {start}, added it is a whole number below \
         options.shape[{d}], {extent}"
    ))
}

/// Refuses a mask that has other than `count` set elements.
fn as_many_as_stated(d: usize, set: usize, count: usize) -> Result<()> {
    match set == count {
        true => Ok(()),
        false => Err(Error::invalid(format!(
            "the mask of dimension {d} has {set} set elements; options.counts[{d}] is {count}"
        ))),
    }
}
