use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let mut y = [10.0, 20.0, 30.0];
    ctx.add(&[1.0, 2.0, 3.0], &mut y)?;
    println!("{} {} {}", y[0], y[1], y[2]);
    Ok(())
}
