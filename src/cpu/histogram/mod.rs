//! Histogram on the CPU: counts(c, k) ← counts(c, k) + how many samples of channel c fall into bin k, or their weights.
//!
//! Algorithm  Up to 512 samples are counted one by one. Bytes are counted by value (bytes.rs), 16-bit numbers too where there are more
//!            of them than values, and the values then put into bins. Of other samples the bins are found a block at a time
//!            (places.rs), and counted by each core into a table of its own while tables are small; into four where they are
//!            small, so that equal samples do not wait for each other. Else, and with weights, in chunks: all cores compute the
//!            bins of samples and sort these by ranges of bins, and then each range is served by one core: a bin gets its samples in
//!            their order, whatever the number of cores. Of few cores one adds up all weights.
//! Cost       Reads the samples once. A core's table has at most 2²⁰ bytes, a chunk's bins and their order 1.5 MB.
#![forbid(unsafe_code)]

mod bytes;
#[cfg(target_arch = "x86_64")]
mod mixed;
mod pairs;
mod places;
#[cfg(target_arch = "x86_64")]
mod rows;

use super::Workers;
use super::collected;
use super::is_small_for_long_work;
use super::parallel::parallel_for::{parallel_for, try_parallel_for};
use super::run;
use super::zeros;
use crate::error::Result;
use crate::interrupt::{PIECE, in_pieces, poll};
use crate::model::histogram::{BYTE_VALUES, Bins};
use places::Places;

/// Samples of a chunk: whole pixels of every number of channels.
const CHUNK: usize = 12 << 13;
/// Samples of a chunk that a thread takes at once.
const PART: usize = 1 << 13;
/// So few samples are counted one by one: tables of their values would take longer to clear and to read.
const FEW: usize = 512;
/// Counters of a core's own table at most.
const OWN_TABLE: usize = 1 << 17;
/// Counters of a table at most of which a core has four.
const FOURFOLD_TABLE: usize = 1 << 12;
/// Pixels of a table at most: its counters have 32 bits.
const MOST_OF_TABLE: usize = u32::MAX as usize;
/// Samples whose bins are found at once: whole pixels of every number of channels.
const BLOCK: usize = 12 * 85;
/// So many cores take no less time to sort samples by ranges of bins than one takes to add weights in turn.
const FEW_CORES: usize = 4;
const NO_BIN: usize = usize::MAX;
/// Ranges of counters for each core: those of popular bins take longer.
const RANGES: usize = 4;

/// A number that falls into a bin.
pub trait Sample: Copy + Send + Sync + Into<f64> {
    /// The values of a type that has few; others have 0.
    const VALUES: usize = 0;
    /// Which of them this is.
    fn value(self) -> usize {
        0
    }
    /// How often each value occurs in each channel, for types of few values, where that is the faster way.
    fn count_values(_samples: &[Self], _channels: usize) -> Result<Option<Vec<u64>>> {
        Ok(None)
    }
}

impl Sample for u8 {
    const VALUES: usize = BYTE_VALUES;
    fn value(self) -> usize {
        self.into()
    }
    fn count_values(samples: &[u8], channels: usize) -> Result<Option<Vec<u64>>> {
        bytes::count(samples, channels).map(Some)
    }
}

impl Sample for u16 {
    const VALUES: usize = 1 << 16;
    fn value(self) -> usize {
        self.into()
    }
    fn count_values(samples: &[u16], channels: usize) -> Result<Option<Vec<u64>>> {
        if samples.len() < 2 * channels * Self::VALUES {
            return Ok(None);
        }
        let find = |samples: &[u16], to: &mut [u32]| {
            to.iter_mut().zip(samples).for_each(|(to, &sample)| *to = sample.into());
        };
        in_tables(samples, channels, Self::VALUES, find).map(Some)
    }
}

impl Sample for u32 {}
impl Sample for i32 {}
impl Sample for f32 {}
impl Sample for f64 {}

