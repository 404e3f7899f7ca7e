//! 200 shapes that nobody chose, beside cuBLAS: the worst ratios are what counts, and the plot of docs/performance.md.

use gpumex::model::dtype::Dtype;
use gpumex::ops::matmul::MatmulVariant;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::common::*;
use crate::product::{Matrices, Shape};
use crate::vendor::Vendor;

const SHAPES: usize = 200;
const LONGEST: f64 = 1e4;
/// Of the sorted ratios, the worst first.
const RANKS: [usize; 14] = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200];

/// m, n and k log-uniform to 10^4, all transposes; what cuBLAS takes, over what gpumex takes, and that in microseconds: AUTO in float, TF32,
/// AUTO in double.
pub fn report(ctx: Handle, vendor: Option<&Vendor>, seed: u64) {
    let Some(vendor) = vendor else { return };
    println!("\n{:24} | {:>14} | {:>14} | {:>14}", "cuBLAS / ours (us)", "f32", "tf32", "f64");
    let mut random = Pcg64::seed_from_u64(seed);
    let mut extent = || random.random_range(0.0..LONGEST.ln()).exp().round() as usize;
    let mut ratios = [vec![], vec![], vec![]];
    for index in 0..SHAPES {
        let shape = Shape { m: extent(), n: extent(), k: extent(), trans: [index % 2 == 1, index % 4 > 1] };
        let rows = [
            (Dtype::F32, MatmulVariant::Auto, false),
            (Dtype::F32, MatmulVariant::Tf32, true),
            (Dtype::F64, MatmulVariant::Auto, false),
        ];
        print!("{:24}", shape.text());
        for ((dtype, variant, is_tf32), ratios) in rows.into_iter().zip(&mut ratios) {
            let (ours, theirs) = times(&Matrices::random(ctx, shape, dtype), variant, vendor, is_tf32);
            print!(" | {:5.2} {:8.1}", theirs / ours, ours * 1e3);
            ratios.push(theirs / ours);
        }
        println!();
    }
    println!();
    for (name, ratios) in ["f32", "tf32", "f64"].into_iter().zip(&mut ratios) {
        ratios.sort_by(f64::total_cmp);
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / SHAPES as f64).exp();
        let below = ratios.iter().filter(|&&ratio| ratio < 0.95).count();
        println!("{name}: worst {:.2}, geometric mean {mean:.2}, below 0.95: {below} of {SHAPES}", ratios[0]);
    }
    println!("\nrank,float,TF32,double");
    for rank in RANKS {
        let [f32, tf32, f64] = [0, 1, 2].map(|row: usize| ratios[row][rank - 1]);
        println!("{rank},{f32:.2},{tf32:.2},{f64:.2}");
    }
}

/// Milliseconds of gpumex and of cuBLAS.
fn times(matrices: &Matrices, variant: MatmulVariant, vendor: &Vendor, is_tf32: bool) -> (f64, f64) {
    let rounds = if matrices.shape.flop() > 1e11 { 5 } else { 11 };
    let theirs = || match is_tf32 {
        true => vendor.multiply_tf32(matrices),
        false => vendor.multiply(matrices),
    };
    matrices.multiply(variant); // the first call of a shape is not timed
    theirs();
    let mut times = [vec![], vec![]];
    for _ in 0..rounds {
        times[0].push(matrices.device_ms(|| matrices.multiply(variant)));
        times[1].push(matrices.device_ms(theirs));
    }
    let [ours, theirs] = times.map(middle);
    (ours, theirs)
}
