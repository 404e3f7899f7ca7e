use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let kept = ctx.compact(&[8.0, 1.0, 6.0, 3.0, 5.0], &[1, 0, 1, 0, 1])?;
    println!("{} {} {}", kept[0], kept[1], kept[2]);
    Ok(())
}
