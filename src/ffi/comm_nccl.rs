//! Communicators over NCCL: an id, and a rank that has it.

use std::ffi::c_void;

use super::comm::{CommOptions, limits_of};
use super::{guard, options, write};
use crate::comm::{self, Comm, ID_BYTES};
use crate::context::Context;
use crate::error::{Error, Status};
use crate::handle::{self, comms};

/// @brief Makes an id for a new group of ranks that NCCL connects: one rank makes it, and all give
/// it to gpumex_comm_create_nccl. How it gets to the others is the caller's: MPI_Bcast,
/// spmdBroadcast, a file.
/// @param id Receives 128 bytes.
/// @param bytes Size of id, 128 at least.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (bytes); UNSUPPORTED (no
///   libnccl.so.2, or one older than 2.14); CUDA (NCCL finds no network interface); PEER.
/// @note Needs no GPU.
/// @ingroup gpumex_comm
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_comm_unique_id(id: *mut c_void, bytes: usize) -> i32 {
    guard("gpumex_comm_unique_id", || {
        if bytes < ID_BYTES {
            return Err(Error::invalid(format!("bytes is {bytes}; an id has {ID_BYTES}")));
        }
        let made = if id.is_null() { [0; ID_BYTES] } else { comm::unique_id()? };
        // SAFETY: as many bytes, as the caller promises, or NULL, which `write` refuses.
        unsafe { write("id", id.cast(), made) }
    })
}

/// @brief Creates this rank's communicator over NCCL: GPUs of one machine or of several, a rank
/// each.
///
/// All ranks call it at once, threads of one process or processes; it waits for them. Rules are
/// those of gpumex_comm_create. Memory of devices crosses without the host. A rank that ends is
/// found out by the time limit, or by NCCL where it is on another machine; then NCCL's communicator
/// is aborted, and the process lives. NCCL is loaded at run time.
/// @param ctx The context of this rank, on CUDA; no other rank has its device.
/// @param options timeout_ms and life_halo; NULL: 300 s, and by cost.
/// @param id 128 bytes of gpumex_comm_unique_id, the same on all ranks.
/// @param rank This rank, from 0.
/// @param ranks Number of ranks, 1 to 65536.
/// @param comm Receives the communicator, which belongs to the caller until gpumex_comm_destroy;
///   NULL after an error.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; rank or
///   ranks; the options); UNSUPPORTED (no libnccl.so.2, or one older than 2.14; the CPU backend; a
///   CUDA context after fork); CUDA (NCCL's error: two ranks with one GPU, among others); PEER;
///   TIMEOUT; CANCELLED (gpumex_context_cancel); BUSY (another thread is in ctx); OUT_OF_MEMORY.
/// @note gpumex_comm_destroy waits up to 2 s for the others to come to it.
/// @ingroup gpumex_comm
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_comm_create_nccl(
    ctx: *mut Context,
    options: *const CommOptions,
    id: *const c_void,
    rank: i32,
    ranks: i32,
    comm: *mut *mut Comm,
) -> i32 {
    guard("gpumex_comm_create_nccl", || {
        // SAFETY: the caller hands a pointer's place, or NULL, which `write` refuses.
        unsafe { write("comm", comm, std::ptr::null_mut())? };
        // SAFETY: the caller's promise in the documentation above.
        let limits = limits_of(&unsafe { options::read(options)? })?;
        comm::check_rank(rank.into(), ranks.into())?;
        if id.is_null() {
            return Err(Error::new(Status::NullPointer, "id is NULL"));
        }
        // SAFETY: as many bytes, as the caller promises.
        let id = unsafe { id.cast::<[u8; ID_BYTES]>().read_unaligned() };
        let made = handle::with(ctx, |ctx| Comm::by_id(ctx, &id, rank as usize, ranks as usize, limits))?;
        // SAFETY: as above.
        unsafe { write("comm", comm, comms::give(ctx, made)) }
    })
}
