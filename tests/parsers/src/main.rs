//! The texts that gpumex reads: patterns, rules, printf formats, settings, command lines, words, expressions. Each goes through the C
//! functions; what they give is compared with a reader that shares nothing with the library's, and with what they promise.
//!
//! parsers INPUTS SEED CORPORA                                 all targets on random inputs (`make test`)
//! GPUMEX_TARGET=rle parsers [libFuzzer's options] CORPUS      the feature `libfuzzer` (scripts/fuzz-parsers builds it, runs all targets)
#![cfg_attr(feature = "libfuzzer", no_main)]

mod arguments;
mod call;
mod configure;
mod expression;
mod memory;
mod oracle;
mod pattern;
mod print;
#[cfg(not(feature = "libfuzzer"))]
mod replay;
mod rule;
mod words;
mod write;

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

#[cfg(not(feature = "libfuzzer"))]
fn main() {
    replay::run();
}

/// The environment variable that has the name of one.
const NAME: &str = "GPUMEX_TARGET";

fn target() -> Target {
    let wanted = std::env::var(NAME).unwrap_or_default();
    let found = TARGETS.iter().find(|(name, _)| *name == wanted);
    found.map(|(_, target)| *target).unwrap_or_else(|| {
        let names = TARGETS.map(|(name, _)| name).join(", ");
        eprintln!("{NAME} is \"{wanted}\"; it is one of {names}");
        std::process::exit(2)
    })
}

#[cfg(feature = "libfuzzer")]
static TARGET: std::sync::LazyLock<Target> = std::sync::LazyLock::new(target);

#[cfg(feature = "libfuzzer")]
libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));
