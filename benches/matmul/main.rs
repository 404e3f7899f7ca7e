//! Matrix products beside cuBLAS in the same process, in turn: speed and error on the device, whole calls on arrays of the host, and
//! the CPU beside OpenBLAS.
//!
//!   LD_LIBRARY_PATH=/usr/local/cuda/lib64 cargo bench --bench matmul [-- --device | --shapes [SEED] | --halves]
//!
//! Medians of 11 and more. Device times are those between two events round one call, enqueued behind work that keeps the device busy
//! meanwhile. Matrices are random, made anew for each shape.

#[path = "../common/mod.rs"]
mod common;

mod accuracy;
mod cpu;
mod host;
mod product;
mod shapes;
mod speed;
mod vendor;

use common::*;

/// The shapes alone, those of SEED 1 or of another; the tables of F16 and BF16 alone.
const SHAPES: &str = "--shapes";
const HALVES: &str = "--halves";

fn main() {
    if std::env::args().nth(1).as_deref() == Some(cpu::CHILD) {
        return cpu::measure();
    }
    let is_asked_for = |option: &str| std::env::args().any(|argument| argument == option);
    if !["--device", SHAPES, HALVES].into_iter().any(is_asked_for) {
        cpu::report();
    }
    open_primary();
    // SAFETY: NULL is the legacy default stream, which cuBLAS works in as well.
    let ctx = unsafe { gpumex::ffi::gpumex_context_create_on_stream(0, std::ptr::null_mut()) };
    if ctx.is_null() {
        println!("{}", text(gpumex::ffi::gpumex_last_error()));
        return;
    }
    println!("\n{}", text(gpumex::ffi::gpumex_context_device_text(ctx)));
    let vendor = vendor::Vendor::load();
    if vendor.is_none() {
        println!("cuBLAS cannot be loaded: its columns stay empty");
    }
    if is_asked_for(SHAPES) {
        let seed = std::env::args().skip_while(|argument| argument != SHAPES).nth(1);
        shapes::report(ctx, vendor.as_ref(), seed.and_then(|seed| seed.parse().ok()).unwrap_or(1));
    } else if is_asked_for(HALVES) {
        speed::report_halves(ctx, vendor.as_ref());
    } else {
        speed::report(ctx, vendor.as_ref());
        speed::report_halves(ctx, vendor.as_ref());
        shapes::report(ctx, vendor.as_ref(), 1);
        host::report();
        accuracy::report(ctx, vendor.as_ref());
    }
    check(gpumex::ffi::gpumex_context_destroy(ctx));
}
