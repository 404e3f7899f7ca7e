//! Life cell by cell, and histograms sample by sample.

use super::View;
use crate::case::Value;
use crate::number::{Number, decode_all};

/// Cells of a board of bytes or bits.
struct Board {
    rows: usize,
    cols: usize,
    live: Vec<bool>,
}

impl Board {
    fn read(bytes: &[u8], rows: usize, cols: usize, bits: bool) -> Board {
        let stride = if bits { cols.div_ceil(64) * 8 } else { cols };
        let cell = |row: usize, col: usize| match bits {
            true => bytes[row * stride + col / 8] >> (col % 8) & 1 == 1,
            false => bytes[row * stride + col] != 0,
        };
        let live = (0..rows * cols).map(|index| cell(index / cols, index % cols)).collect();
        Board { rows, cols, live }
    }

    fn write(&self, bits: bool) -> Vec<u8> {
        if !bits {
            return self.live.iter().map(|live| u8::from(*live)).collect();
        }
        let stride = self.cols.div_ceil(64) * 8;
        let mut bytes = vec![0u8; self.rows * stride];
        for (index, _) in self.live.iter().enumerate().filter(|(_, live)| **live) {
            bytes[index / self.cols * stride + index % self.cols / 8] |= 1 << (index % self.cols % 8);
        }
        bytes
    }

    /// The cell at a place that may lie outside.
    fn at(&self, row: isize, col: isize, boundary: u32) -> bool {
        let (rows, cols) = (self.rows as isize, self.cols as isize);
        let inside = row >= 0 && row < rows && col >= 0 && col < cols;
        let (row, col) = match boundary {
            1 if !inside => return false,
            2 => (row.rem_euclid(rows), col.rem_euclid(cols)),
            _ => (row.clamp(0, rows - 1), col.clamp(0, cols - 1)),
        };
        self.live[(row * cols + col) as usize]
    }

    fn step(&self, boundary: u32, birth: u32, survival: u32) -> Board {
        let cell = |index: usize| {
            let (row, col) = ((index / self.cols) as isize, (index % self.cols) as isize);
            let mut neighbours = 0;
            for down in -1..=1 {
                for right in -1..=1 {
                    neighbours +=
                        u32::from((down, right) != (0, 0) && self.at(row + down, col + right, boundary));
                }
            }
            let rule = if self.live[index] { survival } else { birth };
            rule >> neighbours & 1 == 1
        };
        Board { rows: self.rows, cols: self.cols, live: (0..self.live.len()).map(cell).collect() }
    }
}

/// "B36/S23" or "23/36", survivors first: counts as bits.
fn rule(text: &str) -> Option<(u32, u32)> {
    let digits = |part: &str| {
        part.bytes().filter(u8::is_ascii_digit).fold(0, |bits, digit| bits | 1 << (digit - b'0'))
    };
    let (first, second) = text.split_once('/')?;
    let simple = text.bytes().all(|byte| byte.is_ascii_digit() || b"BSbs/".contains(&byte));
    match (simple, first.starts_with(['B', 'b']), second.starts_with(['S', 's'])) {
        (true, true, true) => Some((digits(first), digits(second))),
        (true, false, false) if second.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some((digits(second), digits(first)))
        }
        _ => None,
    }
}

pub fn life(view: &View) -> Result<(), String> {
    let (rows, cols, generations) = (view.number("rows"), view.number("cols"), view.number("generations"));
    let (bits, boundary) = (view.option("cells") == 1, view.option("boundary"));
    if rows * cols == 0 || rows * cols * generations > 4_000 {
        return Ok(());
    }
    let text = match view.scope.value("rule") {
        Some(Value::Text(text)) => String::from_utf8_lossy(text).into_owned(),
        _ => "B3/S23".into(),
    };
    let Some((birth, survival)) = rule(&text) else { return Ok(()) };
    let mut board = Board::read(view.before("board").unwrap_or_default(), rows, cols, bits);
    for _ in 0..generations {
        board = board.step(boundary, birth, survival);
    }
    view.expect("next", &board.write(bits))
}

pub fn histogram(view: &View) -> Result<(), String> {
    let weights = view.scope.value("weights").is_some_and(|value| *value != Value::Null);
    if weights {
        return Ok(());
    }
    let (bins, channels) = (view.number("bins"), view.scope.extent("channels").max(1) as usize);
    let double = |name: &str| match view.scope.value(name) {
        Some(Value::Double(number)) => *number,
        _ => 0.0,
    };
    let (lo, hi) = (double("lo"), double("hi"));
    let width = (hi - lo) / bins as f64;
    let edges: Option<Vec<f64>> = match view.scope.value("edges") {
        Some(Value::Array(buffer)) => {
            Some(decode_all(2, &buffer.bytes).into_iter().map(Number::float).collect())
        }
        _ => None,
    };
    let edge = |k: usize| match &edges {
        Some(edges) => edges[k],
        None if lo == 0.0 && hi == 0.0 => k as f64,
        None if k == bins => hi,
        None => lo + k as f64 * width,
    };
    if edges.as_ref().is_some_and(|edges| edges.iter().any(|edge| edge.is_nan())) {
        return Ok(()); // unspecified
    }
    let (clamp, right) = (view.option("outliers") == 1, view.option("right_edge") == 1);
    let before = decode_all(12, view.before("counts").unwrap_or_default());
    let accumulate = view.option("accumulate") == 1;
    let mut counts: Vec<u64> =
        before.iter().map(|count| if accumulate { count.int() as u64 } else { 0 }).collect();
    for (index, sample) in view.numbers("data").into_iter().enumerate() {
        let x = sample.float();
        if x.is_nan() {
            continue;
        }
        let above = (0..=bins).take_while(|k| edge(*k) <= x).count();
        let bin = match above {
            0 => clamp.then_some(0),
            _ if above <= bins => Some(above - 1),
            _ => (clamp || right && x == edge(bins)).then_some(bins - 1),
        };
        if let Some(bin) = bin {
            let count = &mut counts[index % channels * bins + bin];
            *count = count.wrapping_add(1);
        }
    }
    view.expect("counts", &counts.into_iter().flat_map(u64::to_le_bytes).collect::<Vec<u8>>())
}
