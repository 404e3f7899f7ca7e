//! The kinds of a join.
#![forbid(unsafe_code)]

use super::numbered::numbered_enum;

/// Which keys without a partner a join keeps.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JoinKind {
    /// None.
    #[default]
    Inner = 0,
    /// Those of a, in their places.
    Left = 1,
    /// Those of b, at the end.
    Right = 2,
    /// Both.
    Outer = 3,
}

numbered_enum!(JoinKind = "gpumex_join_kind": Inner, Left, Right, Outer);

impl JoinKind {
    /// Whether keys of a without a partner are there.
    pub fn keeps_a(self) -> bool {
        matches!(self, JoinKind::Left | JoinKind::Outer)
    }

    /// Whether keys of b without a partner are there.
    pub fn keeps_b(self) -> bool {
        matches!(self, JoinKind::Right | JoinKind::Outer)
    }
}
