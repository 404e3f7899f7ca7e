//! Pattern files: inspected and read twice, compared with a plain reader, written in both formats and read back.

use std::ffi::c_void;

use gpumex_core::ffi::*;
use gpumex_core::ops::life::{LifeBoundary, LifeCells};
use gpumex_core::ops::pattern::PatternFormat;

use crate::call::{Answer, INVALID, OK, answer, text_in};
use crate::memory::within;
use crate::oracle::{self, Cells};

/// Larger boards are not read.
const CELLS: usize = 1 << 16;

/// The header's "O(length)", in bytes: lists of Life 1.06 are kept.
fn bound(text: &[u8]) -> usize {
    64 * text.len() + (16 << 10)
}

pub fn rle(text: &[u8]) {
    check(text);
}

pub fn life106(text: &[u8]) {
    check(&[b"#Life 1.06\n", text].concat());
}

pub fn inspect(text: &[u8]) -> (Answer, PatternInfo) {
    let mut info = PatternInfo::default();
    // SAFETY: the bytes of a slice, and a struct with its size.
    let status = within(bound(text), || unsafe {
        gpumex_pattern_inspect(text.as_ptr().cast(), text.len(), &raw mut info)
    });
    (answer(status), info)
}

/// The cells of a board of bytes, or those of bits, one byte each.
pub fn read(text: &[u8], layout: LifeCells, [rows, cols]: [usize; 2]) -> (Answer, Vec<u8>) {
    let words = cols.div_ceil(64);
    let (mut bytes, mut bits) = (vec![0xA5u8; rows * cols], vec![u64::MAX; rows * words]);
    let board: *mut c_void = match layout {
        LifeCells::Bytes => bytes.as_mut_ptr().cast(),
        LifeCells::Bits => bits.as_mut_ptr().cast(),
    };
    let from = text.as_ptr().cast();
    // SAFETY: the bytes of a slice; a board of this size in the layout.
    let status = within(bound(text), || unsafe {
        gpumex_pattern_read(from, text.len(), layout as i32, 0, 0, board, rows, cols)
    });
    if status == OK && layout == LifeCells::Bits {
        let bit = |i: usize| (bits[i / cols * words + i % cols / 64] >> (i % cols % 64) & 1) as u8;
        bytes = (0..rows * cols).map(bit).collect();
        let set: u32 = bits.iter().map(|word| word.count_ones()).sum();
        assert_eq!(set as usize, bytes.iter().filter(|&&cell| cell == 1).count(), "padding bits are 0");
    } else if status != OK {
        let is_kept = bytes.iter().all(|&cell| cell == 0xA5) && bits.iter().all(|&word| word == u64::MAX);
        assert!(is_kept, "a refusal leaves the board alone");
    }
    (answer(status), bytes)
}

/// The text of a board, and the answer.
pub fn write(
    info: &PatternInfo,
    layout: LifeCells,
    board: *const c_void,
    [rows, cols]: [usize; 2],
) -> (Answer, Vec<u8>) {
    let call = |text: &mut [u8]| {
        let (mut needed, to) = (0, text.as_mut_ptr().cast());
        // SAFETY: a struct with its size, a board of this size in the layout, the bytes of a slice.
        let status = unsafe {
            gpumex_pattern_write(info, layout as i32, board, rows, cols, to, text.len(), &raw mut needed)
        };
        (answer(status), needed as usize)
    };
    let (first, needed) = call(&mut []);
    if first.0 != OK {
        return (first, Vec::new());
    }
    let mut text = vec![0xA5; needed];
    assert_eq!(call(&mut text), (first.clone(), needed), "the same board needs as many bytes");
    assert_eq!(text.pop(), Some(0), "a NUL ends the text");
    let mut half = vec![0xA5; needed / 2];
    assert_eq!(call(&mut half).1, needed);
    assert!(half.pop().is_none_or(|last| last == 0) && text.starts_with(&half), "a part is the beginning");
    (first, text)
}

/// What the readers promise about any text.
fn check(text: &[u8]) {
    let (answer, info) = inspect(text);
    let (again, same) = inspect(text);
    assert_eq!((&answer, description(&info)), (&again, description(&same)), "inspected twice");
    if answer.0 != OK {
        return refused(text, &answer, &info);
    }
    let size = [info.rows, info.cols];
    if info.rows.checked_mul(info.cols).is_none_or(|cells| cells > CELLS) {
        let (tiny, _) = read(text, LifeCells::Bytes, [1, 1]);
        assert!(tiny.0 == INVALID && tiny.1.contains("does not fit"), "{tiny:?}");
        return;
    }
    let (answer, board) = read(text, LifeCells::Bytes, size);
    assert_eq!(answer.0, OK, "what is inspected is read: {answer:?}");
    assert_eq!(read(text, LifeCells::Bits, size), (answer, board.clone()), "bits and bytes");
    let cells = cells_of(&board, &info);
    assert_eq!(cells.len() as u64, info.population);
    assert_eq!(cells, plainly(text, &info), "the plain reader's cells");
    round_trip(&info, &board, &cells);
}

