//! Patterns of Life as texts, RLE or Life 1.06: what they say, and from and to boards of the host.
//!
//! Source: as [`crate::model::life::pattern`].
#![forbid(unsafe_code)]

use super::life::LifeCells;
use super::require_host;
use super::text::Text;
use crate::array::{Element, Input, Output, View, ViewMut};
use crate::error::Result;
use crate::model::life::pattern::{self, Board, Cells, CellsMut};
pub use crate::model::life::pattern::{Head, Pattern, PatternFormat};

/// A board of the host, row-major, as its cells are stored.
#[derive(Clone, Copy)]
pub struct Layout {
    pub cells: LifeCells,
    pub rows: usize,
    pub cols: usize,
}

/// What a text says of its pattern, and how many of its cells are alive. Checks all of it.
///
/// text (length) bytes of the host. Cost: two passes over the text; the cells of Life 1.06 are sorted.
/// Errors: INVALID_ARGUMENT, with line and column; UNSUPPORTED (text in device memory), OUT_OF_MEMORY.
pub fn inspect<'a>(text: &Input<'a>, length: usize) -> Result<(Pattern<'a>, u64)> {
    let pattern = Pattern::parse(on_host(text.view(&[length])?)?)?;
    let population = pattern.population()?;
    Ok((pattern, population))
}

/// board ← the pattern of a text with its upper left cell at `[row, col]`, dead cells around it.
///
/// text (length) bytes, board as `layout` has it, both of the host and apart; cells are 0 or 1, padding bits 0.
/// A pattern is as large as its text says, dead cells at its edges included; it has to fit. After an error the
/// board is as it was.
/// Cost: three passes over the text and one over the board.
/// Errors: INVALID_ARGUMENT (text with line and column, fit, size, overlap), NULL_POINTER, UNSUPPORTED (device
/// memory).
pub fn read(text: &Input, length: usize, at: [usize; 2], board: Output, layout: Layout) -> Result<()> {
    let text = text.view::<u8>(&[length])?;
    let Layout { cells, rows, cols } = layout;
    match cells {
        LifeCells::Bytes => {
            let mut board = board_view::<u8>(board, layout, &text)?;
            let cells = CellsMut::Bytes(board.on_host()?);
            Pattern::parse(on_host(text)?)?.read(at, &mut Board { rows, cols, cells })
        }
        LifeCells::Bits => {
            let mut board = board_view::<u64>(board, layout, &text)?;
            let cells = CellsMut::Bits(board.on_host()?);
            Pattern::parse(on_host(text)?)?.read(at, &mut Board { rows, cols, cells })
        }
    }
}

/// text ← a board behind `head`, as far as it and a NUL at its end fit. Returns how many bytes all of it
/// takes, the NUL included.
///
/// board as `layout` has it, text (capacity) bytes, both of the host and apart; any cell ≠ 0 is alive. RLE is as
/// large as the board, in lines of at most 70 characters; Life 1.06 has the live cells alone.
/// Cost: one pass over the board. Errors: INVALID_ARGUMENT (size, overlap, name), NULL_POINTER, UNSUPPORTED
/// (device memory).
pub fn write(head: &Head, board: &Input, layout: Layout, text: Output, capacity: usize) -> Result<usize> {
    let mut text = text.view::<u8>(&[capacity])?;
    require_host(text.name(), text.place())?;
    let Layout { cells, rows, cols } = layout;
    let cells = match cells {
        LifeCells::Bytes => {
            let view = board.view(&layout.dims())?;
            text.apart(&view)?;
            Cells::Bytes(on_host(view)?)
        }
        LifeCells::Bits => {
            let view = board.view(&layout.dims())?;
            text.apart(&view)?;
            Cells::Bits(on_host(view)?)
        }
    };
    let board = Board { rows, cols, cells };
    pattern::check(head, &board)?; // before the text is begun
    let mut text = Text::new(text.on_host()?);
    pattern::write(head, &board, |piece| text.append(piece));
    Ok(text.needed())
}

impl Layout {
    /// Rows and elements of a row.
    fn dims(&self) -> [usize; 2] {
        match self.cells {
            LifeCells::Bytes => [self.rows, self.cols],
            LifeCells::Bits => [self.rows, self.cols.div_ceil(u64::BITS as usize)],
        }
    }
}

fn on_host<T: Element>(view: View<'_, T>) -> Result<&[T]> {
    require_host(view.name(), view.place())?;
    view.on_host()
}

/// A board to write, of the host and apart from the text.
fn board_view<'a, T: Element>(board: Output<'a>, layout: Layout, text: &View<u8>) -> Result<ViewMut<'a, T>> {
    let board = board.view::<T>(&layout.dims())?;
    require_host(board.name(), board.place())?;
    board.apart(text)?;
    Ok(board)
}
