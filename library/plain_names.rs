//! The five C functions without a prefix: `life_shmem`, `life_texture`, `matmul`, `histogram`, `raytrace`.
//!
//! They are in this crate, and so in an object file of their own: a program that has a `matmul` itself and is linked with
//! libgpumex.a does not get this object from the archive. Nothing in src/ may call them.
#![allow(clippy::missing_safety_doc)] // the comments are the safety contract, as in src/ffi

use gpumex_core::array::{Input, Output};
use gpumex_core::ffi::on_default_context;
use gpumex_core::ops::life::{self, LifeVariant};
use gpumex_core::ops::{histogram, matmul, raytrace};

/// @brief Conway's Life: next <- board after `generations` steps of B3/S23, in tiles of shared
/// memory.
///
/// Edges are clamped: a neighbour outside the board is the edge cell nearest to it, so that an edge
/// cell counts itself once and a corner cell three times. The CPU backend gives the same cells. A
/// board of up to some 700 000 cells stays in the shared memory of one cluster for all generations,
/// where the device has clusters.
/// @param board rows*cols bytes, row-major, in any memory; a byte other than 0 is a live cell. A
///   column-major array (MATLAB) is its own transpose here: pass its columns as rows.
/// @param rows Rows of the board.
/// @param cols Columns of the board.
/// @param generations Steps; 0 copies the board (as 0 and 1).
/// @param next Receives rows*cols bytes, 0 or 1; may be board, and overlaps it in no other way.
/// @return 0 or a gpumex_status: NULL_POINTER (an array that is not empty); INVALID_ARGUMENT
///   (rows*cols exceeds the address space; overlap; an array that is too short); OUT_OF_MEMORY;
///   CUDA; UNSUPPORTED (device memory on the CPU backend); NO_DEVICE (the setting asks for CUDA).
///   next is unspecified after one.
/// @note Thread-safe: runs on the default context, where calls take turns. Cost:
///   O(rows*cols*generations).
/// @see MathWorks, "Accessing Advanced CUDA Features Using MEX", 2013.
/// @ingroup gpumex_plain
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn life_shmem(
    board: *const u8,
    rows: usize,
    cols: usize,
    generations: usize,
    next: *mut u8,
) -> i32 {
    // SAFETY: the caller's promise in the documentation above.
    unsafe { life("life_shmem", LifeVariant::Shmem, board, rows, cols, generations, next) }
}

/// @brief Conway's Life: next <- board after `generations` steps of B3/S23, through texture objects.
///
/// Edges are clamped: a neighbour outside the board is the edge cell nearest to it. The CPU backend
/// gives the same cells. A board of the host of up to some 700 000 cells is read through one, and
/// stays in a cluster for all generations, where the device has clusters.
/// @param board rows*cols bytes, row-major, in any memory; a byte other than 0 is a live cell. A
///   column-major array (MATLAB) is its own transpose here: pass its columns as rows.
/// @param rows Rows of the board.
/// @param cols Columns of the board.
/// @param generations Steps; 0 copies the board (as 0 and 1).
/// @param next Receives rows*cols bytes, 0 or 1; may be board, and overlaps it in no other way.
/// @return 0 or a gpumex_status: NULL_POINTER (an array that is not empty); INVALID_ARGUMENT
///   (rows*cols exceeds the address space; overlap; an array that is too short); OUT_OF_MEMORY;
///   CUDA; UNSUPPORTED (device memory on the CPU backend); NO_DEVICE (the setting asks for CUDA).
///   next is unspecified after one.
/// @note Thread-safe: runs on the default context, where calls take turns. Cost:
///   O(rows*cols*generations).
/// @see MathWorks, "Accessing Advanced CUDA Features Using MEX", 2013.
/// @ingroup gpumex_plain
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn life_texture(
    board: *const u8,
    rows: usize,
    cols: usize,
    generations: usize,
    next: *mut u8,
) -> i32 {
    // SAFETY: the caller's promise in the documentation above.
    unsafe { life("life_texture", LifeVariant::Texture, board, rows, cols, generations, next) }
}

/// @brief Matrix product in float, row-major: C <- A*B.
///
/// Each element differs from the exact product by at most `k*u/(1 - k*u) * |A|*|B|`, u = 2^-24.
/// @param m Rows of A and C.
/// @param n Columns of B and C.
/// @param k Columns of A and rows of B; 0 gives zeros.
/// @param a m*k elements, row-major, in any memory.
/// @param b k*n elements, row-major, in any memory.
/// @param c Receives m*n elements, row-major; overlaps neither a nor b.
/// @return 0 or a gpumex_status: NULL_POINTER (a matrix that is not empty); INVALID_ARGUMENT (a size
///   that exceeds the address space; an array that is misaligned, overlaps c or is too short);
///   OUT_OF_MEMORY; CUDA; UNSUPPORTED (device memory on the CPU backend); NO_DEVICE (the setting
///   asks for CUDA). c is unspecified after one.
/// @note Thread-safe: runs on the default context, where calls take turns. Cost: O(m*n*k).
/// @ingroup gpumex_plain
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn matmul(
    m: usize,
    n: usize,
    k: usize,
    a: *const f32,
    b: *const f32,
    c: *mut f32,
) -> i32 {
    on_default_context("matmul", |ctx| {
        // SAFETY: the caller's promise in the documentation above.
        let (a, b, c) = unsafe {
            (Input::from_raw("A", a.cast()), Input::from_raw("B", b.cast()), Output::from_raw("C", c.cast()))
        };
        matmul::matmul(ctx, &matmul::Options::default(), m, n, k, a, b, c)
    })
}

