//! Settings: taken as they are documented, or refused by key, value and rule.

use gpumex_core::ffi::*;

use crate::call::{INVALID, OK, answer, before_nul, c_string};
use crate::memory::within;

/// A key, of the first byte or as it stands, "=" and a value. No context is made, so that none is too late.
pub fn configure(data: &[u8]) {
    let known: [&[u8]; 4] = [b"backend", b"device", b"num_threads", b"log"];
    let text = before_nul(data);
    let (key, value) = match text {
        [first @ 0..4, value @ ..] => (known[usize::from(*first)], value),
        [4, value @ ..] => (known[0], value), // the NUL of 0 ends a text
        _ => {
            let at = text.iter().position(|&byte| byte == b'=').unwrap_or(text.len());
            (&text[..at], text.get(at + 1..).unwrap_or_default())
        }
    };
    let [c_key, c_value] = [c_string(key), c_string(value)];
    // An error shows the text, of which a byte may take six.
    let bound = (4 << 10) + 32 * (key.len() + value.len());
    let set = || {
        // SAFETY: two C strings.
        within(bound, || unsafe { gpumex_configure(c_key.as_ptr().cast(), c_value.as_ptr().cast()) })
    };
    let call = || answer(set());
    let first = call();
    assert_eq!(first, call(), "twice");
    assert_eq!(first.0, if is_setting(key, value) { OK } else { INVALID }, "{first:?}");
}

fn is_setting(key: &[u8], value: &[u8]) -> bool {
    let is_number = |most: u128| {
        let digits =
            std::str::from_utf8(value).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        let digits = digits.map(|text| text.trim_start_matches('0'));
        let number = digits.filter(|_| !value.is_empty()).filter(|text| text.len() < 30);
        number.is_some_and(|text| text.is_empty() || text.parse::<u128>().is_ok_and(|number| number <= most))
    };
    match key {
        b"backend" => matches!(value, b"auto" | b"cpu" | b"cuda"),
        b"device" => is_number(u64::MAX.into()),
        b"num_threads" => is_number(4096),
        b"log" => matches!(value, b"off" | b"error" | b"warn" | b"info" | b"debug"),
        _ => false,
    }
}
