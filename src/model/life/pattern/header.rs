//! What stands in front of the cells of an RLE text: lines of `#`, and the header.

use super::cursor::{Cursor, Fault, Read};
use super::{Pattern, PatternFormat};
use crate::error::quoted;
use crate::model::life::{LifeBoundary, Rule};

const EXAMPLE: &str = "x = 36, y = 9, rule = B3/S23";

/// A rule with its boundary; no sensible one is longer.
const RULE_BYTES: usize = 100;

/// A rule as it stands in the text, and where.
type RuleText<'a> = Option<(usize, &'a [u8])>;

pub fn parse(text: &[u8]) -> Read<Pattern<'_>> {
    let mut pattern = Pattern { format: PatternFormat::Rle, text, ..Pattern::default() };
    let mut cursor = Cursor::new(text, 0);
    let mut rule = None;
    cursor.skip_space();
    while cursor.peek() == Some(b'#') {
        comment(&mut cursor, &mut pattern, &mut rule)?;
        cursor.skip_space();
    }
    rule = extents(&mut cursor, &mut pattern)?.or(rule);
    if let Some((at, text)) = rule {
        read_rule(text, &mut pattern).map_err(|sentence| Fault::new(at, sentence))?;
    }
    pattern.body = cursor.at();
    Ok(pattern)
}

/// `#N name`, `#r rule`, and where the pattern lies: `#P x y`, `#R x y`, `#CXRLE Pos=x,y`. All others are remarks.
fn comment<'a>(cursor: &mut Cursor<'a>, pattern: &mut Pattern<'a>, rule: &mut RuleText<'a>) -> Read<()> {
    let at = cursor.at();
    let line = cursor.comment()?;
    let rest = line.get(2..).unwrap_or_default();
    match line.get(1) {
        Some(b'N') => pattern.name = rest.trim_ascii(),
        Some(b'r') => *rule = Some((at + 2 + rest.len() - rest.trim_ascii_start().len(), rest.trim_ascii())),
        Some(b'P' | b'R') => pattern.origin = place(rest).unwrap_or(pattern.origin),
        Some(b'C') if line.starts_with(b"#CXRLE") => {
            let found = line.windows(4).position(|word| word == b"Pos=");
            pattern.origin = found.and_then(|at| place(&line[at + 4..])).unwrap_or(pattern.origin);
        }
        _ if line.starts_with(b"#Life ") => {
            let line = quoted(line);
            return Err(Fault::new(at, format!("{line} is read as line 1 alone, and of Life only 1.06")));
        }
        _ => {}
    }
    Ok(())
}

/// "x y" or "x,y", as row and column.
fn place(text: &[u8]) -> Option<[i64; 2]> {
    let mut cursor = Cursor::new(text, 0);
    cursor.skip_blanks();
    let col = cursor.integer().ok()??;
    cursor.take_while(|byte| byte == b' ' || byte == b'\t' || byte == b',');
    let row = cursor.integer().ok()??;
    Some([row, col])
}

/// `x = m, y = n`, and `, rule = …` up to the end of the line.
fn extents<'a>(cursor: &mut Cursor<'a>, pattern: &mut Pattern<'a>) -> Read<RuleText<'a>> {
    pattern.cols = extent(cursor, "x")?;
    expect(cursor, b',')?;
    pattern.rows = extent(cursor, "y")?;
    cursor.skip_blanks();
    if matches!(cursor.peek(), None | Some(b'\n' | b'\r')) {
        return Ok(None);
    }
    expect(cursor, b',')?;
    name(cursor, "rule")?;
    cursor.skip_blanks();
    Ok(Some((cursor.at(), cursor.rest_of_line())))
}

/// `x = m`.
fn extent(cursor: &mut Cursor, letter: &str) -> Read<usize> {
    name(cursor, letter)?;
    cursor.skip_blanks();
    cursor.number()?.ok_or_else(|| unexpected(cursor, &format!("a number behind {letter} =")))
}

/// `word =`.
fn name(cursor: &mut Cursor, word: &str) -> Read<()> {
    cursor.skip_blanks();
    for byte in word.bytes() {
        if !cursor.take(byte) {
            return Err(unexpected(cursor, &format!("{word} =")));
        }
    }
    expect(cursor, b'=')
}

fn expect(cursor: &mut Cursor, byte: u8) -> Read<()> {
    cursor.skip_blanks();
    if cursor.take(byte) { Ok(()) } else { Err(unexpected(cursor, &format!("\"{}\"", char::from(byte)))) }
}

fn unexpected(cursor: &Cursor, wanted: &str) -> Fault {
    let found = cursor.found();
    Fault::new(cursor.at(), format!("{found} where the header has {wanted}; a header is such as {EXAMPLE}"))
}

/// "B3/S23", and behind a colon the board's shape.
fn read_rule(text: &[u8], pattern: &mut Pattern) -> Result<(), String> {
    if text.len() > RULE_BYTES {
        return Err(format!("a rule of {} bytes; {RULE_BYTES} are the most", text.len()));
    }
    let text: Vec<u8> = text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let text = String::from_utf8_lossy(&text);
    let (rule, shape) = text.split_once(':').map_or((&*text, None), |(rule, shape)| (rule, Some(shape)));
    pattern.rule = Rule::parse(rule).map_err(|error| error.message().to_string())?;
    let Some(shape) = shape else { return Ok(()) };
    (pattern.boundary, pattern.board) = read_shape(shape).ok_or_else(|| {
        format!("{} is neither a torus nor a plane, such as T100,50 or P100,50", quoted(shape))
    })?;
    match pattern.board {
        [rows, cols] if rows > 0 && (rows < pattern.rows || cols < pattern.cols) => {
            let (y, x) = (pattern.rows, pattern.cols);
            Err(format!("a board of {cols},{rows} has no room for x = {x}, y = {y}"))
        }
        _ => Ok(()),
    }
}

/// `T100,50`: a torus 100 wide and 50 high; `P` a plane with nothing around it; `T100` is square, and `T` alone
/// states no size.
fn read_shape(text: &str) -> Option<(LifeBoundary, [usize; 2])> {
    let mut cursor = Cursor::new(text.as_bytes(), 0);
    let boundary = if cursor.take(b'T') {
        LifeBoundary::Torus
    } else if cursor.take(b'P') {
        LifeBoundary::Dead
    } else {
        return None;
    };
    if cursor.peek().is_none() {
        return Some((boundary, [0, 0]));
    }
    let cols = cursor.number().ok()??;
    let rows = if cursor.take(b',') { cursor.number().ok()?? } else { cols };
    (cursor.peek().is_none() && rows > 0 && cols > 0).then_some((boundary, [rows, cols]))
}
