//! Texts of every size around those of windows, chunks and pieces.

use super::oracle::*;
use crate::common::*;

#[test]
fn every_short_text_is_counted() {
    let backends = backends();
    for (what, alphabet) in alphabets() {
        for len in 0..80 {
            let text = random_text(len as u64, &alphabet, len);
            agreed(&backends, &text, &KINDS, 5, &format!("{what}, seed {len}"));
        }
    }
}

#[test]
fn texts_about_as_long_as_windows_are_counted() {
    let backends = backends();
    for (what, alphabet) in alphabets() {
        for len in
            [255, 256, 257, 959, 960, 961, 991, 992, 993, 1023, 1024, 1025, 4096, 30_719, 30_721, 100_003]
        {
            let text = random_text(7, &alphabet, len);
            agreed(&backends, &text, &KINDS, 40, &format!("{what}, seed 7"));
        }
    }
}

#[test]
fn a_mebibyte_and_its_neighbours_are_counted() {
    let backends = backends();
    for (what, alphabet) in alphabets() {
        for len in [(1 << 20) - 1, 1 << 20, (1 << 20) + 1, (3 << 20) + 5] {
            agreed(
                &backends,
                &random_text(8, &alphabet, len),
                &KINDS[1..2],
                1000,
                &format!("{what}, seed 8"),
            );
        }
    }
}

#[test]
fn texts_at_odd_addresses_are_counted() {
    let backends = backends();
    let memory = random_text(9, &alphabets()[3].1, 70_000);
    for offset in 0..33 {
        agreed(&backends, &memory[offset..offset + 5000], &KINDS, 30, &format!("{offset} bytes on, seed 9"));
    }
}

#[test]
fn words_of_every_length_are_counted() {
    let backends = backends();
    for len in
        [1, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 63, 65, 900, 1000, 1016, 1024, 4095, 4096, 4097, 20_000]
    {
        for (letter, other) in [("a", "b"), ("å", "\u{212B}"), ("k", "\u{212A}")] {
            let word = letter.repeat(len);
            let mixed = [&letter.repeat(len - 1), other].concat();
            let text = format!("{word} {mixed} {mixed}. {word}b {word}\u{2019}s {word} {mixed}");
            for from in 0..3 {
                let text = [" ".repeat(from), text.clone()].concat();
                agreed(
                    &backends,
                    text.as_bytes(),
                    &KINDS,
                    9,
                    &format!("words of {len} {letter}, from {from}"),
                );
            }
        }
    }
}
