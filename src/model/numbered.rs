//! Closed lists of choices that C names by numbers from 0.

use crate::error::{Error, Result};

/// An enum whose values are 0, 1, 2 … in the order of `ALL`.
pub trait Choice: Copy + 'static {
    /// The name of the enum in C.
    const NAME: &'static str;
    const ALL: &'static [Self];

    /// The choice with this number; C hands an int32_t, since an enum with an unlisted value is undefined in Rust.
    fn from_number(number: i32) -> Result<Self> {
        let choice = usize::try_from(number).ok().and_then(|index| Self::ALL.get(index));
        choice.copied().ok_or_else(|| {
            let last = Self::ALL.len() - 1;
            Error::invalid(format!("{number} is not a {}, which is 0 to {last}", Self::NAME))
        })
    }
}
