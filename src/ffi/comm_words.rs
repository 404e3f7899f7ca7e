//! Histogram of words of a text on several ranks: `gpumex_comm_words`.

use std::ffi::c_void;

use super::words::{self, WordsOptions, WordsSummary};
use super::{guard, options};
use crate::array::{Input, Output};
use crate::comm::{Comm, Operation};
use crate::handle::comms;
use crate::ops::comm_words;
use crate::ops::words::List;

/// @brief Word frequencies of a text distributed over all ranks, the part of rank 0 first: its k
/// most frequent words, on every rank.
///
/// Words, order and encodings are those of gpumex_words. Parts may be cut anywhere, within words
/// and characters too; positions are bytes of the whole text. The result has the bits that one rank
/// has.
/// @param comm The communicator of this rank.
/// @param options As for gpumex_words; encoding and fold are the same on all ranks.
/// @param text bytes bytes: the part of this rank.
/// @param bytes Length of the part; may differ, and be 0.
/// @param k Number of words wanted, the same on all ranks.
/// @param positions Receives k elements of uint64_t: the byte of the whole text where each word
///   first begins.
/// @param lengths Receives k elements of uint64_t: its bytes there.
/// @param counts Receives k elements of uint64_t: its occurrences.
/// @param summary Receives the totals of all ranks, in host memory; set its size field
///   (GPUMEX_WORDS_SUMMARY_INIT). May be NULL.
/// @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
///   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; a number that
///   is not of its enum; fold; summary->size; an array that is misaligned, overlaps an output, is
///   too short or belongs to another device; ranks that differ in these options or in k, or in the
///   call); UNSUPPORTED (as for gpumex_words; device memory on the CPU backend; after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in the communicator or its context); CANCELLED
///   (gpumex_context_cancel; by the callback of gpumex_context_set_progress, which is told the
///   bytes of this rank that are done); PEER (another rank failed, the message says how, or the
///   communicator is dead); TIMEOUT. After an error the outputs are unspecified.
/// @note Cost: that of gpumex_words on the part; each different word of a rank crosses once, the k
///   most frequent ones of each rank go to all.
/// @note A text in device memory is copied to the host.
/// @note Memory: CPU at most `max((128*threads + 160)*summary->distinct, 160*summary->distinct +
///   3*bytes)`; CUDA at most `134217728 + 256*summary->distinct + bytes/512 + min(bytes,
///   536870912)`; arrays on the host `0`.
/// @ingroup gpumex_comm
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_comm_words(
    comm: *mut Comm,
    options: *const WordsOptions,
    text: *const c_void,
    bytes: usize,
    k: usize,
    positions: *mut c_void,
    lengths: *mut c_void,
    counts: *mut c_void,
    summary: *mut WordsSummary,
) -> i32 {
    guard("gpumex_comm_words", || {
        // SAFETY: the caller's promise in the documentation above.
        let read = || unsafe {
            words::check_summary(summary)?;
            let list = List {
                positions: Output::from_raw("positions", positions),
                lengths: Output::from_raw("lengths", lengths),
                counts: Output::from_raw("counts", counts),
            };
            Ok((words::asked_for(&options::read(options)?)?, Input::from_raw("text", text), list))
        };
        let found = comms::with(comm, Operation::Words, read, |ctx, comm, (options, text, list)| {
            comm_words::words(ctx, comm, &options, (text, bytes), k, list)
        })?;
        // SAFETY: as above.
        unsafe { words::answer(summary, found) }
    })
}
