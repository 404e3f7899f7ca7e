use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]; // 2 x 3, row-major
    let b = [1.0, 0.0, 0.0, 1.0, 1.0, 1.0]; // 3 x 2
    let mut c = [0.0; 2 * 2];
    ctx.matmul(&a, &b, &mut c, (2, 2, 3))?;
    println!("{} {}\n{} {}", c[0], c[1], c[2], c[3]);
    Ok(())
}
