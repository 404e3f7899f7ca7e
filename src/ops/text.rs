//! Text in a buffer of the caller's.
#![forbid(unsafe_code)]

/// Text in a buffer of fixed length; it ends with a NUL at any time.
pub struct Text<'a> {
    buffer: &'a mut [u8],
    len: usize, // of the whole text, written or not
}

impl<'a> Text<'a> {
    pub fn new(buffer: &'a mut [u8]) -> Text<'a> {
        let mut text = Text { buffer, len: 0 };
        text.append(b"");
        text
    }

    pub fn append(&mut self, bytes: &[u8]) {
        let at = self.len;
        self.len += bytes.len();
        let Some(last) = self.buffer.len().checked_sub(1) else { return };
        if at <= last {
            let fits = bytes.len().min(last - at);
            self.buffer[at..at + fits].copy_from_slice(&bytes[..fits]);
            self.buffer[at + fits] = 0;
        }
    }

    /// The bytes that all of it takes, the NUL included.
    pub fn needed(&self) -> usize {
        self.len + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_where_its_buffer_ends() {
        for (capacity, want) in [(0, &b""[..]), (1, b"\0"), (3, b"ab\0"), (5, b"abcd\0"), (8, b"abcde\0..")] {
            let mut buffer = vec![b'.'; capacity];
            let mut text = Text::new(&mut buffer);
            for part in [&b"ab"[..], b"", b"cde"] {
                text.append(part);
            }
            assert_eq!((text.needed(), &buffer[..]), (6, want), "capacity {capacity}");
        }
    }
}
