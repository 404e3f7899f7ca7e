//! The largest element, or the smallest, and its place.
#![forbid(unsafe_code)]

use super::Fold;
use super::count::Word;
use crate::model::dtype::{Bits, Dtype};

/// The order of elements as unsigned integers of their size.
#[derive(Clone, Copy)]
struct Order<In> {
    flip: In,
    nan: In,
}

impl<In: Bits + Word> Order<In> {
    fn new(dtype: Dtype, is_minimum: bool, omits: bool) -> Self {
        let (sign, none) = (In::SIGN, In::default());
        let all = if dtype == Dtype::Bool { In::ONE } else { In::ALL }; // the minimum of none is 1
        let flip = if dtype.is_signed_integer() { sign } else { none };
        Order { flip: flip ^ if is_minimum { all } else { none }, nan: if omits { none } else { all } }
    }

    #[inline(always)] // into loops
    fn rank<const FLOAT: bool>(&self, element: In) -> In {
        if !FLOAT {
            return element ^ self.flip;
        }
        let ordered = if element & In::SIGN != In::default() { !element } else { element | In::SIGN };
        if element & !In::SIGN > In::INFINITE { self.nan } else { ordered ^ self.flip }
    }
}

/// The rank of the largest or the smallest element, from which `element` follows.
#[derive(Clone, Copy)]
pub struct Extremum<In, const FLOAT: bool>(Order<In>);

impl<In: Bits + Word, const FLOAT: bool> Extremum<In, FLOAT> {
    /// Of elements of a dtype of this size; `omits`: NaN is left out.
    pub fn new(dtype: Dtype, is_minimum: bool, omits: bool) -> Self {
        Extremum(Order::new(dtype, is_minimum, omits))
    }

    /// The element of a rank; no element has that of the identity, which is NaN of floats.
    #[inline(always)] // into loops
    pub fn element(&self, rank: In) -> In {
        let ordered = rank ^ self.0.flip;
        if !FLOAT {
            return ordered;
        }
        if rank == In::default() || rank == In::ALL {
            return In::INFINITE | In::QUIET;
        }
        if ordered & In::SIGN != In::default() { ordered ^ In::SIGN } else { !ordered }
    }
}

impl<In: Bits + Word, const FLOAT: bool> Fold for Extremum<In, FLOAT> {
    type In = In;
    type Acc = In;

    #[inline(always)] // into loops
    fn identity(&self) -> In {
        In::default()
    }
    #[inline(always)]
    fn step(&self, acc: In, element: In, _: usize) -> In {
        acc.max(self.0.rank::<FLOAT>(element))
    }
    #[inline(always)]
    fn merge(&self, left: In, right: In) -> In {
        left.max(right)
    }
}

/// A rank and the first place where it is.
#[derive(Clone, Copy)]
pub struct Place<In> {
    rank: In,
    pub place: usize,
}

/// The first place of the largest or the smallest element; zeros of both signs are equal. Of NaN alone that are left out it is 0.
#[derive(Clone, Copy)]
pub struct First<In, const FLOAT: bool>(Order<In>);

impl<In: Bits + Word, const FLOAT: bool> First<In, FLOAT> {
    /// As [`Extremum::new`].
    pub fn new(dtype: Dtype, is_minimum: bool, omits: bool) -> Self {
        First(Order::new(dtype, is_minimum, omits))
    }
}

impl<In: Bits + Word, const FLOAT: bool> Fold for First<In, FLOAT> {
    type In = In;
    type Acc = Place<In>;

    #[inline(always)] // into loops
    fn identity(&self) -> Place<In> {
        Place { rank: In::default(), place: 0 }
    }
    #[inline(always)]
    fn step(&self, acc: Place<In>, element: In, place: usize) -> Place<In> {
        let element = if FLOAT && element == In::SIGN { In::default() } else { element };
        let rank = self.0.rank::<FLOAT>(element);
        if rank > acc.rank { Place { rank, place } } else { acc }
    }
    #[inline(always)]
    fn merge(&self, left: Place<In>, right: Place<In>) -> Place<In> {
        let is_right = right.rank > left.rank || right.rank == left.rank && right.place < left.place;
        if is_right { right } else { left }
    }
}

/// A rank, the first place where it is, and the element there.
#[derive(Clone, Copy)]
pub struct Found<In> {
    rank: In,
    pub place: usize,
    pub element: In,
}

/// As [`First`], with the element, for what is not in memory.
#[derive(Clone, Copy)]
pub struct FirstElement<In, const FLOAT: bool>(Order<In>);

impl<In: Bits + Word, const FLOAT: bool> FirstElement<In, FLOAT> {
    /// As [`Extremum::new`].
    pub fn new(dtype: Dtype, is_minimum: bool, omits: bool) -> Self {
        FirstElement(Order::new(dtype, is_minimum, omits))
    }
}

impl<In: Bits + Word, const FLOAT: bool> Fold for FirstElement<In, FLOAT> {
    type In = In;
    type Acc = Found<In>;

    #[inline(always)] // into loops
    fn identity(&self) -> Found<In> {
        let rank = In::default();
        Found { rank, place: 0, element: Extremum::<In, FLOAT>(self.0).element(rank) }
    }
    #[inline(always)]
    fn step(&self, acc: Found<In>, element: In, place: usize) -> Found<In> {
        let ranked = if FLOAT && element == In::SIGN { In::default() } else { element };
        let rank = self.0.rank::<FLOAT>(ranked);
        if rank > acc.rank { Found { rank, place, element } } else { acc }
    }
    #[inline(always)]
    fn merge(&self, left: Found<In>, right: Found<In>) -> Found<In> {
        let is_right = right.rank > left.rank || right.rank == left.rank && right.place < left.place;
        if is_right { right } else { left }
    }
}
