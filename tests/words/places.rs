//! Texts and lists in every kind of memory.

use std::ptr::null_mut;

use gpumex::ffi::*;
use gpumex::model::variant::Variant;

use super::oracle::*;
use crate::common::*;

#[test]
fn text_and_list_lie_anywhere() {
    let text = random_text(21, &alphabets()[2].1, 50_001);
    for ctx in backends() {
        for kind in KINDS {
            let want = expected(&text, kind, 50);
            for text_at in EVERYWHERE {
                for list_at in EVERYWHERE {
                    let mut from = Placed::holding(&ctx, text_at, &text);
                    let [mut positions, mut lengths, mut counts] =
                        [0, 1, 2].map(|_| Placed::<u64>::new(&ctx, list_at, 50));
                    let options = WordsOptions {
                        encoding: kind.encoding as i32,
                        fold: kind.fold.into(),
                        ..WordsOptions::default()
                    };
                    let [a, b, c] = [&mut positions, &mut lengths, &mut counts].map(|list| list.as_mut_ptr());
                    // SAFETY: the bytes of the text, 50 elements each.
                    let status = unsafe {
                        gpumex_words(ctx.handle, &options, from.as_ptr(), text.len(), 50, a, b, c, null_mut())
                    };
                    let what = format!("{kind:?}, text {text_at:?}, list {list_at:?}, {:?}", ctx.backend);
                    ok(status, &what);
                    assert_same(&positions.written(), &want.positions, format!("{what}: positions"));
                    assert_same(&lengths.written(), &want.lengths, format!("{what}: lengths"));
                    assert_same(&counts.written(), &want.counts, format!("{what}: counts"));
                }
            }
        }
    }
}

#[test]
fn long_words_on_the_device_are_counted() {
    let long = |letter: &str, len: usize| letter.repeat(len);
    let words = [
        long("a", 5000),
        long("é", 4097),
        long("a", 70_000),
        long("A", 5000),
        long("b", 3_000_000),
        long("É", 4097),
    ];
    let text: Vec<u8> = (0..20).flat_map(|i| format!("{} it's ", words[i * 7 % 6]).into_bytes()).collect();
    for ctx in backends() {
        for kind in KINDS {
            let want = expected(&text, kind, 8);
            for place in EVERYWHERE {
                let mut from = Placed::holding(&ctx, place, &text);
                let got = found_at(&ctx, Variant::Auto, kind, from.as_ptr(), text.len(), 8);
                assert!(got == want, "{kind:?}, {place:?}, {:?}: got {got:?}, want {want:?}", ctx.backend);
            }
        }
    }
}
