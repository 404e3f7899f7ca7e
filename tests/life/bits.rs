//! Boards of bits: padding, steps that go on from them, and every place where they may lie.

use gpumex::error::Status;
use gpumex::model::numbered::NumberedEnum;
use gpumex::ops::life::LifeBoundary::{self, Clamp, Dead, Torus};
use gpumex::ops::life::{LifeCells, LifeVariant};

use super::oracle::{Game, LIFE};
use crate::common::*;

const SIZES: [(usize, usize); 5] = [(1, 1), (33, 65), (130, 191), (61, 241), (700, 500)];

#[test]
fn padding_is_ignored_and_comes_back_as_zeros() {
    for (rows, cols) in SIZES {
        for (boundary, rule) in [(Clamp, LIFE), (Dead, "B0/S"), (Torus, "B012345678/S012345678")] {
            let game = Game { boundary, rule, ..Game::new(rows, cols) };
            let board = random_board(31, game.cells());
            for ctx in backends() {
                for generations in [0, 1, 8, 25] {
                    let want = game.packed(&game.after(&board, generations), None);
                    game.each_variant(&ctx, LifeCells::Bits, |variant, what| {
                        for padding in [None, Some(32), Some(33)] {
                            let from = game.packed(&board, padding);
                            let got = game.bits(&ctx, variant, &from, generations, false);
                            assert_same(&got, &want, format!("{what}, {generations}, padding {padding:?}"));
                        }
                    });
                }
            }
        }
    }
}

#[test]
fn a_caller_who_steps_on_never_unpacks() {
    for (rows, cols) in SIZES {
        for &boundary in LifeBoundary::ALL {
            let game = Game { boundary, ..Game::new(rows, cols) };
            let board = random_board(34, game.cells());
            let want = game.packed(&game.after(&board, 17), None);
            for ctx in backends() {
                game.each_variant(&ctx, LifeCells::Bits, |variant, what| {
                    let ten = game.bits(&ctx, variant, &game.packed(&board, Some(1)), 10, false);
                    let seventeen = game.bits(&ctx, variant, &ten, 7, true);
                    assert_same(&seventeen, &want, format!("{what}, 10 + 7 generations, seed 34"));
                });
            }
        }
    }
}

#[test]
fn boards_of_bits_lie_everywhere() {
    for (rows, cols, generations) in [(130, 191, 17), (1501, 1499, 8)] {
        let game = Game { boundary: Torus, ..Game::new(rows, cols) };
        let board = random_board(35, game.cells());
        let (from, want) =
            (game.packed(&board, Some(2)), game.packed(&game.after(&board, generations), None));
        for ctx in backends() {
            game.each_variant(&ctx, LifeCells::Bits, |variant, what| {
                for source in EVERYWHERE {
                    let way = (variant, LifeCells::Bits);
                    for target in EVERYWHERE {
                        let what = format!("{what}, from {source:?} to {target:?}");
                        let mut board = Placed::holding(&ctx, source, &from);
                        let mut next = Placed::<u64>::new(&ctx, target, from.len());
                        ok(game.call(&ctx, way, board.as_ptr(), generations, next.as_mut_ptr()), &what);
                        assert_same(&next.written(), &want, &what);
                        assert_same(&board.written(), &from, format!("{what}: the board"));
                    }
                    let mut both = Placed::holding(&ctx, source, &from);
                    let at = both.as_mut_ptr();
                    ok(game.call(&ctx, way, at, generations, at), what);
                    assert_same(&both.written(), &want, format!("{what}, in place at {source:?}"));
                }
            });
        }
    }
}

#[test]
fn boards_of_bytes_lie_everywhere() {
    let game = Game { boundary: Dead, ..Game::new(257, 511) };
    let board = random_board(36, game.cells());
    let want = game.after(&board, 17);
    for ctx in backends() {
        game.each_variant(&ctx, LifeCells::Bytes, |variant, what| {
            for (source, target) in
                EVERYWHERE.into_iter().flat_map(|one| EVERYWHERE.map(|other| (one, other)))
            {
                let what = format!("{what}, from {source:?} to {target:?}");
                let mut from = Placed::holding(&ctx, source, &board);
                let mut next = Placed::<u8>::new(&ctx, target, board.len());
                let way = (variant, LifeCells::Bytes);
                ok(game.call(&ctx, way, from.as_ptr(), 17, next.as_mut_ptr()), &what);
                assert_same(&next.written(), &want, &what);
            }
        });
    }
}

#[test]
fn boards_of_bits_that_are_too_short_are_refused() {
    let game = Game::new(130, 191); // 130 rows of 3 words
    let way = (LifeVariant::Auto, LifeCells::Bits);
    for ctx in backends() {
        for kind in EVERYWHERE.into_iter().flatten() {
            let mut enough = Placed::<u64>::new(&ctx, Some(kind), 390);
            let mut at = std::ptr::null_mut();
            // SAFETY: a pointer to write to.
            ok(unsafe { gpumex::ffi::gpumex_malloc(ctx.handle, kind as i32, 3112, &mut at) }, "a word less");
            let what = format!("{kind:?} memory on {:?}", ctx.backend);
            for (name, status) in [
                ("board", game.call(&ctx, way, at, 1, enough.as_mut_ptr())),
                ("next", game.call(&ctx, way, enough.as_ptr(), 1, at)),
            ] {
                assert_eq!(status, Status::InvalidArgument as i32, "{name} in {what}");
            }
            says(&["next", "has 3112 bytes, 3120 are needed"], &what);
            ok(gpumex::ffi::gpumex_free(at), what);
        }
    }
}
