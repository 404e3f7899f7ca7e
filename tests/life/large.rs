//! Boards beyond what one texture holds, on CUDA: all variants agree, and the plain loop on parts of them.

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::model::numbered::NumberedEnum;
use gpumex::ops::life::LifeBoundary::{self, Clamp, Dead, Torus};
use gpumex::ops::life::{LifeCells, LifeVariant};

use super::oracle::Game;
use crate::common::*;

/// Where a part begins, and its sides.
type Part = ([usize; 2], [usize; 2]);

impl Game<'_> {
    /// The plain loop on a part of a board that `cell` tells: what is wrong at its cut edges moves inwards a cell a generation.
    fn part_after(
        &self,
        (at, sides): Part,
        generations: u64,
        cell: impl Fn(usize, usize) -> bool,
    ) -> Vec<u8> {
        let halo = generations as i64;
        let lengths = [self.rows, self.cols];
        let [down, across] = [0, 1].map(|side| {
            let (start, len) = (at[side] as i64, lengths[side]);
            let (mut from, mut to) = (start - halo, start + sides[side] as i64 + halo);
            if self.boundary != Torus {
                (from, to) = (from.max(0), to.min(len as i64)); // edges of the board are edges of the part
            }
            (start - from, self.places(from, (to - from) as usize, len))
        });
        let part = Game { rows: down.1.len(), cols: across.1.len(), ..*self };
        let on_board = |place: &Option<usize>| place.expect("a place on the board");
        let (rows, cols) = (down.1.iter().map(on_board), across.1.iter().map(on_board));
        let board: Vec<u8> =
            rows.flat_map(|i| cols.clone().map(move |j| (i, j))).map(|(i, j)| cell(i, j).into()).collect();
        let after = part.after(&board, generations);
        let (top, left) = (down.0 as usize, across.0 as usize);
        (top..top + sides[0]).flat_map(|i| after[i * part.cols + left..][..sides[1]].to_vec()).collect()
    }

    /// Parts at the corners, around places in the middle, and 40 anywhere.
    fn parts(&self, middles: &[[usize; 2]]) -> Vec<Part> {
        let lengths = [self.rows, self.cols];
        let sides = lengths.map(|len| len.min(40));
        let last = [0, 1].map(|side| lengths[side] - sides[side]);
        let mut random = random(41);
        let anywhere = (0..40).map(|_| last.map(|last| random.random_range(0..=last))).collect::<Vec<_>>();
        let around =
            middles.iter().map(|middle| [0, 1].map(|side| middle[side].saturating_sub(20).min(last[side])));
        let corners = [[0, 0], [0, last[1]], [last[0], 0], last];
        corners.into_iter().chain(around).chain(anywhere).map(|at| (at, sides)).collect()
    }
}

/// A linear texture of bytes ends after 2^27 cells; this board is larger.
#[test]
fn boards_of_more_cells_than_a_texture_are_right_on_cuda() {
    variants_agree_on_more_cells(11_600, 11_600);
}

/// So are these, all or nearly all of them in one row or column.
#[test]
fn long_boards_of_more_cells_than_a_texture_are_right_on_cuda() {
    let long = (1 << 27) + 4099;
    for (rows, cols) in [(3, 45_000_000), (45_000_000, 3), (1, long), (long, 1)] {
        variants_agree_on_more_cells(rows, cols);
    }
}

fn variants_agree_on_more_cells(rows: usize, cols: usize) {
    let Some(ctx) = Context::cuda() else { return };
    let game = Game::new(rows, cols);
    let (board, generations) = (random_board(10, rows * cols), 3);
    let first = game.bytes(&ctx, LifeVariant::Auto, &board, generations, false);
    game.each_variant(&ctx, LifeCells::Bytes, |variant, what| {
        let got = game.bytes(&ctx, variant, &board, generations, false);
        assert_same(&got, &first, format!("{what}, seed 10, against Auto"));
    });
    for (at, sides) in game.parts(&[[(1 << 27) / cols, (1 << 27) % cols]]) {
        let want = game.part_after((at, sides), generations, |i, j| board[i * cols + j] != 0);
        let got = (at[0]..at[0] + sides[0]).flat_map(|i| first[i * cols + at[1]..][..sides[1]].to_vec());
        assert_same(&got.collect::<Vec<_>>(), &want, format!("{game:?}, {sides:?} cells at {at:?}, seed 10"));
    }
}

