//! A tile of the board through several generations at once.
//!
//! Algorithm  Time skewing: a chunk of rows of the board enters the window, then each generation advances as
//!            far as the one before it lets it, one row less, and what reached the last generation leaves. A
//!            chunk is in the first cache meanwhile. At an inner edge a tile reads a halo of one cell a
//!            generation, whose outermost cells spoil one by one; at an edge of the board the cells outside are
//!            renewed in each generation.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::frame::{Frame, MAX_GENERATIONS, Pass, last_mask, wrapped};
use super::lanes::Lanes;
use super::network::Network;
use super::window::{Drift, Edges, Outside, PAD, Window};
use crate::interrupt::poll;
use crate::model::life::LifeBoundary;

/// Words of a chunk of rows in the first cache.
const CHUNK: usize = 3 << 10;

/// A rectangle of the board, its rows and words, and where its next cells go: slices of one row or more.
pub struct Tile<'a> {
    pub rows: Range<isize>,
    pub words: Range<usize>,
    pub next: Vec<&'a mut [u64]>,
}

/// The words of memory that a tile's window takes: the rows of the tile, their halos, and one outside either
/// edge.
pub fn window_words(rows: usize, generations: usize, stride: usize) -> usize {
    (rows + 2 * generations + 2) * stride + 3 * PAD
}

/// A tile on its way.
struct Sweep<'a> {
    pass: Pass<'a>,
    frame: Frame,
    rows: Range<isize>,
    window: Window<'a>,
    /// The row at which each generation goes on.
    done: [isize; MAX_GENERATIONS + 1],
}

/// next ← the tile after the generations of the pass. `memory` has `window_words`.
#[inline(always)]
pub fn sweep<L: Lanes>(lanes: L, network: impl Network<L>, pass: Pass, tile: Tile, memory: &mut [u64]) {
    let last = pass.generations;
    let frame = Frame::new(&pass, tile.words, L::WORDS);
    let aligned = memory.as_ptr().align_offset(64).min(PAD);
    let window = Window { words: &mut memory[aligned..], stride: frame.stride };
    let mut sweep = Sweep { pass, frame, rows: tile.rows, window, done: [0; MAX_GENERATIONS + 1] };
    for t in 0..=last {
        sweep.done[t] = sweep.needed(t).start;
    }
    let chunk = (CHUNK / frame.stride).max(16) as isize;
    let mut next = tile.next.into_iter().flat_map(|rows| rows.chunks_mut(frame.words));
    while sweep.done[last] < sweep.rows.end {
        let begin = sweep.done[last];
        sweep.enter(chunk);
        for t in 0..last {
            sweep.advance(lanes, network, t);
        }
        poll();
        for (row, next) in (begin..sweep.done[last]).zip(&mut next) {
            sweep.leave(row, next);
        }
    }
}

