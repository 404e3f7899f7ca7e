use gpumex::{Context, HistogramOptions};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let samples = [0.1, 0.7, 0.2, 0.9, 0.15, 1.5]; // 1.5 lies outside
    let mut counts = [0; 4];
    ctx.histogram_with(&samples, &mut counts, &HistogramOptions::new().range(0.0..1.0))?;
    for (k, count) in counts.iter().enumerate() {
        println!("from {:.2}: {count}", k as f64 / 4.0);
    }
    Ok(())
}
