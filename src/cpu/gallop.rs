//! Searches in sorted slices.
#![forbid(unsafe_code)]

/// The first i in from .. len with !before(i), len where there is none; `before` holds up to there. The cost is that of how far
/// it is, not of how long the slice is.
pub fn gallop(from: usize, len: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut begin, mut step) = (from, 1);
    while begin < len && step <= len - begin && before(begin + step - 1) {
        begin += step;
        step *= 2;
    }
    partition_point(begin, len.min(begin.saturating_add(step - 1)), before)
}

/// The first i in begin .. end with !before(i), end where there is none.
pub fn partition_point(mut begin: usize, mut end: usize, before: impl Fn(usize) -> bool) -> usize {
    while begin < end {
        let middle = begin + (end - begin) / 2;
        if before(middle) { begin = middle + 1 } else { end = middle }
    }
    begin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gallop_ends_where_the_condition_does() {
        for len in 0..40 {
            for from in 0..=len {
                for end in from..=len {
                    assert_eq!(gallop(from, len, |i| i < end), end, "{from} to {end} of {len}");
                }
            }
        }
    }
}
