//! Conway's Life: cells a second of every path on squares from 64 to 131072, what edges and rules cost, whole
//! calls, and the CPU backend.
//!
//!   cargo bench --bench life              prints achieved | peer | limit, medians
//!
//! Peers are the textbook's kernels on bytes, and on the CPU the plain loop, in the same run. Boards are random.
//! Times are those of the kernels of a call, from the first to the last, the way into the layout of the path and
//! back included; a call has so many generations that this weighs little. The limit is the rate of three-input logic
//! that the device reaches in the same run. Without a CUDA device the CPU's table alone.

mod board;
mod calls;
#[path = "../common/mod.rs"]
mod common;
mod cpu;
mod lop3;
mod paths;
mod squares;

use gpumex::ffi::*;
use gpumex::model::device_info::DeviceInfo;
use gpumex::platform::settings::Backend;

use common::*;

fn main() {
    if cpu::is_child() {
        return cpu::measure();
    }
    let ctx = gpumex_context_create(Backend::Cuda as i32, -1);
    if ctx.is_null() {
        println!("Left out, but for the CPU backend: {}", text(gpumex_last_error()));
    } else {
        println!("{}", text(gpumex_context_device_text(ctx)));
        let device = Machine::of(ctx);
        squares::report(ctx, &device);
        paths::report(ctx, &device);
        calls::report(ctx);
        check(gpumex_context_destroy(ctx));
    }
    cpu::report();
}

/// What bounds a device.
struct Machine {
    processors: usize,
    tcells: f64,
}

impl Machine {
    const OPERATIONS: f64 = 8.0; // of three inputs for a word and generation of B3/S23
    const WORD: f64 = 32.0;

    fn of(ctx: Handle) -> Machine {
        let info = device_info(ctx);
        let logic = lop3::rate();
        let tcells = logic / Self::OPERATIONS * Self::WORD / 1e12;
        println!(
            "Limit: {tcells:.1} Tcell/s, {} LOP3 a word of {} cells at {:.2} T/s, measured",
            Self::OPERATIONS,
            Self::WORD,
            logic / 1e12,
        );
        Machine { processors: usize::try_from(info.multiprocessors).unwrap_or(1), tcells }
    }
}

fn device_info(ctx: Handle) -> DeviceInfo {
    // SAFETY: a C struct of numbers, whose size the library wants first and whose rest it fills.
    let mut info: DeviceInfo = unsafe { std::mem::zeroed() };
    info.size = size_of::<DeviceInfo>();
    // SAFETY: a struct with its size.
    check(unsafe { gpumex_context_device_info(ctx, &mut info) });
    info
}
