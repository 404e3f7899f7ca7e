//! What the tests of joins and set operations share: two sorted arrays.

use gpumex::model::order::SortOrder;

use crate::common::{Number, RngExt, random};

/// Sorted keys, each between `least` and `most` more than the one before.
pub fn ascending<K: Number>(seed: u64, len: usize, least: u32, most: u32) -> Vec<K> {
    let (mut random, mut key) = (random(seed), -40.0);
    let mut next = || {
        key += f64::from(random.random_range(least..=most));
        K::from_f64(if K::from_f64(-1.0) < K::from_f64(0.0) { key } else { key + 50.0 })
    };
    (0..len).map(|_| next()).collect()
}

/// check (order, a, b) of keys that are sorted so, some of them equal.
pub fn in_both_orders<K: Number>(mut check: impl FnMut(SortOrder, &[K], &[K])) {
    let (mut a, mut b) = (ascending::<K>(5, 9000, 0, 2), ascending::<K>(6, 7001, 0, 2));
    check(SortOrder::Ascending, &a, &b);
    a.reverse();
    b.reverse();
    check(SortOrder::Descending, &a, &b);
}
