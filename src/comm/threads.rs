//! Ranks of one process, a thread each: messages in boxes.
//!
//! Algorithm  Each ordered pair of ranks has a queue. A rank puts copies of what it sends into the queues of the others, and takes what
//!            they sent from its own: sends never wait, so that no order of steps can deadlock, and a rank that leaves at any time
//!            leaves no pointer behind.
//! Devices    Memory of devices is lent (gpu/peer): the letter says where it is, and the other rank's device copies it. A rank comes
//!            out of an exchange when all that it has lent was taken, or is withdrawn.
//! Agreement  A rank whose wait in an allgather ends early, by a cancel or the time limit, and one that has received all of it decide under a
//!            lock which of the two came first: an allgather succeeds on all ranks or on none.
//! Failure    A rank that fails ends the group. One that was destroyed is missed by those who wait for it alone: others may still be in
//!            the last step of the call that it has come out of.
//! Cost       On the host one copy more than a direct one. What was put in a queue before its sender left is still delivered.
#![forbid(unsafe_code)]

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{hint, thread};

use super::transport::Transport;
use super::{Comm, Control, DeviceParcel, InRound, Limits, Parcel, Reach, Transfer, UseOthers, waiting};
use crate::error::{Error, Result, Status};
use crate::gpu::Device;
use crate::gpu::peer::{Lent, Mailbox, Round, Source, Stop};
use crate::platform::fork::lock;
use crate::vector;

/// How often a wait is polled.
const SLICE: Duration = Duration::from_millis(5);

/// How long a rank looks for a letter before it sleeps, where each has a core: what others do at the same time comes within it, and a
/// thread that sleeps takes as long to wake.
const LOOKS: Duration = Duration::from_micros(50);

/// What one rank sends another one.
#[derive(Clone)]
enum Letter {
    Bytes(Arc<Vec<u8>>),
    Lent(Arc<Lent>),
}

/// What the members of a group share.
struct Group {
    ranks: usize,
    has_cores: bool,   // more than ranks
    boxes: Vec<Inbox>, // of each rank
    gathers: Mutex<Gathers>,
    why_failed: Mutex<Option<String>>,
    why_left: Mutex<BTreeMap<usize, String>>, // of ranks that were destroyed
    stop: Mutex<Option<Arc<Stop>>>,           // of kernels that wait for each other
    mailboxes: Vec<Mutex<Option<Arc<Mailbox>>>>, // of each rank, once it has one
}

/// How the allgathers of a group ended, by their number from 1.
#[derive(Default)]
struct Gathers {
    complete: u64,                 // the last one that a rank has received whole
    failed: Option<(u64, String)>, // the one that a rank gave up, and why
}

struct Inbox {
    queues: Mutex<Queues>,
    arrival: Condvar,
    letters: AtomicU64, // that were put, for who looks without the lock
}

#[derive(Default)]
struct Queues {
    of: BTreeMap<usize, VecDeque<Letter>>, // by sender, from its first letter on
    sleepers: usize,                       // who wait for `arrival`
}

/// One rank of a group.
pub struct Member {
    group: Arc<Group>,
    rank: usize,
    gathers: AtomicU64, // that it has begun
    rounds: AtomicU32,  // of the mailboxes
}

/// More than the small allocations of a rank have; those of all ranks may exceed the reserve of the allocator, and are asked for before.
const SMALL_BYTES: usize = 1024;

/// A communicator for each rank of a new group.
pub fn group(ranks: usize, limits: Limits, reach: Reach) -> Result<Vec<Comm>> {
    core::hint::black_box(vector::reserved::<u8>(ranks * SMALL_BYTES)?); // which a compiler may leave out
    let inbox = |_| Inbox { queues: Mutex::default(), arrival: Condvar::new(), letters: AtomicU64::new(0) };
    let has_cores = thread::available_parallelism().is_ok_and(|cores| cores.get() > ranks);
    let group = Arc::new(Group {
        ranks,
        has_cores,
        boxes: vector::collected((0..ranks).map(inbox))?,
        gathers: Mutex::default(),
        why_failed: Mutex::new(None),
        why_left: Mutex::default(),
        stop: Mutex::new(None),
        mailboxes: vector::collected((0..ranks).map(|_| Mutex::new(None)))?,
    });
    let member = |rank| {
        let transport = match ranks {
            1 => Transport::Alone,
            _ => Transport::Threads(Member {
                group: group.clone(),
                rank,
                gathers: AtomicU64::new(0),
                rounds: AtomicU32::new(0),
            }),
        };
        let reach = if ranks > 1 { reach } else { Reach::Host };
        Comm::new(rank, ranks, transport, reach, limits)
    };
    vector::collected((0..ranks).map(member))
}

