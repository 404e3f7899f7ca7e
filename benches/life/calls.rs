//! Whole calls of `gpumex_life` as a caller's clock sees them: conversions, transfers, launches and the wait.

use std::ffi::c_void;

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::ops::life::{LifeCells, LifeVariant};

use crate::board::{Board, Play, bytes, scatter};
use crate::common::*;
use crate::squares::number;

const GENERATIONS: u64 = 100;

pub fn report(ctx: Handle) {
    println!(
        "\n{:44} | {:>10} | {:>10} | {:>10}",
        "whole calls, 100 generations, us", "auto", "textbook", "wanted"
    );
    on_device(ctx, 500, LifeCells::Bits, "15");
    on_device(ctx, 500, LifeCells::Bytes, "");
    on_host(ctx, 500, LifeCells::Bytes, 101, "60");
    on_host(ctx, 500, LifeCells::Bits, 101, "");
    on_host(ctx, 16384, LifeCells::Bytes, 11, "");
    on_host(ctx, 16384, LifeCells::Bits, 11, "");
}

fn on_device(ctx: Handle, side: usize, cells: LifeCells, wanted: &str) {
    let board = Board::new(ctx, MemoryKind::Device, cells, side);
    let call = |variant| {
        us(101, || {
            let is_served = board.play(&Play::of(variant), GENERATIONS);
            check(gpumex_context_synchronize(ctx));
            is_served
        })
    };
    let peer = call(LifeVariant::ShmemBytes);
    tell(side, cells, "device", call(LifeVariant::Auto), peer, wanted);
}

fn on_host(ctx: Handle, side: usize, cells: LifeCells, repeats: usize, wanted: &str) {
    let words = bytes(cells, side).div_ceil(8);
    let (mut front, mut next) = (vec![0u64; words], vec![1u64; words]);
    scatter(ctx, cells, side, front.as_mut_ptr().cast());
    let (from, to): (*const c_void, *mut c_void) = (front.as_ptr().cast(), next.as_mut_ptr().cast());
    let call = |variant| {
        let options = Play::of(variant).options(cells);
        // SAFETY: two boards of this size.
        us(repeats, || unsafe { gpumex_life(ctx, &options, from, side, side, GENERATIONS, to) } == 0)
    };
    let peer = call(LifeVariant::ShmemBytes);
    tell(side, cells, "host", call(LifeVariant::Auto), peer, wanted);
}

/// The median of what a call takes; NaN where it is not served.
fn us(repeats: usize, mut call: impl FnMut() -> bool) -> f64 {
    if !(0..3).all(|_| call()) {
        return f64::NAN;
    }
    median(repeats, || seconds(|| assert!(call(), "{}", text(gpumex_last_error()))) * 1e6)
}

fn tell(side: usize, cells: LifeCells, place: &str, achieved: f64, peer: f64, wanted: &str) {
    let name = format!("{side}^2 {} of the {place}", format!("{cells:?}").to_lowercase());
    println!("{name:44} | {achieved:10.1} | {:>10} | {wanted:>10}", number(peer, 1));
}
