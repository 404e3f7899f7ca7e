//! A product with all that options can ask for, in buffers whose gaps are poison.

use gpumex::ffi::{MatmulOptions, gpumex_matmul};
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::ops::matmul::{MatmulOrder, MatmulVariant};

use super::oracle::{Bound, Exact, assert_within_bound};
use super::ways::bound_of;
use crate::common::*;

/// How the matrices of one argument lie.
#[derive(Clone, Copy, Debug)]
pub struct Storage {
    pub transposed: bool,
    /// Elements from one line to the next beyond those of a line; None: the option is left 0.
    pub line_gap: Option<usize>,
    /// Elements from one matrix to the next beyond those of a matrix; None: likewise.
    pub matrix_gap: Option<usize>,
    /// One matrix for all products.
    pub same: bool,
}

impl Storage {
    pub const TIGHT: Storage = Storage { transposed: false, line_gap: None, matrix_gap: None, same: false };
}

/// C ← alpha·op(A)·op(B) + beta·C, `batch` times.
#[derive(Clone, Debug)]
pub struct Problem {
    pub size: [usize; 3],
    pub order: MatmulOrder,
    pub batch: usize,
    pub a: Storage,
    pub b: Storage,
    pub c: Storage,
    /// alpha and beta; None: both are NULL.
    pub scale: Option<[f64; 2]>,
    pub kinds: [Kind; 3],
    pub seed: u64,
}

/// An argument's elements, by product, row and column.
#[derive(Clone, Copy)]
pub struct Places {
    lines: usize,
    length: usize,
    is_turned: bool,
    ld: usize,
    stride: usize,
    count: usize,
}

impl Places {
    pub fn new(order: MatmulOrder, storage: Storage, [rows, cols]: [usize; 2], batch: usize) -> Places {
        let is_turned = storage.transposed != (order == MatmulOrder::Column);
        let (lines, length) = if is_turned { (cols, rows) } else { (rows, cols) };
        let ld = length + storage.line_gap.unwrap_or(0);
        let stride = if storage.same { 0 } else { lines * ld + storage.matrix_gap.unwrap_or(0) };
        Places { lines, length, is_turned, ld, stride, count: if storage.same { 1 } else { batch } }
    }

    pub fn of(&self, product: usize, row: usize, col: usize) -> usize {
        let (line, at) = if self.is_turned { (col, row) } else { (row, col) };
        product * self.stride + line * self.ld + at
    }

    /// Elements from the first to the last one.
    pub fn extent(&self) -> usize {
        match self.count * self.lines * self.length {
            0 => 0,
            _ => (self.count - 1) * self.stride + (self.lines - 1) * self.ld + self.length,
        }
    }

    /// Calls `visit` with the place of every element.
    pub fn each(&self, mut visit: impl FnMut(usize)) {
        for product in 0..self.count {
            for line in 0..self.lines {
                for at in 0..self.length {
                    visit(product * self.stride + line * self.ld + at);
                }
            }
        }
    }
}

impl Problem {
    /// Poison with random numbers in the places of elements.
    fn filled<T: Real>(places: &Places, random: &mut impl RngExt) -> Vec<T> {
        let mut buffer = vec![T::POISON; places.extent()];
        places.each(|place| buffer[place] = T::from_f64(random.random_range(-1.0..1.0)));
        buffer
    }

    /// Every element of every product is within the bound, and nothing else of C is written.
    #[track_caller]
    pub fn check<T: Real>(&self, ctx: &Context, variant: MatmulVariant) {
        let [m, n, k] = self.size;
        let what = format!("{:?}, {variant:?}, {:?}, {self:?}", ctx.backend, T::DTYPE);
        let places = |storage, size| Places::new(self.order, storage, size, self.batch);
        let (in_a, in_b) = (places(self.a, [m, k]), places(self.b, [k, n]));
        let in_c = places(self.c, [m, n]);
        let [alpha, beta] = self.scale.unwrap_or([1.0, 0.0]).map(|factor| T::from_f64(factor).to_f64());
        let mut random = random(self.seed);
        let (a, b) = (Problem::filled::<T>(&in_a, &mut random), Problem::filled::<T>(&in_b, &mut random));
        let c = match beta == 0.0 {
            true => vec![T::POISON; in_c.extent()], // a NaN, which must not be read
            false => Problem::filled::<T>(&in_c, &mut random),
        };

        let mut from_a = Placed::holding(ctx, self.kinds[0], &a);
        let mut from_b = Placed::holding(ctx, self.kinds[1], &b);
        let mut to = Placed::holding(ctx, self.kinds[2], &c);
        let options = self.options(variant, T::DTYPE, &in_a, &in_b, &in_c);
        // SAFETY: the arrays reach from the first to the last element that the options describe.
        let status = unsafe {
            gpumex_matmul(ctx.handle, &options, m, n, k, from_a.as_ptr(), from_b.as_ptr(), to.as_mut_ptr())
        };
        ok(status, &what);
        let after = to.written();

        let mut untouched: Vec<bool> = vec![true; after.len()];
        in_c.each(|place| untouched[place] = false);
        for (place, _) in untouched.iter().enumerate().filter(|(_, untouched)| **untouched) {
            assert_eq!(
                after[place].bits(),
                c[place].bits(),
                "{what}: element {place} lies between rows of C"
            );
        }
        let bound: Bound = bound_of::<T>(ctx, variant, k);
        for product in 0..self.batch {
            let element = |i: usize, j: usize| {
                let sum = (0..k).fold(Exact::default(), |sum, l| {
                    let (x, y) = (a[in_a.of(product, i, l)], b[in_b.of(product, l, j)]);
                    sum.add(x.to_f64(), y.to_f64())
                });
                let before = if beta == 0.0 { 0.0 } else { c[in_c.of(product, i, j)].to_f64() };
                if alpha == 0.0 {
                    Exact::default().add(beta, before)
                } else {
                    sum.times(alpha).add(beta, before)
                }
            };
            let indices = || (0..m * n).map(|index| (index / n, index % n));
            let exact: Vec<Exact> = indices().map(|(i, j)| element(i, j)).collect();
            let got: Vec<T> = indices().map(|(i, j)| after[in_c.of(product, i, j)]).collect();
            assert_within_bound(&got, &exact, n, &bound, &format!("{what}, product {product}"));
        }
    }

