//! The plain functions, and options that are not there.

use gpumex::ffi::{gpumex_life, life_shmem, life_texture};

use super::oracle::Game;
use crate::common::*;

type PlainLife = unsafe extern "C" fn(*const u8, usize, usize, usize, *mut u8) -> i32;

const PLAIN: [(&str, PlainLife); 2] = [("life_shmem", life_shmem), ("life_texture", life_texture)];

#[test]
fn the_plain_functions_give_the_same_cells() {
    for (name, function) in PLAIN {
        for (rows, cols, generations) in [(1, 1, 1), (1, 40, 2), (33, 31, 0), (32, 32, 3), (500, 500, 20)] {
            let what = format!("{name}, {rows} x {cols}, {generations} generations, seed 9");
            let board = random_board(9, rows * cols);
            let want = Game::new(rows, cols).after(&board, generations as u64);

            let mut next = Output::<u8>::new(rows * cols);
            // SAFETY: both hold rows*cols bytes.
            ok(unsafe { function(board.as_ptr(), rows, cols, generations, next.as_mut_ptr()) }, &what);
            assert_same(&next.written(&what), &want, &what);

            let mut both = Output::<u8>::holding(&board);
            let cells = both.as_mut_ptr();
            // SAFETY: the same array, which Life allows.
            ok(unsafe { function(cells, rows, cols, generations, cells) }, &what);
            assert_same(&both.written(&what), &want, format!("{what}, in place"));
        }
    }
}

#[test]
fn a_board_without_cells_may_be_null() {
    for (name, function) in PLAIN {
        for (rows, cols) in [(0, 0), (0, 5), (5, 0), (usize::MAX, 0), (0, usize::MAX)] {
            let what = format!("{name}, {rows} x {cols}");
            // SAFETY: no bytes.
            ok(unsafe { function(std::ptr::null(), rows, cols, usize::MAX, std::ptr::null_mut()) }, what);
        }
    }
}

#[test]
fn null_options_are_the_defaults() {
    let board = random_board(8, 19 * 23);
    let want = Game::new(19, 23).after(&board, 2);
    for ctx in backends() {
        let mut next = Output::<u8>::new(19 * 23);
        let (from, to) = (board.as_ptr().cast(), next.as_mut_ptr().cast());
        // SAFETY: both hold 19*23 bytes.
        ok(unsafe { gpumex_life(ctx.handle, std::ptr::null(), from, 19, 23, 2, to) }, "gpumex_life");
        assert_same(&next.written("gpumex_life"), &want, format!("{:?}, options NULL, seed 8", ctx.backend));
    }
}
