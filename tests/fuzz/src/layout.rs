//! Arrays of several dimensions: extents, strides and how far an array reaches; as options state them, and at random.

use crate::case::Scope;
use crate::dice::Dice;

/// Elements of a result.
const MOST: usize = 600;

/// Elements from the first to the last of an array with gaps.
const LONGEST: u128 = 1 << 15;

pub struct Layout {
    pub extents: Vec<u128>,
    /// Dimensions from the innermost of the result on.
    order: Vec<usize>,
}

impl Layout {
    /// That of the extents in the array of this name.
    pub fn of(scope: &Scope, extents: &str) -> Layout {
        let extents: Vec<u128> = scope
            .list(extents)
            .unwrap_or_default()
            .into_iter()
            .map(|extent| u128::from(extent as u64))
            .collect();
        let mut order: Vec<usize> = (0..extents.len()).collect();
        if let Some(strides) = scope.list("result_strides") {
            order.sort_by_key(|dimension| strides.get(*dimension).copied());
        }
        Layout { extents, order }
    }

    /// The strides of one of several arrays, in the array of this name; where that is NULL those of a dense array: of a result with the
    /// first dimension fastest, of others in the order of the result.
    pub fn strides(&self, scope: &Scope, name: &str, item: usize) -> Vec<u128> {
        let rank = self.extents.len();
        if let Some(strides) = scope.list(name) {
            let own = strides.get(item * rank..(item + 1) * rank).unwrap_or_default();
            return own.iter().map(|stride| u128::try_from(*stride).unwrap_or(0)).collect();
        }
        let (mut strides, mut next) = (vec![0; rank], 1u128);
        for &dimension in &self.order {
            strides[dimension] = next;
            next = next.saturating_mul(self.extents[dimension]);
        }
        strides
    }

    /// Elements from the first to the last one.
    pub fn span(&self, strides: &[u128]) -> u128 {
        if self.extents.is_empty() || self.extents.contains(&0) {
            return 0;
        }
        let reach = |(extent, stride): (&u128, &u128)| (extent - 1).saturating_mul(*stride);
        self.extents.iter().zip(strides).map(reach).fold(1, u128::saturating_add)
    }

    /// The indices of all elements of the result, the first dimension fastest.
    pub fn indices(&self) -> impl Iterator<Item = Vec<u128>> {
        let count: u128 = self.extents.iter().product();
        (0..count).map(|number| {
            let mut rest = number;
            let mut digit = |extent: &u128| {
                let index = rest % extent;
                rest /= extent;
                index
            };
            self.extents.iter().map(&mut digit).collect()
        })
    }
}

/// The place of an element in an array.
pub fn place(index: &[u128], strides: &[u128]) -> usize {
    index.iter().zip(strides).map(|(index, stride)| index * stride).sum::<u128>() as usize
}

/// Extents of few elements together; of many where `large`.
pub fn extents(dice: &mut Dice, rank: usize, large: bool) -> Vec<i64> {
    if large && rank > 0 {
        let mut extents = vec![1i64; rank];
        extents[dice.below(rank)] = dice.large_size().min(1 << 18) as i64;
        extents[dice.below(rank)] *= 1 + dice.below(4) as i64;
        return extents;
    }
    let mut room = MOST;
    let mut extent = |_| {
        let most = [1, 2, 4, 17, room][dice.below(5)].min(room);
        let extent = if dice.per_mille(12) { 0 } else { 1 + dice.below(most) };
        room = (room / extent.max(1)).max(1);
        extent as i64
    };
    (0..rank).map(&mut extent).collect()
}

/// Strides of an array with these extents; no element of a result is written twice.
pub fn strides(dice: &mut Dice, extents: &[i64], is_result: bool) -> Vec<i64> {
    if dice.per_mille(12) {
        return extents.iter().map(|_| (dice.bits() >> dice.below(64)).cast_signed() - 3).collect();
    }
    if !is_result && dice.per_mille(150) {
        return extents.iter().map(|_| dice.below(4) as i64).collect(); // its elements overlap
    }
    let mut order: Vec<usize> = (0..extents.len()).collect();
    if dice.per_mille(300) {
        (1..order.len()).for_each(|last| order.swap(last, dice.below(last + 1)));
    }
    let (gaps, broadcasts) = (dice.per_mille(400), !is_result && dice.per_mille(500));
    let (mut strides, mut next) = (vec![0i64; extents.len()], 1i64);
    for dimension in order {
        if broadcasts && dice.per_mille(500) {
            continue;
        }
        let gap = if gaps && i128::from(next) < LONGEST as i128 / 8 { dice.below(4) as i64 } else { 0 };
        strides[dimension] = next + gap;
        next = strides[dimension].saturating_mul(extents[dimension].max(1));
    }
    strides
}
