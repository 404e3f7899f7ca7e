//! Many words: tables that grow, ties without end, texts of several pieces.

use gpumex::model::variant::Variant;

use super::oracle::*;
use crate::common::*;

/// Words that all differ.
fn distinct(words: usize) -> Vec<u8> {
    (0..words).flat_map(|i| format!("w{:x} ", i * 2_654_435_761 % 0xFFFF_FFFB).into_bytes()).collect()
}

/// Words about as often as in a language: a few are half of them.
fn language(seed: u64, words: usize) -> Vec<u8> {
    let mut random = random(seed);
    let mut word = || {
        let rank = (1.0 / random.random_range(0.00001f64..1.0)) as u64;
        format!(
            "{}{}{}",
            ["", "The", "x"][rank as usize % 3],
            rank * rank % 1_000_003,
            [" ", ", ", ".\n"][rank as usize % 3]
        )
    };
    (0..words).flat_map(|_| word().into_bytes()).collect()
}

#[test]
fn words_that_all_differ_are_listed_in_their_order() {
    let words = size(700_000, 200_000);
    agreed_for_each(
        &[0, 100, words / 10, words + 9],
        &backends(),
        &distinct(words),
        &KINDS[1..2],
        "all differ",
    );
}

#[test]
fn one_word_and_many_of_them_are_counted() {
    let backends = backends();
    let (short, long) = (size(1_000_000, 300_000), size(200_000, 60_000));
    agreed(&backends, &b"the ".repeat(short), &KINDS, 3, "the");
    agreed(&backends, &b"internationalisation, ".repeat(long), &KINDS, 3, "a longer one");
    agreed(&backends, &"Übergrößenträger ".repeat(long).into_bytes(), &KINDS, 3, "one with umlauts");
    agreed(&backends, &vec![b'a'; size(30 << 20, 5 << 20)], &KINDS[1..3], 3, "a single word");
}

#[test]
fn a_language_is_counted() {
    let text = language(31, size(2_000_000, 400_000));
    agreed_for_each(&[10, 10_000], &backends(), &text, &KINDS, "seed 31");
}

/// Longer than a piece of the CUDA backend, with long words in several of them, and other words in each.
#[test]
fn a_text_of_several_pieces_is_counted_as_one() {
    let Some(ctx) = Context::cuda() else { return };
    let mut text = language(32, 3_000_000);
    text.extend(
        "a word of eighteenletters, Übergrößenträger übergrößenträger ".repeat(1_000_000).into_bytes(),
    );
    text.extend(distinct(3_000_000));
    while text.len() < 560 << 20 {
        text.extend_from_within(..100 << 20);
    }
    for kind in [KINDS[1], KINDS[0]] {
        let want = found_at(&Context::cpu(), Variant::Auto, kind, text.as_ptr(), text.len(), 10_000);
        let got = found_at(&ctx, Variant::Auto, kind, text.as_ptr(), text.len(), 10_000);
        assert!(got == want, "{kind:?}: got {:?}, want {:?}", got.summary, want.summary);
    }
}
