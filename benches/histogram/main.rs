//! Histograms beside CUB in the same process, in turn: bytes, more bins, bytes of ordinary memory of the host, bytes on one core.
//!
//!   scripts/build-cuda benches/peers/cub.cu target/libpeers.so -shared
//!   GPUMEX_PEERS=target/libpeers.so cargo bench --bench histogram
//!
//! Medians of 11 calls; rates by the time of the kernels, and of whole calls where it says so. Counts are compared with CUB's.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/peers.rs"]
mod peers;

mod bins;
mod bytes;
mod cpu;
mod samples;

use common::*;

fn main() {
    if std::env::args().nth(1).as_deref() == Some(cpu::CHILD) {
        return cpu::measure();
    }
    cpu::report();
    let ctx = context();
    println!("\n{}", text(gpumex::ffi::gpumex_context_device_text(ctx)));
    open_primary(); // for the peer
    let peers = peers::Peers::load();
    if peers.is_none() {
        println!("GPUMEX_PEERS names no library: the columns of CUB stay empty");
    }
    bytes::report(ctx, peers);
    bins::report(ctx, peers);
    check(gpumex::ffi::gpumex_context_destroy(ctx));
}
