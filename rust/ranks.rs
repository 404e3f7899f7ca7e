//! Life, histograms, matrix products and words on several ranks.

use gpumex_core::comm::Operation;
use gpumex_core::ops;
use gpumex_core::ops::{comm_histogram, comm_life, comm_matmul, comm_words};

use super::array::{in_place, input, output};
use super::life::life_options;
use super::matmul::matmul_options;
use super::text::{Columns, words_options};
use super::{
    Array, ArrayMut, Cell, Communicator, Float, HistogramOptions, LifeOptions, MatmulOptions, Sample, Words,
    WordsOptions,
};
use crate::Result;

const LIFE: (Operation, &str) = (Operation::Life, "life");
const HISTOGRAM: (Operation, &str) = (Operation::Histogram, "histogram");
const MATMUL: (Operation, &str) = (Operation::Matmul, "matmul");
const WORDS: (Operation, &str) = (Operation::Words, "words");

impl Communicator {
    /// next ← the rows of this rank after so many generations of Conway's Life on the board that the rows of all ranks are, those of rank 0 on
    /// top; (rows, cols) are those of this rank.
    ///
    /// ```
    /// use gpumex::{Communicator, Context};
    ///
    /// let contexts = [Context::new()?, Context::new()?];
    /// let blinker = [0, 0, 0, 0, 0,  0, 0, 0, 0, 0,  0, 1, 1, 1, 0,  0, 0, 0, 0, 0,  0, 0, 0, 0, 0];
    /// let mut next = [0u8; 25];
    /// let (upper, lower) = next.split_at_mut(10); // two rows and three
    /// let comms = Communicator::local(&contexts)?;
    /// std::thread::scope(|scope| {
    ///     for (mut comm, (board, next)) in comms.into_iter().zip([(&blinker[..10], upper), (&blinker[10..], lower)]) {
    ///         scope.spawn(move || comm.life(board, (board.len() / 5, 5), 1, next).unwrap());
    ///     }
    /// });
    /// assert_eq!(next, [0, 0, 0, 0, 0,  0, 0, 1, 0, 0,  0, 0, 1, 0, 0,  0, 0, 1, 0, 0,  0, 0, 0, 0, 0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn life<C: Cell>(
        &mut self,
        board: &(impl Array<Elem = C> + ?Sized),
        (rows, cols): (usize, usize),
        generations: u64,
        next: &mut (impl ArrayMut<Elem = C> + ?Sized),
    ) -> Result<()> {
        self.life_with(board, (rows, cols), generations, next, &LifeOptions::new())
    }

    /// As [`Communicator::life`], with options.
    pub fn life_with<C: Cell>(
        &mut self,
        board: &(impl Array<Elem = C> + ?Sized),
        (rows, cols): (usize, usize),
        generations: u64,
        next: &mut (impl ArrayMut<Elem = C> + ?Sized),
        options: &LifeOptions,
    ) -> Result<()> {
        let options = life_options::<C>(options);
        let arguments = Ok((input("board", board), output("next", next)));
        self.call(LIFE, arguments, |ctx, comm, (board, next)| {
            comm_life::life(ctx, comm, &options, (board, rows, cols), generations, next)
        })
    }

    /// As [`Communicator::life_with`], in place.
    pub fn life_in_place<C: Cell>(
        &mut self,
        board: &mut (impl ArrayMut<Elem = C> + ?Sized),
        (rows, cols): (usize, usize),
        generations: u64,
        options: &LifeOptions,
    ) -> Result<()> {
        let options = life_options::<C>(options);
        let arguments = Ok(in_place(["board", "next"], board));
        self.call(LIFE, arguments, |ctx, comm, (board, next)| {
            comm_life::life(ctx, comm, &options, (board, rows, cols), generations, next)
        })
    }

    /// How often each value of a byte occurs on all ranks, on every rank.
    ///
    /// ```
    /// use gpumex::{Communicator, Context};
    ///
    /// let contexts = [Context::new()?, Context::new()?];
    /// let comms = Communicator::local(&contexts)?;
    /// std::thread::scope(|scope| {
    ///     for (mut comm, part) in comms.into_iter().zip([b"hel", b"lo!"]) {
    ///         scope.spawn(move || assert_eq!(comm.histogram(part).unwrap()[b'l' as usize], 2));
    ///     }
    /// });
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn histogram(&mut self, data: &(impl Array<Elem = u8> + ?Sized)) -> Result<Vec<u64>> {
        let mut counts = [0; ops::histogram::BYTE_VALUES];
        self.histogram_with(data, &mut counts, &HistogramOptions::new())?;
        Ok(counts.to_vec())
    }

    /// counts\[k\] ← how many samples of all ranks fall into bin k, on every rank: as [`Context::histogram_with`](crate::Context::histogram_with).
    pub fn histogram_with<T: Sample>(
        &mut self,
        data: &(impl Array<Elem = T> + ?Sized),
        counts: &mut (impl ArrayMut<Elem = u64> + ?Sized),
        options: &HistogramOptions,
    ) -> Result<()> {
        let (len, bins) = (data.len(), options.bins(counts.len()));
        let arguments = Ok((options.of::<T>(), (input("data", data), len), output("counts", counts)));
        self.call(HISTOGRAM, arguments, |ctx, comm, (options, part, counts)| {
            comm_histogram::histogram(ctx, comm, options, part, counts, bins)
        })
    }

    /// sums\[k\] ← the sum of the weights of the samples of all ranks that fall into bin k, on every rank.
    pub fn histogram_weighted<T: Sample, W: Float>(
        &mut self,
        data: &(impl Array<Elem = T> + ?Sized),
        weights: &(impl Array<Elem = W> + ?Sized),
        sums: &mut (impl ArrayMut<Elem = f64> + ?Sized),
        options: &HistogramOptions,
    ) -> Result<()> {
        let (len, bins) = (data.len(), options.bins(sums.len()));
        let weights = Some((input("weights", weights), W::DTYPE));
        let options = ops::histogram::Options { weights, ..options.of::<T>() };
        let arguments = Ok((options, (input("data", data), len), output("counts", sums)));
        self.call(HISTOGRAM, arguments, |ctx, comm, (options, part, sums)| {
            comm_histogram::histogram(ctx, comm, options, part, sums, bins)
        })
    }

    /// This rank's rows of C ← A·B, row-major: A (m, K), B (k, n), C (m, n), m and k those of this rank, K the sum of the k of all ranks.
    ///
    /// `f32` and `f64`; accurate as [`Context::matmul`](crate::Context::matmul).
    ///
    /// ```
    /// use gpumex::{Communicator, Context};
    ///
    /// let contexts = [Context::new()?, Context::new()?];
    /// let (a, b) = ([[1.0f32, 2.0], [3.0, 4.0]], [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]); // a row a rank
    /// let mut c = [[0.0; 3]; 2];
    /// let comms = Communicator::local(&contexts)?;
    /// std::thread::scope(|scope| {
    ///     for ((mut comm, (a, b)), c) in comms.into_iter().zip(a.iter().zip(&b)).zip(&mut c) {
    ///         scope.spawn(move || comm.matmul(a, b, c, (1, 3, 1)).unwrap());
    ///     }
    /// });
    /// assert_eq!(c, [[1.0, 2.0, 3.0], [3.0, 4.0, 7.0]]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn matmul<T: Float>(
        &mut self,
        a: &(impl Array<Elem = T> + ?Sized),
        b: &(impl Array<Elem = T> + ?Sized),
        c: &mut (impl ArrayMut<Elem = T> + ?Sized),
        (m, n, k): (usize, usize, usize),
    ) -> Result<()> {
        self.matmul_with(a, b, c, (m, n, k), &MatmulOptions::new())
    }

    /// This rank's rows of C ← alpha·A·B + beta·C; UNSUPPORTED for column-major, transposed and batched matrices.
    pub fn matmul_with<T: Float>(
        &mut self,
        a: &(impl Array<Elem = T> + ?Sized),
        b: &(impl Array<Elem = T> + ?Sized),
        c: &mut (impl ArrayMut<Elem = T> + ?Sized),
        (m, n, k): (usize, usize, usize),
        options: &MatmulOptions,
    ) -> Result<()> {
        let options = matmul_options::<T>(options);
        let arguments = Ok(((input("A", a), input("B", b)), output("C", c)));
        self.call(MATMUL, arguments, |ctx, comm, (inputs, c)| {
            comm_matmul::matmul(ctx, comm, &options, [m, n, k], inputs, c)
        })
    }

    /// The k most frequent words of a text in UTF-8 distributed over all ranks, on every rank; k is the same on all. Parts may be cut
    /// anywhere; positions are bytes of the whole text.
    ///
    /// ```
    /// use gpumex::{Communicator, Context};
    ///
    /// let contexts = [Context::new()?, Context::new()?];
    /// let comms = Communicator::local(&contexts)?;
    /// std::thread::scope(|scope| {
    ///     for (mut comm, part) in comms.into_iter().zip(["the cat and th", "e dog"]) {
    ///         scope.spawn(move || {
    ///             let words = comm.words(part.as_bytes(), 1).unwrap();
    ///             assert_eq!((words.most_frequent[0].count, words.words, words.distinct), (2, 5, 4));
    ///         });
    ///     }
    /// });
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn words(&mut self, text: &(impl Array<Elem = u8> + ?Sized), k: usize) -> Result<Words> {
        self.words_with(text, k, &WordsOptions::new())
    }

    /// As [`Communicator::words`], with options.
    pub fn words_with(
        &mut self,
        text: &(impl Array<Elem = u8> + ?Sized),
        k: usize,
        options: &WordsOptions,
    ) -> Result<Words> {
        let options = words_options(options);
        let (columns, found) = self.call(WORDS, Columns::of(k), |ctx, comm, mut columns| {
            let part = (input("text", text), text.len());
            let found = comm_words::words(ctx, comm, &options, part, k, columns.list())?;
            Ok((columns, found))
        })?;
        Ok(columns.words(found))
    }
}
