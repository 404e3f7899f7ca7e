//! Elements of an input as lanes of the type in which they are computed.
#![forbid(unsafe_code)]

use pulp::Arch;

use super::pool::{Lanes, Pool, Pools};
use super::step::Span;
use crate::error::Result;
use crate::model::dtype::{Bits, Dtype, Element};
use crate::model::expression::half::{from_bf16, from_f16};
use crate::model::expression::lane::Lane;
use crate::model::expression::program::Type;
use crate::vector::zeros;

/// Whether the elements of a dense array of this dtype are lanes of this type.
pub fn is_lanes(ty: Type, dtype: Dtype) -> bool {
    match ty {
        Type::U8 => matches!(dtype, Dtype::I8 | Dtype::U8 | Dtype::Bool),
        _ => matches!(dtype, Dtype::I32 | Dtype::I64 | Dtype::U64 | Dtype::F32 | Dtype::F64),
    }
}

/// The elements of an input.
#[derive(Clone, Copy)]
pub enum Elements<'a> {
    Bool(&'a [u8]),
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    F16(&'a [u16]),
    Bf16(&'a [u16]),
    F32(&'a [f32]),
    F64(&'a [f64]),
    /// Those of the result before it is written: dense, of its dtype.
    OfResult,
}

impl<'a> Elements<'a> {
    /// Whether they are lanes of a type where they lie densely: then they are given to their pool, from `first` on.
    pub fn in_place(self, ty: Type, pools: &mut Pools<'a>, index: usize, first: usize) -> bool {
        match self {
            Elements::U8(all) if ty == Type::U8 => pools.u8.inputs[index] = Lanes::InPlace(&all[first..]),
            Elements::I32(all) => pools.i32.inputs[index] = Lanes::InPlace(&all[first..]),
            Elements::I64(all) => pools.i64.inputs[index] = Lanes::InPlace(&all[first..]),
            Elements::U64(all) => pools.u64.inputs[index] = Lanes::InPlace(&all[first..]),
            Elements::F32(all) => pools.f32.inputs[index] = Lanes::InPlace(&all[first..]),
            Elements::F64(all) => pools.f64.inputs[index] = Lanes::InPlace(&all[first..]),
            _ => return false,
        }
        true
    }
}

/// An input that is converted or gathered for each block.
pub struct Loading<'a> {
    pub index: usize,
    /// In which they are computed.
    pub ty: Type,
    pub elements: Elements<'a>,
    pub shape: &'a [usize],
    pub strides: &'a [usize],
    /// Lanes of a block.
    pub lanes: usize,
}

/// A block of so many lanes, the first of which has this index in the result.
type At = (Arch, usize, usize);

impl Loading<'_> {
    /// Brings the elements of a block to a pool; `start` is the index of the block's first element in the result.
    pub fn load(&self, pools: &mut Pools, start: usize, span: Span) -> Result<()> {
        let at = (span.arch, start, span.len);
        match self.elements {
            Elements::Bool(from) if self.ty == Type::U8 => {
                self.fill_pool(from, &mut pools.u8, at, |x| u8::from(x != 0))
            }
            Elements::U8(from) if self.ty == Type::U8 => self.fill_pool(from, &mut pools.u8, at, |x| x),
            Elements::Bool(from) => self.fill_pool(from, &mut pools.i32, at, |x| i32::from(x != 0)),
            Elements::I8(from) => self.fill_pool(from, &mut pools.i32, at, i32::from),
            Elements::I16(from) => self.fill_pool(from, &mut pools.i32, at, i32::from),
            Elements::I32(from) => self.fill_pool(from, &mut pools.i32, at, |x| x),
            Elements::I64(from) => self.fill_pool(from, &mut pools.i64, at, |x| x),
            Elements::U8(from) => self.fill_pool(from, &mut pools.i32, at, i32::from),
            Elements::U16(from) => self.fill_pool(from, &mut pools.i32, at, i32::from),
            Elements::U32(from) => self.fill_pool(from, &mut pools.i64, at, i64::from),
            Elements::U64(from) => self.fill_pool(from, &mut pools.u64, at, |x| x),
            Elements::F16(from) => self.fill_pool(from, &mut pools.f32, at, from_f16),
            Elements::Bf16(from) => self.fill_pool(from, &mut pools.f32, at, from_bf16),
            Elements::F32(from) => self.fill_pool(from, &mut pools.f32, at, |x| x),
            Elements::F64(from) => self.fill_pool(from, &mut pools.f64, at, |x| x),
            Elements::OfResult => Ok(()),
        }
    }

    fn fill_pool<S: Element, T: Lane>(
        &self,
        source: &[S],
        pool: &mut Pool<T>,
        (arch, start, len): At,
        convert: impl Fn(S) -> T + Copy,
    ) -> Result<()> {
        let block = block_of(pool, self.index, self.lanes)?;
        for_each_run(self.shape, self.strides, start, len, |to, from, count, stride| {
            run(arch, &source[from..], stride, &mut block[to..to + count], convert);
        });
        Ok(())
    }
}

/// Brings the elements of a dtype in a block, by their bits, to the pool of an input.
pub fn load_bits<B: Bits>(
    (dtype, index, lanes): (Dtype, usize, usize),
    bits: &[B],
    pools: &mut Pools,
    arch: Arch,
) -> Result<()> {
    let to = (arch, index, lanes);
    match dtype {
        Dtype::Bool => fill_block(to, bits, &mut pools.i32, |x| i32::from(x.word() != 0)),
        Dtype::I8 => fill_block(to, bits, &mut pools.i32, |x| i32::from(x.word() as i8)),
        Dtype::I16 => fill_block(to, bits, &mut pools.i32, |x| i32::from(x.word() as i16)),
        Dtype::U8 | Dtype::U16 | Dtype::I32 => fill_block(to, bits, &mut pools.i32, |x| x.word() as i32),
        Dtype::U32 | Dtype::I64 => fill_block(to, bits, &mut pools.i64, |x| x.word() as i64),
        Dtype::U64 => fill_block(to, bits, &mut pools.u64, B::word),
        Dtype::F16 => fill_block(to, bits, &mut pools.f32, |x| from_f16(x.word() as u16)),
        Dtype::Bf16 => fill_block(to, bits, &mut pools.f32, |x| from_bf16(x.word() as u16)),
        Dtype::F32 => fill_block(to, bits, &mut pools.f32, |x| f32::from_bits(x.word() as u32)),
        Dtype::F64 | Dtype::None | Dtype::C64 | Dtype::C128 => {
            fill_block(to, bits, &mut pools.f64, |x| f64::from_bits(x.word()))
        }
    }
}

fn fill_block<B: Bits, T: Lane>(
    (arch, index, lanes): (Arch, usize, usize),
    bits: &[B],
    pool: &mut Pool<T>,
    convert: impl Fn(B) -> T,
) -> Result<()> {
    run(arch, bits, 1, &mut block_of(pool, index, lanes)?[..bits.len()], convert);
    Ok(())
}

/// The block of an input that is loaded; empty where it is read in place.
pub fn block_of<'p, T: Lane>(pool: &'p mut Pool<T>, index: usize, lanes: usize) -> Result<&'p mut [T]> {
    let input = &mut pool.inputs[index];
    if let Lanes::None = input {
        *input = Lanes::Loaded(zeros(lanes)?);
    }
    Ok(if let Lanes::Loaded(block) = input { block } else { &mut [] })
}

