//! Any description and any board, written and read back.

use std::ffi::c_void;

use gpumex_core::ffi::*;
use gpumex_core::ops::life::LifeCells;
use gpumex_core::ops::pattern::PatternFormat;

use crate::call::{Fields, INVALID, OK, put, text_in};
use crate::oracle;
use crate::pattern::{cells_of, is_within_range, read_back, write as written};

pub fn write(data: &[u8]) {
    let mut fields = Fields(data);
    let mut info = PatternInfo {
        format: i32::from(fields.byte() % 4),
        boundary: i32::from(fields.byte() % 4),
        rows: usize::from(fields.byte() % 40),
        cols: usize::from(fields.byte()),
        row: fields.number(),
        col: fields.number(),
        ..PatternInfo::default()
    };
    let [rule, name] = [fields.byte(), fields.byte()].map(usize::from);
    put(&mut info.rule, fields.bytes(rule % 32));
    put(&mut info.name, fields.bytes(name % 128));
    let layout = if fields.byte() % 2 == 0 { LifeCells::Bytes } else { LifeCells::Bits };
    let board = board(fields.0, &info);
    info.population = board.iter().filter(|&&cell| cell != 0).count() as u64;
    let bits = packed(&board, &info);
    let cells: *const c_void = match layout {
        LifeCells::Bytes => board.as_ptr().cast(),
        LifeCells::Bits => bits.as_ptr().cast(),
    };

    let (answer, text) = written(&info, layout, cells, [info.rows, info.cols]);
    let rule = match &*text_in(&info.rule) {
        b"" => oracle::rule("B3/S23"),
        text => std::str::from_utf8(text).ok().and_then(oracle::rule),
    };
    let name = text_in(&info.name);
    let is_one_line = !name.contains(&b'\n') && !name.contains(&b'\r');
    let is_valid =
        info.format <= 2 && info.boundary <= 2 && rule.is_some() && is_one_line && is_within_range(&info);
    assert_eq!(answer.0, if is_valid { OK } else { INVALID }, "{answer:?}");
    let Some(rule) = rule.filter(|_| is_valid) else { return };

    // As it is read: with the rule's digits in order, and no blanks around the name.
    (info.rule, info.name) = ([0; 32], [0; 128]);
    put(&mut info.rule, oracle::rule_text(rule).as_bytes());
    put(&mut info.name, name.trim_ascii());
    let format = if info.format == 2 { PatternFormat::Life106 } else { PatternFormat::Rle };
    read_back(format, &text, &info, &cells_of(&board, &info));
}

/// A bit of the data a cell; without more of it they are dead.
fn board(data: &[u8], info: &PatternInfo) -> Vec<u8> {
    let bit = |i: usize| data.get(i / 8).map_or(0, |byte| byte >> (i % 8) & 1);
    (0..info.rows * info.cols).map(bit).collect()
}

/// As bits, the padding set.
fn packed(board: &[u8], info: &PatternInfo) -> Vec<u64> {
    let words = info.cols.div_ceil(64);
    let mut bits = vec![u64::MAX; info.rows * words];
    for (i, _) in board.iter().enumerate().filter(|(_, cell)| **cell == 0) {
        bits[i / info.cols * words + i % info.cols / 64] &= !(1 << (i % info.cols % 64));
    }
    bits
}
