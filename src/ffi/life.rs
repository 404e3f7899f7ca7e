//! Conway's Life: `life_shmem`, `life_texture` and `gpumex_life`.

use std::ffi::{c_char, c_void};

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::numbered::NumberedEnum;
use crate::ops::life::{self, LifeBoundary, LifeCells, LifeVariant, Options};

/// Options of `gpumex_life`. Set `size` to `sizeof(gpumex_life_options)`; zero is the default of every other
/// field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LifeOptions {
    /// sizeof(gpumex_life_options)
    pub size: usize,
    /// a `gpumex_life_variant`
    pub variant: i32,
    /// a `gpumex_life_boundary`
    pub boundary: i32,
    /// a `gpumex_life_cells`
    pub cells: i32,
    /// has to be 0
    pub reserved: i32,
    /// an outer-totalistic rule such as "B36/S23" (or "23/36", survivors first); NULL is "B3/S23"
    pub rule: *const c_char,
}

zero_default!(LifeOptions, rule, reserved);

/// next <- board after `generations` steps of Conway's Life (B3/S23), computed with tiles of bits in shared memory.
///
/// board, next: rows*cols bytes, row-major. A column-major array (MATLAB) is its transpose: pass its columns as
/// rows and its rows as cols; Life is its own transpose, so that nothing needs to be copied. Any cell other than 0
/// is alive, result cells are 0 or 1. Edges are clamped: the neighbour of an edge cell outside the board is the
/// edge cell nearest to it, so an edge cell counts itself once and a corner three times. `next` may be `board`,
/// and may not overlap it otherwise. generations = 0 copies (cells other than 0 as 1). Both pointers may be NULL
/// when the board has no cells.
///
/// Runs on the default context; callable from any thread, calls take turns. On the CPU backend the result is the
/// same.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (size, overlap), OUT_OF_MEMORY, CUDA; `next` is unspecified after one.
/// Source: MathWorks, "Accessing Advanced CUDA Features Using MEX", 2013.
#[cfg(feature = "plain-names")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn life_shmem(
    board: *const u8,
    rows: usize,
    cols: usize,
    generations: usize,
    next: *mut u8,
) -> i32 {
    guard("life_shmem", || {
        // SAFETY: the caller's promise in the documentation above.
        unsafe { plain(LifeVariant::Shmem, board, rows, cols, generations, next) }
    })
}

/// Like `life_shmem`, with the board fetched through texture objects.
#[cfg(feature = "plain-names")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn life_texture(
    board: *const u8,
    rows: usize,
    cols: usize,
    generations: usize,
    next: *mut u8,
) -> i32 {
    guard("life_texture", || {
        // SAFETY: the caller's promise in the documentation above.
        unsafe { plain(LifeVariant::Texture, board, rows, cols, generations, next) }
    })
}

#[cfg(feature = "plain-names")]
unsafe fn plain(
    variant: LifeVariant,
    board: *const u8,
    rows: usize,
    cols: usize,
    generations: usize,
    next: *mut u8,
) -> crate::error::Result<()> {
    let options = Options { variant, ..Options::default() };
    // SAFETY: the door's caller promised rows*cols bytes.
    let (board, next) =
        unsafe { (Input::from_raw("board", board.cast()), Output::from_raw("next", next.cast())) };
    handle::with_default(|ctx| life::life(ctx, &options, board, rows, cols, generations as u64, next))
}

/// next <- board after `generations` steps of Life, as `life_shmem`, on a context of the caller's and with
/// options.
///
/// board, next: rows*cols cells, row-major; `next` may be `board`. options: NULL for the defaults. options->cells
/// BITS takes and returns packed boards: each row padded to whole 64-bit words, rows*ceil(cols/64) of them, aligned
/// to 8 bytes; bit b of word w is column 64*w + b; padding bits are ignored in board and 0 in next. The GPU works
/// on bits in any case, so a caller who steps on saves the conversions. Boundaries: CLAMP (an edge cell's neighbour outside is
/// the edge cell nearest to it), DEAD (cells outside stay dead, whatever the rule), TORUS (the opposite edge, which on
/// boards narrower than three cells counts a neighbour more than once).
/// The variants give the same cells. ARRAYS, SHMEM_BYTES and TEXTURE_BYTES are the textbook's kernels, for bytes,
/// CLAMP and B3/S23 alone. Memory: beside the caller's arrays at most two packed boards, a fifteenth larger each;
/// the textbook's kernels take one or two boards of bytes.
/// A long run tells the context's progress callback how far it is (`gpumex_context_set_progress`), which may cancel.
/// Errors: as `life_shmem`, INVALID_ARGUMENT (not a live context, an array that is too short, another device's
/// memory, a text that is no rule), UNSUPPORTED (a variant that does not serve the other options, the board or the
/// backend; device memory on the CPU backend; after fork), CANCELLED, BUSY (another thread is in `ctx`).
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
        // SAFETY: rule is NULL or a string, as every C string argument.
        let rule = unsafe { options::text(options.rule)? };
        let options = Options {
            variant: LifeVariant::from_c("options.variant", options.variant)?,
            boundary: LifeBoundary::from_c("options.boundary", options.boundary)?,
            cells: LifeCells::from_c("options.cells", options.cells)?,
            rule,
        };
        handle::with(ctx, |ctx| life::life(ctx, &options, board, rows, cols, generations, next))
    })
}
