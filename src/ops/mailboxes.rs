//! A few words of each rank on all of them, where ranks are devices whose kernels use the memory of each other.
//!
//! Algorithm  kernels/allgather/allgather.cu, behind the kernels whose results cross: nobody waits for a device until the call ends.
#![forbid(unsafe_code)]

use crate::array::{Input, Output, Owned};
use crate::comm::{Comm, Fields};
use crate::context::{Context, Engine};
use crate::error::Result;
use crate::gpu;
use crate::memory::Place;
use crate::model::dtype::Dtype;
use crate::vector;

/// The result of this rank, in memory of its device, until it crosses.
pub struct Partial {
    own: Owned,
    words: usize,
}

const NAME: &str = "a partial result";

impl Partial {
    /// For as many words as [`Comm::has_mailboxes`] was asked for. An agreement comes behind it.
    pub fn new(ctx: &mut Context, comm: &mut Comm, words: usize) -> Result<Partial> {
        let own = ctx.work(words * size_of::<u64>())?;
        ctx.begin();
        ctx.run(|engine| match engine {
            Engine::Cuda(device) => comm.open_mailbox(device),
            Engine::Cpu(_) => Ok(()),
        })?;
        Ok(Partial { own, words })
    }

    pub fn output(&mut self, bytes: usize) -> Output<'_> {
        self.own.output(NAME, 0, bytes)
    }

    /// The results of the ranks that have one, an element of a dtype each, behind one another in memory of the device, and how many. `told`:
    /// whether each rank has one, in the first field of the agreement, which this follows.
    pub fn gather(
        &self,
        ctx: &mut Context,
        comm: &mut Comm,
        dtype: Dtype,
        told: &Fields,
    ) -> Result<(Owned, usize)> {
        let (bytes, ranks) = (dtype.size(), comm.ranks());
        let (has, mut elements) = comm.moved(|_| {
            let has = vector::collected(told.of_all(0).map(|has| has == 1))?;
            Ok((has, ctx.work(ranks * bytes)?))
        })?;
        let own = self.own.input(NAME, 0, bytes.next_multiple_of(8)).view::<u64>(&[bytes.div_ceil(8)])?;
        let mut to = elements.output("the partial results", 0, ranks * bytes);
        ctx.begin();
        ctx.run(|engine| match engine {
            Engine::Cuda(device) => comm.in_round(device, &mut |round| {
                let to = to.reborrow().view::<u8>(&[ranks * bytes])?;
                gpu::allgather::allgather(device, round, own, &has, bytes, to)
            }),
            Engine::Cpu(_) => Ok(()),
        })?;
        let count = has.iter().filter(|&&has| has).count();
        Ok((elements, count))
    }

    /// counts ← the sums of the words of all ranks, added to what is there if `is_added`. Follows an agreement.
    pub fn add_up(
        &self,
        ctx: &mut Context,
        comm: &mut Comm,
        mut counts: Output,
        is_added: bool,
    ) -> Result<()> {
        let len = self.words;
        let own = self.own.input(NAME, 0, len * size_of::<u64>()).view::<u64>(&[len])?;
        ctx.begin();
        ctx.run(|engine| match engine {
            Engine::Cuda(device) => comm.in_round(device, &mut |round| {
                let counts = counts.reborrow().view::<u64>(&[len])?;
                gpu::allgather::allreduce(device, round, own, counts, is_added)
            }),
            Engine::Cpu(_) => Ok(()),
        })
    }
}

/// Waits for what [`Partial::gather`] gathers, where a result of it is not in memory of the device.
pub fn wait_for_host(comm: &mut Comm, results: [Option<&Output>; 2]) -> Result<()> {
    for result in results.into_iter().flatten() {
        if !matches!(result.as_input().view::<u8>(&[1])?.place(), Place::Device(_)) {
            comm.wait_for_end()?;
        }
    }
    Ok(())
}

/// The elements of [`Partial::gather`] to read.
pub fn gathered(elements: &Owned, bytes: usize) -> Input<'_> {
    elements.input("the partial results", 0, bytes)
}
