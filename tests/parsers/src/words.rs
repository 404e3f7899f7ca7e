//! Words of any bytes: counted by a map of strings, and by the library's two variants.

use std::collections::HashMap;

use gpumex_core::ffi::*;
use gpumex_core::model::variant::Variant;

use crate::call::{OK, answer, context};
use crate::memory::within;

/// Position, length and count of a word.
type Word = [u64; 3];

pub fn words(data: &[u8]) {
    let Some((&first, text)) = data.split_first() else { return };
    let (is_ascii, fold, k) = (first & 1 == 1, first & 2 == 2, usize::from(first >> 2));
    let (all, total) = plainly(text, is_ascii, fold);
    for variant in [Variant::Auto, Variant::Sequential] {
        let (got, summary) = counted(text, variant, is_ascii, fold, k);
        let listed = all.len().min(k);
        assert_eq!(
            [summary.words, summary.distinct, summary.listed],
            [total, all.len() as u64, listed as u64]
        );
        assert_eq!(got[..listed], all[..listed], "{variant:?}");
        assert!(got[listed..].iter().all(|word| *word == [0; 3]), "zeros behind the last word");
    }
}

fn counted(text: &[u8], variant: Variant, is_ascii: bool, fold: bool, k: usize) -> (Vec<Word>, WordsSummary) {
    let options = WordsOptions {
        variant: variant as i32,
        encoding: i32::from(is_ascii),
        fold: i32::from(fold),
        ..WordsOptions::default()
    };
    let mut summary = WordsSummary { size: size_of::<WordsSummary>(), ..WordsSummary::default() };
    let mut columns = [vec![u64::MAX; k], vec![u64::MAX; k], vec![u64::MAX; k]];
    let [positions, lengths, counts] = columns.each_mut().map(|column| column.as_mut_ptr().cast());
    let (ctx, from) = (context(), text.as_ptr().cast());
    // SAFETY: the bytes of a slice, k elements each, a struct with its size.
    let status = within((64 << 10) + 512 * text.len(), || unsafe {
        gpumex_words(ctx, &options, from, text.len(), k, positions, lengths, counts, &raw mut summary)
    });
    let answer = answer(status);
    assert_eq!(answer.0, OK, "{answer:?}");
    ((0..k).map(|i| std::array::from_fn(|column| columns[column][i])).collect(), summary)
}

/// All different words in order, and how many words there are.
fn plainly(text: &[u8], is_ascii: bool, fold: bool) -> (Vec<Word>, u64) {
    // Characters with the byte where each begins; what is none separates.
    let mut characters: Vec<(usize, char)> = Vec::new();
    let mut at = 0;
    for chunk in text.utf8_chunks() {
        characters.extend(chunk.valid().char_indices().map(|(i, character)| (at + i, character)));
        at += chunk.valid().len();
        characters.extend((!chunk.invalid().is_empty()).then_some((at, ' ')));
        at += chunk.invalid().len();
    }
    let is_letter = |c: char| if is_ascii { c.is_ascii_alphanumeric() } else { c.is_alphanumeric() };
    let is_apostrophe = |c: char| c == '\'' || (c == '\u{2019}' && !is_ascii);
    let belongs = |i: usize| {
        let of = |i: Option<usize>| i.and_then(|i| characters.get(i)).is_some_and(|&(_, c)| is_letter(c));
        is_letter(characters[i].1)
            || (is_apostrophe(characters[i].1) && of(i.checked_sub(1)) && of(Some(i + 1)))
    };
    let mut known: HashMap<String, Word> = HashMap::new();
    let (mut total, mut i) = (0, 0);
    while i < characters.len() {
        let start = i;
        while i < characters.len() && belongs(i) {
            i += 1;
        }
        if i > start {
            let spelling =
                characters[start..i].iter().map(|&(_, c)| if fold { folded(c) } else { c }).collect();
            let [begin, end] = [start, i].map(|i| characters.get(i).map_or(text.len(), |&(at, _)| at) as u64);
            known.entry(spelling).or_insert([begin, end - begin, 0])[2] += 1;
            total += 1;
        }
        i += 1;
    }
    let mut all: Vec<Word> = known.into_values().collect();
    all.sort_by_key(|&[position, _, count]| (std::cmp::Reverse(count), position));
    (all, total)
}

fn folded(character: char) -> char {
    let lower: Vec<char> = character.to_lowercase().collect();
    match lower[..] {
        _ if character == '\u{2019}' => '\'',
        [one] => one,
        _ => character,
    }
}