/// to\[i\] ← convert (from\[i·stride\]).
pub fn run<S: Copy, T: Copy>(arch: Arch, from: &[S], stride: usize, to: &mut [T], convert: impl Fn(S) -> T) {
    let count = to.len();
    match stride {
        0 => to.fill(convert(from[0])),
        1 => arch.dispatch(
            #[inline(always)]
            || to.iter_mut().zip(from).for_each(|(to, &from)| *to = convert(from)),
        ),
        // The parts of dense complex numbers; behind the last imaginary one there is no other.
        2 => arch.dispatch(
            #[inline(always)]
            || {
                to.iter_mut().zip(from.chunks_exact(2)).for_each(|(to, from)| *to = convert(from[0]));
                if let ([.., last], Some(from)) = (to, from.get(2 * count.saturating_sub(1))) {
                    *last = convert(*from);
                }
            },
        ),
        _ => to.iter_mut().zip(from.iter().step_by(stride)).for_each(|(to, &from)| *to = convert(from)),
    }
}

/// Calls `run (first lane, index of its element, lanes, stride)` for the pieces of a block along the innermost dimension.
pub fn for_each_run(
    shape: &[usize],
    strides: &[usize],
    start: usize,
    len: usize,
    mut run: impl FnMut(usize, usize, usize, usize),
) {
    let (Some((&inner, outer)), Some((&stride, outer_strides))) =
        (shape.split_first(), strides.split_first())
    else {
        return run(0, 0, len, 0);
    };
    let (mut lane, mut column, mut row) = (0, start % inner, start / inner);
    while lane < len {
        let count = (inner - column).min(len - lane);
        let mut rest = row;
        let mut from = column * stride;
        for (&extent, &stride) in outer.iter().zip(outer_strides) {
            from += rest % extent * stride;
            rest /= extent;
        }
        run(lane, from, count, stride);
        (lane, column, row) = (lane + count, 0, row + 1);
    }
}