/// Adds to a counter of the caller's, which may hold any number: modulo 2^64, as on a device.
fn add(count: &mut u64, more: u64) {
    *count = count.wrapping_add(more);
}

/// Counts on all cores.
pub fn count<T: Sample>(
    workers: &Workers,
    samples: &[T],
    channels: usize,
    bins: &Bins<&[f64]>,
    counts: &mut [u64],
) -> Result<()> {
    run(workers, is_small_for_long_work(samples), || {
        if samples.len() <= FEW {
            one_by_one(samples, channels, bins, counts);
        } else if let Some(values) = T::count_values(samples, channels)? {
            put_values(&values, channels, bins, counts);
        } else if counts.len() <= OWN_TABLE.min(samples.len()) {
            let places = Places::of(bins);
            let find = |samples: &[T], to: &mut [u32]| places.find(samples, to);
            if is_small_for_long_work(samples) {
                add_table(&own_table(samples, channels, bins.count, find)?, channels, counts);
            } else {
                let own = in_tables(samples, channels, bins.count, find)?;
                counts.iter_mut().zip(own).for_each(|(count, more)| add(count, more));
            }
        } else if is_small_for_long_work(samples) {
            plain(samples, channels, bins, |at, _| add(&mut counts[at], 1));
        } else {
            in_order(samples, channels, bins, counts, |count, _| add(count, 1))?;
        }
        Ok(())
    })?
}

/// Adds weights, one a pixel, on all cores.
pub fn weigh<T: Sample, W: Sample>(
    workers: &Workers,
    samples: &[T],
    weights: &[W],
    channels: usize,
    bins: &Bins<&[f64]>,
    counts: &mut [f64],
) -> Result<()> {
    run(workers, is_small_for_long_work(samples), || {
        if !is_small_for_long_work(samples) && rayon::current_num_threads() > FEW_CORES {
            return in_order(samples, channels, bins, counts, |sum, i| *sum += weights[i / channels].into());
        }
        in_turn(samples, weights, channels, bins, counts);
        Ok(())
    })?
}

/// Adds weights, one after another.
fn in_turn<T: Sample, W: Sample>(
    samples: &[T],
    weights: &[W],
    channels: usize,
    bins: &Bins<&[f64]>,
    sums: &mut [f64],
) {
    let (places, mut found) = (Places::of(bins), [0; BLOCK]);
    for (samples, weights) in samples.chunks(BLOCK).zip(weights.chunks(BLOCK / channels)) {
        poll();
        let found = &mut found[..samples.len()];
        places.find(samples, found);
        for (pixel, &weight) in found.chunks_exact(channels).zip(weights) {
            for (first, &bin) in (0..).step_by(bins.count).zip(pixel) {
                if (bin as usize) < bins.count {
                    sums[first + bin as usize] += weight.into();
                }
            }
        }
    }
}

/// The plain loop.
pub fn sequential<T: Sample>(
    workers: &Workers,
    samples: &[T],
    channels: usize,
    bins: &Bins<&[f64]>,
    counts: &mut [u64],
) -> Result<()> {
    workers.run_sequential(|| one_by_one(samples, channels, bins, counts));
    Ok(())
}

fn one_by_one<T: Sample>(samples: &[T], channels: usize, bins: &Bins<&[f64]>, counts: &mut [u64]) {
    match (channels, bins.are_values(T::VALUES)) {
        (1, true) => in_pieces(samples.len(), |range| {
            samples[range].iter().for_each(|sample| add(&mut counts[sample.value()], 1));
        }),
        _ => plain(samples, channels, bins, |at, _| add(&mut counts[at], 1)),
    }
}

/// The plain loop with weights.
pub fn weigh_sequential<T: Sample, W: Sample>(
    workers: &Workers,
    samples: &[T],
    weights: &[W],
    channels: usize,
    bins: &Bins<&[f64]>,
    counts: &mut [f64],
) -> Result<()> {
    workers.run_sequential(|| {
        plain(samples, channels, bins, |at, i| counts[at] += weights[i / channels].into());
    });
    Ok(())
}

