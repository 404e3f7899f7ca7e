//! Selection networks: comparisons that leave given ranks of a window in known places, whatever the elements are.
//!
//! The columns of a window are sorted, then merged two by two (odd-even merge). Comparisons whose results nothing reads are dropped, and of
//! the others the results that nothing reads.
//!
//! Source: K. Batcher, "Sorting networks and their applications", AFIPS 1968; D. Knuth, "The Art of Computer Programming", volume 3, §5.3.4.
#![forbid(unsafe_code)]

use std::ops::Range;

use crate::error::Result;
use crate::vector::{collected, push, reserved, zeros};

/// What becomes of two elements: the first place has the smaller one, the second the larger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    Both,
    Smaller,
    Larger,
}

/// A comparison of the elements in two places.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    pub first: u16,
    pub second: u16,
    pub kept: Kept,
}

/// The comparisons of windows of one size, and the places of the elements of the two middle ranks, which are one for odd sizes.
#[derive(Debug)]
pub struct Network {
    /// That sort a column.
    pub column: Vec<Comparison>,
    /// Of sorted columns; row r of column c is at c·rows + r.
    pub select: Vec<Comparison>,
    pub middle: [u16; 2],
}

impl Network {
    pub fn new([rows, cols]: [usize; 2]) -> Result<Network> {
        let (mut column, mut select) = (Vec::new(), Vec::new());
        let order = sort(&places(0, rows)?, &mut column)?;
        // The sorted column lies in the order of its rows.
        let rank_of = |place: u16| order.iter().position(|&at| at == place).unwrap_or(0) as u16;
        let in_order =
            |one: &mut Comparison| (one.first, one.second) = (rank_of(one.first), rank_of(one.second));
        column.iter_mut().for_each(in_order);
        let sorted = merge_columns(rows, 0..cols, &mut select)?;
        let count = rows * cols;
        let middle = [sorted[(count - 1) / 2], sorted[count / 2]];
        Ok(Network { column, select: needed(select, count, &middle)?, middle })
    }
}

fn places(from: usize, count: usize) -> Result<Vec<u16>> {
    collected((from..from + count).map(|place| place as u16))
}

/// Adds a comparison.
fn compare(first: u16, second: u16, to: &mut Vec<Comparison>) -> Result<()> {
    push(to, Comparison { first, second, kept: Kept::Both })
}

/// Comparisons that sort the elements of places; returns the places in the order of the elements.
fn sort(places: &[u16], to: &mut Vec<Comparison>) -> Result<Vec<u16>> {
    match places.len() {
        0 | 1 => collected(places.iter().copied()),
        len => {
            let (front, back) = (sort(&places[..len / 2], to)?, sort(&places[len / 2..], to)?);
            merge(&front, &back, to)
        }
    }
}

/// The same of columns that are sorted.
fn merge_columns(rows: usize, columns: Range<usize>, to: &mut Vec<Comparison>) -> Result<Vec<u16>> {
    match columns.len() {
        0 | 1 => places(columns.start * rows, columns.len() * rows),
        len => {
            let middle = columns.start + len / 2;
            let front = merge_columns(rows, columns.start..middle, to)?;
            let back = merge_columns(rows, middle..columns.end, to)?;
            merge(&front, &back, to)
        }
    }
}

/// The odd-even merge of two sorted lists: those at even indices, those at odd ones, then each odd one with the next even one.
fn merge(a: &[u16], b: &[u16], to: &mut Vec<Comparison>) -> Result<Vec<u16>> {
    let mut merged = reserved(a.len() + b.len())?;
    if a.is_empty() || b.is_empty() {
        merged.extend(a.iter().chain(b));
        return Ok(merged);
    }
    if let (&[first], &[second]) = (a, b) {
        compare(first, second, to)?;
        merged.extend([first, second]);
        return Ok(merged);
    }
    let every = |list: &[u16], from: usize| collected(list.iter().skip(from).step_by(2).copied());
    let even = merge(&every(a, 0)?, &every(b, 0)?, to)?;
    let odd = merge(&every(a, 1)?, &every(b, 1)?, to)?;
    merged.push(even[0]);
    for index in 0..odd.len().max(even.len() - 1) {
        match (odd.get(index), even.get(index + 1)) {
            (Some(&first), Some(&second)) => {
                compare(first, second, to)?;
                merged.extend([first, second]);
            }
            (one, other) => merged.extend(one.or(other)),
        }
    }
    Ok(merged)
}

/// The comparisons on which the elements of some places depend.
fn needed(mut all: Vec<Comparison>, count: usize, places: &[u16]) -> Result<Vec<Comparison>> {
    let mut is_read = zeros(count)?;
    places.iter().for_each(|&place| is_read[usize::from(place)] = true);
    all.reverse();
    all.retain_mut(|comparison| {
        let [first, second] = [comparison.first, comparison.second].map(usize::from);
        comparison.kept = match (is_read[first], is_read[second]) {
            (false, false) => return false,
            (true, true) => Kept::Both,
            (true, false) => Kept::Smaller,
            (false, true) => Kept::Larger,
        };
        (is_read[first], is_read[second]) = (true, true);
        true
    });
    all.reverse();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The middle elements of a window that is stored column by column.
    fn middle(network: &Network, rows: usize, window: &mut [u32]) -> [u32; 2] {
        let run = |comparisons: &[Comparison], elements: &mut [u32]| {
            for one in comparisons {
                let (a, b) = (elements[usize::from(one.first)], elements[usize::from(one.second)]);
                if one.kept != Kept::Larger {
                    elements[usize::from(one.first)] = a.min(b);
                }
                if one.kept != Kept::Smaller {
                    elements[usize::from(one.second)] = a.max(b);
                }
            }
        };
        for column in window.chunks_mut(rows) {
            run(&network.column, column);
            assert!(column.is_sorted());
        }
        run(&network.select, window);
        network.middle.map(|place| window[usize::from(place)])
    }

    /// A network that selects of zeros and ones selects of everything (Knuth, the zero-one principle).
    #[test]
    fn zeros_and_ones_are_selected() {
        for [rows, cols] in
            [[1, 1], [1, 2], [2, 1], [2, 2], [3, 3], [4, 3], [3, 4], [1, 9], [9, 1], [4, 4], [2, 7], [5, 3]]
        {
            let (network, count) = (Network::new([rows, cols]).unwrap(), rows * cols);
            for pattern in 0..1u32 << count {
                let mut window: Vec<u32> = (0..count).map(|bit| pattern >> bit & 1).collect();
                let zeros = count - pattern.count_ones() as usize;
                let want = [(count - 1) / 2, count / 2].map(|rank| u32::from(rank >= zeros));
                assert_eq!(middle(&network, rows, &mut window), want, "{rows}×{cols}");
            }
        }
    }

    #[test]
    fn large_windows_are_selected() {
        for [rows, cols] in [[5, 5], [7, 7], [15, 15], [8, 6], [31, 31], [31, 1], [2, 31]] {
            let (network, count) = (Network::new([rows, cols]).unwrap(), rows * cols);
            for seed in 1..40u32 {
                let mut window: Vec<u32> =
                    (0..count as u32).map(|i| (i * seed * 7919 + seed) % 1009 % (3 + seed)).collect();
                let mut sorted = window.clone();
                sorted.sort_unstable();
                let want = [sorted[(count - 1) / 2], sorted[count / 2]];
                assert_eq!(middle(&network, rows, &mut window), want, "{rows}×{cols}");
            }
        }
    }
}
