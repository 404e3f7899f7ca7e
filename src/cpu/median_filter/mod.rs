//! Medians of windows on the CPU.
//!
//! Algorithm  Elements as integers in the order of the numbers, in tiles with what is around them. For each row of the result the columns of
//!            the windows are sorted side by side, each once for all windows that it belongs to; then a selection network takes the middle of
//!            the sorted columns of a block of windows at once: minima and maxima of vectors, the same for all elements.
//! Cost       Comparisons a result, with the columns': 17 for 3 × 3, about 80 for 5 × 5, 250 for 7 × 7, 2000 for 15 × 15; a vector has as many
//!            results as elements. Reads the array once, and (m − 1)/32 times again.
//! Source     A. Adams, "Fast median filters using separable sorting networks", ACM TOG 2021, for sorted columns that windows share.
#![forbid(unsafe_code)]

mod network;

use std::hint::black_box;

use pulp::Arch;

use super::parallel::parallel_for::try_parallel_for;
use super::window::Window;
use super::{Execution, run};
use crate::error::Result;
use crate::interrupt;
use crate::model::dtype::Element;
use crate::model::median::Ordered;
use crate::model::variant::Variant;
use crate::model::window::Windows;
use crate::vector::zeros;
use network::{Comparison, Kept, Network};

/// Rows and columns of a tile, at most.
const ROWS: usize = 32;
const COLS: usize = 256;

/// Bytes of the keys of a block of results: four vectors, however wide they are.
const BLOCK: usize = 256;

/// Elements of windows that are sorted sooner than a pool of threads wakes up.
const SMALL: usize = 1 << 12;

/// An integer that elements are compared by.
pub trait Key: Copy + Default + Ord + Send + Sync + 'static {
    /// Of a block.
    const LANES: usize = BLOCK / size_of::<Self>();
}

impl Key for u8 {}
impl Key for u16 {}
impl Key for u32 {}
impl Key for i64 {}

/// Runs comparisons of places of `width` keys each. That the compiler does not know the width makes it a loop over vectors.
#[inline(always)] // so that it is compiled for the instruction set of `dispatch`
fn compare<K: Key>(comparisons: &[Comparison], keys: &mut [K], width: usize) {
    for one in comparisons {
        let (first, second) = (usize::from(one.first), usize::from(one.second));
        let (front, back) = keys.split_at_mut(first.max(second) * width);
        let (near, far) = (&mut front[first.min(second) * width..][..width], &mut back[..width]);
        let (a, b) = if first < second { (near, far) } else { (far, near) };
        match one.kept {
            Kept::Both => a.iter_mut().zip(b).for_each(|(a, b)| (*a, *b) = ((*a).min(*b), (*a).max(*b))),
            Kept::Smaller => a.iter_mut().zip(b).for_each(|(a, b)| *a = (*a).min(*b)),
            Kept::Larger => a.iter_mut().zip(b).for_each(|(a, b)| *b = (*a).max(*b)),
        }
    }
}

/// An element of arrays that are filtered.
pub trait Filtered: Ordered<Key: Key> + Element {
    /// From the low bits.
    fn of_bits(bits: u64) -> Self;
}

macro_rules! filtered {
    ($($number:ty: $of_bits:expr;)*) => {$(
        impl Filtered for $number {
            fn of_bits(bits: u64) -> $number {
                $of_bits(bits)
            }
        }
    )*};
}

filtered! {
    i8: |bits| bits as i8;
    i16: |bits| bits as i16;
    i32: |bits| bits as i32;
    i64: |bits| bits as i64;
    u8: |bits| bits as u8;
    u16: |bits| bits as u16;
    u32: |bits| bits as u32;
    u64: |bits| bits;
    f32: |bits| f32::from_bits(bits as u32);
    f64: f64::from_bits;
}

/// A call: what is computed of what.
struct Medians<'a, T> {
    windows: &'a Windows,
    data: &'a [T],
    outside: T,
    network: Network,
    cols: usize,
}

/// result ← the median of each window; `is_logical`: elements other than 0 are 1. Nothing is empty.
pub fn median_filter<T: Filtered>(
    how: Execution,
    windows: &Windows,
    (data, outside, is_logical): (&[T], T, bool),
    result: &mut [T],
) -> Result<()> {
    let network = Network::new(windows.size)?;
    let cols = windows.result[1].min(COLS).next_multiple_of(T::Key::LANES);
    let medians = Medians { windows, data, outside, network, cols };
    let (elements, all) = (medians.piece(how), windows.result[1]);
    let is_alone = how.1 == Variant::Sequential || medians.is_small();
    let key = |element: T| match is_logical && element.key() != T::default().key() {
        true => T::from_f64(1.0).key(),
        false => element.key(),
    };
    run(how.0, is_alone, || {
        try_parallel_for(is_alone, result.chunks_mut(elements), |index, piece| {
            let first = (index * elements / all, index * elements % all);
            match how.1 {
                Variant::Sequential => medians.plain(first.0, piece, key),
                Variant::Auto if is_logical => Thread::new(&medians)?.run(first, piece, key),
                Variant::Auto => Thread::new(&medians)?.run(first, piece, T::key),
            }
        })
    })?
}

