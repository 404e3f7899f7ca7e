use gpumex::Context;

fn main() -> gpumex::Result<()> {
    let ctx = Context::new()?;
    let text = "to be, or not to be: that is the question";
    let words = ctx.words(text.as_bytes(), 2)?;
    for word in &words.most_frequent {
        println!("{} {}", word.count, &text[word.position..][..word.len]);
    }
    println!("{} words, {} distinct", words.words, words.distinct);
    Ok(())
}
