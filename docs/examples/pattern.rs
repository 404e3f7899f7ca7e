use gpumex::Pattern;

fn main() -> gpumex::Result<()> {
    let text = "x = 3, y = 3, rule = B3/S23\nbob$2bo$3o!"; // a glider
    let pattern = Pattern::inspect(text)?;
    let mut board = [0u8; 3 * 3];
    Pattern::read(text, (0, 0), &mut board, (3, 3))?;
    for row in board.chunks(3) {
        println!("{}", row.iter().map(|&cell| if cell == 1 { '#' } else { '.' }).collect::<String>());
    }
    println!("{} cells alive", pattern.population);
    Ok(())
}
