//! Several ranks: communicators, and how bytes cross between them.

use std::ffi::c_void;
use std::fmt;
use std::slice;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use gpumex_core::comm::{self, Callbacks, Comm, Limits, Operation};
use gpumex_core::context::Context as Core;
use gpumex_core::handle::{self, comms};
use gpumex_core::platform::{fence, panic};

use super::Context;
use super::context::fenced;
use super::options::options;
use crate::{Error, Result, Status};

/// One rank of a group, and the context that it works in: operations on arrays whose parts are on all ranks are its methods.
///
/// All ranks call the same operations in the same order, each with its part; the parts are those of one array, that of rank 0 first, and may be
/// uneven, or empty. Integers, boards, sorted keys and words have the bits of one rank. Before data move, all ranks agree that each has
/// succeeded so far, and with the same options: an error of one rank is PEER on the others, a difference is INVALID_ARGUMENT on all, and the
/// communicator can still be used. Where a rank does not come the others get TIMEOUT or PEER, and the communicator is dead: each later call
/// is PEER.
///
/// Operations take `&mut self`, since a rank is in one call at a time; a communicator may go to another thread. [`Communicator::control`]
/// gives other threads what they may do meanwhile. It ends with its value, without waiting for the other ranks.
///
/// ```
/// use gpumex::{Communicator, Context};
///
/// let contexts = [Context::new()?, Context::new()?]; // a rank each, threads of this program
/// let (parts, mut sorted) = ([[3, 1, 5], [4, 0, 2]], [[0; 3]; 2]);
/// let comms = Communicator::local(&contexts)?;
/// std::thread::scope(|scope| {
///     for ((mut comm, part), sorted) in comms.into_iter().zip(&parts).zip(&mut sorted) {
///         scope.spawn(move || comm.sort(part, sorted).unwrap());
///     }
/// });
/// assert_eq!(sorted, [[0, 1, 2], [3, 4, 5]]);
/// # Ok::<(), gpumex::Error>(())
/// ```
pub struct Communicator {
    token: usize,
    rank: usize,
    ranks: usize,
    context: Context,               // which it ends before
    carrier: Option<Arc<dyn Told>>, // that is used until then
}

options! {
    /// Options of a [`Communicator`].
    CommunicatorOptions {
        /// The longest that a call waits for the other ranks in one step; zero is 300 s.
        timeout: Duration,
        /// Rows that [`Communicator::life`] exchanges at once, the most that a rank asks for; 0: by cost.
        life_halo: usize,
    }
}

impl CommunicatorOptions {
    fn limits(&self) -> Result<Limits> {
        let ms = self.timeout.as_micros().div_ceil(1000); // a little is not none
        let number = |value: u128| i64::try_from(value).unwrap_or(i64::MAX);
        Limits::new(number(ms), number(self.life_halo as u128))
    }
}

impl Communicator {
    /// Ranks that are threads of this process: one for each context, on the CPU or on GPUs; data are exchanged in memory.
    pub fn local(contexts: &[Context]) -> Result<Vec<Communicator>> {
        Communicator::local_with(contexts, &CommunicatorOptions::new())
    }

    /// As [`Communicator::local`], with options.
    pub fn local_with(contexts: &[Context], options: &CommunicatorOptions) -> Result<Vec<Communicator>> {
        let handles: Vec<*mut Core> = contexts.iter().map(Context::token).collect();
        let tokens = fenced("local", || comms::local(&handles, options.limits()?).map(addresses))?;
        let ranks = tokens.len();
        let of = |(rank, (token, context)): (usize, (usize, &Context))| Communicator {
            token,
            rank,
            ranks,
            context: context.clone(),
            carrier: None,
        };
        Ok(tokens.into_iter().zip(contexts).enumerate().map(of).collect())
    }

