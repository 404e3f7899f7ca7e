//! How many generations ranks play between two exchanges.
//!
//! Model      K generations of a slab with K rows more on each of two sides, and one exchange: a generation takes 2·K·cols/RATE longer than
//!            alone for the rows of the halos, and LATENCY/K for the exchange. The sum is least at K = √(LATENCY·RATE/(2·cols)).
//!            On strips a device plays whole tiles of TILE_ROWS rows (kernels/life/register_tile.cuh), so that rows of a halo up to the end
//!            of the last tile cost nothing; there the least sum is looked for.
#![forbid(unsafe_code)]

use crate::comm::Comm;
use crate::context::Context;

/// Cells a second that a rank plays, and seconds of an exchange that no generation hides.
struct Costs {
    rate: f64,
    latency: f64,
}

const CPU: Costs = Costs { rate: 5e10, latency: 50e-6 };
const CUDA: Costs = Costs { rate: 4e13, latency: 50e-6 };
/// Measured by benches/comm.c on two H100s with NVLink, NCCL 2.28.3, November 2026: what is left of an exchange beside the rows of the halo is for
/// the most part the end and the beginning of a launch.
const PEERS: Costs = Costs { rate: 4.1e13, latency: 45e-6 };
const NCCL: Costs = Costs { rate: 4.1e13, latency: 150e-6 };

/// A multiple of the generations that a step of a device takes.
const STEP: u64 = 8;
const MOST: u64 = 512;

/// K of a rank, whose slab is played by the operation of one rank.
pub fn halo(ctx: &Context, cols: usize) -> u64 {
    let Costs { rate, latency } = if ctx.is_on_cuda() { CUDA } else { CPU };
    let rows = f64::sqrt(latency * rate / (2.0 * cols.max(1) as f64));
    (rows as u64).next_multiple_of(STEP).clamp(STEP, MOST)
}

/// Rows of a tile of 256 columns, with 8 rows a lane.
const TILE_ROWS: u64 = 240;

/// K of ranks whose slabs are strips; `most`: the most rows of a rank; `sides`: of its slab that have a halo.
pub fn on_strips(comm: &Comm, cols: usize, most: u64, sides: u64) -> u64 {
    let costs = if comm.has_peers() { PEERS } else { NCCL };
    least(&costs, cols, most, sides)
}

/// Exchanges from one agreement to the next: so many that some milliseconds pass. The same on all ranks.
pub fn between_agreements(cols: usize, most: u64, depth: u64) -> u64 {
    const SECONDS: f64 = 10e-3;
    let seconds = depth as f64 * most as f64 * cols as f64 / PEERS.rate;
    ((SECONDS / seconds) as u64).clamp(1, 64)
}

fn least(costs: &Costs, cols: usize, most: u64, sides: u64) -> u64 {
    let seconds = |k: u64| {
        let rows = most.saturating_add(k * sides).div_ceil(TILE_ROWS) as f64 * TILE_ROWS as f64;
        rows * cols as f64 / costs.rate + costs.latency / k as f64
    };
    let all = (1..=MOST / STEP).map(|steps| steps * STEP);
    all.min_by(|&a, &b| seconds(a).total_cmp(&seconds(b))).unwrap_or(STEP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halos_end_with_a_tile_where_that_is_least() {
        let costs = Costs { rate: 4e13, latency: 10e-6 };
        assert_eq!(least(&costs, 16384, 16384, 1), 176); // 69 tiles
        assert_eq!(least(&costs, 16384, 16384, 2), 88);
        assert_eq!(least(&costs, 65536, 32768, 1), 112); // 137
        assert_eq!(least(&costs, 64, 240, 2), 512); // narrow: the exchange is all
        assert!(least(&costs, 1 << 40, u64::MAX, 2) >= 8); // no number overflows
        assert_eq!(between_agreements(16384, 16384, 176), 8);
        assert_eq!(between_agreements(65536, 1 << 20, 512), 1);
    }
}
