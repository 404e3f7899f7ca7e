//! Communicators: what the ranks of a group agree on before data move, and how data move between them.
//!
//! | file | what |
//! |---|---|
//! | `mod.rs` | [`Comm`]: a rank, the state of its group, collective steps |
//! | `record.rs` | what each rank tells all others in a step of agreement |
//! | `create.rs` | how the ranks of a group find each other |
//! | `transfer.rs` | what crosses between devices while these compute |
//! | `transport.rs` | how bytes cross: none (one rank), `threads.rs` (ranks of one process), `callbacks.rs` (the caller's), NCCL |
//! | `waiting.rs` | why a wait for other ranks ends early: the time limit, an abort, a cancelled call |
//!
//! Agreement  Each rank does its part of a step, then tells all others how that ended ([`Comm::agree`]): bytes move only after
//!            every rank has succeeded, and with the same arguments. So an error on one rank is PEER on the others, and the
//!            communicator lives. The last step of a call is an agreement too: no rank returns success unless all have told it of theirs.
//! Failure    An error in a transport, a time limit or an abort leaves ranks in different steps: the communicator is dead, the process is not.
//! Devices    Where all ranks are devices that reach each other ([`Comm::is_direct`]), memory of devices crosses without the host, in
//!            the order of their streams ([`Comm::exchange_on`]): a rank's host goes on while its device waits for the others. In one
//!            process it crosses beside what the devices compute ([`Comm::begin_exchange`]).
#![deny(unsafe_code)]

mod callbacks;
mod create;
mod record;
mod threads;
mod transfer;
mod transport;
mod waiting;

use std::sync::Arc;

pub use crate::gpu::nccl::{UNIQUE_ID as ID_BYTES, unique_id};
pub use callbacks::{Allgather, Callbacks, Exchange, Message};
pub use create::{party_of, reach_of};
pub use record::{Field, Fields, Operation};
pub use threads::group;
pub use transfer::Transfer;
pub use waiting::{Control, poll};

use crate::error::{Error, Result, Status};
use crate::gpu::Device;
use crate::gpu::peer::{Mailbox, Mark, Region, Round, Source, Stop, Target};
use crate::interrupt;
use crate::platform::fork;
use crate::vector;
use record::Record;
use transport::Transport;

/// A communicator: one rank of a group, and the context that it works in. An opaque handle: looked
/// up, never dereferenced.
pub struct Comm {
    rank: usize,
    ranks: usize,
    transport: Transport,
    reach: Reach,
    life_halo: usize, // what the caller wants; 0: nothing
    control: Arc<Control>,
    steps: u64,           // of agreement, that were begun
    operation: Operation, // of the call that runs
    is_told: bool,        // the other ranks know how this one's step ended
    end: Option<Mark>,    // what the device has to come past before the call returns
    generation: u32,      // of the process that made it
}

/// What a caller chooses when it makes a communicator.
#[derive(Clone, Copy)]
pub struct Limits {
    timeout_ms: u64,
    life_halo: usize, // rows; 0: by cost
}

impl Limits {
    const TIMEOUT_MS: u64 = 300_000;
    const MOST_HALO: i64 = 65536;

    /// As numbers of a caller's: a time limit of 0 is that of the library, a halo of 0 is chosen by cost.
    pub fn new(timeout_ms: i64, life_halo: i64) -> Result<Limits> {
        let timeout_ms = match timeout_ms {
            0 => Limits::TIMEOUT_MS,
            ms @ 1.. => ms as u64,
            ms => return Err(Error::invalid(format!("options.timeout_ms is {ms}; it is 0 or more"))),
        };
        match life_halo {
            rows @ 0..=Limits::MOST_HALO => Ok(Limits { timeout_ms, life_halo: rows as usize }),
            rows => {
                let most = Limits::MOST_HALO;
                Err(Error::invalid(format!("options.life_halo is {rows}; it is 0 to {most}")))
            }
        }
    }
}

const MOST_RANKS: i64 = 65536;

