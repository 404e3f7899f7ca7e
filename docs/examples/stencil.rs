use gpumex::{Boundary, Context, StencilOptions};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let plate = [0f32, 0.0, 0.0, 0.0, 16.0, 0.0, 0.0, 0.0, 0.0]; // 3 × 3
    let mut next = [0f32; 9];
    let options = StencilOptions::new().boundary(Boundary::Dead);
    let step = "a + 0.125 * (a(-1,0) + a(1,0) + a(0,-1) + a(0,1) - 4*a)";
    ctx.stencil_with(step, &[(&plate).into()], (3, 3), &mut next, &options)?;
    println!("{} {} {}", next[3], next[4], next[5]);
    Ok(())
}
