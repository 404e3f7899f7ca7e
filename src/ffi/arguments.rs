//! The command line of a program, as far as it concerns contexts.

use std::ffi::{CStr, CString, c_char};

use crate::error::{Error, Result, Status};

/// The ordinal behind the last "--device" of a command line.
///
/// # Safety
/// `argv` holds `argc` C strings, as main gets them; a NULL among them is skipped.
pub unsafe fn device(argc: i32, argv: *const *mut c_char) -> Result<Option<usize>> {
    let count = usize::try_from(argc).unwrap_or(0);
    if argv.is_null() && count > 0 {
        return Err(Error::new(Status::NullPointer, format!("argv is NULL and argc is {argc}")));
    }
    // SAFETY: the caller's promise.
    let pointers = (0..count).map(|i| unsafe { argv.add(i).read() }).filter(|text| !text.is_null());
    // SAFETY: the caller's promise.
    let words: Vec<&[u8]> = pointers.map(|text| unsafe { CStr::from_ptr(text) }.to_bytes()).collect();
    device_among(&words)
}

fn device_among(words: &[&[u8]]) -> Result<Option<usize>> {
    let mut device = None;
    let mut words = words.iter().skip(1); // the program's name
    while let Some(word) = words.next() {
        let value = match word.strip_prefix(b"--device") {
            Some(b"") => words.next().copied().unwrap_or_default(),
            Some([b'=', value @ ..]) => value,
            _ => continue,
        };
        let text = String::from_utf8_lossy(value);
        let rule = || Error::invalid(format!("--device is \"{text}\"; it is an ordinal from 0"));
        device =
            Some(text.parse().ok().filter(|_| text.bytes().all(|c| c.is_ascii_digit())).ok_or_else(rule)?);
    }
    Ok(device)
}

/// Writes a text and a newline to the standard output of C, so that it comes in order with what the program
/// prints.
pub fn print_line(text: &str) -> Result<()> {
    let text = CString::new(text).unwrap_or_default();
    // SAFETY: a C string.
    match unsafe { libc::puts(text.as_ptr()) } {
        libc::EOF => Err(Error::new(Status::Internal, "the standard output takes no text")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::device_among;

    fn device(line: &str) -> Result<Option<usize>, String> {
        let words: Vec<&[u8]> = line.split(' ').map(str::as_bytes).collect();
        device_among(&words).map_err(|error| error.message().to_string())
    }

    #[test]
    fn the_last_device_counts_and_the_rest_is_left_alone() {
        assert_eq!(device("program"), Ok(None));
        assert_eq!(device("program -v --device 2 file"), Ok(Some(2)));
        assert_eq!(device("program --device=3 --device 1 --devices 7"), Ok(Some(1)));
        assert_eq!(device("--device 2"), Ok(None), "the first word is the program's name");
    }

    #[test]
    fn an_ordinal_that_is_none_is_refused_by_name() {
        for (line, value) in [
            ("p --device", ""),
            ("p --device=", ""),
            ("p --device -1", "-1"),
            ("p --device +1", "+1"),
            ("p --device gpu", "gpu"),
        ] {
            assert_eq!(
                device(line),
                Err(format!("--device is \"{value}\"; it is an ordinal from 0")),
                "{line}"
            );
        }
    }
}
