//! The words of a text on the CPU.
//!
//! Algorithm  Chunks cut between words, in parallel; each worker counts into a table of its own, and the tables are added up.
//! Cost       Reads the text once; a hash and a look into a table a word, and a comparison of words of 16 bytes and more.
#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Workers;
use super::collected;
use super::parallel::parallel_for::try_parallel_for;
use super::reserved;
use crate::error::{Error, Result};
use crate::interrupt::{Polls, poll_at};
use crate::model::words::{Counter, Rule, Summary, Tally, cut, last_cut, most_frequent, next_word};
use crate::vector::try_collected;

const CHUNK: usize = 1 << 20;

/// Runs a part of so many bytes after the other, all of them together the text.
pub type InSteps<'a> = &'a mut dyn FnMut(&mut dyn FnMut(u64) -> Result<()>) -> Result<()>;

/// The k most frequent words of the text.
pub fn words(
    workers: &Workers,
    text: &[u8],
    rule: Rule,
    k: usize,
    in_steps: InSteps,
) -> Result<(Vec<Tally>, Summary)> {
    let threads = if text.len() <= CHUNK { 1 } else { workers.run(rayon::current_num_threads)? };
    let mut counters = try_collected((0..threads).map(|_| Counter::new(text, rule)))?;
    let (mut done, mut wanted) = (0, 0);
    in_steps(&mut |part| {
        wanted += part as usize;
        if wanted > done {
            let end = cut(text, done, wanted);
            count(workers, text, &mut counters, done, end)?;
            done = end;
        }
        Ok(())
    })?;
    workers.run_sequential(|| {
        let mut total = counters.pop().map_or_else(|| Counter::new(text, rule), Ok)?;
        counters.iter().try_for_each(|counter| total.merge(counter))?;
        let summary = Summary { words: total.words(), distinct: total.distinct() };
        Ok((most_frequent(if k > 0 { total.tallies()? } else { Vec::new() }, k), summary))
    })
}

/// Counts the words between two cuts.
fn count(workers: &Workers, text: &[u8], counters: &mut [Counter], begin: usize, end: usize) -> Result<()> {
    if let ([counter], _) | ([counter, ..], true) = (&mut *counters, end - begin <= CHUNK) {
        return workers.run_sequential(|| counter.add_all(begin, end));
    }
    // A chunk's words begin from the last cut before it on, as far as the next chunk's that has one.
    let border = |chunk: usize| match chunk {
        0 => Some(begin),
        _ => last_cut(text, begin + (chunk - 1) * CHUNK, begin + chunk * CHUNK),
    };
    let (chunks, next) = ((end - begin).div_ceil(CHUNK), AtomicUsize::new(0));
    workers.run(|| {
        try_parallel_for(false, counters.iter_mut(), |_, counter| {
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= chunks {
                    return Ok(());
                }
                poll_at(begin + chunk * CHUNK, text.len());
                if let Some(from) = border(chunk) {
                    let to = (chunk + 1..chunks).find_map(border).unwrap_or(end);
                    counter.add_all(from, to)?;
                }
            }
        })
    })?
}

/// The plain loop: words one after the other, a map of their spellings.
pub fn sequential(
    workers: &Workers,
    text: &[u8],
    rule: Rule,
    k: usize,
    in_steps: InSteps,
) -> Result<(Vec<Tally>, Summary)> {
    let mut known: HashMap<Vec<char>, Tally> = HashMap::new();
    let (mut at, mut wanted, mut words, mut polls) = (0, 0, 0, Polls::new());
    in_steps(&mut |part| {
        wanted += part as usize;
        workers.run_sequential(|| {
            while at < wanted {
                polls.step();
                let Some(word) = next_word(text, at, rule) else {
                    at = text.len(); // there are no more
                    return Ok(());
                };
                let new = Tally { position: word.start as u64, len: word.len() as u64, count: 0 };
                let mut spelling = reserved(word.len())?; // a character has a byte, or more
                spelling.extend(rule.spelling(&text[word.clone()]));
                let bytes = known.len() * size_of::<(Vec<char>, Tally)>();
                known.try_reserve(1).map_err(|_| Error::out_of_memory("host memory", bytes))?;
                known.entry(spelling).or_insert(new).count += 1;
                at = word.end;
                words += 1;
            }
            Ok(())
        })
    })?;
    let distinct = known.len() as u64;
    Ok((most_frequent(collected(known.into_values())?, k), Summary { words, distinct }))
}