impl Queues {
    fn take(&mut self, from: usize) -> Option<Letter> {
        self.of.get_mut(&from).and_then(VecDeque::pop_front)
    }
}

impl Inbox {
    fn put(&self, from: usize, letter: Letter) {
        let mut queues = lock(&self.queues);
        queues.of.entry(from).or_default().push_back(letter);
        self.letters.fetch_add(1, Ordering::Release);
        let is_waited_for = queues.sleepers > 0;
        drop(queues);
        if is_waited_for {
            self.arrival.notify_all(); // a call of the system
        }
    }

    /// What a rank sent, where it comes soon. The lock stays free for who puts it here.
    fn look_for(&self, from: usize) -> Option<Letter> {
        let start = Instant::now();
        let mut seen = None;
        while start.elapsed() < LOOKS {
            let letters = self.letters.load(Ordering::Acquire);
            if seen.replace(letters) != Some(letters)
                && let Some(letter) = lock(&self.queues).take(from)
            {
                return Some(letter);
            }
            hint::spin_loop();
        }
        None
    }

    /// What a rank sent. Asks `goes_on`, which may end the wait, every few milliseconds.
    fn wait_for(&self, from: usize, mut goes_on: impl FnMut() -> Result<()>) -> Result<Letter> {
        let mut queues = lock(&self.queues);
        loop {
            if let Some(letter) = queues.take(from) {
                return Ok(letter);
            }
            goes_on()?;
            queues.sleepers += 1;
            queues = self.arrival.wait_timeout(queues, SLICE).unwrap_or_else(PoisonError::into_inner).0;
            queues.sleepers -= 1;
        }
    }
}

impl Member {
    fn put(&self, to: usize, letter: Letter) {
        self.group.boxes[to].put(self.rank, letter);
    }

    /// What a rank sent; waits for it.
    fn take(&self, from: usize, control: &Control) -> Result<Letter> {
        let inbox = &self.group.boxes[self.rank];
        if self.group.has_cores
            && let Some(letter) = inbox.look_for(from)
        {
            return Ok(letter);
        }
        inbox.wait_for(from, || {
            if let Some(why) = lock(&self.group.why_left).get(&from) {
                control.kill(why.clone());
            }
            self.poll(control)
        })
    }

    /// What a rank has begun to send, which takes it a moment: no poll ends the wait.
    fn take_sent(&self, from: usize) -> Result<Letter> {
        self.group.boxes[self.rank].wait_for(from, || Ok(()))
    }

    /// An error when there is nothing to wait for.
    pub fn poll(&self, control: &Control) -> Result<()> {
        if let Some(why) = &*lock(&self.group.why_failed) {
            control.kill(why.clone());
        }
        waiting::poll()
    }

    fn take_lent(&self, from: usize, control: &Control) -> Result<Arc<Lent>> {
        match self.take(from, control)? {
            Letter::Lent(lent) => Ok(lent),
            Letter::Bytes(_) => Err(other_call(from)),
        }
    }

    fn take_into(&self, from: usize, control: &Control, to: &mut [u8]) -> Result<()> {
        copy_into(self.take(from, control)?, from, to)
    }

    pub fn allgather(&self, control: &Control, own: &[u8], all: &mut [u8]) -> Result<()> {
        let letter = letter(own)?;
        let number = self.gathers.fetch_add(1, Ordering::Relaxed) + 1;
        let is_other = |rank: &usize| *rank != self.rank;
        (0..self.group.ranks).filter(is_other).for_each(|to| self.put(to, letter.clone()));
        for (from, place) in all.chunks_exact_mut(own.len()).enumerate() {
            if !is_other(&from) {
                place.copy_from_slice(own);
                continue;
            }
            let letter = self.take(from, control).or_else(|error| match self.fails(number, &error) {
                true => Err(error),
                false => self.take_sent(from),
            })?;
            copy_into(letter, from, place)?;
        }
        self.completes(number)
    }

    /// This rank has received an allgather whole; an error where another one has given it up before.
    fn completes(&self, number: u64) -> Result<()> {
        let mut gathers = lock(&self.group.gathers);
        if let Some((_, why)) = gathers.failed.as_ref().filter(|(failed, _)| *failed <= number)
            && gathers.complete < number
        {
            return Err(Error::new(Status::Peer, format!("the communicator is dead; {why}")));
        }
        gathers.complete = gathers.complete.max(number);
        Ok(())
    }

