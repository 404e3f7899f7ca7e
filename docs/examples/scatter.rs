use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let mut target = [0.0; 5];
    ctx.scatter(&[7.0, 8.0], &[4u32, 1], &mut target)?;
    println!("{}", target.map(|x: f64| x.to_string()).join(" "));
    Ok(())
}
