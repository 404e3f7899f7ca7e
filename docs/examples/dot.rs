use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    println!("{}", ctx.dot(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0])?);
    Ok(())
}
