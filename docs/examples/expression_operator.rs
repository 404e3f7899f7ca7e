use gpumex::{Context, ScanKind};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let data = [3.0f32, -7.0, 0.0, 5.0, 0.0, 6.0];
    let (mut farthest, mut latest) = ([0.0f32], [0.0f32; 6]);
    ctx.reduce_by(&data, &mut farthest, "abs (a) >= abs (b) ? a : b", None)?;
    ctx.scan_by(&data, &mut latest, "b == 0 ? a : b", ScanKind::Inclusive, None)?;
    print!("farthest {}, latest", farthest[0]);
    latest.iter().for_each(|value| print!(" {value}"));
    println!();
    Ok(())
}
