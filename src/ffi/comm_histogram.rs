//! Histogram of samples on several ranks: `gpumex_comm_histogram`.

use std::ffi::c_void;

use super::histogram::{self, HistogramOptions};
use super::{guard, options};
use crate::array::{Input, Output};
use crate::comm::{Comm, Operation};
use crate::handle::comms;
use crate::ops::comm_histogram;

/// @brief Histogram of the samples of all ranks: counts <- how many samples of all parts fall into
/// each of `bins` bins, or the sums of their weights, on every rank.
///
/// Bins, outliers and weights are those of gpumex_histogram. Counts have the bits that one rank
/// has; sums of weights differ in rounding with the number of ranks and the parts. With
/// options->accumulate the counts of all ranks are added to those that each rank has.
/// @param comm The communicator of this rank.
/// @param options As for gpumex_histogram; all but variant and accumulate are the same on all
///   ranks. That edges are the same is not checked.
/// @param data count samples of the dtype: the part of this rank, whole pixels.
/// @param count Samples of this rank, of all channels together; a multiple of channels; may differ,
///   and be 0.
/// @param counts Receives channels*bins elements: uint64_t, or double with weights.
/// @param bins Bins for each channel, 1 to 2^31.
/// @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
///   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; a number that
///   is not of its enum; bins, channels or count; lo and hi; edges or weights, as for
///   gpumex_histogram; an array that is misaligned, overlaps an output, is too short or belongs to
///   another device; ranks that differ in these options or in bins, or in the call); UNSUPPORTED
///   (as for gpumex_histogram; device memory on the CPU backend; after fork); OUT_OF_MEMORY; CUDA;
///   BUSY (another thread is in the communicator or its context); CANCELLED (gpumex_context_cancel;
///   by the callback of gpumex_context_set_progress, which is told the bytes of this rank that are
///   done); PEER (another rank failed, the message says how, or the communicator is dead);
///   TIMEOUT. After an error the outputs are unspecified.
/// @note Cost: that of gpumex_histogram on the part; each count crosses twice.
/// @note Memory: CPU at most `(bins <= 4096 && sizeof(dtype) != 2 ? 16 : 8)*(threads +
///   1)*max(channels, 1)*(sizeof(dtype) == 2 ? 65536 : min(bins, 131072)) + 1572864 +
///   24*max(channels, 1)*bins`; CUDA at most `(sizeof(dtype) == 2 ? 524288*max(channels, 1) : 0) +
///   8*max(channels, 1)*bins`; arrays on the host at most `min(count*max(sizeof(dtype), 1),
///   536870912) + (weights ? 134217728 : 0)`.
/// @ingroup gpumex_comm
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_comm_histogram(
    comm: *mut Comm,
    options: *const HistogramOptions,
    data: *const c_void,
    count: usize,
    counts: *mut c_void,
    bins: usize,
) -> i32 {
    guard("gpumex_comm_histogram", || {
        // SAFETY: the caller's promise in the documentation above.
        let read = || unsafe {
            let arrays = (Input::from_raw("data", data), Output::from_raw("counts", counts));
            Ok((histogram::asked_for(&options::read(options)?)?, arrays))
        };
        comms::with(comm, Operation::Histogram, read, |ctx, comm, (options, (data, counts))| {
            comm_histogram::histogram(ctx, comm, options, (data, count), counts, bins)
        })
    })
}