/// @brief Byte histogram: `counts[v]` <- how many of the `count` bytes equal v.
/// @param data count bytes, in any memory.
/// @param count Number of bytes.
/// @param counts Receives 256 counters of 64 bits; does not overlap data.
/// @return 0 or a gpumex_status: NULL_POINTER (counts, or data that is not empty); INVALID_ARGUMENT
///   (a size that exceeds the address space; an array that is misaligned, overlaps or is too short);
///   OUT_OF_MEMORY; CUDA; UNSUPPORTED (device memory on the CPU backend); NO_DEVICE (the setting
///   asks for CUDA). counts is unspecified after one.
/// @note Thread-safe: runs on the default context, where calls take turns. Cost: O(count).
/// @see M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, 2020.
/// @ingroup gpumex_plain
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn histogram(data: *const u8, count: usize, counts: *mut u64) -> i32 {
    on_default_context("histogram", |ctx| {
        // SAFETY: the caller's promise in the documentation above.
        let (data, counts) =
            unsafe { (Input::from_raw("data", data.cast()), Output::from_raw("counts", counts.cast())) };
        let options = histogram::Options::default();
        histogram::histogram(ctx, &options, data, count, counts, histogram::BYTE_VALUES)
    })
}

/// @brief Orthographic ray casting of spheres onto an RGBA image.
///
/// Pixel (i, j), i = column, j = row, looks along z from (i - width/2.0, j - height/2.0). In
/// float32, round to nearest, no flush to zero: dx, dy from the pixel to the sphere's centre; d =
/// fma(dy,dy, dx*dx); hit iff radius > 0 and d < radius*radius; dz = sqrt(fma(radius,radius, -d));
/// the largest z + dz wins, the first sphere on a tie, NaN never; channel = trunc(clamp((colour *
/// (dz/radius)) * 255, 0, 255)), NaN gives 0; background 0,0,0; alpha 255. The image is
/// bit-identical on every backend.
/// @param spheres count spheres of 7 floats each: r, g, b (0 to 1), radius, x, y, z (pixels, origin
///   at the image centre); in any memory.
/// @param count Number of spheres.
/// @param width Columns of the image.
/// @param height Rows of the image.
/// @param rgba Receives height*width*4 bytes, row-major; does not overlap spheres.
/// @return 0 or a gpumex_status: NULL_POINTER (an array that is not empty); INVALID_ARGUMENT (a size
///   that exceeds the address space; an array that is misaligned, overlaps or is too short);
///   OUT_OF_MEMORY; CUDA; UNSUPPORTED (device memory on the CPU backend); NO_DEVICE (the setting
///   asks for CUDA). rgba is unspecified after one.
/// @note Thread-safe: runs on the default context, where calls take turns. Cost: O(count +
///   width*height), and a term for each sphere in each of its tiles.
/// @see J. Sanders, E. Kandrot, "CUDA by Example", chapter 6; RSE-Sheffield, CUDALab03.
/// @ingroup gpumex_plain
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raytrace(
    spheres: *const f32,
    count: usize,
    width: usize,
    height: usize,
    rgba: *mut u8,
) -> i32 {
    on_default_context("raytrace", |ctx| {
        // SAFETY: the caller's promise in the documentation above.
        let (spheres, rgba) =
            unsafe { (Input::from_raw("spheres", spheres.cast()), Output::from_raw("rgba", rgba.cast())) };
        raytrace::raytrace(ctx, &raytrace::Options::default(), spheres, count, width, height, rgba)
    })
}

/// # Safety
/// As `life_shmem`.
unsafe fn life(
    operation: &str,
    variant: LifeVariant,
    board: *const u8,
    rows: usize,
    cols: usize,
    generations: usize,
    next: *mut u8,
) -> i32 {
    on_default_context(operation, |ctx| {
        // SAFETY: rows*cols bytes each, by the caller's promise.
        let (board, next) =
            unsafe { (Input::from_raw("board", board.cast()), Output::from_raw("next", next.cast())) };
        let options = life::Options { variant, small_in_cluster: true, ..life::Options::default() };
        life::life(ctx, &options, board, rows, cols, generations as u64, next)
    })
}
