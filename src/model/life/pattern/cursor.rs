//! A text byte by byte, and what is wrong with it, with line and column.

use crate::error::Error;

/// A place in a text and the rule that it breaks.
#[derive(Debug)]
pub struct Fault {
    at: usize,
    rule: String,
}

/// The largest coordinate of a cell, on either side of 0.
pub const COORDINATE_MAX: i64 = 1 << 62;

/// What a text is read into.
pub type Read<T> = Result<T, Fault>;

impl Fault {
    /// `at` counts bytes from the beginning of the text.
    pub fn new(at: usize, rule: impl Into<String>) -> Fault {
        Fault { at, rule: rule.into() }
    }

    /// "line 3, column 17: …", both from 1, columns in bytes.
    pub fn in_text(self, text: &[u8]) -> Error {
        let before = &text[..self.at];
        let ends = |&i: &usize| is_break(before, i);
        let line = 1 + (0..before.len()).filter(ends).count();
        let start = (0..before.len()).rev().find(ends).map_or(0, |i| i + 1);
        Error::invalid(format!("line {line}, column {}: {}", self.at - start + 1, self.rule))
    }
}

/// Whether a line ends with byte i: with "\n", "\r\n" or "\r".
fn is_break(text: &[u8], i: usize) -> bool {
    text[i] == b'\n' || (text[i] == b'\r' && text.get(i + 1) != Some(&b'\n'))
}

/// The place up to which a text is read.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a [u8], at: usize) -> Cursor<'a> {
        Cursor { text, at }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub fn next(&mut self) -> Option<u8> {
        let byte = self.peek();
        self.at += usize::from(byte.is_some());
        byte
    }

    /// Passes over the next byte when it is this one, in either case.
    pub fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek().is_some_and(|next| next.eq_ignore_ascii_case(&byte));
        self.at += usize::from(is_next);
        is_next
    }

    /// The bytes that are so, which are passed over.
    pub fn take_while(&mut self, is_so: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let len = rest.iter().position(|&byte| !is_so(byte)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    /// Passes over blanks within a line.
    pub fn skip_blanks(&mut self) {
        self.take_while(|byte| byte == b' ' || byte == b'\t');
    }

    /// Passes over blanks and the ends of lines.
    pub fn skip_space(&mut self) {
        self.take_while(|byte| byte.is_ascii_whitespace());
    }

    /// What is left of the line, without its end and without blanks around it.
    pub fn rest_of_line(&mut self) -> &'a [u8] {
        self.take_while(|byte| byte != b'\n' && byte != b'\r').trim_ascii()
    }

    /// A line that begins with `#`, from there on. A NUL in it is refused: such a text is none.
    pub fn comment(&mut self) -> Read<&'a [u8]> {
        let at = self.at;
        let line = self.rest_of_line();
        match line.iter().position(|&byte| byte == 0) {
            Some(nul) => Err(Fault::new(at + nul, "byte 0x00 in a comment")),
            None => Ok(line),
        }
    }

    /// Whether nothing but blanks stands between the beginning of the line and here.
    pub fn begins_line(&self) -> bool {
        let last = self.text[..self.at].iter().rfind(|&&byte| byte != b' ' && byte != b'\t');
        last.is_none_or(|&byte| byte == b'\n' || byte == b'\r')
    }

    /// A number without sign; None where no digit is next.
    pub fn number(&mut self) -> Read<Option<usize>> {
        let at = self.at;
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        if digits.is_empty() {
            return Ok(None);
        }
        let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
        number.map(Some).ok_or_else(|| Fault::new(at, format!("a number above {}", usize::MAX)))
    }

    /// A number that may have a sign, of at most 2^62; None where none is next.
    pub fn integer(&mut self) -> Read<Option<i64>> {
        let at = self.at;
        let is_negative = self.peek() == Some(b'-');
        self.at += usize::from(is_negative || self.peek() == Some(b'+'));
        let Some(size) = self.number()? else {
            self.at = at;
            return Ok(None);
        };
        let number = i64::try_from(size).ok().filter(|&size| size <= COORDINATE_MAX);
        let number = number.ok_or_else(|| Fault::new(at, "a coordinate beyond 2^62"))?;
        Ok(Some(if is_negative { -number } else { number }))
    }

    /// What is next, for a sentence: "\"x\"", "byte 0x00", "the end of the line", "the end of the text".
    pub fn found(&self) -> String {
        match self.peek() {
            None => "the end of the text".to_string(),
            Some(b'\n' | b'\r') => "the end of the line".to_string(),
            Some(byte @ b' '..=b'~') => format!("\"{}\"", char::from(byte)),
            Some(byte) => format!("byte 0x{byte:02x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_by_line_and_column() {
        let text = b"ab\ncd\r\nef\rgh";
        let place = |at| Fault::new(at, "x").in_text(text).message().to_string();
        for (at, want) in [
            (0, "line 1, column 1: x"),
            (2, "line 1, column 3: x"),
            (3, "line 2, column 1: x"),
            (5, "line 2, column 3: x"),
            (7, "line 3, column 1: x"),
            (10, "line 4, column 1: x"),
            (12, "line 4, column 3: x"),
        ] {
            assert_eq!(place(at), want, "byte {at}");
        }
    }

    #[test]
    fn numbers_end_where_their_type_ends() {
        let number = |text: &str| Cursor::new(text.as_bytes(), 0).number().map_err(|fault| fault.rule);
        assert_eq!(number("18446744073709551615o"), Ok(Some(usize::MAX)));
        assert_eq!(number("18446744073709551616o"), Err("a number above 18446744073709551615".into()));
        assert_eq!((number("007"), number("o"), number("")), (Ok(Some(7)), Ok(None), Ok(None)));
        let integer = |text: &str| Cursor::new(text.as_bytes(), 0).integer().map_err(|fault| fault.rule);
        assert_eq!(integer("-4611686018427387904"), Ok(Some(-(1 << 62))));
        assert_eq!(integer("4611686018427387905"), Err("a coordinate beyond 2^62".into()));
        assert_eq!((integer("+3"), integer("-"), integer("--1")), (Ok(Some(3)), Ok(None), Ok(None)));
    }
}
