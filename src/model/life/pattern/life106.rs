//! Life 1.06: a first line, and then "x y" for each live cell, in any order.

use super::cursor::{Cursor, Fault, Read};
use super::{Pattern, PatternFormat, Run};
use crate::error::Result;
use crate::vector::append;

const MAGIC: &[u8] = b"#Life 1.06";

/// Where the cells begin, when the text is of this format.
pub fn body_of(text: &[u8]) -> Option<usize> {
    let mut cursor = Cursor::new(text, 0);
    cursor.rest_of_line().eq_ignore_ascii_case(MAGIC).then(|| cursor.at())
}

/// Reads all cells for the sake of their bounding box.
pub fn parse(text: &[u8], body: usize) -> Read<Pattern<'_>> {
    let format = PatternFormat::Life106;
    let mut pattern = Pattern { format, text, body, ..Pattern::default() };
    let mut bounds: Option<[[i64; 2]; 2]> = None;
    each_cell(&pattern, |cell| {
        let [least, most] = bounds.get_or_insert([cell, cell]);
        for axis in 0..2 {
            least[axis] = least[axis].min(cell[axis]);
            most[axis] = most[axis].max(cell[axis]);
        }
    })?;
    if let Some([least, most]) = bounds {
        let extent = |axis: usize| most[axis].abs_diff(least[axis]) as usize + 1; // at most 2^63 + 1
        (pattern.rows, pattern.cols, pattern.origin) = (extent(0), extent(1), least);
    }
    Ok(pattern)
}

/// Hands out one cell after the other.
pub fn each_run(pattern: &Pattern, mut emit: impl FnMut(Run)) -> Read<()> {
    each_cell(pattern, |cell| {
        let [row, col] = [0, 1].map(|axis| cell[axis].abs_diff(pattern.origin[axis]) as usize);
        emit(Run { row, col, len: 1 });
    })
}

/// How many cells there are; one that is listed twice is one cell.
pub fn population(pattern: &Pattern) -> Result<u64> {
    let mut cells: Vec<Run> = Vec::new();
    let mut room = Ok(());
    pattern.each_run(|cell| {
        if room.is_ok() {
            room = append(&mut cells, [cell].into_iter());
        }
    })?;
    room?;
    cells.sort_unstable();
    cells.dedup();
    Ok(cells.len() as u64)
}

/// Reads "x y" line by line, and hands out row and column.
fn each_cell(pattern: &Pattern, mut emit: impl FnMut([i64; 2])) -> Read<()> {
    let mut cursor = Cursor::new(pattern.text, pattern.body);
    loop {
        cursor.skip_space();
        match cursor.peek() {
            None => return Ok(()),
            Some(b'#') => drop(cursor.comment()?),
            Some(_) => {
                let col = coordinate(&mut cursor, "x")?;
                let row = coordinate(&mut cursor, "y")?;
                cursor.skip_blanks();
                if !matches!(cursor.peek(), None | Some(b'\n' | b'\r')) {
                    return Err(unexpected(&cursor, "the end of the line"));
                }
                emit([row, col]);
            }
        }
    }
}

fn coordinate(cursor: &mut Cursor, name: &str) -> Read<i64> {
    cursor.skip_blanks();
    let number = cursor.integer()?.ok_or_else(|| unexpected(cursor, &format!("a whole number {name}")))?;
    match cursor.peek() {
        None | Some(b' ' | b'\t' | b'\n' | b'\r') => Ok(number),
        _ => Err(unexpected(cursor, "the end of a number")),
    }
}

fn unexpected(cursor: &Cursor, wanted: &str) -> Fault {
    let found = cursor.found();
    Fault::new(cursor.at(), format!("{found} where {wanted} should be; each line is \"x y\" of a live cell"))
}
