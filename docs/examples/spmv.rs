use gpumex::{Context, Csr};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let matrix = Csr {
        values: &[4.0, 1.0, 2.0, 3.0], // rows (4 0 1), (0 0 0), (0 2 3)
        columns: &[0u32, 2, 1, 2],
        offsets: &[0, 2, 2, 4],
    };
    let mut y = [0.0; 3];
    ctx.spmv(matrix, &[1.0, 10.0, 100.0], &mut y)?;
    println!("{}", y.map(|x: f64| x.to_string()).join(" "));
    Ok(())
}
