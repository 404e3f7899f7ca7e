//! Errors: rich text for people, stable numbers for C.

use std::fmt;

/// Result of a call. 0 is success; numbers are never reused.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// A pointer that must not be NULL is NULL.
    NullPointer = 1,
    /// A value or a combination of values breaks a rule; the message names both.
    InvalidArgument = 2,
    /// Host or device memory is exhausted; the message has the size requested.
    OutOfMemory = 3,
    /// CUDA was asked for and there is no usable device; the message has the reason.
    NoDevice = 4,
    /// The CUDA driver or a kernel failed.
    Cuda = 5,
    /// The request is valid, but this version, build or backend does not serve it.
    Unsupported = 6,
    /// The context is in use by another thread, its memory is held, or a setting came after first
    /// use.
    Busy = 7,
    /// A callback of the caller's asked to stop, or gpumex_context_cancel ended the call.
    Cancelled = 8,
    /// A bug in the library (a caught panic); please report it with the message.
    Internal = 9,
    /// Another rank of the communicator failed, left it or calls something else; the message names
    /// it.
    Peer = 10,
    /// The other ranks of the communicator did not come within its time limit.
    Timeout = 11,
}

impl Status {
    pub(crate) const ALL: [Status; 12] = [
        Status::Ok,
        Status::NullPointer,
        Status::InvalidArgument,
        Status::OutOfMemory,
        Status::NoDevice,
        Status::Cuda,
        Status::Unsupported,
        Status::Busy,
        Status::Cancelled,
        Status::Internal,
        Status::Peer,
        Status::Timeout,
    ];

    /// What the status means, in a few words.
    pub const fn text(self) -> &'static std::ffi::CStr {
        match self {
            Status::Ok => c"success",
            Status::NullPointer => c"null pointer",
            Status::InvalidArgument => c"invalid argument",
            Status::OutOfMemory => c"out of memory",
            Status::NoDevice => c"no usable CUDA device",
            Status::Cuda => c"CUDA error",
            Status::Unsupported => c"not supported",
            Status::Busy => c"busy",
            Status::Cancelled => c"cancelled",
            Status::Internal => c"internal error",
            Status::Peer => c"another rank failed",
            Status::Timeout => c"timed out",
        }
    }
}

const _: () = {
    let mut number = 0;
    while number < Status::ALL.len() {
        assert!(Status::ALL[number] as usize == number, "statuses are listed in the order of their numbers");
        number += 1;
    }
};

/// What went wrong: the status and a message that names the value and the rule.
#[derive(Clone, Debug)]
pub struct Error {
    status: Status,
    message: String,
}

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub fn new(status: Status, message: impl Into<String>) -> Error {
        Error { status, message: message.into() }
    }

    pub fn invalid(message: impl Into<String>) -> Error {
        Error::new(Status::InvalidArgument, message)
    }

    pub fn unsupported(message: impl Into<String>) -> Error {
        Error::new(Status::Unsupported, message)
    }

    /// `what` wanted `bytes` bytes and did not get them.
    pub fn out_of_memory(what: &str, bytes: usize) -> Error {
        Error::new(Status::OutOfMemory, format!("out of {what}: {bytes} bytes wanted"))
    }

    pub fn status(&self) -> Status {
        self.status
    }

    pub fn message(&self) -> &str {
        &self.message
    }
}

/// A text of the caller's in a message: between quotation marks, without control characters, and no longer than a line.
pub fn quoted(text: impl AsRef<[u8]>) -> String {
    const LONGEST: usize = 100;
    let chunks = text.as_ref().utf8_chunks();
    let mut letters = chunks
        .flat_map(|chunk| chunk.valid().escape_debug().chain(chunk.invalid().escape_ascii().map(char::from)));
    let shown: String = letters.by_ref().take(LONGEST).collect();
    let rest = if letters.next().is_some() { "..." } else { "" };
    format!("\"{shown}\"{rest}")
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_is_short_and_has_no_control_characters() {
        assert_eq!(quoted("B3/S23"), "\"B3/S23\"");
        assert_eq!(quoted(b"\x1b[2J\n\xff\xc3\xa4"), "\"\\u{1b}[2J\\n\\xff\u{e4}\"");
        assert_eq!(quoted("a".repeat(100)), format!("\"{}\"", "a".repeat(100)));
        assert_eq!(quoted("a".repeat(1 << 20)), format!("\"{}\"...", "a".repeat(100)));
    }
}
