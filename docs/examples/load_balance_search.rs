use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let mut owners = [0u32; 11]; // objects of 2, 5, 3, 0 and 1 items
    ctx.load_balance_search(&[0, 2, 7, 10, 10], &mut owners)?;
    println!("{}", owners.map(|owner| owner.to_string()).join(" "));
    Ok(())
}
