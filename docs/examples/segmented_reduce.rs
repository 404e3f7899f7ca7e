use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let mut sums = [0.0; 4]; // segments of 3, 0, 1 and 2 elements
    ctx.segmented_reduce(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[0u32, 3, 3, 4, 6], &mut sums)?;
    println!("{}", sums.map(|x: f64| x.to_string()).join(" "));
    Ok(())
}
