//! Communicators: create, ask, abort, destroy.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options, write};
use crate::comm::{self, Allgather, Callbacks, Comm, Exchange, Limits, Message};
use crate::context::Context;
use crate::error::{Error, Result, Status};
use crate::handle::{self, comms};
use crate::vector;

/// @brief Options of gpumex_comm_create and gpumex_comm_create_local: GPUMEX_COMM_OPTIONS_INIT or
/// GPUMEX_OPTIONS (comm, ...).
/// @ingroup gpumex_comm
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CommOptions {
    /// sizeof(gpumex_comm_options).
    pub size: usize,
    /// The longest that a call waits for the other ranks in one step, in ms; 0 is 300000.
    pub timeout_ms: i32,
    /// Rows that gpumex_comm_life exchanges at once, every so many generations: the most that a rank
    /// asks for, up to 65536; 0: by cost.
    pub life_halo: i32,
}

zero_default!(CommOptions, life_halo);

/// @brief What a communicator is: GPUMEX_COMM_INFO_INIT.
/// @ingroup gpumex_comm
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct CommInfo {
    /// sizeof(gpumex_comm_info).
    pub size: usize,
    /// This rank, from 0.
    pub rank: i32,
    /// Number of ranks.
    pub ranks: i32,
    /// 1: it can be used; 0: a failure or gpumex_comm_abort ended it.
    pub alive: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

/// @brief Exchanges bytes with other ranks: sends and receives all messages, and returns when all
/// have been received, and what was sent may be overwritten.
///
/// There is at most one message for each other rank, in ascending order of peer. Both sides of a
/// message are in calls that belong together, and know its sizes: one that arrives with another
/// size is an error. Returns 0, or another number after an error, which ends the communicator:
/// GPUMEX_STATUS_TIMEOUT is passed on, what gpumex_comm_poll returned as well, all else is PEER.
/// While it waits it calls gpumex_comm_poll every few milliseconds, and returns what that returns
/// if it is not 0. Called on the thread that is in a call of the communicator. Must not unwind,
/// longjmp or use the context (which is BUSY).
/// @ingroup gpumex_comm
#[cfg(not(gpumex_matlab_loadlibrary))]
#[allow(non_camel_case_types)]
pub type gpumex_exchange_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, messages: *const Message, count: usize) -> i32>;

/// @brief Gathers bytes from all ranks on all: `all` <- the bytes bytes at `own` of rank 0, of
/// rank 1 and so on, this rank's own among them; bytes is the same on all ranks. Rules and result
/// are those of gpumex_exchange_callback.
/// @ingroup gpumex_comm
#[cfg(not(gpumex_matlab_loadlibrary))]
#[allow(non_camel_case_types)]
pub type gpumex_allgather_callback = Option<
    unsafe extern "C" fn(user: *mut c_void, own: *const c_void, all: *mut c_void, bytes: usize) -> i32,
>;

