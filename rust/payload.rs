//! What moves with keys.

use gpumex_core::array::{Input, Output};
use gpumex_core::model::dtype::Dtype;
use gpumex_core::model::payload::Payload as Kind;

use super::array::{input, output};
use super::{Array, ArrayMut, Index, Number};

/// What moves with the keys of an operation that sorts one array.
///
/// ```
/// use gpumex::{Context, Payload};
///
/// let ctx = Context::new()?;
/// let (keys, names) = ([30u32, 10, 20], [1.5f32, 2.5, 3.5]);
/// let (mut sorted, mut sorted_names) = ([0; 3], [0.0; 3]);
/// ctx.sort_with(&keys, &mut sorted, Payload::values(&names, &mut sorted_names), &Default::default())?;
/// assert_eq!((sorted, sorted_names), ([10, 20, 30], [2.5, 3.5, 1.5]));
/// # Ok::<(), gpumex::Error>(())
/// ```
pub struct Payload<'a> {
    pub(super) moved: Moved,
    pub(super) values: Input<'a>,
    pub(super) result: Output<'a>,
}

/// What moves with the keys of an operation on two arrays, `a` and `b`.
pub struct PairPayload<'a> {
    pub(super) moved: Moved,
    pub(super) a: Input<'a>,
    pub(super) b: Input<'a>,
    pub(super) result: Output<'a>,
}

/// The kind of a payload and the types that go with it.
#[derive(Clone, Copy)]
pub(super) struct Moved {
    pub kind: Kind,
    pub value_dtype: Dtype,
    pub index_dtype: Dtype,
}

const NOTHING: Moved = Moved { kind: Kind::None, value_dtype: Dtype::None, index_dtype: Dtype::None };

fn values_of<V: Number>() -> Moved {
    Moved { kind: Kind::Values, value_dtype: V::DTYPE, ..NOTHING }
}

fn indices_of<I: Index>() -> Moved {
    Moved { kind: Kind::Indices, index_dtype: I::DTYPE, ..NOTHING }
}

impl<'a> Payload<'a> {
    /// Nothing: keys alone.
    pub fn none() -> Payload<'a> {
        Payload { moved: NOTHING, values: Input::absent("values"), result: Output::absent("sorted_values") }
    }

    /// A value for each key: `sorted` receives them in the order of the sorted keys.
    pub fn values<V: Number>(
        values: &'a (impl Array<Elem = V> + ?Sized),
        sorted: &'a mut (impl ArrayMut<Elem = V> + ?Sized),
    ) -> Payload<'a> {
        Payload {
            moved: values_of::<V>(),
            values: input("values", values),
            result: output("sorted_values", sorted),
        }
    }

    /// `sorted` receives the position that each key had.
    pub fn indices<I: Index>(sorted: &'a mut (impl ArrayMut<Elem = I> + ?Sized)) -> Payload<'a> {
        Payload { moved: indices_of::<I>(), result: output("sorted_values", sorted), ..Payload::none() }
    }
}

impl<'a> PairPayload<'a> {
    /// Nothing: keys alone.
    pub fn none() -> PairPayload<'a> {
        let [a, b] = ["a_values", "b_values"].map(Input::absent);
        PairPayload { moved: NOTHING, a, b, result: Output::absent("values") }
    }

    /// A value for each key of a and of b: `result` receives those of the keys of the result.
    pub fn values<V: Number>(
        a: &'a (impl Array<Elem = V> + ?Sized),
        b: &'a (impl Array<Elem = V> + ?Sized),
        result: &'a mut (impl ArrayMut<Elem = V> + ?Sized),
    ) -> PairPayload<'a> {
        let (a, b) = (input("a_values", a), input("b_values", b));
        PairPayload { moved: values_of::<V>(), a, b, result: output("values", result) }
    }

    /// `result` receives i for a key a\[i\] and the length of a + j for b\[j\].
    pub fn indices<I: Index>(result: &'a mut (impl ArrayMut<Elem = I> + ?Sized)) -> PairPayload<'a> {
        PairPayload { moved: indices_of::<I>(), result: output("values", result), ..PairPayload::none() }
    }
}
