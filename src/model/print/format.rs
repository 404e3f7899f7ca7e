//! A printf format for one number: literal text around one conversion, checked against the dtype and rebuilt, so
//! that what reaches printf always takes exactly the argument that is handed to it.

use std::ffi::{CString, c_int};

use crate::error::{Error, Result, Status};
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;

/// A format has at most this many bytes.
const FORMAT_BYTES: usize = 1024;

const FLAGS: &[u8] = b"-+ #0";

/// Width and precision are at most this.
const LARGEST: usize = 512;

/// What one conversion makes at most: a sign, the 309 digits of the largest double, the locale's point, LARGEST
/// digits and a NUL.
const ROOM: usize = 2 * LARGEST;

/// What a format is read into, or the rule that it breaks.
type Checked<T> = std::result::Result<T, String>;

/// How the numbers of an array are written.
#[derive(Debug)]
pub struct Format {
    dtype: Dtype,
    before: Vec<u8>,
    conversion: CString,
    argument: Argument,
    behind: Vec<u8>,
}

/// The type that printf takes for the conversion.
#[derive(Clone, Copy, Debug)]
enum Argument {
    Signed,    // long long
    Unsigned,  // unsigned long long
    Character, // int
    Float,     // double
}

impl Format {
    /// The format of numbers of this dtype: `%[flags][width][.precision][length]letter` with text around it, in
    /// which `%%` is a percent sign. Width and precision are digits, at most 512.
    ///
    /// Flags are `-+ #0`; those that mean nothing to the letter are dropped, and so is the length (`l`, `hh` …),
    /// since the dtype has one. Letters: `d i u o x X` for integers, `c` for those of 8 bits, `f F e E g G a A`
    /// for floats. `d` and `i` of an unsigned type are `u`; `u o x X` of a signed type show its two's complement.
    /// Errors: INVALID_ARGUMENT, naming the format, the conversion and the rule.
    pub fn parse(format: &[u8], dtype: Dtype) -> Result<Format> {
        if format.len() > FORMAT_BYTES {
            return Err(Error::invalid(format!(
                "format has {} bytes, {FORMAT_BYTES} are the most",
                format.len()
            )));
        }
        Format::read(format, dtype)
            .map_err(|rule| Error::invalid(format!("format \"{}\": {rule}", format.escape_ascii())))
    }

    fn read(format: &[u8], dtype: Dtype) -> Checked<Format> {
        let (before, rest) = literal(format);
        if rest.is_empty() {
            return Err(format!("it has no conversion; {} takes one of {}", dtype.c_name(), letters(dtype)));
        }
        let (conversion, rest) = Conversion::read(rest)?;
        let argument = conversion.argument(dtype)?;
        let (behind, rest) = literal(rest);
        if !rest.is_empty() {
            let (second, _) = Conversion::read(rest)?;
            return Err(format!("{} is a second conversion; an array has one", second.text));
        }
        Ok(Format { dtype, before, conversion: conversion.rebuilt(argument), argument, behind })
    }

    pub(super) fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// Bytes that a number has at most.
    pub(super) fn longest(&self) -> usize {
        self.before.len() + ROOM + self.behind.len()
    }

    /// Appends one number, given as the bytes of an element; `text` has memory for it.
    pub(super) fn append(&self, element: &[u8], text: &mut Vec<u8>) -> Result<()> {
        let mut room = [0; ROOM];
        let length = usize::try_from(self.printf(element, &mut room)).ok();
        let number = length.and_then(|length| room.get(..length));
        let failed = || Error::new(Status::Internal, format!("printf does not write {:?}", self.conversion));
        for part in [&self.before[..], number.ok_or_else(failed)?, &self.behind] {
            text.extend_from_slice(part);
        }
        Ok(())
    }

    /// What snprintf gives back: the length of the text, negative after an error.
    fn printf(&self, element: &[u8], room: &mut [u8; ROOM]) -> c_int {
        let bits = bits(element);
        let unused = 64 - 8 * element.len();
        let signed = (bits << unused).cast_signed() >> unused;
        let float =
            if self.dtype == Dtype::F32 { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) };
        let (to, format) = (room.as_mut_ptr().cast(), self.conversion.as_ptr());
        // SAFETY: `to` has ROOM bytes; `format` is one conversion, made by `rebuilt` for the argument it gets
        // here.
        unsafe {
            match self.argument {
                Argument::Signed => libc::snprintf(to, ROOM, format, signed),
                Argument::Unsigned => libc::snprintf(to, ROOM, format, bits),
                Argument::Character => libc::snprintf(to, ROOM, format, bits as c_int),
                Argument::Float => libc::snprintf(to, ROOM, format, float),
            }
        }
    }
}

/// The bits of an element of at most 8 bytes; the hosts of CUDA are little-endian.
fn bits(element: &[u8]) -> u64 {
    let mut wide = [0; 8];
    wide[..element.len()].copy_from_slice(element);
    u64::from_le_bytes(wide)
}

