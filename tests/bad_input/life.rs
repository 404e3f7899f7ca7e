//! Life: bad input of gpumex_life, life_shmem and life_texture.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status::{InvalidArgument, NullPointer, Unsupported};
use gpumex::ffi::{LifeOptions, gpumex_life, life_shmem, life_texture};
use gpumex::platform::settings::Backend;

use super::options::{Newer, context_and_options, sequential};
use super::table::*;
use crate::common::{Handle, Output, assert_same, backends, ok};

const BITS: i32 = 1;
const CLUSTER: i32 = 8;

/// `gpumex_life`, or a plain function instead. Bytes of options.size stand beside, since Newer is longer than any struct.
#[derive(Clone)]
struct Life {
    plain: Option<(&'static str, unsafe extern "C" fn(*const u8, usize, usize, usize, *mut u8) -> i32)>,
    ctx: Handle,
    options: Newer<LifeOptions>,
    size: usize,
    has_options: bool,
    board: *const c_void,
    rows: usize,
    cols: usize,
    generations: u64,
    next: *mut c_void,
}

impl Call for Life {
    fn name(&self) -> &'static str {
        self.plain.map_or("gpumex_life", |(name, _)| name)
    }

    fn call(&self) -> i32 {
        let mut options = self.options;
        options.known.size = self.size;
        let options = if self.has_options { options.as_ptr() } else { null() };
        let Life { ctx, board, rows, cols, generations, next, .. } = *self;
        // SAFETY: good arguments, or bad ones that are refused.
        unsafe {
            match self.plain {
                Some((_, plain)) => plain(board.cast(), rows, cols, generations as usize, next.cast()),
                None => gpumex_life(ctx, options, board, rows, cols, generations, next),
            }
        }
    }
}

impl Life {
    fn good(memory: &Memory, ctx: Handle) -> Life {
        Life {
            plain: None,
            ctx,
            options: Newer::new(),
            size: size_of::<LifeOptions>(),
            has_options: true,
            board: memory.at(64),
            rows: 4,
            cols: 6,
            generations: 1,
            next: memory.at(FAR),
        }
    }
}

fn life_arrays(table: &Table<Life>) {
    table.refuses("board NULL", NullPointer, &["board is NULL", "24"], |life| life.board = null());
    table.refuses("next NULL", NullPointer, &["next is NULL", "24"], |life| life.next = null_mut());
    table.refuses("both NULL", NullPointer, &["is NULL", "24"], |life| {
        (life.board, life.next) = (null(), null_mut());
    });

    let half = 1 << 63;
    for (rows, cols) in [(MAX, 2), (2, MAX), (MAX, MAX), (1 << 32, 1 << 32), (half, 1), (1, half), (half, 2)]
    {
        let words = [&format!("{rows} x {cols}"), BEYOND];
        table.refuses(format!("{rows} x {cols}"), InvalidArgument, &words, |life| {
            (life.rows, life.cols) = (rows, cols)
        });
    }
    for bytes in [1, 8, 23] {
        let what = format!("{bytes} bytes before the end of the addresses");
        table.refuses(format!("board {what}"), InvalidArgument, &["board", "4 x 6", BEYOND], |life| {
            life.board = end_of_addresses(bytes);
        });
        table.refuses(format!("next {what}"), InvalidArgument, &["next", "4 x 6", BEYOND], |life| {
            life.next = end_of_addresses(bytes);
        });
    }
    for distance in [-23, -8, -1, 1, 8, 23] {
        table.refuses(
            format!("next {distance} bytes from board"),
            InvalidArgument,
            &["next", "overlaps", "board"],
            |life| {
                life.next = life.board.wrapping_byte_offset(distance).cast_mut();
            },
        );
    }

    table.does_nothing("no rows", |life| life.rows = 0);
    table.does_nothing("no columns", |life| life.cols = 0);
    for (rows, cols) in [(0, 0), (0, 7), (7, 0), (0, MAX), (MAX, 0)] {
        table.does_nothing(format!("{rows} x {cols} at NULL, 2^64 - 1 generations"), |life| {
            (life.board, life.rows, life.cols, life.next) = (null(), rows, cols, null_mut());
            life.generations = u64::MAX;
        });
    }
}

/// Texts that are no rule, and those that are the default one.
fn life_rules(table: &Table<Life>) {
    for rule in [c"", c"B3", c"23", c"B3/S9", c"B33/S23", c"B3/S23/", c"B3 /S23", c"B3/S23H", c"W110"] {
        let words = [&format!("\"{}\"", rule.to_string_lossy()), "is not a rule"];
        table.refuses(format!("rule {rule:?}"), InvalidArgument, &words, |life| {
            life.options.known.rule = rule.as_ptr();
        });
    }
    table.refuses("a rule that is no text", InvalidArgument, &["UTF-8"], |life| {
        life.options.known.rule = c"B3/S\xff".as_ptr();
    });
    for rule in [c"B3/S23", c"b3/s23", c"S32/B3", c"23/3"] {
        table.accepts(format!("rule {rule:?}"), |life| life.options.known.rule = rule.as_ptr());
    }
}

