use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let mut array = ctx.zeros::<f32>(6)?; // on the device
    ctx.fill_ascending(&mut array, 0.0, 0.5)?;
    print!("{}", ctx.print(&array, "%g", 3)?); // the array has not left it
    Ok(())
}
