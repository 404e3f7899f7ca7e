//! Bytes of one device that another one of the process copies for itself, without the host.
//!
//! Algorithm  A rank lends regions of its memory ([`Device::lend`]): an event marks when they are there. The other one takes them
//!            ([`Device::take`]): its stream waits for the event, and copies. Its own event says when that is done; the lender's
//!            stream waits for it ([`Lent::settle`]) before it does anything else. So both hosts go on at once, and the devices wait.
//! Overlap    A rank may take in a second stream ([`Device::take_beside`]), while its first one computes; that waits for what has
//!            arrived ([`Mark::hold_back`]) when it needs it.
//! Kernels    Where the devices see each other, kernels of a rank may use what was lent where it is ([`Device::use_lent`]). Those that wait
//!            for kernels of another device end when a [`Stop`] is raised.
//! Words      A few words of each rank cross by kernels alone: each stores them into the [`Mailbox`] of every rank.
//! Failure    What was not taken yet can be withdrawn ([`Lent::withdraw`]); what was taken is waited for: when a rank leaves, nobody
//!            copies from its memory any more.
//! Cost       One copy between devices at the speed of their link where they see each other (NVLink, or PCIe), else the driver's
//!            own way through the host.

mod copy;
mod mailbox;
mod mark;
mod shared;
mod stop;

use std::marker::PhantomData;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

pub use mailbox::{Mailbox, Round};
pub use mark::Mark;
pub use shared::{Party, Region};
pub use stop::Stop;

use cudarc::driver::{result, sys};

use self::copy::copy;
use super::Device;
use super::runtime::primary::Primary;
use super::runtime::stream::Event;
use crate::array::{View, ViewMut};
use crate::error::{Error, Result, Status};
use crate::memory::Place;
use crate::platform::fork::lock;

/// `rows` rows of `width` bytes on a device, from one to the next `pitch` bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub address: usize,
    pub width: usize,
    pub rows: usize,
    pub pitch: usize,
}

impl Rows {
    pub fn bytes(&self) -> usize {
        self.width * self.rows
    }

    pub fn is_one_run(&self) -> bool {
        self.rows <= 1 || self.width == self.pitch
    }
}

/// Bytes on the device of a rank that others copy.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub(super) rows: Rows,
    lifetime: PhantomData<&'a [u8]>,
}

/// Bytes on the device of a rank that are copied from another one's.
pub struct Target<'a> {
    pub(super) rows: Rows,
    lifetime: PhantomData<&'a mut [u8]>,
}

impl Source<'_> {
    /// # Safety
    /// The rows are memory of the rank's device for as long as the source lives.
    pub(super) unsafe fn new(rows: Rows) -> Self {
        Source { rows, lifetime: PhantomData }
    }

    pub fn bytes(&self) -> usize {
        self.rows.bytes()
    }
}

impl Target<'_> {
    /// # Safety
    /// As [`Source::new`], and nobody else uses them.
    pub(super) unsafe fn new(rows: Rows) -> Self {
        Target { rows, lifetime: PhantomData }
    }

    pub fn bytes(&self) -> usize {
        self.rows.bytes()
    }
}

impl<'a> Source<'a> {
    /// Memory of a device.
    pub fn of(view: &View<'a, u8>) -> Result<Source<'a>> {
        check(view.place(), view.name(), view.len())?;
        let rows = Rows { address: view.as_ptr().addr(), width: view.len(), rows: 1, pitch: view.len() };
        Ok(Source { rows, lifetime: PhantomData })
    }
}

impl<'a> Target<'a> {
    /// Memory of a device.
    pub fn of(mut view: ViewMut<'a, u8>) -> Result<Target<'a>> {
        check(view.place(), view.name(), view.len())?;
        let (address, len) = (view.as_mut_ptr().addr(), view.len());
        Ok(Target { rows: Rows { address, width: len, rows: 1, pitch: len }, lifetime: PhantomData })
    }
}

fn check(place: Place, name: &str, len: usize) -> Result<()> {
    match place {
        Place::Device(_) => Ok(()),
        _ if len == 0 => Ok(()),
        _ => Err(Error::new(
            Status::Internal,
            format!("{name} is {place:?} memory; ranks copy memory of devices"),
        )),
    }
}

/// Regions that one rank lends to another one.
pub struct Lent {
    regions: Vec<Rows>,
    primary: Arc<Primary>,
    ready: Event,
    state: Mutex<State>,
    is_taken: Condvar,
}

enum State {
    Offered,
    Taken(Arc<Event>), // behind the copies, or the kernels that use it
    Withdrawn,
}

impl Device {
    /// Lends what the stream has written so far. Until the answer is settled or withdrawn, the regions stay as they are.
    pub fn lend(&self, regions: &[Source]) -> Result<Arc<Lent>> {
        self.close_kernels()?;
        let ready = Event::create_timeless(self.primary())?;
        ready.record(self.stream())?;
        Ok(Arc::new(Lent {
            regions: regions.iter().map(|region| region.rows).collect(),
            primary: self.primary().clone(),
            ready,
            state: Mutex::new(State::Offered),
            is_taken: Condvar::new(),
        }))
    }

