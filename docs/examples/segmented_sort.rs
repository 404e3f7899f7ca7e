use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let mut sorted = [0; 9];
    ctx.segmented_sort(&[9, 7, 8, 3, 2, 1, 6, 5, 4], &[0u32, 3, 6], &mut sorted)?;
    for segment in sorted.chunks(3) {
        println!("{} {} {}", segment[0], segment[1], segment[2]);
    }
    Ok(())
}
