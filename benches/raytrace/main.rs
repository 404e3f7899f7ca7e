//! Ray caster: every variant at the course's scenes of 16 to 2048 spheres, a million small spheres, every form of a picture,
//! and the CPU backend.
//!
//!   cargo bench --bench raytrace          prints kernel times, medians
//!
//! Scenes and pictures are on the device, times are those of the kernels of a call. The peers are the textbook's kernels, and
//! on the CPU the plain loop, in the same run. Without a CUDA device the CPU's table alone.

#[path = "../common/mod.rs"]
mod common;
mod cpu;
mod device;
mod scene;

use gpumex::ffi::*;
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
        device::report(ctx);
        check(gpumex_context_destroy(ctx));
    }
    cpu::report();
}
