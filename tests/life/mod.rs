//! Life: every variant on every backend gives the cells of a plain loop, for every boundary and rule, on bytes and on bits.

mod bits;
mod landmarks;
mod large;
mod meaning;
mod oracle;
mod patterns;
mod plain;
mod play;
mod progress;
mod rules;
mod sizes;
