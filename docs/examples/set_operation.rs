use gpumex::{Context, SetOperator};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let keys = ctx.set_operation(SetOperator::Union, &[1, 2, 4, 7], &[2, 4, 5])?;
    println!("{}", keys.iter().map(|key| key.to_string()).collect::<Vec<_>>().join(" "));
    Ok(())
}
