//! An expression of two variables as the operator of reductions and scans, on the CPU.
//!
//! Algorithm  The program (plan.rs) runs on blocks of 1024 pairs, as in map: what an instruction costs beside its lanes is shared by all
//!            of them. Reductions join neighbours in rounds, which halve the elements and keep their order; scans do so as well, and
//!            fill in what is between on the way back.
//! Cost       0.3 to 1 ns for each step and element; elementary functions 5 to 50 ns.
//! Source     R. Brent, H. Kung, "A Regular Layout for Parallel Adders", IEEE Trans. Computers C-31, 1982 (the rounds of the scan).
#![forbid(unsafe_code)]

pub mod form;
pub mod reduce;
pub mod scan;
pub mod search;
pub mod segments;
pub mod sort;

use pulp::Arch;

use super::map::load::block_of;
use super::map::pool::{BLOCK, Pooled, Pools};
use super::map::step::{Span, execute, lanes};
use crate::error::Result;
use crate::interrupt;
use crate::model::expression::program::Program;
pub use form::Form;

/// A program of two inputs on the blocks of one thread.
pub struct Functor<'p, F: Form> {
    program: &'p Program,
    arch: Arch,
    pools: Pools<'p>,
    /// Whether the first variable is read, and the second one.
    reads: [bool; 2],
    form: std::marker::PhantomData<F>,
}

impl<'p, F: Form> Functor<'p, F> {
    pub fn new(program: &'p Program) -> Result<Functor<'p, F>> {
        let pools = Pools::new(program.plan(), &program.literals, BLOCK)?;
        let reads = [0, 1].map(|index| program.plan().inputs.contains(&(F::TYPE, index)));
        Ok(Functor { program, arch: Arch::new(), pools, reads, form: std::marker::PhantomData })
    }

    /// The block of a variable; empty where it is not read.
    fn variable(&mut self, index: usize) -> Result<&mut [F::Lane]> {
        match self.reads[index] {
            true => block_of(F::Lane::pool_mut(&mut self.pools), index, BLOCK),
            false => Ok(&mut []),
        }
    }

    /// variable\[i\] ← elements\[first + i·stride\], for at most a block of them.
    #[inline]
    fn load(&mut self, index: usize, elements: &[F::Stored], first: usize, stride: usize) -> Result<()> {
        let arch = self.arch;
        let block = self.variable(index)?;
        let elements = elements.get(first..).unwrap_or_default();
        arch.dispatch(
            #[inline(always)]
            || match stride {
                1 => block.iter_mut().zip(elements).for_each(|(to, &from)| *to = F::lane(from)),
                _ => {
                    let pairs = elements.chunks(2); // the last one may be half of one
                    block.iter_mut().zip(pairs).for_each(|(to, pair)| *to = F::lane(pair[0]));
                }
            },
        );
        Ok(())
    }

    /// to\[i·stride\] ← a ∘ b of the loaded lanes.
    #[inline]
    fn run(&mut self, count: usize, to: &mut [F::Stored], stride: usize) {
        interrupt::poll();
        let (arch, plan) = (self.arch, self.program.plan());
        let span = Span { arch, first: 0, len: count };
        for instruction in &plan.instructions {
            execute(span, instruction, &mut self.pools, &self.program.literals, false);
        }
        let results: &[F::Lane] = lanes(&self.pools, plan.result, span);
        arch.dispatch(
            #[inline(always)]
            || match stride {
                1 => to.iter_mut().zip(results).for_each(|(to, &from)| *to = F::stored(from)),
                _ => {
                    let pairs = to.chunks_mut(2);
                    pairs.zip(results).for_each(|(pair, &from)| pair[0] = F::stored(from));
                }
            },
        );
    }

    /// a ∘ b of one pair.
    pub fn apply(&mut self, a: F::Stored, b: F::Stored) -> Result<F::Stored> {
        let mut result = [a];
        self.load(0, &[a], 0, 1)?;
        self.load(1, &[b], 0, 1)?;
        self.run(1, &mut result, 1);
        Ok(result[0])
    }

    /// to\[i\] ← from\[2i\] ∘ from\[2i + 1\], and the last element of an odd number as it is.
    pub fn join_pairs(&mut self, from: &[F::Stored], to: &mut [F::Stored]) -> Result<()> {
        let pairs = from.len() / 2;
        for first in (0..pairs).step_by(BLOCK) {
            let count = BLOCK.min(pairs - first);
            let block = &from[2 * first..2 * (first + count)];
            self.load(0, block, 0, 2)?;
            self.load(1, block, 1, 2)?;
            self.run(count, &mut to[first..first + count], 1);
        }
        if let [.., last] = from
            && from.len() % 2 == 1
        {
            to[pairs] = *last;
        }
        Ok(())
    }

    /// All elements joined, in their order; there is one at least.
    pub fn fold(&mut self, from: &[F::Stored]) -> Result<F::Stored> {
        let mut len = from.len().div_ceil(2);
        let mut values = crate::vector::zeros(len)?;
        self.join_pairs(from, &mut values)?;
        while len > 1 {
            let pairs = len / 2;
            for first in (0..pairs).step_by(BLOCK) {
                let count = BLOCK.min(pairs - first);
                self.load(0, &values[..2 * (first + count)], 2 * first, 2)?;
                self.load(1, &values[..2 * (first + count)], 2 * first + 1, 2)?;
                self.run(count, &mut values[first..first + count], 1);
            }
            if len % 2 == 1 {
                values[pairs] = values[len - 1];
            }
            len = pairs + len % 2;
        }
        Ok(values[0])
    }
}

/// A copy whose memory may be missing.
trait Copied<T> {
    fn to_vec_checked(&self) -> Result<Vec<T>>;
}

impl<T: Copy> Copied<T> for [T] {
    fn to_vec_checked(&self) -> Result<Vec<T>> {
        let mut copy = crate::vector::reserved(self.len())?;
        copy.extend_from_slice(self);
        Ok(copy)
    }
}

/// Elements that one thread joins at once, and that stay in its cache.
pub const PIECE: usize = 1 << 14;

/// Whether work on so many elements is done sooner than a pool of threads wakes up.
fn is_small(program: &Program, count: usize) -> bool {
    const SMALL: usize = 1 << 15;
    count.saturating_mul(program.steps_of_work()) < SMALL
}
