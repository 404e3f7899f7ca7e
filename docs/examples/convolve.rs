use gpumex::{Boundary, Context, ConvolveOptions};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let a = [1f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]; // 3 × 3
    let sobel = [1f32, 0.0, -1.0, 2.0, 0.0, -2.0, 1.0, 0.0, -1.0];
    let mut edges = [0f32; 9];
    let options = ConvolveOptions::new().boundary(Boundary::Dead);
    ctx.convolve_with(&a, (3, 3), &sobel, (3, 3), &mut edges, &options)?;
    println!("{}", edges.map(|x| x.to_string()).join(" "));
    Ok(())
}
