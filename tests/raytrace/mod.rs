//! Ray caster: every variant on every backend gives, bit for bit, the picture of the formula in include/gpumex.h.

mod forms;
mod hidden;
mod many;
mod meaning;
mod odd;
mod oracle;
mod plain;
mod rounding;
mod sizes;
