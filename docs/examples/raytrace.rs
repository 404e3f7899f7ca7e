use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let sphere = [1.0, 0.5, 0.0, 90.0, 0.0, 0.0, 0.0]; // r, g, b, radius, x, y, z
    let mut image = vec![0; 200 * 200 * 4];
    ctx.raytrace(&sphere, (200, 200), &mut image)?;
    let (centre, corner) = (&image[(100 * 200 + 100) * 4..], &image);
    println!("centre {} {} {}", centre[0], centre[1], centre[2]);
    println!("corner {} {} {}", corner[0], corner[1], corner[2]);
    Ok(())
}
