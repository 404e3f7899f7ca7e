//! Arrays as text, in rows: `    0:       0      5     10 `. Knows neither contexts nor places, only numbers.
//!
//! The rows are those of ModernGPU 1.1 (S. Baxter, NVIDIA 2013, `PrintArray`): each begins with the index of its
//! first value as `%5d:  `, a space follows every value, the last one of a row included, and a newline ends it.

mod format;

use std::io::Write;

pub use format::Format;

use crate::error::{Error, Result};
use crate::interrupt;
use crate::vector::reserve;

/// A longer row is handed out in pieces.
const ROW_BYTES: usize = 1 << 16;
/// The index of a row, with what is behind it, a space and a newline have fewer bytes.
const AROUND_VALUE: usize = 32;

/// Writes rows of `columns` values; the values come in as many pieces as the caller likes.
pub struct Rows<'a, W> {
    format: &'a Format,
    columns: u64,
    index: u64,
    text: Vec<u8>,
    out: W,
}

impl<'a, W: FnMut(&[u8]) -> Result<()>> Rows<'a, W> {
    /// `out` receives each row when it is complete, one of more than 64 KiB in pieces; an error of it ends the
    /// printing.
    pub fn new(format: &'a Format, columns: usize, out: W) -> Result<Rows<'a, W>> {
        if columns == 0 {
            return Err(Error::invalid("columns is 0; a row has at least one"));
        }
        Ok(Rows { format, columns: columns as u64, index: 0, text: Vec::new(), out })
    }

    /// Prints the values that lie next to one another in `bytes`, whole ones, as they lie in memory.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        bytes.chunks_exact(self.format.dtype().size()).try_for_each(|element| self.value(element))
    }

    /// Ends the last row.
    pub fn finish(mut self) -> Result<()> {
        if self.index.is_multiple_of(self.columns) { Ok(()) } else { self.end_row() }
    }

    fn value(&mut self, element: &[u8]) -> Result<()> {
        interrupt::poll();
        reserve(&mut self.text, self.format.longest() + AROUND_VALUE)?;
        if self.index.is_multiple_of(self.columns) {
            write!(self.text, "{:5}:  ", self.index).expect("a Vec takes every text");
        }
        self.format.append(element, &mut self.text)?;
        self.text.push(b' ');
        self.index += 1;
        if self.index.is_multiple_of(self.columns) {
            self.end_row()
        } else if self.text.len() > ROW_BYTES {
            self.hand_out()
        } else {
            Ok(())
        }
    }

    fn end_row(&mut self) -> Result<()> {
        self.text.push(b'\n');
        self.hand_out()
    }

    fn hand_out(&mut self) -> Result<()> {
        (self.out)(&self.text)?;
        self.text.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;
    use crate::model::dtype::Dtype;

    /// The pieces of text that an i32 array gives, its values handed over `piece` at a time.
    fn rows(format: &str, values: &[i32], columns: usize, piece: usize) -> Vec<String> {
        let mut pieces = Vec::new();
        let format = Format::parse(format.as_bytes(), Dtype::I32).unwrap();
        let out = |text: &[u8]| {
            pieces.push(String::from_utf8(text.to_vec()).unwrap());
            Ok(())
        };
        let mut rows = Rows::new(&format, columns, out).unwrap();
        for values in values.chunks(piece) {
            rows.write(&values.iter().flat_map(|value| value.to_ne_bytes()).collect::<Vec<_>>()).unwrap();
        }
        rows.finish().unwrap();
        pieces
    }

    #[test]
    fn ascending_numbers_look_as_moderngpu_prints_them() {
        let values: Vec<i32> = (0..50).map(|i| 5 * i).collect();
        let want = [
            "    0:       0      5     10     15     20     25     30     35     40     45 \n",
            "   10:      50     55     60     65     70     75     80     85     90     95 \n",
            "   20:     100    105    110    115    120    125    130    135    140    145 \n",
            "   30:     150    155    160    165    170    175    180    185    190    195 \n",
            "   40:     200    205    210    215    220    225    230    235    240    245 \n",
        ];
        for piece in [1, 3, 10, 49, 50] {
            assert_eq!(rows("%6d", &values, 10, piece), want, "{piece} values at a time");
        }
    }

    #[test]
    fn the_last_row_may_be_short() {
        assert_eq!(rows("%d", &[7, 8, 9], 2, 3), ["    0:  7 8 \n", "    2:  9 \n"]);
        assert_eq!(rows("%d", &[7, 8], usize::MAX, 2), ["    0:  7 8 \n"]);
        assert_eq!(rows("%d", &[7, 8], 1, 1), ["    0:  7 \n", "    1:  8 \n"]);
    }

    #[test]
    fn no_values_give_no_text() {
        assert!(rows("%d", &[], 10, 1).is_empty());
    }

    #[test]
    fn a_long_row_comes_in_pieces() {
        let pieces = rows("%512d", &[1; 1000], 1000, 1000);
        let longest = pieces.iter().map(String::len).max();
        assert!(pieces.len() > 1 && longest < Some(ROW_BYTES + 1024), "{} pieces, {longest:?}", pieces.len());
        assert_eq!(pieces.concat().len(), 8 + 1000 * 513 + 1);
    }

    #[test]
    fn an_index_of_more_than_32_bits_is_printed() {
        let format = Format::parse(b"%d", Dtype::I32).unwrap();
        let mut text = Vec::new();
        let mut rows = Rows::new(&format, 1, |row: &[u8]| {
            text.extend_from_slice(row);
            Ok(())
        });
        let rows = rows.as_mut().unwrap();
        rows.index = 5_000_000_000;
        rows.write(&1i32.to_ne_bytes()).unwrap();
        assert_eq!(text, b"5000000000:  1 \n");
    }

    #[test]
    fn no_columns_are_refused() {
        let format = Format::parse(b"%d", Dtype::I32).unwrap();
        let error = Rows::new(&format, 0, |_: &[u8]| Ok(())).err().unwrap();
        assert_eq!(
            (error.status(), error.message()),
            (Status::InvalidArgument, "columns is 0; a row has at least one")
        );
    }

    #[test]
    fn an_error_of_the_receiver_ends_the_printing() {
        let format = Format::parse(b"%d", Dtype::U8).unwrap();
        let mut calls = 0;
        let stop = |_: &[u8]| {
            calls += 1;
            if calls == 2 { Err(Error::new(Status::Cancelled, "enough")) } else { Ok(()) }
        };
        let outcome = Rows::new(&format, 1, stop).unwrap().write(&[1, 2, 3]);
        assert_eq!((outcome.unwrap_err().status(), calls), (Status::Cancelled, 2));
    }
}
