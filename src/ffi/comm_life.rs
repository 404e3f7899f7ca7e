//! Life on a board whose rows are on several ranks: `gpumex_comm_life`.

use std::ffi::c_void;

use super::life::{self, LifeOptions};
use super::{guard, options};
use crate::array::{Input, Output};
use crate::comm::{Comm, Operation};
use crate::handle::comms;
use crate::ops::comm_life;

/// @brief Cellular automaton on a board whose rows are on all ranks, those of rank 0 on top: the
/// rows of this rank after `generations` steps.
///
/// Rules, boundaries and cells are those of gpumex_life; the cells are the same for any number of
/// ranks. Ranks exchange K rows with their neighbours every K generations, K by cost.
/// @param comm The communicator of this rank.
/// @param options As for gpumex_life; boundary, cells and rule are the same on all ranks.
/// @param board rows*cols cells, row-major: the rows of this rank. BYTES: a byte other than 0 is
///   live. BITS: each row is padded to ceil(cols/64) words of uint64_t; bit b of word w is column
///   64*w + b; padding bits are ignored.
/// @param rows Rows of this rank; may differ, and be 0.
/// @param cols Columns of the board.
/// @param generations Steps; 0 copies.
/// @param next Receives the cells, laid out as board, padding bits 0; may be board, and overlaps it
///   in no other way.
/// @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
///   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; a number that
///   is not of its enum; the rule; rows*cols; an array that is misaligned, overlaps an output, is
///   too short or belongs to another device; ranks that differ in these options, in cols or in
///   generations, or in the call); UNSUPPORTED (as for gpumex_life; device memory on the CPU
///   backend; after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in the communicator or its
///   context); CANCELLED (gpumex_context_cancel; by the callback of gpumex_context_set_progress of
///   a rank, which is told the generations done); PEER (another rank failed, the message says how,
///   or the communicator is dead); TIMEOUT. After an error the outputs are unspecified.
/// @note Cost: that of gpumex_life on rows + 2*K rows; an exchange of K rows, and one of 400 bytes
///   with all ranks, every K generations. Where memory of devices crosses directly the rows stay on
///   the devices, which need not wait for their hosts; else rows that are exchanged go through
///   memory of the host.
/// @note Memory: CPU at most `(rows + 6*halo)*(cells == BITS ? 8*((cols + 63)/64) : cols) + (cells
///   == BITS ? 8 : 16)*(rows + 2*halo)*((cols + 63)/64)`; CUDA at most `(rows + 2*halo)*((cells ==
///   BITS ? 8*((cols + 63)/64) : cols) + 64*((cols + 239)/240)) + min(5500000, 300*(rows +
///   2*halo)*((cols + 239)/240))`; arrays on the host at most `8*rows*((cols + 63)/64)`.
/// @ingroup gpumex_comm
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_comm_life(
    comm: *mut Comm,
    options: *const LifeOptions,
    board: *const c_void,
    rows: usize,
    cols: usize,
    generations: u64,
    next: *mut c_void,
) -> i32 {
    guard("gpumex_comm_life", || {
        // SAFETY: the caller's promise in the documentation above.
        let read = || unsafe {
            let arrays = (Input::from_raw("board", board), Output::from_raw("next", next));
            Ok((life::asked_for(&options::read(options)?)?, arrays))
        };
        comms::with(comm, Operation::Life, read, |ctx, comm, (options, (board, next))| {
            comm_life::life(ctx, comm, &options, (board, rows, cols), generations, next)
        })
    })
}
