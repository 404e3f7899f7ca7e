//! Conway's Life: `gpumex_life`.

use std::ffi::{c_char, c_void};

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::error::Result;
use crate::handle;
use crate::model::numbered::NumberedEnum;
use crate::ops::life::{self, LifeBoundary, LifeCells, LifeVariant, Options};

/// @brief Options of gpumex_life: GPUMEX_LIFE_OPTIONS_INIT or GPUMEX_OPTIONS (life, ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LifeOptions {
    /// sizeof(gpumex_life_options).
    pub size: usize,
    /// A gpumex_life_variant.
    pub variant: i32,
    /// A gpumex_life_boundary.
    pub boundary: i32,
    /// A gpumex_life_cells.
    pub cells: i32,
    /// Reserved, 0.
    pub reserved: i32,
    /// An outer-totalistic rule such as "B36/S23" (or "23/36", survivors first); NULL is "B3/S23".
    pub rule: *const c_char,
}

zero_default!(LifeOptions, rule, reserved);

/// @brief Cellular automaton: next <- board after `generations` steps of an outer-totalistic rule.
///
/// The default is Conway's Life on bytes with clamped edges. Boundaries: CLAMP (a neighbour outside
/// is the edge cell nearest to it), DEAD (cells outside stay dead), TORUS (the opposite edge; on
/// boards narrower than three cells a neighbour counts more than once). All variants give the same
/// cells; ARRAYS, SHMEM_BYTES and TEXTURE_BYTES are textbook kernels for bytes, CLAMP and B3/S23
/// only.
/// @param ctx The context that runs it.
/// @param options variant, boundary, cells, rule; NULL: AUTO, CLAMP, BYTES, "B3/S23".
/// @param board rows*cols cells, row-major. BYTES: a byte other than 0 is live. BITS: each row is
///   padded to ceil(cols/64) words of uint64_t; bit b of word w is column 64*w + b; padding bits are
///   ignored.
/// @param rows Rows of the board.
/// @param cols Columns of the board.
/// @param generations Steps; 0 copies.
/// @param next Receives the cells, laid out as board, padding bits 0; may be board, and overlaps it
///   in no other way.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a number that is not of its enum; the rule;
///   rows*cols; an array that is misaligned, overlaps an output, is too short or belongs to another
///   device); UNSUPPORTED (a variant that does not serve the other options, the board or the
///   backend; device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA;
///   BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel; by the callback of
///   gpumex_context_set_progress, which is told the generations done). next is unspecified after
///   OUT_OF_MEMORY, CUDA and CANCELLED.
/// @note Cost: O(rows*cols*generations).
/// @note Memory: CPU `(cells == BITS ? 8 : 16)*rows*((cols + 63)/64)`; CUDA at most `(rows*cols >
///   600000 ? 64*rows*((cols + 239)/240) + min(5500000, 300*rows*((cols + 239)/240)) : 0)`; arrays
///   on the host `(cells == BITS ? 0 : 8*rows*((cols + 63)/64))`.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_life(
    ctx: *mut Context,
    options: *const LifeOptions,
    board: *const c_void,
    rows: usize,
    cols: usize,
    generations: u64,
    next: *mut c_void,
) -> i32 {
    guard("gpumex_life", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, board, next) = unsafe {
            (options::read(options)?, Input::from_raw("board", board), Output::from_raw("next", next))
        };
        // SAFETY: as above.
        let options = unsafe { asked_for(&options)? };
        handle::with(ctx, |ctx| life::life(ctx, &options, board, rows, cols, generations, next))
    })
}

/// The options in Rust.
///
/// # Safety
/// The rule is NULL or a C string.
pub(super) unsafe fn asked_for<'a>(options: &LifeOptions) -> Result<Options<'a>> {
    Ok(Options {
        variant: LifeVariant::from_c("options.variant", options.variant)?,
        boundary: LifeBoundary::from_c("options.boundary", options.boundary)?,
        cells: LifeCells::from_c("options.cells", options.cells)?,
        // SAFETY: the caller's promise.
        rule: unsafe { options::text(options.rule)? },
        small_in_cluster: false,
    })
}
