//! Patterns of Life as people keep them: run-length encoded (RLE) and lists of live cells (Life 1.06).
//!
//! A text is read as a stream of bytes, a few times over: nothing is allocated that a number in it asks for. What is
//! wrong with it is told with line and column.
//!
//! Source: D. Buckingham's RLE, as Golly (A. Trevorrow, T. Rokicki) reads and writes it; A. Hensel's Life 1.06.

mod board;
mod cursor;
mod header;
mod life106;
mod rle;
mod write;

pub use board::{Board, Cells, CellsMut};
pub use write::{Head, check, write};

use crate::error::{Error, Result};
use crate::model::life::{LifeBoundary, Rule};
use crate::model::numbered::numbered_enum;

/// File format of a pattern of Life.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PatternFormat {
    /// To write, RLE.
    #[default]
    Auto = 0,
    /// Run-length encoded, with size, rule and boundary: `x = 3, y = 3, rule = B3/S23`,
    /// `bob$2bo$3o!`.
    Rle = 1,
    /// `#Life 1.06`, then a line `x y` for each live cell.
    Life106 = 2,
}

numbered_enum!(PatternFormat = "gpumex_pattern_format": Auto, Rle, Life106);

/// Live cells side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    pub row: usize,
    pub col: usize,
    pub len: usize,
}

/// What a text says of its pattern, in front of the cells.
#[derive(Clone, Debug, Default)]
pub struct Pattern<'a> {
    /// RLE or Life 1.06
    pub format: PatternFormat,
    pub rows: usize,
    pub cols: usize,
    pub rule: Rule,
    /// TORUS or DEAD where the rule ends with `:T` or `:P`, else the default.
    pub boundary: LifeBoundary,
    /// Rows and columns of the board behind `:T` or `:P`; 0 where none are stated.
    pub board: [usize; 2],
    /// Row and column of the upper left cell where the text states them, else 0.
    pub origin: [i64; 2],
    /// Of `#N`; any bytes.
    pub name: &'a [u8],
    text: &'a [u8],
    /// where the cells begin in `text`
    body: usize,
}

impl<'a> Pattern<'a> {
    /// Reads what stands in front of the cells; of Life 1.06, which states nothing, their bounding box.
    /// Errors: INVALID_ARGUMENT with line and column.
    pub fn parse(text: &'a [u8]) -> Result<Pattern<'a>> {
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text); // what some editors put in front
        let pattern = match life106::body_of(text) {
            Some(body) => life106::parse(text, body),
            None => header::parse(text),
        };
        pattern.map_err(|fault| fault.in_text(text))
    }

    /// Hands out the live cells in the order of the text, all of them within `rows` and `cols`.
    /// Errors: INVALID_ARGUMENT with line and column.
    pub fn each_run(&self, emit: impl FnMut(Run)) -> Result<()> {
        let done = match self.format {
            PatternFormat::Life106 => life106::each_run(self, emit),
            _ => rle::each_run(self, emit),
        };
        done.map_err(|fault| fault.in_text(self.text))
    }

    /// How many cells are alive, each counted once. Checks the whole text.
    /// Errors: INVALID_ARGUMENT with line and column; OUT_OF_MEMORY (a list of Life 1.06 is sorted).
    pub fn population(&self) -> Result<u64> {
        match self.format {
            PatternFormat::Life106 => life106::population(self),
            _ => rle::population(self).map_err(|fault| fault.in_text(self.text)),
        }
    }

    /// board ← the pattern with its upper left cell at `[row, col]`, and dead cells around it. The whole text is
    /// checked before the board is touched.
    /// Errors: INVALID_ARGUMENT (text, or a pattern that does not fit).
    pub fn read(&self, [row, col]: [usize; 2], board: &mut Board<CellsMut>) -> Result<()> {
        let fits = |from: usize, len, room| from.checked_add(len).is_some_and(|end| end <= room);
        if !fits(row, self.rows, board.rows) || !fits(col, self.cols, board.cols) {
            return Err(Error::invalid(format!(
                "a pattern of {} x {} cells at row {row}, column {col} does not fit a board of {} x {}",
                self.rows, self.cols, board.rows, board.cols
            )));
        }
        self.each_run(|_| ())?;
        board.clear();
        self.each_run(|run| board.set(Run { row: row + run.row, col: col + run.col, ..run }))
    }
}
