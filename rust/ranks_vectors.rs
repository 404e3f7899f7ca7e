//! Reductions, inner products, scans and sorts on several ranks.

use gpumex_core::array::{Input, Output};
use gpumex_core::comm::Operation;
use gpumex_core::ops;
use gpumex_core::ops::scan::ScanKind;
use gpumex_core::ops::{comm_dot, comm_reduce, comm_scan, comm_sort};

use super::array::{common_len, in_place, input, output};
use super::reduce::{reduce_options, scan_options};
use super::sort::sort_options;
use super::vectors::dot_options;
use super::{
    Array, ArrayMut, Communicator, DotOptions, Element, Factor, Index, Payload, ReduceOptions, ScanOptions,
    SortOptions,
};
use crate::Result;

const REDUCE: (Operation, &str) = (Operation::Reduce, "reduce");
const DOT: (Operation, &str) = (Operation::Dot, "dot");
const SCAN: (Operation, &str) = (Operation::Scan, "scan");
const SORT: (Operation, &str) = (Operation::Sort, "sort");

impl Communicator {
    /// The sum of the elements of all ranks, on every rank, in their type; integers wrap.
    ///
    /// ```
    /// use gpumex::{Communicator, Context};
    ///
    /// let contexts = [Context::new()?, Context::new()?];
    /// let comms = Communicator::local(&contexts)?;
    /// std::thread::scope(|scope| {
    ///     for (mut comm, part) in comms.into_iter().zip([vec![1, 2], vec![3]]) {
    ///         scope.spawn(move || assert_eq!(comm.reduce(&part).unwrap(), 6));
    ///     }
    /// });
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn reduce<T: Element>(&mut self, data: &(impl Array<Elem = T> + ?Sized)) -> Result<T> {
        let mut result = [T::default()];
        self.reduce_with(data, &mut result, &ReduceOptions::new())?;
        Ok(result[0])
    }

    /// The elements of all ranks combined, those of rank 0 first, on every rank: as [`Context::reduce_with`](crate::Context::reduce_with).
    pub fn reduce_with<T: Element, R: Element>(
        &mut self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        options: &ReduceOptions,
    ) -> Result<()> {
        self.reduce_into(data, result, &reduce_options::<T, R>(options), None)
    }

    /// The elements of all ranks joined by an associative expression of `a` and `b`: as [`Context::reduce_by`](crate::Context::reduce_by).
    ///
    /// ```
    /// use gpumex::{Communicator, Context};
    ///
    /// let contexts = [Context::new()?, Context::new()?];
    /// let comms = Communicator::local(&contexts)?;
    /// std::thread::scope(|scope| {
    ///     for (mut comm, part) in comms.into_iter().zip([[3f32, -7.0], [5.0, 1.0]]) {
    ///         scope.spawn(move || {
    ///             let mut farthest = [0f32];
    ///             comm.reduce_by(&part, &mut farthest, "abs (a) >= abs (b) ? a : b", None).unwrap();
    ///             assert_eq!(farthest, [-7.0]);
    ///         });
    ///     }
    /// });
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn reduce_by<T: Element, R: Element>(
        &mut self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        expression: &str,
        identity: Option<R>,
    ) -> Result<()> {
        let plain = reduce_options::<T, R>(&ReduceOptions::new());
        let options = ops::reduce::Options { expression: Some(expression), ..plain };
        self.reduce_into(data, result, &options, identity)
    }

    fn reduce_into<T: Element, R: Element>(
        &mut self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        options: &ops::reduce::Options,
        identity: Option<R>,
    ) -> Result<()> {
        let identity = identity.as_slice();
        let arguments = Ok(((input("data", data), data.len()), output("result", result)));
        self.call(REDUCE, arguments, |ctx, comm, (part, result)| {
            comm_reduce::reduce(ctx, comm, options, part, identity_of(identity), result, None)
        })
    }

