//! Which characters make words, and which are one where capitals do not count. ASCII alone, or Unicode as Rust's `char` knows it.

/// U+0027, and what a folded U+2019 is.
pub const APOSTROPHE: char = '\'';
/// U+2019.
pub const CURLY_APOSTROPHE: char = '\u{2019}';

/// Codes that an entry of the first stage stands for.
const BLOCK: usize = 256;
/// Entries of the first stage; GPUMEXK_WORDS' letters begin with so many.
const BLOCKS: usize = 0x11_0000 / BLOCK;

/// The character whose sequence of UTF-8 begins at `text[at]`, and its bytes; None where none does.
pub fn character(text: &[u8], at: usize) -> Option<(char, usize)> {
    let len = match *text.get(at)? {
        byte @ 0..0x80 => return Some((char::from(byte), 1)),
        0xC2..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0..0xF5 => 4,
        _ => return None,
    };
    let sequence = std::str::from_utf8(text.get(at..at + len)?).ok()?;
    sequence.chars().next().map(|character| (character, len))
}

/// The character that stands for this one where capitals do not count.
pub fn folded(character: char) -> char {
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        _ if character == CURLY_APOSTROPHE => APOSTROPHE,
        (Some(one), None) => one,
        _ => character, // its small form is several characters
    }
}

/// Eight bytes that are all this one.
pub const fn each(byte: u64) -> u64 {
    byte * 0x0101_0101_0101_0101
}

/// Bit 7 of each of eight bytes of ASCII that lies from `first` to `last`, and other bits. No sum carries.
#[inline]
pub fn between(ascii: u64, first: u8, last: u8) -> u64 {
    (ascii + each(0x80 - u64::from(first))) & !(ascii + each(0x7F - u64::from(last)))
}

/// What a device looks characters up in, of two stages: an entry for each 256 codes says which block of bits tells the letters
/// (low half), and which block of differences folds them (high half). Equal blocks are one.
pub struct Table {
    /// The entries, the blocks of bits, the blocks of differences.
    pub words: Vec<u32>,
    /// Where the blocks of differences begin.
    pub folds: usize,
}

impl Table {
    /// The table of all of Unicode; takes some milliseconds.
    pub fn new() -> Table {
        let (mut entries, mut letters, mut folds) = (Vec::new(), Vec::new(), Vec::new());
        for block in 0..BLOCKS {
            let (bits, differences) = block_of((block * BLOCK) as u32);
            let entry = number_of(&mut letters, bits) | number_of(&mut folds, differences) << 16;
            entries.push(entry);
        }
        let fixed = entries.len() + letters.len() * (BLOCK / 32);
        let words = entries.into_iter().chain(letters.concat()).chain(folds.concat()).collect();
        Table { words, folds: fixed }
    }
}

/// Letters as bits, and what folding adds, of 256 codes.
fn block_of(first: u32) -> (Vec<u32>, Vec<u32>) {
    let (mut bits, mut differences) = (vec![0; BLOCK / 32], vec![0; BLOCK]);
    for (i, code) in (first..first + BLOCK as u32).enumerate() {
        let Some(character) = char::from_u32(code) else { continue };
        bits[i / 32] |= u32::from(character.is_alphanumeric()) << (i % 32);
        differences[i] = u32::from(folded(character)).wrapping_sub(code);
    }
    (bits, differences)
}

/// The number of a block, which is new unless an equal one is there.
fn number_of(blocks: &mut Vec<Vec<u32>>, block: Vec<u32>) -> u32 {
    let known = blocks.iter().position(|one| *one == block);
    known.unwrap_or_else(|| {
        blocks.push(block);
        blocks.len() - 1
    }) as u32
}
