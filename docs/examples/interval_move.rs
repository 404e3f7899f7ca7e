use gpumex::{Context, IntervalMoveOptions, Intervals};

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let mut output = [0; 5]; // 3 elements from 7 on, 2 from 2 on
    let intervals = Intervals::new(&[0u32, 3], 5).gather(&[7, 2]);
    let input = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    ctx.interval_move(intervals, &input, &mut output, &IntervalMoveOptions::new())?;
    println!("{}", output.map(|x: i32| x.to_string()).join(" "));
    Ok(())
}
