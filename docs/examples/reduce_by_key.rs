use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let (keys, sums) = ctx.reduce_by_key(&[1, 1, 4, 4, 4, 9], &[10.0, 20.0, 1.0, 2.0, 3.0, 7.0])?;
    for (key, sum) in keys.iter().zip(sums) {
        println!("key {key}: {sum}");
    }
    Ok(())
}
