//! The lanes of one type that a thread works on: blocks that stay in the first-level cache, literals, inputs.
#![forbid(unsafe_code)]

use crate::error::Result;
use crate::model::dtype::Element;
use crate::model::expression::lane::Lane;
use crate::model::expression::plan::{Plan, Source};
use crate::model::expression::program::Type;
use crate::vector::zeros;

/// Lanes of a block, at most.
pub const BLOCK: usize = 1024;

/// An input in the type in which it is computed.
#[derive(Clone)]
pub enum Lanes<'a, T> {
    None,
    /// All elements, in the order of the result.
    InPlace(&'a [T]),
    /// Those of the present block.
    Loaded(Vec<T>),
    /// Those from an index of a tile on, in the order of the block.
    Tile(usize, usize),
}

/// The lanes of a type.
pub struct Pool<'a, T> {
    pub blocks: Vec<Vec<T>>,
    literals: Vec<Vec<T>>,
    pub inputs: Vec<Lanes<'a, T>>,
    pub tiles: Vec<Vec<T>>,
    /// Where the result is written directly, if it has this type.
    pub result: Option<&'a mut [T]>,
}

impl<'a, T: Lane> Pool<'a, T> {
    /// Blocks of so many lanes.
    fn new(plan: &Plan, words: &[u64], lanes: usize) -> Result<Pool<'a, T>> {
        let (inputs, tiles) = (Vec::new(), Vec::new());
        let mut pool = Pool { blocks: Vec::new(), literals: Vec::new(), inputs, tiles, result: None };
        let writes = plan.instructions.iter().filter(|instruction| instruction.result_type() == T::TYPE);
        for _ in 0..writes.map(|instruction| instruction.to + 1).max().unwrap_or(0) {
            pool.blocks.push(zeros(lanes)?);
        }
        let own = |list: &[(Type, usize)]| {
            let own = list.iter().filter(|(ty, _)| *ty == T::TYPE);
            own.map(|(_, index)| index + 1).max().unwrap_or(0)
        };
        pool.literals.resize(own(&plan.literals), Vec::new());
        for &(_, index) in plan.literals.iter().filter(|(ty, _)| *ty == T::TYPE) {
            pool.literals[index] = zeros(lanes)?;
            pool.literals[index].fill(T::from_word(words[index]));
        }
        pool.inputs.resize(own(&plan.inputs), Lanes::None);
        Ok(pool)
    }

    /// The lanes of an operand in the block of `len` lanes that begins at `first`.
    #[inline]
    pub fn lanes(&self, source: Source, first: usize, len: usize) -> &[T] {
        match source {
            Source::Literal(index) => &self.literals[index][..len],
            Source::Block(index) => &self.blocks[index][..len],
            Source::Input(index) => match &self.inputs[index] {
                Lanes::None => &[],
                Lanes::InPlace(all) => &all[first..first + len],
                Lanes::Loaded(block) => &block[..len],
                &Lanes::Tile(tile, from) => &self.tiles[tile][from + first..from + first + len],
            },
        }
    }
}

/// The lanes of all types.
pub struct Pools<'a> {
    pub i32: Pool<'a, i32>,
    pub i64: Pool<'a, i64>,
    pub u64: Pool<'a, u64>,
    pub f32: Pool<'a, f32>,
    pub f64: Pool<'a, f64>,
    pub u8: Pool<'a, u8>,
}

impl<'a> Pools<'a> {
    /// Blocks of so many lanes, as many as a plan needs.
    pub fn new(plan: &Plan, words: &[u64], lanes: usize) -> Result<Pools<'a>> {
        Ok(Pools {
            i32: Pool::new(plan, words, lanes)?,
            i64: Pool::new(plan, words, lanes)?,
            u64: Pool::new(plan, words, lanes)?,
            f32: Pool::new(plan, words, lanes)?,
            f64: Pool::new(plan, words, lanes)?,
            u8: Pool::new(plan, words, lanes)?,
        })
    }
}

/// A type that has a pool.
pub trait Pooled: Lane + Element {
    fn pool<'p, 'a>(pools: &'p Pools<'a>) -> &'p Pool<'a, Self>;
    fn pool_mut<'p, 'a>(pools: &'p mut Pools<'a>) -> &'p mut Pool<'a, Self>;
}

macro_rules! pooled {
    ($($number:ident),*) => {$(
        impl Pooled for $number {
            #[inline]
            fn pool<'p, 'a>(pools: &'p Pools<'a>) -> &'p Pool<'a, $number> {
                &pools.$number
            }
            #[inline]
            fn pool_mut<'p, 'a>(pools: &'p mut Pools<'a>) -> &'p mut Pool<'a, $number> {
                &mut pools.$number
            }
        }
    )*};
}

pooled!(i32, i64, u64, f32, f64, u8);

/// Calls a function that is generic over a type that has a pool with the type of a step.
macro_rules! dispatch_type {
    ($ty:expr, $function:ident $arguments:tt) => {
        match $ty {
            Type::I32 => $function::<i32> $arguments,
            Type::I64 => $function::<i64> $arguments,
            Type::U64 => $function::<u64> $arguments,
            Type::F32 => $function::<f32> $arguments,
            Type::F64 => $function::<f64> $arguments,
            Type::U8 => $function::<u8> $arguments,
        }
    };
}

pub(in crate::cpu) use dispatch_type;