/// A rank, from 0, and the number of ranks.
pub fn check_rank(rank: i64, ranks: i64) -> Result<()> {
    if (1..=MOST_RANKS).contains(&ranks) && (0..ranks).contains(&rank) {
        return Ok(());
    }
    Err(Error::invalid(format!("rank {rank} of {ranks}; there are 1 to {MOST_RANKS} ranks, from 0 on")))
}

/// The number of ranks of one process.
pub fn check_count(count: usize) -> Result<()> {
    if (1..=MOST_RANKS as usize).contains(&count) {
        return Ok(());
    }
    Err(Error::invalid(format!("count is {count}; there are 1 to {MOST_RANKS} ranks")))
}

/// Bytes to one other rank and from it.
pub struct Parcel<'p> {
    pub peer: usize,
    pub send: &'p [u8],
    pub receive: &'p mut [u8],
}

/// Memory of a device to one other rank, and from it: both sides have as many regions, of as many bytes.
pub struct DeviceParcel<'p> {
    pub peer: usize,
    pub send: Vec<Source<'p>>,
    pub receive: Vec<Target<'p>>,
}

/// How often a rank asks its device before it leaves its core to others in between, and how often before it asks whether to go on.
const SPINS: u32 = 100;
const POLL_TURNS: u32 = 8;

/// How far the ranks of a group reach; the same on all of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Bytes cross in memory of the host.
    Host,
    /// Memory of devices crosses without the host.
    Direct,
    /// And each rank has a device of its own, whose kernels use the memory of the others.
    Mapped,
}

/// What uses the regions that other ranks have lent, in the order of these, and ends when the stop is raised.
pub type UseOthers<'b> = &'b mut dyn FnMut(&[Vec<Region>], &Stop) -> Result<()>;

/// What puts a kernel into the stream of its rank that exchanges elements with those of the others.
pub type InRound<'b> = &'b mut dyn FnMut(&Round) -> Result<()>;

impl Comm {
    fn new(rank: usize, ranks: usize, transport: Transport, reach: Reach, limits: Limits) -> Comm {
        let (generation, operation) = (fork::generation(), Operation::Create);
        let (life_halo, control) = (limits.life_halo, Arc::new(Control::new(limits.timeout_ms)));
        let (steps, is_told, end) = (0, true, None);
        Comm { rank, ranks, transport, reach, life_halo, control, steps, operation, is_told, end, generation }
    }

    pub fn rank(&self) -> usize {
        self.rank
    }

    pub fn ranks(&self) -> usize {
        self.ranks
    }

    /// Rows of a halo of Life that this rank's caller wants; 0: by cost.
    pub fn life_halo(&self) -> usize {
        self.life_halo
    }

    /// Whether memory of devices crosses without the host; the same on all ranks.
    pub fn is_direct(&self) -> bool {
        self.reach != Reach::Host
    }

    /// Whether devices copy from each other, by themselves and beside what they compute; the same on all ranks.
    pub fn has_peers(&self) -> bool {
        self.is_direct() && matches!(self.transport, Transport::Threads(_))
    }

    /// Whether kernels of each rank use the memory of the others, on devices of their own; the same on all ranks.
    pub fn is_mapped(&self) -> bool {
        self.reach == Reach::Mapped
    }

    /// Whether so many elements of each rank, memory of its device, cross to all others by kernels; the same on all ranks.
    pub fn has_mailboxes(&self, elements: usize) -> bool {
        self.is_mapped() && self.ranks <= Mailbox::RANKS && (1..=Mailbox::ELEMENTS).contains(&elements)
    }

    /// What other threads may do to it while a call runs.
    pub fn control(&self) -> &Arc<Control> {
        &self.control
    }

    /// This rank comes to no further call.
    pub fn leave(&self) {
        self.transport.leave(&format!("rank {} ended it", self.rank), true);
    }

