//! gpumex_pattern_inspect, _read and _write: patterns as texts, from boards and back.

mod reading;
mod refusals;
mod writing;

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::ops::life::LifeCells;
use gpumex::ops::pattern::PatternFormat;

use crate::common::*;

const GUN: &str = include_str!("../../c_examples/patterns/gosper.rle");
const R_PENTOMINO: &str = include_str!("../../c_examples/patterns/r_pentomino.rle");
const ACORN: &str = include_str!("../../c_examples/patterns/acorn.rle");
const GLIDER: &str = include_str!("../../c_examples/patterns/glider.lif");

fn inspected(text: &[u8], info: &mut PatternInfo) -> i32 {
    // SAFETY: the bytes of a slice, and a struct with its size.
    unsafe { gpumex_pattern_inspect(text.as_ptr().cast(), text.len(), info) }
}

#[track_caller]
fn inspect(text: impl AsRef<[u8]>) -> PatternInfo {
    let (text, mut info) = (text.as_ref(), PatternInfo::default());
    ok(inspected(text, &mut info), text.escape_ascii());
    info
}

/// A board of bytes with the pattern in row and column `at`, or the status of a refusal.
fn read(text: &[u8], [row, col]: [usize; 2], [rows, cols]: [usize; 2]) -> Result<Vec<u8>, i32> {
    let mut board = Output::<u8>::new(rows * cols);
    let (from, to) = (text.as_ptr().cast(), board.as_mut_ptr().cast());
    // SAFETY: the bytes of a slice; rows*cols bytes.
    let status = unsafe { gpumex_pattern_read(from, text.len(), 0, row, col, to, rows, cols) };
    let board = board.written("gpumex_pattern_read");
    assert!(status == 0 || board.iter().all(|&cell| cell == u8::POISON), "a refusal leaves the board alone");
    if status == 0 { Ok(board) } else { Err(status) }
}

/// The pattern on a board of its own size, a line a row: "o" is alive.
#[track_caller]
fn picture(text: impl AsRef<[u8]>) -> String {
    let (text, info) = (text.as_ref(), inspect(&text));
    let board = read(text, [0, 0], [info.rows, info.cols]);
    let board = board.unwrap_or_else(|status| panic!("{}: {}", text.escape_ascii(), explain(status)));
    let alive = board.iter().filter(|&&cell| cell == 1).count() as u64;
    assert!(board.iter().all(|&cell| cell <= 1) && alive == info.population, "{alive} cells are alive");
    let draw = |row: &[u8]| row.iter().map(|&cell| if cell == 1 { 'o' } else { '.' }).collect::<String>();
    board.chunks(info.cols.max(1)).map(draw).collect::<Vec<_>>().join("\n")
}

/// Both readers refuse a text with this sentence.
#[track_caller]
fn refuses(text: impl AsRef<[u8]>, sentence: &str) {
    let text = text.as_ref();
    let (what, mut info) = (text.escape_ascii().to_string(), PatternInfo::default());
    refused(inspected(text, &mut info), Status::InvalidArgument, &[sentence], &what);
    assert_eq!((info.rows, info.format), (0, 0), "{what}: info is left alone");
    let status = read(text, [0, 0], [50, 50]).expect_err(&what);
    refused(status, Status::InvalidArgument, &[sentence], &what);
}

/// The text of a board, asked for as C programs do: the size first.
#[track_caller]
fn written(
    info: *const PatternInfo,
    cells: LifeCells,
    board: *const c_void,
    rows: usize,
    cols: usize,
) -> String {
    let mut needed = 0u64;
    let call = |text: *mut c_char, capacity, needed: &mut u64| {
        // SAFETY: a board of that size, a text of that capacity, a struct or NULL.
        unsafe { gpumex_pattern_write(info, cells as i32, board, rows, cols, text, capacity, needed) }
    };
    ok(call(null_mut(), 0, &mut needed), "the size alone");
    let (mut text, mut again) = (Output::<u8>::new(needed as usize), 0);
    ok(call(text.as_mut_ptr().cast(), needed as usize, &mut again), "gpumex_pattern_write");
    assert_eq!(again, needed, "the same board needs as many bytes");
    let mut text = text.written("gpumex_pattern_write");
    assert_eq!(text.pop(), Some(0), "a NUL ends the text");
    String::from_utf8(text).expect("patterns are ASCII here")
}

fn written_as(format: PatternFormat, board: &[u8], rows: usize, cols: usize) -> String {
    let info = PatternInfo { format: format as i32, ..PatternInfo::default() };
    written(&info, LifeCells::Bytes, board.as_ptr().cast(), rows, cols)
}

/// As a C string in a fixed buffer.
fn put<const N: usize>(text: &str) -> [c_char; N] {
    let mut buffer = [0; N];
    buffer.iter_mut().zip(text.bytes()).for_each(|(to, byte)| *to = byte as c_char);
    buffer
}

fn text_in(buffer: &[c_char]) -> String {
    let bytes: Vec<u8> = buffer.iter().map(|&byte| byte as u8).take_while(|&byte| byte != 0).collect();
    String::from_utf8(bytes).expect("UTF-8")
}

/// Bytes as bits, the padding set.
fn packed(board: &[u8], rows: usize, cols: usize) -> Vec<u64> {
    let words = cols.div_ceil(64);
    let mut bits = vec![0u64; rows * words];
    for (row, col) in (0..rows).flat_map(|row| (0..64 * words).map(move |col| (row, col))) {
        let is_set = col >= cols || board[row * cols + col] != 0;
        bits[row * words + col / 64] |= u64::from(is_set) << (col % 64);
    }
    bits
}
