//! Options of operations.

/// `options! { /// Doc. SortOptions { /// Doc. order: SortOrder, } }`: a struct of values with defaults, and a method a field that sets it.
macro_rules! options {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {
            $($field: $type,)*
        }

        impl $name {
            /// The default of each option.
            pub fn new() -> $name {
                $name::default()
            }

            $(
                $(#[$field_doc])*
                #[must_use]
                pub fn $field(mut self, $field: $type) -> $name {
                    self.$field = $field;
                    self
                }
            )*
        }
    };
}

/// The same for options that do not differ but in their name: how an operation computes.
macro_rules! variant_options {
    ($($(#[$doc:meta])* $name:ident: $variant:ty,)*) => {
        $(options! {
            $(#[$doc])*
            $name {
                /// How it is computed.
                variant: $variant,
            }
        })*
    };
}

pub(super) use {options, variant_options};
