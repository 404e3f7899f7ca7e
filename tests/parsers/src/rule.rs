//! Rules of Life: one generation of a small board, and the text that a pattern file has of them.

use std::ptr::null;

use gpumex_core::ffi::*;
use gpumex_core::ops::life::{LifeBoundary, LifeCells};

use crate::call::{INVALID, OK, answer, before_nul, c_string, context, put, text_in};
use crate::memory::within;
use crate::oracle;
use crate::pattern::{inspect, write};

const SIDE: usize = 9;

pub fn rule(data: &[u8]) {
    let text = before_nul(data);
    let want = std::str::from_utf8(text).ok().and_then(oracle::rule);
    let (rule, board) = (c_string(text), std::array::from_fn(|i| (i * i % 7 % 2) as u8));
    let mut next = [0xA5u8; SIDE * SIDE];
    let options = LifeOptions {
        boundary: LifeBoundary::Dead as i32,
        rule: rule.as_ptr().cast(),
        ..LifeOptions::default()
    };
    let (from, to) = (board.as_ptr().cast(), next.as_mut_ptr().cast());
    let ctx = context();
    // SAFETY: two boards of SIDE x SIDE bytes, a C string.
    let status = within(64 << 10, || unsafe { gpumex_life(ctx, &options, from, SIDE, SIDE, 1, to) });
    let answer = answer(status);
    match want {
        None => assert!(answer.0 == INVALID && !answer.1.is_empty(), "{answer:?}"),
        Some(rule) => {
            assert_eq!(answer.0, OK, "{answer:?}");
            assert_eq!(next, step(&board, rule));
        }
    }
    if (1..32).contains(&text.len()) {
        in_a_pattern(text, want.map(oracle::rule_text));
    }
}

fn step(board: &[u8; SIDE * SIDE], [birth, survival]: [[bool; 9]; 2]) -> [u8; SIDE * SIDE] {
    std::array::from_fn(|i| {
        let [row, col] = [i / SIDE, i % SIDE];
        let near = |at: usize, of: usize| at.abs_diff(of) <= 1;
        let is_neighbour = |j: &usize| *j != i && near(j / SIDE, row) && near(j % SIDE, col);
        let live = (0..SIDE * SIDE).filter(is_neighbour).filter(|&j| board[j] == 1).count();
        u8::from(if board[i] == 1 { survival[live] } else { birth[live] })
    })
}

/// A rule is written in order; that text is the rule again.
fn in_a_pattern(text: &[u8], want: Option<String>) {
    let written = |rule: &[u8]| {
        let mut info = PatternInfo::default();
        put(&mut info.rule, rule);
        write(&info, LifeCells::Bytes, null(), [0, 0])
    };
    let (answer, pattern) = written(text);
    let Some(want) = want else { return assert_eq!(answer.0, INVALID, "{answer:?}") };
    let (_, info) = inspect(&pattern);
    assert_eq!(text_in(&info.rule), want.as_bytes());
    assert_eq!(written(want.as_bytes()).1, pattern, "the rule in order is itself");
    // As the header of a text has it.
    let header = [b"x = 0, y = 0, rule = ", text, b"\n!"].concat();
    assert_eq!(text_in(&inspect(&header).1.rule), want.as_bytes());
}
