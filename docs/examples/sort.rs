use gpumex::{Context, Payload, SortOptions};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let mut sorted = [0.0; 6];
    let mut from = [0u32; 6];
    let payload = Payload::indices(&mut from);
    ctx.sort_with(&[5.0, 1.0, 3.0, 1.0, 9.0, 7.0], &mut sorted, payload, &SortOptions::new())?;
    for (key, from) in sorted.iter().zip(from) {
        println!("{key} came from {from}");
    }
    Ok(())
}
