//! Each operation as a call that must succeed and may write nothing but its output.

use gpumex::ffi::*;
use gpumex::ops::histogram::HistogramVariant;
use gpumex::ops::life::LifeVariant;
use gpumex::ops::matmul::{MatmulOrder, MatmulVariant};
use gpumex::ops::raytrace::RaytraceVariant;

use super::{Context, Number, Output, ok};

/// The board after some generations; it is itself left as it was.
#[track_caller]
pub fn life(
    ctx: &Context,
    variant: LifeVariant,
    board: &[u8],
    rows: usize,
    cols: usize,
    generations: u64,
) -> Vec<u8> {
    let what =
        format!("gpumex_life on {:?}, {variant:?}, {rows} x {cols}, {generations} generations", ctx.backend);
    let options = LifeOptions { variant: variant as i32, ..LifeOptions::default() };
    let mut next = Output::<u8>::new(board.len());
    let (from, to) = (board.as_ptr().cast(), next.as_mut_ptr().cast());
    // SAFETY: both hold rows*cols bytes.
    ok(unsafe { gpumex_life(ctx.handle, &options, from, rows, cols, generations, to) }, &what);
    next.written(&what)
}

/// As `life`, with `next` == `board`.
#[track_caller]
pub fn life_in_place(
    ctx: &Context,
    variant: LifeVariant,
    board: &[u8],
    rows: usize,
    cols: usize,
    generations: u64,
) -> Vec<u8> {
    let what = format!(
        "gpumex_life in place on {:?}, {variant:?}, {rows} x {cols}, {generations} generations",
        ctx.backend
    );
    let options = LifeOptions { variant: variant as i32, ..LifeOptions::default() };
    let mut both = Output::<u8>::holding(board);
    let cells = both.as_mut_ptr().cast();
    // SAFETY: rows*cols bytes, allowed to be the same.
    ok(unsafe { gpumex_life(ctx.handle, &options, cells, rows, cols, generations, cells) }, &what);
    both.written(&what)
}

/// Reads a pattern into a board of bytes, its upper left cell in row and column `at`.
#[track_caller]
pub fn read_pattern(text: &[u8], [row, col]: [usize; 2], board: &mut [u8], rows: usize, cols: usize) {
    assert_eq!(board.len(), rows * cols);
    let (from, to) = (text.as_ptr().cast(), board.as_mut_ptr().cast());
    // SAFETY: the bytes of a slice; rows*cols bytes.
    ok(unsafe { gpumex_pattern_read(from, text.len(), 0, row, col, to, rows, cols) }, "gpumex_pattern_read");
}

/// A type of matrices.
pub trait Real: Number {
    const UNIT_ROUNDOFF: f64;
    fn to_f64(self) -> f64;
}

impl Real for f32 {
    const UNIT_ROUNDOFF: f64 = f32::EPSILON as f64 / 2.0;
    fn to_f64(self) -> f64 {
        self.into()
    }
}

impl Real for f64 {
    const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;
    fn to_f64(self) -> f64 {
        self
    }
}

/// The product of A (m, k) and B (k, n).
#[track_caller]
pub fn matmul<T: Real>(
    ctx: &Context,
    variant: MatmulVariant,
    order: MatmulOrder,
    [m, n, k]: [usize; 3],
    a: &[T],
    b: &[T],
) -> Vec<T> {
    assert!(a.len() == m * k && b.len() == k * n, "A or B is not as long as the test wants it");
    let dtype = T::DTYPE;
    let what =
        format!("gpumex_matmul on {:?}, {variant:?}, {dtype:?}, {order:?}, m {m} n {n} k {k}", ctx.backend);
    let options = MatmulOptions {
        variant: variant as i32,
        dtype: dtype as i32,
        order: order as i32,
        ..MatmulOptions::default()
    };
    let mut c = Output::<T>::new(m * n);
    let (a, b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), c.as_mut_ptr().cast());
    // SAFETY: a holds m*k, b k*n and c m*n elements of the dtype.
    ok(unsafe { gpumex_matmul(ctx.handle, &options, m, n, k, a, b, to) }, &what);
    c.written(&what)
}

/// How often each byte value occurs.
#[track_caller]
pub fn histogram(ctx: &Context, variant: HistogramVariant, data: &[u8]) -> Vec<u64> {
    let what = format!("gpumex_histogram on {:?}, {variant:?}, {} bytes", ctx.backend, data.len());
    let options = HistogramOptions { variant: variant as i32, ..HistogramOptions::default() };
    let mut counts = Output::<u64>::new(256);
    let (from, to) = (data.as_ptr().cast(), counts.as_mut_ptr().cast());
    // SAFETY: data is a slice, counts holds 256 counters.
    ok(unsafe { gpumex_histogram(ctx.handle, &options, from, data.len(), to, 256) }, &what);
    counts.written(&what)
}

/// The picture of spheres of 7 numbers.
#[track_caller]
pub fn raytrace(
    ctx: &Context,
    variant: RaytraceVariant,
    spheres: &[f32],
    width: usize,
    height: usize,
) -> Vec<u8> {
    let count = spheres.len() / 7;
    let what =
        format!("gpumex_raytrace on {:?}, {variant:?}, {count} spheres, {width} x {height}", ctx.backend);
    let options = RaytraceOptions { variant: variant as i32, ..RaytraceOptions::default() };
    let mut image = Output::<u8>::new(height * width * 4);
    let (from, to) = (spheres.as_ptr(), image.as_mut_ptr());
    // SAFETY: count spheres of 7 numbers, height*width*4 bytes.
    ok(unsafe { gpumex_raytrace(ctx.handle, &options, from, count, width, height, to) }, &what);
    image.written(&what)
}