    /// Runs a collective call. `body` returns an error only where the other ranks are in an agreement next, or know of it already.
    pub fn call<T>(&mut self, operation: Operation, body: impl FnOnce(&mut Comm) -> Result<T>) -> Result<T> {
        if self.generation != fork::generation() {
            return Err(Error::unsupported("the communicator is the parent's; a forked child cannot use it"));
        }
        self.check()?;
        (self.operation, self.is_told) = (operation, false);
        self.end = None;
        let outcome = interrupt::caught(|| body(self));
        let ended = self.wait_for_end(); // an error of this device, too, is one of all ranks
        let outcome = outcome.and_then(|value| ended.map(|()| value));
        match outcome {
            Err(error) if self.is_told => Err(error),
            outcome => self.agree(outcome, &[]).map(|(value, _)| value),
        }
    }

    /// Tells all ranks how this one's part of a step ended. Gives back its value, and the fields of all ranks, when all succeeded in the
    /// same call with the same values of those fields that have to be the same.
    pub fn agree<T>(&mut self, outcome: Result<T>, fields: &[Field]) -> Result<(T, Fields)> {
        self.steps += 1;
        let own = Record::new(self.operation, self.steps, outcome.as_ref().err(), fields);
        self.is_told = true;
        let bytes = own.to_bytes();
        let told = self.checked(outcome.as_ref().err(), |comm| {
            let mut all = vector::reserved(comm.ranks * bytes.len())?;
            all.resize(comm.ranks * bytes.len(), 0);
            let mut records = vector::reserved(comm.ranks)?;
            comm.transport.allgather(&comm.control, &bytes, &mut all)?;
            if all[comm.rank * bytes.len()..][..bytes.len()] != bytes {
                return Err(Error::new(
                    Status::Peer,
                    "allgather did not bring this rank's own bytes to their place",
                ));
            }
            for record in all.chunks_exact(bytes.len()) {
                records.push(Record::from_bytes(record)?);
            }
            Ok(records)
        });
        let value = outcome?; // this rank's own error, whatever the others say
        let records = told?;
        if let Some(rank) = records.iter().position(|record| record.steps != self.steps) {
            let (there, here) = (records[rank].steps, self.steps);
            return Err(self.die(Error::new(
                Status::Peer,
                format!("rank {rank} is in step {there}, this rank in step {here}"),
            )));
        }
        record::check(&records, fields)?;
        self.is_told = false;
        Ok((value, Fields::new(records)))
    }

    /// all ← the bytes of each rank, in the order of ranks; as many on each. Follows an agreement.
    pub fn allgather(&mut self, own: &[u8], all: &mut [u8]) -> Result<()> {
        debug_assert_eq!(all.len(), own.len() * self.ranks);
        if own.is_empty() {
            return Ok(());
        }
        self.moved(|comm| comm.transport.allgather(&comm.control, own, all))
    }

    /// Moves bytes between pairs of ranks, all at once: parcels have ascending peers, this rank not among them, and sizes
    /// on which both sides agree. Follows an agreement.
    pub fn exchange(&mut self, parcels: &mut [Parcel]) -> Result<()> {
        self.moved(|comm| comm.transport.exchange(&comm.control, parcels))
    }

    /// The same of memory of the device that this rank computes on, in the order of its stream, where the communicator
    /// [is direct](Comm::is_direct): the bytes may be on their way when this returns.
    pub fn exchange_on(&mut self, device: &Device, parcels: &[DeviceParcel]) -> Result<()> {
        self.moved(|comm| comm.transport.exchange_on(&comm.control, device, parcels))
    }

