use gpumex::{Context, DimReduction, MapReduceOptions};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let (x, y) = ([1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2.0f32]); // x: two rows of 3
    let (inputs, shape) = ([(&x).into(), (&y).into()], [3, 2]);
    let (mut sum, mut largest) = ([0.0f32], [0.0f32; 2]);
    let options = MapReduceOptions::new();
    ctx.map_reduce("(a - b) ^ 2", &inputs, &shape, &mut sum, &options)?;
    let options = options.op(DimReduction::Max).dimension(0); // of each row
    ctx.map_reduce("abs (a - 2 * b)", &inputs, &shape, &mut largest, &options)?;
    println!("{}; {} {}", sum[0], largest[0], largest[1]);
    Ok(())
}