/// Refused with a place in the text; both readers agree.
fn refused(text: &[u8], (status, sentence): &Answer, info: &PatternInfo) {
    assert_eq!(*status, INVALID, "{sentence}");
    assert_eq!((info.rows, info.cols, info.population), (0, 0, 0), "info is left alone");
    let place = |sentence: &str| {
        let (line, rest) = sentence.strip_prefix("line ")?.split_once(", column ")?;
        Some((line.parse::<usize>().ok()?, rest.split_once(": ")?.0.parse::<usize>().ok()?))
    };
    let (line, column) = place(sentence).unwrap_or_else(|| panic!("no place in \"{sentence}\""));
    let text_of_lines = String::from_utf8_lossy(oracle::without_mark(text)).replace("\r\n", "\n\u{1}");
    let of_line = text_of_lines.split(['\n', '\r']).nth(line - 1).expect("a line of the text");
    // A wrong byte of UTF-8 is one character of three bytes here, at most.
    assert!((1..=of_line.len() + 2).contains(&column), "\"{sentence}\" in a line of {}", of_line.len());
    let (answer, _) = read(text, LifeCells::Bytes, [3, 50]);
    assert!(
        answer.0 == INVALID && (answer.1 == *sentence || answer.1.contains("does not fit")),
        "{answer:?}"
    );
}

fn plainly(text: &[u8], info: &PatternInfo) -> Cells {
    if info.format == PatternFormat::Life106 as i32 {
        return oracle::life106(text);
    }
    oracle::rle(text).into_iter().map(|[row, col]| absolute(info, row as usize, col as usize)).collect()
}

/// Where a cell of the board is; RLE states places up to 2^62, and rows behind them.
fn absolute(info: &PatternInfo, row: usize, col: usize) -> [i64; 2] {
    [info.row + row as i64, info.col + col as i64]
}

pub fn cells_of(board: &[u8], info: &PatternInfo) -> Cells {
    let live = board.iter().enumerate().filter(|(_, cell)| **cell == 1).map(|(i, _)| i);
    live.map(|i| absolute(info, i / info.cols, i % info.cols)).collect()
}

/// What a text says in front of its cells, but for the format and the stated board.
type Description = ([usize; 2], u64, i32, [i64; 2], Vec<u8>, Vec<u8>);

pub fn description(info: &PatternInfo) -> Description {
    let (size, place) = ([info.rows, info.cols], [info.row, info.col]);
    (size, info.population, info.boundary, place, text_in(&info.rule), text_in(&info.name))
}

/// Whether a board lies where the formats can say it.
pub fn is_within_range(info: &PatternInfo) -> bool {
    let end = |first: i64, extent: usize| i128::from(first) + extent as i128;
    let limit = 1i128 << 62;
    let is_empty = info.rows == 0 || info.cols == 0;
    let ends = [end(info.row, info.rows), end(info.col, info.cols)];
    [info.row, info.col].iter().all(|&at| i128::from(at).abs() <= limit)
        && (is_empty || ends.iter().all(|&end| end <= limit + 1))
}

/// Written in both formats and read back.
fn round_trip(info: &PatternInfo, board: &[u8], cells: &Cells) {
    let size = [info.rows, info.cols];
    for format in [PatternFormat::Rle, PatternFormat::Life106] {
        let head = PatternInfo { format: format as i32, ..*info };
        let (answer, text) = write(&head, LifeCells::Bytes, board.as_ptr().cast(), size);
        assert_eq!(answer.0 == OK, is_within_range(info), "{answer:?}");
        if answer.0 == OK {
            read_back(format, &text, info, cells);
        }
    }
}

/// Of RLE all that the first text said; of Life 1.06 the cells.
pub fn read_back(format: PatternFormat, text: &[u8], info: &PatternInfo, cells: &Cells) {
    let (answer, again) = inspect(text);
    assert_eq!((answer.0, again.format), (OK, format as i32), "{answer:?}: {}", text.escape_ascii());
    if format == PatternFormat::Rle {
        let longest =
            text.split(|&byte| byte == b'\n').filter(|line| !line.starts_with(b"#")).map(<[u8]>::len);
        assert!(longest.max() <= Some(70 + 40), "lines are short but for the header's");
        assert_eq!(description(&again), description(info), "{}", text.escape_ascii());
        let is_bounded = info.boundary != LifeBoundary::Clamp as i32 && info.rows > 0 && info.cols > 0;
        let stated = if is_bounded { [info.rows, info.cols] } else { [0, 0] };
        assert_eq!([again.board_rows, again.board_cols], stated);
    }
    let (answer, board) = read(text, LifeCells::Bits, [again.rows, again.cols]);
    assert_eq!(answer.0, OK, "{answer:?}");
    assert_eq!(cells_of(&board, &again), *cells, "{}", text.escape_ascii());
}
