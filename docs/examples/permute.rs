use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]; // 2 rows and 3 columns
    let mut transposed = [0.0; 6];
    ctx.permute(&a, &[2, 3], &[1, 0], &mut transposed)?;
    println!("{}", transposed.map(|x: f64| x.to_string()).join(" "));
    Ok(())
}