    /// This rank gives up an allgather, unless another one has received it whole: then all ranks have begun to send, and what they send
    /// arrives here too.
    fn fails(&self, number: u64, error: &Error) -> bool {
        let mut gathers = lock(&self.group.gathers);
        let fails = gathers.complete < number;
        if fails {
            gathers.failed.get_or_insert_with(|| (number, format!("rank {} ended it: {error}", self.rank)));
        }
        fails
    }

    pub fn exchange(&self, control: &Control, parcels: &mut [Parcel]) -> Result<()> {
        for parcel in parcels.iter().filter(|parcel| !parcel.send.is_empty()) {
            self.put(parcel.peer, letter(parcel.send)?);
        }
        let mut received = parcels.iter_mut().filter(|parcel| !parcel.receive.is_empty());
        received.try_for_each(|parcel| self.take_into(parcel.peer, control, parcel.receive))
    }

    /// Moves memory of devices; see [`Comm::exchange_on`].
    pub fn exchange_on(&self, control: &Control, device: &Device, parcels: &[DeviceParcel]) -> Result<()> {
        let mut transfer = Transfer::default();
        self.lend_parcels(device, parcels, &mut transfer)?;
        for parcel in parcels.iter().filter(|parcel| !parcel.receive.is_empty()) {
            device.take(&*self.take_lent(parcel.peer, control)?, &parcel.receive)?;
        }
        self.settle(control, device, transfer)
    }

    /// Moves memory of devices beside the device's stream; see [`Comm::begin_exchange`].
    pub fn begin_exchange<'p>(
        &self,
        control: &Control,
        device: &Device,
        parcels: &[DeviceParcel<'p>],
    ) -> Result<Transfer<'p>> {
        let mut transfer = Transfer::default();
        self.lend_parcels(device, parcels, &mut transfer)?;
        device.begin_beside()?;
        for parcel in parcels.iter().filter(|parcel| !parcel.receive.is_empty()) {
            let lent = self.take_lent(parcel.peer, control)?;
            transfer.arrival = Some(device.take_beside(&lent, &parcel.receive)?);
        }
        Ok(transfer)
    }

    /// Lends memory of devices to others, and runs `body` on what these have lent; see [`Comm::use_others`].
    pub fn use_others(
        &self,
        control: &Control,
        device: &Device,
        (sends, from): (&[(usize, &[Source])], &[usize]),
        body: UseOthers,
    ) -> Result<()> {
        let (stop, mut transfer) = (self.stop(device)?, Transfer::default());
        let used = (|| {
            sends.iter().try_for_each(|(peer, regions)| self.lend(device, *peer, regions, &mut transfer))?;
            let others =
                from.iter().map(|&peer| self.take_lent(peer, control)).collect::<Result<Vec<_>>>()?;
            device.use_lent(&others, &stop, |regions| body(regions, &stop))
        })();
        let settled = used.and_then(|()| self.settle_lent(control, device, &transfer));
        if settled.is_err() {
            stop.raise(); // before the transfer ends, which waits for the others' kernels
        }
        settled.map(|()| transfer.end())
    }

    /// Makes the mailbox of this rank; see [`Comm::open_mailbox`].
    pub fn open_mailbox(&self, device: &Device) -> Result<()> {
        let mut mailbox = lock(&self.group.mailboxes[self.rank]);
        if mailbox.is_none() {
            *mailbox = Some(Arc::new(Mailbox::create(device, self.group.ranks)?));
        }
        self.stop(device).map(|_| ())
    }

    /// Runs `body` on the mailboxes of all ranks; see [`Comm::in_round`].
    pub fn in_round(&self, control: &Control, device: &Device, body: InRound) -> Result<()> {
        let stop = self.stop(device)?;
        let ran = self.mailboxes().and_then(|mailboxes| {
            let number = self.rounds.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
            let patience = control.timeout().as_nanos() as u64;
            body(&Round { mailboxes: &mailboxes, rank: self.rank, number, stop: &stop, patience })
        });
        ran.inspect_err(|_| {
            stop.raise();
            let _ = device.synchronize(); // whatever was begun has ended before a mailbox may go
        })
    }

    /// Those of all ranks, which have them since an agreement.
    fn mailboxes(&self) -> Result<Vec<Arc<Mailbox>>> {
        let mut mailboxes = vector::reserved(self.group.ranks)?;
        for (rank, mailbox) in self.group.mailboxes.iter().enumerate() {
            mailboxes.push(lock(mailbox).clone().ok_or_else(|| other_call(rank))?);
        }
        Ok(mailboxes)
    }

    fn lend_parcels(&self, device: &Device, parcels: &[DeviceParcel], transfer: &mut Transfer) -> Result<()> {
        let mut sends = parcels.iter().filter(|parcel| !parcel.send.is_empty());
        sends.try_for_each(|parcel| self.lend(device, parcel.peer, &parcel.send, transfer))
    }

    /// Lends memory of a device to another rank; what was lent is taken back when the transfer ends unsettled.
    fn lend(&self, device: &Device, peer: usize, regions: &[Source], transfer: &mut Transfer) -> Result<()> {
        vector::reserve(&mut transfer.lent, 1)?;
        let letter = device.lend(regions)?;
        transfer.lent.push(letter.clone());
        self.put(peer, Letter::Lent(letter));
        Ok(())
    }

    fn settle_lent(&self, control: &Control, device: &Device, transfer: &Transfer) -> Result<()> {
        transfer.lent.iter().try_for_each(|lent| lent.settle(device, &mut || self.poll(control)))
    }

    /// Ends a transfer; see [`Comm::settle`].
    pub fn settle(&self, control: &Control, device: &Device, transfer: Transfer) -> Result<()> {
        self.settle_lent(control, device, &transfer)?;
        if let Some(arrival) = &transfer.arrival {
            arrival.hold_back(device)?;
        }
        transfer.end();
        Ok(())
    }

    fn stop(&self, device: &Device) -> Result<Arc<Stop>> {
        let mut stop = lock(&self.group.stop);
        match &*stop {
            Some(stop) => Ok(stop.clone()),
            None => {
                let made = Arc::new(Stop::create(device)?);
                *stop = Some(made.clone());
                Ok(made)
            }
        }
    }

    /// An error when kernels were ended that waited for those of other ranks.
    pub fn check_used(&self) -> Result<()> {
        lock(&self.group.stop).as_ref().map_or(Ok(()), |stop| stop.check())
    }

    /// Wakes those who wait for this rank, which comes no more; after a failure, all of the group.
    pub fn leave(&self, why: &str, is_failure: bool) {
        lock(&self.group.why_left).entry(self.rank).or_insert_with(|| why.to_string());
        if is_failure {
            lock(&self.group.why_failed).get_or_insert_with(|| why.to_string());
            if let Some(stop) = &*lock(&self.group.stop) {
                stop.raise();
            }
        }
        for inbox in &self.group.boxes {
            let _queues = lock(&inbox.queues);
            inbox.arrival.notify_all();
        }
    }
}

