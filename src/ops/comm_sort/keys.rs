//! How many keys of the sorted part of a rank are before a place in the order.
//!
//! On a device  Few keys are brought to the host: a sample, evenly spaced, of which a lower and an upper bound follow. Where these do not
//!              decide, and many places lie between the same two of the sample, all keys between these are brought and kept; else STEP of
//!              them a round, for all places at once.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::ops::Range;

use super::Sorted;
use crate::array::{Input, Output};
use crate::context::Context;
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::order::{Key, KeyOrder, SortOrder};
use crate::ops::ranks::elements;
use crate::ops::{copy, gather};
use crate::vector;

/// Keys of the sample.
const SAMPLE: usize = 1 << 14;

/// Keys between two bounds that a round looks at.
const STEP: usize = 128;

/// Places between two keys of the sample from which on all keys between them are brought.
const MANY: usize = 4;

/// The sorted part of a rank.
pub enum Keys<'k> {
    Host { bytes: &'k [u8], key: KeyKind },
    Device(Sampled<'k>),
}

/// Keys in memory of a device.
pub struct Sampled<'k> {
    keys: Sorted<'k>,
    sample: Sample,
    blocks: BTreeMap<usize, Sample>, // all keys from the first of a block to that before the next of the sample
}

/// Some keys on the host.
struct Sample {
    words: Vec<u64>,
    len: usize,
    key: KeyKind,
}

/// How bits become a place.
#[derive(Clone, Copy)]
pub struct KeyKind {
    pub dtype: Dtype,
    pub order: SortOrder,
}

