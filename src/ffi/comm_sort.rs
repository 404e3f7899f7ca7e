//! Stable sort of keys on several ranks: `gpumex_comm_sort`.

use std::ffi::c_void;

use super::sort::{self, SortOptions};
use super::{guard, options};
use crate::array::{Input, Output};
use crate::comm::{Comm, Operation};
use crate::handle::comms;
use crate::ops::comm_sort;

/// @brief Stable sort of the keys of all ranks: each rank gets as many of all sorted keys as it
/// gave, those of rank 0 first, with an optional payload.
///
/// Orders and payloads are those of gpumex_sort. Equal keys keep their order: that of ranks, and on
/// a rank that of positions. Indices are positions in the parts of all ranks, those of rank 0
/// first, and index_dtype holds the number of all keys. The result has the bits that one rank has.
/// @param comm The communicator of this rank.
/// @param options As for gpumex_sort, without expression; dtype, order, payload, value_dtype and
///   index_dtype are the same on all ranks.
/// @param keys count elements of dtype: the part of this rank; not changed.
/// @param values count elements of value_dtype with VALUES, else ignored; not changed.
/// @param count Number of elements of this rank, before and after; may differ, and be 0.
/// @param sorted Receives count keys; may be NULL with INDICES.
/// @param sorted_values Receives count elements of value_dtype or index_dtype; ignored with NONE.
/// @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
///   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; dtype not set;
///   a number that is not of its enum; the count of all ranks, which index_dtype does not hold; an
///   array that is misaligned, overlaps an output, is too short or belongs to another device; ranks
///   that differ in these options, or in the call); UNSUPPORTED (as for gpumex_sort; an expression;
///   device memory on the CPU backend; after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in
///   the communicator or its context); CANCELLED (gpumex_context_cancel); PEER (another rank
///   failed, the message says how, or the communicator is dead); TIMEOUT. After an error the
///   outputs are unspecified.
/// @note Cost: a sort of the part, and as many times as ranks halve to one a merge of as many keys;
///   all keys cross once, from device to device where these are connected directly, else through
///   memory of the host.
/// @note Memory: CPU `count*max(sizeof(dtype) + 2*payload_bytes + (payload == INDICES ?
///   payload_bytes : 0) + wide(dtype) + 2*widened(dtype), 2*(sizeof(dtype) + payload_bytes) +
///   (sorted ? 0 : sizeof(dtype)) + max(2*widened(dtype), (1 - 1.0/ranks)*max(sizeof(dtype),
///   payload_bytes)))`; CUDA at most `count*(3*(sizeof(dtype) + payload_bytes) + 2.08*wide(dtype) +
///   2*widened(dtype) + payload_bytes)`; arrays on the host at most `2*count*(wide(dtype) +
///   payload_bytes)`.
/// @ingroup gpumex_comm
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_comm_sort(
    comm: *mut Comm,
    options: *const SortOptions,
    keys: *const c_void,
    values: *const c_void,
    count: usize,
    sorted: *mut c_void,
    sorted_values: *mut c_void,
) -> i32 {
    guard("gpumex_comm_sort", || {
        // SAFETY: the caller's promise in the documentation above.
        let read = || unsafe {
            let part = (Input::from_raw("keys", keys), Input::from_raw("values", values), count);
            let outputs =
                (Output::from_raw("sorted", sorted), Output::from_raw("sorted_values", sorted_values));
            Ok((sort::asked_for(&options::read(options)?)?, part, outputs))
        };
        comms::with(comm, Operation::Sort, read, |ctx, comm, (options, part, (sorted, sorted_values))| {
            comm_sort::sort(ctx, comm, &options, part, sorted, sorted_values)
        })
    })
}
