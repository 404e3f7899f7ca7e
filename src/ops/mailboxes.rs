//! A few elements of each rank, joined on all of them, where ranks are devices whose kernels use the memory of each other.
//!
//! Algorithm  kernels/allreduce/allreduce.cu, behind the kernels whose results cross: nobody waits for a device until the call ends. Those
//!            come first where the result is memory of the device, and the host prepares the rest while they run.
#![forbid(unsafe_code)]

use super::copy;
use crate::array::{Input, Output, Owned};
use crate::comm::Comm;
use crate::context::{Context, Engine};
use crate::error::Result;
use crate::gpu;
use crate::memory::Place;
use crate::model::dtype::Dtype;
use crate::model::operator::Operator;

/// The elements of this rank, in memory of its device, to be joined with those of all others by an operator.
pub struct Partial {
    own: Owned,
    joined: Option<Owned>, // where the result is not in memory of the device
    op: Operator,
    dtype: Dtype,
    len: usize,
    pieces: usize, // of one element, in `own`
}

const NAME: &str = "a partial result";

impl Partial {
    /// What `compute` makes: `len` elements of a dtype, for a result that holds them. None where kernels cannot join them, which is so on all
    /// ranks. An agreement comes behind it.
    pub fn new(
        ctx: &mut Context,
        comm: &mut Comm,
        op: Operator,
        (dtype, len): (Dtype, usize),
        result: &Output,
        compute: impl FnOnce(&mut Context, Output) -> Result<()>,
    ) -> Result<Option<Partial>> {
        Partial::of_pieces(ctx, comm, op, (dtype, len, 1), result, |ctx, own| compute(ctx, own).map(|()| 1))
    }

    /// The same of `len` elements, with room for so many pieces of them, which `compute` leaves to be joined by the operator: it gives how many
    /// there are, 1 but for a `len` of 1.
    pub fn of_pieces(
        ctx: &mut Context,
        comm: &mut Comm,
        op: Operator,
        (dtype, len, room): (Dtype, usize, usize),
        result: &Output,
        compute: impl FnOnce(&mut Context, Output) -> Result<usize>,
    ) -> Result<Option<Partial>> {
        let (dtype, len) = match dtype.part() {
            Some(part) if op == Operator::Sum => (part, 2 * len),
            _ => (dtype, len),
        };
        if !comm.has_mailboxes(len) || dtype.is_complex() || dtype.size() < 4 {
            return Ok(None);
        }
        let bytes = len * dtype.size();
        let result = result.as_input().view::<u8>(&[bytes])?;
        let place = result.place();
        let joined = match place {
            Place::Device(_) => None,
            _ => Some(ctx.work(bytes)?),
        };
        let mut partial = Partial { own: ctx.work(room * bytes)?, joined, op, dtype, len, pieces: 1 };
        let mut prepare = |ctx: &mut Context| {
            ctx.begin();
            ctx.run(|engine| {
                let Engine::Cuda(device) = engine else { return Ok(()) };
                device.reaches(place, result.name(), result.as_ptr())?; // waits for the device at the end, for the host's memory
                gpu::allreduce::load(device, op, dtype)?;
                comm.open_mailbox(device)
            })
        };
        ctx.run(|engine| match engine {
            Engine::Cuda(device) => device.refuse_capture("it waits for other ranks"),
            Engine::Cpu(_) => Ok(()),
        })?;
        if partial.joined.is_some() {
            prepare(ctx)?;
        }
        partial.pieces = compute(ctx, partial.own.output(NAME, 0, room * bytes))?;
        if partial.joined.is_none() {
            prepare(ctx)?;
        }
        Ok(Some(partial))
    }

    fn bytes(&self) -> usize {
        self.len * self.dtype.size()
    }

    /// result ← the elements of the ranks that have some (`has`, of each rank), in their order, behind what is there if `is_added`; result_copy
    /// ← result. Follows an agreement.
    pub fn join(
        &mut self,
        ctx: &mut Context,
        comm: &mut Comm,
        has: impl Iterator<Item = bool>,
        (mut result, is_added): (Output, bool),
        result_copy: Option<Output>,
    ) -> Result<()> {
        let has = has.enumerate().fold(0, |bits, (rank, has)| bits | u32::from(has) << rank);
        let (bytes, mut joined) = (self.bytes(), self.joined.take());
        comm.moved(|comm| {
            let Some(joined) = &mut joined else {
                return self.join_on_device(ctx, comm, has, (result.reborrow(), is_added));
            };
            if is_added {
                copy::copy(ctx, joined.output(NAME, 0, bytes), result.as_input(), bytes)?;
            }
            self.join_on_device(ctx, comm, has, (joined.output(NAME, 0, bytes), is_added))
        })?;
        if let Some(joined) = joined {
            self.deliver(ctx, comm, joined.input(NAME, 0, bytes), result.reborrow())?;
        }
        result_copy.map_or(Ok(()), |to| self.deliver(ctx, comm, result.as_input(), to))
    }

    fn join_on_device(
        &self,
        ctx: &mut Context,
        comm: &mut Comm,
        has: u32,
        (mut result, is_added): (Output, bool),
    ) -> Result<()> {
        ctx.begin();
        ctx.run(|engine| {
            let Engine::Cuda(device) = engine else { return Ok(()) };
            comm.in_round(device, &mut |round| {
                let own = self.own.input(NAME, 0, self.pieces * self.bytes());
                let own = own.view_of(self.dtype, &[self.pieces * self.len])?;
                let result = result.reborrow().view_of(self.dtype, &[self.len])?;
                gpu::allreduce::allreduce(device, round, (self.op, own, has), result, is_added)
            })
        })
    }

    /// What was joined to another place. The host reads what the device has when all ranks have come, or the wait for them has ended.
    fn deliver(&self, ctx: &mut Context, comm: &mut Comm, joined: Input, to: Output) -> Result<()> {
        if !is_on_device(&to)? {
            comm.wait_for_end()?;
        }
        copy::copy(ctx, to, joined, self.bytes())
    }
}

fn is_on_device(to: &Output) -> Result<bool> {
    Ok(matches!(to.as_input().view::<u8>(&[1])?.place(), Place::Device(_)))
}