/// The textbooks know one game, on bytes; the sentence names the variant and what it was asked for.
fn life_textbooks(table: &Table<Life>) {
    for (variant, name) in [(2, "ARRAYS"), (5, "SHMEM_BYTES"), (6, "TEXTURE_BYTES")] {
        for (boundary, boundary_name) in [(1, "BOUNDARY_DEAD"), (2, "BOUNDARY_TORUS")] {
            table.refuses(
                format!("{name}, {boundary_name}"),
                Unsupported,
                &[name, "textbook", boundary_name],
                |life| {
                    (life.options.known.variant, life.options.known.boundary) = (variant, boundary);
                },
            );
        }
        table.refuses(format!("{name}, bits"), Unsupported, &[name, "textbook", "CELLS_BITS"], |life| {
            (life.options.known.variant, life.options.known.cells) = (variant, BITS);
        });
        table.refuses(format!("{name}, B36/S23"), Unsupported, &[name, "textbook", "B36/S23"], |life| {
            (life.options.known.variant, life.options.known.rule) = (variant, c"23/36".as_ptr());
        });
        table.accepts(format!("{name}, 23/3"), |life| {
            (life.options.known.variant, life.options.known.rule) = (variant, c"23/3".as_ptr());
        });
    }
}

/// Boards of 4 rows of 2 words: 64 bytes each.
fn life_bits(table: &Table<Life>) {
    table.refuses("board NULL", NullPointer, &["board is NULL", "8"], |life| life.board = null());
    table.refuses("next NULL", NullPointer, &["next is NULL", "8"], |life| life.next = null_mut());
    for bytes in 1..8 {
        let words = ["is not a multiple of 8 bytes"];
        table.refuses(format!("board {bytes} bytes off"), InvalidArgument, &words, |life| {
            life.board = life.board.wrapping_byte_add(bytes);
        });
        table.refuses(format!("next {bytes} bytes off"), InvalidArgument, &words, |life| {
            life.next = life.next.wrapping_byte_add(bytes);
        });
    }
    for distance in [-56, -8, 8, 56] {
        let words = ["next", "overlaps", "board"];
        table.refuses(format!("next {distance} bytes from board"), InvalidArgument, &words, |life| {
            life.next = life.board.wrapping_byte_offset(distance).cast_mut();
        });
    }
    for (rows, cols, words) in [(MAX, 1, 1), (1 << 61, 64, 1), (1 << 60, 65, 2), (8, MAX, 1usize << 58)] {
        let words = [&format!("{rows} x {words}"), BEYOND];
        table.refuses(format!("{rows} x {cols}"), InvalidArgument, &words, |life| {
            (life.rows, life.cols) = (rows, cols);
        });
    }
    table.refuses("board at the end", InvalidArgument, &["board", "4 x 2", BEYOND], |life| {
        life.board = end_of_addresses(56);
    });
    table.refuses("SEQUENTIAL", Unsupported, &["SEQUENTIAL"], |life| life.options.known.variant = 1);
    for (rows, cols) in [(0, 0), (0, 7), (7, 0), (0, MAX), (MAX, 0)] {
        table.does_nothing(format!("{rows} x {cols} at NULL"), |life| {
            (life.board, life.rows, life.cols, life.next) = (null(), rows, cols, null_mut());
        });
    }
}

#[test]
fn gpumex_life_refuses_bad_input() {
    let memory = Memory::new();
    for ctx in backends() {
        let table = Table::new(format!("{:?}", ctx.backend), &memory, Life::good(&memory, ctx.handle));
        life_arrays(&table);
        context_and_options(
            &table,
            8,
            |life| (&mut life.ctx, &mut life.options, &mut life.size),
            |options, variant| options.variant = variant,
            "gpumex_life_variant",
            8,
        );
        sequential(&table, ctx.backend, |life| life.options.known.variant = 1);
        table.accepts("options NULL", |life| life.has_options = false);
        for number in [-1, 3, 99] {
            let words = [&number.to_string(), "gpumex_life_boundary"];
            table.refuses(format!("boundary {number}"), InvalidArgument, &words, |life| {
                life.options.known.boundary = number;
            });
        }
        for number in [-1, 2, 99] {
            let words = [&number.to_string(), "gpumex_life_cells"];
            table.refuses(format!("cells {number}"), InvalidArgument, &words, |life| {
                life.options.known.cells = number;
            });
        }
        life_rules(&table);
        life_textbooks(&table);
        if ctx.backend == Backend::Cuda {
            table.refuses("CLUSTER, 1 x 8193", Unsupported, &["1 x 8193", "cluster"], |life| {
                (life.rows, life.cols, life.options.known.variant) = (1, 8193, CLUSTER);
            });
        }
    }
}

#[test]
fn gpumex_life_refuses_bad_input_on_bits() {
    let memory = Memory::new();
    for ctx in backends() {
        let mut good = Life { cols: 70, ..Life::good(&memory, ctx.handle) };
        good.options.known.cells = BITS;
        life_bits(&Table::new(format!("bits on {:?}", ctx.backend), &memory, good));
    }
}

#[test]
fn the_plain_life_functions_refuse_bad_input() {
    let memory = Memory::new();
    let plain: [(_, unsafe extern "C" fn(*const u8, usize, usize, usize, *mut u8) -> i32); 2] =
        [("life_shmem", life_shmem), ("life_texture", life_texture)];
    for function in plain {
        let good = Life { plain: Some(function), ..Life::good(&memory, null_mut()) };
        life_arrays(&Table::new("the default context", &memory, good));
    }
}

#[test]
fn life_next_to_its_board_is_apart() {
    for ctx in backends() {
        let mut both = Output::holding(&[1u8; 48]);
        let board = both.as_mut_ptr();
        let next = board.wrapping_add(24);
        // SAFETY: 24 bytes, and 24 bytes right behind them.
        ok(
            unsafe { gpumex_life(ctx.handle, null(), board.cast(), 4, 6, 1, next.cast()) },
            "ranges that touch",
        );
        let want = [[1; 24], [0; 24]].concat();
        assert_same(
            &both.written("gpumex_life"),
            &want,
            format!("{:?}, next right behind board", ctx.backend),
        );
    }
}
