use gpumex::{Context, MapOptions};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let (x, n) = ([1u8, 1, 0, 0], [2u8, 4, 3, 2]);
    let mut next = [0u8; 4];
    let inputs = [(&x).into(), (&n).into()];
    let options = MapOptions::new().names("x n");
    ctx.map_with("x & n == 2 | n == 3", &inputs, &mut next, &options)?;
    println!("{} {} {} {}", next[0], next[1], next[2], next[3]);
    Ok(())
}
