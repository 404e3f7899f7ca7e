//! Patterns that everybody knows, and those that edges make.

use gpumex::model::numbered::NumberedEnum;
use gpumex::ops::life::LifeBoundary::{self, Clamp, Dead, Torus};

use super::oracle::Game;
use crate::common::*;

/// The cells of a picture in which every `#` is alive, as bytes of 1.
fn picture(rows: &[&str]) -> (Vec<u8>, usize, usize) {
    let cells = rows.iter().flat_map(|row| row.bytes()).map(|byte| u8::from(byte == b'#')).collect();
    (cells, rows.len(), rows[0].len())
}

/// The picture turns into `next` in one generation.
#[track_caller]
fn turns_into(boundary: LifeBoundary, what: &str, board: &[&str], next: &[&str]) {
    let (cells, rows, cols) = picture(board);
    let game = Game { boundary, ..Game::new(rows, cols) };
    assert_same(&game.agreed(&backends(), &cells, 1, what), &picture(next).0, what);
}

#[track_caller]
fn is_still(boundary: LifeBoundary, what: &str, board: &[&str]) {
    turns_into(boundary, what, board, board);
}

#[test]
fn a_board_of_one_cell_dies() {
    for &boundary in LifeBoundary::ALL {
        turns_into(boundary, "one live cell, its own eight neighbours or alone", &["#"], &["."]);
        is_still(boundary, "one dead cell", &["."]);
    }
}

#[test]
fn a_lone_live_corner_is_still_where_edges_are_clamped() {
    for n in [2, 3, 5, 16, 17, 33, 65, 241] {
        for corner in [0, n - 1, n * (n - 1), n * n - 1] {
            let mut board = vec![0u8; n * n];
            board[corner] = 1;
            let what = format!("live corner at index {corner}");
            let game = Game::new(n, n);
            assert_same(&game.agreed(&backends(), &board, 3, &what), &board, &what);
            let game = Game { boundary: Dead, ..game };
            assert_same(&game.agreed(&backends(), &board, 3, &what), &vec![0; n * n], &what);
        }
    }
}

#[test]
fn two_live_cells_in_the_middle_of_an_edge_are_still_where_edges_are_clamped() {
    is_still(Clamp, "(0,1) and (0,2) of 5 x 5", &[".##..", ".....", ".....", ".....", "....."]);
    is_still(Clamp, "(2,4) and (3,4) of 5 x 5", &[".....", ".....", "....#", "....#", "....."]);
    turns_into(Dead, "two cells", &[".##..", ".....", ".....", ".....", "....."], &["....."; 5]);
}

#[test]
fn one_live_edge_cell_off_the_corner_dies() {
    for &boundary in LifeBoundary::ALL {
        let what = "(0,2) and (3,0) of 5 x 5";
        turns_into(boundary, what, &["..#..", ".....", ".....", ".....", "....."], &["....."; 5]);
        turns_into(boundary, what, &[".....", ".....", ".....", "#....", "....."], &["....."; 5]);
    }
}

#[test]
fn a_block_stays_and_a_blinker_turns_across_the_edges_of_a_torus_too() {
    for &boundary in LifeBoundary::ALL {
        is_still(boundary, "block", &["....", ".##.", ".##.", "...."]);
        turns_into(
            boundary,
            "blinker",
            &[".....", "..#..", "..#..", "..#..", "....."],
            &[".....", ".....", ".###.", ".....", "....."],
        );
    }
    is_still(Torus, "block in the corners", &["#...#", ".....", ".....", "#...#"]);
    turns_into(
        Torus,
        "blinker across the upper edge",
        &["#....", "#....", ".....", ".....", "#...."],
        &["##..#", ".....", ".....", ".....", "....."],
    );
}

#[test]
fn a_glider_moves_one_cell_down_and_right_in_four_generations() {
    for &boundary in LifeBoundary::ALL {
        let game = Game { boundary, ..Game::new(40, 37) };
        for steps in [1, 2, 10, 30] {
            let what = format!("glider after {steps} times four generations");
            let got = game.agreed(&backends(), &glider(&game, 2, 1), 4 * steps as u64, &what);
            assert_same(&got, &glider(&game, 2 + steps, 1 + steps), what);
        }
    }
}

/// A glider whose upper left cell is there, wrapped around the edges.
pub fn glider(game: &Game, top: usize, left: usize) -> Vec<u8> {
    let mut board = vec![0u8; game.cells()];
    for (i, j) in [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)] {
        board[(top + i) % game.rows * game.cols + (left + j) % game.cols] = 1;
    }
    board
}

#[test]
fn the_known_board_has_its_known_populations() {
    let mut state: u64 = 12345;
    let mut next = || {
        state = (1103515245 * state + 12345) & 0x7fff_ffff;
        u8::from((state >> 16).is_multiple_of(4))
    };
    let board: Vec<u8> = (0..256).map(|_| next()).collect(); // of a linear congruential generator
    for (generations, want) in [(0, 68), (1, 95), (10, 56), (50, 20), (100, 11)] {
        let board = Game::new(16, 16).agreed(&backends(), &board, generations, "LCG board");
        let got: u32 = board.iter().map(|&cell| u32::from(cell)).sum();
        assert_eq!(got, want, "population of the LCG board after {generations} generations");
    }
}
