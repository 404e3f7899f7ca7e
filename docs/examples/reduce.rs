use gpumex::{Context, Operator, ReduceOptions};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let data = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
    let sum = ctx.reduce(&data)?;
    let mut most = [0.0];
    ctx.reduce_with(&data, &mut most, &ReduceOptions::new().op(Operator::Max))?;
    println!("sum {sum}, max {}", most[0]);
    Ok(())
}