/// add (counter, sample) for each sample that has a bin, in their order.
fn plain<T: Sample>(samples: &[T], channels: usize, bins: &Bins<&[f64]>, mut add: impl FnMut(usize, usize)) {
    for (first, samples) in (0..).step_by(PIECE).zip(samples.chunks(PIECE * channels)) {
        poll();
        for (pixel, of_pixel) in (first..).zip(samples.chunks_exact(channels)) {
            for (channel, &x) in of_pixel.iter().enumerate() {
                if let Some(bin) = bins.of(x.into()) {
                    add(channel * bins.count + bin, pixel * channels + channel);
                }
            }
        }
    }
}

/// Values with their numbers into bins.
fn put_values(values: &[u64], channels: usize, bins: &Bins<&[f64]>, counts: &mut [u64]) {
    let per_channel = values.len() / channels;
    for (of_values, of_bins) in values.chunks(per_channel).zip(counts.chunks_mut(bins.count)) {
        for (value, &number) in of_values.iter().enumerate() {
            if let Some(bin) = bins.of(value as f64) {
                add(&mut of_bins[bin], number);
            }
        }
    }
}

/// The counts of (channels, count) bins: a table for each core, added up. `find` says the bin of each sample, or `count` where it has none.
fn in_tables<T: Sample>(
    samples: &[T],
    channels: usize,
    count: usize,
    find: impl Fn(&[T], &mut [u32]) + Sync,
) -> Result<Vec<u64>> {
    let pixels = (samples.len() / channels).div_ceil(rayon::current_num_threads());
    let parts = samples.chunks(pixels.clamp(1, MOST_OF_TABLE) * channels);
    let mut tables = collected(parts.clone().map(|_| Vec::new()))?;
    try_parallel_for(false, parts.zip(&mut tables), |_, (part, table)| {
        *table = own_table(part, channels, count, &find)?; // by the thread that uses it
        Ok(())
    })?;
    let mut total = zeros(channels * count)?;
    tables.iter().for_each(|table| add_table(table, channels, &mut total));
    Ok(total)
}

/// Counts by one thread: one table or four, for each channel a counter for each bin and one for samples without a bin.
fn own_table<T: Sample>(
    samples: &[T],
    channels: usize,
    count: usize,
    find: impl Fn(&[T], &mut [u32]),
) -> Result<Vec<u32>> {
    let stride = count + 1;
    let copies = if channels == 1 && count <= FOURFOLD_TABLE { 4 } else { 1 };
    let (mut own, mut found) = (zeros::<u32>(copies * channels * stride)?, [0; BLOCK]);
    for block in samples.chunks(BLOCK) {
        poll();
        let found = &mut found[..block.len()];
        find(block, found);
        match copies {
            4 => count_fourfold(found, &mut own),
            _ => found.chunks_exact(channels).for_each(|pixel| {
                let of_channels = own.chunks_exact_mut(stride).zip(pixel);
                of_channels.for_each(|(counts, &bin)| counts[bin as usize] += 1);
            }),
        }
    }
    Ok(own)
}

/// total (channels, count) ← total + the counts of a table.
fn add_table(own: &[u32], channels: usize, total: &mut [u64]) {
    let count = total.len() / channels;
    for (index, counts) in own.chunks_exact(count + 1).enumerate() {
        let of_channel = &mut total[index % channels * count..][..count];
        of_channel.iter_mut().zip(counts).for_each(|(sum, &more)| add(sum, more.into()));
    }
}

