//! Squares of every size on every path, B3/S23 with clamped edges, bits in device memory.

use gpumex::memory::MemoryKind;
use gpumex::ops::life::{LifeCells, LifeVariant};

use crate::Machine;
use crate::board::{Board, Effort, Play};
use crate::common::*;

const SIDES: [usize; 12] = [64, 256, 500, 1000, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072];
const VARIANTS: [LifeVariant; 5] = [
    LifeVariant::Auto,
    LifeVariant::Cluster,
    LifeVariant::Registers,
    LifeVariant::Shmem,
    LifeVariant::Texture,
];
const LARGEST_OF_BYTES: usize = 32768;
const LARGEST_SLOPE: usize = 2048; // beyond it a long call's mean is the slope
const MANY: usize = 100_000; // generations that no measurement has
const COMPARED: u64 = 100; // generations

pub fn report(ctx: Handle, device: &Machine) {
    println!(
        "Peer: the textbook's kernel on bytes of that path, shmem or texture; for the others the faster one."
    );
    println!(
        "Useful: the share of the stepped cells that is kept. Shmem keeps 30 columns of 32, and of the rows"
    );
    println!(
        "all but the halo of 16, about 90 %; a cluster's blocks have the whole board and exchange edges.\n"
    );
    println!(
        "{:22} | {:>10} | {:>8} | {:>8} | {:>8} | {:>6} | {:>7} | {:>8} | {:>6}",
        "B3/S23, clamped",
        "us a gen.",
        "slope",
        "Tcell/s",
        "textbook",
        "times",
        "of LOP3",
        "a launch",
        "useful"
    );
    warm_up(ctx);
    for side in SIDES {
        square(ctx, device, side);
    }
}

/// A quarter of a second of work, for the clocks to rise.
fn warm_up(ctx: Handle) {
    let board = Board::new(ctx, MemoryKind::Device, LifeCells::Bits, 8192);
    let effort = Effort { ms: 50.0, repeats: 5, multiple: 16 };
    board.us(&Play::of(LifeVariant::Auto), effort);
}

fn effort(side: usize) -> Effort {
    let ms = match side {
        65536.. => 100.0, // the ways into the path's layout and back weigh as the board does
        32768.. => 40.0,
        _ => 10.0,
    };
    let repeats = if side > 65536 { 5 } else { 11 };
    Effort { ms, repeats, multiple: 16 }
}

fn square(ctx: Handle, device: &Machine, side: usize) {
    let [shmem, texture] = textbook(ctx, side);
    let board = Board::new(ctx, MemoryKind::Device, LifeCells::Bits, side);
    let mut first = None;
    for variant in VARIANTS {
        let play = Play::of(variant);
        let us = board.us(&play, effort(side));
        if us.is_nan() {
            continue; // a board that is larger than a cluster
        }
        let peer = match variant {
            LifeVariant::Shmem => shmem,
            LifeVariant::Texture => texture,
            _ => shmem.max(texture),
        };
        let slope = if side <= LARGEST_SLOPE { board.slope_us(&play, 11) } else { f64::NAN };
        let (rate, (launch, useful)) = (board.per_us(us), useful(variant, side, device.processors));
        println!(
            "{:22} | {us:10.3} | {:>8} | {rate:8.3} | {:>8} | {:>6} | {:7.3} | {launch:>8} | {useful:>6}",
            format!("{side}^2 {}", name(variant)),
            number(slope, 3),
            number(peer, 3),
            number(rate / peer, 1),
            rate / device.tcells,
        );
        if side <= LARGEST_SLOPE {
            board.play(&play, COMPARED);
            let cells = board.result();
            assert!(
                *first.get_or_insert_with(|| cells.clone()) == cells,
                "{variant:?}: other cells at {side}"
            );
        }
    }
}

/// Tcell/s of the textbook's kernels on bytes, shared memory and texture.
fn textbook(ctx: Handle, side: usize) -> [f64; 2] {
    if side > LARGEST_OF_BYTES {
        return [f64::NAN; 2];
    }
    let board = Board::new(ctx, MemoryKind::Device, LifeCells::Bytes, side);
    let effort = Effort { ms: 2.0, repeats: if side > 8192 { 5 } else { 11 }, multiple: 2 };
    [LifeVariant::ShmemBytes, LifeVariant::TextureBytes]
        .map(|variant| board.tcells(&Play::of(variant), effort))
}

/// A variant as the header names it.
pub fn name(variant: LifeVariant) -> String {
    format!("{variant:?}").to_lowercase()
}

/// A number, or nothing.
pub fn number(value: f64, digits: usize) -> String {
    if value.is_nan() { String::new() } else { format!("{value:.digits$}") }
}

/// Generations a launch, and the useful share of what is stepped, as the headers of the kernels have them.
fn useful(variant: LifeVariant, side: usize, processors: usize) -> (String, String) {
    let share = |rows| number((side * side) as f64 / (patches(side, rows) * 256 * 32 * rows) as f64, 3);
    match variant {
        LifeVariant::Registers => {
            let rows = rows_a_lane(side, 2 * processors);
            let steps = ((1 << 21) / patches(side, rows) / 2 * 2).max(2);
            let launch = if 8 * steps < MANY { format!("{}", 8 * steps) } else { "all".to_string() };
            (launch, share(rows))
        }
        LifeVariant::Texture => ("8".to_string(), share(rows_a_lane(side, processors))),
        LifeVariant::Shmem => ("16".to_string(), String::new()),
        LifeVariant::Cluster => ("all".to_string(), String::new()),
        _ => Default::default(),
    }
}

/// Patches of 240 columns that a warp steps, so many rows a lane.
fn patches(side: usize, rows: usize) -> usize {
    side.div_ceil(32 * rows - 16) * side.div_ceil(240)
}

/// As many as leave every multiprocessor its warps.
fn rows_a_lane(side: usize, processors: usize) -> usize {
    let fills =
        |&(rows, warps): &(usize, usize)| side >= 32 * rows - 16 && patches(side, rows) > warps * processors;
    [(8, 12), (4, 16)].iter().find(|&choice| fills(choice)).map_or(2, |&(rows, _)| rows)
}