    /// This rank's communicator over a transport; all ranks make theirs at once.
    ///
    /// ```
    /// use gpumex::{Communicator, Context, Error, Message, Status, Transport};
    ///
    /// struct Nobody; // of one rank
    /// impl Transport for Nobody {
    ///     fn exchange(&mut self, _: &mut [Message]) -> gpumex::Result<()> {
    ///         Err(Error::new(Status::Peer, "there is no other rank"))
    ///     }
    ///     fn allgather(&mut self, own: &[u8], all: &mut [u8]) -> gpumex::Result<()> {
    ///         all.copy_from_slice(own);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut comm = Communicator::over(&Context::new()?, 0, 1, Nobody)?;
    /// assert_eq!(comm.reduce(&[1, 2, 3])?, 6);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn over(
        context: &Context,
        rank: usize,
        ranks: usize,
        transport: impl Transport + 'static,
    ) -> Result<Communicator> {
        Communicator::over_with(context, rank, ranks, transport, &CommunicatorOptions::new())
    }

    /// As [`Communicator::over`], with options.
    pub fn over_with<T: Transport + 'static>(
        context: &Context,
        rank: usize,
        ranks: usize,
        transport: T,
        options: &CommunicatorOptions,
    ) -> Result<Communicator> {
        let carrier =
            Arc::new(Carrier { ranks, transport: Mutex::new(transport), failure: Mutex::new(None) });
        let user = Arc::as_ptr(&carrier).cast_mut().cast();
        let mut made = Communicator::create("over", context, (rank, ranks), options, |ctx, limits| {
            // SAFETY: functions for a carrier of T, which the communicator keeps for as long as it lives.
            let callbacks = unsafe { Callbacks::new(on_exchange::<T>, on_allgather::<T>, user) };
            Comm::over(ctx, callbacks, rank, ranks, limits).map_err(|error| carrier.reason(error))
        })?;
        made.carrier = Some(carrier);
        Ok(made)
    }

    /// An id for a new group of ranks that NCCL connects: one rank makes it, and the others get it from there. Needs no GPU.
    pub fn unique_id() -> Result<[u8; 128]> {
        fenced("unique_id", comm::unique_id)
    }

    /// This rank's communicator over NCCL: GPUs of one machine or of several, a rank each, all with one id. Waits for the others.
    ///
    /// ```no_run
    /// use gpumex::{Communicator, Context};
    ///
    /// # let (rank, ranks) = (0, 1);
    /// # let to_all = |id: [u8; 128]| id;
    /// let id = to_all(Communicator::unique_id()?); // of rank 0, by MPI, a file or a socket
    /// let mut comm = Communicator::over_nccl(&Context::new()?, &id, rank, ranks)?;
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn over_nccl(context: &Context, id: &[u8; 128], rank: usize, ranks: usize) -> Result<Communicator> {
        Communicator::over_nccl_with(context, id, rank, ranks, &CommunicatorOptions::new())
    }

    /// As [`Communicator::over_nccl`], with options.
    pub fn over_nccl_with(
        context: &Context,
        id: &[u8; 128],
        rank: usize,
        ranks: usize,
        options: &CommunicatorOptions,
    ) -> Result<Communicator> {
        Communicator::create("over_nccl", context, (rank, ranks), options, |ctx, limits| {
            Comm::by_id(ctx, id, rank, ranks, limits)
        })
    }

    fn create(
        name: &str,
        context: &Context,
        (rank, ranks): (usize, usize),
        options: &CommunicatorOptions,
        make: impl FnOnce(&mut Core, Limits) -> Result<Comm>,
    ) -> Result<Communicator> {
        let token = fenced(name, || {
            let limits = options.limits()?;
            let [number, count] = [rank, ranks].map(|value| i64::try_from(value).unwrap_or(i64::MAX));
            comm::check_rank(number, count)?;
            let made = handle::with(context.token(), |ctx| make(ctx, limits))?;
            Ok(comms::give(context.token(), made).addr())
        })?;
        Ok(Communicator { token, rank, ranks, context: context.clone(), carrier: None })
    }

    /// This rank, from 0.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The number of ranks.
    pub fn ranks(&self) -> usize {
        self.ranks
    }

    /// The context of this rank.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Whether it can be used: no failure and no [`Control::abort`] has ended it.
    pub fn is_alive(&self) -> bool {
        self.control().is_alive()
    }

    /// What other threads may do while a call runs.
    pub fn control(&self) -> Control {
        Control { token: self.token }
    }

    /// An error when the communicator call of this thread must end: TIMEOUT, PEER or CANCELLED. A [`Transport`] asks every
    /// few milliseconds while it waits, and returns it.
    pub fn poll() -> Result<()> {
        comm::poll()
    }

    /// Runs a collective call; `name` opens the message of an error. All ranks learn of one, in the arguments too.
    pub(super) fn call<A, T>(
        &mut self,
        (operation, name): (Operation, &str),
        arguments: Result<A>,
        run: impl FnOnce(&mut Core, &mut Comm, A) -> Result<T>,
    ) -> Result<T> {
        fenced(name, || {
            comms::with(self.token(), operation, || arguments, run).map_err(|error| match &self.carrier {
                Some(carrier) => carrier.reason(error),
                None => error,
            })
        })
    }

    fn token(&self) -> *mut Comm {
        std::ptr::without_provenance_mut(self.token)
    }
}

