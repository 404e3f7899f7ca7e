//! The tokens of an expression.
#![forbid(unsafe_code)]

use crate::error::{Error, Result};

/// A number that is written in an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    Whole(u64),
    Fraction(f64),
    /// The imaginary part: 2i.
    Imaginary(f64),
    Logical(bool),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind<'a> {
    Number(Literal),
    Name(&'a str),
    Symbol(&'static str),
    End,
}

/// A token and the index of its first byte.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub kind: Kind<'a>,
    pub at: usize,
}

impl Token<'_> {
    /// How errors name it.
    pub fn text(&self) -> String {
        match self.kind {
            Kind::Number(Literal::Whole(number)) => number.to_string(),
            Kind::Number(Literal::Fraction(number)) => number.to_string(),
            Kind::Number(Literal::Imaginary(number)) => format!("{number}i"),
            Kind::Number(Literal::Logical(value)) => value.to_string(),
            Kind::Name(name) => format!("\"{name}\""),
            Kind::Symbol(symbol) => format!("\"{symbol}\""),
            Kind::End => "end of text".to_string(),
        }
    }
}

/// An error at a byte of the expression, counted from 1.
pub fn error_at(at: usize, message: impl std::fmt::Display) -> Error {
    Error::invalid(format!("expression, at {}: {message}", at + 1))
}

/// The longest one that fits is taken.
const SYMBOLS: [&str; 26] = [
    "&&", "||", "==", "!=", "~=", "<=", ">=", ".*", "./", ".^", "<", ">", "+", "-", "*", "/", "^", "(", ")",
    ",", "?", ":", "&", "|", "!", "~",
];

/// Cuts a text into tokens.
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    /// The next token; End at the end, again and again.
    pub fn next(&mut self) -> Result<Token<'a>> {
        self.at += self.length(|byte| byte.is_ascii_whitespace());
        let at = self.at;
        let rest = &self.text[at..];
        let Some(first) = rest.chars().next() else { return Ok(Token { kind: Kind::End, at }) };
        let kind = if first.is_ascii_digit() || (first == '.' && self.digit_at(1)) {
            Kind::Number(self.number()?)
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = self.length(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            self.at += length;
            Kind::Name(&rest[..length])
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.at += symbol.len();
            Kind::Symbol(symbol)
        } else {
            return Err(error_at(at, format!("a name, a number or an operator expected, found {first:?}")));
        };
        Ok(Token { kind, at })
    }

    /// The number of bytes of a kind from here on.
    fn length(&self, is_of: impl Fn(u8) -> bool) -> usize {
        self.text.bytes().skip(self.at).take_while(|&byte| is_of(byte)).count()
    }

    fn byte_at(&self, offset: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + offset).copied()
    }

    fn digit_at(&self, offset: usize) -> bool {
        self.byte_at(offset).is_some_and(|byte| byte.is_ascii_digit())
    }

    fn is_name_at(&self, offset: usize) -> bool {
        self.byte_at(offset).is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }

    fn number(&mut self) -> Result<Literal> {
        if self.byte_at(0) == Some(b'0') && matches!(self.byte_at(1), Some(b'x' | b'X')) {
            return self.hexadecimal();
        }
        let start = self.at;
        self.digits();
        let mut is_whole = true;
        // In 2.*x the point belongs to the operator.
        if self.byte_at(0) == Some(b'.') && !matches!(self.byte_at(1), Some(b'*' | b'/' | b'^')) {
            is_whole = false;
            self.at += 1;
            self.digits();
        }
        if matches!(self.byte_at(0), Some(b'e' | b'E')) {
            is_whole = false;
            self.at += 1 + usize::from(matches!(self.byte_at(1), Some(b'+' | b'-')));
            if self.digits() == 0 {
                return Err(error_at(self.at, "the digits of an exponent expected"));
            }
        }
        let text = &self.text[start..self.at];
        if matches!(self.byte_at(0), Some(b'i' | b'j')) && !self.is_name_at(1) {
            self.at += 1;
            let number = text.parse().ok().map(Literal::Imaginary);
            return number.ok_or_else(|| error_at(start, format!("{text:?} is not a number")));
        }
        let whole = if is_whole { text.parse().ok().map(Literal::Whole) } else { None };
        let fraction = || text.parse().ok().map(Literal::Fraction);
        whole.or_else(fraction).ok_or_else(|| error_at(start, format!("{text:?} is not a number")))
    }

    fn digits(&mut self) -> usize {
        let digits = self.length(|byte| byte.is_ascii_digit());
        self.at += digits;
        digits
    }

    fn hexadecimal(&mut self) -> Result<Literal> {
        let start = self.at;
        self.at += 2;
        let length = self.length(|byte| byte.is_ascii_hexdigit());
        let digits = &self.text[self.at..self.at + length];
        self.at += length;
        let number = u64::from_str_radix(digits, 16);
        number.map(Literal::Whole).map_err(|_| error_at(start, "0x and 1 to 16 hexadecimal digits expected"))
    }
}
