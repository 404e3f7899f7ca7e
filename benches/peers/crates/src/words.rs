//! Word counts: a hash table a thread over words between white space, as a careful program has it.

use hashbrown::HashMap;
use rayon::prelude::*;

use crate::english::english_like;
use crate::library::{Library, WordsOptions, WordsSummary};
use crate::{row, seconds};

const BYTES: usize = 64 << 20;
const MOST: usize = 20;

pub fn table(library: &Library) {
    println!("\nwords, GB/s");
    let text = english_like(BYTES);
    let (mut ours, mut theirs) = ([0; MOST], [0; MOST]);
    let options = WordsOptions { size: size_of::<WordsOptions>(), ..WordsOptions::default() };
    let words = || {
        let (mut positions, mut lengths) = ([0; MOST], [0; MOST]);
        let mut summary = WordsSummary { size: size_of::<WordsSummary>(), ..WordsSummary::default() };
        let [at, lens, counts] = [&mut positions, &mut lengths, &mut ours].map(|array| array.as_mut_ptr());
        // SAFETY: text.len() bytes, MOST elements each.
        library.check(unsafe {
            (library.words)(
                library.ctx,
                &options,
                text.as_ptr(),
                text.len(),
                MOST,
                at,
                lens,
                counts,
                &mut summary,
            )
        });
    };
    let mut words = words;
    row(
        "English-like, 64 MiB",
        BYTES as f64 / 1e9,
        vec![
            ("gpumex", Box::new(|| seconds(&mut words))),
            ("hashbrown, foldhash", Box::new(|| seconds(|| theirs = count(&text)))),
        ],
    );
    assert_eq!(ours, theirs);
}

type Counts<'a> = HashMap<&'a [u8], u64, foldhash::fast::FixedState>;

/// How often the most frequent words come.
fn count(text: &[u8]) -> [u64; MOST] {
    let threads = rayon::current_num_threads();
    let mut cuts: Vec<usize> = (0..=threads).map(|part| text.len() * part / threads).collect();
    for cut in &mut cuts[1..threads] {
        *cut += text[*cut..].iter().position(u8::is_ascii_whitespace).unwrap_or(0);
    }
    let tables: Vec<Counts> = cuts
        .par_windows(2)
        .map(|cuts| {
            let mut counts = Counts::default();
            for word in text[cuts[0]..cuts[1]].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
            {
                *counts.entry(word).or_insert(0) += 1;
            }
            counts
        })
        .collect();
    let all = tables.into_iter().reduce(|mut all, table| {
        table.into_iter().for_each(|(word, count)| *all.entry(word).or_insert(0) += count);
        all
    });
    let mut counts: Vec<u64> = all.expect("a thread").into_values().collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    counts[..MOST].try_into().expect("more words")
}