/// @brief Creates this rank's communicator over functions of the caller's that move bytes between
/// ranks: MPI (gpumex_mpi.h), sockets, spmd.
///
/// All ranks call it. Each rank has its own context, on any backend; the communicator uses it, and
/// ends before it. Calls of a communicator are collective: all ranks make the same calls in the same
/// order. Before data move, all ranks agree that each has succeeded so far, with the same options
/// and sizes where these have to be the same. So an error on one rank is PEER on the others, a
/// difference is INVALID_ARGUMENT on all, and the communicator can still be used. Where a rank does
/// not come, or bytes do not arrive, the others return TIMEOUT or PEER, and the communicator is
/// dead: each later call is PEER. No failure ends the process. The handle is a token, as that of a
/// context.
///
/// gpumex_context_cancel of a rank's context is CANCELLED there and PEER on the others. With
/// functions of the caller's, a rank that comes to the last step of the call more than 0.1 s after
/// the cancelled one may still succeed; with gpumex_comm_create_local none does.
/// @param ctx The context of this rank.
/// @param options timeout_ms and life_halo; NULL: 300 s, and by cost.
/// @param rank This rank, from 0.
/// @param ranks Number of ranks, 1 to 65536.
/// @param exchange Exchanges messages; NULL only with one rank.
/// @param allgather Gathers bytes; NULL only with one rank.
/// @param user Passed to both.
/// @param comm Receives the communicator, which belongs to the caller until gpumex_comm_destroy;
///   NULL after an error.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; rank or
///   ranks; the options); PEER; TIMEOUT; CANCELLED (gpumex_context_cancel); BUSY (another thread is
///   in ctx); OUT_OF_MEMORY; UNSUPPORTED (a CUDA context after fork).
/// @note Both functions, and user, have to be there until the communicator is destroyed.
/// @ingroup gpumex_comm
#[must_use]
#[cfg(not(gpumex_matlab_loadlibrary))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_comm_create(
    ctx: *mut Context,
    options: *const CommOptions,
    rank: i32,
    ranks: i32,
    exchange: gpumex_exchange_callback,
    allgather: gpumex_allgather_callback,
    user: *mut c_void,
    comm: *mut *mut Comm,
) -> i32 {
    guard("gpumex_comm_create", || {
        // SAFETY: the caller hands a pointer's place, or NULL, which `write` refuses.
        unsafe { write("comm", comm, std::ptr::null_mut())? };
        // SAFETY: the caller's promise in the documentation above.
        let limits = limits_of(&unsafe { options::read(options)? })?;
        comm::check_rank(rank.into(), ranks.into())?;
        let callbacks = callbacks_of(exchange, allgather, user, ranks)?;
        let made =
            handle::with(ctx, |ctx| Comm::over(ctx, callbacks, rank as usize, ranks as usize, limits))?;
        // SAFETY: as above.
        unsafe { write("comm", comm, comms::give(ctx, made)) }
    })
}

pub(super) fn limits_of(options: &CommOptions) -> Result<Limits> {
    Limits::new(options.timeout_ms.into(), options.life_halo.into())
}

/// The caller's functions; one rank needs none.
fn callbacks_of(
    exchange: gpumex_exchange_callback,
    allgather: gpumex_allgather_callback,
    user: *mut c_void,
    ranks: i32,
) -> Result<Callbacks> {
    let given =
        |name: &str| Error::new(Status::NullPointer, format!("{name} is NULL and there are {ranks} ranks"));
    let (exchange, allgather): (Exchange, Allgather) = match ranks {
        1 => (exchange.unwrap_or(no_exchange), allgather.unwrap_or(no_allgather)),
        _ => (exchange.ok_or_else(|| given("exchange"))?, allgather.ok_or_else(|| given("allgather"))?),
    };
    // SAFETY: what the header demands of them.
    Ok(unsafe { Callbacks::new(exchange, allgather, user) })
}

unsafe extern "C" fn no_exchange(_: *mut c_void, _: *const Message, _: usize) -> i32 {
    Status::Internal as i32
}

unsafe extern "C" fn no_allgather(_: *mut c_void, _: *const c_void, _: *mut c_void, _: usize) -> i32 {
    Status::Internal as i32
}

