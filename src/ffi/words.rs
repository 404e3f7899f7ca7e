//! Histogram of words: `gpumex_words`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::error::Error;
use crate::handle;
use crate::model::numbered::NumberedEnum;
use crate::model::variant::Variant;
use crate::ops::words::{self, List, Options, WordsEncoding};

/// Options of `gpumex_words`. Set `size` to `sizeof(gpumex_words_options)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WordsOptions {
    /// sizeof(gpumex_words_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_words_encoding` of the text
    pub encoding: i32,
    /// 1: words that differ in case alone are one; 0: they are not
    pub fold: i32,
    /// 0
    pub reserved: i32,
}

zero_default!(WordsOptions, reserved);

/// What `gpumex_words` found. Set `size` to `sizeof(gpumex_words_summary)` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordsSummary {
    /// sizeof(gpumex_words_summary)
    pub size: usize,
    /// words of the text
    pub words: u64,
    /// different ones
    pub distinct: u64,
    /// elements of the arrays that are set: k, or all different words where they are fewer
    pub listed: u64,
}

/// positions, lengths, counts <- the k most frequent words of a text of `bytes` bytes: the byte where each first begins, how
/// many bytes it has there, and how often it occurs.
///
/// The larger count comes first, and of equal ones the word that appears first; the elements behind the last word are 0.
/// A word is a maximal run of letters and digits, with apostrophes (U+0027 and U+2019) between two of them: "rock'n'roll"
/// is one word, the quotes around 'it' belong to none. options->encoding UTF8: letters and digits are the characters
/// that Unicode calls alphabetic or numeric; a byte that belongs to no well-formed sequence separates words. ASCII: its
/// letters and digits; bytes from 0x80 on separate words. options->fold 1: capitals and small letters are the same,
/// character by character, where the small form is one character, and U+2019 is U+0027. Counts are exact: words are
/// compared, not their hashes, and may have any length.
///
/// text: any memory; one of the host that is longer than a piece of 256 MiB is read in pieces on the CUDA backend, so
/// that it may be larger than the device's memory. positions, lengths, counts: k elements of uint64_t, which overlap
/// neither each other nor text; they may be NULL when k = 0. summary may be NULL. options: NULL for the defaults.
/// A long run tells the context's progress callback how many bytes are done (`gpumex_context_set_progress`), which may
/// cancel.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, an array that is too short, overlap, another device's
/// memory), UNSUPPORTED (SEQUENTIAL on CUDA, device memory on the CPU backend, after fork), OUT_OF_MEMORY, CUDA,
/// CANCELLED, BUSY (another thread is in `ctx`); the arrays are unspecified after one.
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
        if !summary.is_null() {
            // SAFETY: it begins with its size, as the caller promises.
            unsafe { options::size_field("summary", summary)? };
        }
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            encoding: WordsEncoding::from_c("options.encoding", options.encoding)?,
            fold: match options.fold {
                0 => false,
                1 => true,
                other => return Err(Error::invalid(format!("options.fold is {other}, which is 0 or 1"))),
            },
        };
        let found = handle::with(ctx, |ctx| words::words(ctx, &options, text, bytes, k, list))?;
        if summary.is_null() {
            return Ok(());
        }
        let (words::Summary { words, distinct }, listed) = found;
        let answer = WordsSummary { size: size_of::<WordsSummary>(), words, distinct, listed };
        // SAFETY: the struct whose size was looked at above.
        unsafe { options::answer("summary", summary, answer) }
    })
}
