//! Histogram of words: `gpumex_words`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::handle;
use crate::model::numbered::NumberedEnum;
use crate::model::variant::Variant;
use crate::ops::words::{self, List, Options, WordsEncoding};

/// @brief Options of gpumex_words: GPUMEX_WORDS_OPTIONS_INIT or GPUMEX_OPTIONS (words, ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WordsOptions {
    /// sizeof(gpumex_words_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_words_encoding of the text.
    pub encoding: i32,
    /// 1: words that differ in case only are the same; 0: they are not.
    pub fold: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

zero_default!(WordsOptions, reserved);

/// @brief Totals of gpumex_words: GPUMEX_WORDS_SUMMARY_INIT.
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordsSummary {
    /// sizeof(gpumex_words_summary).
    pub size: usize,
    /// Words of the text.
    pub words: u64,
    /// Different words.
    pub distinct: u64,
    /// Elements of the arrays that are set: k, or distinct where it is less.
    pub listed: u64,
}

/// @brief Word frequencies: the k most frequent words of a text, with the position and length of
/// each one's first occurrence.
///
/// Words are listed by descending count, of equal counts the one that occurs first; elements past
/// the last word are 0. A word is a maximal run of letters and digits, with apostrophes (U+0027,
/// U+2019) between two of them. Encoding UTF8: letters and digits are the alphabetic and numeric
/// characters of Unicode, and bytes outside well-formed sequences separate words. ASCII: its letters
/// and digits; bytes from 0x80 on separate words. fold = 1: case is ignored where the lower case
/// form is one character, and U+2019 equals U+0027. Counts are exact: words are compared, not their
/// hashes.
/// @param ctx The context that runs it.
/// @param options variant, encoding, fold; NULL: UTF-8 with case.
/// @param text bytes bytes. Host memory of more than 256 MiB is processed in pieces on CUDA, and may
///   exceed the device's memory.
/// @param bytes Length of the text.
/// @param k Number of words wanted.
/// @param positions Receives k elements of uint64_t: the byte where each word first begins.
/// @param lengths Receives k elements of uint64_t: its bytes there.
/// @param counts Receives k elements of uint64_t: its occurrences.
/// @param summary Receives the totals, in host memory; set its size field
///   (GPUMEX_WORDS_SUMMARY_INIT). May be NULL.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a number that is not of its enum; fold;
///   summary->size; an array that is misaligned, overlaps an output, is too short or belongs to
///   another device); UNSUPPORTED (SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA
///   context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
///   (gpumex_context_cancel; by the callback of gpumex_context_set_progress, which is told the
///   bytes done). The arrays are unspecified after OUT_OF_MEMORY, CUDA and CANCELLED.
/// @note Cost: O(bytes) expected, and O(distinct*log(distinct)) for the order.
/// @note Memory: CPU at most `(128*threads + 160)*summary->distinct`; CUDA at most `134217728 +
///   256*summary->distinct + bytes/512`; arrays on the host at most `min(bytes, 536870912)`.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_words(
    ctx: *mut Context,
    options: *const WordsOptions,
    text: *const c_void,
    bytes: usize,
    k: usize,
    positions: *mut c_void,
    lengths: *mut c_void,
    counts: *mut c_void,
    summary: *mut WordsSummary,
) -> i32 {
    guard("gpumex_words", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, text) = unsafe { (options::read(options)?, Input::from_raw("text", text)) };
        // SAFETY: as above.
        let list = unsafe {
            List {
                positions: Output::from_raw("positions", positions),
                lengths: Output::from_raw("lengths", lengths),
                counts: Output::from_raw("counts", counts),
            }
        };
        // SAFETY: as above.
        unsafe { check_summary(summary)? };
        let options = asked_for(&options)?;
        let found = handle::with(ctx, |ctx| words::words(ctx, &options, text, bytes, k, list))?;
        // SAFETY: as above.
        unsafe { answer(summary, found) }
    })
}

/// The options in Rust.
pub(super) fn asked_for(options: &WordsOptions) -> Result<Options> {
    Ok(Options {
        variant: Variant::from_c("options.variant", options.variant)?,
        encoding: WordsEncoding::from_c("options.encoding", options.encoding)?,
        fold: match options.fold {
            0 => false,
            1 => true,
            other => return Err(Error::invalid(format!("options.fold is {other}, which is 0 or 1"))),
        },
    })
}

/// Looks at the size that the caller's totals say they have.
///
/// # Safety
/// NULL, or the totals of the caller.
pub(super) unsafe fn check_summary(summary: *const WordsSummary) -> Result<()> {
    if !summary.is_null() {
        // SAFETY: it begins with its size, as the caller promises.
        unsafe { options::size_field("summary", summary)? };
    }
    Ok(())
}

/// Writes the totals.
///
/// # Safety
/// NULL, or the totals of the caller.
pub(super) unsafe fn answer(
    summary: *mut WordsSummary,
    (found, listed): (words::Summary, u64),
) -> Result<()> {
    if summary.is_null() {
        return Ok(());
    }
    let words::Summary { words, distinct } = found;
    let answer = WordsSummary { size: size_of::<WordsSummary>(), words, distinct, listed };
    // SAFETY: the struct whose size was looked at.
    unsafe { options::answer("summary", summary, answer) }
}
