use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let a = [1u8, 2, 3, 4, 255, 6, 7, 8, 9]; // 3 × 3
    let mut clean = [0u8; 9];
    ctx.median_filter(&a, (3, 3), (3, 3), &mut clean)?;
    println!("{}", clean.map(|x| x.to_string()).join(" "));
    Ok(())
}
