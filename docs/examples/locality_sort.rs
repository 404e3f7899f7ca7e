use gpumex::{Context, LocalitySortOptions, Payload};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let keys = [2, 1, 3, 5, 4, 6, 8, 7]; // no key is far from its place
    let mut sorted = [0; 8];
    ctx.locality_sort(&keys, &mut sorted, Payload::none(), &LocalitySortOptions::new())?;
    println!("{}", sorted.map(|key: i32| key.to_string()).join(" "));
    Ok(())
}
