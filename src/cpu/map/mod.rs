//! Element-wise expressions on the CPU.
//!
//!   result[i] = expression (a[i], b[i], …)
//!
//! Algorithm  The program is three-address code (plan.rs) on blocks of 1024 lanes, which stay in the first-level cache: a loop for each
//!            instruction and type, which the compiler turns into SIMD. Dense inputs of a type in which is computed are read where they
//!            are, and such a result is written by the last instruction; the others are converted or gathered to a block (load.rs).
//!            Of a result that is also an input each block is copied before it is written. The parts of a complex input are two
//!            inputs with strides; a complex result is put together from two parts, block by block (pairs.rs).
//! Cost       Reads each input and writes the result once; 0.1 to 0.5 ns for a step and element, elementary functions 5 to 50 ns.
//! Source     P. Boncz, M. Zukowski, N. Nes, "MonetDB/X100: hyper-pipelining query execution", CIDR 2005 (vectorised interpretation).
#![forbid(unsafe_code)]

pub(super) mod folds;
pub(super) mod load;
mod pairs;
pub(super) mod pool;
pub(super) mod step;
pub(super) mod store;
pub mod words;

use pulp::Arch;

use super::Execution;
use super::parallel::parallel_for::try_parallel_for_beside;
use crate::error::Result;
use crate::interrupt;
use crate::model::dtype::{Bits, Dtype, Element};
use crate::model::expression::Layout;
use crate::model::expression::half::{to_bf16, to_f16};
use crate::model::expression::plan::{Plan, Source};
use crate::model::expression::program::{Program, Type};
use crate::model::variant::Variant;
use crate::vector::zeros;
pub use load::Elements;
use load::{Loading, block_of, for_each_run, is_lanes, load_bits};
use pairs::paired;
use pool::{BLOCK, Pooled, Pools, dispatch_type};
use step::{Span, execute, lanes};
use store::dispatch_store;

/// Steps on elements that are done sooner than a pool of threads wakes up.
pub(super) const SMALL: usize = 1 << 15;

/// Elements of a thread's piece, at most.
pub(super) const PIECE: usize = 64 * BLOCK;

/// A call: what is computed of what.
pub(super) struct Map<'a> {
    pub program: &'a Program,
    plan: &'a Plan,
    layout: &'a Layout,
    inputs: &'a [Elements<'a>],
    count: usize,
}

/// The array of the result, of a dtype: its elements, or their bits, which several threads may store to.
pub trait Target {
    fn dtype(&self) -> Dtype;
    fn elements<T: Element>(&mut self) -> Result<&mut [T]>;
    fn shared<B: Bits>(&mut self) -> Result<&[B::Atomic]>;
}

/// result ← the program of the inputs; arrays lie as the layout says.
pub fn map(
    how: Execution,
    program: &Program,
    layout: &Layout,
    inputs: &[Elements],
    result: &mut impl Target,
) -> Result<()> {
    let is_in_place = inputs.iter().any(|input| matches!(input, Elements::OfResult)); // its bytes may be other than 0 and 1
    let program = program.in_bytes.as_deref().filter(|_| !is_in_place).unwrap_or(program);
    let map = Map::new(program, layout, inputs);
    if let Some(real) = map.plan.real {
        return match program.ty {
            Type::F32 => paired(how, &map, real, result, f32::to_bits),
            _ => paired(how, &map, real, result, f64::to_bits),
        };
    }
    if layout.is_dense(&layout.result) && is_lanes(program.ty, result.dtype()) {
        return dispatch_type!(program.ty, written_in_place(how, &map, result));
    }
    dispatch_store!(program.ty, result.dtype(), narrowed(how, &map, result))
}

/// The result is dense, of the type of the last instruction, which writes it.
fn written_in_place<T: Pooled>(how: Execution, map: &Map, result: &mut impl Target) -> Result<()> {
    let piece = map.piece(how);
    let pieces = result.elements::<T>()?.chunks_mut(piece);
    map.share_out(how, pieces, |index, chunk| {
        let (mut thread, len) = (map.thread(index * piece)?, chunk.len());
        let last = map.plan.instructions.last();
        let is_direct = last
            .is_some_and(|last| map.plan.result == Source::Block(last.to) && last.result_type() == T::TYPE);
        T::pool_mut(&mut thread.pools).result = Some(chunk);
        let lanes_of_block = thread.lanes;
        thread.for_each_block(len, is_direct, |when, pools, span| {
            if when == When::After && is_direct {
                return Ok(());
            }
            let Some(result) = T::pool_mut(pools).result.take() else { return Ok(()) };
            let block = &mut result[span.first..span.first + span.len];
            match when {
                When::Before(input) => {
                    block_of(T::pool_mut(pools), input, lanes_of_block)?[..span.len].copy_from_slice(block);
                }
                When::After => block.copy_from_slice(lanes(pools, map.plan.result, span)),
            }
            T::pool_mut(pools).result = Some(result);
            Ok(())
        })
    })
}

