//! Bins: how many, where their edges are, and which one a number falls into.

use super::HistogramOutliers;
use crate::error::{Error, Result};

/// Bins of a channel, at most.
pub const MAX_BINS: usize = 1 << 31;

/// Where the edges e(0) … e(count) are. `E` is where the edges lie that were given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule<E> {
    /// e(k) = k: a whole number is its own bin.
    Values,
    /// e(k) = lo + k·width, each operation rounded, but e(count) = hi.
    Even { lo: f64, hi: f64, width: f64 },
    /// e(k) = edges\[k\].
    Edges(E),
}

/// Bin k of `count` has e(k) ≤ x < e(k + 1), the last k where edges are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bins<E> {
    /// 1 to 2³¹.
    pub count: usize,
    pub rule: Rule<E>,
    pub outliers: HistogramOutliers,
    /// x = e(count) falls into the last bin, whatever `outliers` says.
    pub has_right_edge: bool,
}

impl<E> Rule<E> {
    /// `count` bins of one width between two numbers.
    pub fn even(lo: f64, hi: f64, count: usize) -> Result<Rule<E>> {
        for (name, value) in [("lo", lo), ("hi", hi)] {
            if !value.is_finite() {
                return Err(Error::invalid(format!("{name} is {value}; it is a finite number")));
            }
        }
        if lo >= hi {
            return Err(Error::invalid(format!("lo is {lo} and hi is {hi}; lo is less than hi")));
        }
        if !(hi - lo).is_finite() {
            return Err(Error::invalid(format!("hi - lo is {} from {lo} to {hi}; it is finite", hi - lo)));
        }
        let width = (hi - lo) / count as f64;
        let least = 4.0 * ulp(lo).max(ulp(hi));
        if width < least {
            return Err(Error::invalid(format!(
                "{count} bins from {lo} to {hi} are {width:e} wide; doubles there need {least:e}"
            )));
        }
        Ok(Rule::Even { lo, hi, width })
    }
}

/// Whether edges are whole numbers, one after another: they and the distances of numbers from the first are exact.
#[inline]
fn is_whole(lo: f64, width: f64) -> bool {
    width == 1.0 && lo >= 0.0 && lo.trunc() == lo
}

/// The distance from |x| to the next larger double.
fn ulp(x: f64) -> f64 {
    x.abs().next_up() - x.abs()
}

impl<E> Bins<E> {
    /// Refuses a number of bins that nobody has.
    pub fn check_count(count: usize) -> Result<()> {
        match count {
            0 => Err(Error::invalid("bins is 0; it is at least 1")),
            1..=MAX_BINS => Ok(()),
            _ => Err(Error::invalid(format!("bins is {count}; it is at most {MAX_BINS}"))),
        }
    }

    /// Whether these are the `values` values of an integer type, each its own bin.
    pub fn are_values(&self, values: usize) -> bool {
        matches!(self.rule, Rule::Values) && self.count == values
    }

    /// The same bins, with the edges elsewhere.
    pub fn with_edges<F>(&self, elsewhere: impl FnOnce(&E) -> F) -> Bins<F> {
        let rule = match &self.rule {
            Rule::Values => Rule::Values,
            &Rule::Even { lo, hi, width } => Rule::Even { lo, hi, width },
            Rule::Edges(edges) => Rule::Edges(elsewhere(edges)),
        };
        Bins { count: self.count, rule, outliers: self.outliers, has_right_edge: self.has_right_edge }
    }
}

impl Bins<&[f64]> {
    /// The bin that has x, if one has. Edges that do not ascend give some bin or none.
    #[inline]
    pub fn of(&self, x: f64) -> Option<usize> {
        let last = self.count - 1;
        let end = self.edge(self.count);
        if self.has_right_edge && x == end {
            return Some(last);
        }
        if x >= self.edge(0) && x < end {
            return Some(self.within(x));
        }
        let is_clamped = self.outliers == HistogramOutliers::Clamp && !x.is_nan();
        is_clamped.then_some(if x < self.edge(0) { 0 } else { last })
    }

