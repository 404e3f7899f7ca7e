//! Patterns as texts.

use std::io::Write;

use super::cursor::COORDINATE_MAX;
use super::{Board, Cells, PatternFormat};
use crate::error::{Error, Result};
use crate::model::life::{LifeBoundary, Rule};

/// A line of cells has at most this many characters.
const LINE: usize = 70;

/// What is written in front of the cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Head<'a> {
    /// AUTO is RLE.
    pub format: PatternFormat,
    pub rule: Rule,
    /// Clamped edges have no sign in RLE.
    pub boundary: LifeBoundary,
    /// Row and column of the board's upper left cell.
    pub origin: [i64; 2],
    /// One line.
    pub name: &'a [u8],
}

/// Refuses what inspect would not read back: a name of several lines, and cells too far away.
pub fn check(head: &Head, board: &Board<Cells>) -> Result<()> {
    if let Some(byte) = head.name.iter().find(|byte| matches!(byte, b'\n' | b'\r')) {
        return Err(Error::invalid(format!("the name holds byte 0x{byte:02x}; it is one line of text")));
    }
    let has_cells = board.rows > 0 && board.cols > 0;
    for (name, first, extent) in [("row", head.origin[0], board.rows), ("col", head.origin[1], board.cols)] {
        let within = -(COORDINATE_MAX as i128)..=COORDINATE_MAX as i128;
        let (first, end) = (i128::from(first), i128::from(first) + extent as i128);
        if !within.contains(&first) || (has_cells && end > *within.end() + 1) {
            return Err(Error::invalid(format!(
                "{name} is {first}, and the board reaches to {end}; what inspect reads lies within -2^62 and 2^62"
            )));
        }
    }
    Ok(())
}

/// Hands out the text of a board that was checked, piece by piece. Life 1.06 has the live cells and their places alone.
pub fn write(head: &Head, board: &Board<Cells>, mut out: impl FnMut(&[u8])) {
    match head.format {
        PatternFormat::Life106 => life106(head, board, &mut out),
        _ => {
            rle_head(head, board, &mut out);
            rle_body(board, &mut out);
        }
    }
}

fn life106(head: &Head, board: &Board<Cells>, out: &mut impl FnMut(&[u8])) {
    let [top, left] = head.origin.map(i128::from);
    out(b"#Life 1.06\n");
    let mut line = Vec::new();
    for run in board.runs() {
        for col in run.col..run.col + run.len {
            line.clear();
            let (x, y) = (left + col as i128, top + run.row as i128);
            writeln!(line, "{x} {y}").expect("a Vec takes every text");
            out(&line);
        }
    }
}

fn rle_head(head: &Head, board: &Board<Cells>, out: &mut impl FnMut(&[u8])) {
    if !head.name.is_empty() {
        for piece in [b"#N ", head.name, b"\n"] {
            out(piece);
        }
    }
    let [row, col] = head.origin;
    if [row, col] != [0, 0] {
        out(format!("#CXRLE Pos={col},{row}\n").as_bytes());
    }
    let (rows, cols) = (board.rows, board.cols);
    // Of a board without cells no size is stated: 0 would be none.
    let size = if rows > 0 && cols > 0 { format!("{cols},{rows}") } else { String::new() };
    let shape = match head.boundary {
        LifeBoundary::Torus => format!(":T{size}"),
        LifeBoundary::Dead => format!(":P{size}"),
        LifeBoundary::Clamp => String::new(),
    };
    out(format!("x = {cols}, y = {rows}, rule = {}{shape}\n", head.rule).as_bytes());
}

/// Dead cells at the end of a row, and empty rows at the end, are left out.
fn rle_body(board: &Board<Cells>, out: &mut impl FnMut(&[u8])) {
    let mut line = Line { out, text: Vec::new() };
    let (mut row, mut col) = (0, 0);
    for run in board.runs() {
        if run.row > row {
            line.token(run.row - row, '$');
            (row, col) = (run.row, 0);
        }
        line.token(run.col - col, 'b');
        line.token(run.len, 'o');
        col = run.col + run.len;
    }
    line.token(1, '!');
    line.end();
}

/// Tokens in lines that end in time.
struct Line<'a, W> {
    out: &'a mut W,
    text: Vec<u8>,
}

impl<W: FnMut(&[u8])> Line<'_, W> {
    fn token(&mut self, count: usize, tag: char) {
        let before = self.text.len();
        match count {
            0 => Ok(()),
            1 => write!(self.text, "{tag}"),
            _ => write!(self.text, "{count}{tag}"),
        }
        .expect("a Vec takes every text");
        if self.text.len() > LINE {
            (self.out)(&self.text[..before]);
            (self.out)(b"\n");
            self.text.drain(..before);
        }
    }

    fn end(mut self) {
        self.text.push(b'\n');
        (self.out)(&self.text);
    }
}
