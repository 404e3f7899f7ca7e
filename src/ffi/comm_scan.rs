//! Prefixes of an array on several ranks: `gpumex_comm_scan`.

use std::ffi::c_void;

use super::scan::{self, ScanOptions};
use super::{guard, options};
use crate::array::{Input, Output};
use crate::comm::{Comm, Operation};
use crate::handle::comms;
use crate::ops::comm_scan;

/// @brief Prefix scan over the parts of all ranks, those of rank 0 first: each rank gets the
/// prefixes of its elements; `*total` <- all elements combined, on every rank.
///
/// Kinds, operators, identities and expressions are those of gpumex_scan; complex numbers are
/// UNSUPPORTED. Results of integers, MIN and MAX have the bits that one rank has; sums of floats
/// differ in rounding with the number of ranks and the parts, and are within the bound of
/// gpumex_scan.
/// @param comm The communicator of this rank.
/// @param options As for gpumex_scan; dtype, op, kind, accumulator_dtype, expression and identity
///   are the same on all ranks.
/// @param data count elements: the part of this rank.
/// @param count Number of elements of this rank; may differ, and be 0.
/// @param result Receives count elements of the accumulator dtype; may be data where that is dtype,
///   and overlaps it in no other way.
/// @param total Receives one element of the accumulator dtype; NULL leaves it out.
/// @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
///   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; dtype not set;
///   a number that is not of its enum; the expression or identity, as for gpumex_scan; an array
///   that is misaligned, overlaps an output, is too short or belongs to another device; ranks that
///   differ in these options, or in the call); UNSUPPORTED (as for gpumex_scan; complex numbers;
///   device memory on the CPU backend; after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in
///   the communicator or its context); CANCELLED (gpumex_context_cancel); PEER (another rank
///   failed, the message says how, or the communicator is dead); TIMEOUT. After an error the
///   outputs are unspecified.
/// @note Cost: that of gpumex_scan on the part; on all ranks but the first its results are read and
///   written once more.
/// @note Memory: CPU `count*((wide(accumulator_dtype) > sizeof(dtype) ? wide(accumulator_dtype) :
///   0) + widened(accumulator_dtype)) + count/2048`; CUDA at most
///   `count*((wide(accumulator_dtype) > sizeof(dtype) ? wide(accumulator_dtype) : 0) +
///   widened(accumulator_dtype)) + count/(expression ? 200 : 500)`; arrays on the host at most
///   `3*count*max(wide(dtype), wide(accumulator_dtype))`.
/// @ingroup gpumex_comm
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_comm_scan(
    comm: *mut Comm,
    options: *const ScanOptions,
    data: *const c_void,
    count: usize,
    result: *mut c_void,
    total: *mut c_void,
) -> i32 {
    guard("gpumex_comm_scan", || {
        // SAFETY: the caller's promise in the documentation above.
        let read = || unsafe {
            let total = (!total.is_null()).then(|| Output::from_raw("total", total));
            let arrays = (Input::from_raw("data", data), Output::from_raw("result", result), total);
            Ok((scan::asked_for(&options::read(options)?)?, arrays))
        };
        comms::with(comm, Operation::Scan, read, |ctx, comm, ((options, identity), (data, result, total))| {
            comm_scan::scan(ctx, comm, &options, (data, count), identity, result, total)
        })
    })
}
