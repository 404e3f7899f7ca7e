use gpumex::{Context, ScanDimOptions, ScanKind};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let x = [1, 5, 3, 4, 2, 6]; // two rows of three
    let mut sums = [0i32; 6];
    let options = ScanDimOptions::new().kind(ScanKind::Inclusive);
    ctx.scan_dim(&x, [1, 3, 2], &mut sums, &options)?;
    for row in sums.chunks(3) {
        println!("{} {} {}", row[0], row[1], row[2]);
    }
    Ok(())
}
