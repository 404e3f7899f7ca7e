//! Options of operations on segments, which may hold arrays.

use super::{Array, Geometry, Index, Number, Operator, Variant, View};

/// As `options!`, with the options that every operation on segments has.
macro_rules! segment_options {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'a, T, I> {
            pub(super) variant: Variant,
            pub(super) identity: Option<[T; 1]>,
            pub(super) sources: Option<View<'a, I>>,
            pub(super) geometry: Option<&'a Geometry>,
            $(pub(super) $field: $type,)*
        }

        impl<'a, T: Number, I: Index> $name<'a, T, I> {
            /// The default of each option.
            pub fn new() -> Self {
                let variant = Variant::default();
                $name { variant, identity: None, sources: None, geometry: None, $($field: Default::default(),)* }
            }

            /// How it is computed.
            #[must_use]
            pub fn variant(self, variant: Variant) -> Self {
                $name { variant, ..self }
            }

            /// What a segment without elements gives; else the identity of the operator.
            #[must_use]
            pub fn identity(self, identity: T) -> Self {
                $name { identity: Some([identity]), ..self }
            }

            /// The element at which each segment begins; its length is that of the offsets. Else at its offset.
            #[must_use]
            pub fn sources(self, sources: &'a (impl Array<Elem = I> + ?Sized)) -> Self {
                $name { sources: Some(sources.view()), ..self }
            }

            /// What [`Context::segments_prepare`](crate::Context::segments_prepare) found for these offsets.
            #[must_use]
            pub fn geometry(self, geometry: &'a Geometry) -> Self {
                $name { geometry: Some(geometry), ..self }
            }

            $(
                $(#[$field_doc])*
                #[must_use]
                pub fn $field(self, $field: $type) -> Self {
                    $name { $field, ..self }
                }
            )*
        }

        impl<T: Number, I: Index> Default for $name<'_, T, I> {
            fn default() -> Self {
                $name::new()
            }
        }
    };
}

segment_options! {
    /// Options of [`Context::segmented_reduce_with`](crate::Context::segmented_reduce_with).
    SegmentedReduceOptions {
        /// What combines two elements; else the sum.
        op: Operator,
        /// An associative expression of `a` and `b`, the earlier one and the later one, in the place of an operator; it needs an identity.
        expression: Option<&'a str>,
    }
}

segment_options! {
    /// Options of [`Context::spmv_with`](crate::Context::spmv_with). A segment is a row, its elements are the nonzeros.
    SpmvOptions {
        /// What combines the products of a row; else the sum.
        #[allow(clippy::should_implement_trait)] // an option has the name that it has in C
        add: Operator,
        /// What combines a value with an element of x; else the product.
        multiply: Operator,
        /// The values of the matrix are not read: a product is the element of x alone.
        pattern: bool,
    }
}