/// Lanes become elements of another type, or lie apart.
fn narrowed<T: Pooled, B: Bits>(
    how: Execution,
    map: &Map,
    result: &mut impl Target,
    narrow: impl Fn(T) -> B + Copy + Sync,
) -> Result<()> {
    let piece = map.piece(how);
    if map.layout.is_dense(&map.layout.result) {
        let dtype = result.dtype();
        return map.share_out(how, result.elements::<B>()?.chunks_mut(piece), |index, chunk| {
            let mut thread = map.thread(index * piece)?;
            let lanes_of_block = thread.lanes;
            thread.for_each_block(chunk.len(), false, |when, pools, span| {
                let chunk = &mut chunk[span.first..span.first + span.len];
                match when {
                    When::Before(input) => {
                        return load_bits((dtype, input, lanes_of_block), chunk, pools, span.arch);
                    }
                    When::After => narrow_all(span.arch, lanes(pools, map.plan.result, span), chunk, narrow),
                }
                Ok(())
            })
        });
    }
    let shared = result.shared::<B>()?;
    let pieces = (0..map.count).step_by(piece);
    map.share_out(how, pieces, |_, first| {
        let mut block = zeros::<B>(BLOCK)?;
        map.thread(first)?.for_each_block(piece.min(map.count - first), false, |_, pools, span| {
            let block = &mut block[..span.len];
            narrow_all(span.arch, lanes(pools, map.plan.result, span), block, narrow);
            let (shape, strides) = (&map.layout.shape, &map.layout.result);
            for_each_run(shape, strides, first + span.first, span.len, |lane, to, count, stride| {
                let to = shared[to..].iter().step_by(stride.max(1));
                block[lane..lane + count].iter().zip(to).for_each(|(element, to)| element.store(to));
            });
            Ok(())
        })
    })
}

pub(super) fn narrow_all<T: Copy, B>(arch: Arch, lanes: &[T], to: &mut [B], narrow: impl Fn(T) -> B) {
    arch.dispatch(
        #[inline(always)]
        || to.iter_mut().zip(lanes).for_each(|(to, &lane)| *to = narrow(lane)),
    );
}

impl<'a> Map<'a> {
    pub(super) fn new(program: &'a Program, layout: &'a Layout, inputs: &'a [Elements<'a>]) -> Map<'a> {
        Map { program, plan: program.plan(), layout, inputs, count: layout.count() }
    }

    pub(super) fn is_small(&self) -> bool {
        self.count.saturating_mul(self.program.steps_of_work()) < SMALL
    }

    /// Elements of a piece: whole blocks, four pieces a thread at least where there are as many.
    fn piece(&self, (workers, variant): Execution) -> usize {
        match variant {
            Variant::Auto => {
                (self.count / (4 * workers.threads())).next_multiple_of(BLOCK).clamp(BLOCK, PIECE)
            }
            Variant::Sequential => PIECE,
        }
    }

    /// body (index, piece) for all pieces, on all threads, or on the caller's.
    fn share_out<P: Send>(
        &self,
        (workers, variant): Execution,
        pieces: impl ExactSizeIterator<Item = P> + Send,
        body: impl Fn(usize, P) -> Result<()> + Send + Sync,
    ) -> Result<()> {
        let is_alone = variant == Variant::Sequential || self.is_small();
        try_parallel_for_beside(workers, is_alone, pieces, body)
    }

    /// What a thread needs for a piece whose first element has this index.
    pub(super) fn thread(&self, first: usize) -> Result<Thread<'_>> {
        let arch = Arch::new();
        let lanes = BLOCK.min(self.count - first);
        let mut pools = Pools::new(self.plan, &self.program.literals, lanes)?;
        let (mut loadings, mut of_result) = (Vec::new(), Vec::new());
        for &(ty, index) in &self.plan.inputs {
            let (elements, strides) = (self.inputs[index], &self.layout.inputs[index]);
            let loading = Loading { index, ty, elements, shape: &self.layout.shape, strides, lanes };
            if let Elements::OfResult = elements {
                of_result.push(index);
                continue;
            }
            if self.layout.is_dense(strides) && elements.in_place(ty, &mut pools, index, first) {
                continue;
            }
            if self.layout.is_single(strides) {
                loading.load(&mut pools, 0, Span { arch, first: 0, len: lanes })?;
            } else {
                loadings.push(loading);
            }
        }
        Ok(Thread { map: self, arch, lanes, pools, loadings, of_result, first })
    }
}

/// A thread's work on a piece.
pub(super) struct Thread<'m> {
    map: &'m Map<'m>,
    arch: Arch,
    /// Of a block.
    lanes: usize,
    pools: Pools<'m>,
    loadings: Vec<Loading<'m>>,
    /// Inputs that are the result.
    of_result: Vec<usize>,
    first: usize,
}

/// Before a block is computed, for each input that is the result, and after that.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Before(usize),
    After,
}

impl<'m> Thread<'m> {
    /// Runs the program on each block, with `body` around it.
    fn for_each_block(
        &mut self,
        len: usize,
        is_direct: bool,
        mut body: impl FnMut(When, &mut Pools<'m>, Span) -> Result<()>,
    ) -> Result<()> {
        for first in (0..len).step_by(BLOCK) {
            interrupt::poll();
            let span = self.load(first, BLOCK.min(len - first))?;
            for &input in &self.of_result {
                body(When::Before(input), &mut self.pools, span)?;
            }
            self.execute(span, is_direct);
            body(When::After, &mut self.pools, span)?;
        }
        Ok(())
    }

    /// What the program makes of at most [`BLOCK`] elements from `first` on.
    pub(super) fn block<T: Pooled>(&mut self, first: usize, len: usize) -> Result<&[T]> {
        let span = self.load(first, len)?;
        self.execute(span, false);
        Ok(lanes(&self.pools, self.map.plan.result, span))
    }

    fn load(&mut self, first: usize, len: usize) -> Result<Span> {
        let span = Span { arch: self.arch, first, len };
        for loading in &self.loadings {
            loading.load(&mut self.pools, self.first + first, span)?;
        }
        Ok(span)
    }

    fn execute(&mut self, span: Span, is_direct: bool) {
        let (instructions, words) = (&self.map.plan.instructions, &self.map.program.literals);
        for (index, instruction) in instructions.iter().enumerate() {
            let is_last = index + 1 == instructions.len();
            execute(span, instruction, &mut self.pools, words, is_direct && is_last);
        }
    }
}
