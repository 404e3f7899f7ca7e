//! The plain loop for every boundary and rule, and boards of bits.

use gpumex::ops::life::LifeBoundary::{self, Clamp, Dead, Torus};

use crate::common::{RngExt, random};

/// What is played: B/S notation on a board of (rows, cols).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Game<'a> {
    pub rows: usize,
    pub cols: usize,
    pub boundary: LifeBoundary,
    pub rule: &'a str,
}

pub const LIFE: &str = "B3/S23";

impl Game<'_> {
    pub fn new(rows: usize, cols: usize) -> Game<'static> {
        Game { rows, cols, boundary: Clamp, rule: LIFE }
    }

    pub fn cells(&self) -> usize {
        self.rows * self.cols
    }

    /// 64-bit words of a row of bits.
    pub fn words(&self) -> usize {
        self.cols.div_ceil(64)
    }

    /// The board, its cells 0 or 1, after `generations` steps.
    pub fn after(&self, board: &[u8], generations: u64) -> Vec<u8> {
        let start = board.iter().map(|&cell| (cell != 0).into()).collect();
        (0..generations).fold(start, |board: Vec<u8>, _| self.step(&board))
    }

    /// One step, row by row, on the board in a frame of what lies outside. Without a table or an index, so that the compiler takes 16
    /// cells at a time.
    fn step(&self, board: &[u8]) -> Vec<u8> {
        let (birth, survival) = masks(self.rule);
        let (framed, width) = (self.framed(board), self.cols + 2);
        let mut next = vec![0; board.len()];
        for (row, next) in next.chunks_mut(self.cols.max(1)).enumerate() {
            let [above, here, below] = [0, 1, 2].map(|down| &framed[(row + down) * width..][..width]);
            let in_column: Vec<u8> = above.iter().zip(here).zip(below).map(|((a, b), c)| a + b + c).collect();
            let three_columns = in_column.iter().zip(&in_column[1..]).zip(&in_column[2..]);
            let here = &here[1..=self.cols];
            let neighbours: Vec<u8> =
                three_columns.zip(here).map(|(((a, b), c), cell)| a + b + c - cell).collect();
            for count in 0..=8 {
                let [born, survives] = [birth, survival].map(|mask| (mask >> count & 1) as u8);
                for ((next, &neighbours), &cell) in next.iter_mut().zip(&neighbours).zip(here) {
                    *next |= u8::from(neighbours == count) & if cell == 1 { survives } else { born };
                }
            }
        }
        next
    }

    /// (rows + 2, cols + 2) cells.
    fn framed(&self, board: &[u8]) -> Vec<u8> {
        let [down, across] = [self.rows, self.cols].map(|len| self.places(-1, len + 2, len));
        let mut framed = Vec::with_capacity(down.len() * across.len());
        for row in down {
            let cells = row.map(|row| &board[row * self.cols..][..self.cols]);
            let [left, right] = [across[0], across[self.cols + 1]]
                .map(|col| cells.zip(col).map_or(0, |(cells, col)| cells[col]));
            framed.push(left);
            match cells {
                Some(cells) => framed.extend_from_slice(cells),
                None => framed.resize(framed.len() + self.cols, 0),
            }
            framed.push(right);
        }
        framed
    }

    /// What `count` places from `start` on are on a side of the board: indices, or None for a cell that is always dead.
    pub fn places(&self, start: i64, count: usize, len: usize) -> Vec<Option<usize>> {
        let place = |at: i64| match self.boundary {
            Clamp => Some(at.clamp(0, len as i64 - 1) as usize),
            Dead => usize::try_from(at).ok().filter(|&at| at < len),
            Torus => Some(at.rem_euclid(len as i64) as usize),
        };
        (start..start + count as i64).map(place).collect()
    }

    /// Bit b of word w of a row is column 64·w + b; the padding is random, or 0 without a seed.
    pub fn packed(&self, board: &[u8], padding: Option<u64>) -> Vec<u64> {
        let mut bits = vec![0u64; self.rows * self.words()];
        if let Some(seed) = padding {
            let mut random = random(seed);
            bits.fill_with(|| random.random_range(0..=u64::MAX));
        }
        for (row, cells) in board.chunks(self.cols).enumerate() {
            for (col, &cell) in cells.iter().enumerate() {
                let word = &mut bits[row * self.words() + col / 64];
                *word = *word & !(1 << (col % 64)) | u64::from(cell != 0) << (col % 64);
            }
        }
        bits
    }
}

/// The bits of neighbours after B and after S.
fn masks(rule: &str) -> (u32, u32) {
    let (birth, survival) = rule.split_once('/').expect("B…/S…");
    let mask =
        |digits: &str| digits.chars().skip(1).map(|digit| 1 << digit.to_digit(10).expect("a digit")).sum();
    assert!(birth.starts_with('B') && survival.starts_with('S'), "{rule}");
    (mask(birth), mask(survival))
}

/// The rule of these bits.
pub fn rule_of(birth: u32, survival: u32) -> String {
    let digits = |mask: u32| (0..9).filter(|k| mask >> k & 1 == 1).map(|k| k.to_string()).collect::<String>();
    format!("B{}/S{}", digits(birth), digits(survival))
}

#[test]
fn rules_are_read_as_they_are_written() {
    assert_eq!((masks(LIFE), masks("B/S"), masks("B08/S1")), ((8, 12), (0, 0), (257, 2)));
    for mask in 0..512 {
        assert_eq!(masks(&rule_of(mask, 511 - mask)), (mask, 511 - mask));
    }
}

#[test]
fn frames_are_the_nearest_cell_nothing_or_the_opposite_edge() {
    let framed = |boundary| Game { boundary, ..Game::new(2, 2) }.framed(&[1, 2, 3, 4]);
    assert_eq!(framed(Clamp), [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]);
    assert_eq!(framed(Dead), [0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 0]);
    assert_eq!(framed(Torus), [4, 3, 4, 3, 2, 1, 2, 1, 4, 3, 4, 3, 2, 1, 2, 1]);
}
