//! Rules: any numbers of neighbours for birth and for survival, in any notation.

use gpumex::model::numbered::NumberedEnum;
use gpumex::ops::life::LifeBoundary;
use gpumex::ops::life::{LifeCells, LifeVariant};

use super::oracle::{Game, rule_of};
use crate::common::*;

const RULES: [&str; 10] = [
    "B3/S23",
    "B36/S23",
    "B2/S",
    "B/S",
    "B/S012345678",
    "B012345678/S",
    "B012345678/S012345678",
    "B0123478/S01234678",
    "B1357/S1357",
    "B8/S8",
];

const SIZES: [(usize, usize); 6] = [(1, 1), (2, 3), (33, 65), (50, 481), (129, 241), (250, 31)];

#[track_caller]
fn is_right(rule: &str, generations: &[u64]) {
    let backends = backends();
    for (rows, cols) in SIZES {
        for &boundary in LifeBoundary::ALL {
            let game = Game { boundary, rule, ..Game::new(rows, cols) };
            let board = random_board((rows + cols) as u64, rows * cols);
            for &generations in generations {
                game.agreed(&backends, &board, generations, "a rule");
            }
        }
    }
}

#[test]
fn known_rules_and_extreme_ones_are_right() {
    for rule in RULES {
        is_right(rule, &[1, 2, 17]);
    }
}

#[test]
fn random_rules_are_right() {
    let mut random = random(21);
    for _ in 0..30 {
        is_right(&rule_of(random.random_range(0..512), random.random_range(0..512)), &[9]);
    }
}

/// What lies outside a dead board stays dead, even where a cell without neighbours is born.
#[test]
fn a_board_without_cells_is_born_at_once_by_b0() {
    for ctx in backends() {
        for &boundary in LifeBoundary::ALL {
            let game = Game { boundary, rule: "B0/S", ..Game::new(70, 300) };
            let everywhere = vec![1u8; game.cells()];
            let agreed = game.agreed(std::slice::from_ref(&ctx), &vec![0; game.cells()], 1, "B0");
            assert_same(&agreed, &everywhere, "B0 in one generation");
            let after = game.agreed(std::slice::from_ref(&ctx), &vec![0; game.cells()], 2, "B0");
            assert_same(&after, &vec![0; game.cells()], "B0/S in two");
        }
    }
}

#[test]
fn notations_are_the_same_rule() {
    let game = Game { rule: "B36/S125", ..Game::new(37, 83) };
    let board = random_board(22, game.cells());
    let want = game.after(&board, 5);
    for ctx in backends() {
        for rule in ["b36/s125", "S125/B36", "125/36", "B63S521", "S125B36"] {
            let mut next = Output::<u8>::new(game.cells());
            let (from, to) = (board.as_ptr().cast(), next.as_mut_ptr().cast());
            let way = (LifeVariant::Auto, LifeCells::Bytes);
            ok(Game { rule, ..game }.call(&ctx, way, from, 5, to), rule);
            assert_same(&next.written(rule), &want, rule);
        }
    }
}
