use gpumex::{Context, ScaleFactor, ScaleOptions};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let squares = [25.0]; // |x|^2, as ctx.dot gives it
    let mut x = [3.0, 4.0];
    let options = ScaleOptions::new().factor(ScaleFactor::ReciprocalRoot);
    ctx.scale_with(&squares, &mut x, &options)?;
    println!("{} {}", x[0], x[1]);
    Ok(())
}
