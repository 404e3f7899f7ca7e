//! What a word is, which words are one, and their order.

use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::model::variant::Variant;
use gpumex::ops::words::WordsEncoding;

use super::oracle::*;
use crate::common::*;

/// The words as they are written, with their counts.
fn listed(ctx: &Context, variant: Variant, kind: Reading, text: &str) -> Vec<(String, u64)> {
    let found = found_at(ctx, variant, kind, text.as_ptr(), text.len(), 100);
    let words = found.positions.iter().zip(&found.lengths).zip(&found.counts).take(found.summary[2] as usize);
    words.map(|((&at, &len), &count)| (text[at as usize..][..len as usize].to_string(), count)).collect()
}

#[track_caller]
fn are(kind: Reading, text: &str, want: &[(&str, u64)]) {
    let want: Vec<_> = want.iter().map(|&(word, count)| (word.to_string(), count)).collect();
    for ctx in backends() {
        for variant in ctx.variants() {
            let got = listed(&ctx, variant, kind, text);
            assert_same(&got, &want, format!("{text:?}, {kind:?}, {:?}, {variant:?}", ctx.backend));
        }
    }
}

const UTF8: Reading = KINDS[0];
const FOLDED: Reading = KINDS[1];

#[test]
fn the_larger_count_comes_first_and_of_equal_ones_the_first_word() {
    are(UTF8, "to be or not to be, that", &[("to", 2), ("be", 2), ("or", 1), ("not", 1), ("that", 1)]);
}

#[test]
fn apostrophes_join_letters_and_quote_words() {
    are(
        UTF8,
        "'it' rock'n'roll don''t '' o'",
        &[("it", 1), ("rock'n'roll", 1), ("don", 1), ("t", 1), ("o", 1)],
    );
    are(UTF8, "don\u{2019}t don't", &[("don\u{2019}t", 1), ("don't", 1)]);
    are(FOLDED, "don\u{2019}t don't DON'T", &[("don\u{2019}t", 3)]);
}

#[test]
fn folded_words_are_listed_as_they_appear_first() {
    are(
        FOLDED,
        "The THE the Straße STRASSE Ελλάς ΕΛΛΆΣ",
        &[("The", 3), ("Straße", 1), ("STRASSE", 1), ("Ελλάς", 1), ("ΕΛΛΆΣ", 1)],
    );
    are(FOLDED, "\u{212A}elvin kelvin KELVIN", &[("\u{212A}elvin", 3)]);
    are(FOLDED, "İ i I", &[("i", 2), ("İ", 1)].map(|word| word));
}

#[test]
fn bytes_that_are_no_ascii_separate_its_words() {
    let kind = Reading { encoding: WordsEncoding::Ascii, fold: false };
    are(kind, "naïve café 2024", &[("na", 1), ("ve", 1), ("caf", 1), ("2024", 1)]);
    are(UTF8, "naïve café 2024", &[("naïve", 1), ("café", 1), ("2024", 1)]);
}

#[test]
fn every_character_is_what_rust_says() {
    let mut text = String::new();
    for character in '\0'..=char::MAX {
        text.extend(['x', character, 'y', ' ']);
    }
    agreed(&backends(), text.as_bytes(), &KINDS, 2000, "x and y around every character");
}

#[test]
fn fewer_words_than_asked_for_leave_zeros_and_none_may_be_asked_for() {
    for ctx in backends() {
        let found = found_at(&ctx, Variant::Auto, UTF8, b"a b a".as_ptr(), 5, 4);
        assert_eq!(found.counts, [2, 1, 0, 0]);
        assert_eq!((found.positions, found.lengths), (vec![0, 2, 0, 0], vec![1, 1, 0, 0]));
        assert_eq!(found.summary, [3, 2, 2]);
        let mut summary = WordsSummary { size: size_of::<WordsSummary>(), ..WordsSummary::default() };
        let (none, text) = (null_mut(), c"a b a".as_ptr().cast());
        // SAFETY: five bytes, no elements, a struct with its size.
        ok(unsafe { gpumex_words(ctx.handle, null(), text, 5, 0, none, none, none, &mut summary) }, "k = 0");
        assert_eq!([summary.words, summary.distinct, summary.listed], [3, 2, 0]);
        // SAFETY: no bytes, no elements, no struct.
        ok(
            unsafe { gpumex_words(ctx.handle, null(), null(), 0, 0, none, none, none, null_mut()) },
            "no text",
        );
    }
}

#[test]
fn what_is_not_served_is_refused() {
    for ctx in backends() {
        let call = |options: WordsOptions, k: usize, counts: *mut u64| {
            let mut others = [0u64; 8];
            let (at, lengths) = (others.as_mut_ptr(), others.as_mut_ptr().wrapping_add(4));
            let text = c"a b".as_ptr().cast();
            // SAFETY: three bytes, up to four elements each or NULL.
            unsafe {
                gpumex_words(
                    ctx.handle,
                    &options,
                    text,
                    3,
                    k,
                    at.cast(),
                    lengths.cast(),
                    counts.cast(),
                    null_mut(),
                )
            }
        };
        let options = WordsOptions::default();
        refused(call(options, 4, null_mut()), Status::NullPointer, &["counts is NULL", "4"], "NULL");
        let refuse = |options, words: &[&str]| {
            let status = call(options, 4, [0u64; 4].as_mut_ptr());
            refused(status, Status::InvalidArgument, words, "options");
        };
        refuse(WordsOptions { fold: 2, ..options }, &["fold is 2"]);
        refuse(
            WordsOptions { encoding: first_unknown::<WordsEncoding>(), ..options },
            &["options.encoding is ", "; a gpumex_words_encoding"],
        );
        refuse(WordsOptions { variant: -1, ..options }, &["options.variant is -1; a gpumex_variant"]);
        let reserved = call(WordsOptions { reserved: 1, ..options }, 4, [0u64; 4].as_mut_ptr());
        refused(reserved, Status::Unsupported, &["reserved is 1"], "reserved");
        let mut both = [0u64; 8];
        let at = both.as_mut_ptr().cast();
        // SAFETY: arrays that overlap are refused before they are used.
        let status = unsafe { gpumex_words(ctx.handle, &options, at, 64, 4, at, at, at, null_mut()) };
        refused(status, Status::InvalidArgument, &["positions overlaps text"], "overlap");
    }
}
