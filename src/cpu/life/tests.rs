//! Every instruction set gives the cells of the plain loop, and the plain loop knows Conway's patterns.
#![forbid(unsafe_code)]

use super::level::Level;
use super::pack::{pack_at, unpack_at};
use super::*;
use crate::cpu::parallel::workers::workers;
use crate::model::life::{LifeBoundary, Rule};
use crate::model::numbered::NumberedEnum;

const RULES: [&str; 5] = ["B3/S23", "B36/S23", "B2/S", "B0123478/S34678", "B08/S018"];

fn game(rows: usize, cols: usize, boundary: LifeBoundary, rule: &str) -> Game {
    Game { rows, cols, boundary, rule: Rule::parse(rule).unwrap() }
}

/// SplitMix64.
fn random_words(seed: u64) -> impl Iterator<Item = u64> {
    (1..).map(move |i: u64| {
        let mut word = (seed << 32 | i).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ word >> 31
    })
}

/// About two cells of five alive, each as some byte that is not 0.
fn random_cells(len: usize, seed: u64) -> Vec<u8> {
    random_words(seed)
        .take(len)
        .map(|word| if word % 5 < 2 { (word >> 32) as u8 | 1 << (word >> 40 & 7) } else { 0 })
        .collect()
}

fn packed(cells: &[u8], game: &Game) -> Vec<u64> {
    let mut bits = vec![u64::MAX; game.rows * game.words()];
    pack(&workers(), cells, game, &mut bits).unwrap();
    bits
}

fn unpacked(bits: &[u64], game: &Game) -> Vec<u8> {
    let mut cells = vec![7; game.rows * game.cols];
    unpack(&workers(), bits, game, &mut cells).unwrap();
    cells
}

fn plainly(cells: &[u8], game: &Game, generations: u64) -> Vec<u8> {
    let mut cells = cells.to_vec();
    sequential(&workers(), &mut cells, game, generations).unwrap();
    cells
}

