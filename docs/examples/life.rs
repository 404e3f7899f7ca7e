use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let mut board = [0u8; 5 * 5];
    board[11..14].fill(1); // three in a row become a column
    let mut next = [0u8; 5 * 5];
    ctx.life(&board, (5, 5), 1, &mut next)?;
    for row in next.chunks(5) {
        println!("{}", row.iter().map(|&cell| if cell == 1 { '#' } else { '.' }).collect::<String>());
    }
    Ok(())
}
