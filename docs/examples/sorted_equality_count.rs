use gpumex::{Context, EqualityCountOptions};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let (a, b) = ([1, 2, 4], [2, 2, 3, 4]);
    let (mut counts, mut lower) = ([0u32; 3], [0u32; 3]);
    let options = EqualityCountOptions::new();
    ctx.sorted_equality_count_with(&a, &b, &mut counts, &mut lower, &options)?;
    for i in 0..3 {
        println!("{}: {} times, from {} on", a[i], counts[i], lower[i]);
    }
    Ok(())
}
