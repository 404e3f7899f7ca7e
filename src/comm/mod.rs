//! Communicators: what the ranks of a group agree on before data move, and how data move between them.
//!
//! | file | what |
//! |---|---|
//! | `mod.rs` | [`Comm`]: a rank, the state of its group, collective steps |
//! | `record.rs` | what each rank tells all others in a step of agreement |
//! | `transport.rs` | how bytes cross: none (one rank), `threads.rs` (ranks of one process), `callbacks.rs` (the caller's) |
//! | `waiting.rs` | why a wait for other ranks ends early: the time limit, an abort, a cancelled call |
//!
//! Agreement  Each rank does its part of a step, then tells all others how that ended ([`Comm::agree`]): bytes move only after
//!            every rank has succeeded, and with the same arguments. So an error on one rank is PEER on the others, and the
//!            communicator lives. The last step of a call is an agreement too: no rank returns success unless all do.
//! Failure    An error in a transport, a time limit or an abort leaves ranks in different steps: the communicator is dead, the process is not.
//! Fast paths Bytes cross through memory of the host. Where the parts of two ranks lie on devices, NCCL and peer copies take the place
//!            of [`Transport::exchange`]: variants of [`Transport`] that take views in the place of slices.
#![deny(unsafe_code)]

mod callbacks;
mod record;
mod threads;
mod transport;
mod waiting;

use std::sync::Arc;

pub use callbacks::{Allgather, Callbacks, Exchange, Message};
pub use record::{Field, Fields, Operation};
pub use threads::group;
pub use waiting::{Control, poll};

use crate::error::{Error, Result, Status};
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
    control: Arc<Control>,
    steps: u64,           // of agreement, that were begun
    operation: Operation, // of the call that runs
    is_told: bool,        // the other ranks know how this one's step ended
    generation: u32,      // of the process that made it
}

/// Bytes to one other rank and from it.
pub struct Parcel<'p> {
    pub peer: usize,
    pub send: &'p [u8],
    pub receive: &'p mut [u8],
}

impl Comm {
    fn new(rank: usize, ranks: usize, transport: Transport, control: Arc<Control>) -> Comm {
        let generation = fork::generation();
        let operation = Operation::Create;
        Comm { rank, ranks, transport, control, steps: 0, operation, is_told: true, generation }
    }

    /// A rank whose bytes the caller's functions move; all ranks of the group are made at once.
    pub fn over(callbacks: Callbacks, rank: usize, ranks: usize, timeout_ms: u64) -> Result<Comm> {
        let control = Arc::new(Control::new(timeout_ms));
        let transport = if ranks == 1 { Transport::Alone } else { Transport::Callbacks(callbacks) };
        let mut made = Comm::new(rank, ranks, transport, control);
        made.call(Operation::Create, |_| Ok(()))?;
        Ok(made)
    }

    pub fn rank(&self) -> usize {
        self.rank
    }

    pub fn ranks(&self) -> usize {
        self.ranks
    }

    /// What other threads may do to it while a call runs.
    pub fn control(&self) -> &Arc<Control> {
        &self.control
    }

    /// This rank comes to no further call.
    pub fn leave(&self) {
        self.transport.leave(&format!("rank {} ended it", self.rank));
    }

    /// Runs a collective call. `body` returns an error only where the other ranks are in an agreement next, or know of it already.
    pub fn call<T>(&mut self, operation: Operation, body: impl FnOnce(&mut Comm) -> Result<T>) -> Result<T> {
        if self.generation != fork::generation() {
            return Err(Error::unsupported("the communicator is the parent's; a forked child cannot use it"));
        }
        self.control.check()?;
        (self.operation, self.is_told) = (operation, false);
        let outcome = interrupt::caught(|| body(self));
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
            comm.transport.allgather(&comm.control, &bytes, &mut all)?;
            if all[comm.rank * bytes.len()..][..bytes.len()] != bytes {
                return Err(Error::new(
                    Status::Peer,
                    "allgather did not bring this rank's own bytes to their place",
                ));
            }
            all.chunks_exact(bytes.len()).map(Record::from_bytes).collect::<Result<Vec<_>>>()
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

    fn moved(&mut self, body: impl FnOnce(&mut Comm) -> Result<()>) -> Result<()> {
        self.is_told = true;
        let outcome = self.checked(None, body);
        self.is_told = outcome.is_err();
        outcome
    }

    /// Runs a step of the transport, whose errors are the end of the communicator. `own`: why this rank ends the call anyway.
    fn checked<T>(&mut self, own: Option<&Error>, body: impl FnOnce(&mut Comm) -> Result<T>) -> Result<T> {
        self.control.check()?;
        let control = self.control.clone();
        let waiting = waiting::Scope::begin(&control);
        let outcome = interrupt::caught(|| body(self));
        drop(waiting);
        outcome.map_err(|error| match own {
            Some(own) => self.die(own.clone()),
            None => self.die(error),
        })
    }

    /// The communicator is dead, for the reason of an error.
    fn die(&self, error: Error) -> Error {
        let text = format!("rank {} ended it: {error}", self.rank);
        self.control.kill(text.clone());
        self.transport.leave(&text);
        error
    }
}

impl Drop for Comm {
    fn drop(&mut self) {
        if self.generation == fork::generation() {
            self.transport.leave(&format!("rank {} was destroyed", self.rank));
        }
    }
}
