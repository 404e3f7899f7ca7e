//! A few words of each rank on all of them, where ranks are devices whose kernels use the memory of each other.
//!
//! Algorithm  kernels/allgather/allgather.cu, behind the kernels whose results cross: nobody waits for a device until the call ends.
#![forbid(unsafe_code)]

use super::ranks::{CELL_WORDS, Cell};
use crate::array::{Input, Output, Owned, View};
use crate::comm::{Comm, Fields};
use crate::context::{Context, Engine};
use crate::error::Result;
use crate::gpu::peer::Round;
use crate::gpu::{self, Device};
use crate::memory::Place;
use crate::model::dtype::Dtype;
use crate::vector;

/// The result of this rank, in memory of its device, and those of all.
pub struct Partial {
    own: Owned,
    words: usize,
    all: Owned, // an element of each rank
}

const NAME: &str = "a partial result";
const GATHERED: &str = "the partial results";

impl Partial {
    /// Numbers to be added up, as many as [`Comm::has_mailboxes`] was asked for. An agreement comes behind it.
    pub fn of_numbers(ctx: &mut Context, comm: &mut Comm, words: usize) -> Result<Partial> {
        open(ctx, comm)?;
        Ok(Partial { own: ctx.work(words * size_of::<u64>())?, words, all: ctx.work(0)? })
    }

    /// The same of an element of any dtype, which all ranks gather.
    pub fn of_element(ctx: &mut Context, comm: &mut Comm) -> Result<Partial> {
        open(ctx, comm)?;
        let own = ctx.work(size_of::<Cell>())?;
        Ok(Partial { own, words: CELL_WORDS, all: ctx.work(comm.ranks() * size_of::<Cell>())? })
    }

    pub fn output(&mut self, bytes: usize) -> Output<'_> {
        self.own.output(NAME, 0, bytes)
    }

    /// Gathers the elements of the ranks that have one, behind one another in memory of the device: their number. `told`: whether each rank
    /// has one, in the first field of the agreement, which this follows.
    pub fn gather(
        &mut self,
        ctx: &mut Context,
        comm: &mut Comm,
        dtype: Dtype,
        told: &Fields,
    ) -> Result<usize> {
        let bytes = dtype.size();
        comm.moved(|comm| {
            let has = vector::collected(told.of_all(0).map(|has| has == 1))?;
            let (own, room) = (own(&self.own, bytes.div_ceil(8))?, has.len() * bytes);
            let mut all = self.all.output(GATHERED, 0, room);
            in_round(ctx, comm, &mut |device, round| {
                let all = all.reborrow().view::<u8>(&[room])?;
                gpu::allgather::allgather(device, round, own, &has, bytes, all)
            })?;
            Ok(has.iter().filter(|&&has| has).count())
        })
    }

    /// What was gathered.
    pub fn gathered(&self, bytes: usize) -> Input<'_> {
        self.all.input(GATHERED, 0, bytes)
    }

    /// counts ← the sums of the words of all ranks, added to what is there if `is_added`. Follows an agreement.
    pub fn add_up(
        &self,
        ctx: &mut Context,
        comm: &mut Comm,
        mut counts: Output,
        is_added: bool,
    ) -> Result<()> {
        comm.moved(|comm| {
            let own = own(&self.own, self.words)?;
            in_round(ctx, comm, &mut |device, round| {
                let counts = counts.reborrow().view::<u64>(&[self.words])?;
                gpu::allgather::allreduce(device, round, own, counts, is_added)
            })
        })
    }
}

fn own(own: &Owned, words: usize) -> Result<View<'_, u64>> {
    own.input(NAME, 0, words * size_of::<u64>()).view(&[words])
}

fn in_round(
    ctx: &mut Context,
    comm: &mut Comm,
    body: &mut dyn FnMut(&Device, &Round) -> Result<()>,
) -> Result<()> {
    ctx.begin();
    ctx.run(|engine| match engine {
        Engine::Cuda(device) => comm.in_round(device, &mut |round| body(device, round)),
        Engine::Cpu(_) => Ok(()),
    })
}

/// Makes the mailbox of this rank, once; refuses what is captured into a CUDA graph.
fn open(ctx: &mut Context, comm: &mut Comm) -> Result<()> {
    ctx.begin();
    ctx.run(|engine| match engine {
        Engine::Cuda(device) => {
            device.refuse_capture("it waits for other ranks").and_then(|()| comm.open_mailbox(device))
        }
        Engine::Cpu(_) => Ok(()),
    })
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