/// Rows of a board of bits on the device.
fn row_of(ctx: &Context, game: &Game, bits: *const u64, row: usize) -> Vec<u64> {
    let mut words = vec![0u64; game.words()];
    let from = bits.wrapping_add(row * game.words()).cast();
    copy(ctx, words.as_mut_ptr().cast(), from, words.len() * 8);
    words
}

/// Words of device memory, which end with the test.
struct Bits(*mut u64);

impl Bits {
    fn new(ctx: &Context, words: usize) -> Bits {
        let mut at = std::ptr::null_mut();
        let kind = MemoryKind::Device as i32;
        // SAFETY: a pointer to write to.
        ok(unsafe { gpumex_malloc(ctx.handle, kind, words * 8, &mut at) }, format!("{words} words"));
        Bits(at.cast())
    }
}

impl Drop for Bits {
    fn drop(&mut self) {
        assert!(gpumex_free(self.0.cast()) == 0 || std::thread::panicking());
    }
}

/// How often each byte value occurs: whole boards that differ somewhere differ here, almost surely.
fn counts_of(ctx: &Context, game: &Game, bits: &Bits) -> Vec<u64> {
    let (mut counts, bytes) = (vec![0u64; 256], game.rows * game.words() * 8);
    let to = counts.as_mut_ptr().cast();
    // SAFETY: a board of the test, 256 counters.
    ok(unsafe { gpumex_histogram(ctx.handle, std::ptr::null(), bits.0.cast(), bytes, to, 256) }, "histogram");
    counts
}

/// A texture of strips ends after 2^27 or 2^28 texels of 16 bytes; this board is larger, 37 Gcells.
#[test]
fn boards_of_more_bits_than_a_texture_are_right_on_cuda() {
    let Some(ctx) = Context::cuda() else { return };
    let size = Game::new(131_101, 280_003);
    let words = size.rows * size.words();
    let (board, next) = (Bits::new(&ctx, words), Bits::new(&ctx, words));
    let at = board.0.cast();
    // SAFETY: a board of words, each two numbers of 32 bits.
    ok(
        unsafe { gpumex_random(ctx.handle, Dtype::U32 as i32, at, 2 * words, 43, 0.0, 4294967295.0) },
        "random",
    );
    for (boundary, rule, generations) in [(Torus, "B3/S23", 17), (Clamp, "B3/S23", 8), (Dead, "B36/S125", 9)]
    {
        let game = Game { boundary, rule, ..size };
        let mut first = None;
        for variant in [LifeVariant::Auto, LifeVariant::Registers, LifeVariant::Shmem, LifeVariant::Texture] {
            let what = format!("{variant:?}, {game:?}, {generations} generations, seed 43");
            ok(game.call(&ctx, (variant, LifeCells::Bits), at, generations, next.0.cast()), &what);
            let counts = counts_of(&ctx, &game, &next);
            assert_same(&counts, first.get_or_insert(counts.clone()), format!("{what}: bytes of each value"));
            are_right(&ctx, &game, [&board, &next], generations, &what);
        }
    }
}

/// Some parts of a board on the device are those of the plain loop; both limits of a texture lie within them.
fn are_right(ctx: &Context, game: &Game, [board, next]: [&Bits; 2], generations: u64, what: &str) {
    // Two texels a row of a strip, one strip of 240 columns behind the other.
    let ends = [27, 28].map(|bits| (1usize << bits) / 2).map(|row| [row % game.rows, row / game.rows * 240]);
    for (at, sides) in game.parts(&ends).into_iter().take(9) {
        let from = at[0] as i64 - generations as i64;
        let rows: Vec<_> = game
            .places(from, sides[0] + 2 * generations as usize, game.rows)
            .into_iter()
            .map(|row| row.map(|row| (row, row_of(ctx, game, board.0, row))))
            .collect();
        let is_alive = |words: &[u64], col: usize| words[col / 64] >> (col % 64) & 1 == 1;
        let want = game.part_after((at, sides), generations, |i, j| {
            let row = rows.iter().flatten().find(|(row, _)| *row == i).expect("a row that was read");
            is_alive(&row.1, j)
        });
        let got: Vec<u8> = (at[0]..at[0] + sides[0])
            .map(|row| row_of(ctx, game, next.0, row))
            .flat_map(|words| {
                (at[1]..at[1] + sides[1]).map(|col| is_alive(&words, col).into()).collect::<Vec<_>>()
            })
            .collect();
        assert_same(&got, &want, format!("{what}: {sides:?} cells at {at:?}"));
    }
}