impl<T: Filtered> Medians<'_, T> {
    fn is_small(&self) -> bool {
        let [rows, cols] = self.windows.result;
        rows.saturating_mul(cols).saturating_mul(self.windows.size[0] * self.windows.size[1]) < SMALL
    }

    /// Elements of a piece: whole rows, or of a single row tiles, two pieces a thread at least where there are as many.
    fn piece(&self, (workers, variant): Execution) -> usize {
        let ([rows, cols], pieces) = (self.windows.result, 2 * workers.threads());
        match variant {
            Variant::Auto if rows == 1 => cols.div_ceil(pieces).next_multiple_of(COLS).min(64 * COLS),
            Variant::Auto => rows.div_ceil(pieces).clamp(1, 4 * ROWS) * cols,
            Variant::Sequential => cols,
        }
    }

    /// The window that covers those of a part of the result.
    fn around(&self, (row, col): (usize, usize), [rows, cols]: [usize; 2]) -> Window {
        Window {
            row: row as isize + self.windows.first[0],
            col: col as isize + self.windows.first[1],
            rows: rows + self.windows.size[0] - 1,
            cols: cols + self.windows.size[1] - 1,
        }
    }

    /// The plain loop: each window of a row is sorted.
    fn plain(&self, row: usize, piece: &mut [T], key: impl Fn(T) -> T::Key + Copy) -> Result<()> {
        let [m, n] = self.windows.size;
        let mut window = zeros(m * n)?;
        for (col, to) in piece.iter_mut().enumerate() {
            interrupt::poll();
            let at = (Arch::Scalar, &self.windows.plane);
            self.around((row, col), [1, 1]).load(at, self.data, (&mut window, n), key(self.outside), key);
            window.sort_unstable();
            let [low, high] = [(m * n - 1) / 2, m * n / 2].map(|rank| T::of_key(window[rank]));
            *to = if m * n % 2 == 0 { low.mean(high) } else { high };
        }
        Ok(())
    }
}

/// A thread's work on a piece.
struct Thread<'c, T: Filtered> {
    medians: &'c Medians<'c, T>,
    arch: Arch,
    tile: Vec<T::Key>,
    columns: Vec<T::Key>,
    lanes: Vec<T::Key>,
}

impl<'c, T: Filtered> Thread<'c, T> {
    fn new(medians: &'c Medians<'c, T>) -> Result<Thread<'c, T>> {
        let [rows, cols] = medians.windows.size;
        let pitch = medians.cols + cols - 1;
        let (tile, columns) = (zeros((ROWS + rows - 1) * pitch)?, zeros(rows * pitch)?);
        Ok(Thread { medians, arch: Arch::new(), tile, columns, lanes: zeros(rows * cols * T::Key::LANES)? })
    }

    /// Elements of a row of the tile.
    fn pitch(&self) -> usize {
        self.columns.len() / self.medians.windows.size[0]
    }

    /// Computes rows of the result, or a part of a single one, from `first` on.
    fn run(mut self, first: (usize, usize), piece: &mut [T], key: impl Fn(T) -> T::Key + Copy) -> Result<()> {
        let (medians, pitch) = (self.medians, self.pitch());
        let all = medians.windows.result[1].min(piece.len());
        let rows = piece.len() / all;
        for col in (0..all).step_by(medians.cols) {
            let cols = medians.cols.min(all - col);
            for row in (0..rows).step_by(ROWS) {
                interrupt::poll();
                let count = ROWS.min(rows - row);
                let window = medians.around((first.0 + row, first.1 + col), [count, cols]);
                let at = (self.arch, &medians.windows.plane);
                window.load(at, medians.data, (&mut self.tile, pitch), key(medians.outside), key);
                for k in 0..count {
                    self.sort_columns(k);
                    self.select(&mut piece[(row + k) * all + col..][..cols]);
                }
            }
        }
        Ok(())
    }

    /// columns ← the sorted columns of the windows of a row of the tile: the smallest element of each, the next one and so on.
    fn sort_columns(&mut self, row: usize) {
        let (pitch, network) = (black_box(self.pitch()), &self.medians.network);
        let columns = &mut *self.columns;
        columns.copy_from_slice(&self.tile[row * pitch..][..columns.len()]);
        self.arch.dispatch(
            #[inline(always)]
            || compare(&network.column, columns, pitch),
        );
    }

    /// A row of medians of sorted columns.
    fn select(&mut self, to: &mut [T]) {
        let (pitch, lanes, [rows, cols]) = (self.pitch(), T::Key::LANES, self.medians.windows.size);
        for (block, to) in to.chunks_mut(lanes).enumerate() {
            for col in 0..cols {
                for row in 0..rows {
                    let from = row * pitch + block * lanes + col;
                    let place = (col * rows + row) * lanes;
                    self.lanes[place..][..lanes].copy_from_slice(&self.columns[from..][..lanes]);
                }
            }
            let (keys, network) = (&mut *self.lanes, &self.medians.network);
            self.arch.dispatch(
                #[inline(always)]
                || compare(&network.select, keys, black_box(lanes)),
            );
            let [low, high] =
                self.medians.network.middle.map(|place| &self.lanes[usize::from(place) * lanes..][..lanes]);
            let is_even = rows * cols % 2 == 0;
            for ((to, &low), &high) in to.iter_mut().zip(low).zip(high) {
                *to = if is_even { T::of_key(low).mean(T::of_key(high)) } else { T::of_key(high) };
            }
        }
    }
}
