//! Long runs whose outcome everybody knows.

use gpumex::ops::life::LifeBoundary::{Dead, Torus};
use gpumex::ops::life::{LifeCells, LifeVariant};
use gpumex::platform::settings::Backend;

use super::oracle::Game;
use super::patterns::glider;
use crate::common::*;

const GUN: &[u8] = include_bytes!("../../c_examples/patterns/gosper.rle");
const R_PENTOMINO: &[u8] = include_bytes!("../../c_examples/patterns/r_pentomino.rle");
const ACORN: &[u8] = include_bytes!("../../c_examples/patterns/acorn.rle");

fn with_pattern(game: &Game, pattern: &[u8], at: [usize; 2]) -> Vec<u8> {
    let mut board = vec![0; game.cells()];
    read_pattern(pattern, at, &mut board, game.rows, game.cols);
    board
}

fn population(board: &[u8]) -> usize {
    board.iter().filter(|&&cell| cell == 1).count()
}

/// Every variant has this population after so many generations on a dead board.
fn settles(pattern: &[u8], side: usize, generations: u64, want: usize) {
    let game = Game { boundary: Dead, ..Game::new(side, side) };
    let board = with_pattern(&game, pattern, [side / 2, side / 2]);
    for ctx in backends() {
        let mut first: Option<Vec<u8>> = None;
        game.each_variant(&ctx, LifeCells::Bytes, |variant, what| {
            if ctx.backend == Backend::Cpu && variant != LifeVariant::Auto {
                return; // the others are AUTO there, or take long
            }
            let end = game.bytes(&ctx, variant, &board, generations, false);
            assert_eq!(population(&end), want, "{what}, {generations} generations");
            assert_same(&end, first.get_or_insert(end.clone()), what);
        });
    }
}

#[test]
fn the_r_pentomino_has_116_cells_at_generation_1103() {
    settles(R_PENTOMINO, 1000, 1102, 118);
    settles(R_PENTOMINO, 1000, 1103, 116);
    settles(R_PENTOMINO, 1000, 1200, 116);
}

#[test]
fn the_acorn_has_633_cells_at_generation_5206() {
    settles(ACORN, 3200, 5206, 633);
}

#[test]
fn the_gun_has_a_period_of_30_generations_and_shoots_a_glider_in_each() {
    let game = Game { boundary: Dead, ..Game::new(300, 340) };
    let gun =
        |board: &[u8]| (20..29).flat_map(|row| board[row * 340 + 30..][..36].to_vec()).collect::<Vec<_>>();
    let start = with_pattern(&game, GUN, [20, 30]);
    for ctx in backends() {
        game.each_variant(&ctx, LifeCells::Bytes, |variant, what| {
            let mut board = start.clone();
            for shots in 1..=20 {
                board = game.bytes(&ctx, variant, &board, 30, true);
                assert_same(&gun(&board), &gun(&start), format!("{what}: the gun after {shots} periods"));
                assert_eq!(population(&board), 36 + 5 * shots, "{what}: {shots} gliders");
            }
            for generations in 1..30 {
                let between = game.bytes(&ctx, variant, &start, generations, false);
                assert_ne!(gun(&between), gun(&start), "{what}: {generations} generations are no period");
            }
        });
    }
}

#[test]
fn a_glider_comes_back_round_a_torus() {
    for (rows, cols, round) in [(40, 40, 40), (17, 31, 527), (65, 260, 260), (250, 8, 1000), (481, 5, 2405)] {
        let game = Game { boundary: Torus, ..Game::new(rows, cols) };
        let start = glider(&game, 3, 2);
        for ctx in backends() {
            game.each_variant(&ctx, LifeCells::Bytes, |variant, what| {
                let end = game.bytes(&ctx, variant, &start, 4 * round, false);
                assert_same(&end, &start, format!("{what}: once round"));
                let half = game.bytes(&ctx, variant, &start, 4 * (round / 2), false);
                let there = glider(&game, 3 + round as usize / 2, 2 + round as usize / 2);
                assert_same(&half, &there, format!("{what}: half the way"));
            });
        }
    }
}