/// Counts into four tables in turn.
fn count_fourfold(found: &[u32], own: &mut [u32]) {
    let (first, others) = own.split_at_mut(own.len() / 2);
    let (a, b) = first.split_at_mut(first.len() / 2);
    let (c, d) = others.split_at_mut(others.len() / 2);
    let (quads, rest) = found.as_chunks::<4>();
    for &[p, q, r, s] in quads {
        a[p as usize] += 1;
        b[q as usize] += 1;
        c[r as usize] += 1;
        d[s as usize] += 1;
    }
    rest.iter().for_each(|&bin| a[bin as usize] += 1);
}

/// Where a sample of a chunk belongs: the counter in its range, and its number in the chunk.
type Entry = (u32, u32);

/// Ranges of counters, each a power of two.
#[derive(Clone, Copy)]
struct Ranges {
    shift: u32,
    count: usize,
}

impl Ranges {
    fn of(counters: usize) -> Ranges {
        let range = counters.div_ceil(RANGES * rayon::current_num_threads()).next_power_of_two();
        Ranges { shift: range.trailing_zeros(), count: counters.div_ceil(range) }
    }

    /// The range of a counter; the last one but its number is that of samples without a bin.
    fn of_counter(self, place: usize) -> usize {
        (place >> self.shift).min(self.count)
    }

    /// Sorts counters by their range, stably; ends\[r\] ← where range r ends.
    fn sort(self, places: &[usize], first: usize, entries: &mut [Entry], ends: &mut [usize]) {
        ends.fill(0);
        places.iter().for_each(|&place| ends[self.of_counter(place) + 1] += 1);
        for range in 1..ends.len() {
            ends[range] += ends[range - 1];
        }
        let mask = (1 << self.shift) - 1;
        for (i, &place) in (first..).zip(places) {
            let next = &mut ends[self.of_counter(place)];
            entries[*next] = ((place & mask) as u32, i as u32);
            *next += 1;
        }
    }
}

/// add (counter, sample) for each sample that has a bin, a counter's samples in their order: a range of counters has one core.
fn in_order<T: Sample, C: Send>(
    samples: &[T],
    channels: usize,
    bins: &Bins<&[f64]>,
    counts: &mut [C],
    add: impl Fn(&mut C, usize) + Sync,
) -> Result<()> {
    let ranges = Ranges::of(counts.len());
    let of_bins = Places::of(bins);
    let chunk = CHUNK.min(samples.len());
    let (mut places, mut entries) = (zeros::<usize>(chunk)?, collected((0..chunk).map(|_| (0, 0)))?);
    let stride = ranges.count + 2;
    let mut ends = zeros::<usize>(chunk.div_ceil(PART) * stride)?;
    for (chunk, samples) in samples.chunks(CHUNK).enumerate() {
        let parts = places.chunks_mut(PART).zip(entries.chunks_mut(PART)).zip(ends.chunks_mut(stride));
        parallel_for(
            false,
            parts.zip(samples.chunks(PART)),
            |part, (((places, entries), ends), samples)| {
                let places = &mut places[..samples.len()];
                let mut found = [0; BLOCK];
                for (block, (places, samples)) in
                    places.chunks_mut(BLOCK).zip(samples.chunks(BLOCK)).enumerate()
                {
                    let found = &mut found[..samples.len()];
                    of_bins.find(samples, found);
                    let first = part * PART + block * BLOCK;
                    for (i, (place, &bin)) in (first..).zip(places.iter_mut().zip(&*found)) {
                        let has_bin = (bin as usize) < bins.count;
                        *place = if has_bin { i % channels * bins.count + bin as usize } else { NO_BIN };
                    }
                }
                ranges.sort(places, part * PART, entries, ends);
            },
        )?;
        parallel_for(false, counts.chunks_mut(1 << ranges.shift), |range, own| {
            let parts = entries.chunks(PART).zip(ends.chunks(stride)).take(samples.len().div_ceil(PART));
            for (entries, ends) in parts {
                let begin = if range == 0 { 0 } else { ends[range - 1] };
                for &(counter, i) in &entries[begin..ends[range]] {
                    add(&mut own[counter as usize], chunk * CHUNK + i as usize);
                }
            }
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
