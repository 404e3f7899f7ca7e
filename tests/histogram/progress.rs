//! A context's progress callback: it is told how many bytes are counted, and may cancel.

use std::ffi::c_void;
use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::ops::histogram::HistogramVariant;

use super::oracle::*;
use crate::common::*;

struct Watch {
    told: Vec<(u64, u64)>,
    answer: i32,
}

unsafe extern "C" fn watched(user: *mut c_void, done: u64, total: u64) -> i32 {
    // SAFETY: the watch that was handed over, on the thread that waits for the call.
    let watch = unsafe { &mut *user.cast::<Watch>() };
    watch.told.push((done, total));
    watch.answer
}

/// Status and counts of a watched call, and what the watch saw.
fn count_watched<T: Sample>(
    ctx: &Context,
    question: &Question,
    samples: &[T],
    answer: i32,
) -> (i32, Vec<u64>, Vec<(u64, u64)>) {
    let mut watch = Watch { told: Vec::new(), answer };
    let mut counts = Output::<u64>::new(question.counters());
    let options = question.options::<T>(HistogramVariant::Auto);
    let (from, to, bins) = (samples.as_ptr().cast(), counts.as_mut_ptr().cast(), question.bins());
    // SAFETY: a callback of this signature and a watch that outlives its use; a slice, a counter for each bin.
    let status = unsafe {
        ok(gpumex_context_set_progress(ctx.handle, Some(watched), (&raw mut watch).cast()), "set_progress");
        let status = gpumex_histogram(ctx.handle, &options, from, samples.len(), to, bins);
        ok(gpumex_context_set_progress(ctx.handle, None, null_mut()), "set_progress NULL");
        status
    };
    (status, counts.written("a watched histogram"), watch.told)
}

#[test]
fn a_watched_call_counts_the_same_and_is_told_of_every_byte() {
    for ctx in backends() {
        let channels = Question { channels: 3, ..Question::new(Asked::Values(256)) };
        let bytes = random_bytes(41, 3 * 5_000_001);
        let (status, counts, told) = count_watched(&ctx, &channels, &bytes, 0);
        ok(status, "watched");
        assert_same(&counts, &channels.counts(&bytes), format!("{:?}, three channels", ctx.backend));
        assert!(told.len() > 2 && told.is_sorted(), "{told:?}");
        assert!(told.iter().all(|&(_, total)| total == 15_000_003), "{told:?}");
        assert_eq!(told.last(), Some(&(15_000_003, 15_000_003)));

        let range = Question { channels: 3, ..Question::new(Asked::Range(0.0, 100.0, 11)) };
        let floats = numbers::<f32>(42, 3 * 700_001);
        let (status, counts, told) = count_watched(&ctx, &range, &floats, 0);
        ok(status, "watched floats");
        assert_same(&counts, &range.counts(&floats), format!("{:?}, three channels of floats", ctx.backend));
        assert_eq!(told.last(), Some(&(8_400_012, 8_400_012)));
    }
}

#[test]
fn an_answer_other_than_0_cancels() {
    for ctx in backends() {
        let question = Question::new(Asked::Values(256));
        let bytes = random_bytes(43, 8 << 20);
        let (status, _, told) = count_watched(&ctx, &question, &bytes, 3);
        refused(status, Status::Cancelled, &["returned 3", "of 8388608"], "cancelled");
        assert_eq!(told.len(), 1, "{told:?}");
        assert_same(
            &question.asked_of(&ctx, HistogramVariant::Auto, &bytes),
            &question.counts(&bytes),
            "after it",
        );
    }
}
