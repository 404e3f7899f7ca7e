//! The texts that gpumex reads, under libFuzzer: patterns, rules, printf formats, settings, command lines, words, expressions. Each goes through the
//! C functions; what they give is compared with a reader that shares nothing with the library's, and with what they promise.
//!
//! GPUMEX_TARGET=rle parsers [libFuzzer's options] CORPUS      (scripts/fuzz-parsers builds it and runs all targets)
#![no_main]

mod arguments;
mod call;
mod configure;
mod expression;
mod memory;
mod oracle;
mod pattern;
mod print;
mod rule;
mod words;
mod write;

use std::sync::OnceLock;

use gpumex_kernels as _; // to be linked

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// A target takes any bytes; it ends the process where a promise does not hold.
type Target = fn(&[u8]);

const TARGETS: [(&str, Target); 9] = [
    ("rle", pattern::rle),
    ("life106", pattern::life106),
    ("write", write::write),
    ("rule", rule::rule),
    ("print", print::print),
    ("configure", configure::configure),
    ("arguments", arguments::arguments),
    ("words", words::words),
    ("expression", expression::expression),
];

static TARGET: OnceLock<Target> = OnceLock::new();

fn target() -> Target {
    let wanted = std::env::var("GPUMEX_TARGET").unwrap_or_default();
    let found = TARGETS.iter().find(|(name, _)| *name == wanted);
    found.map(|(_, target)| *target).unwrap_or_else(|| {
        let names = TARGETS.map(|(name, _)| name).join(", ");
        eprintln!("GPUMEX_TARGET is \"{wanted}\"; it is one of {names}");
        std::process::exit(2)
    })
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET.get_or_init(target)(data));
