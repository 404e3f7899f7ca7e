//! More than 2^32 elements of one rank, in what ranks do together: what it agrees on with itself, and its own part.

use std::ops::Deref;
use std::ptr::{null, null_mut};

use gpumex::comm::Comm;
use gpumex::ffi::*;
use gpumex::model::operator::Operator;
use gpumex::ops::scan::ScanKind;

use crate::beyond_32_bits::{glider, large_matrix, three_words};
use crate::beyond_32_sorts::random_keys;
use crate::common::ok;
use crate::huge::{F32, FAR, Huge, N, U8, U32, on_each, run};

/// A communicator of one rank, which ends with the test.
struct Rank<'a> {
    at: &'a Huge,
    comm: *mut Comm,
}

impl<'a> Rank<'a> {
    fn new(at: &'a Huge) -> Rank<'a> {
        let mut comm = null_mut();
        run!(gpumex_comm_create(at.handle(), null(), 0, 1, None, None, null_mut(), &mut comm));
        Rank { at, comm }
    }
}

impl Drop for Rank<'_> {
    fn drop(&mut self) {
        ok(gpumex_comm_destroy(self.comm), "gpumex_comm_destroy");
    }
}

impl Deref for Rank<'_> {
    type Target = Huge;

    fn deref(&self) -> &Huge {
        self.at
    }
}

fn on_a_rank(gib: usize, body: impl Fn(&Rank) -> Option<()>) {
    on_each(gib, |at| body(&Rank::new(at)));
}

#[test]
fn histogram() {
    on_a_rank(5, |at| {
        let (bytes, mut counts) = (at.zeros(N)?, [0u64; 256]);
        at.fill(U8, bytes, N, 7u8);
        [3, FAR, N - 1].iter().for_each(|&place| at.put(bytes, place, &[9u8]));
        let to = counts.as_mut_ptr().cast();
        run!(gpumex_comm_histogram(at.comm, null(), bytes, N, to, 256));
        assert_eq!(counts[6..10], [0, N as u64 - 3, 0, 3]);
        Some(())
    });
}

#[test]
fn reduce_and_dot() {
    on_a_rank(1, |at| {
        let (numbers, mut got) = (at.zeros(4 * N)?, 0f32);
        at.put(numbers, FAR, &[1f32]);
        at.put(numbers, N - 1, &[2f32]);
        for (op, want) in [(Operator::Sum, 3.0), (Operator::Max, 2.0)] {
            let options = ReduceOptions { dtype: F32, op: op as i32, ..Default::default() };
            run!(gpumex_comm_reduce(at.comm, &options, numbers, N, (&raw mut got).cast()));
            assert_eq!(got, want, "{op:?}");
        }
        let options = DotOptions { dtype: F32, ..Default::default() };
        run!(gpumex_comm_dot(at.comm, &options, numbers, numbers, N, (&raw mut got).cast()));
        assert_eq!(got, 5.0);
        Some(())
    });
}

#[test]
fn scan() {
    on_a_rank(17, |at| {
        let (sums, mut total) = (at.zeros(4 * N)?, 0u32);
        [3, FAR].iter().for_each(|&place| at.put(sums, place, &[1u32]));
        let options = ScanOptions { dtype: U32, kind: ScanKind::Inclusive as i32, ..Default::default() };
        run!(gpumex_comm_scan(at.comm, &options, sums, N, sums, (&raw mut total).cast()));
        assert_eq!((total, at.get(sums, 2), at.get(sums, FAR - 1)), (2, [0u32, 1], [1u32, 2]));
        at.holds(sums, N - 1, [2u32]);
        Some(())
    });
}

/// A device with less than 92 GB sorts half as many, which are more than 2^31.
#[test]
fn sort() {
    on_a_rank(64, |at| {
        let sort = |count| {
            let ((keys, counts), sorted) = (random_keys(at, count)?, at.zeros(count)?);
            let (options, no) = (SortOptions { dtype: U8, ..Default::default() }, null_mut());
            // SAFETY: as many keys each.
            let status = unsafe { gpumex_comm_sort(at.comm, &options, keys, no, count, sorted, no) };
            at.serves(status, &format!("{count} keys of a rank"))?;
            assert_eq!(
                (at.histogram(sorted, count), at.first_unsorted(U8, sorted, count)),
                (counts, count as u64)
            );
            Some(())
        };
        sort(N).or_else(|| sort(N / 2))
    });
}

#[test]
fn life() {
    on_a_rank(4, |at| {
        glider(at, |options, board, [rows, cols], next| {
            run!(gpumex_comm_life(at.comm, options, board, rows, cols, 8, next));
        })
    });
}

#[test]
fn matmul() {
    on_a_rank(2, |at| {
        large_matrix(at, |[m, k], a, x, y| run!(gpumex_comm_matmul(at.comm, null(), m, 1, k, a, x, y)))
    });
}

#[test]
fn words() {
    on_a_rank(17, |at| {
        let text = at.zeros(N)?;
        three_words(at, text, |places, lengths, counts, summary| {
            run!(gpumex_comm_words(at.comm, null(), text, N, 2, places, lengths, counts, summary));
        })
    });
}
