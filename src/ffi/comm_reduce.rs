//! Reduction of an array on several ranks: `gpumex_comm_reduce`.

use std::ffi::c_void;

use super::reduce::{self, ReduceOptions};
use super::{guard, options};
use crate::array::{Input, Output};
use crate::comm::{Comm, Operation};
use crate::handle::comms;
use crate::ops::comm_reduce;

/// @brief Reduction of the parts of all ranks: `*result` <- their elements, those of rank 0 first,
/// combined with options->op, on every rank.
///
/// Operators, dtypes, identities and expressions are those of gpumex_reduce. Results of integers,
/// MIN and MAX have the bits that one rank has; sums and products of floats differ in rounding with
/// the number of ranks and the parts, and are within the bound of gpumex_reduce.
/// @param comm The communicator of this rank.
/// @param options As for gpumex_reduce; dtype, op, accumulator_dtype, expression and identity are
///   the same on all ranks.
/// @param data count elements: the part of this rank.
/// @param count Number of elements of this rank; may differ, and be 0.
/// @param result Receives one element of the accumulator dtype; does not overlap data.
/// @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
///   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; dtype not set;
///   a number that is not of its enum; the expression or identity, as for gpumex_reduce; an array
///   that is misaligned, overlaps an output, is too short or belongs to another device; ranks that
///   differ in these options, or in the call); UNSUPPORTED (as for gpumex_reduce; device memory on
///   the CPU backend; after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in the communicator
///   or its context); CANCELLED (gpumex_context_cancel); PEER (another rank failed, the message
///   says how, or the communicator is dead); TIMEOUT. After an error the outputs are unspecified.
/// @note Cost: that of gpumex_reduce on the part, two exchanges of 400 bytes with all ranks, and
///   between devices of one process that see each other one of an element by their kernels.
/// @note Memory: CPU `count*(wide(accumulator_dtype) > sizeof(dtype) ? wide(accumulator_dtype) :
///   0)`; CUDA `count*((wide(accumulator_dtype) > sizeof(dtype) ? wide(accumulator_dtype) : 0) +
///   (expression ? 1/500.0 : 0))`; arrays on the host `count*sizeof(dtype)`.
/// @ingroup gpumex_comm
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_comm_reduce(
    comm: *mut Comm,
    options: *const ReduceOptions,
    data: *const c_void,
    count: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_comm_reduce", || {
        // SAFETY: the caller's promise in the documentation above.
        let read = || unsafe {
            let (options, identity, copy) = reduce::asked_for(&options::read(options)?)?;
            Ok((options, identity, copy, Input::from_raw("data", data), Output::from_raw("result", result)))
        };
        comms::with(comm, Operation::Reduce, read, |ctx, comm, (options, identity, copy, data, result)| {
            comm_reduce::reduce(ctx, comm, &options, (data, count), identity, result, copy)
        })
    })
}
