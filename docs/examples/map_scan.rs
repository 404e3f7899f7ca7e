use gpumex::{Context, DimReduction, MapScanOptions, ScanKind};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let x = [1.0f32, -2.0, 3.0, 4.0, -6.0, 5.0]; // two rows of 3
    let y = [2.0f32, 1.0, 1.0, 1.0, 1.0, 2.0];
    let (inputs, shape) = ([(&x).into(), (&y).into()], [3, 2]);
    let (mut sums, mut peaks) = ([0.0f32; 6], [0.0f32; 6]);
    let options = MapScanOptions::new().kind(ScanKind::Inclusive);
    ctx.map_scan("a * b", &inputs, &shape, &mut sums, &options)?;
    let options = options.op(DimReduction::Max).dimension(0); // along each row
    ctx.map_scan("abs (a)", &inputs[..1], &shape, &mut peaks, &options)?;
    for line in [sums, peaks] {
        println!("{}", line.map(|number| number.to_string()).join(" "));
    }
    Ok(())
}