/// Boards whose tiles all have a warp stay in registers, with as many rows a lane as that takes: 1 to 10 on a device of 100 to 150
/// multiprocessors. They have two strips. The last board does not stay, and is too small for four blocks a multiprocessor.
#[test]
fn tiles_of_every_height_that_stay_in_registers_are_right_on_cuda() {
    let Some(ctx) = Context::cuda() else { return };
    let cpu = Context::cpu();
    let cols = [473, 472].into_iter().cycle(); // tori of a multiple of 8 columns, and others
    for (rows, cols) in (1_801..165_000).step_by(7_000).zip(cols).chain([(60_000, 4_793)]) {
        let size = Game::new(rows, cols);
        let words = size.rows * size.words();
        let (board, next) = (Bits::new(&ctx, words), Bits::new(&ctx, words));
        let [mut start, mut want, mut got] = [(); 3].map(|()| vec![0u64; words]);
        let at = board.0.cast();
        for (boundary, rule, generations) in [
            (Clamp, "B3/S23", 17),
            (Dead, "B3/S23", 30),
            (Dead, "B36/S125", 9),
            (Clamp, "B36/S125", 24),
            (Torus, "B3/S23", 26),
            (Torus, "B36/S125", 24),
        ] {
            if is_not_in_small_share() {
                continue;
            }
            let game = Game { boundary, rule, ..size };
            let what = format!("{game:?}, {generations} generations, seed 44");
            // SAFETY: a board of words, each two numbers of 32 bits, and copies of them.
            ok(
                unsafe { gpumex_random(ctx.handle, Dtype::U32 as i32, at, 2 * words, 44, 0.0, 4294967295.0) },
                "random",
            );
            copy(&ctx, start.as_mut_ptr().cast(), at, words * 8);
            let cells = (LifeVariant::Registers, LifeCells::Bits);
            ok(game.call(&ctx, cells, at, generations, next.0.cast()), &what);
            copy(&ctx, got.as_mut_ptr().cast(), next.0.cast(), words * 8);
            let cells = (LifeVariant::Auto, LifeCells::Bits);
            ok(game.call(&cpu, cells, start.as_ptr().cast(), generations, want.as_mut_ptr().cast()), &what);
            assert_same(&got, &want, what);
        }
    }
}

/// More generations than a launch takes.
#[test]
fn boards_that_stay_in_registers_live_long_on_cuda() {
    let Some(ctx) = Context::cuda() else { return };
    let game = Game::new(640, 481);
    let board = random_board(45, game.cells());
    for generations in [32_768, 32_777, 65_536] {
        let [want, got] = [(&Context::cpu(), LifeVariant::Auto), (&ctx, LifeVariant::Registers)]
            .map(|(ctx, variant)| game.bytes(ctx, variant, &board, generations, false));
        assert_same(&got, &want, format!("{game:?}, {generations} generations, seed 45"));
    }
}

fn copy(ctx: &Context, to: *mut std::ffi::c_void, from: *const std::ffi::c_void, bytes: usize) {
    // SAFETY: memory of the test.
    ok(unsafe { gpumex_copy(ctx.handle, to, from, bytes) }, "gpumex_copy");
}

/// Parts of a small board are those of the whole.
#[test]
fn parts_are_parts_of_the_whole() {
    for &boundary in LifeBoundary::ALL {
        let game = Game { boundary, ..Game::new(90, 120) };
        let board = random_board(42, game.cells());
        let whole = game.after(&board, 5);
        for (at, sides) in game.parts(&[[45, 60]]) {
            let part = game.part_after((at, sides), 5, |i, j| board[i * 120 + j] != 0);
            let want = (at[0]..at[0] + sides[0]).flat_map(|i| whole[i * 120 + at[1]..][..sides[1]].to_vec());
            assert_same(&part, &want.collect::<Vec<_>>(), format!("{boundary:?}, {sides:?} cells at {at:?}"));
        }
    }
}
