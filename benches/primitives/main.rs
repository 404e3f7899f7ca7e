//! The parallel primitives on arrays of the device, beside CUB in the same process, in turn.
//!
//!   scripts/build-cuda benches/peers/cub.cu target/libpeers.so -shared
//!   GPUMEX_PEERS=target/libpeers.so cargo bench --bench primitives [-- reduce sort merge search segments join sweep cpu]
//!
//! Medians of 11 calls by the time of the kernels; random numbers, 2^28, 10^7 and 4096 elements, in the sweep 2^10 to
//! 2^30. The names choose tables; without
//! one all are made. That of the CPU backend alone needs no GPU.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/peers.rs"]
mod peers;

mod cpu;
mod join;
mod merge;
mod reduce;
mod search;
mod segments;
mod sort;
mod sweep;

use common::*;
use peers::Peers;

type Table = fn(Handle, Option<Peers>);

const CPU: &str = "cpu";
const TABLES: [(&str, Table); 7] = [
    ("reduce", reduce::table),
    ("sort", sort::table),
    ("merge", merge::table),
    ("search", |ctx, _| search::table(ctx)),
    ("segments", segments::table),
    ("join", |ctx, _| join::table(ctx)),
    ("sweep", sweep::table),
];

fn main() {
    let peers = Peers::load();
    if peers.is_none() {
        println!("GPUMEX_PEERS names no library: the columns of CUB stay empty");
    }
    let names: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    if is_wanted(CPU) {
        cpu::table(peers);
    }
    if names == [CPU] {
        return;
    }
    let ctx = context();
    println!("\n{}", text(gpumex::ffi::gpumex_context_device_text(ctx)));
    open_primary(); // for the peer
    for (_, table) in TABLES.into_iter().filter(|(name, _)| is_wanted(name)) {
        table(ctx, peers);
    }
    check(gpumex::ffi::gpumex_context_destroy(ctx));
}
