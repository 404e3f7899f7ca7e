use gpumex::{Context, DimReduction, ReduceDimOptions};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let x = [1.0f32, 5.0, 3.0, 4.0, 2.0, 6.0]; // two rows of three
    let (mut sums, mut maxima, mut at) = ([0.0f32; 3], [0.0; 2], [0u32; 2]);
    let options = ReduceDimOptions::new();
    ctx.reduce_dim(&x, [3, 2, 1], &mut sums, &options)?; // of each column
    let options = options.op(DimReduction::Max);
    ctx.reduce_dim_positions(&x, [1, 3, 2], &mut maxima, &mut at, &options)?;
    println!("{} {} {}", sums[0], sums[1], sums[2]);
    println!("{} at {}, {} at {}", maxima[0], at[0], maxima[1], at[1]);
    Ok(())
}
