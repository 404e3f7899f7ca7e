//! How many keys of the sorted part of a rank are before a place in the order.
//!
//! On a device  Few keys are brought to the host: a sample, evenly spaced, and of it follows a lower and an upper bound; then the keys
//!              between two of the sample, a block, where the bounds do not decide.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;

use super::Sorted;
use crate::array::{Input, Output};
use crate::context::Context;
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::order::{Key, KeyOrder, SortOrder};
use crate::ops::ranks::{bytes_of, elements};
use crate::ops::{copy, gather};

/// Keys of the sample.
const SAMPLE: usize = 1 << 14;

/// The sorted part of a rank.
pub enum Keys<'k> {
    Host { bytes: &'k [u8], key: KeyKind },
    Device(Sampled<'k>),
}

/// Keys in memory of a device.
pub struct Sampled<'k> {
    keys: Sorted<'k>,
    sample: Vec<u64>,                  // places
    blocks: BTreeMap<usize, Vec<u64>>, // places of the keys of a block, from the first to that before the next of the sample
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
        let positions: Vec<u64> = (0..len).map(|i| start_of(i, len, count) as u64).collect();
        let mut found = elements(key.dtype, len)?;
        let options = gather::Options { dtype: key.dtype, index_dtype: Dtype::U64, ..Default::default() };
        let at = (Input::new("positions", &positions), len);
        gather::gather(ctx, &options, (input, count), at, Output::new("a sample", &mut found))?;
        let sample = key.places(bytes_of(&found, len * key.dtype.size())?).collect();
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

    /// How many keys are before a place.
    pub fn before(&mut self, ctx: &mut Context, place: u64) -> Result<usize> {
        match self {
            Keys::Host { .. } => Ok(self.bounds(place)[0]),
            Keys::Device(sampled) => sampled.before(ctx, place),
        }
    }
}

/// Where block `i` of `len` begins.
fn start_of(i: usize, len: usize, count: usize) -> usize {
    (i as u128 * count as u128 / len.max(1) as u128) as usize
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

impl Sampled<'_> {
    fn start(&self, block: usize) -> usize {
        start_of(block, self.sample.len(), self.keys.count)
    }

    fn bounds(&self, place: u64) -> [usize; 2] {
        match self.sample.partition_point(|&sampled| sampled < place) {
            0 => [0, 0], // the first key is one of the sample
            block => [self.start(block - 1) + 1, self.start(block)],
        }
    }

    fn before(&mut self, ctx: &mut Context, place: u64) -> Result<usize> {
        let [low, high] = self.bounds(place);
        if low == high {
            return Ok(low);
        }
        let start = low - 1;
        if !self.blocks.contains_key(&start) {
            let block = self.block(ctx, start, high - start)?;
            self.blocks.insert(start, block);
        }
        let block = &self.blocks[&start];
        Ok(start + block.partition_point(|&key| key < place))
    }

    fn block(&self, ctx: &mut Context, start: usize, len: usize) -> Result<Vec<u64>> {
        let (key, size) = (self.keys.key, self.keys.key.dtype.size());
        let mut found = elements(key.dtype, len)?;
        let from = self.keys.input.behind(start * size);
        copy::copy(ctx, Output::new("a block of keys", &mut found), from, len * size)?;
        Ok(key.places(bytes_of(&found, len * size)?).collect())
    }
}

impl KeyKind {
    /// The places of keys, whose bytes lie behind one another.
    fn places(self, bytes: &[u8]) -> impl Iterator<Item = u64> {
        (0..bytes.len() / self.dtype.size()).map(move |index| self.place(bytes, index))
    }

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
        for (count, len) in [(1, 1), (7, 7), (100, 7), (100, 16), (64, 1)] {
            let keys: Vec<u32> = (0..count as u32).map(|i| i * i % 97 / 5).collect();
            let mut keys = keys;
            keys.sort_unstable();
            let input = Input::new("keys", &keys);
            let sample = (0..len).map(|i| u64::from(keys[start_of(i, len, count)])).collect();
            let keys_on = Sorted { input, count, key };
            let mut sampled = Sampled { keys: keys_on, sample, blocks: BTreeMap::new() };
            let mut ctx = Context::new(crate::platform::settings::Backend::Cpu, None).unwrap();
            for place in 0..25 {
                let want = keys.iter().filter(|&&key| u64::from(key) < place).count();
                let [low, high] = sampled.bounds(place);
                assert!(low <= want && want <= high, "{count} {len} {place}: {low} {want} {high}");
                assert_eq!(sampled.before(&mut ctx, place).unwrap(), want, "{count} {len} {place}");
            }
        }
    }
}