    /// targets ← what another rank has lent, in stream order.
    pub fn take(&self, lent: &Lent, targets: &[Target]) -> Result<()> {
        self.close_kernels()?;
        self.is_drained.set(false);
        self.take_in(self.stream(), lent, targets).map(|_| ())
    }

    /// The same in a second stream, behind what it took before and what the first one was given before [`Device::begin_beside`].
    pub fn take_beside(&self, lent: &Lent, targets: &[Target]) -> Result<Mark> {
        self.take_in(self.beside()?.handle(), lent, targets).map(Mark)
    }

    /// What is taken beside from here on comes behind what the stream was given before.
    pub fn begin_beside(&self) -> Result<()> {
        self.mark()?.0.hold_back(self.beside()?.handle())
    }

    fn take_in(&self, stream: sys::CUstream, lent: &Lent, targets: &[Target]) -> Result<Arc<Event>> {
        let are_alike = lent.regions.len() == targets.len()
            && lent.regions.iter().zip(targets).all(|(from, to)| from.bytes() == to.bytes());
        if !are_alike {
            let (sent, expected) =
                (bytes_of(&lent.regions), targets.iter().map(Target::bytes).sum::<usize>());
            return Err(Error::new(
                Status::Peer,
                format!("another rank sent {sent} bytes, {expected} were expected"),
            ));
        }
        let done = Arc::new(Event::create_timeless(self.primary())?);
        let mut state = lock(&lent.state);
        if !matches!(*state, State::Offered) {
            return Err(Error::new(Status::Peer, "another rank took back what it had sent"));
        }
        lent.ready.hold_back(stream)?;
        let copied = lent.regions.iter().zip(targets).try_for_each(|(from, to)| {
            // SAFETY: the lender keeps its regions until it has seen the event, the targets are this rank's; as many bytes.
            unsafe { copy((self.primary(), stream), &to.rows, &lent.primary, from) }
        });
        let marked = done.record(stream);
        if copied.is_err() || marked.is_err() {
            // SAFETY: a stream of this device. Whatever was begun has ended before the lender may go on.
            let _ = unsafe { result::stream::synchronize(stream) };
        }
        *state = State::Taken(done.clone());
        lent.is_taken.notify_all();
        copied.and(marked).map(|()| done)
    }

    /// to ← from, both of this device, in stream order.
    ///
    /// # Safety
    /// Both hold their rows, as many bytes, until the stream has come past.
    pub(super) unsafe fn copy_within(&self, to: &Rows, from: &Rows) -> Result<()> {
        self.close_kernels()?;
        self.is_drained.set(false);
        // SAFETY: the caller's promise.
        unsafe { copy((self.primary(), self.stream()), to, self.primary(), from) }
    }
}

impl Lent {
    /// Waits until the other rank has taken it, asking `poll` in between whether to go on; then the stream of the lender waits
    /// for the copies.
    pub fn settle(&self, device: &Device, poll: &mut dyn FnMut() -> Result<()>) -> Result<()> {
        const SLICE: Duration = Duration::from_millis(5);
        let mut state = lock(&self.state);
        loop {
            match &*state {
                State::Taken(done) => return done.hold_back(device.stream()),
                State::Withdrawn => return Ok(()),
                State::Offered => {
                    poll()?;
                    state =
                        self.is_taken.wait_timeout(state, SLICE).unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Ends the loan: when this returns, nobody copies from the regions.
    pub fn withdraw(&self) {
        let mut state = lock(&self.state);
        match &*state {
            State::Offered => *state = State::Withdrawn,
            State::Taken(done) => done.outlast(),
            State::Withdrawn => {}
        }
    }
}

fn bytes_of(regions: &[Rows]) -> usize {
    regions.iter().map(Rows::bytes).sum()
}
