//! How many generations ranks play between two exchanges.
//!
//! Model      K generations of a slab with K rows more on each of two sides, and one exchange: a generation takes 2·K·cols/RATE longer than
//!            alone for the rows of the halos, and LATENCY/K for the exchange. The sum is least at K = √(LATENCY·RATE/(2·cols)).
//!            A device plays a slab in tiles of TILE_ROWS rows (kernels/life/register_tile.cuh), of which it takes whole ones: rows of a halo up
//!            to the end of the last tile cost nothing.
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
const CUDA_DIRECT: Costs = Costs { rate: 4e13, latency: 15e-6 };

/// K, which is a multiple of the generations that a step of a device takes.
pub fn halo(ctx: &Context, comm: &Comm, cols: usize) -> usize {
    if comm.life_halo() > 0 {
        return comm.life_halo();
    }
    let Costs { rate, latency } = match (ctx.is_on_cuda(), comm.is_direct()) {
        (false, _) => CPU,
        (true, false) => CUDA,
        (true, true) => CUDA_DIRECT,
    };
    let rows = f64::sqrt(latency * rate / (2.0 * cols.max(1) as f64));
    (rows as usize).next_multiple_of(8).clamp(8, 512)
}

/// Rows of a tile of 256 columns, with 8 rows a lane.
const TILE_ROWS: u64 = 240;

/// The largest K that takes no more tiles than `depth`. `most`: the most rows of a rank; `sides`: of its slab that have a halo.
pub fn up_to_the_tile(depth: u64, most: u64, sides: u64) -> u64 {
    let rows = most.saturating_add(depth.saturating_mul(sides));
    let end = rows.div_ceil(TILE_ROWS).saturating_mul(TILE_ROWS);
    depth.max(end.saturating_sub(most) / sides / 8 * 8)
}

#[cfg(test)]
mod tests {
    use super::up_to_the_tile;

    #[test]
    fn halos_grow_to_the_end_of_a_tile() {
        assert_eq!(up_to_the_tile(96, 16384, 1), 176); // 69 tiles
        assert_eq!(up_to_the_tile(96, 16384, 2), 208); // 70
        assert_eq!(up_to_the_tile(176, 16384, 1), 176);
        assert_eq!(up_to_the_tile(8, 240, 2), 120);
        assert_eq!(up_to_the_tile(13, u64::MAX, 2), 13);
    }
}
