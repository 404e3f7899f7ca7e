//! What holds on every board: which cells are alive, transposition, steps and more steps.

use gpumex::model::numbered::NumberedEnum;
use gpumex::ops::life::LifeBoundary::{self, Clamp, Dead, Torus};
use gpumex::ops::life::LifeCells;

use super::oracle::{Game, LIFE};
use crate::common::*;

fn transposed(board: &[u8], rows: usize, cols: usize) -> Vec<u8> {
    (0..cols * rows).map(|index| board[index % rows * cols + index / rows]).collect()
}

#[test]
fn any_cell_but_zero_is_alive_and_results_are_zero_or_one() {
    let backends = backends();
    for (rows, cols) in [(40, 50), (65, 130)] {
        let game = Game::new(rows, cols);
        let plain: Vec<u8> =
            random_board(5, rows * cols).into_iter().map(|cell| u8::from(cell != 0)).collect();
        for alive in [1, 2, 3, 4, 127, 128, 254, 255] {
            let board: Vec<u8> = plain.iter().map(|cell| cell * alive).collect();
            for generations in [0, 1, 2] {
                let what = format!("live cells are {alive}");
                let got = game.agreed(&backends, &board, generations, &what);
                assert_same(&got, &game.after(&plain, generations), &what);
            }
        }
    }
}

#[test]
fn stepping_commutes_with_transposing() {
    let (rows, cols) = (137, 283);
    let board = random_board(6, rows * cols);
    for ctx in backends() {
        for (boundary, rule) in [(Clamp, LIFE), (Dead, "B36/S23"), (Torus, LIFE), (Clamp, "B1/S05")] {
            let game = Game { boundary, rule, ..Game::new(rows, cols) };
            let across = Game { rows: cols, cols: rows, ..game };
            game.each_variant(&ctx, LifeCells::Bytes, |variant, what| {
                let stepped = game.bytes(&ctx, variant, &board, 19, false);
                let turned = across.bytes(&ctx, variant, &transposed(&board, rows, cols), 19, false);
                assert_same(&turned, &transposed(&stepped, rows, cols), format!("{what}, seed 6"));
            });
        }
    }
}

/// On a torus no place is special: a board that is moved steps as the board does.
#[test]
fn stepping_commutes_with_moving_round_a_torus() {
    let (rows, cols, down, across) = (61, 254, 17, 101);
    let game = Game { boundary: Torus, ..Game::new(rows, cols) };
    let moved = |board: &[u8]| -> Vec<u8> {
        let from = |i: usize| (i / cols + down) % rows * cols + (i % cols + across) % cols;
        (0..rows * cols).map(|i| board[from(i)]).collect()
    };
    let board = random_board(12, rows * cols);
    for ctx in backends() {
        game.each_variant(&ctx, LifeCells::Bytes, |variant, what| {
            let stepped = game.bytes(&ctx, variant, &board, 40, false);
            assert_same(&game.bytes(&ctx, variant, &moved(&board), 40, false), &moved(&stepped), what);
        });
    }
}

#[test]
fn some_generations_and_then_more_are_all_of_them() {
    for &boundary in LifeBoundary::ALL {
        let game = Game { boundary, ..Game::new(165, 330) };
        let board = random_board(7, game.cells());
        for ctx in backends() {
            game.each_variant(&ctx, LifeCells::Bytes, |variant, what| {
                for (first, then) in [(0, 5), (1, 1), (8, 8), (16, 1), (10, 7), (40, 33)] {
                    let middle = game.bytes(&ctx, variant, &board, first, false);
                    let got = game.bytes(&ctx, variant, &middle, then, false);
                    let want = game.bytes(&ctx, variant, &board, first + then, false);
                    assert_same(&got, &want, format!("{what}, {first} + {then}, seed 7"));
                }
            });
        }
    }
}
