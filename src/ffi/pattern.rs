//! Patterns of Life as texts: `gpumex_pattern_inspect`, `gpumex_pattern_read` and `gpumex_pattern_write`.

use std::ffi::{c_char, c_void};

use super::options::zero_default;
use super::{guard, options, write_optional};
use crate::array::{Input, Output};
use crate::error::Result;
use crate::model::life::{LifeBoundary, Rule};
use crate::model::numbered::NumberedEnum;
use crate::ops::life::LifeCells;
use crate::ops::pattern::{self, Head, Layout, Pattern, PatternFormat};

/// @brief Description of a pattern file of Life, read or to be written: GPUMEX_PATTERN_INFO_INIT.
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PatternInfo {
    /// sizeof(gpumex_pattern_info).
    pub size: usize,
    /// A gpumex_pattern_format; to write, AUTO is RLE.
    pub format: i32,
    /// A gpumex_life_boundary: TORUS where the rule ends with `:T`, DEAD with `:P` (a plane), else
    /// CLAMP.
    pub boundary: i32,
    /// Rows of the pattern; not used to write.
    pub rows: usize,
    /// Columns of the pattern; not used to write.
    pub cols: usize,
    /// Live cells; not used to write.
    pub population: u64,
    /// Row of the upper left cell: Life 1.06 the least y, RLE what `#P`, `#R` or `#CXRLE Pos`
    /// states, else 0.
    pub row: i64,
    /// Column of the upper left cell, likewise.
    pub col: i64,
    /// Rows of the board after `:T` or `:P`, 0 where none are stated; not used to write.
    pub board_rows: usize,
    /// Columns of that board; not used to write.
    pub board_cols: usize,
    /// Rule in B/S notation; to write, "" is "B3/S23".
    pub rule: [c_char; 32],
    /// Name (`#N`), truncated to fit.
    pub name: [c_char; 128],
}

zero_default!(PatternInfo, name);