/// A conversion taken apart; `text` is all of it.
struct Conversion<'a> {
    text: String,
    flags: &'a [u8],
    width: &'a [u8],
    precision: &'a [u8], // with its point
    letter: u8,
}

impl<'a> Conversion<'a> {
    /// Takes the conversion that `format` begins with; gives back what is behind it.
    fn read(format: &'a [u8]) -> Checked<(Conversion<'a>, &'a [u8])> {
        let (flags, rest) = split(format, 1, |byte| FLAGS.contains(byte));
        let (width, rest) = split(rest, 0, u8::is_ascii_digit);
        let point = usize::from(rest.starts_with(b"."));
        let (precision, rest) = split(rest, point, u8::is_ascii_digit);
        let [letter, rest @ ..] = behind_length(rest) else {
            return Err(format!("{} has no letter at its end", format.escape_ascii()));
        };
        let text = format[..format.len() - rest.len()].escape_ascii().to_string();
        if number(width).max(number(&precision[point..])) > LARGEST {
            return Err(format!("{text} has a width or a precision above {LARGEST}"));
        }
        Ok((Conversion { text, flags, width, precision, letter: *letter }, rest))
    }

    /// The argument for a number of this dtype, when the conversion fits it.
    fn argument(&self, dtype: Dtype) -> Checked<Argument> {
        let is_float = matches!(dtype, Dtype::F32 | Dtype::F64);
        let is_signed = matches!(dtype, Dtype::I8 | Dtype::I16 | Dtype::I32 | Dtype::I64);
        match self.letter {
            b'*' => Err(format!("{} takes its size from an argument; write it in digits", self.text)),
            b'$' => Err(format!("{} counts arguments; there is one, and no need to", self.text)),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' if is_float => Ok(Argument::Float),
            b'd' | b'i' if is_signed => Ok(Argument::Signed),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' if !is_float => Ok(Argument::Unsigned),
            b'c' if dtype.size() == 1 => Ok(Argument::Character),
            _ => {
                let (text, name) = (&self.text, dtype.c_name());
                Err(format!("{text} does not fit {name}, which takes one of {}", letters(dtype)))
            }
        }
    }

    /// The conversion for printf, of nothing but what C defines for its letter.
    fn rebuilt(&self, argument: Argument) -> CString {
        let (letter, defined, length): (u8, &[u8], &[u8]) = match (argument, self.letter) {
            (Argument::Signed, letter) => (letter, b"-+ 0", b"ll"),
            (Argument::Unsigned, letter @ (b'o' | b'x' | b'X')) => (letter, b"-#0", b"ll"),
            (Argument::Unsigned, _) => (b'u', b"-0", b"ll"),
            (Argument::Character, letter) => (letter, b"-", b""),
            (Argument::Float, letter) => (letter, FLAGS, b""),
        };
        let flags: Vec<u8> = defined.iter().filter(|flag| self.flags.contains(flag)).copied().collect();
        let precision = if matches!(argument, Argument::Character) { b"" } else { self.precision };
        let text = [b"%", &flags[..], self.width, precision, length, &[letter]].concat();
        CString::new(text).expect("flags, digits and letters are no NUL")
    }
}

/// Text up to a conversion, with each `%%` as one `%`; and what is left, from the conversion's `%` on.
fn literal(mut format: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut text = Vec::new();
    loop {
        let (byte, rest) = match format {
            [b'%', b'%', rest @ ..] => (b'%', rest),
            [] | [b'%', ..] => return (text, format),
            [byte, rest @ ..] => (*byte, rest),
        };
        text.push(byte);
        format = rest;
    }
}

/// Behind the length of an argument, which the dtype decides.
fn behind_length(format: &[u8]) -> &[u8] {
    let lengths = ["hh", "h", "ll", "l", "j", "z", "t", "L", "q"];
    lengths.iter().find_map(|length| format.strip_prefix(length.as_bytes())).unwrap_or(format)
}

/// The first `fixed` bytes with those behind them that are `wanted`, and the rest.
fn split(bytes: &[u8], fixed: usize, wanted: impl Fn(&u8) -> bool) -> (&[u8], &[u8]) {
    bytes.split_at(fixed + bytes[fixed..].iter().take_while(|byte| wanted(byte)).count())
}

fn number(digits: &[u8]) -> usize {
    let append = |number: usize, digit: &u8| number.saturating_mul(10).saturating_add((digit - b'0').into());
    digits.iter().fold(0, append)
}

/// The conversions of a dtype, for a sentence.
fn letters(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::F32 | Dtype::F64 => "f F e E g G a A",
        Dtype::I8 | Dtype::U8 | Dtype::Bool => "d i u o x X c",
        _ => "d i u o x X",
    }
}

#[cfg(test)]
mod tests;
