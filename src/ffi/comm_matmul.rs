//! Matrix product of matrices whose rows are on several ranks: `gpumex_comm_matmul`.

use std::ffi::c_void;

use super::matmul::{self, MatmulOptions};
use super::{guard, options};
use crate::array::{Input, Output};
use crate::comm::{Comm, Operation};
use crate::handle::comms;
use crate::ops::comm_matmul;

/// @brief Matrix product of matrices whose rows are on all ranks, those of rank 0 on top: this
/// rank's rows of C <- alpha*A*B + beta*C.
///
/// A has as many columns as B has rows on all ranks. Accuracy is that of gpumex_matmul with as many
/// more terms as there are ranks; the bits are the same for the same number of ranks and the same
/// parts, on the same hardware.
/// @param comm The communicator of this rank.
/// @param options As for gpumex_matmul: variant, dtype (F32 where it is not set, or F64), lda, ldc,
///   alpha and beta; dtype, alpha and beta are the same on all ranks; NULL: C <- A*B in F32.
/// @param m Rows of A and C on this rank; may differ, and be 0.
/// @param n Columns of B and C; the same on all ranks.
/// @param k Rows of B on this rank; may differ, and be 0.
/// @param a The rows of A of this rank: m rows of as many elements as B has rows on all ranks.
/// @param b k*n elements: the rows of B of this rank; not changed.
/// @param c m*n elements: the rows of C of this rank; the range from its first to its last element
///   overlaps neither a nor b.
/// @return 0 or a gpumex_status: NULL_POINTER (comm, or an array that is not empty);
///   INVALID_ARGUMENT (comm is not a live communicator, or its context is not live; a number that
///   is not of its enum; lda or ldc less than a row; a size that exceeds the address space; an
///   array that is misaligned, overlaps an output, is too short or belongs to another device; ranks
///   that differ in these options, in n, or in the call); UNSUPPORTED (another dtype; COLUMN; a
///   transpose; a batch; ldb other than n; a variant that the backend or the device does not have;
///   device memory on the CPU backend; after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in
///   the communicator or its context); CANCELLED (gpumex_context_cancel); PEER (another rank
///   failed, the message says how, or the communicator is dead); TIMEOUT. After an error the
///   outputs are unspecified.
/// @note Cost: O(m*n*K), K the rows of B on all ranks; B crosses once to each rank, from device to
///   device where these are connected directly. Column-major matrices whose columns are on the
///   ranks are served as their transposes: C^T = B^T*A^T.
/// @note Memory: CPU at most `(m + n)*min(k, 384)*sizeof(dtype)*sqrt(threads) +
///   2*k*n*sizeof(dtype)`; CUDA at most `6*(m + n)*(k + 64) + 33554432 + 2*k*n*sizeof(dtype)`;
///   arrays on the host at most `(m*k*ranks + k*n + m*n)*sizeof(dtype)`.
/// @ingroup gpumex_comm
#[must_use]
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)] // three sizes and three matrices, as everyone writes it
pub unsafe extern "C" fn gpumex_comm_matmul(
    comm: *mut Comm,
    options: *const MatmulOptions,
    m: usize,
    n: usize,
    k: usize,
    a: *const c_void,
    b: *const c_void,
    c: *mut c_void,
) -> i32 {
    guard("gpumex_comm_matmul", || {
        // SAFETY: the caller's promise in the documentation above.
        let read = || unsafe {
            let inputs = (Input::from_raw("A", a), Input::from_raw("B", b));
            Ok((matmul::asked_for(&options::read(options)?)?, inputs, Output::from_raw("C", c)))
        };
        comms::with(comm, Operation::Matmul, read, |ctx, comm, (options, inputs, c)| {
            comm_matmul::matmul(ctx, comm, &options, [m, n, k], inputs, c)
        })
    })
}
