use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let mut result = [0; 8]; // a[i] goes before b[indices[i]]; 3 is the end
    ctx.bulk_insert(&[0, 1, 2, 3, 4], &[1u32, 1, 2, 3, 3], &[100, 200, 300], &mut result)?;
    println!("{}", result.map(|x: i32| x.to_string()).join(" "));
    Ok(())
}
