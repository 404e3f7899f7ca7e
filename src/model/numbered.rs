//! Enums that C names by numbers from 0.

use std::fmt::Debug;

use crate::error::{Error, Result};

/// An enum whose values are 0, 1, 2 … in the order of `ALL`; see `numbered_enum!`.
pub trait NumberedEnum: Copy + Debug + PartialEq + 'static {
    /// The name of the enum in C.
    const NAME: &'static str;
    const ALL: &'static [Self];

    /// The value of an argument of C, an int32_t: an enum with an unlisted value is undefined in Rust.
    fn from_c(argument: &str, number: i32) -> Result<Self> {
        let value = usize::try_from(number).ok().and_then(|index| Self::ALL.get(index));
        value.copied().ok_or_else(|| {
            let (last, name) = (Self::ALL.len() - 1, Self::NAME);
            let [low, high] = [0, last].map(|index| Self::ALL[index].c_name());
            let list = if last == 1 { format!("{low} or {high}") } else { format!("{low} to {high}") };
            Error::invalid(format!("{argument} is {number}; a {name} is {list}, 0 to {last}"))
        })
    }

    /// The name of this value in C: `GPUMEX_SORT_ORDER_ASCENDING`.
    fn c_name(self) -> String {
        let mut name = Self::NAME.to_uppercase();
        for letter in format!("{self:?}").chars() {
            if letter.is_uppercase() {
                name.push('_');
            }
            name.push(letter.to_ascii_uppercase());
        }
        name
    }
}

/// `numbered_enum!(SortOrder = "gpumex_sort_order": Ascending, Descending);` with the values in the order of their numbers.
macro_rules! numbered_enum {
    ($name:ident = $c_name:literal: $($value:ident),+ $(,)?) => {
        impl $crate::model::numbered::NumberedEnum for $name {
            const NAME: &'static str = $c_name;
            const ALL: &'static [Self] = &[$(Self::$value),+];
        }
        const _: () = {
            let (mut number, all) = (0, <$name as $crate::model::numbered::NumberedEnum>::ALL);
            while number < all.len() {
                assert!(all[number] as usize == number, "values are listed in the order of their numbers");
                number += 1;
            }
        };
    };
}

pub(crate) use numbered_enum;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::dtype::Dtype;
    use crate::model::order::SortOrder;

    #[test]
    fn a_number_that_is_none_is_refused_by_names_of_c() {
        assert_eq!(SortOrder::from_c("options.order", 1).ok(), Some(SortOrder::Descending));
        let refused = |number| SortOrder::from_c("options.order", number).unwrap_err().message().to_string();
        assert_eq!(
            refused(2),
            "options.order is 2; a gpumex_sort_order is GPUMEX_SORT_ORDER_ASCENDING or GPUMEX_SORT_ORDER_DESCENDING, 0 to 1"
        );
        assert!(refused(-1).starts_with("options.order is -1;"));
        assert_eq!(Dtype::Bf16.c_name(), "GPUMEX_DTYPE_BF16");
    }
}
