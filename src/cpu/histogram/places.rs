//! The bins of many samples at once.
//!
//!   near = round ((x - lo)/width), which is the bin of x or the next one;   bin = x < lo + near·width ? near - 1 : near
//!
//! Algorithm  Whole numbers are doubles all the way, rounded by adding 1.5·2^52, after which they stand in the low bits: the compiler makes
//!            vectors of it, for the instruction set that pulp chooses. A rounded quotient errs by less than a quarter of a bin, since
//!            bins have four doubles at least, so that one comparison with an edge, calculated as the header says, decides.
//!            Edges that were given are found by a guide table: the range of the bins is cut into cells of one width, and a table says how
//!            many edges lie in the cells before each one, by the same arithmetic as a sample's cell, so that only the edges of its own cell
//!            are compared with it: of evenly spread edges one at most.
//! Cost       Even bins: 13 operations a sample, of 4 or 8 samples at once. Given edges: a sample two loads and two comparisons, at the worst, where
//!            all edges lie in one cell, a binary search of them.
//! Source     Guide tables: H.-C. Chen and Y. Asau, "On Generating Random Variates from an Empirical Distribution", AIIE Transactions 6, 1974.
#![forbid(unsafe_code)]

use pulp::Arch;

use super::super::zeros;
use super::Sample;
use crate::model::histogram::{Bins, HistogramOutliers, Rule};

/// A whole number is rounded where this is added.
const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;

pub enum Places<'b> {
    Even(Arch, Even),
    Guided(Guided<'b>),
    Any(&'b Bins<&'b [f64]>),
}

impl<'b> Places<'b> {
    pub fn of(bins: &'b Bins<&'b [f64]>) -> Places<'b> {
        let even = match bins.rule {
            Rule::Values => Even::new(bins, 0.0, bins.count as f64, 1.0),
            Rule::Even { lo, hi, width } => Even::new(bins, lo, hi, width),
            Rule::Edges(edges) => return Guided::new(bins, edges).map_or(Places::Any(bins), Places::Guided),
        };
        even.map_or(Places::Any(bins), |even| Places::Even(Arch::new(), even))
    }

    /// The bin of each sample, or how many there are where it has none.
    pub fn find<T: Sample>(&self, samples: &[T], to: &mut [u32]) {
        match self {
            Places::Even(arch, even) => arch.dispatch(
                #[inline(always)]
                || to.iter_mut().zip(samples).for_each(|(to, &x)| *to = even.bin(x.into())),
            ),
            Places::Guided(guided) => {
                to.iter_mut().zip(samples).for_each(|(to, &x)| *to = guided.bin(x.into()));
            }
            Places::Any(bins) => to.iter_mut().zip(samples).for_each(|(to, &x)| {
                *to = bins.of(x.into()).unwrap_or(bins.count) as u32;
            }),
        }
    }
}

/// Bins of one width, and where numbers outside go.
pub struct Even {
    lo: f64,
    hi: f64,
    width: f64,
    inverse: f64,
    last: f64,
    below: f64,
    at_end: f64,
    above: f64,
    none: f64,
}

impl Even {
    fn new(bins: &Bins<&[f64]>, lo: f64, hi: f64, width: f64) -> Option<Even> {
        let (last, none) = ((bins.count - 1) as f64, bins.count as f64);
        let (below, above) = match bins.outliers {
            HistogramOutliers::Clamp => (0.0, last),
            HistogramOutliers::Ignore => (none, none),
        };
        let at_end = if bins.has_right_edge { last } else { above };
        let inverse = 1.0 / width;
        inverse.is_finite().then_some(Even { lo, hi, width, inverse, last, below, at_end, above, none })
    }

    #[inline(always)] // so that it is compiled for the instruction set of `dispatch`
    fn bin(&self, x: f64) -> u32 {
        let near = ((x - self.lo) * self.inverse + WHOLE - WHOLE).min(self.last);
        let bin = if x < self.lo + near * self.width { near - 1.0 } else { near };
        let bin = if x >= self.lo { bin } else { self.below };
        let bin = if x < self.hi { bin } else { self.above };
        let bin = if x == self.hi { self.at_end } else { bin };
        let bin = if x.is_nan() { self.none } else { bin };
        (bin + WHOLE).to_bits() as u32
    }
}

/// Edges that were given, with a guide table.
pub struct Guided<'b> {
    edges: &'b [f64],
    lo: f64,
    hi: f64,
    inverse: f64,     // cells / (hi - lo)
    before: Vec<u32>, // (cells + 1) edges in the cells before each one
    last: u32,
    below: u32,
    at_end: u32,
    above: u32,
    none: u32,
}

impl<'b> Guided<'b> {
    /// Cells for each bin.
    const CELLS: usize = 4;
    /// Cells at most: the table stays in the L2 cache.
    const MOST: usize = 1 << 16;

