//! Life: every variant on every backend gives the cells of a plain loop.

mod common;

use common::*;
use gpumex::ffi::{life_shmem, life_texture};
use gpumex::ops::life::LifeVariant;

// -------------------------------------------------------------------------------------------------------- the oracle

/// Is the cell alive that is nearest to (i, j) on the board?
fn is_alive(board: &[u8], rows: usize, cols: usize, i: i64, j: i64) -> bool {
    let (i, j) = (i.clamp(0, rows as i64 - 1), j.clamp(0, cols as i64 - 1));
    board[i as usize * cols + j as usize] != 0
}

/// The rule as Conway tells it: two or three neighbours keep a cell alive, three wake a dead one.
fn rule(is_alive: bool, neighbours: usize) -> bool {
    match neighbours {
        2 => is_alive,
        3 => true,
        _ => false,
    }
}

const AROUND: [(i64, i64); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

fn step(board: &[u8], rows: usize, cols: usize) -> Vec<u8> {
    let mut next = Vec::with_capacity(board.len());
    for i in 0..rows as i64 {
        for j in 0..cols as i64 {
            let neighbours =
                AROUND.iter().filter(|(di, dj)| is_alive(board, rows, cols, i + di, j + dj)).count();
            next.push(rule(is_alive(board, rows, cols, i, j), neighbours).into());
        }
    }
    next
}

fn expected(board: &[u8], rows: usize, cols: usize, generations: u64) -> Vec<u8> {
    let start = board.iter().map(|&cell| (cell != 0).into()).collect();
    (0..generations).fold(start, |board: Vec<u8>, _| step(&board, rows, cols))
}

/// One cell after a few generations, for boards that are too large to step as a whole. The cell lies on the board.
fn expected_cell(board: &[u8], rows: usize, cols: usize, i: i64, j: i64, generations: u32) -> bool {
    let (i, j) = (i.clamp(0, rows as i64 - 1), j.clamp(0, cols as i64 - 1));
    if generations == 0 {
        return is_alive(board, rows, cols, i, j);
    }
    let before = |i: i64, j: i64| expected_cell(board, rows, cols, i, j, generations - 1);
    let neighbours = AROUND.iter().filter(|(di, dj)| before(i + di, j + dj)).count();
    rule(before(i, j), neighbours)
}

// ------------------------------------------------------------------------------------------------------------ helpers

/// The board after some generations, which all variants on all backends have agreed on, in place and apart.
#[track_caller]
fn agreed(
    backends: &[Context],
    board: &[u8],
    rows: usize,
    cols: usize,
    generations: u64,
    what: &str,
) -> Vec<u8> {
    let want = expected(board, rows, cols, generations);
    for ctx in backends {
        for variant in ctx.variants() {
            let what =
                format!("{what}, {:?}, {variant:?}, {rows} x {cols}, {generations} generations", ctx.backend);
            assert_same(&life(ctx, variant, board, rows, cols, generations), &want, &what);
            let in_place = life_in_place(ctx, variant, board, rows, cols, generations);
            assert_same(&in_place, &want, format!("{what}, in place"));
        }
    }
    want
}

/// The cells of a picture in which every `#` is alive, as bytes of 1.
fn picture(rows: &[&str]) -> (Vec<u8>, usize, usize) {
    let cells = rows.iter().flat_map(|row| row.bytes()).map(|byte| u8::from(byte == b'#')).collect();
    (cells, rows.len(), rows[0].len())
}

/// The picture turns into `next` in one generation.
#[track_caller]
fn turns_into(what: &str, board: &[&str], next: &[&str]) {
    let (cells, rows, cols) = picture(board);
    assert_same(&agreed(&backends(), &cells, rows, cols, 1, what), &picture(next).0, what);
}

#[track_caller]
fn is_still(what: &str, board: &[&str]) {
    turns_into(what, board, board);
}

fn transposed(board: &[u8], rows: usize, cols: usize) -> Vec<u8> {
    (0..cols * rows).map(|index| board[index % rows * cols + index / rows]).collect()
}

/// The board of a linear congruential generator whose populations are known.
fn known_board() -> Vec<u8> {
    let mut state: u64 = 12345;
    let mut next = || {
        state = (1103515245 * state + 12345) & 0x7fff_ffff;
        u8::from((state >> 16).is_multiple_of(4))
    };
    (0..256).map(|_| next()).collect()
}

// ------------------------------------------------------------------------------------------------------------ patterns

#[test]
fn a_board_of_one_cell_dies() {
    turns_into("one live cell, its own eight neighbours", &["#"], &["."]);
    is_still("one dead cell", &["."]);
}

#[test]
fn a_lone_live_corner_is_a_still_life() {
    for n in [2, 3, 5, 16, 17, 33] {
        for corner in [0, n - 1, n * (n - 1), n * n - 1] {
            let mut board = vec![0u8; n * n];
            board[corner] = 1;
            let what = format!("live corner at index {corner}");
            assert_same(&agreed(&backends(), &board, n, n, 3, &what), &board, &what);
        }
    }
}

#[test]
fn two_live_cells_in_the_middle_of_an_edge_are_a_still_life() {
    is_still("(0,1) and (0,2) of 5 x 5", &[".##..", ".....", ".....", ".....", "....."]);
    is_still("(2,4) and (3,4) of 5 x 5", &[".....", ".....", "....#", "....#", "....."]);
}

#[test]
fn one_live_edge_cell_off_the_corner_dies() {
    turns_into("(0,2) of 5 x 5", &["..#..", ".....", ".....", ".....", "....."], &["....."; 5]);
    turns_into("(3,0) of 5 x 5", &[".....", ".....", ".....", "#....", "....."], &["....."; 5]);
}

#[test]
fn a_block_stays_and_a_blinker_turns() {
    is_still("block", &["....", ".##.", ".##.", "...."]);
    turns_into(
        "blinker",
        &[".....", "..#..", "..#..", "..#..", "....."],
        &[".....", ".....", ".###.", ".....", "....."],
    );
}

#[test]
fn a_glider_moves_one_cell_down_and_right_in_four_generations() {
    let (rows, cols) = (40, 37);
    let glider_at = |top: usize, left: usize| {
        let mut board = vec![0u8; rows * cols];
        for (i, j) in [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)] {
            board[(top + i) * cols + left + j] = 1;
        }
        board
    };
    for steps in [1, 2, 10, 30] {
        let what = format!("glider after {steps} times four generations");
        let got = agreed(&backends(), &glider_at(2, 1), rows, cols, 4 * steps as u64, &what);
        assert_same(&got, &glider_at(2 + steps, 1 + steps), what);
    }
}