    pub fn options(
        &self,
        variant: MatmulVariant,
        dtype: Dtype,
        a: &Places,
        b: &Places,
        c: &Places,
    ) -> MatmulOptions {
        let ld = |storage: Storage, places: &Places| storage.line_gap.map_or(0, |_| places.ld);
        let stride = |storage: Storage, places: &Places| storage.matrix_gap.map_or(0, |_| places.stride);
        let factor = |at: usize| self.scale.as_ref().map_or(std::ptr::null(), |scale| &raw const scale[at]);
        MatmulOptions {
            variant: variant as i32,
            dtype: dtype as i32,
            order: self.order as i32,
            trans_a: self.a.transposed.into(),
            trans_b: self.b.transposed.into(),
            lda: ld(self.a, a),
            ldb: ld(self.b, b),
            ldc: ld(self.c, c),
            batch: if self.batch == 1 { 0 } else { self.batch },
            stride_a: stride(self.a, a),
            stride_b: stride(self.b, b),
            stride_c: stride(self.c, c),
            alpha: factor(0),
            beta: factor(1),
            same_a: self.a.same.into(),
            same_b: self.b.same.into(),
            ..MatmulOptions::default()
        }
    }

    /// Any problem with extents of at most `longest`.
    pub fn any(random: &mut impl RngExt, longest: usize, kinds: &[Kind]) -> Problem {
        let mut extent = || {
            let extent: f64 = random.random_range(0.0..1.0);
            (extent * extent * extent * (longest as f64 + 1.0)) as usize // small ones more often
        };
        let size = [extent(), extent(), extent()];
        let mut one_in = |chances: u32| random.random_range(0..chances) == 0;
        let order = if one_in(2) { MatmulOrder::Row } else { MatmulOrder::Column };
        let is_batch = one_in(4);
        let is_scaled = one_in(2);
        let batch = if is_batch { random.random_range(1..6) } else { 1 };
        let mut storage = |is_c: bool| Storage {
            transposed: !is_c && random.random_range(0..2) == 0,
            line_gap: (random.random_range(0..2) == 0).then(|| random.random_range(0..9)),
            matrix_gap: (random.random_range(0..2) == 0).then(|| random.random_range(1..30)),
            same: !is_c && is_batch && random.random_range(0..3) == 0,
        };
        let (a, b, c) = (storage(false), storage(false), storage(true));
        let mut factor = || [0.0, 1.0, -1.0, 0.5, 1.7, -2.3][random.random_range(0..6)];
        let scale = is_scaled.then(|| [factor(), factor()]);
        let mut kind = || kinds[random.random_range(0..kinds.len())];
        let kinds = [kind(), kind(), kind()];
        Problem { size, order, batch, a, b, c, scale, kinds, seed: random.random_range(0..u64::MAX) }
    }

    /// One product of tight matrices in ordinary memory.
    pub fn plain(size: [usize; 3]) -> Problem {
        Problem {
            size,
            order: MatmulOrder::Row,
            batch: 1,
            a: Storage::TIGHT,
            b: Storage::TIGHT,
            c: Storage::TIGHT,
            scale: None,
            kinds: [None; 3],
            seed: 20,
        }
    }
}

/// Memory of every kind that a context has.
pub fn kinds_of(ctx: &Context) -> &'static [Kind] {
    match ctx.backend {
        gpumex::platform::settings::Backend::Cuda => &EVERYWHERE,
        _ => &[None, Some(MemoryKind::Pinned)],
    }
}
