//! Awkward sizes: around words, tiles, strips and patches, primes, and long boards.

use gpumex::model::numbered::NumberedEnum;
use gpumex::ops::life::LifeBoundary::{self, Clamp, Dead, Torus};
use gpumex::ops::life::LifeVariant;

use super::oracle::Game;
use crate::common::*;

/// Around the powers of two, the 240 columns of a strip and the 248 inner rows of a patch; primes.
const LENGTHS: [usize; 27] = [
    1, 2, 3, 7, 31, 32, 33, 61, 63, 64, 65, 97, 127, 128, 129, 239, 240, 241, 247, 248, 249, 255, 256, 257,
    479, 480, 481,
];

/// Around the 8 and 16 generations of a launch.
const GENERATIONS: [u64; 9] = [0, 1, 2, 7, 8, 9, 15, 16, 17];

/// Every pair of lengths, with B3/S23 and another rule, each after one of the numbers of generations.
fn every_pair(boundary: LifeBoundary) {
    let backends = backends();
    for (r, rows) in LENGTHS.into_iter().enumerate() {
        for (c, cols) in LENGTHS.into_iter().enumerate() {
            let seed = (100 * r + c) as u64;
            let board = random_board(seed, rows * cols);
            let life = Game { boundary, ..Game::new(rows, cols) };
            for (turn, game) in [life, Game { rule: "B36/S125", ..life }].into_iter().enumerate() {
                let generations = GENERATIONS[(r + c + 4 * turn) % GENERATIONS.len()];
                let want = game.after(&board, generations);
                let in_place = [(r + turn) % 2 == 0];
                game.agree_on(&backends, &board, generations, &want, &in_place, &format!("seed {seed}"));
            }
        }
    }
}

#[test]
fn every_pair_of_awkward_lengths_is_right_with_clamped_edges() {
    every_pair(Clamp);
}

#[test]
fn every_pair_of_awkward_lengths_is_right_with_dead_edges() {
    every_pair(Dead);
}

#[test]
fn every_pair_of_awkward_lengths_is_right_on_a_torus() {
    every_pair(Torus);
}

#[track_caller]
fn is_right(sizes: &[(usize, usize)], generations: &[u64]) {
    let backends = backends();
    for &(rows, cols) in sizes {
        for &boundary in LifeBoundary::ALL {
            let game = Game { boundary, ..Game::new(rows, cols) };
            let seed = (rows * 10_000 + cols) as u64;
            for &generations in generations {
                game.agreed(
                    &backends,
                    &random_board(seed, rows * cols),
                    generations,
                    &format!("seed {seed}"),
                );
            }
        }
    }
}

#[test]
fn long_boards_of_one_to_three_rows_or_columns_are_right() {
    for n in [4, 509, 1000, 4095, 4096, 4097, 8191, 8192, 8193, 70_001] {
        is_right(&[(1, n), (n, 1), (2, n), (n, 2), (3, n), (n, 3)], &[1, 17]);
    }
}

/// Boards for which a cluster of 16 multiprocessors has each of its kernels: 1 to 8 rows a thread in registers, by the number of rows, or
/// rows of 1 to 8 words a thread in shared memory, by the number of columns.
#[test]
fn boards_for_every_kernel_of_a_cluster_are_right_on_cuda() {
    let Some(ctx) = Context::cuda() else { return };
    let in_registers = [17, 19, 20, 21, 23, 42].map(|rows| (rows, 600));
    let in_shared = [1_500, 2_500, 4_000, 5_000, 6_000, 8_000].map(|cols| (37, cols));
    for (rows, cols) in in_registers.into_iter().chain([(2_000, 600)]).chain(in_shared) {
        let board = random_board((rows * 10_000 + cols) as u64, rows * cols);
        for (&boundary, rule) in
            LifeBoundary::ALL.iter().flat_map(|at| ["B3/S23", "B36/S125"].map(|rule| (at, rule)))
        {
            if is_not_in_small_share() {
                continue;
            }
            let game = Game { boundary, rule, ..Game::new(rows, cols) };
            let got = game.bytes(&ctx, LifeVariant::Cluster, &board, 17, false);
            assert_same(&got, &game.after(&board, 17), format!("{game:?}"));
        }
    }
}

#[test]
fn a_hundred_generations_are_right() {
    is_right(
        &[(31, 33), (32, 32), (33, 31), (65, 130), (241, 249), (500, 500), (1, 700), (700, 1)],
        &[99, 100],
    );
}

#[test]
fn a_thousand_generations_of_small_boards_are_right() {
    is_right(&[(1, 1), (1, 65), (2, 2), (17, 3), (31, 33), (64, 64), (97, 61), (50, 257)], &[1000]);
}

#[test]
fn boards_of_some_million_cells_are_right_taller_than_wide_and_back() {
    let (long, short) = (size(4097, 2049), size(1023, 511));
    is_right(&[(long, short), (short, long)], &[17]);
    is_right(&[(size(1501, 751), size(1499, 749)), (2053, 521)], &[33]);
}

#[test]
fn boards_of_some_million_cells_are_right_after_a_hundred_generations() {
    let (long, short) = (size(4097, 2049), size(1023, 511));
    let (backends, board) = (backends(), random_board(61, long * short));
    for (boundary, rows, cols) in [(Clamp, short, long), (Dead, long, short), (Torus, short, long)] {
        let game = Game { boundary, ..Game::new(rows, cols) };
        game.agreed(&backends, &board, 100, "seed 61");
    }
}