#[test]
fn the_known_board_has_its_known_populations() {
    for (generations, want) in [(0, 68), (1, 95), (10, 56), (50, 20), (100, 11)] {
        let board = agreed(&backends(), &known_board(), 16, 16, generations, "LCG board");
        let got: u32 = board.iter().map(|&cell| u32::from(cell)).sum();
        assert_eq!(got, want, "population of the LCG board after {generations} generations");
    }
}

// -------------------------------------------------------------------------------------------------------------- sizes

#[test]
fn every_small_size_is_right_in_every_variant() {
    let lengths = [1, 2, 3, 5, 15, 16, 17, 31, 32, 33, 34, 64, 65];
    let backends = backends();
    for (r, rows) in lengths.into_iter().enumerate() {
        for (c, cols) in lengths.into_iter().enumerate() {
            let seed = (100 * r + c) as u64;
            let board = random_board(seed, rows * cols);
            for generations in [0, 1, 2, 3] {
                agreed(&backends, &board, rows, cols, generations, &format!("seed {seed}"));
            }
        }
    }
}

#[test]
fn long_boards_of_one_to_three_rows_or_columns_are_right() {
    let backends = backends();
    for n in [4, 7, 63, 127, 128, 129, 255, 256, 257, 1000, 4095, 4096, 4097, 8193, 70_001] {
        for (rows, cols) in [(1, n), (n, 1), (2, n), (n, 2), (3, n), (n, 3)] {
            let seed = n as u64;
            for generations in [1, 4] {
                agreed(
                    &backends,
                    &random_board(seed, rows * cols),
                    rows,
                    cols,
                    generations,
                    &format!("seed {seed}"),
                );
            }
        }
    }
}

#[test]
fn boards_around_32_are_right_after_100_generations() {
    let backends = backends();
    for rows in [31, 32, 33] {
        for cols in [31, 32, 33] {
            let seed = (rows * 100 + cols) as u64;
            for generations in [99, 100] {
                agreed(
                    &backends,
                    &random_board(seed, rows * cols),
                    rows,
                    cols,
                    generations,
                    &format!("seed {seed}"),
                );
            }
        }
    }
}

#[test]
fn the_board_of_the_published_example_is_right() {
    let backends = backends();
    for (seed, generations) in [(1, 1), (2, 3), (3, 100)] {
        agreed(&backends, &random_board(seed, 500 * 500), 500, 500, generations, &format!("seed {seed}"));
    }
}

#[test]
fn a_board_of_4097_by_1023_is_right() {
    let (backends, board) = (backends(), random_board(4, 4097 * 1023));
    agreed(&backends, &board, 4097, 1023, 1, "seed 4");
    agreed(&backends, &board, 1023, 4097, 2, "seed 4");
}

// ------------------------------------------------------------------------------------------------------------ meaning

