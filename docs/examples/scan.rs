use gpumex::{Context, ScanOptions};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let (mut before, mut total) = ([0; 5], [0]);
    ctx.scan_with_total(&[3, 1, 4, 1, 5], &mut before, &mut total, &ScanOptions::new())?;
    println!("{} total {}", before.map(|x: i32| x.to_string()).join(" "), total[0]);
    Ok(())
}
