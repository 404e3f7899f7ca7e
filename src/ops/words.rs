//! Histogram of the words of a text.
//!
//! Source: D. McIlroy, in J. Bentley, D. Knuth, "Programming Pearls: a literate program", 1986: the k most frequent words.
#![forbid(unsafe_code)]

use super::cost;
use crate::array::{Input, Memory, Output, View, all_apart};
use crate::context::{Context, Engine, Progress};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::model::variant::Variant;
use crate::model::words::{Rule, Tally};
pub use crate::model::words::{Summary, WordsEncoding};
use crate::vector::fill;

/// Options of [`words`]; the default counts words of UTF-8, capitals apart from small letters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub encoding: WordsEncoding,
    /// Words that differ in case alone are one.
    pub fold: bool,
}

/// Where the most frequent words go: k elements each.
pub struct List<'a> {
    /// The byte where a word first begins.
    pub positions: Output<'a>,
    /// Its bytes there.
    pub lengths: Output<'a>,
    /// How often it occurs.
    pub counts: Output<'a>,
}

/// list ← the k most frequent words of the text (len bytes); what it has, and how many are listed.
///
/// positions, lengths, counts (k) u64: byte and length of a word's first appearance, and how often it occurs, the larger count first,
/// of equal ones the word that appears first; 0 behind the last word. A word is a maximal run of letters and digits
/// (`char::is_alphanumeric`; of ASCII alone, as the encoding says) with apostrophes, U+0027 and U+2019, between two of them; a byte
/// that is in no well-formed sequence of UTF-8 separates. With `fold`, words are compared character by character after
/// `char::to_lowercase`, where that is one character, and U+2019 is U+0027.
/// Cost: reads the text once. Errors: INVALID_ARGUMENT (size, overlap), UNSUPPORTED, OUT_OF_MEMORY, CUDA, CANCELLED (by the
/// context's progress callback, which is told bytes).
pub fn words(
    ctx: &mut Context,
    options: &Options,
    text: Input,
    len: usize,
    k: usize,
    list: List,
) -> Result<(Summary, u64)> {
    ctx.begin();
    let text = text.view::<u8>(&[len])?;
    let mut columns = [list.positions, list.lengths, list.counts]
        .map(|column| column.view::<u64>(&[k]))
        .into_iter()
        .collect::<Result<Vec<_>>>()?;
    let lists: Vec<&dyn Memory> = columns.iter().map(|column| column as _).collect();
    let work = cost::WORDS.of_units(options.variant, all_apart(&lists, &[&text])?, len);
    ctx.run_long_auto(work, |engine, _, progress| {
        let (found, summary) = most_frequent(engine, progress, options, text, k)?;
        let numbers: [fn(&Tally) -> u64; 3] = [|word| word.position, |word| word.len, |word| word.count];
        for (column, number) in columns.iter_mut().zip(numbers) {
            match engine {
                Engine::Cpu(_) => {
                    let column = column.on_host()?;
                    fill(column, 0);
                    column.iter_mut().zip(&found).for_each(|(to, word)| *to = number(word));
                }
                Engine::Cuda(device) => gpu::words::deliver(device, column, found.iter().map(number))?,
            }
        }
        Ok((summary, found.len() as u64))
    })
}

/// All words of a text: what [`super::comm_words`] adds up.
pub(super) fn all(ctx: &mut Context, options: &Options, text: View<u8>) -> Result<(Vec<Tally>, Summary)> {
    ctx.begin();
    let most = text.len().div_ceil(2); // a word and a separator
    ctx.run_long(|engine, _, progress| most_frequent(engine, progress, options, text, most))
}

fn most_frequent(
    engine: &Engine,
    progress: &mut Progress,
    options: &Options,
    text: View<u8>,
    k: usize,
) -> Result<(Vec<Tally>, Summary)> {
    let rule = Rule { encoding: options.encoding, fold: options.fold };
    let total = text.len() as u64;
    match engine.select(options.variant)? {
        Engine::Cpu(workers) => {
            let text = text.on_host()?;
            let mut in_steps =
                |part: &mut dyn FnMut(u64) -> Result<()>| progress.in_steps(total, &mut || Ok(()), part);
            match options.variant {
                Variant::Sequential => cpu::words::sequential(workers, text, rule, k, &mut in_steps),
                Variant::Auto => cpu::words::words(workers, text, rule, k, &mut in_steps),
            }
        }
        Engine::Cuda(device) => {
            let mut in_steps = |part: &mut dyn FnMut(u64) -> Result<()>| {
                progress.in_steps(total, &mut || device.synchronize(), part)
            };
            gpu::words::words(device, text, rule, k, &mut in_steps)
        }
    }
}
