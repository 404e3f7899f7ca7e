//! A board of the host as runs of live cells, one byte or one bit a cell.

use super::Run;

/// Any byte but 0 is alive; of a row's bits, padded to words, bit b of word w is column 64·w + b.
#[derive(Clone, Copy)]
pub enum Cells<'a> {
    Bytes(&'a [u8]),
    Bits(&'a [u64]),
}

pub enum CellsMut<'a> {
    Bytes(&'a mut [u8]),
    Bits(&'a mut [u64]),
}

/// Row-major; `cells` holds all of its rows.
pub struct Board<C> {
    pub rows: usize,
    pub cols: usize,
    pub cells: C,
}

const WORD: usize = u64::BITS as usize;

impl<C> Board<C> {
    fn words(&self) -> usize {
        self.cols.div_ceil(WORD)
    }
}

impl Board<Cells<'_>> {
    /// The runs of live cells, row by row.
    pub fn runs(&self) -> impl Iterator<Item = Run> {
        let rows = if self.cols == 0 { 0 } else { self.rows }; // rows without cells may be many
        (0..rows).flat_map(|row| self.runs_of(row))
    }

    fn runs_of(&self, row: usize) -> impl Iterator<Item = Run> {
        let mut end = 0;
        std::iter::from_fn(move || {
            let col = self.next(row, end, true);
            end = self.next(row, col, false);
            (col < self.cols).then_some(Run { row, col, len: end - col })
        })
    }

    /// The first column at or behind `from` whose cell is alive, or is not; the end of the row where there is none.
    fn next(&self, row: usize, from: usize, is_alive: bool) -> usize {
        if from >= self.cols {
            return self.cols;
        }
        match self.cells {
            Cells::Bytes(cells) => {
                let row = &cells[row * self.cols..][from..self.cols];
                from + row.iter().position(|&cell| (cell != 0) == is_alive).unwrap_or(row.len())
            }
            Cells::Bits(words) => {
                let row = &words[row * self.words()..][..self.words()];
                next_bit(row, from, is_alive).min(self.cols) // the padding may hold anything
            }
        }
    }
}

/// The first bit at or behind `from` that is set, or is not; beyond the last one where there is none.
fn next_bit(words: &[u64], from: usize, is_set: bool) -> usize {
    let wanted = |word: u64| if is_set { word } else { !word };
    let mut at = from / WORD;
    let mut bits = wanted(words[at]) & (u64::MAX << (from % WORD));
    while bits == 0 {
        at += 1;
        let Some(&word) = words.get(at) else { return WORD * at };
        bits = wanted(word);
    }
    WORD * at + bits.trailing_zeros() as usize
}

impl Board<CellsMut<'_>> {
    pub fn clear(&mut self) {
        match &mut self.cells {
            CellsMut::Bytes(cells) => cells.fill(0),
            CellsMut::Bits(words) => words.fill(0),
        }
    }

    /// Makes the cells of a run live, which lies on the board.
    pub fn set(&mut self, Run { row, col, len }: Run) {
        let (cols, words) = (self.cols, self.words());
        match &mut self.cells {
            CellsMut::Bytes(cells) => cells[row * cols..][col..col + len].fill(1),
            CellsMut::Bits(all) => set_bits(&mut all[row * words..][..words], col, col + len),
        }
    }
}

/// Sets the bits from `from` up to `end`.
fn set_bits(words: &mut [u64], mut from: usize, end: usize) {
    while from < end {
        let (word, bit) = (from / WORD, from % WORD);
        let len = (WORD - bit).min(end - from);
        words[word] |= u64::MAX >> (WORD - len) << bit;
        from += len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_come_back_as_they_were_set() {
        for cols in [1, 2, 63, 64, 65, 127, 128, 130, 200] {
            for (col, end) in (0..cols).flat_map(|col| (col + 1..=cols).map(move |end| (col, end))) {
                let run = Run { row: 1, col, len: end - col };
                let (mut bytes, mut bits) = (vec![0; 3 * cols], vec![0; 3 * cols.div_ceil(WORD)]);
                Board { rows: 3, cols, cells: CellsMut::Bytes(&mut bytes) }.set(run);
                Board { rows: 3, cols, cells: CellsMut::Bits(&mut bits) }.set(run);
                for cells in [Cells::Bytes(&bytes), Cells::Bits(&bits)] {
                    let board = Board { rows: 3, cols, cells };
                    assert_eq!(board.runs().collect::<Vec<_>>(), [run], "{cols} columns");
                }
            }
        }
    }

    #[test]
    fn padding_is_no_part_of_the_board() {
        let board = Board { rows: 1, cols: 70, cells: Cells::Bits(&[1 << 63, !0b11110]) };
        let runs: Vec<_> = board.runs().map(|run| (run.col, run.len)).collect();
        assert_eq!(runs, [(63, 2), (69, 1)]);
    }
}