    /// None where the range has no finite width, or there is no memory.
    fn new(bins: &Bins<&[f64]>, edges: &'b [f64]) -> Option<Guided<'b>> {
        let (lo, hi) = (edges[0], edges[bins.count]);
        let cells = bins.count.saturating_mul(Guided::CELLS).min(Guided::MOST);
        let inverse = cells as f64 / (hi - lo);
        let is_usable = lo < hi && inverse.is_finite() && inverse > 0.0;
        let mut before = if is_usable { zeros::<u32>(cells + 1).ok()? } else { return None };
        for edge in edges {
            before[cell_of(*edge, lo, inverse, cells) + 1] += 1;
        }
        (1..=cells).for_each(|cell| before[cell] += before[cell - 1]);
        let (last, none) = ((bins.count - 1) as u32, bins.count as u32);
        let (below, above) = match bins.outliers {
            HistogramOutliers::Clamp => (0, last),
            HistogramOutliers::Ignore => (none, none),
        };
        let at_end = if bins.has_right_edge { last } else { above };
        Some(Guided { edges, lo, hi, inverse, before, last, below, at_end, above, none })
    }

    #[inline]
    fn bin(&self, x: f64) -> u32 {
        if x >= self.lo && x < self.hi {
            return self.within(x);
        }
        match () {
            () if x < self.lo => self.below,
            () if x == self.hi => self.at_end,
            () if x > self.hi => self.above,
            () => self.none, // NaN
        }
    }

    /// The last edge that is not above x, whose bin it begins.
    #[inline]
    fn within(&self, x: f64) -> u32 {
        let cell = cell_of(x, self.lo, self.inverse, self.before.len() - 1);
        let (first, end) = (self.before[cell], self.before[cell + 1]);
        let edges = match end - first {
            0 | 1 => first + u32::from(self.edges[first as usize] <= x), // of no edges the next one is above x
            _ => first + self.edges[first as usize..end as usize].partition_point(|edge| *edge <= x) as u32,
        };
        edges.saturating_sub(1).min(self.last)
    }
}

/// The cell of a number between the first edge and the last one: a larger number has no lower cell, whatever the rounding.
#[inline]
fn cell_of(x: f64, lo: f64, inverse: f64, cells: usize) -> usize {
    (((x - lo) * inverse) as usize).min(cells - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::histogram::AWKWARD;

    #[test]
    fn given_edges_are_found_where_the_model_says() {
        let many: Vec<f64> = (0..5000).map(|k| (k as f64 / 700.0).exp()).collect();
        let some: [&[f64]; 9] = [
            &[0.0, 1.0],
            &[-1.0, -0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0],
            &[0.0, 1e-300, 2e-300, 1.0],
            &[f64::MIN, 0.0, f64::MAX],
            &[f64::NEG_INFINITY, 0.0, f64::INFINITY],
            &[1.0, 1.0 + f64::EPSILON, 1.0 + 2.0 * f64::EPSILON],
            &[5e-324, 1e-323, 1.5e-323],
            &[3.0, 3.0, 3.0],
            &many,
        ];
        for edges in some {
            for (outliers, has_right_edge) in [
                (HistogramOutliers::Ignore, false),
                (HistogramOutliers::Ignore, true),
                (HistogramOutliers::Clamp, false),
            ] {
                let count = edges.len() - 1;
                let bins = Bins { count, rule: Rule::Edges(edges), outliers, has_right_edge };
                let mut samples =
                    vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 0.0, -0.0];
                samples.extend(edges.iter().flat_map(|x| [x.next_down(), *x, x.next_up()]));
                samples.extend(edges.windows(2).map(|two| two[0] / 2.0 + two[1] / 2.0));
                let mut found = vec![0; samples.len()];
                Places::of(&bins).find(&samples, &mut found);
                for (x, found) in samples.iter().zip(found) {
                    let want = bins.of(*x).unwrap_or(count);
                    assert_eq!(found as usize, want, "{x:e} in {edges:?}, {outliers:?}, {has_right_edge}");
                }
            }
        }
    }

    #[test]
    fn every_edge_and_its_neighbours_fall_where_the_model_says() {
        let others = [(0.0, 1e-310, 100), (0.0, 2147483648.0, 1 << 31), (3.0, 260.0, 257)];
        for (lo, hi, count) in AWKWARD.into_iter().chain(others) {
            for (outliers, has_right_edge) in [
                (HistogramOutliers::Ignore, false),
                (HistogramOutliers::Ignore, true),
                (HistogramOutliers::Clamp, false),
            ] {
                let rule = Rule::even(lo, hi, count).unwrap();
                let Rule::Even { width, .. } = rule else { unreachable!() };
                let bins = Bins { count, rule, outliers, has_right_edge };
                let places = Places::of(&bins);
                let mut samples =
                    vec![lo, hi, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, -0.0];
                let few = (0..300).chain((0..300).map(|k| (count - 1).saturating_sub(k)));
                samples.extend(few.map(|k| lo + k as f64 * width));
                let all: Vec<f64> = samples.iter().flat_map(|x| [x.next_down(), *x, x.next_up()]).collect();
                let mut found = vec![0; all.len()];
                places.find(&all, &mut found);
                for (x, found) in all.iter().zip(found) {
                    let want = bins.of(*x).unwrap_or(count);
                    assert_eq!(
                        found as usize, want,
                        "{x:e} in {count} bins from {lo:e} to {hi:e}, {outliers:?}"
                    );
                }
            }
        }
    }
}
