//! What edges and rules cost on every path.

use gpumex::memory::MemoryKind;
use gpumex::model::life::LifeBoundary;
use gpumex::ops::life::{LifeCells, LifeVariant};

use crate::Machine;
use crate::board::{Board, Effort, Play};
use crate::common::*;
use crate::squares::name;

const CASES: [(usize, LifeVariant); 6] = [
    (500, LifeVariant::Cluster),
    (1024, LifeVariant::Cluster),
    (16384, LifeVariant::Auto),
    (16384, LifeVariant::Registers),
    (16384, LifeVariant::Shmem),
    (16384, LifeVariant::Texture),
];

pub fn report(ctx: Handle, device: &Machine) {
    println!(
        "\n{:22} | {:>8} | {:>8} | {:>8} | {:>10} | {:>10} | {:>7} | {:>9}",
        "B3/S23, Tcell/s", "dead", "clamp", "torus", "clamp/dead", "torus/dead", "B36/S23", "limit B3"
    );
    for (side, variant) in CASES {
        let board = Board::new(ctx, MemoryKind::Device, LifeCells::Bits, side);
        let (play, effort) = (Play::of(variant), Effort { ms: 10.0, repeats: 21, multiple: 16 });
        let edges = [LifeBoundary::Dead, LifeBoundary::Clamp, LifeBoundary::Torus];
        let [dead, clamp, torus] = edges.map(|boundary| board.tcells(&play.with(boundary), effort));
        let other = board.tcells(&Play { rule: Some(c"B36/S23"), ..play }, effort);
        println!(
            "{:22} | {dead:8.3} | {clamp:8.3} | {torus:8.3} | {:10.3} | {:10.3} | {other:7.3} | {:9.1}",
            format!("{side}^2 {}", name(variant)),
            clamp / dead,
            torus / dead,
            device.tcells
        );
    }
}