/// @brief Creates communicators for ranks that are threads of this process: one for each context, on
/// the CPU or on GPUs; data are exchanged in memory.
///
/// Each rank is used by a thread of its own. Rules are those of gpumex_comm_create, but that this
/// call waits for nobody. Destroying one communicator ends the group.
/// @param contexts count contexts, all different: that of each rank.
/// @param count Number of ranks, 1 to 65536.
/// @param options timeout_ms and life_halo; NULL: 300 s, and by cost.
/// @param comms Receives count communicators, that of each rank, which belong to the caller until
///   gpumex_comm_destroy; unspecified after an error, when none was created.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (a context that is not live, or is
///   there twice; count; the options); CUDA; BUSY (another thread is in a context); UNSUPPORTED (a
///   CUDA context after fork); OUT_OF_MEMORY.
/// @ingroup gpumex_comm
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_comm_create_local(
    contexts: *const *mut Context,
    count: usize,
    options: *const CommOptions,
    comms: *mut *mut Comm,
) -> i32 {
    guard("gpumex_comm_create_local", || {
        // SAFETY: the caller's promise in the documentation above.
        let limits = limits_of(&unsafe { options::read(options)? })?;
        comm::check_count(count)?;
        for (name, is_null) in [("contexts", contexts.is_null()), ("comms", comms.is_null())] {
            if is_null {
                return Err(Error::new(
                    Status::NullPointer,
                    format!("{name} is NULL and has {count} elements"),
                ));
            }
        }
        // SAFETY: count elements, as the caller promises.
        let contexts: Vec<*mut Context> =
            vector::collected((0..count).map(|rank| unsafe { contexts.add(rank).read_unaligned() }))?;
        for (rank, token) in comms::local(&contexts, limits)?.into_iter().enumerate() {
            // SAFETY: count elements, as the caller promises.
            unsafe { comms.add(rank).write_unaligned(token) };
        }
        Ok(())
    })
}

/// @brief Tells the rank and the number of ranks of a communicator, and whether it can be used.
/// @param comm The communicator.
/// @param info Receives them; set info->size (GPUMEX_COMM_INFO_INIT).
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (comm is not a live communicator;
///   info->size).
/// @note Thread-safe, also while a call of the communicator runs.
/// @ingroup gpumex_comm
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_comm_get_info(comm: *mut Comm, info: *mut CommInfo) -> i32 {
    guard("gpumex_comm_get_info", || {
        let comms::Facts { rank, ranks, is_alive } = comms::facts(comm)?;
        let answer = CommInfo {
            size: size_of::<CommInfo>(),
            rank: rank as i32,
            ranks: ranks as i32,
            alive: i32::from(is_alive),
            reserved: 0,
        };
        // SAFETY: NULL, which is refused, or a struct that begins with its size, as the caller promises.
        unsafe { options::answer("info", info, answer) }
    })
}

/// @brief Checks whether the communicator call of this thread must end.
///
/// A gpumex_exchange_callback or gpumex_allgather_callback calls it every few milliseconds while it
/// waits for other ranks.
/// @return A gpumex_status: 0 (go on waiting), also where this thread is in no such call; TIMEOUT
///   (timeout_ms are over); PEER (gpumex_comm_abort); CANCELLED (gpumex_context_cancel, 0.1 s after
///   it: where the other ranks come before, the communicator can still be used).
/// @ingroup gpumex_comm
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_comm_poll() -> i32 {
    // A waiting rank asks often: nothing is logged.
    comm::poll().map_or_else(|error| guard("gpumex_comm_poll", || Err(error)), |()| 0)
}

/// @brief Ends the use of a communicator: the call that runs in it returns PEER within 0.1 s of its
/// next step, each later call at once.
///
/// Ranks that are threads of this process are told; others reach their time limit. The communicator
/// still has to be destroyed.
/// @param comm The communicator.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (comm is not a live communicator).
/// @note Thread-safe.
/// @ingroup gpumex_comm
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_comm_abort(comm: *mut Comm) -> i32 {
    guard("gpumex_comm_abort", || comms::abort(comm))
}

/// @brief Destroys a communicator of this rank, without waiting for other ranks.
/// @param comm The communicator; NULL does nothing.
/// @return 0 or a gpumex_status: INVALID_ARGUMENT (not a live communicator); BUSY (a call of it
///   runs, gpumex_comm_abort too).
/// @ingroup gpumex_comm
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_comm_destroy(comm: *mut Comm) -> i32 {
    guard("gpumex_comm_destroy", || if comm.is_null() { Ok(()) } else { comms::destroy(comm) })
}
