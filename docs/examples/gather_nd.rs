use gpumex::{Context, Selection};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]; // 2 rows and 3 columns
    let p = [3.0, 1.0, 1.0, 2.0]; // counted from 1
    let mut result = [0.0; 8];
    let columns = Selection::at(3, &p).start(-1);
    ctx.gather_nd(&a, vec![Selection::all(2), columns], &mut result)?;
    println!("{}", result.map(|x: f64| x.to_string()).join(" "));
    Ok(())
}