fn addresses(tokens: Vec<*mut Comm>) -> Vec<usize> {
    tokens.into_iter().map(|token| token.addr()).collect()
}

impl Drop for Communicator {
    fn drop(&mut self) {
        fence::around(|| comms::destroy(self.token()), drop); // no call of it runs: that would borrow it
    }
}

impl fmt::Debug for Communicator {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Communicator(rank {} of {})", self.rank, self.ranks)
    }
}

/// What threads may do to a [`Communicator`] while another one is in a call of it.
///
/// ```
/// use gpumex::{Communicator, Context};
///
/// let contexts = [Context::new()?, Context::new()?];
/// let mut comms = Communicator::local(&contexts)?;
/// let control = comms[0].control();
/// std::thread::scope(|scope| {
///     let waits = scope.spawn(|| comms[0].reduce(&[1])); // for rank 1, which does not come
///     control.abort();
///     assert_eq!(waits.join().unwrap().unwrap_err().status(), gpumex::Status::Peer);
/// });
/// assert!(!control.is_alive());
/// # Ok::<(), gpumex::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Control {
    token: usize,
}

impl Control {
    /// Ends the use of the communicator: the call that runs in it is PEER within 0.1 s of its next step, each later call at once. Ranks that
    /// are threads of this process are told; others reach their time limit. Of one that is gone nothing is ended.
    pub fn abort(&self) {
        let token = std::ptr::without_provenance_mut(self.token);
        fence::around(|| comms::abort(token), drop); // an error says that it is gone
    }

    /// Whether it is there, and can be used.
    pub fn is_alive(&self) -> bool {
        let mut is_alive = false;
        let ask = || {
            is_alive = comms::facts(std::ptr::without_provenance_mut(self.token))?.is_alive;
            Ok(())
        };
        fence::around(ask, drop);
        is_alive
    }
}

/// How bytes cross between ranks that something of yours connects: MPI, sockets, pipes.
///
/// Both functions run on the thread that is in a call of the communicator, and use neither it nor its context. An error is the end of the
/// communicator, and what the call returns; a panic is PEER with its text. Where they wait they ask [`Communicator::poll`].
pub trait Transport: Send {
    /// Sends and receives all messages, at most one for each other rank, in ascending order of peer. Returns when all have been received, and
    /// what was sent may be overwritten. Both sides of a message know its sizes: one that arrives with another size is an error.
    fn exchange(&mut self, messages: &mut [Message]) -> Result<()>;

