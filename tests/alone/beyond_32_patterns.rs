//! More than 2^32 cells, and bytes of text, in patterns of Life, which need no context.

use std::ffi::{c_char, c_void};
use std::ptr::null;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::ops::life::LifeCells;
use gpumex::ops::pattern::PatternFormat;

use crate::common::*;
use crate::huge::{FAR, N, U8, on_cpu, run};

fn inspect(text: &str) -> PatternInfo {
    let mut info = PatternInfo::default();
    run!(gpumex_pattern_inspect(text.as_ptr().cast(), text.len(), &mut info));
    info
}

/// The text of a board.
fn written(cells: LifeCells, board: *const c_void, [rows, cols]: [usize; 2]) -> String {
    let (mut text, mut needed) = (vec![0u8; 1000], 0u64);
    let to = text.as_mut_ptr().cast();
    run!(gpumex_pattern_write(null(), cells as i32, board, rows, cols, to, 1000, &mut needed));
    text.truncate(needed as usize - 1);
    String::from_utf8(text).expect("ASCII")
}

/// Rows, columns, populations and coordinates beyond 2^32, without a board.
#[test]
fn patterns_of_any_size() {
    let info = inspect(&format!("x = {N}, y = {FAR}, rule = B3/S23\n{N}o{}$2bo!", FAR - 1));
    assert_eq!((info.rows, info.cols, info.population), (FAR, N, N as u64 + 1));
    let info = inspect(&format!("#Life 1.06\n-5 -{FAR}\n{N} 1\n"));
    assert_eq!((info.rows, info.cols, info.population), (FAR + 2, N + 6, 2));
    assert_eq!((info.row, info.col), (-(FAR as i64), -5));
}

#[test]
fn boards_from_and_to_texts() {
    on_cpu(5, |at| {
        let board = at.zeros(N + 8)?;
        for (cells, [rows, cols]) in
            [(LifeCells::Bits, [1, N]), (LifeCells::Bytes, [1, N]), (LifeCells::Bytes, [N, 1])]
        {
            let body = match rows {
                1 => format!("3bo{}b2o{}bo!", FAR - 4, N - FAR - 3),
                _ => format!("3$o{}$o$o{}$o!", FAR - 3, N - FAR - 2),
            };
            let text = format!("x = {cols}, y = {rows}, rule = B3/S23\n{body}\n");
            let (from, length) = (text.as_ptr().cast(), text.len());
            run!(gpumex_pattern_read(from, length, cells as i32, 0, 0, board, rows, cols));
            if rows == 1 {
                // 2^32 rows take 25 s to write.
                assert_eq!(written(cells, board, [rows, cols]), text);
            }
            match cells {
                LifeCells::Bytes => [3, FAR, FAR + 1, N - 1].map(|cell| at.holds(board, cell, [1u8])),
                LifeCells::Bits => [3, FAR, FAR + 1, N - 1].map(|cell| {
                    let [word] = at.get::<u64, 1>(board, cell / 64);
                    assert_eq!(word >> (cell % 64) & 1, 1, "cell {cell}");
                }),
            };
        }
        Some(())
    });
}

/// A text whose cells begin behind 2^32 blanks, and what is wrong with it behind them.
#[test]
fn a_long_text() {
    on_cpu(5, |at| {
        let (text, head) = (at.zeros(N)?, b"x = 5, y = 1\n");
        at.fill(U8, text, N, b' ');
        at.put(text, 0, head);
        at.put(text, FAR, b"2b4o!");
        let (from, mut info) = (text.cast_const().cast::<c_char>(), PatternInfo::default());
        // SAFETY: N bytes; a struct with its size.
        let status = unsafe { gpumex_pattern_inspect(from, N, &mut info) };
        let place = format!("line 2, column {}: a run of 4 cells", FAR + 2 - head.len() + 1);
        refused(status, Status::InvalidArgument, &[&place], "a row that is too long");

        at.put(text, FAR, b"2b3o!");
        let mut board = [7u8; 6];
        let to = board.as_mut_ptr().cast();
        run!(gpumex_pattern_read(from, N, LifeCells::Bytes as i32, 0, 1, to, 1, 6));
        assert_eq!(board, [0, 0, 0, 1, 1, 1]);
        Some(())
    });
}

/// More than 2^32 bytes of Life 1.06, 40 of them a cell.
#[test]
fn a_board_as_a_long_text() {
    on_cpu(5, |at| {
        const CELLS: usize = N / 40;
        const CORNER: i64 = 4_000_000_000_000_000_000;
        let (board, text) = (at.zeros(CELLS)?, at.zeros(40 * CELLS + 1)?);
        at.fill(U8, board, CELLS, 1u8);
        let format = PatternFormat::Life106 as i32;
        let info = PatternInfo { format, row: CORNER, col: CORNER, ..Default::default() };
        let bytes = "#Life 1.06\n".len() + 40 * CELLS + 1;
        let mut needed = 0u64;
        // The last line and the NUL do not fit.
        let (cells, capacity) = (LifeCells::Bytes as i32, 40 * CELLS + 1);
        run!(gpumex_pattern_write(&info, cells, board, 1, CELLS, text.cast(), capacity, &mut needed));
        assert_eq!(needed as usize, bytes);
        at.holds(text, capacity - 1, [0u8]);
        for cell in [0, (1 << 31) / 40, FAR / 40, CELLS - 2] {
            let line = format!("{} {CORNER}\n", CORNER + cell as i64);
            let line: [u8; 40] = line.into_bytes().try_into().expect("two numbers of 19 digits");
            at.holds(text, bytes - 1 - 40 * (CELLS - cell), line);
        }
        Some(())
    });
}