    /// The inner product of vectors whose parts are on all ranks, on every rank.
    ///
    /// ```
    /// use gpumex::{Communicator, Context};
    ///
    /// let contexts = [Context::new()?, Context::new()?];
    /// let comms = Communicator::local(&contexts)?;
    /// std::thread::scope(|scope| {
    ///     for (mut comm, x) in comms.into_iter().zip([[1.0, 2.0], [3.0, 4.0]]) {
    ///         scope.spawn(move || assert_eq!(comm.dot(&x, &x).unwrap(), 30.0));
    ///     }
    /// });
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn dot<T: Factor>(
        &mut self,
        x: &(impl Array<Elem = T> + ?Sized),
        y: &(impl Array<Elem = T> + ?Sized),
    ) -> Result<T> {
        let mut result = [T::default()];
        self.dot_with(x, y, &mut result, &DotOptions::new())?;
        Ok(result[0])
    }

    /// As [`Communicator::dot`], with options, into an array of one element anywhere.
    pub fn dot_with<T: Factor>(
        &mut self,
        x: &(impl Array<Elem = T> + ?Sized),
        y: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
        options: &DotOptions,
    ) -> Result<()> {
        let options = dot_options::<T>(options);
        let count = common_len(("x", x.len()), ("y", y.len()));
        let arguments = count.map(|count| ((input("x", x), input("y", y), count), output("result", result)));
        self.call(DOT, arguments, |ctx, comm, (parts, result)| {
            comm_dot::dot(ctx, comm, &options, parts, result)
        })
    }