    /// all ← the bytes `own` of rank 0, of rank 1 and so on, this rank's own among them; as many on all ranks.
    fn allgather(&mut self, own: &[u8], all: &mut [u8]) -> Result<()>;
}

/// Bytes to one other rank and from it.
#[derive(Debug)]
pub struct Message<'m> {
    /// The other rank.
    pub peer: usize,
    /// What goes to it; may be empty.
    pub send: &'m [u8],
    /// Receives what comes from it; may be empty.
    pub receive: &'m mut [u8],
}

/// A transport, the number of ranks, and why its last step failed.
struct Carrier<T> {
    ranks: usize,
    transport: Mutex<T>,
    failure: Mutex<Option<Error>>,
}

/// What a communicator knows of a carrier of any type.
trait Told: Send + Sync {
    /// Why a call failed: as the transport says, if it has failed.
    fn reason(&self, error: Error) -> Error;
}

impl<T: Send> Told for Carrier<T> {
    fn reason(&self, error: Error) -> Error {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or(error)
    }
}

impl<T: Transport> Carrier<T> {
    /// A step; its status in C.
    fn step(&self, body: impl FnOnce(&mut T) -> Result<()>) -> i32 {
        let outcome =
            panic::caught(|| body(&mut self.transport.lock().unwrap_or_else(PoisonError::into_inner)));
        let panicked = |text| Err(Error::new(Status::Peer, format!("the transport panicked: {text}")));
        let Err(error) = outcome.unwrap_or_else(panicked) else { return 0 };
        let status = match error.status() {
            Status::Ok => Status::Peer,
            status => status,
        };
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        status as i32
    }
}

/// # Safety
/// `user` is a carrier of T; the messages are as `gpumex_exchange_callback` has them.
unsafe extern "C" fn on_exchange<T: Transport>(
    user: *mut c_void,
    messages: *const comm::Message,
    count: usize,
) -> i32 {
    // SAFETY: as the caller promises.
    let (carrier, messages) = unsafe { (&*user.cast::<Carrier<T>>(), as_slice(messages, count)) };
    carrier.step(|transport| {
        let message = |message: &comm::Message| Message {
            peer: message.peer as usize, // a rank
            // SAFETY: as many bytes, apart from all others, for the time of the call.
            send: unsafe { as_slice(message.send.cast(), message.send_bytes) },
            // SAFETY: as above, to write.
            receive: unsafe { as_mut_slice(message.recv.cast(), message.recv_bytes) },
        };
        let mut messages: Vec<Message> = messages.iter().map(message).collect();
        transport.exchange(&mut messages)
    })
}

/// # Safety
/// `user` is a carrier of T; `all` has room for `bytes` bytes of each rank, of which there are as many as the carrier's communicator has.
unsafe extern "C" fn on_allgather<T: Transport>(
    user: *mut c_void,
    own: *const c_void,
    all: *mut c_void,
    bytes: usize,
) -> i32 {
    // SAFETY: as the caller promises.
    let carrier = unsafe { &*user.cast::<Carrier<T>>() };
    // SAFETY: as above.
    let (own, all) =
        unsafe { (as_slice(own.cast(), bytes), as_mut_slice(all.cast(), bytes * carrier.ranks)) };
    carrier.step(|transport| transport.allgather(own, all))
}

/// # Safety
/// `len` elements at `first`, which may be NULL where there are none, for as long as 'a.
unsafe fn as_slice<'a, T>(first: *const T, len: usize) -> &'a [T] {
    // SAFETY: as the caller promises.
    if len == 0 { &[] } else { unsafe { slice::from_raw_parts(first, len) } }
}

/// # Safety
/// As [`as_slice`], and nobody else uses them.
unsafe fn as_mut_slice<'a>(first: *mut u8, len: usize) -> &'a mut [u8] {
    // SAFETY: as the caller promises.
    if len == 0 { &mut [] } else { unsafe { slice::from_raw_parts_mut(first, len) } }
}
