//! How an operation computes.

use super::numbered::{NumberedEnum, numbered_enum};

/// Implementation of an operation without textbook kernels.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// The fastest one.
    #[default]
    Auto = 0,
    /// A sequential loop on one core; CPU backend only.
    Sequential = 1,
}

numbered_enum!(Variant = "gpumex_variant": Auto, Sequential);

/// The variants of an operation: 0 is AUTO and 1 is SEQUENTIAL in all of them.
pub trait OperationVariant: NumberedEnum {
    /// Whether the library chooses.
    fn is_auto(self) -> bool {
        self == Self::ALL[0]
    }

    /// Whether it is the plain loop of the CPU backend.
    fn is_sequential(self) -> bool {
        self == Self::ALL[1]
    }
}

impl OperationVariant for Variant {}

/// Implementation of gpumex_add; the sums are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddVariant {
    /// The fastest one.
    #[default]
    Auto = 0,
    /// A sequential loop on one core; CPU backend only.
    Sequential = 1,
    /// Pages of managed memory migrate to the device by page faults, when the kernel touches them.
    OnDemand = 2,
    /// Managed memory is prefetched to the device before the kernel.
    Prefetch = 3,
}

numbered_enum!(AddVariant = "gpumex_add_variant": Auto, Sequential, OnDemand, Prefetch);

impl OperationVariant for AddVariant {}

/// Implementation of gpumex_dot; results agree within the error bound.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DotVariant {
    /// The fastest deterministic one.
    #[default]
    Auto = 0,
    /// A sequential loop on one core; CPU backend only.
    Sequential = 1,
    /// A tree reduction in each block, one atomic addition for each block: the order of the
    /// additions, and with it the rounding, is not deterministic.
    Atomic = 2,
    /// A tree reduction in each block, and a second kernel that adds the block sums in a fixed
    /// order.
    TwoPass = 3,
    /// The textbook's tree in shared memory, with a barrier a level, and one atomic a block.
    Shared = 4,
}

numbered_enum!(DotVariant = "gpumex_dot_variant": Auto, Sequential, Atomic, TwoPass, Shared);

impl OperationVariant for DotVariant {}

/// Implementation of gpumex_sort; the results are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortVariant {
    /// RADIX.
    #[default]
    Auto = 0,
    /// The stable sort of the standard library, on one core; CPU backend only.
    Sequential = 1,
    /// Least significant digit radix sort, eight bits a pass.
    Radix = 2,
}

numbered_enum!(SortVariant = "gpumex_sort_variant": Auto, Sequential, Radix);

impl OperationVariant for SortVariant {}