    /// The same beside the device's stream, where it [has peers](Comm::has_peers): what the stream is given meanwhile runs at the same time.
    pub fn begin_exchange<'p>(
        &mut self,
        device: &Device,
        parcels: &[DeviceParcel<'p>],
    ) -> Result<Transfer<'p>> {
        self.moved(|comm| comm.transport.begin_exchange(&comm.control, device, parcels))
    }

    /// The end of a transfer: the device's stream goes on when the others have what they got, and this rank has what it gets.
    pub fn settle(&mut self, device: &Device, transfer: Transfer) -> Result<()> {
        self.moved(|comm| comm.transport.settle(&comm.control, device, transfer))
    }

    /// Lends memory of this rank's device to others, and has `body` put kernels into its stream that use what the ranks `from` have lent
    /// to this one, where the communicator [is mapped](Comm::is_mapped). These kernels may wait for those of the others. Follows an
    /// agreement. The stream goes on when the others' kernels are done.
    pub fn use_others(
        &mut self,
        device: &Device,
        sends: &[(usize, &[Source])],
        from: &[usize],
        body: UseOthers,
    ) -> Result<()> {
        self.moved(|comm| comm.transport.use_others(&comm.control, device, (sends, from), body))
    }

    /// Makes, once, memory of this rank's device in which kernels of the others leave a few elements, where the communicator
    /// [is mapped](Comm::is_mapped). An agreement comes behind it.
    pub fn open_mailbox(&mut self, device: &Device) -> Result<()> {
        self.transport.open_mailbox(device)
    }

    /// Has `body` put one kernel into the stream of this rank that exchanges elements with those of all others through their mailboxes. Follows
    /// the agreement. The call's last agreement comes when the device is past it.
    pub fn in_round(&mut self, device: &Device, body: InRound) -> Result<()> {
        let mark = self.moved(|comm| {
            comm.transport.in_round(&comm.control, device, body)?;
            device.mark()
        })?;
        self.end = Some(mark);
        Ok(())
    }

    /// Waits until the device has what the ranks exchanged. Whoever reads them on the host does so before.
    pub fn wait_for_end(&mut self) -> Result<()> {
        match self.end.take() {
            Some(mark) => mark.entered(|| self.wait_for(&mark).and_then(|()| self.check_used())),
            None => Ok(()),
        }
    }

    /// An error when kernels that waited for those of others were ended. Follows [`Comm::use_others`] and a wait for the device.
    pub fn check_used(&mut self) -> Result<()> {
        self.checked(None, |comm| comm.transport.check_used())
    }

    /// Waits until the device of this rank has come past a mark, behind which bytes of others may be: an error is the end of the communicator.
    pub fn wait_for(&mut self, mark: &Mark) -> Result<()> {
        let mut turns = 0u32;
        self.checked(None, |comm| {
            while !mark.is_done()? {
                turns = turns.wrapping_add(1);
                if turns.is_multiple_of(POLL_TURNS) {
                    waiting::poll()?;
                    comm.transport.check(&comm.control)?;
                }
                if turns > SPINS { std::thread::yield_now() } else { std::hint::spin_loop() }
            }
            Ok(())
        })
    }

    /// Waits, where bytes of others may never arrive, until the device has all that was exchanged. Comes behind the exchanges of a call.
    pub fn finish(&mut self, device: &Device) -> Result<()> {
        self.checked(None, |comm| comm.transport.finish(device))
    }

    /// Runs a part of a call between an agreement and the next one: other ranks may wait for bytes of this one, so that an error is the
    /// end of the communicator.
    pub fn moved<T>(&mut self, body: impl FnOnce(&mut Comm) -> Result<T>) -> Result<T> {
        self.is_told = true;
        let outcome = self.checked(None, body);
        self.is_told = outcome.is_err();
        outcome
    }

    /// Runs a step of the transport, whose errors are the end of the communicator. `own`: why this rank ends the call anyway.
    fn checked<T>(&mut self, own: Option<&Error>, body: impl FnOnce(&mut Comm) -> Result<T>) -> Result<T> {
        self.check()?;
        let control = self.control.clone();
        let waiting = waiting::Scope::begin(&control);
        let outcome = interrupt::caught(|| body(self));
        drop(waiting);
        outcome.map_err(|error| match own {
            Some(own) => self.die(own.clone()),
            None => self.die(error),
        })
    }

    /// An error when the communicator is dead. The others are told: an abort may have come while this rank waited for nobody.
    fn check(&self) -> Result<()> {
        self.control.check().inspect_err(|_| self.leave())
    }

    /// The communicator is dead, for the reason of an error.
    fn die(&self, error: Error) -> Error {
        let text = format!("rank {} ended it: {error}", self.rank);
        self.control.kill(text.clone());
        self.transport.leave(&text, true);
        error
    }
}

impl Drop for Comm {
    fn drop(&mut self) {
        if self.generation == fork::generation() {
            self.transport.leave(&format!("rank {} was destroyed", self.rank), self.control.is_dead());
        }
    }
}
