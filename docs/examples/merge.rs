use gpumex::{Context, MergeOptions, PairPayload};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let mut keys = [0.0; 5];
    let mut from = [0u32; 5]; // i for a[i], 3 + j for b[j]
    let payload = PairPayload::indices(&mut from);
    ctx.merge_with(&[1.0, 3.0, 5.0], &[2.0, 3.0], &mut keys, payload, &MergeOptions::new())?;
    for (key, from) in keys.iter().zip(from) {
        println!("{key} ({from})");
    }
    Ok(())
}
