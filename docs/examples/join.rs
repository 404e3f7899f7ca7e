use gpumex::{Context, JoinOptions};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let (a, b) = ([1, 2, 3], [2, 3, 3, 9]); // both sorted
    for (i, j) in ctx.join::<_, u32>(&a, &b, &JoinOptions::new())? {
        println!("row {i} of a, row {j} of b");
    }
    Ok(())
}
