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
    /// The columns of the board in the last vector of a row that is written.
    last_vector: [u64; 8],
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
    let mut last_vector = [u64::MAX; 8];
    if frame.first_word + frame.words == pass.game.words() {
        last_vector[(frame.words - 1) % L::WORDS] = last_mask(pass.game.cols);
    }
    let mut sweep =
        Sweep { pass, frame, rows: tile.rows, window, last_vector, done: [0; MAX_GENERATIONS + 1] };
    for t in 0..=last {
        sweep.done[t] = sweep.needed(t).start;
    }
    let chunk = (CHUNK / frame.stride).max(16) as isize;
    let mut next = tile.next.into_iter().flat_map(|rows| rows.chunks_mut(frame.words));
    while sweep.done[last] < sweep.rows.end {
        let begin = sweep.done[last];
        sweep.enter(lanes, chunk);
        for t in 0..last {
            sweep.advance(lanes, network, t);
        }
        poll();
        for (row, next) in (begin..sweep.done[last]).zip(&mut next) {
            sweep.leave(lanes, row, next);
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
    fn enter<L: Lanes>(&mut self, lanes: L, chunk: isize) {
        let rows = self.done[0]..(self.done[0] + chunk).min(self.needed(0).end);
        if rows.is_empty() {
            return;
        }
        for row in rows.clone() {
            self.read(lanes, row);
        }
        self.close(rows, 0, self.frame.outside);
    }

    /// A row's words, shifted to the bit where its first column is. Words of the rows beside it may be read with them: they come to lie beyond
    /// the columns that `close` renews, and reach no cell of the tile.
    #[inline(always)]
    fn read<L: Lanes>(&mut self, lanes: L, row: isize) {
        let Pass { board, game, .. } = self.pass;
        let place = self.place(row, 0);
        let origin = self.frame.origin(&self.pass, 0) as u64;
        let row = if self.is_torus() { row.rem_euclid(self.board_rows()) } else { row } as usize;
        let (row_words, wraps) = (game.words(), self.frame.wraps);
        for (i, target) in self.window.row(place).chunks_exact_mut(L::WORDS).enumerate() {
            let at = self.frame.first_word + i * L::WORDS; // of the row
            let begin = row * row_words + at;
            let around = begin.checked_sub(1).and_then(|last| board.get(last..begin + L::WORDS));
            match around.filter(|_| !wraps || (at > 0 && at + L::WORDS < row_words)) {
                Some(words) => {
                    let shifted = lanes.extract(lanes.load(words), lanes.load(&words[1..]), 64 - origin);
                    lanes.store(shifted, target);
                }
                None => {
                    let row = &board[row * row_words..][..row_words];
                    let word = |index| word_of(row, wraps.then_some(game.cols), index);
                    for (index, target) in (at as isize..).zip(target) {
                        *target = word(index - 1) >> (64 - origin) | word(index) << origin;
                    }
                }
            }
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
    fn leave<L: Lanes>(&self, lanes: L, row: isize, next: &mut [u64]) {
        let margin = self.frame.margin as u64;
        let source = self.window.from(self.place(row, self.pass.generations));
        let vector =
            |at: usize| lanes.extract(lanes.load(&source[at..]), lanes.load(&source[at + 1..]), margin);
        let last = lanes.load(&self.last_vector);
        let vectors = next.len().div_ceil(L::WORDS);
        for (i, next) in next.chunks_mut(L::WORDS).enumerate() {
            let mut cells = vector(i * L::WORDS);
            if i + 1 == vectors {
                cells = lanes.and(cells, last);
            }
            if next.len() == L::WORDS {
                lanes.store(cells, next);
            } else {
                let mut words = [0; 8];
                lanes.store(cells, &mut words);
                next.copy_from_slice(&words[..next.len()]);
            }
        }
    }
}

/// A word of a row of the board; beyond its ends 0, or what comes round the torus of so many columns.
fn word_of(row: &[u64], torus: Option<usize>, index: isize) -> u64 {
    let at = usize::try_from(index).ok();
    match (at, torus) {
        (Some(at), _) if at + 1 < row.len() => row[at],
        (_, Some(cols)) => wrapped(row, cols, index),
        (at, None) => at.and_then(|at| row.get(at)).copied().unwrap_or(0),
    }
}
