use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let source = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
    let mut result = [0; 4];
    ctx.bulk_remove(&source, &[1u32, 3, 4, 5, 7, 8], &mut result)?;
    println!("{}", result.map(|x: i32| x.to_string()).join(" "));
    Ok(())
}