/// All instruction sets agree with the plain loop at these generations; what lies in the padding does not
/// matter.
#[track_caller]
fn agrees(game: &Game, all_generations: &[u64], seed: u64) {
    let start = random_cells(game.rows * game.cols, seed);
    let mut want = start.clone();
    let mut age = 0;
    for &generations in all_generations {
        sequential(&workers(), &mut want, game, generations - age).unwrap();
        age = generations;
        let want_bits = packed(&want, game);
        for (number, level) in Level::all().enumerate() {
            let mut bits = packed(&start, game);
            let padding = random_words(seed + 1).map(|word| word & !frame::last_mask(game.cols));
            for (row, padding) in bits.chunks_mut(game.words()).zip(padding) {
                row[game.words() - 1] |= padding;
            }
            let mut other = vec![7; bits.len()];
            life_at(level, &workers(), &mut bits, &mut other, game, generations).unwrap();
            let wrong = bits.iter().zip(&want_bits).position(|(got, want)| got != want);
            if let Some(at) = wrong {
                let (row, word) = (at / game.words(), at % game.words());
                panic!(
                    "{game:?}, {generations} generations, seed {seed}, level {number}: row {row}, word {word}: \
                     {:#018x}, wanted {:#018x}",
                    bits[at], want_bits[at]
                );
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------ agreement

#[test]
fn awkward_sizes_agree_with_the_plain_loop() {
    const SIZES: [usize; 13] = [1, 2, 3, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129];
    for (i, &rows) in SIZES.iter().enumerate() {
        for (j, &cols) in SIZES.iter().enumerate() {
            for &boundary in LifeBoundary::ALL {
                let rule = RULES[(i + j) % RULES.len()];
                agrees(
                    &game(rows, cols, boundary, rule),
                    &[0, 1, 2, 15, 16, 17, 31, 32, 33],
                    (i * 13 + j) as u64,
                );
                agrees(&game(rows, cols, boundary, "B3/S23"), &[1, 2, 15, 32, 33], (i * 13 + j) as u64);
            }
        }
    }
}

#[test]
fn rules_agree_with_the_plain_loop() {
    for (seed, rule) in RULES.into_iter().enumerate() {
        for &boundary in LifeBoundary::ALL {
            agrees(&game(61, 67, boundary, rule), &[1, 2, 16, 100, 127, 128, 129, 300], seed as u64);
            agrees(&game(5, 7, boundary, rule), &[1, 2, 3, 4, 5, 100, 1000], seed as u64);
        }
    }
}

#[test]
fn every_count_of_neighbours_has_its_own_rule() {
    for count in 0..=8 {
        for rule in [format!("B{count}/S"), format!("B/S{count}")] {
            agrees(&game(40, 70, LifeBoundary::Torus, &rule), &[1, 2, 5], count);
        }
    }
}

#[test]
fn lines_agree_with_the_plain_loop() {
    for &boundary in LifeBoundary::ALL {
        for (rows, cols) in [(1, 1000), (1000, 1), (2, 997), (997, 2), (1, 9973), (9973, 1)] {
            for rule in ["B3/S23", "B1/S1"] {
                agrees(&game(rows, cols, boundary, rule), &[1, 2, 16, 33], rows as u64);
            }
        }
    }
}

#[test]
fn boards_of_many_strips_and_bands_agree_with_the_plain_loop() {
    for &boundary in LifeBoundary::ALL {
        agrees(&game(131, 6081, boundary, "B3/S23"), &[1, 31, 32, 65], 1);
        agrees(&game(40, 64 * 96, boundary, "B3/S23"), &[17, 32], 2);
        agrees(&game(37, 64 * 126 + 1, boundary, "B36/S23"), &[17, 32], 3);
        agrees(&game(700, 6090, boundary, "B3/S23"), &[33], 4);
        agrees(&game(9001, 100, boundary, "B3/S23"), &[34], 5);
    }
}

#[test]
fn a_large_board_agrees_with_the_plain_loop() {
    for &boundary in LifeBoundary::ALL {
        agrees(&game(4097, 1023, boundary, "B3/S23"), &[17], 6);
    }
}

// -------------------------------------------------------------------------------------------------------- packing

#[test]
fn packing_is_the_same_on_every_instruction_set() {
    for (rows, cols) in
        [(1, 1), (3, 63), (3, 64), (3, 65), (7, 200), (1, 300_001), (1100, 1000), (3, 400_000)]
    {
        let game = game(rows, cols, LifeBoundary::Dead, "B3/S23");
        let cells = random_cells(rows * cols, cols as u64);
        for level in Level::all() {
            let mut bits = vec![u64::MAX; rows * game.words()];
            pack_at(level, &workers(), &cells, &game, &mut bits).unwrap();
            for (row, bits) in cells.chunks(cols).zip(bits.chunks(game.words())) {
                for column in 0..game.words() * 64 {
                    let is_alive = row.get(column).is_some_and(|&cell| cell != 0);
                    assert_eq!(
                        bits[column / 64] >> (column % 64) & 1 == 1,
                        is_alive,
                        "{rows} x {cols}, {column}"
                    );
                }
            }
            let mut back = vec![9; cells.len()];
            unpack_at(level, &workers(), &bits, &game, &mut back).unwrap();
            assert!(
                back.iter().zip(&cells).all(|(&got, &cell)| got == u8::from(cell != 0)),
                "{rows} x {cols}"
            );
        }
    }
}

#[test]
fn every_byte_but_0_is_alive() {
    let cells: Vec<u8> = (0..=255).collect();
    let game = game(1, 256, LifeBoundary::Dead, "B3/S23");
    for level in Level::all() {
        let mut bits = [0; 4];
        pack_at(level, &workers(), &cells, &game, &mut bits).unwrap();
        assert_eq!(bits, [!1, !0, !0, !0]);
    }
}

// ------------------------------------------------------------------------------------------------------- patterns

/// The board of a picture in which `#` is alive.
fn picture(rows: &[&str]) -> Vec<u8> {
    rows.iter().flat_map(|row| row.bytes()).map(|byte| u8::from(byte == b'#')).collect()
}

#[test]
fn live_cells_on_a_clamped_edge_are_still_lifes() {
    let clamped = game(5, 5, LifeBoundary::Clamp, "B3/S23");
    for still in [
        ["#....", ".....", ".....", ".....", "....."],
        [".....", ".....", ".....", ".....", "....#"],
        [".##..", ".....", ".....", ".....", "....."],
    ] {
        let board = picture(&still);
        assert_eq!(plainly(&board, &clamped, 3), board, "{still:?}");
        let dead = Game { boundary: LifeBoundary::Dead, ..clamped };
        assert_eq!(plainly(&board, &dead, 3), vec![0; 25], "{still:?}");
    }
}

#[test]
fn a_blinker_turns() {
    let rows = [".....", "..#..", "..#..", "..#..", "....."];
    let turned = [".....", ".....", ".###.", ".....", "....."];
    for &boundary in LifeBoundary::ALL {
        let game = game(5, 5, boundary, "B3/S23");
        assert_eq!(plainly(&picture(&rows), &game, 1), picture(&turned));
        assert_eq!(plainly(&picture(&rows), &game, 2), picture(&rows));
    }
}

#[test]
fn a_torus_of_two_counts_a_neighbour_as_often_as_it_is_one() {
    // Beside the cell (0, 0): (0, 1) twice, (1, 0) twice, (1, 1) four times.
    let game = game(2, 2, LifeBoundary::Torus, "B4/S2");
    assert_eq!(plainly(&[1, 0, 0, 0], &game, 1), [0, 0, 0, 1]);
    assert_eq!(plainly(&[1, 1, 0, 0], &game, 1), [1, 1, 0, 0]);
}

#[test]
fn a_glider_comes_back_round_a_torus() {
    for n in [16, 65, 100] {
        let game = game(n, n, LifeBoundary::Torus, "B3/S23");
        let mut board = vec![0; n * n];
        for (row, col) in [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)] {
            board[row * n + col] = 1;
        }
        let generations = 4 * n as u64;
        assert_eq!(plainly(&board, &game, generations), board);
        let mut bits = packed(&board, &game);
        let mut other = vec![7; bits.len()];
        life(&workers(), &mut bits, &mut other, &game, generations).unwrap();
        assert_eq!(unpacked(&bits, &game), board, "{n}");
    }
}

#[test]
fn the_r_pentomino_has_116_cells_at_generation_1103() {
    const N: usize = 1200;
    let game = game(N, N, LifeBoundary::Dead, "B3/S23");
    let mut board = vec![0; N * N];
    for (row, col) in [(0, 1), (0, 2), (1, 0), (1, 1), (2, 1)] {
        board[(N / 2 + row) * N + N / 2 + col] = 1;
    }
    let mut bits = packed(&board, &game);
    let mut other = vec![7; bits.len()];
    life(&workers(), &mut bits, &mut other, &game, 1103).unwrap();
    assert_eq!(bits.iter().map(|word| word.count_ones()).sum::<u32>(), 116);
}
