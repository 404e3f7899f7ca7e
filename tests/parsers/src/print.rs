//! Printf formats: taken or refused as a grammar says, and numbers as libc's snprintf writes them.

use std::ffi::{c_char, c_int, c_void};

use gpumex_core::ffi::*;
use gpumex_core::model::dtype::Dtype;

use crate::call::{Answer, Fields, INVALID, OK, answer, before_nul, c_string, context};
use crate::memory::within;

const DTYPES: [Dtype; 11] = [
    Dtype::F32,
    Dtype::F64,
    Dtype::I8,
    Dtype::I16,
    Dtype::I32,
    Dtype::I64,
    Dtype::U8,
    Dtype::U16,
    Dtype::U32,
    Dtype::U64,
    Dtype::Bool,
];

/// dtype, count, columns; the format up to a NUL, and then the numbers.
pub fn print(data: &[u8]) {
    let mut fields = Fields(data);
    let dtype = DTYPES[usize::from(fields.byte()) % DTYPES.len()];
    let [count, columns] = [fields.byte() % 20, fields.byte() % 6].map(usize::from);
    let format = before_nul(fields.0);
    let mut values = Fields(fields.0.get(format.len() + 1..).unwrap_or_default());
    let numbers: Vec<u64> = (0..count).map(|_| values.number() as u64).collect();
    let elements: Vec<u8> =
        numbers.iter().flat_map(|bits| bits.to_le_bytes()[..dtype.size()].to_vec()).collect();
    let mut aligned: Vec<u64> = vec![0; count.max(1)];
    // SAFETY: as many bytes as the elements have, of a Vec of at least as many.
    unsafe { std::ptr::copy_nonoverlapping(elements.as_ptr(), aligned.as_mut_ptr().cast(), elements.len()) };

    let print = |text: &mut [u8]| printed(dtype, &aligned, count, format, columns, text);
    let (answer, needed) = print(&mut []);
    let want = Conversion::of(format, dtype).filter(|_| columns > 0 && format.len() <= 1024);
    assert_eq!(answer.0, if want.is_some() { OK } else { INVALID }, "{answer:?}");
    let Some(conversion) = want else { return assert!(!answer.1.is_empty()) };

    let want = conversion.rows(dtype, &numbers, columns);
    let mut text = vec![0xA5; needed];
    assert_eq!(print(&mut text), (answer.clone(), needed));
    assert_eq!((text.pop(), &*text.escape_ascii().to_string()), (Some(0), &*want.escape_ascii().to_string()));
    let mut half = vec![0xA5; needed / 2];
    assert_eq!(print(&mut half), (answer, needed));
    assert!(half.pop().is_none_or(|last| last == 0) && want.starts_with(&half), "a part is the beginning");
    assert!(row_by_row(dtype, &aligned, count, format, columns) == want, "print_to gives the same");
}

fn printed(
    dtype: Dtype,
    array: &[u64],
    count: usize,
    format: &[u8],
    columns: usize,
    text: &mut [u8],
) -> (Answer, usize) {
    let (format, mut needed, ctx) = (c_string(format), 0, context());
    let (from, to) = (array.as_ptr().cast(), text.as_mut_ptr().cast());
    let (dtype, capacity) = (dtype as i32, text.len());
    // A row is kept whole, and grows by doubling.
    let bound = (64 << 10) + 4 * (count + 1) * (512 + 512 + 1024);
    // SAFETY: count numbers, a C string, the bytes of a slice.
    let status = within(bound, || unsafe {
        gpumex_print(ctx, dtype, from, count, format.as_ptr().cast(), columns, to, capacity, &raw mut needed)
    });
    (answer(status), needed as usize)
}

fn row_by_row(dtype: Dtype, array: &[u64], count: usize, format: &[u8], columns: usize) -> Vec<u8> {
    unsafe extern "C" fn keep(user: *mut c_void, text: *const c_char, length: usize) -> i32 {
        // SAFETY: the Vec that is handed over below, and the text for as long as this runs.
        let (kept, text) =
            unsafe { (&mut *user.cast::<Vec<u8>>(), std::slice::from_raw_parts(text.cast(), length)) };
        kept.extend_from_slice(text);
        0
    }
    let (format, mut text, ctx) = (c_string(format), Vec::<u8>::new(), context());
    let (from, user) = (array.as_ptr().cast(), (&raw mut text).cast());
    // SAFETY: count numbers, a C string; the Vec outlives the call.
    let status = unsafe {
        gpumex_print_to(ctx, dtype as i32, from, count, format.as_ptr().cast(), columns, Some(keep), user)
    };
    assert_eq!(answer(status).0, OK);
    text
}

/// A format as its grammar has it.
struct Conversion {
    before: Vec<u8>,
    specification: Vec<u8>, // for printf, with a NUL
    letter: u8,
    behind: Vec<u8>,
}

