//! The words of a text, by the characters that the standard library sees in it; and calls of the library that are compared with it.

use std::collections::HashMap;

use gpumex::ffi::{WordsOptions, WordsSummary, gpumex_words};
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::variant::Variant;
use gpumex::ops::words::WordsEncoding;

use crate::common::*;

/// What a text is, and which words are one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    pub encoding: WordsEncoding,
    pub fold: bool,
}

pub const KINDS: [Reading; 4] = [
    Reading { encoding: WordsEncoding::Utf8, fold: false },
    Reading { encoding: WordsEncoding::Utf8, fold: true },
    Reading { encoding: WordsEncoding::Ascii, fold: false },
    Reading { encoding: WordsEncoding::Ascii, fold: true },
];

/// The three arrays, and words, distinct, listed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    pub positions: Vec<u64>,
    pub lengths: Vec<u64>,
    pub counts: Vec<u64>,
    pub summary: [u64; 3],
}

/// Each character with its place; what is none is a blank.
fn characters(text: &[u8], encoding: WordsEncoding) -> Vec<(usize, char)> {
    if encoding == WordsEncoding::Ascii {
        return text
            .iter()
            .map(|&byte| if byte < 128 { char::from(byte) } else { ' ' })
            .enumerate()
            .collect();
    }
    let (mut all, mut at) = (Vec::new(), 0);
    for chunk in text.utf8_chunks() {
        all.extend(chunk.valid().char_indices().map(|(i, character)| (at + i, character)));
        at += chunk.valid().len();
        all.extend((0..chunk.invalid().len()).map(|i| (at + i, ' ')));
        at += chunk.invalid().len();
    }
    all
}

fn compared(character: char, fold: bool) -> char {
    match character {
        '\u{2019}' if fold => '\'',
        _ if fold && character.to_lowercase().count() == 1 => {
            character.to_lowercase().next().unwrap_or(character)
        }
        _ => character,
    }
}

pub fn expected(text: &[u8], kind: Reading, k: usize) -> Found {
    listed(&counted(text, kind), k)
}

/// Position, length and count of every word, in the order of the list.
fn counted(text: &[u8], kind: Reading) -> Vec<[u64; 3]> {
    let all = characters(text, kind.encoding);
    let is_letter = |i: usize| all.get(i).is_some_and(|(_, character)| character.is_alphanumeric());
    let is_joint =
        |i: usize| i > 0 && matches!(all[i].1, '\'' | '\u{2019}') && is_letter(i - 1) && is_letter(i + 1);
    let mut known: HashMap<String, [u64; 3]> = HashMap::new();
    let mut i = 0;
    while i < all.len() {
        let start = i;
        let mut word = String::new();
        while i < all.len() && (is_letter(i) || is_joint(i)) {
            word.push(compared(all[i].1, kind.fold));
            i += 1;
        }
        if word.is_empty() {
            i += 1;
            continue;
        }
        let end = all.get(i).map_or(text.len(), |(at, _)| *at);
        let (position, len) = (all[start].0 as u64, (end - all[start].0) as u64);
        known.entry(word).or_insert([position, len, 0])[2] += 1;
    }
    let mut list: Vec<[u64; 3]> = known.into_values().collect();
    list.sort_by(|a, b| b[2].cmp(&a[2]).then(a[0].cmp(&b[0])));
    list
}

/// The first k words of all, and zeros behind them.
fn listed(all: &[[u64; 3]], k: usize) -> Found {
    let column = |column: usize| {
        let known = all.iter().map(|word| word[column]);
        known.chain(std::iter::repeat(0)).take(k).collect()
    };
    let words = all.iter().map(|word| word[2]).sum();
    let summary = [words, all.len() as u64, all.len().min(k) as u64];
    Found { positions: column(0), lengths: column(1), counts: column(2), summary }
}

