use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let mut output = [0; 5]; // lengths 2, 0 and 3
    ctx.interval_expand(&[0u32, 2, 2], &[7, 8, 9], &mut output)?;
    println!("{}", output.map(|x: i32| x.to_string()).join(" "));
    Ok(())
}
