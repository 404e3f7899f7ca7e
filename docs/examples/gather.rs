use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let mut result = [0.0; 4]; // 9 is out of range: zero
    ctx.gather(&[10.0, 11.0, 12.0, 13.0], &[3u32, 0, 0, 9], &mut result)?;
    println!("{}", result.map(|x: f64| x.to_string()).join(" "));
    Ok(())
}
