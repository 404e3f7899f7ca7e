//! Histogram: every variant on every backend counts what a plain search over the edges finds.

mod bins;
mod bytes;
mod contents;
mod edges;
mod large;
mod oracle;
mod places;
mod progress;
mod textbook;
mod weights;
