//! Arrays as text, and the words of texts.

use std::io::Write;

use gpumex_core::ops;
use gpumex_core::ops::print::Printing;
use gpumex_core::ops::words::{List, Summary, WordsEncoding};

use super::array::{input, output, zeroed};
use super::options::options;
use super::{Array, Context, Element, Variant};
use crate::{Error, Result, Status};

options! {
    /// Options of [`Context::words_with`].
    WordsOptions {
        /// How it is computed.
        variant: Variant,
        /// The encoding of the text; else UTF-8.
        encoding: WordsEncoding,
        /// Words that differ in case alone are one.
        fold: bool,
    }
}

/// A word of a text: where it first begins, and how often it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The byte where it first begins.
    pub position: usize,
    /// Its bytes there.
    pub len: usize,
    /// How often it occurs.
    pub count: u64,
}

/// The words of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Words {
    /// The most frequent ones, in descending order of their counts, and of equal counts the one that occurs first.
    pub most_frequent: Vec<Word>,
    /// How many words the text has.
    pub words: u64,
    /// How many of them differ.
    pub distinct: u64,
}

impl Context {
    /// The k most frequent words of a text in UTF-8.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let text = "the cat and the dog";
    /// let words = ctx.words(text.as_bytes(), 1)?;
    /// let most = words.most_frequent[0];
    /// assert_eq!((&text[most.position..][..most.len], most.count), ("the", 2));
    /// assert_eq!((words.words, words.distinct), (5, 4));
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn words(&self, text: &(impl Array<Elem = u8> + ?Sized), k: usize) -> Result<Words> {
        self.words_with(text, k, &WordsOptions::new())
    }

    /// As [`Context::words`], with options.
    pub fn words_with(
        &self,
        text: &(impl Array<Elem = u8> + ?Sized),
        k: usize,
        options: &WordsOptions,
    ) -> Result<Words> {
        let (options, k) = (words_options(options), k.min(text.len()));
        let mut columns = Columns::of(k)?;
        let found = self.call("words", |ctx| {
            ops::words::words(ctx, &options, input("text", text), text.len(), k, columns.list())
        })?;
        Ok(columns.words(found))
    }

    /// The elements of an array as text: each in a `printf` format of C for one number, `columns` to a line, after the
    /// position of its first one.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// assert_eq!(ctx.print(&[1.5, 2.0, 3.25], "%6.2f", 2)?, "    0:    1.50   2.00 \n    2:    3.25 \n");
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn print<T: Element>(
        &self,
        array: &(impl Array<Elem = T> + ?Sized),
        format: &str,
        columns: usize,
    ) -> Result<String> {
        let mut text = Vec::new();
        self.print_to(array, format, columns, &mut text)?;
        String::from_utf8(text).map_err(|_| Error::invalid("print: the format is not UTF-8 text"))
    }

    /// As [`Context::print`], line by line to a writer; its failure is CANCELLED.
    pub fn print_to<T: Element>(
        &self,
        array: &(impl Array<Elem = T> + ?Sized),
        format: &str,
        columns: usize,
        mut out: impl Write,
    ) -> Result<()> {
        let (array, count, format) = (input("array", array), array.len(), format.as_bytes());
        let printing = Printing { dtype: T::DTYPE, array, count, format, columns };
        let write = |row: &[u8]| {
            out.write_all(row)
                .map_err(|error| Error::new(Status::Cancelled, format!("the writer failed: {error}")))
        };
        self.call("print", |ctx| ops::print::print_rows(ctx, &printing, write))
    }
}

/// As the operation takes them.
pub(super) fn words_options(&WordsOptions { variant, encoding, fold }: &WordsOptions) -> ops::words::Options {
    ops::words::Options { variant, encoding, fold }
}

/// Where the words of a text go.
pub(super) struct Columns {
    positions: Vec<u64>,
    lengths: Vec<u64>,
    counts: Vec<u64>,
}

impl Columns {
    /// Room for k words.
    pub fn of(k: usize) -> Result<Columns> {
        Ok(Columns { positions: zeroed(k)?, lengths: zeroed(k)?, counts: zeroed(k)? })
    }

    pub fn list(&mut self) -> List<'_> {
        List {
            positions: output("positions", &mut self.positions),
            lengths: output("lengths", &mut self.lengths),
            counts: output("counts", &mut self.counts),
        }
    }

    /// What was found, and how many words are listed.
    pub fn words(self, (summary, listed): (Summary, u64)) -> Words {
        let numbers = self.positions.into_iter().zip(self.lengths).zip(self.counts).take(listed as usize);
        let word = |((position, len), count): ((u64, u64), u64)| Word {
            position: position as usize, // both are below the length of the text
            len: len as usize,
            count,
        };
        Words { most_frequent: numbers.map(word).collect(), words: summary.words, distinct: summary.distinct }
    }
}
