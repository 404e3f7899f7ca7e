//! A board of random cells, and how long it takes to play it.

use std::ffi::{CStr, c_void};
use std::ptr::null;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::model::life::LifeBoundary;
use gpumex::ops::life::{LifeCells, LifeVariant};

use crate::common::*;

/// What is played, and how.
#[derive(Clone, Copy)]
pub struct Play {
    pub variant: LifeVariant,
    pub boundary: LifeBoundary,
    pub rule: Option<&'static CStr>,
}

/// How long a measurement takes, about, and how often it is made; the numbers of generations are multiples of one
/// that every path likes.
#[derive(Clone, Copy)]
pub struct Effort {
    pub ms: f64,
    pub repeats: usize,
    pub multiple: u64,
}

impl Play {
    pub fn of(variant: LifeVariant) -> Play {
        Play { variant, boundary: LifeBoundary::Clamp, rule: None }
    }

    pub fn with(self, boundary: LifeBoundary) -> Play {
        Play { boundary, ..self }
    }

    pub fn options(&self, cells: LifeCells) -> LifeOptions {
        LifeOptions {
            variant: self.variant as i32,
            boundary: self.boundary as i32,
            cells: cells as i32,
            rule: self.rule.map_or(null(), CStr::as_ptr),
            ..LifeOptions::default()
        }
    }
}

/// A square, half of its cells alive, and room for what becomes of it.
pub struct Board {
    ctx: Handle,
    side: usize,
    cells: LifeCells,
    front: *mut c_void,
    next: *mut c_void,
}

impl Board {
    pub fn new(ctx: Handle, kind: MemoryKind, cells: LifeCells, side: usize) -> Board {
        let [front, next] = [(); 2].map(|()| malloc(ctx, kind, bytes(cells, side)));
        scatter(ctx, cells, side, front);
        Board { ctx, side, cells, front, next }
    }

    /// Whether `play` serves this board.
    pub fn play(&self, play: &Play, generations: u64) -> bool {
        let (options, side) = (play.options(self.cells), self.side);
        // SAFETY: two boards of this size.
        let status =
            unsafe { gpumex_life(self.ctx, &options, self.front, side, side, generations, self.next) };
        if status == Status::Unsupported as i32 {
            return false;
        }
        check(status);
        true
    }

    /// What a call of so many generations takes, in ms of its kernels.
    pub fn ms(&self, play: &Play, generations: u64) -> f64 {
        kernel_ms(self.ctx, || assert!(self.play(play, generations), "{}", text(gpumex_last_error())))
    }

    /// Microseconds a generation of a long call; NaN where `play` does not serve this board.
    pub fn us(&self, play: &Play, effort: Effort) -> f64 {
        if !self.play(play, effort.multiple) {
            return f64::NAN;
        }
        let generations = self.generations(play, effort);
        median(effort.repeats, || self.ms(play, generations)) * 1e3 / generations as f64
    }

    /// Tera cell updates a second.
    pub fn tcells(&self, play: &Play, effort: Effort) -> f64 {
        self.per_us(self.us(play, effort))
    }

    /// Tera cell updates a second at so many microseconds a generation.
    pub fn per_us(&self, us: f64) -> f64 {
        (self.side * self.side) as f64 / us / 1e6
    }

    /// Microseconds a generation where all that a call pays once drops out.
    pub fn slope_us(&self, play: &Play, repeats: usize) -> f64 {
        if !self.play(play, 1) {
            return f64::NAN;
        }
        let [brief, longer] = [100, 1100].map(|generations| median(repeats, || self.ms(play, generations)));
        (longer - brief) * 1e3 / 1000.0
    }

    /// The cells after the last call.
    pub fn result(&self) -> Vec<u8> {
        let mut cells = vec![0; bytes(self.cells, self.side)];
        copy(self.ctx, cells.as_mut_ptr().cast(), self.next, cells.len());
        cells
    }

    /// How many generations take as long as a measurement should.
    fn generations(&self, play: &Play, effort: Effort) -> u64 {
        let mut generations = effort.multiple;
        loop {
            let ms = self.ms(play, generations);
            if ms > 0.7 * effort.ms || generations > 1 << 24 {
                return generations;
            }
            let wanted = generations as f64 * (effort.ms / ms).clamp(1.5, 64.0);
            generations = (wanted as u64).next_multiple_of(effort.multiple);
        }
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        for memory in [self.front, self.next] {
            check(gpumex_free(memory));
        }
    }
}

/// The bytes of a square board.
pub fn bytes(cells: LifeCells, side: usize) -> usize {
    match cells {
        LifeCells::Bytes => side * side,
        LifeCells::Bits => side * side.div_ceil(64) * 8,
    }
}

/// Makes half of the cells of a square board alive.
pub fn scatter(ctx: Handle, cells: LifeCells, side: usize, board: *mut c_void) {
    let (dtype, count, most) = match cells {
        LifeCells::Bytes => (Dtype::U8, side * side, 1.0),
        LifeCells::Bits => (Dtype::U64, side * side.div_ceil(64), u64::MAX as f64 - 2048.0),
    };
    // SAFETY: count elements of the type.
    check(unsafe { gpumex_random(ctx, dtype as i32, board, count, side as u64, 0.0, most) });
}