    #[inline]
    fn edge(&self, k: usize) -> f64 {
        match self.rule {
            Rule::Values => k as f64,
            Rule::Even { hi, .. } if k == self.count => hi,
            Rule::Even { lo, width, .. } => lo + k as f64 * width,
            Rule::Edges(edges) => edges[k],
        }
    }

    /// The bin of an x that is no outlier.
    #[inline]
    fn within(&self, x: f64) -> usize {
        let last = self.count - 1;
        match self.rule {
            Rule::Values => x as usize,
            Rule::Even { lo, width, .. } if is_whole(lo, width) => ((x - lo) as usize).min(last),
            Rule::Even { lo, width, .. } => {
                let near = (((x - lo) / width) as usize).min(last); // errs by one at the most
                if x < self.edge(near) {
                    near - 1
                } else if x >= self.edge(near + 1) {
                    near + 1
                } else {
                    near
                }
            }
            Rule::Edges(edges) => edges.partition_point(|&edge| edge <= x).saturating_sub(1).min(last),
        }
    }
}

/// Ranges, and how many bins, whose edges are awkward.
#[cfg(test)]
pub const AWKWARD: [(f64, f64, usize); 6] = [
    (0.0, 1.0, 10),
    (1.0, 1001.0, 1000),
    (7.0, 2e15 + 7.0, 1 << 20),
    (-0.7, 0.1, 97),
    (1e15, 1e15 + 64.0, 100),
    (-1e308, 7e307, 3),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn bins(rule: Rule<&[f64]>, count: usize, has_right_edge: bool) -> Bins<&[f64]> {
        Bins { count, rule, outliers: HistogramOutliers::Ignore, has_right_edge }
    }

    #[test]
    fn every_even_edge_begins_its_bin() {
        for (lo, hi, count) in AWKWARD {
            let even = bins(Rule::even(lo, hi, count).unwrap(), count, false);
            for k in 0..count {
                let edge = even.edge(k);
                assert_eq!(even.of(edge), Some(k), "{lo} {hi} {count}");
                assert_eq!(even.of(edge.next_down()), k.checked_sub(1), "{lo} {hi} {count}");
            }
            assert_eq!((even.of(hi.next_down()), even.of(hi)), (Some(count - 1), None));
        }
    }

    #[test]
    fn the_last_of_equal_edges_begins_the_bin() {
        let edges = [0.0, 1.0, 1.0, 1.0, 2.0, 2.0];
        let open = bins(Rule::Edges(&edges), 5, false);
        assert_eq!([0.0, 0.5, 1.0, 1.5, 2.0].map(|x| open.of(x)), [Some(0), Some(0), Some(3), Some(3), None]);
        assert_eq!(bins(Rule::Edges(&edges), 5, true).of(2.0), Some(4));
    }

    #[test]
    fn outliers_are_clamped_and_nan_never() {
        let clamped = Bins { outliers: HistogramOutliers::Clamp, ..bins(Rule::Values, 4, false) };
        let found = [-1.0, -0.0, 3.9, 4.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN].map(|x| clamped.of(x));
        assert_eq!(found, [Some(0), Some(0), Some(3), Some(3), Some(3), Some(0), None]);
    }

    #[test]
    fn ranges_that_doubles_cannot_divide_are_refused() {
        for (lo, hi, count, words) in [
            (f64::NAN, 1.0, 1, "lo is NaN"),
            (0.0, f64::INFINITY, 1, "hi is inf"),
            (1.0, 1.0, 1, "less than hi"),
            (-1e308, 1e308, 1, "hi - lo is inf"),
            (1.0, 1.0 + 1e-12, 10_000, "need"),
        ] {
            let error = Rule::<()>::even(lo, hi, count).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
