//! What is written, and what comes back.

use std::ptr::{null, null_mut};

use gpumex::ffi::*;
use gpumex::ops::life::{LifeBoundary, LifeCells};
use gpumex::ops::pattern::PatternFormat;

use super::*;
use crate::common::*;

#[test]
fn the_gun_is_written_as_it_was_read() {
    let info = inspect(GUN);
    let board = read(GUN.as_bytes(), [0, 0], [9, 36]).expect("it fits");
    let body = |text: &str| text.split_once("x = 36").map(|(_, rest)| rest.to_string());
    let text = written(&info, LifeCells::Bytes, board.as_ptr().cast(), 9, 36);
    assert_eq!(body(&text), body(GUN));
    assert!(text.starts_with("#N Gosper glider gun\nx = 36, y = 9, rule = B3/S23\n"), "{text}");
    assert_eq!(body(&written(null(), LifeCells::Bytes, board.as_ptr().cast(), 9, 36)), body(GUN));
}

#[test]
fn the_head_is_written() {
    let board = [1u8, 0, 0, 7];
    let write = |info: PatternInfo| written(&info, LifeCells::Bytes, board.as_ptr().cast(), 2, 2);
    let info = PatternInfo {
        boundary: LifeBoundary::Torus as i32,
        row: -4,
        col: 5,
        rule: put("36/23"),
        name: put("two \u{e9}"),
        ..PatternInfo::default()
    };
    let want = "#N two \u{e9}\n#CXRLE Pos=5,-4\nx = 2, y = 2, rule = B23/S36:T2,2\no$bo!\n";
    assert_eq!(write(info), want);
    let again = inspect(want);
    assert_eq!((again.boundary, again.row, again.col, again.board_rows), (2, -4, 5, 2));
    let dead = PatternInfo { boundary: LifeBoundary::Dead as i32, ..PatternInfo::default() };
    assert_eq!(write(dead), "x = 2, y = 2, rule = B3/S23:P2,2\no$bo!\n");
    let empty = written(&dead, LifeCells::Bytes, null(), 0, 5);
    assert_eq!(empty, "x = 5, y = 0, rule = B3/S23:P\n!\n", "0 is no size of a board");
    assert_eq!(inspect(empty).boundary, LifeBoundary::Dead as i32);
    let list = PatternInfo { format: PatternFormat::Life106 as i32, ..info };
    assert_eq!(write(list), "#Life 1.06\n5 -4\n6 -3\n");
}

#[test]
fn rows_without_cells_take_no_time() {
    for (rows, cols) in [(1 << 40, 0), (usize::MAX, 0), (0, usize::MAX)] {
        let text = written(null(), LifeCells::Bytes, null(), rows, cols);
        assert_eq!(text, format!("x = {cols}, y = {rows}, rule = B3/S23\n!\n"));
    }
}

#[test]
fn every_name_that_is_read_is_written() {
    for name in ["a\tb", "a\u{7f}b", "a\u{1}b", "two words"] {
        let info = inspect(format!("#N {name}\nx = 1, y = 1\no!"));
        let text = written(&info, LifeCells::Bytes, [1u8].as_ptr().cast(), 1, 1);
        assert!(text.starts_with(&format!("#N {name}\n")), "{text}");
    }
}

#[test]
fn random_boards_come_back_from_both_formats() {
    for (seed, &(rows, cols)) in
        [(1, 1), (1, 70), (70, 1), (31, 33), (64, 64), (65, 63), (17, 129), (128, 200), (3, 1021)]
            .iter()
            .enumerate()
    {
        let board = random_board(seed as u64, rows * cols);
        let want: Vec<u8> = board.iter().map(|&cell| (cell != 0).into()).collect();
        let bits = packed(&board, rows, cols);
        for format in [PatternFormat::Auto, PatternFormat::Rle, PatternFormat::Life106] {
            let what = format!("{format:?}, {rows} x {cols}");
            let text = written_as(format, &board, rows, cols);
            assert!(text.lines().all(|line| line.len() <= 70), "{what}: a line of more than 70 characters");
            let info = PatternInfo { format: format as i32, ..PatternInfo::default() };
            let same = written(&info, LifeCells::Bits, bits.as_ptr().cast(), rows, cols);
            assert_same(same.as_bytes(), text.as_bytes(), format!("{what}, bits"));

            let info = inspect(&text);
            assert_eq!(info.population, want.iter().map(|&cell| u64::from(cell)).sum::<u64>(), "{what}");
            let at = [info.row as usize, info.col as usize];
            let again = read(text.as_bytes(), at, [rows, cols]);
            assert_same(&again.unwrap_or_else(|status| panic!("{what}: {}", explain(status))), &want, &what);
            assert_same(&read_bits(&text, at, rows, cols), &unpadded(&bits, cols), format!("{what}, bits"));
        }
    }
}

fn read_bits(text: &str, [row, col]: [usize; 2], rows: usize, cols: usize) -> Vec<u64> {
    let mut board = Output::<u64>::new(rows * cols.div_ceil(64));
    let (from, to) = (text.as_ptr().cast(), board.as_mut_ptr().cast());
    // SAFETY: the bytes of a string; rows of whole words.
    ok(unsafe { gpumex_pattern_read(from, text.len(), 1, row, col, to, rows, cols) }, "bits");
    board.written("gpumex_pattern_read")
}

fn unpadded(bits: &[u64], cols: usize) -> Vec<u64> {
    let words = cols.div_ceil(64);
    let last = u64::MAX >> (64 * words - cols);
    let is_last = |i: usize| (i + 1).is_multiple_of(words);
    bits.iter().enumerate().map(|(i, &word)| if is_last(i) { word & last } else { word }).collect()
}

#[test]
fn a_text_is_cut_to_its_capacity_and_the_size_is_told() {
    let whole = "x = 2, y = 1, rule = B3/S23\n2o!\n";
    for capacity in 0..=whole.len() + 2 {
        let (mut text, mut needed) = (Output::<u8>::new(capacity), 0);
        let (from, to) = ([1u8, 1].as_ptr().cast(), text.as_mut_ptr().cast());
        // SAFETY: two cells, and a text of that capacity.
        let status = unsafe { gpumex_pattern_write(null(), 0, from, 1, 2, to, capacity, &mut needed) };
        ok(status, format!("capacity {capacity}"));
        assert_eq!(needed, whole.len() as u64 + 1);
        let text = text.written(format!("capacity {capacity}"));
        let want = &whole.as_bytes()[..whole.len().min(capacity.saturating_sub(1))];
        assert!(capacity == 0 || (text.starts_with(want) && text[want.len()] == 0), "capacity {capacity}");
    }
    // SAFETY: needed may be NULL.
    ok(unsafe { gpumex_pattern_write(null(), 0, null(), 0, 0, null_mut(), 0, null_mut()) }, "needed is NULL");
}
