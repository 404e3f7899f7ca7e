//! Conway's Life, and patterns of it as texts.

use gpumex_core::model::life::Rule;
use gpumex_core::ops;
use gpumex_core::ops::life::LifeCells;
use gpumex_core::ops::pattern::{Head, Layout};

use super::array::{in_place, input, output, zeroed};
use super::context::fenced;
use super::options::options;
use super::{Array, ArrayMut, Context, Element, LifeBoundary, LifeVariant, PatternFormat};
use crate::{Error, Result};

/// The cells of a board: a byte each, 0 or another value, or bits.
///
/// A board of `u64` has a bit a cell: each row is padded to whole words, and bit b of word w is column 64·w + b.
pub trait Cell: Element {
    #[doc(hidden)]
    const CELLS: LifeCells;
}

impl Cell for u8 {
    const CELLS: LifeCells = LifeCells::Bytes;
}

impl Cell for u64 {
    const CELLS: LifeCells = LifeCells::Bits;
}

options! {
    /// Options of [`Context::life_with`].
    LifeOptions {
        /// How it is computed.
        variant: LifeVariant,
        /// What lies outside the board; else the edge cell nearest to it.
        boundary: LifeBoundary,
        /// The rule in B/S notation; else "B3/S23".
        rule: Option<&'static str>,
    }
}

impl Context {
    /// next ← the board (rows, cols) after so many generations of Conway's Life; outside of it lies the edge cell nearest to it.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let blinker = [0, 0, 0, 0, 0,  0, 0, 0, 0, 0,  0, 1, 1, 1, 0,  0, 0, 0, 0, 0,  0, 0, 0, 0, 0];
    /// let mut next = [0u8; 25];
    /// ctx.life(&blinker, (5, 5), 1, &mut next)?;
    /// assert_eq!(next, [0, 0, 0, 0, 0,  0, 0, 1, 0, 0,  0, 0, 1, 0, 0,  0, 0, 1, 0, 0,  0, 0, 0, 0, 0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn life<C: Cell>(
        &self,
        board: &(impl Array<Elem = C> + ?Sized),
        (rows, cols): (usize, usize),
        generations: u64,
        next: &mut (impl ArrayMut<Elem = C> + ?Sized),
    ) -> Result<()> {
        self.life_with(board, (rows, cols), generations, next, &LifeOptions::new())
    }

    /// As [`Context::life`], with options.
    pub fn life_with<C: Cell>(
        &self,
        board: &(impl Array<Elem = C> + ?Sized),
        (rows, cols): (usize, usize),
        generations: u64,
        next: &mut (impl ArrayMut<Elem = C> + ?Sized),
        options: &LifeOptions,
    ) -> Result<()> {
        let options = life_options::<C>(options);
        self.call("life", |ctx| {
            ops::life::life(
                ctx,
                &options,
                input("board", board),
                rows,
                cols,
                generations,
                output("next", next),
            )
        })
    }

    /// As [`Context::life_with`], in place.
    ///
    /// ```
    /// use gpumex::{Context, LifeBoundary, LifeOptions};
    ///
    /// let ctx = Context::new()?;
    /// let mut board = ctx.array(&[0u8, 0, 0, 0,  1, 1, 1, 0,  0, 0, 0, 0,  0, 0, 0, 0])?;
    /// let dead = LifeOptions::new().boundary(LifeBoundary::Dead);
    /// ctx.life_in_place(&mut board, (4, 4), 1, &dead)?;
    /// assert_eq!(board.to_vec()?, [0, 1, 0, 0,  0, 1, 0, 0,  0, 1, 0, 0,  0, 0, 0, 0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn life_in_place<C: Cell>(
        &self,
        board: &mut (impl ArrayMut<Elem = C> + ?Sized),
        (rows, cols): (usize, usize),
        generations: u64,
        options: &LifeOptions,
    ) -> Result<()> {
        let options = life_options::<C>(options);
        self.call("life", |ctx| {
            let (board, next) = in_place(["board", "next"], board);
            ops::life::life(ctx, &options, board, rows, cols, generations, next)
        })
    }
}

