//! Histogram of words: every variant on every backend finds what an oracle of its own finds.

#[path = "../common/mod.rs"]
mod common;
mod large;
mod meaning;
mod oracle;
mod places;
mod progress;
mod sizes;
