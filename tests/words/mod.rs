//! Histogram of words: every variant on every backend finds what an oracle of its own finds.

mod large;
mod meaning;
mod oracle;
mod places;
mod progress;
mod sizes;
