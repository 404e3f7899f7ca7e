use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let (needles, haystack) = ([5, 20, 31], [10, 20, 20, 30]);
    let mut places = [0u32; 3];
    ctx.sorted_search(&needles, &haystack, &mut places)?;
    for (needle, place) in needles.iter().zip(places) {
        println!("{needle}: {place} are less");
    }
    Ok(())
}
