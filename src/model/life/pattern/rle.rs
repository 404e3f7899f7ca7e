//! The cells of an RLE text: `<n>b` dead, `<n>o` live, `<n>$` ends of rows, `!` the end.

use super::cursor::{Cursor, Fault, Read};
use super::{Pattern, Run};

/// Hands out the live cells, row by row.
pub fn each_run(pattern: &Pattern, mut emit: impl FnMut(Run)) -> Read<()> {
    each_run_at(pattern, |_, run| {
        emit(run);
        Ok(())
    })
}

/// How many cells there are.
pub fn population(pattern: &Pattern) -> Read<u64> {
    let mut population = 0u64;
    each_run_at(pattern, |at, run| {
        let sum = population.checked_add(run.len as u64);
        population = sum.ok_or_else(|| Fault::new(at, "more than 2^64 - 1 live cells up to here"))?;
        Ok(())
    })?;
    Ok(population)
}

/// Hands out the live cells with the place of each run in the text.
fn each_run_at(pattern: &Pattern, mut emit: impl FnMut(usize, Run) -> Read<()>) -> Read<()> {
    let mut cursor = Cursor::new(pattern.text, pattern.body);
    let mut pen = Pen { pattern, row: 0, col: 0 };
    loop {
        cursor.skip_space();
        let at = cursor.at();
        let count = cursor.number()?;
        if count == Some(0) {
            return Err(Fault::new(at, "a number of 0; a run has at least one"));
        }
        cursor.skip_space();
        let tag = cursor;
        match (cursor.next(), count) {
            (Some(b'b' | b'.'), _) => drop(pen.run(at, count)?),
            (Some(b'o' | b'A'), _) => emit(at, pen.run(at, count)?)?,
            (Some(b'$'), _) => pen.end_rows(at, count)?,
            (Some(b'!'), None) => return Ok(()),
            (Some(b'#'), None) if tag.begins_line() => drop(cursor.comment()?),
            (_, _) => return Err(unexpected(tag, count)),
        }
    }
}

/// Where the next cell goes.
struct Pen<'a> {
    pattern: &'a Pattern<'a>,
    row: usize,
    col: usize,
}

impl Pen<'_> {
    /// The next cells of the row, which are within the header's extents.
    fn run(&mut self, at: usize, count: Option<usize>) -> Read<Run> {
        let Pen { pattern: &Pattern { rows, cols, .. }, row, col } = *self;
        let run = Run { row, col, len: count.unwrap_or(1) };
        if row >= rows {
            return Err(Fault::new(at, format!("cells in row {} of a pattern of {rows}", row + 1)));
        }
        if run.len > cols - col {
            let behind = if col > 0 { format!(" behind {}", cells(col)) } else { String::new() };
            let rule = format!("a run of {}{behind} in a row of {cols}", cells(run.len));
            return Err(Fault::new(at, rule));
        }
        self.col += run.len;
        Ok(run)
    }

    /// The end of the last row may be written, or not.
    fn end_rows(&mut self, at: usize, count: Option<usize>) -> Read<()> {
        let (rows, count) = (self.pattern.rows, count.unwrap_or(1));
        if count > rows - self.row {
            let ends = if count == 1 { "the end".to_string() } else { format!("{count} ends") };
            let rule = format!("{ends} of a row in row {} of a pattern of {rows}", self.row + 1);
            return Err(Fault::new(at, rule));
        }
        (self.row, self.col) = (self.row + count, 0);
        Ok(())
    }
}

fn cells(count: usize) -> String {
    if count == 1 { "1 cell".to_string() } else { format!("{count} cells") }
}

/// What is wrong where neither a run nor an end is next.
fn unexpected(cursor: Cursor, count: Option<usize>) -> Fault {
    let found = cursor.found();
    let behind = count.map(|count| format!(" behind {count}")).unwrap_or_default();
    let rule = match cursor.peek() {
        None => format!("the text ends{behind} without \"!\""),
        Some(b'x' | b'X') if is_header(cursor) => "a second header; a text has one".to_string(),
        Some(b'B'..=b'X' | b'p'..=b'y') => {
            format!("state {found} is that of an automaton with more than two states; b is dead, o is alive")
        }
        _ => format!("{found}{behind} is none of b, o, $ and !"),
    };
    Fault::new(cursor.at(), rule)
}

/// Whether `x =` is next.
fn is_header(mut cursor: Cursor) -> bool {
    cursor.next();
    cursor.skip_blanks();
    cursor.peek() == Some(b'=')
}
