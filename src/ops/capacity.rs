//! Outputs whose length the operation finds.
#![forbid(unsafe_code)]

use crate::error::{Error, Result};

/// Refuses a capacity that is too small for a result, of a length that the host knows; capacity 0 only counts.
pub fn check_capacity(capacity: usize, needed: Option<u64>) -> Result<()> {
    match needed {
        Some(needed) if capacity > 0 && (capacity as u64) < needed => Err(Error::invalid(format!(
            "capacity is {capacity}, and the result has {needed} elements; the first {capacity} of them are written"
        ))),
        _ => Ok(()),
    }
}
