//! The most frequent words of 1 GiB of text in device memory, and of 64 MiB on one core of the CPU.
//!
//!   cargo bench --bench words
//!
//! The text is English-like: 200000 words whose frequencies fall as 1/rank, six bytes each on average with the blank behind. kernels:
//! the kernels' time of a call; call: the whole of it, with the choice of the 20 words.

mod common;
#[path = "common/english.rs"]
mod english;

use std::env;
use std::ffi::c_void;
use std::process::Command;

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::variant::Variant;
use gpumex::model::words::WordsEncoding;
use gpumex::platform::settings::Backend;

use common::*;
use english::english_like;

const CHILD: &str = "--cpu";
const BLOCK: usize = 64 << 20;
const BYTES: usize = 1 << 30;
const MOST: usize = 20;

fn main() {
    if env::args().nth(1).as_deref() == Some(CHILD) {
        return on_cpu();
    }
    // The number of threads is one for a process: a child measures one core.
    let program = env::current_exe().expect("this program has a path");
    let status = Command::new(program).arg(CHILD).status();
    assert!(status.is_ok_and(|status| status.success()), "the bench of the CPU failed");
    on_device();
}

fn on_device() {
    let ctx = context();
    println!("\n{}", text(gpumex_context_device_text(ctx)));
    println!(
        "{:32} | {:>10} | {:>10} | {:>10} | {:>10}",
        "1 GiB of the device, GB/s", "kernels", "call", "words", "distinct"
    );
    let english = english_like(BLOCK);
    let at = malloc(ctx, MemoryKind::Device, BYTES);
    for from in (0..BYTES).step_by(BLOCK) {
        copy(ctx, at.wrapping_byte_add(from), english.as_ptr().cast(), BLOCK);
    }
    for (name, encoding, fold) in [
        ("English-like, UTF-8, folded", WordsEncoding::Utf8, 1),
        ("English-like, UTF-8", WordsEncoding::Utf8, 0),
        ("English-like, ASCII", WordsEncoding::Ascii, 0),
    ] {
        report(ctx, name, at, encoding, fold);
    }
    let the: Vec<u8> = b"the ".repeat(BLOCK / 4);
    for from in (0..BYTES).step_by(BLOCK) {
        copy(ctx, at.wrapping_byte_add(from), the.as_ptr().cast(), BLOCK);
    }
    report(ctx, "one word, repeated", at, WordsEncoding::Utf8, 0);
    check(gpumex_free(at));
    check(gpumex_context_destroy(ctx));
}

fn report(ctx: Handle, name: &str, at: *const c_void, encoding: WordsEncoding, fold: i32) {
    let options = WordsOptions { encoding: encoding as i32, fold, ..WordsOptions::default() };
    let (mut kernels, mut calls, mut summary) = (vec![], vec![], WordsSummary::default());
    for _ in 0..11 {
        let ms = kernel_ms(ctx, || calls.push(seconds(|| summary = count(ctx, &options, at, BYTES))));
        kernels.push(ms / 1e3);
    }
    let [kernels, calls] = [kernels, calls].map(|times| BYTES as f64 / middle(times) / 1e9);
    println!("{name:32} | {kernels:10.1} | {calls:10.1} | {:10} | {:10}", summary.words, summary.distinct);
}

fn on_cpu() {
    // SAFETY: C strings; the first call of this process.
    check(unsafe { gpumex_configure(c"num_threads".as_ptr(), c"1".as_ptr()) });
    let ctx = gpumex_context_create(Backend::Cpu as i32, -1);
    let english = english_like(BLOCK);
    println!("{:32} | {:>10} | {:>10} | {:>10}", "64 MiB, one core, GB/s", "gpumex", "loop", "times");
    let rate = |variant: Variant| {
        let options = WordsOptions { variant: variant as i32, ..WordsOptions::default() };
        let turn = || seconds(|| _ = count(ctx, &options, english.as_ptr().cast(), BLOCK));
        BLOCK as f64 / median(3, turn) / 1e9
    };
    let (ours, plain) = (rate(Variant::Auto), rate(Variant::Sequential));
    println!("{:32} | {ours:10.3} | {plain:10.3} | {:10.2}", "English-like", ours / plain);
    check(gpumex_context_destroy(ctx));
}

fn count(ctx: Handle, options: &WordsOptions, at: *const c_void, len: usize) -> WordsSummary {
    let (mut positions, mut lengths, mut counts) = ([0u64; MOST], [0u64; MOST], [0u64; MOST]);
    let mut summary = WordsSummary { size: size_of::<WordsSummary>(), ..WordsSummary::default() };
    // SAFETY: len bytes of text, MOST elements each, a struct with its size.
    check(unsafe {
        gpumex_words(
            ctx,
            options,
            at.cast(),
            len,
            MOST,
            positions.as_mut_ptr().cast(),
            lengths.as_mut_ptr().cast(),
            counts.as_mut_ptr().cast(),
            &mut summary,
        )
    });
    summary
}
