use gpumex::{Context, Selection};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let mut a = [0.0; 9]; // 3 rows and 3 columns; A(2, 1:2:3) = 7
    let (row, columns) = (Selection::range(3, 1, 1), Selection::range(3, 0, 2).step(2));
    ctx.scatter_nd(&[7.0], vec![row, columns], &mut a)?;
    println!("{}", a.map(|x: f64| x.to_string()).join(" "));
    Ok(())
}