/// As the operation takes them.
pub(super) fn life_options<C: Cell>(options: &LifeOptions) -> ops::life::Options<'static> {
    let &LifeOptions { variant, boundary, rule } = options;
    ops::life::Options { variant, boundary, cells: C::CELLS, rule, small_in_cluster: false }
}

/// What a text says of its pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The format of the text; to write, AUTO is RLE.
    pub format: PatternFormat,
    /// The rule in B/S notation; to write, "" is "B3/S23".
    pub rule: String,
    /// TORUS or DEAD where the rule ends with `:T` or `:P`, else CLAMP.
    pub boundary: LifeBoundary,
    /// The name; one line.
    pub name: String,
    /// Row and column of the upper left cell where the text states them.
    pub origin: (i64, i64),
    /// Rows and columns; not used to write.
    pub size: (usize, usize),
    /// Rows and columns of the board that the rule states after `:T` or `:P`, else 0; not used to write.
    pub board: (usize, usize),
    /// Live cells; not used to write.
    pub population: u64,
}

impl Pattern {
    /// What a text, RLE or Life 1.06, says of its pattern.
    ///
    /// ```
    /// use gpumex::Pattern;
    ///
    /// let text = "x = 3, y = 3, rule = B3/S23\nbob$2bo$3o!";
    /// let pattern = Pattern::inspect(text)?;
    /// assert_eq!((pattern.size, pattern.population), ((3, 3), 5));
    ///
    /// let mut board = [0u8; 16];
    /// Pattern::read(text, (0, 1), &mut board, (4, 4))?;
    /// assert_eq!(board, [0, 0, 1, 0,  0, 0, 0, 1,  0, 1, 1, 1,  0, 0, 0, 0]);
    /// assert!(pattern.write(&board, (4, 4))?.ends_with("2bo$3bo$b3o!\n"));
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn inspect(text: &str) -> Result<Pattern> {
        let bytes = text.as_bytes();
        fenced("inspect", || {
            let text = input("text", bytes);
            let (found, population) = ops::pattern::inspect(&text, bytes.len())?;
            let [row, col] = found.origin;
            let [board_rows, board_cols] = found.board;
            Ok(Pattern {
                format: found.format,
                rule: found.rule.to_string(),
                boundary: found.boundary,
                name: String::from_utf8_lossy(found.name).into_owned(),
                origin: (row, col),
                size: (found.rows, found.cols),
                board: (board_rows, board_cols),
                population,
            })
        })
    }

    /// board (rows, cols) ← the pattern of a text with its upper left cell at `(row, col)`, dead cells around it.
    pub fn read<C: Cell>(
        text: &str,
        (row, col): (usize, usize),
        board: &mut [C],
        (rows, cols): (usize, usize),
    ) -> Result<()> {
        let (bytes, layout) = (text.as_bytes(), Layout { cells: C::CELLS, rows, cols });
        fenced("read", || {
            let text = input("text", bytes);
            ops::pattern::read(&text, bytes.len(), [row, col], output("board", board), layout)
        })
    }

    /// A board (rows, cols) as text, after what this says of it.
    pub fn write<C: Cell>(&self, board: &[C], (rows, cols): (usize, usize)) -> Result<String> {
        let layout = Layout { cells: C::CELLS, rows, cols };
        fenced("write", || {
            let head = Head {
                format: self.format,
                rule: if self.rule.is_empty() { Rule::LIFE } else { Rule::parse(&self.rule)? },
                boundary: self.boundary,
                origin: [self.origin.0, self.origin.1],
                name: self.name.as_bytes(),
            };
            let mut text: Vec<u8> = Vec::new();
            let bytes =
                ops::pattern::write(&head, &input("board", board), layout, output("text", &mut text), 0)?;
            text = zeroed(bytes)?;
            ops::pattern::write(&head, &input("board", board), layout, output("text", &mut text), bytes)?;
            text.pop(); // the NUL of C
            String::from_utf8(text).map_err(|_| Error::invalid("the name is not UTF-8 text"))
        })
    }
}
