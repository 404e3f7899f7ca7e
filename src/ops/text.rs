//! Text that is written where a caller has room for it.
#![forbid(unsafe_code)]

/// Text of a fixed room, which a NUL ends at any time.
pub struct Text<'a> {
    room: &'a mut [u8],
    len: usize, // of all of it, whether it has room or not
}

impl<'a> Text<'a> {
    pub fn new(room: &'a mut [u8]) -> Text<'a> {
        let mut text = Text { room, len: 0 };
        text.append(b"");
        text
    }

    pub fn append(&mut self, bytes: &[u8]) {
        let at = self.len;
        self.len += bytes.len();
        let Some(last) = self.room.len().checked_sub(1) else { return };
        if at <= last {
            let fits = bytes.len().min(last - at);
            self.room[at..at + fits].copy_from_slice(&bytes[..fits]);
            self.room[at + fits] = 0;
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
    fn a_text_is_cut_where_its_room_ends() {
        for (capacity, want) in [(0, &b""[..]), (1, b"\0"), (3, b"ab\0"), (5, b"abcd\0"), (8, b"abcde\0..")] {
            let mut room = vec![b'.'; capacity];
            let mut text = Text::new(&mut room);
            for part in [&b"ab"[..], b"", b"cde"] {
                text.append(part);
            }
            assert_eq!((text.needed(), &room[..]), (6, want), "capacity {capacity}");
        }
    }
}