/// @brief Reads the header of a pattern file of Life and checks the whole text.
///
/// RLE: lines with # (`#N`, `#r`, `#P`, `#R` and `#CXRLE` are read), a header `x = 36, y = 9, rule =
/// B3/S23` (rule optional, also `23/3`, or with `:T100,50` or `:P100,50` at its end), runs `<n>b` or
/// `<n>.` of dead and `<n>o` or `<n>A` of live cells, `<n>$` row ends, and `!`, which ends the text.
/// Life 1.06: the line `#Life 1.06` and `x y` of each live cell in any order; rows and cols are
/// those of the bounding box.
/// @param text length bytes in host memory, without a terminating NUL.
/// @param length Length of the text.
/// @param info Receives the description; set info->size (GPUMEX_PATTERN_INFO_INIT).
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (the text, with line and column;
///   info->size); UNSUPPORTED (text in device memory); OUT_OF_MEMORY.
/// @note Needs no context; thread-safe. Cost: O(length), Life 1.06 O(length*log(length)).
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_pattern_inspect(
    text: *const c_char,
    length: usize,
    info: *mut PatternInfo,
) -> i32 {
    guard("gpumex_pattern_inspect", || {
        // SAFETY: the caller's promise in the documentation above.
        let text = unsafe { Input::from_raw("text", text.cast()) };
        let (pattern, population) = pattern::inspect(&text, length)?;
        // SAFETY: info is NULL or a struct that begins with its size.
        unsafe { options::answer("info", info, info_of(&pattern, population)) }
    })
}

/// @brief Reads a pattern file of Life: board <- the pattern with its upper left cell at (row, col),
/// dead cells elsewhere.
/// @param text length bytes in host memory, in a format of gpumex_pattern_inspect.
/// @param length Length of the text.
/// @param cells Layout of the board, a gpumex_life_cells.
/// @param row Row of the pattern's upper left cell.
/// @param col Column of the pattern's upper left cell.
/// @param board Receives rows*cols cells, row-major, in host memory; unchanged after an error.
/// @param rows Rows of the board.
/// @param cols Columns of the board. The pattern, as large as gpumex_pattern_inspect says, has to
///   fit.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (the text, with line and column; a
///   pattern that does not fit; cells; a size that exceeds the address space; misalignment,
///   overlap); UNSUPPORTED (device memory); OUT_OF_MEMORY.
/// @note Needs no context; thread-safe. Cost: O(length + rows*cols).
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_pattern_read(
    text: *const c_char,
    length: usize,
    cells: i32,
    row: usize,
    col: usize,
    board: *mut c_void,
    rows: usize,
    cols: usize,
) -> i32 {
    guard("gpumex_pattern_read", || {
        let layout = Layout { cells: LifeCells::from_c("cells", cells)?, rows, cols };
        // SAFETY: the caller's promise in the documentation above.
        let (text, board) =
            unsafe { (Input::from_raw("text", text.cast()), Output::from_raw("board", board)) };
        pattern::read(&text, length, [row, col], board, layout)
    })
}

/// @brief Writes a board as a pattern file: text <- the pattern and a NUL, as far as capacity
/// allows; `*needed` <- the bytes of all of it, with the NUL.
///
/// A truncated text is a success with `*needed` > capacity. RLE describes the whole board, in lines
/// of at most 70 characters; boundaries DEAD and TORUS become `:P` and `:T`. Life 1.06 lists the
/// live cells only.
/// @param info format, rule, boundary, name, row and col to write, as gpumex_pattern_inspect sets
///   them; NULL: RLE with B3/S23.
/// @param cells Layout of the board, a gpumex_life_cells.
/// @param board rows*cols cells, row-major, in host memory.
/// @param rows Rows of the board.
/// @param cols Columns of the board.
/// @param text Receives at most capacity bytes, in host memory; NULL with capacity = 0 asks for the
///   size only.
/// @param capacity Bytes that text holds.
/// @param needed Receives the size in bytes; may be NULL.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (a number or the rule in info; a
///   name of several lines; a board that does not lie within -2^62 and 2^62; cells; a size that
///   exceeds the address space; misalignment, overlap); UNSUPPORTED (device memory; a newer info);
///   OUT_OF_MEMORY.
/// @note Needs no context; thread-safe. Cost: O(rows*cols).
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_pattern_write(
    info: *const PatternInfo,
    cells: i32,
    board: *const c_void,
    rows: usize,
    cols: usize,
    text: *mut c_char,
    capacity: usize,
    needed: *mut u64,
) -> i32 {
    guard("gpumex_pattern_write", || {
        let layout = Layout { cells: LifeCells::from_c("cells", cells)?, rows, cols };
        // SAFETY: the caller's promise in the documentation above.
        let (info, board, text) = unsafe {
            let info = options::read_named("info", info)?;
            (info, Input::from_raw("board", board), Output::from_raw("text", text.cast()))
        };
        let name = bytes_of(&info.name);
        let bytes = pattern::write(&head_of(&info, &name)?, &board, layout, text, capacity)?;
        // SAFETY: NULL, or a uint64_t by the caller's promise.
        unsafe { write_optional(needed, bytes as u64) };
        Ok(())
    })
}

fn info_of(pattern: &Pattern, population: u64) -> PatternInfo {
    let mut info = PatternInfo {
        format: pattern.format as i32,
        boundary: pattern.boundary as i32,
        rows: pattern.rows,
        cols: pattern.cols,
        population,
        ..PatternInfo::default()
    };
    ([info.row, info.col], [info.board_rows, info.board_cols]) = (pattern.origin, pattern.board);
    put(&mut info.rule, pattern.rule.to_string().as_bytes());
    put(&mut info.name, pattern.name);
    info
}

fn head_of<'a>(info: &PatternInfo, name: &'a [u8]) -> Result<Head<'a>> {
    let rule = bytes_of(&info.rule);
    let rule = match &*rule {
        b"" => Rule::LIFE,
        text => Rule::parse(&String::from_utf8_lossy(text))?,
    };
    let (format, boundary) = (
        PatternFormat::from_c("info.format", info.format)?,
        LifeBoundary::from_c("info.boundary", info.boundary)?,
    );
    Ok(Head { format, rule, boundary, origin: [info.row, info.col], name })
}

/// A text in a fixed array with a NUL behind it; one that is too long ends where a character of UTF-8 begins, without blanks.
fn put(array: &mut [c_char], text: &[u8]) {
    const LONGEST: usize = 4; // bytes of a character
    let room = array.len() - 1;
    let begins = |&end: &usize| text[end] & 0xC0 != 0x80;
    let text = match text.get(..room) {
        Some(front) if text.len() > room => {
            let end = (room - LONGEST..=room).rev().find(begins).unwrap_or(room);
            front[..end].trim_ascii_end()
        }
        _ => text,
    };
    for (to, &from) in array.iter_mut().zip(text) {
        *to = from as c_char;
    }
}

/// The text in front of the first NUL.
fn bytes_of(array: &[c_char]) -> Vec<u8> {
    array.iter().map(|&byte| byte as u8).take_while(|&byte| byte != 0).collect()
}