    /// Exclusive prefix sum over the parts of all ranks: result\[i\] ← the sum of the elements of the ranks before this one, and of
    /// data\[..i\].
    ///
    /// ```
    /// use gpumex::{Communicator, Context};
    ///
    /// let contexts = [Context::new()?, Context::new()?];
    /// let (parts, mut sums) = ([[2u32, 5], [3, 1]], [[0; 2]; 2]);
    /// let comms = Communicator::local(&contexts)?;
    /// std::thread::scope(|scope| {
    ///     for ((mut comm, part), sums) in comms.into_iter().zip(&parts).zip(&mut sums) {
    ///         scope.spawn(move || comm.scan(part, sums).unwrap());
    ///     }
    /// });
    /// assert_eq!(sums, [[0, 2], [7, 10]]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn scan<T: Element>(
        &mut self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        self.scan_with(data, result, &ScanOptions::new())
    }

    /// As [`Communicator::scan`], with options: as [`Context::scan_with`](crate::Context::scan_with).
    pub fn scan_with<T: Element, R: Element>(
        &mut self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        options: &ScanOptions,
    ) -> Result<()> {
        self.scan_into(data, result, None, &scan_options::<T, R>(options), None)
    }

    /// As [`Communicator::scan_with`], and the total of the elements of all ranks, on every rank, into an array of one element.
    pub fn scan_with_total<T: Element, R: Element>(
        &mut self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        total: &mut (impl ArrayMut<Elem = R> + ?Sized),
        options: &ScanOptions,
    ) -> Result<()> {
        let total = Some(output("total", total));
        self.scan_into(data, result, total, &scan_options::<T, R>(options), None)
    }

    /// As [`Communicator::scan_with`], by an associative expression of `a` and `b`: as [`Context::scan_by`](crate::Context::scan_by).
    pub fn scan_by<T: Element, R: Element>(
        &mut self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        expression: &str,
        kind: ScanKind,
        identity: Option<R>,
    ) -> Result<()> {
        let plain = scan_options::<T, R>(&ScanOptions::new().kind(kind));
        let options = ops::scan::Options { expression: Some(expression), ..plain };
        self.scan_into(data, result, None, &options, identity)
    }

    fn scan_into<T: Element, R: Element>(
        &mut self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        total: Option<Output>,
        options: &ops::scan::Options,
        identity: Option<R>,
    ) -> Result<()> {
        let identity = identity.as_slice();
        let count = common_len(("data", data.len()), ("result", result.len()));
        let arguments = count.map(|count| ((input("data", data), count), output("result", result)));
        self.call(SCAN, arguments, |ctx, comm, (part, result)| {
            comm_scan::scan(ctx, comm, options, part, identity_of(identity), result, total)
        })
    }

    /// As [`Communicator::scan_with`], in place.
    pub fn scan_in_place<T: Element>(
        &mut self,
        data: &mut (impl ArrayMut<Elem = T> + ?Sized),
        options: &ScanOptions,
    ) -> Result<()> {
        let (count, options) = (data.len(), scan_options::<T, T>(options));
        let arguments = Ok(in_place(["data", "result"], data));
        self.call(SCAN, arguments, |ctx, comm, (data, result)| {
            comm_scan::scan(ctx, comm, &options, (data, count), None, result, None)
        })
    }

    /// sorted ← as many of the sorted keys of all ranks as this one has given, those of rank 0 first; stable.
    ///
    /// ```
    /// use gpumex::{Communicator, Context};
    ///
    /// let contexts = [Context::new()?, Context::new()?];
    /// let (parts, mut sorted) = ([[9, 4], [1, 6]], [[0; 2]; 2]);
    /// let comms = Communicator::local(&contexts)?;
    /// std::thread::scope(|scope| {
    ///     for ((mut comm, part), sorted) in comms.into_iter().zip(&parts).zip(&mut sorted) {
    ///         scope.spawn(move || comm.sort(part, sorted).unwrap());
    ///     }
    /// });
    /// assert_eq!(sorted, [[1, 4], [6, 9]]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn sort<K: Element>(
        &mut self,
        keys: &(impl Array<Elem = K> + ?Sized),
        sorted: &mut (impl ArrayMut<Elem = K> + ?Sized),
    ) -> Result<()> {
        self.sort_with(keys, sorted, Payload::none(), &SortOptions::new())
    }

    /// As [`Communicator::sort`], with what moves with the keys and with options. Positions are those in the keys of all ranks.
    ///
    /// ```
    /// use gpumex::{Communicator, Context, Payload};
    ///
    /// let contexts = [Context::new()?, Context::new()?];
    /// let comms = Communicator::local(&contexts)?;
    /// std::thread::scope(|scope| {
    ///     for (mut comm, part) in comms.into_iter().zip([[30, 40], [10, 20]]) {
    ///         scope.spawn(move || {
    ///             let (mut sorted, mut positions) = ([0; 2], [0u32; 2]);
    ///             let payload = Payload::indices(&mut positions);
    ///             comm.sort_with(&part, &mut sorted, payload, &Default::default()).unwrap();
    ///             assert_eq!(positions, if comm.rank() == 0 { [2, 3] } else { [0, 1] });
    ///         });
    ///     }
    /// });
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn sort_with<K: Element>(
        &mut self,
        keys: &(impl Array<Elem = K> + ?Sized),
        sorted: &mut (impl ArrayMut<Elem = K> + ?Sized),
        payload: Payload,
        options: &SortOptions,
    ) -> Result<()> {
        let count = common_len(("keys", keys.len()), ("sorted", sorted.len()));
        let arguments = count.map(|count| (input("keys", keys), count, output("sorted", sorted)));
        self.sort_into::<K>(arguments, payload, options)
    }

    /// positions ← the positions, in the keys of all ranks, of this rank's part of the sorted keys.
    pub fn argsort<K: Element, I: Index>(
        &mut self,
        keys: &(impl Array<Elem = K> + ?Sized),
        positions: &mut (impl ArrayMut<Elem = I> + ?Sized),
        options: &SortOptions,
    ) -> Result<()> {
        let count = common_len(("keys", keys.len()), ("positions", positions.len()));
        let arguments = count.map(|count| (input("keys", keys), count, Output::absent("sorted")));
        self.sort_into::<K>(arguments, Payload::indices(positions), options)
    }

    fn sort_into<'a, K: Element>(
        &mut self,
        arguments: Result<(Input<'a>, usize, Output<'a>)>,
        Payload { moved, values, result }: Payload,
        options: &SortOptions,
    ) -> Result<()> {
        let options = sort_options::<K>(options, moved);
        self.call(SORT, arguments, |ctx, comm, (keys, count, sorted)| {
            comm_sort::sort(ctx, comm, &options, (keys, values, count), sorted, result)
        })
    }
}

fn identity_of<R: Element>(identity: &[R]) -> Option<Input<'_>> {
    (!identity.is_empty()).then(|| input("identity", identity))
}
