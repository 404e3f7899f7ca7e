//! Command lines: the last --device counts, and one that is no ordinal is refused.

use gpumex_core::error::Status;
use gpumex_core::ffi::*;

use crate::call::{INVALID, OK, answer, before_nul};

/// A word a line.
pub fn arguments(data: &[u8]) {
    let words: Vec<&[u8]> = before_nul(data).split(|&byte| byte == b'\n').take(20).collect();
    let mut strings: Vec<Vec<u8>> = words.iter().map(|word| [word, &b"\0"[..]].concat()).collect();
    let argv: Vec<_> = strings.iter_mut().map(|word| word.as_mut_ptr().cast()).collect();
    // SAFETY: as many C strings as argc says.
    let ctx = unsafe { gpumex_context_create_from_args(argv.len() as i32, argv.as_ptr(), 0) };
    let status = if ctx.is_null() { gpumex_last_status() } else { OK };
    let (status, sentence) = answer(status);
    match device(&words) {
        Ok(None) => assert_eq!(status, OK, "{sentence}"),
        Ok(Some(_)) => assert!(status == OK || status == Status::NoDevice as i32, "{status}: {sentence}"),
        Err(()) => assert!(status == INVALID && sentence.contains("--device is \""), "{status}: {sentence}"),
    }
    if !ctx.is_null() {
        assert_eq!(gpumex_context_destroy(ctx), OK);
    }
}

/// The ordinal of the last --device, Err where one is none.
fn device(words: &[&[u8]]) -> Result<Option<u64>, ()> {
    let (mut found, mut at) = (None, 1);
    while at < words.len() {
        let word = words[at];
        let value = match word.strip_prefix(b"--device=") {
            Some(value) => Some(value),
            None if word == b"--device" => {
                at += 1;
                Some(words.get(at).copied().unwrap_or_default())
            }
            None => None,
        };
        if let Some(value) = value {
            let digits =
                std::str::from_utf8(value).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
            found = Some(digits.and_then(|text| text.parse().ok()).ok_or(())?);
        }
        at += 1;
    }
    Ok(found)
}
