//! Words of a text that is cut anywhere.

use gpumex::ffi::*;

use super::group::*;
use crate::common::*;

struct Found {
    columns: [Vec<u64>; 3],
    summary: WordsSummary,
}

fn found(
    k: usize,
    count: impl FnOnce([*mut std::ffi::c_void; 3], *mut WordsSummary) -> i32,
    what: &str,
) -> Found {
    let mut columns = [vec![u64::POISON; k], vec![u64::POISON; k], vec![u64::POISON; k]];
    let mut summary = WordsSummary { size: size_of::<WordsSummary>(), ..Default::default() };
    let [positions, lengths, counts] = &mut columns;
    let addresses = [positions, lengths, counts].map(|column| column.as_mut_ptr().cast());
    ok(count(addresses, &mut summary), what);
    Found { columns, summary }
}

fn counts(group: &Group, text: &[u8], k: usize, encoding: i32, fold: i32) {
    let options = WordsOptions { encoding, fold, ..Default::default() };
    let one = Context::cpu();
    // SAFETY: the bytes of the text, k elements each.
    let count = |[positions, lengths, counts]: [_; 3], summary| unsafe {
        let text_at = text.as_ptr().cast();
        gpumex_words(one.handle, &options, text_at, text.len(), k, positions, lengths, counts, summary)
    };
    let want = found(k, count, "one rank");
    for seed in 0..4 {
        let cuts = cuts(seed, text.len(), group.comms.len());
        let what =
            format!("{} ranks with {cuts:?}, k {k}, encoding {encoding}, fold {fold}", group.comms.len());
        group.run(|rank| {
            let part = &text[cuts[rank.rank]..cuts[rank.rank + 1]];
            let mut placed = Placed::holding(rank.ctx, rank.kind(), part);
            // SAFETY: the bytes of the part, k elements each.
            let count = |[positions, lengths, counts]: [_; 3], summary| unsafe {
                let text_at = placed.as_ptr();
                gpumex_comm_words(
                    rank.comm,
                    &options,
                    text_at,
                    part.len(),
                    k,
                    positions,
                    lengths,
                    counts,
                    summary,
                )
            };
            let got = found(k, count, &what);
            assert_eq!(got.summary, want.summary, "{what}");
            assert_eq!(got.columns, want.columns, "{what}");
        });
    }
}

#[test]
fn words_of_a_text_that_is_cut_anywhere_are_those_of_the_whole() {
    let mut random = random(11);
    let words = [
        "the",
        "The",
        "don't",
        "\u{e9}t\u{e9}",
        "\u{c9}T\u{c9}",
        "l\u{2019}eau",
        "42",
        "a",
        "\u{df}",
        "x'",
        "\u{4e16}\u{754c}",
    ];
    let separators = [" ", "\n", ", ", "'", "\u{2014}", "\u{ff}", "--", ""];
    let text: String = (0..4000)
        .map(|_| {
            words[random.random_range(0..words.len())].to_string()
                + separators[random.random_range(0..separators.len())]
        })
        .collect();
    for_every_group(|group| {
        for (encoding, fold) in [(0, 0), (0, 1), (1, 1)] {
            counts(group, text.as_bytes(), 20, encoding, fold);
            counts(group, text.as_bytes(), 5000, encoding, fold);
        }
    });
}

#[test]
fn a_word_may_be_longer_than_a_part() {
    for_every_group(|group| {
        let long = "ab\u{e9}".repeat(500);
        for text in [
            String::new(),
            long.clone(),
            format!("{long} x {long}"),
            format!(" {long}"),
            format!("{long}\n"),
            "\n\n\n".into(),
        ] {
            counts(group, text.as_bytes(), 3, 0, 0);
        }
        counts(group, &random_bytes(8, 3001), 50, 0, 1);
    });
}