impl Conversion {
    fn of(format: &[u8], dtype: Dtype) -> Option<Conversion> {
        let mut texts = [Vec::new(), Vec::new()];
        let (mut specification, mut at, mut letter) = (Vec::new(), 0, None);
        while at < format.len() {
            let text = &mut texts[usize::from(letter.is_some())];
            if format[at] != b'%' || format.get(at + 1) == Some(&b'%') {
                text.push(format[at]);
                at += if format[at] == b'%' { 2 } else { 1 };
                continue;
            }
            if letter.is_some() {
                return None; // a second one
            }
            let (found, end) = Conversion::specification(format, at, dtype, &mut specification)?;
            (letter, at) = (Some(found), end);
        }
        let [before, behind] = texts;
        letter.map(|letter| Conversion { before, specification, letter, behind })
    }

    /// The letter of the conversion that begins at a byte, and where it ends; None where it does not fit.
    fn specification(format: &[u8], at: usize, dtype: Dtype, to: &mut Vec<u8>) -> Option<(u8, usize)> {
        let all = |from: usize, set: &[u8]| {
            format[from..].iter().take_while(|byte| set.contains(byte)).count() + from
        };
        let is_within = |digits: &[u8]| {
            let number = digits.iter().fold(0u64, |n, digit| (10 * n + u64::from(digit - b'0')).min(1000));
            number <= 512
        };
        let flags = all(at + 1, b"-+ #0");
        let width = all(flags, b"0123456789");
        let precision = if format.get(width) == Some(&b'.') { all(width + 1, b"0123456789") } else { width };
        let lengths: [&[u8]; 9] = [b"hh", b"ll", b"h", b"l", b"j", b"z", b"t", b"L", b"q"];
        let length =
            lengths.iter().find(|length| format[precision..].starts_with(length)).map_or(0, |l| l.len());
        let mut letter = *format.get(precision + length)?;
        let digits = &format[(width + 1).min(precision)..precision];
        if !is_within(&format[flags..width]) || !is_within(digits) {
            return None;
        }
        let is_float = matches!(dtype, Dtype::F32 | Dtype::F64);
        let letters: &[u8] = match dtype.size() {
            _ if is_float => b"fFeEgGaA",
            1 => b"diuoxXc",
            _ => b"diuoxX",
        };
        if !letters.contains(&letter) {
            return None;
        }
        let is_unsigned = matches!(dtype, Dtype::U8 | Dtype::U16 | Dtype::U32 | Dtype::U64 | Dtype::Bool);
        if is_unsigned && matches!(letter, b'd' | b'i') {
            letter = b'u';
        }
        to.push(b'%');
        let is_character = letter == b'c';
        to.extend(format[at + 1..flags].iter().filter(|&&flag| !is_character || flag == b'-'));
        to.extend_from_slice(&format[flags..if is_character { width } else { precision }]);
        if !is_float && !is_character {
            to.extend_from_slice(b"ll");
        }
        to.extend_from_slice(&[letter, 0]);
        Some((letter, precision + length + 1))
    }

    fn rows(&self, dtype: Dtype, numbers: &[u64], columns: usize) -> Vec<u8> {
        let mut text = Vec::new();
        for (row, values) in numbers.chunks(columns).enumerate() {
            text.extend_from_slice(format!("{:>5}:  ", row * columns).as_bytes());
            for &bits in values {
                text.extend([&self.before[..], &self.number(dtype, bits), &self.behind, b" "].concat());
            }
            text.push(b'\n');
        }
        text
    }

    fn number(&self, dtype: Dtype, bits: u64) -> Vec<u8> {
        let mut room = [0u8; 2048];
        let (to, format) = (room.as_mut_ptr().cast(), self.specification.as_ptr().cast());
        let signed = match dtype {
            Dtype::I8 => i64::from(bits as i8),
            Dtype::I16 => i64::from(bits as i16),
            Dtype::I32 => i64::from(bits as i32),
            _ => bits as i64,
        };
        let unsigned = bits & (u64::MAX >> (64 - 8 * dtype.size()));
        // SAFETY: one conversion of the argument's type, and the room's size.
        let length = unsafe {
            match (dtype, self.letter) {
                (Dtype::F32, _) => libc::snprintf(to, 2048, format, f64::from(f32::from_bits(bits as u32))),
                (Dtype::F64, _) => libc::snprintf(to, 2048, format, f64::from_bits(bits)),
                (_, b'c') => libc::snprintf(to, 2048, format, unsigned as c_int),
                (_, b'd' | b'i') => libc::snprintf(to, 2048, format, signed),
                _ => libc::snprintf(to, 2048, format, unsigned),
            }
        };
        room[..usize::try_from(length).expect("printf writes it")].to_vec()
    }
}
