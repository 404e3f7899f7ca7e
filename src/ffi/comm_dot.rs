//! Inner product of vectors on several ranks: `gpumex_comm_dot`.

use std::ffi::c_void;

use super::dot::{self, DotOptions};
use super::{guard, options};
use crate::array::{Input, Output};
use crate::comm::{Comm, Operation};
use crate::handle::comms;
use crate::ops::comm_dot;

/// @brief Inner product of vectors whose parts are on all ranks: `*result` <- the sum of
/// `x[i]*y[i]` over all parts, on every rank.
///
/// Dtypes and accuracy are those of gpumex_dot; results differ in rounding with the number of ranks
/// and the parts.
/// @param comm The communicator of this rank.
/// @param options As for gpumex_dot; dtype and conjugate are the same on all ranks.
/// @param x count elements: the part of this rank.
/// @param y count elements; may be x.
/// @param count Number of elements of this rank; may differ, and be 0.
/// @param result Receives one element of the dtype; overlaps neither x nor y.
/// @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
///   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; dtype not set;
///   a number that is not of its enum; an array that is misaligned, overlaps an output, is too
///   short or belongs to another device; ranks that differ in these options, or in the call);
///   UNSUPPORTED (as for gpumex_dot; device memory on the CPU backend; after fork); OUT_OF_MEMORY;
///   CUDA; BUSY (another thread is in the communicator or its context); CANCELLED
///   (gpumex_context_cancel); PEER (another rank failed, the message says how, or the communicator
///   is dead); TIMEOUT. After an error the outputs are unspecified.
/// @note Cost: that of gpumex_dot on the parts, two exchanges of 400 bytes with all ranks, and
///   between devices of one process that see each other one of an element by their kernels.
/// @note Memory: CPU at most `dtype < C64 ? 0 : (2*count + 1024)*sizeof(dtype)`; CUDA at most
///   `dtype < C64 ? 0 : (2*count + 1024)*sizeof(dtype) + 33554432`; arrays on the host
///   `2*count*sizeof(dtype)`.
/// @ingroup gpumex_comm
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_comm_dot(
    comm: *mut Comm,
    options: *const DotOptions,
    x: *const c_void,
    y: *const c_void,
    count: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_comm_dot", || {
        // SAFETY: the caller's promise in the documentation above.
        let read = || unsafe {
            let vectors = (Input::from_raw("x", x), Input::from_raw("y", y), count);
            Ok((dot::asked_for(&options::read(options)?)?, vectors, Output::from_raw("result", result)))
        };
        comms::with(comm, Operation::Dot, read, |ctx, comm, (options, vectors, result)| {
            comm_dot::dot(ctx, comm, &options, vectors, result)
        })
    })
}
