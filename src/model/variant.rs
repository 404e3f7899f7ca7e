//! How an operation computes.

use super::numbered::{NumberedEnum, numbered_enum};

/// How an operation without textbook kernels computes; results are the same, or agree within the operation's error bound.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// The fastest one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
}

numbered_enum!(Variant = "gpumex_variant": Auto, Sequential);

/// The variants of an operation: 0 is AUTO and 1 is SEQUENTIAL in all of them.
pub trait OperationVariant: NumberedEnum {
    /// Whether it is the plain loop of the CPU backend.
    fn is_sequential(self) -> bool {
        self == Self::ALL[1]
    }
}

impl OperationVariant for Variant {}

/// How `gpumex_add` computes; the sums are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
    /// Pages of managed memory move to the device one fault at a time, when the kernel touches them.
    OnDemand = 2,
    /// Managed memory is moved to the device as a whole, ahead of the kernel.
    Prefetch = 3,
}

numbered_enum!(AddVariant = "gpumex_add_variant": Auto, Sequential, OnDemand, Prefetch);

impl OperationVariant for AddVariant {}

/// How `gpumex_dot` computes; results agree within the error bound.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DotVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
    /// A tree in each block, whose sum goes to the result by one atomic: the order of the blocks, and so the
    /// rounding, is left to chance.
    Atomic = 2,
    /// A tree in each block, and a second kernel that adds the sums of the blocks in one fixed order.
    TwoPass = 3,
    /// The textbook's tree in shared memory, with a barrier a level, and one atomic a block.
    Shared = 4,
}

numbered_enum!(DotVariant = "gpumex_dot_variant": Auto, Sequential, Atomic, TwoPass, Shared);

impl OperationVariant for DotVariant {}

/// How `gpumex_sort` sorts; the results are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The stable sort of the standard library, on one core; CPU backend only.
    Sequential = 1,
    /// Radix sort, eight bits a pass from the least significant on.
    Radix = 2,
}

numbered_enum!(SortVariant = "gpumex_sort_variant": Auto, Sequential, Radix);

impl OperationVariant for SortVariant {}