impl<'k> Keys<'k> {
    pub fn new(ctx: &mut Context, keys: Sorted<'k>) -> Result<Keys<'k>> {
        let Sorted { input, count, key } = keys;
        if !ctx.is_on_cuda() {
            let bytes = input.view::<u8>(&[count * key.dtype.size()])?.on_host()?;
            return Ok(Keys::Host { bytes, key });
        }
        let len = count.min(SAMPLE);
        let positions = vector::collected((0..len).map(|i| start_of(i, len, count) as u64))?;
        let sample = Sample::gather(ctx, keys, &positions)?;
        Ok(Keys::Device(Sampled { keys, sample, blocks: BTreeMap::new() }))
    }

    pub fn len(&self) -> usize {
        match self {
            Keys::Host { bytes, key } => bytes.len() / key.dtype.size(),
            Keys::Device(sampled) => sampled.keys.count,
        }
    }

    /// No more keys are before a place than the second number, and no fewer than the first one.
    pub fn bounds(&self, place: u64) -> [usize; 2] {
        match self {
            Keys::Host { bytes, key } => [lower_bound(self.len(), |i| key.place(bytes, i) < place); 2],
            Keys::Device(sampled) => sampled.bounds(place),
        }
    }

    /// counts\[i\] ← how many keys are before places\[i\].
    pub fn before(&mut self, ctx: &mut Context, places: &[u64], counts: &mut [u64]) -> Result<()> {
        match self {
            Keys::Host { .. } => {
                let found = places.iter().map(|&place| self.bounds(place)[0] as u64);
                counts.iter_mut().zip(found).for_each(|(count, found)| *count = found);
                Ok(())
            }
            Keys::Device(sampled) => sampled.before(ctx, places, counts),
        }
    }

    /// The places of keys at about these positions.
    pub fn near(&self, positions: impl Iterator<Item = usize>) -> impl Iterator<Item = u64> {
        positions.map(move |position| match self {
            Keys::Host { bytes, key } => key.place(bytes, position),
            Keys::Device(Sampled { keys, sample, .. }) => {
                sample.place(start_of(position, keys.count, sample.len).min(sample.len - 1))
            }
        })
    }
}

/// Where block `i` of `len` begins.
fn start_of(i: usize, len: usize, count: usize) -> usize {
    match (i as u64).checked_mul(count as u64) {
        Some(product) => (product / len.max(1) as u64) as usize,
        None => (i as u128 * count as u128 / len.max(1) as u128) as usize,
    }
}

/// The first index, below `len`, of which `is_before` does not hold; it holds of the first ones.
fn lower_bound(len: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

impl Sample {
    fn gather(ctx: &mut Context, keys: Sorted, positions: &[u64]) -> Result<Sample> {
        let Sorted { input, count, key } = keys;
        let mut words = elements(key.dtype, positions.len())?;
        let options = gather::Options { dtype: key.dtype, index_dtype: Dtype::U64, ..Default::default() };
        let at = (Input::new("positions", positions), positions.len());
        gather::gather(ctx, &options, (input, count), at, Output::new("a sample", &mut words))?;
        Ok(Sample { words, len: positions.len(), key })
    }

    /// Keys that lie behind one another.
    fn copy(ctx: &mut Context, keys: Sorted, range: Range<usize>) -> Result<Sample> {
        let Sorted { input, key, .. } = keys;
        let (size, mut words) = (key.dtype.size(), elements(key.dtype, range.len())?);
        let from = input.behind(range.start * size);
        copy::copy(ctx, Output::new("a block of keys", &mut words), from, range.len() * size)?;
        Ok(Sample { words, len: range.len(), key })
    }

    fn place(&self, index: usize) -> u64 {
        let size = self.key.dtype.size();
        let bits = self.words[index * size / 8] >> (index * size % 8 * 8);
        self.key.place_of(bits & (u64::MAX >> (64 - 8 * size)))
    }

    /// How many keys of a range are before a place.
    fn before(&self, range: Range<usize>, place: u64) -> usize {
        lower_bound(range.len(), |i| self.place(range.start + i) < place)
    }
}

impl Sampled<'_> {
    fn start(&self, block: usize) -> usize {
        start_of(block, self.sample.len, self.keys.count)
    }

    fn bounds(&self, place: u64) -> [usize; 2] {
        match self.sample.before(0..self.sample.len, place) {
            0 => [0, 0], // the first key is one of the sample
            block => [self.start(block - 1) + 1, self.start(block)],
        }
    }

    fn before(&mut self, ctx: &mut Context, places: &[u64], counts: &mut [u64]) -> Result<()> {
        let mut open = vector::collected(places.iter().map(|&place| self.bounds(place)))?;
        self.bring_blocks(ctx, &open)?;
        for (bounds, &place) in open.iter_mut().zip(places) {
            let [low, high] = *bounds;
            if let (true, Some(block)) = (low < high, self.blocks.get(&low)) {
                *bounds = [low + block.before(0..block.len, place); 2];
            }
        }
        let looks_at = |&[low, high]: &[usize; 2]| (high - low).min(STEP);
        loop {
            let mut positions = vector::reserved(open.iter().map(looks_at).sum())?;
            for bounds @ &[low, high] in &open {
                let steps = looks_at(bounds);
                positions.extend((0..steps).map(|i| (low + start_of(i, steps, high - low)) as u64));
            }
            if positions.is_empty() {
                break;
            }
            let found = Sample::gather(ctx, self.keys, &positions)?;
            let mut at = 0;
            for (bounds, &place) in open.iter_mut().zip(places) {
                let steps = looks_at(bounds);
                let before = found.before(at..at + steps, place);
                let [low, high] = *bounds;
                let low = if before == 0 { low } else { positions[at + before - 1] as usize + 1 };
                let high = if before == steps { high } else { positions[at + before] as usize };
                (*bounds, at) = ([low, high], at + steps);
            }
        }
        counts.iter_mut().zip(open).for_each(|(count, [low, _])| *count = low as u64);
        Ok(())
    }

    /// Brings the keys between two of the sample where many bounds have them between them.
    fn bring_blocks(&mut self, ctx: &mut Context, bounds: &[[usize; 2]]) -> Result<()> {
        let mut places = BTreeMap::new();
        for &[low, high] in bounds.iter().filter(|[low, high]| low < high) {
            places.entry((low, high)).and_modify(|count| *count += 1).or_insert(1);
        }
        for ((low, high), count) in places {
            if count >= MANY && !self.blocks.contains_key(&low) {
                self.blocks.insert(low, Sample::copy(ctx, self.keys, low..high)?);
            }
        }
        Ok(())
    }
}

impl KeyKind {
    /// A number that is smaller where the key comes first.
    fn place(self, bytes: &[u8], index: usize) -> u64 {
        let size = self.dtype.size();
        let bytes = bytes[index * size..][..size].iter();
        self.place_of(bytes.rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
    }

    /// Bits of a key as a number in the order.
    fn place_of(self, bits: u64) -> u64 {
        let KeyKind { dtype, order } = self;
        match dtype {
            Dtype::F32 => f32::from_bits(bits as u32).rank(KeyOrder::new(order, dtype)).into(),
            Dtype::F64 => f64::from_bits(bits).rank(KeyOrder::new(order, dtype)),
            _ => {
                let last = u64::MAX >> (64 - 8 * dtype.size());
                let place = if dtype.is_signed_integer() { bits ^ (last / 2 + 1) } else { bits };
                if order == SortOrder::Descending { last - place } else { place }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_the_order_of_keys() {
        let place = |bits, dtype| KeyKind { dtype, order: SortOrder::Ascending }.place_of(bits);
        assert!(place(0xff, Dtype::I8) < place(0, Dtype::I8) && place(0, Dtype::I8) < place(0x7f, Dtype::I8));
        assert_eq!(place((-0.0f32).to_bits().into(), Dtype::F32), place(0, Dtype::F32));
        assert!(place(f64::NAN.to_bits(), Dtype::F64) > place(f64::INFINITY.to_bits(), Dtype::F64));
        let down = |bits| KeyKind { dtype: Dtype::U16, order: SortOrder::Descending }.place_of(bits);
        assert!(down(7) < down(6) && down(0) == 0xffff);
    }

    #[test]
    fn bounds_of_a_sample_hold_and_blocks_are_exact() {
        let key = KeyKind { dtype: Dtype::U32, order: SortOrder::Ascending };
        for (count, len) in [(1, 1), (7, 7), (100, 7), (100, 16), (64, 1), (70_001, 3)] {
            let mut keys: Vec<u32> = (0..count as u32).map(|i| i.wrapping_mul(i) % 97 / 5).collect();
            keys.sort_unstable();
            let keys_on = Sorted { input: Input::new("keys", &keys), count, key };
            let mut ctx = Context::new(crate::platform::settings::Backend::Cpu, None).unwrap();
            let positions: Vec<u64> = (0..len).map(|i| start_of(i, len, count) as u64).collect();
            let sample = Sample::gather(&mut ctx, keys_on, &positions).unwrap();
            let mut sampled = Sampled { keys: keys_on, sample, blocks: BTreeMap::new() };
            let places: Vec<u64> = (0..25).collect();
            let mut found = vec![0; 25];
            sampled.before(&mut ctx, &places, &mut found).unwrap();
            let one_by_one = places.iter().map(|&place| {
                let mut sampled = Sampled {
                    keys: keys_on,
                    sample: Sample::gather(&mut ctx, keys_on, &positions).unwrap(),
                    blocks: BTreeMap::new(),
                };
                let mut count = [0];
                sampled.before(&mut ctx, &[place], &mut count).unwrap();
                count[0]
            });
            assert!(one_by_one.eq(found.iter().copied()), "{count} {len}");
            for (&place, found) in places.iter().zip(found) {
                let want = keys.iter().filter(|&&key| u64::from(key) < place).count();
                let [low, high] = sampled.bounds(place);
                assert!(low <= want && want <= high, "{count} {len} {place}: {low} {want} {high}");
                assert_eq!(found, want as u64, "{count} {len} {place}");
            }
        }
    }
}