#[test]
fn any_cell_but_zero_is_alive_and_results_are_zero_or_one() {
    let backends = backends();
    let plain: Vec<u8> = random_board(5, 40 * 50).into_iter().map(|cell| u8::from(cell != 0)).collect();
    for alive in [1, 2, 3, 4, 127, 128, 254, 255] {
        let board: Vec<u8> = plain.iter().map(|cell| cell * alive).collect();
        for generations in [0, 1, 2] {
            let what = format!("live cells are {alive}");
            let got = agreed(&backends, &board, 40, 50, generations, &what);
            assert_same(&got, &expected(&plain, 40, 50, generations), &what);
        }
    }
}

#[test]
fn stepping_commutes_with_transposing() {
    let (rows, cols) = (37, 83);
    let board = random_board(6, rows * cols);
    for ctx in backends() {
        for variant in ctx.variants() {
            let stepped = life(&ctx, variant, &board, rows, cols, 7);
            let turned = life(&ctx, variant, &transposed(&board, rows, cols), cols, rows, 7);
            let what = format!("{:?}, {variant:?}, {rows} x {cols}, seed 6", ctx.backend);
            assert_same(&turned, &transposed(&stepped, rows, cols), what);
        }
    }
}

#[test]
fn some_generations_and_then_more_are_all_of_them() {
    let (rows, cols) = (65, 130);
    let board = random_board(7, rows * cols);
    for ctx in backends() {
        for variant in ctx.variants() {
            for (first, then) in [(0, 5), (1, 1), (2, 3), (3, 4), (10, 7)] {
                let middle = life(&ctx, variant, &board, rows, cols, first);
                let got = life(&ctx, variant, &middle, rows, cols, then);
                let want = life(&ctx, variant, &board, rows, cols, first + then);
                assert_same(&got, &want, format!("{:?}, {variant:?}, {first} + {then}, seed 7", ctx.backend));
            }
        }
    }
}

#[test]
fn null_options_are_the_defaults() {
    let board = random_board(8, 19 * 23);
    let want = expected(&board, 19, 23, 2);
    for ctx in backends() {
        let mut next = Output::<u8>::new(19 * 23);
        let (from, to) = (board.as_ptr().cast(), next.as_mut_ptr().cast());
        // SAFETY: both hold 19*23 bytes.
        ok(
            unsafe { gpumex::ffi::gpumex_life(ctx.token, std::ptr::null(), from, 19, 23, 2, to) },
            "gpumex_life",
        );
        assert_same(&next.written("gpumex_life"), &want, format!("{:?}, options NULL, seed 8", ctx.backend));
    }
}

// ------------------------------------------------------------------------------------------------- the plain functions

type PlainLife = unsafe extern "C" fn(*const u8, usize, usize, usize, *mut u8) -> i32;

const PLAIN: [(&str, PlainLife); 2] = [("life_shmem", life_shmem), ("life_texture", life_texture)];

#[test]
fn the_plain_functions_give_the_same_cells() {
    for (name, function) in PLAIN {
        for (rows, cols, generations) in [(1, 1, 1), (1, 40, 2), (33, 31, 0), (32, 32, 3), (500, 500, 20)] {
            let what = format!("{name}, {rows} x {cols}, {generations} generations, seed 9");
            let board = random_board(9, rows * cols);
            let want = expected(&board, rows, cols, generations as u64);

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

// ---------------------------------------------------------------------------------------------------- more than 2^27

/// A linear texture ends after 2^27 cells; the boards here are larger, some of them in one row.
#[test]
fn boards_larger_than_a_texture_are_right_on_cuda() {
    let Some(ctx) = Context::cuda() else { return };
    let long = (1 << 27) + 4099;
    for (rows, cols) in [(11_600, 11_600), (3, 45_000_000), (45_000_000, 3), (1, long), (long, 1)] {
        let generations = 2;
        let board = random_board(10, rows * cols);
        let shmem = life(&ctx, LifeVariant::Shmem, &board, rows, cols, generations);
        for variant in [LifeVariant::Texture, LifeVariant::Arrays] {
            let got = life(&ctx, variant, &board, rows, cols, generations);
            assert_same(&got, &shmem, format!("{variant:?} against Shmem, {rows} x {cols}, seed 10"));
        }
        for index in cells_to_look_at(rows, cols) {
            let (i, j) = ((index / cols) as i64, (index % cols) as i64);
            let want = expected_cell(&board, rows, cols, i, j, generations as u32);
            let got = shmem[index];
            assert_eq!(
                got,
                want.into(),
                "Shmem, {rows} x {cols}, seed 10: index {index}, row {i}, column {j}"
            );
        }
    }
}

/// Whole stretches at both ends, around the powers of two that limit textures, and cells anywhere.
fn cells_to_look_at(rows: usize, cols: usize) -> Vec<usize> {
    let cells = rows * cols;
    let around = |index: usize| index.saturating_sub(2000)..(index + 2000).min(cells);
    let places = [0, cols, 1 << 26, 1 << 27, cells - cols, cells];
    let mut random = random(11);
    let anywhere = (0..20_000).map(|_| random.random_range(0..cells));
    places.into_iter().flat_map(around).chain(anywhere).collect()
}
