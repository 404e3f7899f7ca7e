//! Which bucket a key goes to.
//!
//! Algorithm  The highest bits of ranks are cells; a bucket is a range of cells, cut where a sample of the keys has about as many for
//!            each. So numbers whose exponents are few, or most of which lie close together, have buckets like others. A cell that has
//!            many more is a bucket of its own, which can be cut up again. Whatever the sample is, no bucket has ranks of both halves.
//! Source     W. Frazer, A. McKellar, "Samplesort", 1970 (buckets by a sample).
#![forbid(unsafe_code)]

use super::span::Span;
use crate::cpu::{reserved, zeros};
use crate::error::Result;
use crate::model::order::{Key, KeyOrder};

const MOST: usize = 1 << 8; // the lines of more buckets leave the first cache
const EVEN: usize = 184; // buckets with as many elements each
const HEAVY: usize = 4; // times as many as those make a cell a bucket of its own; EVEN + EVEN / HEAVY + 2 are fewer than MOST
const WANTED: usize = 1 << 10; // elements of a bucket at least
const WIDEST: u32 = 16; // bits of a cell
const SAMPLE: usize = 1 << 14;

pub struct Buckets {
    order: KeyOrder,
    span: Span,
    shift: u32,
    of_cells: Vec<u8>,
    begins: Vec<usize>, // the first cell of each, and behind them the number of cells
}

impl Buckets {
    /// For keys, more than a few, whose ranks are of the span; `load` makes elements of them.
    pub fn new<K: Key, E: Key>(
        order: KeyOrder,
        span: Span,
        keys: &[K],
        load: impl Fn(K) -> E,
    ) -> Result<Buckets> {
        let width = span.top().min(WIDEST).min(keys.len().ilog2() - 2);
        let shift = span.top() - width;
        let (mut counts, mut of_cells) = (zeros::<u32>(1 << width)?, reserved(1 << width)?);
        let step = (keys.len() / SAMPLE).max(1);
        for &key in keys.iter().step_by(step) {
            counts[(span.rank(order, load(key)) >> shift) as usize] += 1;
        }
        let share = (keys.len().div_ceil(step) / EVEN).max(WANTED / step).max(1);
        let (mut begins, mut sum) = (reserved(MOST + 1)?, 0);
        for (cell, &count) in counts.iter().enumerate() {
            let is_cut = (sum >= share || count as usize >= HEAVY * share) && begins.len() < MOST - 1;
            if cell == 0 || cell == counts.len() / 2 || is_cut {
                begins.push(cell);
                sum = 0;
            }
            of_cells.push((begins.len() - 1) as u8);
            sum += count as usize;
        }
        begins.push(counts.len());
        Ok(Buckets { order, span, shift, of_cells, begins })
    }

    pub fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// The bucket of an element.
    #[inline(always)]
    pub fn finder<E: Key>(&self) -> impl Fn(E) -> usize + Copy {
        let (order, span, shift, of_cells) = (self.order, self.span, self.shift, &self.of_cells[..]);
        move |element| usize::from(of_cells[(span.rank(order, element) >> shift) as usize])
    }

    /// The ranks of a bucket.
    pub fn span(&self, bucket: usize) -> Span {
        self.span.part(self.shift, self.begins[bucket], self.begins[bucket + 1])
    }
}
