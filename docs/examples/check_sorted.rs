use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    if let Some(first_bad) = ctx.check_sorted(&[1, 2, 5, 4, 6])? {
        println!("the key at {first_bad} is out of order");
    }
    Ok(())
}