impl Sweep<'_> {
    fn is_torus(&self) -> bool {
        self.pass.game.boundary == LifeBoundary::Torus
    }

    fn board_rows(&self) -> isize {
        self.pass.game.rows as isize
    }

    /// The rows of a generation on which the tile's last one depends; round a torus they go on past its edges.
    fn needed(&self, generation: usize) -> Range<isize> {
        let halo = (self.pass.generations - generation) as isize;
        let (start, end) = (self.rows.start - halo, self.rows.end + halo);
        if self.is_torus() { start..end } else { start.max(0)..end.min(self.board_rows()) }
    }

    /// The place of a row of a generation in the window.
    fn place(&self, row: isize, generation: usize) -> usize {
        (row - self.rows.start + self.pass.generations as isize + 1) as usize - generation
    }

    /// Reads the next rows of the board.
    #[inline(always)]
    fn enter(&mut self, chunk: isize) {
        let rows = self.done[0]..(self.done[0] + chunk).min(self.needed(0).end);
        if rows.is_empty() {
            return;
        }
        for row in rows.clone() {
            self.read(row);
        }
        self.close(rows, 0, self.frame.outside);
    }

    #[inline(always)]
    fn read(&mut self, row: isize) {
        let Pass { board, game, .. } = self.pass;
        let (first, row_words, place) = (self.frame.first_word, game.words(), self.place(row, 0));
        let origin = self.frame.origin(&self.pass, 0);
        let row = if self.is_torus() { row.rem_euclid(self.board_rows()) } else { row };
        let row = &board[row as usize * row_words..][..row_words];
        let wraps = self.frame.wraps;
        let word = |index: isize| match usize::try_from(index) {
            Ok(index) if index + 1 < row_words => row[index],
            _ if wraps => wrapped(row, game.cols, index),
            Ok(index) => row.get(index).copied().unwrap_or(0),
            Err(_) => 0,
        };
        let shifted = |before: u64, here: u64| before >> (64 - origin) | here << origin;

        let target = self.window.row(place);
        target[0] = shifted(word(first as isize - 1), word(first as isize));
        let inside = &row[first..(first + target.len()).min(row_words - 1).max(first)];
        for (target, pair) in target[1..].iter_mut().zip(inside.windows(2)) {
            *target = shifted(pair[0], pair[1]);
        }
        for (i, target) in target.iter_mut().enumerate().skip(inside.len().max(1)) {
            let index = (first + i) as isize;
            *target = shifted(word(index - 1), word(index));
        }
    }

    /// From generation t to the next, as far as it goes: a row needs the row below it.
    #[inline(always)]
    fn advance<L: Lanes>(&mut self, lanes: L, network: impl Network<L>, t: usize) {
        let at_edge = !self.is_torus() && self.done[t] == self.board_rows();
        let end = (self.done[t] - isize::from(!at_edge)).min(self.needed(t + 1).end);
        let rows = self.done[t + 1]..end;
        if rows.is_empty() {
            return;
        }
        let places = self.place(rows.start, t)..self.place(rows.end, t);
        let drift = if t.is_multiple_of(2) { Drift::West } else { Drift::East };
        let edges = Edges::new(self.frame.outside, self.frame.origin(&self.pass, t + 1) as isize);
        self.window.step(lanes, network, places, drift, &edges);
        self.close(rows, t + 1, edges.others);
    }

    /// Gives cells outside the board their values in these new rows of a generation, and the rows outside.
    #[inline(always)]
    fn close(&mut self, rows: Range<isize>, generation: usize, outside: [Option<Outside>; 2]) {
        self.done[generation] = rows.end;
        let origin = self.frame.origin(&self.pass, generation) as isize;
        let places = self.place(rows.start, generation)..self.place(rows.end, generation);
        for outside in outside.into_iter().flatten() {
            self.window.close(places.clone(), outside, origin);
        }
        if self.is_torus() {
            return;
        }
        if rows.start == 0 {
            self.close_row(places.start, places.start - 1);
        }
        if rows.end == self.board_rows() {
            self.close_row(places.end - 1, places.end);
        }
    }

    fn close_row(&mut self, edge: usize, outside: usize) {
        match self.pass.game.boundary {
            LifeBoundary::Dead => self.window.row(outside).fill(0),
            LifeBoundary::Clamp => self.window.copy_row(edge, outside),
            LifeBoundary::Torus => unreachable!("the window of a torus has rows of the opposite edge"),
        }
    }

    /// Writes a row of the last generation.
    #[inline(always)]
    fn leave(&self, row: isize, next: &mut [u64]) {
        let margin = self.frame.margin;
        let source = self.window.from(self.place(row, self.pass.generations));
        for (next, pair) in next.iter_mut().zip(source.windows(2)) {
            *next = pair[0] >> margin | pair[1] << (64 - margin);
        }
        if self.frame.first_word + self.frame.words == self.pass.game.words() {
            next[self.frame.words - 1] &= last_mask(self.pass.game.cols);
        }
    }
}