/// What the library finds in a text that lies anywhere.
#[track_caller]
pub fn found_at(
    ctx: &Context,
    variant: Variant,
    kind: Reading,
    text: *const u8,
    len: usize,
    k: usize,
) -> Found {
    let what = format!("gpumex_words on {:?}, {variant:?}, {kind:?}, {len} bytes, k {k}", ctx.backend);
    let mut arrays = [0, 1, 2].map(|_| Output::<u64>::new(k));
    let mut summary = WordsSummary { size: size_of::<WordsSummary>(), ..WordsSummary::default() };
    let options = WordsOptions {
        variant: variant as i32,
        encoding: kind.encoding as i32,
        fold: kind.fold.into(),
        ..WordsOptions::default()
    };
    let [positions, lengths, counts] = arrays.each_mut().map(|array| array.as_mut_ptr().cast());
    // SAFETY: len bytes, k elements each, a struct with its size.
    let status = unsafe {
        gpumex_words(ctx.handle, &options, text.cast(), len, k, positions, lengths, counts, &mut summary)
    };
    ok(status, &what);
    let [positions, lengths, counts] = arrays.map(|array| array.written(&what));
    Found { positions, lengths, counts, summary: [summary.words, summary.distinct, summary.listed] }
}

/// Every variant finds in `text` what the oracle finds.
#[track_caller]
pub fn agreed(backends: &[Context], text: &[u8], kinds: &[Reading], k: usize, what: &str) {
    agreed_for_each(&[k], backends, text, kinds, what);
}

/// As `agreed`, for lists of several lengths.
#[track_caller]
pub fn agreed_for_each(ks: &[usize], backends: &[Context], text: &[u8], kinds: &[Reading], what: &str) {
    for &kind in kinds {
        let all = counted(text, kind);
        for (ctx, &k) in backends.iter().flat_map(|ctx| ks.iter().map(move |k| (ctx, k))) {
            let want = listed(&all, k);
            for variant in ctx.variants::<Variant>() {
                let got = found_at(ctx, variant, kind, text.as_ptr(), text.len(), k);
                if got == want {
                    continue;
                }
                let what =
                    format!("{what}, {} bytes, {kind:?}, k {k}, {:?}, {variant:?}", text.len(), ctx.backend);
                assert_same(&got.summary, &want.summary, format!("{what}: words, distinct, listed"));
                assert_same(&got.counts, &want.counts, format!("{what}: counts"));
                assert_same(&got.positions, &want.positions, format!("{what}: positions"));
                assert_same(&got.lengths, &want.lengths, format!("{what}: lengths"));
            }
        }
    }
    assert_eq!(Variant::ALL.len(), 2);
}

/// `len` bytes of random pieces of an alphabet, the last one maybe cut in two.
pub fn random_text(seed: u64, alphabet: &[&[u8]], len: usize) -> Vec<u8> {
    let mut random = random(seed);
    let mut text = Vec::with_capacity(len + 8);
    while text.len() < len {
        text.extend_from_slice(alphabet[random.random_range(0..alphabet.len())]);
    }
    text.truncate(len);
    text
}

/// Alphabets by what they try.
pub fn alphabets() -> Vec<(&'static str, Vec<&'static [u8]>)> {
    let of = |text: &[&'static str]| text.iter().map(|piece| piece.as_bytes()).collect::<Vec<_>>();
    let mut broken = of(&["a", "é", "中", "𐐀", " "]);
    let halves: [&'static [u8]; 10] = [
        b"\xC3",
        b"\xE2\x80",
        b"\x99",
        b"\xF0",
        b"\x90",
        b"\xED\xA0\x80",
        b"\xC0\xAF",
        b"\xF4\x90\x80\x80",
        b"\xFF",
        b"\xE0\x80\x80",
    ];
    broken.extend(halves);
    vec![
        ("letters", of(&["a", "b", " "])),
        ("apostrophes", of(&["a", "A", "'", "'", "\u{2019}", " ", "."])),
        (
            "capitals of other lengths",
            of(&["k", "K", "\u{212A}", "å", "Å", "\u{212B}", "Ⱥ", "ⱥ", "ẞ", "ß", "İ", "i", "'", " "]),
        ),
        (
            "many scripts",
            of(&["ж", "Ж", "σ", "ς", "Σ", "中", "𐐀", "𐐨", "٣", "Ⅷ", "。", "\u{301}", "é", "\u{2019}", " "]),
        ),
        ("broken sequences", broken),
        ("long words", of(&["a", "a", "a", "a", "a", "a", "a", "a", "a", "B", "b", "é", "-"])),
        ("one letter", of(&["x"])),
        ("no words", of(&[" ", "'", "\u{2019}", "-"])),
    ]
}
