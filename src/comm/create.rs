//! How the ranks of a group find each other.
//!
//! NCCL       Ranks that the caller's functions connect move memory of devices by NCCL where all of them have a device of their own and
//!            an NCCL: rank 0 makes the id, which the caller's functions hand on. Elsewhere it goes through memory of the host.
#![forbid(unsafe_code)]

use super::callbacks::Callbacks;
use super::record::{Field, Operation};
use super::transport::Transport;
use super::{Comm, Limits, Reach, waiting};
use crate::context::{Context, Engine};
use crate::error::{Error, Result};
use crate::gpu::Device;
use crate::gpu::nccl::{self, Control, Data, UNIQUE_ID};
use crate::gpu::peer::Party;
use crate::platform::log;
use crate::vector;

impl Comm {
    /// A rank whose bytes the caller's functions move; all ranks of the group are made at once.
    pub fn over(
        ctx: &mut Context,
        callbacks: Callbacks,
        rank: usize,
        ranks: usize,
        limits: Limits,
    ) -> Result<Comm> {
        let transport = if ranks == 1 { Transport::Alone } else { Transport::Callbacks(callbacks, None) };
        let mut made = Comm::new(rank, ranks, transport, Reach::Host, limits);
        made.call(Operation::Create, |comm| {
            let usable =
                if ctx.is_on_cuda() && ranks > 1 { usable_device(ctx) } else { Err(Error::unsupported("")) };
            let own = *usable.as_ref().unwrap_or(&0);
            let ((), told) =
                comm.agree(Ok(()), &[Field::own(own as usize), Field::own(usize::from(ctx.is_on_cuda()))])?;
            let mut devices = vector::collected(told.of_all(0))?;
            devices.sort_unstable();
            let are_alone = devices.windows(2).all(|two| two[0] != two[1]);
            if devices[0] == 0 || !are_alone {
                if let (Err(why), true) =
                    (&usable, told.of_all(1).all(|is_device| is_device == 1) && ranks > 1)
                {
                    log::info(|| format!("parts cross in memory of the host: {why}"));
                }
                return Ok(());
            }
            comm.connect(ctx)
        })?;
        Ok(made)
    }

    /// Adds NCCL for memory of devices; where a rank cannot, none does.
    fn connect(&mut self, ctx: &mut Context) -> Result<()> {
        let mut id = [0; UNIQUE_ID];
        let made = if self.rank == 0 { nccl::unique_id().map(|made| id = made) } else { Ok(()) };
        let ids = vector::zeros(UNIQUE_ID * self.ranks);
        let (mut ids, _) = self.agree(made.and(ids), &[])?;
        self.allgather(&id, &mut ids)?;
        let (rank, ranks) = (self.rank, self.ranks);
        let data = self.waited(|| {
            on_device(ctx, |device| Data::create(device, &ids[..UNIQUE_ID], rank, ranks, &mut waiting::poll))
        });
        let ((), told) = self.agree(Ok(()), &[Field::own(usize::from(data.is_ok()))])?;
        let are_all = told.of_all(0).all(|is_made| is_made == 1);
        match (data, &mut self.transport) {
            (Ok(data), Transport::Callbacks(_, place)) if are_all => {
                (*place, self.reach) = (Some(data), Reach::Direct);
            }
            (Ok(data), _) => data.abort(),
            (Err(why), _) => log::info(|| format!("parts cross in memory of the host: {why}")),
        }
        Ok(())
    }

    /// A rank on a device that NCCL connects with the others, which have the same id.
    pub fn by_id(
        ctx: &mut Context,
        id: &[u8; UNIQUE_ID],
        rank: usize,
        ranks: usize,
        limits: Limits,
    ) -> Result<Comm> {
        let waits = Comm::new(rank, ranks, Transport::Alone, Reach::Host, limits);
        let poll = &mut waiting::poll;
        let transport = waits.waited(|| {
            on_device(ctx, |device| {
                let mut ids = vector::zeros(UNIQUE_ID * ranks)?;
                let control = Control::create(device, id, rank, ranks, poll)?;
                let own = if rank == 0 { nccl::unique_id()? } else { [0; UNIQUE_ID] };
                control.allgather(&own, &mut ids, poll)?;
                let data = Data::create(device, &ids[..UNIQUE_ID], rank, ranks, poll)?;
                Ok(Transport::Nccl(control, data))
            })
        })?;
        let mut made =
            Comm::new(rank, ranks, transport, if ranks > 1 { Reach::Direct } else { Reach::Host }, limits);
        made.call(Operation::Create, |_| Ok(()))?;
        Ok(made)
    }

    /// Runs what waits for other ranks, for as long as the communicator may wait.
    fn waited<T>(&self, body: impl FnOnce() -> Result<T>) -> Result<T> {
        let _waiting = waiting::Scope::begin(&self.control);
        body()
    }
}

/// The device that a context computes on, to ask which others it sees; None: the CPU.
pub fn party_of(ctx: &mut Context) -> Result<Option<Party>> {
    match ctx.is_on_cuda() {
        true => on_device(ctx, |device| Ok(Some(Party::of(device)))),
        false => Ok(None),
    }
}

/// How far the ranks of one process reach.
pub fn reach_of(parties: &[Option<Party>]) -> Reach {
    const MOST_MAPPED: usize = 16; // more devices than one machine has
    let devices = || parties.iter().flatten().enumerate();
    let sees_others = |(i, party): (usize, &Party)| devices().all(|(j, other)| i == j || party.sees(other));
    match devices().count() {
        some if some < parties.len() => Reach::Host,
        all if all <= MOST_MAPPED && devices().all(sees_others) => Reach::Mapped,
        _ => Reach::Direct,
    }
}

fn on_device<T>(ctx: &mut Context, body: impl FnOnce(&Device) -> Result<T>) -> Result<T> {
    ctx.run(|engine| match engine {
        Engine::Cuda(device) => {
            device.refuse_capture("it waits for other ranks")?;
            body(device)
        }
        Engine::Cpu(_) => {
            Err(Error::unsupported("NCCL connects CUDA contexts; this context runs on the CPU backend"))
        }
    })
}

/// A number of the device of a context among those of all machines, where NCCL is here; never 0.
fn usable_device(ctx: &mut Context) -> Result<u64> {
    nccl::check()?;
    on_device(ctx, |device| device.fingerprint())
}
