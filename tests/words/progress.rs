//! A long run tells how many bytes are done, and may be cancelled.

use std::ffi::c_void;
use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::variant::Variant;

use super::oracle::*;
use crate::common::*;

struct Watch {
    told: Vec<(u64, u64)>,
    cancels_after: u64,
}

unsafe extern "C" fn watched(user: *mut c_void, done: u64, total: u64) -> i32 {
    // SAFETY: the watch of the test, on the thread that waits for it.
    let watch = unsafe { &mut *user.cast::<Watch>() };
    watch.told.push((done, total));
    i32::from(done >= watch.cancels_after)
}

/// What `call` answers while `watch` is told.
fn under<T>(ctx: &Context, watch: &mut Watch, call: impl FnOnce() -> T) -> T {
    // SAFETY: a callback of this signature, and a watch that outlives its use.
    ok(unsafe { gpumex_context_set_progress(ctx.handle, Some(watched), (&raw mut *watch).cast()) }, "watch");
    let answer = call();
    // SAFETY: nobody is told from here on.
    ok(unsafe { gpumex_context_set_progress(ctx.handle, None, null_mut()) }, "watch no more");
    answer
}

#[test]
fn a_watched_run_finds_the_same_words() {
    for (what, alphabet) in alphabets() {
        let text = random_text(41, &alphabet, 500_001);
        let want = expected(&text, KINDS[1], 100);
        for ctx in backends() {
            for variant in ctx.variants() {
                for place in [None, Some(MemoryKind::Device)] {
                    let mut from = Placed::holding(&ctx, place, &text);
                    let mut watch = Watch { told: Vec::new(), cancels_after: u64::MAX };
                    let got = under(&ctx, &mut watch, || {
                        found_at(&ctx, variant, KINDS[1], from.as_ptr(), text.len(), 100)
                    });
                    let what = format!("{what}, {:?}, {variant:?}, {place:?}, seed 41", ctx.backend);
                    assert!(got == want, "{what}: got {:?}, want {:?}", got.summary, want.summary);
                    assert!(
                        watch.told.windows(2).all(|pair| pair[0].0 < pair[1].0),
                        "{what}: {:?}",
                        watch.told
                    );
                    assert_eq!(watch.told.last(), Some(&(500_001, 500_001)), "{what}");
                }
            }
        }
    }
}

#[test]
fn a_run_is_cancelled_and_the_next_one_is_whole() {
    let text = random_text(42, &alphabets()[0].1, 2_000_000);
    let options = WordsOptions::default();
    for ctx in backends() {
        let mut watch = Watch { told: Vec::new(), cancels_after: 1000 };
        let (from, none) = (text.as_ptr().cast(), null_mut());
        let status = under(&ctx, &mut watch, || {
            // SAFETY: the bytes of the text, no elements.
            unsafe { gpumex_words(ctx.handle, &options, from, text.len(), 0, none, none, none, null_mut()) }
        });
        refused(status, Status::Cancelled, &["callback", "2000000"], "a cancelled run");
        let got = found_at(&ctx, Variant::Auto, KINDS[0], text.as_ptr(), text.len(), 10);
        assert!(got == expected(&text, KINDS[0], 10), "{:?}", ctx.backend);
    }
}
