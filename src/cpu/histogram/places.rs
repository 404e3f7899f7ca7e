//! The bins of many samples at once.
//!
//!   near = round ((x - lo)/width), which is the bin of x or the next one;   bin = x < lo + near·width ? near - 1 : near
//!
//! Algorithm  Whole numbers are doubles all the way, rounded by adding 1.5·2^52, after which they stand in the low bits: the compiler makes
//!            vectors of it, for the instruction set that pulp chooses. A rounded quotient errs by less than a quarter of a bin, since
//!            bins have four doubles at least, so that one comparison with an edge, calculated as the header says, decides.
//! Cost       13 operations a sample, of 4 or 8 samples at once.
//! Limits     Edges that were given are searched one sample at a time.
#![forbid(unsafe_code)]

use pulp::Arch;

use super::Sample;
use crate::model::histogram::{Bins, HistogramOutliers, Rule};

/// A whole number is rounded where this is added.
const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;

pub enum Places<'b> {
    Even(Arch, Even),
    Any(&'b Bins<&'b [f64]>),
}

impl<'b> Places<'b> {
    pub fn of(bins: &'b Bins<&'b [f64]>) -> Places<'b> {
        let even = match bins.rule {
            Rule::Values => Even::new(bins, 0.0, bins.count as f64, 1.0),
            Rule::Even { lo, hi, width } => Even::new(bins, lo, hi, width),
            Rule::Edges(_) => None,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::histogram::AWKWARD;

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
