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

/// What a text says of its pattern, and what is written in front of one. Set `size` to
/// `sizeof(gpumex_pattern_info)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PatternInfo {
    /// sizeof(gpumex_pattern_info)
    pub size: usize,
    /// a `gpumex_pattern_format`; to write, AUTO is RLE
    pub format: i32,
    /// a `gpumex_life_boundary`: TORUS where the rule ends with ":T", DEAD with ":P" (a plane), CLAMP where it
    /// states none
    pub boundary: i32,
    /// the pattern's size; not used to write
    pub rows: usize,
    /// as `rows`
    pub cols: usize,
    /// live cells; not used to write
    pub population: u64,
    /// where the upper left cell lies: of Life 1.06 the least y and x, of RLE what #P, #R or #CXRLE Pos states,
    /// else 0
    pub row: i64,
    /// as `row`
    pub col: i64,
    /// the size of the board behind ":T" or ":P", 0 where none is stated; not used to write
    pub board_rows: usize,
    /// as `board_rows`
    pub board_cols: usize,
    /// in B/S notation; to write, "" is "B3/S23"
    pub rule: [c_char; 32],
    /// of #N, as far as there is room
    pub name: [c_char; 128],
}

zero_default!(PatternInfo, name);

/// *info <- what a text says of its pattern. The whole text is checked; where it breaks a rule, the sentence of
/// gpumex_last_error says in which line and column.
///
/// text: `length` bytes of the host, without a NUL at their end. RLE: lines that begin with #, of which #N,
/// #r, #P, #R and #CXRLE count; a header "x = 36, y = 9, rule = B3/S23" (the rule may be missing, be "23/3", or
/// end with ":T100,50" or ":P100,50"); runs <n>b or <n>. of dead and <n>o or <n>A of live cells, <n>$ ends of rows,
/// and "!", behind which nothing is read. Life 1.06: the line "#Life 1.06", and "x y" of each live cell, in any
/// order, each as often as you like; rows and cols are the cells' bounding box. No context is needed.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (text, size), UNSUPPORTED (text in device memory), OUT_OF_MEMORY.
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

/// board <- the pattern of a text, with its upper left cell in row `row` and column `col`, and dead cells around
/// it.
///
/// text: `length` bytes, as gpumex_pattern_inspect takes it. board: rows*cols cells, row-major, as the
/// `gpumex_life_cells` say; both are memory of the host. A pattern is as large as gpumex_pattern_inspect says, dead
/// cells at its edges included, and has to fit. No context is needed. After an error the board is as it was.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (text, with line and column; a pattern that does not fit; size, overlap),
/// UNSUPPORTED (device memory).
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

/// text <- a board as a pattern, as far as text has room, and a NUL; *needed <- the bytes that all of it takes, the
/// NUL included. A text that was cut is a success with *needed > capacity; text = NULL with capacity = 0 asks for
/// the size alone.
///
/// info: NULL for RLE with rule B3/S23, or format, rule, boundary, name, row and col to write; what
/// gpumex_pattern_inspect gave can be handed back. RLE is as large as the board, in lines of at most 70 characters;
/// boundary DEAD and TORUS become ":P" and ":T". Life 1.06 has the places of the live cells and nothing else.
/// board: rows*cols cells, row-major, as the `gpumex_life_cells` say, in memory of the host, as text is. needed may
/// be NULL. No context is needed.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (a number or the rule in info, a name of several lines, size, overlap),
/// UNSUPPORTED (device memory).
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

/// A text in a fixed room with a NUL behind it; one that is too long ends where a character of UTF-8 begins.
fn put(room: &mut [c_char], text: &[u8]) {
    let mut len = text.len().min(room.len() - 1);
    while len < text.len() && len > 0 && text[len] & 0xC0 == 0x80 {
        len -= 1;
    }
    for (to, &from) in room.iter_mut().zip(&text[..len]) {
        *to = from as c_char;
    }
}

/// The text in front of the first NUL.
fn bytes_of(room: &[c_char]) -> Vec<u8> {
    room.iter().map(|&byte| byte as u8).take_while(|&byte| byte != 0).collect()
}
