//! The CPU backend, on one thread and on all of them. The number of threads is one for a process: each is measured
//! by a child of its own.

use std::env;
use std::process::Command;

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::life::LifeBoundary;
use gpumex::ops::life::{LifeCells, LifeVariant};
use gpumex::platform::settings::Backend;

use crate::board::{Board, Effort, Play};
use crate::common::*;
use crate::device_info;
use crate::squares::number;

const CHILD: &str = "GPUMEX_BENCH_LIFE_CHILD";
const SIDES: [usize; 3] = [500, 4096, 16384];
const BOUNDARIES: [LifeBoundary; 3] = [LifeBoundary::Clamp, LifeBoundary::Dead, LifeBoundary::Torus];
const WANTED_SIDE: usize = 16384;

/// Whether this process is to measure and to print bare numbers.
pub fn is_child() -> bool {
    env::var_os(CHILD).is_some()
}

/// Prints the threads that there are, then Gcell/s of each size: the plain loop's and that of each boundary.
pub fn measure() {
    let ctx = gpumex_context_create(Backend::Cpu as i32, -1);
    assert!(!ctx.is_null(), "{}", text(gpumex_last_error()));
    println!("{}", device_info(ctx).multiprocessors);
    for side in SIDES {
        println!("{}", plain_loop(ctx, side));
        let board = Board::new(ctx, MemoryKind::Pinned, LifeCells::Bits, side);
        let repeats = if side < WANTED_SIDE { 11 } else { 5 };
        for boundary in BOUNDARIES {
            let effort = Effort { ms: 20.0, repeats, multiple: 32 };
            println!("{}", 1e3 * board.tcells(&Play::of(LifeVariant::Auto).with(boundary), effort));
        }
    }
    check(gpumex_context_destroy(ctx));
}

/// The plain loop's rate does not depend on the size: the largest board, which takes seconds, is left out.
fn plain_loop(ctx: Handle, side: usize) -> f64 {
    if side == WANTED_SIDE {
        return f64::NAN;
    }
    let board = Board::new(ctx, MemoryKind::Pinned, LifeCells::Bytes, side);
    1e3 * board.tcells(&Play::of(LifeVariant::Sequential), Effort { ms: 2.0, repeats: 5, multiple: 1 })
}

/// The table of both children.
pub fn report() {
    let [one, all] = ["1", "0"].map(child);
    let threads = all.first().copied().unwrap_or(1.0);
    let vectors = Vectors::of_this_machine();
    println!(
        "\nCPU backend, {}; wanted are {} Gcell/s on a core at 16384^2, times 0.8 a core",
        vectors.name, vectors.wanted
    );
    println!(
        "{:22} | {:>9} | {:>10} | {:>8} | {:>6} | {:>11}",
        "B3/S23, Gcell/s",
        "1 thread",
        format!("{threads} threads"),
        "a thread",
        "plain",
        "times plain"
    );
    let mut plain = f64::NAN;
    let rows = BOUNDARIES.len() + 1;
    for (k, (one, all)) in one[1..].chunks(rows).zip(all[1..].chunks(rows)).enumerate() {
        plain = if one[0].is_nan() { plain } else { one[0] };
        for (b, boundary) in BOUNDARIES.into_iter().enumerate() {
            let (one, all) = (one[b + 1], all[b + 1]);
            println!(
                "{:22} | {one:9.1} | {all:10.1} | {:8.2} | {:>6} | {:11.0}",
                format!("{}^2 {}", SIDES[k], format!("{boundary:?}").to_lowercase()),
                all / one / threads,
                number(plain, 2),
                one / plain
            );
        }
    }
}

/// The numbers of a child with so many threads; 0 is all.
fn child(threads: &str) -> Vec<f64> {
    let this = env::current_exe().expect("a program has a path");
    let output = Command::new(this).env(CHILD, "1").env("GPUMEX_NUM_THREADS", threads).output();
    let output = output.expect("this program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| line.parse().unwrap_or_else(|_| panic!("a child printed {line:?}"))).collect()
}

/// The widest vectors, and the Gcell/s of a core that are wanted with them.
struct Vectors {
    name: &'static str,
    wanted: &'static str,
}

impl Vectors {
    #[cfg(target_arch = "x86_64")]
    fn of_this_machine() -> Vectors {
        match (is_x86_feature_detected!("avx512f"), is_x86_feature_detected!("avx2")) {
            (true, _) => Vectors { name: "AVX-512", wanted: "50" },
            (false, true) => Vectors { name: "AVX2", wanted: "25" },
            _ => Vectors { name: "portable vectors", wanted: "no" },
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn of_this_machine() -> Vectors {
        Vectors { name: "portable vectors", wanted: "no" }
    }
}