fn other_call(from: usize) -> Error {
    Error::new(Status::Peer, format!("rank {from} sent what belongs to another call"))
}

/// Bytes that a rank sent to their place, without polls: a step that has begun ends, or the communicator does.
fn copy_into(letter: Letter, from: usize, to: &mut [u8]) -> Result<()> {
    let Letter::Bytes(letter) = letter else { return Err(other_call(from)) };
    if letter.len() != to.len() {
        let (sent, expected) = (letter.len(), to.len());
        let text = format!("rank {from} sent {sent} bytes, {expected} were expected");
        return Err(Error::new(Status::Peer, text));
    }
    to.copy_from_slice(&letter);
    Ok(())
}

fn letter(bytes: &[u8]) -> Result<Letter> {
    let mut letter = vector::reserved(bytes.len())?;
    letter.extend_from_slice(bytes);
    Ok(Letter::Bytes(Arc::new(letter)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comm::Operation;

    /// A step of a rank of two, which waits a moment for the other one.
    fn step(comm: &mut Comm) -> Result<()> {
        comm.call(Operation::Reduce, |_| Ok(()))
    }

    fn two() -> [Comm; 2] {
        let limits = Limits { timeout_ms: 20, life_halo: 0 };
        group(2, limits, Reach::Host).expect("memory").try_into().ok().expect("two ranks")
    }

    #[test]
    fn a_step_that_one_rank_gave_up_ends_on_no_other() {
        let [mut early, mut late] = two();
        assert_eq!(step(&mut early).unwrap_err().status(), Status::Timeout);
        let error = step(&mut late).unwrap_err();
        assert!(error.status() == Status::Peer && error.message().contains("rank 0 ended it"), "{error}");
    }

    #[test]
    fn a_step_that_one_rank_has_ended_is_given_up_by_none() {
        let [mut early, mut late] = two();
        let Transport::Threads(member) = &early.transport else { unreachable!() };
        let number = 1;
        assert_eq!(member.completes(number).map_err(|error| error.status()), Ok(()));
        let error = Error::new(Status::Timeout, "it waits no longer");
        assert!(!member.fails(number, &error));
        assert!(member.fails(number + 1, &error));
        assert!(thread::scope(|scope| {
            let other = scope.spawn(|| step(&mut late));
            step(&mut early).is_ok() & other.join().expect("no panic").is_ok()
        }));
        assert_eq!(step(&mut early).unwrap_err().status(), Status::Timeout);
    }
}
