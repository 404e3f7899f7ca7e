//! Matrix product.
//!
//! Source of the variants: RSE-Sheffield, CUDALab03, exercise 1.
#![forbid(unsafe_code)]

use super::complex_matmul::{self, ComplexProduct, Factor, Matrices};
use super::cost;
use super::half_matmul;
use crate::array::{DynView, Element, Footprint, Input, Output, View, ViewMut, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::{Error, Result};
use crate::gpu;
use crate::gpu::matmul::half::Halves;
use crate::model::dtype::Dtype;
pub use crate::model::matmul::MatmulVariant;
use crate::model::matmul::{Layout, Product};
use crate::model::numbered::{NumberedEnum, numbered_enum};

/// Storage order of a matrix.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatmulOrder {
    /// Row-major, as in C.
    #[default]
    Row = 0,
    /// Column-major, as in MATLAB.
    Column = 1,
}

numbered_enum!(MatmulOrder = "gpumex_matmul_order": Row, Column);

/// How one argument lies, beyond its order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Storage {
    /// It is stored transposed.
    pub transposed: bool,
    /// It is conjugated; of complex matrices.
    pub is_conjugate: bool,
    /// Elements from one line (a row, or a column in column order) to the next; 0: the lines touch.
    pub ld: usize,
    /// Elements from one matrix of a batch to the next; 0: the matrices touch.
    pub stride: usize,
    /// All products of a batch take one and the same matrix.
    pub same: bool,
}

/// Options of [`matmul`]; the default is f32, row-major, one product.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: MatmulVariant,
    /// F32 where it is not set.
    pub dtype: Dtype,
    /// Of C, where it is another one: F32 with F16 and BF16.
    pub dtype_c: Dtype,
    pub order: MatmulOrder,
    pub a: Storage,
    pub b: Storage,
    pub c: Storage,
    /// How many products; 0 is 1.
    pub batch: usize,
    /// Real and imaginary part, which is 0 of real dtypes. None: 1.
    pub alpha: Option<Factor>,
    /// None: 0.
    pub beta: Option<Factor>,
}

/// C ← alpha·op(A)·op(B) + beta·C, for each product of a batch.
///
/// op(A) (m,k), op(B) (k,n), C (m,n), all of one order and dtype, accumulated in that dtype; F16 and BF16 are accumulated in f32, and C
/// may be f32. op is the transpose where A or B is stored transposed. As in the BLAS, beta = 0 does not read C, alpha = 0 or k = 0
/// reads neither A nor B, and what lies between the lines of C stays as it is. alpha and beta are rounded to the dtype of the sums.
///
/// Accuracy: |C − exact| ≤ γ (|alpha| |A||B| + |beta| |C|) elementwise, γ = ju/(1 − ju), j = k + 2, with TENSOR (also by AUTO) k + 10,
/// u = 2⁻²⁴ (f32) or 2⁻⁵³ (f64); N. Higham, "Accuracy and Stability of Numerical Algorithms", §3.5. TF32: u + 2⁻¹⁰ in place of the first u.
/// F16 and BF16: j = 2k + 10, u = 2⁻²⁴, and the rounding of C to its dtype.
/// Infinity, NaN and numbers whose sums overflow come out as a plain product has them, but for TF32, which keeps infinity and NaN alone.
/// Errors: INVALID_ARGUMENT (size, ld, stride, overlap), UNSUPPORTED (dtype, variant), OUT_OF_MEMORY, CUDA.
#[allow(clippy::too_many_arguments)] // three sizes and three matrices, as everyone writes it
pub fn matmul(
    ctx: &mut Context,
    options: &Options,
    m: usize,
    n: usize,
    k: usize,
    a: Input,
    b: Input,
    c: Output,
) -> Result<()> {
    ctx.begin();
    let dtype = options.dtype.or(Dtype::F32);
    check_dtype_of_c(dtype, options.dtype_c)?;
    match dtype {
        Dtype::F32 => multiply::<f32>(ctx, options, [m, n, k], a, b, c),
        Dtype::F64 => multiply::<f64>(ctx, options, [m, n, k], a, b, c),
        Dtype::F16 | Dtype::Bf16 => multiply_halves(ctx, options, dtype, [m, n, k], a, b, c),
        Dtype::C64 | Dtype::C128 => multiply_complex(ctx, options, dtype, [m, n, k], a, b, c),
        other => super::dtypes::unsupported("dtype", other, "F32, F64, F16, BF16, C64 and C128"),
    }
}

/// Refuses a dtype of C that the product of this dtype does not have.
pub(super) fn check_dtype_of_c(dtype: Dtype, of_c: Dtype) -> Result<()> {
    let is_half = matches!(dtype, Dtype::F16 | Dtype::Bf16);
    if of_c == Dtype::None || of_c == dtype || is_half && of_c == Dtype::F32 {
        return Ok(());
    }
    let others = if is_half { " or GPUMEX_DTYPE_F32" } else { "" };
    Err(Error::unsupported(format!(
        "options.dtype_c is {}; with options.dtype {name} it is {name}{others}",
        of_c.c_name(),
        name = dtype.c_name(),
    )))
}

fn multiply<T: Element + cpu::Float + gpu::Float + Into<f64>>(
    ctx: &mut Context,
    options: &Options,
    [m, n, k]: [usize; 3],
    a: Input,
    b: Input,
    c: Output,
) -> Result<()> {
    check_rounds_float(options.variant, T::DTYPE)?;
    let batch = options.batch.max(1);
    let factors = [options.alpha.unwrap_or([1.0, 0.0]), options.beta.unwrap_or_default()];
    let [alpha, beta] = factors.map(|factor| T::from_f64(factor[0]).into());
    let order = options.order;
    let [of_a, of_b, of_c] = stored(options, [m, n, k], batch)?;

    let c = c.view::<T>(&[of_c.extent])?;
    let has_terms = k > 0 && alpha != 0.0;
    let (a_extent, b_extent) = if has_terms { (of_a.extent, of_b.extent) } else { (0, 0) };
    let (a, b) = (a.view::<T>(&[a_extent])?, b.view::<T>(&[b_extent])?);
    c.apart(&a)?;
    c.apart(&b)?;
    if c.is_empty() {
        return Ok(());
    }
    // A column-major product is the row-major product of the transposes, in the other order: Cᵀ = op(B)ᵀ·op(A)ᵀ.
    let (m, n, of_a, of_b, a, b) = match order {
        MatmulOrder::Row => (m, n, of_a, of_b, a, b),
        MatmulOrder::Column => (n, m, of_b, of_a, b, a),
    };
    let product = Product { m, n, k, batch, a: of_a.layout, b: of_b.layout, c: of_c.layout, alpha, beta };
    let arrays = Footprint::of(&[&a, &b, &c]);
    let work = cost::MATMUL.of_units(options.variant, arrays, product.work());
    ctx.run_auto(work, |engine| product_of::<T>(engine, options.variant, &product, a, b, c))
}

/// A product of matrices whose sizes were checked.
pub(super) fn product_of<T: Element + cpu::Float + gpu::Float>(
    engine: &Engine,
    variant: MatmulVariant,
    product: &Product,
    a: View<T>,
    b: View<T>,
    mut c: ViewMut<T>,
) -> Result<()> {
    match engine.select(variant)? {
        Engine::Cpu(workers) => match variant {
            MatmulVariant::Sequential => {
                cpu::matmul::sequential(workers, product, a.on_host()?, b.on_host()?, c.on_host()?)
            }
            MatmulVariant::Cublas => Err(Error::unsupported(
                "options.variant is GPUMEX_MATMUL_VARIANT_CUBLAS, NVIDIA's library for the GPU; this context runs on the CPU backend",
            )),
            _ => cpu::matmul::matmul(workers, product, a.on_host()?, b.on_host()?, c.on_host()?),
        },
        Engine::Cuda(device) => gpu::matmul::matmul(device, variant, product, a, b, c),
    }
}

fn multiply_halves(
    ctx: &mut Context,
    options: &Options,
    dtype: Dtype,
    sizes: [usize; 3],
    a: Input,
    b: Input,
    c: Output,
) -> Result<()> {
    check_rounds_float(options.variant, dtype)?;
    let [alpha, beta] =
        [options.alpha.map_or(1.0, |alpha| alpha[0]), options.beta.map_or(0.0, |beta| beta[0])]
            .map(|factor| f64::from(factor as f32));
    let dtypes = [dtype, options.dtype_c.or(dtype)];
    let Some(given) = given(options, dtypes, sizes, alpha != 0.0, a, b, c)? else { return Ok(()) };
    let Given { sizes, matrices: Matrices { a, b, c }, arrays } = given;
    let product = Product { alpha, beta, ..sizes };
    let work = cost::MATMUL.of_units(options.variant, arrays, product.work());
    ctx.run_auto(work, |engine| half_matmul::multiply(engine, options.variant, &product, Halves { a, b, c }))
}

fn multiply_complex(
    ctx: &mut Context,
    options: &Options,
    dtype: Dtype,
    sizes: [usize; 3],
    a: Input,
    b: Input,
    c: Output,
) -> Result<()> {
    check_rounds_float(options.variant, dtype)?;
    let rounded = |part: f64| if dtype == Dtype::C64 { f64::from(part as f32) } else { part };
    let alpha = options.alpha.unwrap_or([1.0, 0.0]).map(rounded);
    let beta = options.beta.unwrap_or_default().map(rounded);
    let Some(given) = given(options, [dtype; 2], sizes, alpha != [0.0; 2], a, b, c)? else { return Ok(()) };
    let Given { sizes, matrices, arrays } = given;
    let mut conjugates = [options.a.is_conjugate, options.b.is_conjugate];
    if options.order == MatmulOrder::Column {
        conjugates.reverse();
    }
    let product = ComplexProduct { sizes, conjugates, alpha, beta };
    let work = cost::MATMUL_COMPLEX.of_units(options.variant, arrays, product.sizes.work());
    ctx.run_auto(work, |engine| complex_matmul::multiply(engine, options.variant, &product, matrices))
}

/// What a product is given, as a row-major one with the factors 1 and 0.
struct Given<'a> {
    sizes: Product,
    matrices: Matrices<'a>,
    arrays: Footprint,
}

/// Checks matrices of these dtypes, the second one that of C; None where C is empty. A and B are not read without terms.
fn given<'a>(
    options: &Options,
    [dtype, dtype_c]: [Dtype; 2],
    [m, n, k]: [usize; 3],
    has_alpha: bool,
    a: Input<'a>,
    b: Input<'a>,
    c: Output<'a>,
) -> Result<Option<Given<'a>>> {
    let batch = options.batch.max(1);
    let [of_a, of_b, of_c] = stored(options, [m, n, k], batch)?;
    let (a_extent, b_extent) = if k > 0 && has_alpha { (of_a.extent, of_b.extent) } else { (0, 0) };
    let c = c.view_of(dtype_c, &[of_c.extent])?;
    let (a, b): (DynView, DynView) = (a.view_of(dtype, &[a_extent])?, b.view_of(dtype, &[b_extent])?);
    let arrays = all_apart(&[&c], &[&a, &b])?;
    if c.is_empty() {
        return Ok(None);
    }
    let (m, n, of_a, of_b, a, b) = match options.order {
        MatmulOrder::Row => (m, n, of_a, of_b, a, b),
        MatmulOrder::Column => (n, m, of_b, of_a, b, a),
    };
    let (a_layout, b_layout, c_layout) = (of_a.layout, of_b.layout, of_c.layout);
    let sizes = Product { m, n, k, batch, a: a_layout, b: b_layout, c: c_layout, alpha: 1.0, beta: 0.0 };
    Ok(Some(Given { sizes, matrices: Matrices { a, b, c }, arrays }))
}

/// TF32 is of float, or of pairs of them.
fn check_rounds_float(variant: MatmulVariant, dtype: Dtype) -> Result<()> {
    match variant == MatmulVariant::Tf32 && !matches!(dtype, Dtype::F32 | Dtype::C64) {
        false => Ok(()),
        true => Err(Error::unsupported(format!(
            "options.variant is GPUMEX_MATMUL_VARIANT_TF32, which rounds float; options.dtype is {}",
            dtype.c_name()
        ))),
    }
}

/// A, B and C as they are stored; refuses matrices of C that overlap.
fn stored(options: &Options, [m, n, k]: [usize; 3], batch: usize) -> Result<[Stored; 3]> {
    let of_a = Stored::new("A", "a", options.order, [m, k], options.a, batch)?;
    let of_b = Stored::new("B", "b", options.order, [k, n], options.b, batch)?;
    let of_c = Stored::new("C", "c", options.order, [m, n], options.c, batch)?;
    of_c.check_apart(batch)?;
    Ok([of_a, of_b, of_c])
}

/// The matrices of one argument as they are stored.
struct Stored {
    letter: &'static str,
    layout: Layout,
    lines: usize,
    length: usize, // of a line
    extent: usize, // elements from the first to the last of all
}

impl Stored {
    /// Those of an argument whose op() is `rows` x `cols`.
    fn new(
        name: &str,
        letter: &'static str,
        order: MatmulOrder,
        [rows, cols]: [usize; 2],
        storage: Storage,
        batch: usize,
    ) -> Result<Stored> {
        let is_turned = storage.transposed != (order == MatmulOrder::Column);
        let (lines, length) = if is_turned { (cols, rows) } else { (rows, cols) };
        if storage.ld != 0 && storage.ld < length {
            let line = if order == MatmulOrder::Row { "row" } else { "column" };
            return Err(Error::invalid(format!(
                "ld{letter} is {}; a {line} of {name} as stored has {length} elements",
                storage.ld
            )));
        }
        let ld = if storage.ld == 0 { length } else { storage.ld };
        let stride = match (storage.same, storage.stride) {
            (true, _) => Some(0),
            (false, 0) => lines.checked_mul(ld),
            (false, stride) => Some(stride),
        };
        let layout = stride.map(|stride| Layout { transposed: storage.transposed, ld, stride });
        let extent = layout.and_then(|layout| layout.extent(batch, lines, length));
        match (layout, extent) {
            (Some(layout), Some(extent)) => Ok(Stored { letter, layout, lines, length, extent }),
            _ => Err(Error::invalid(format!(
                "{name} of {batch} x {lines} x {length} elements, {ld} from line to line, ends beyond the address space"
            ))),
        }
    }

    /// Refuses matrices of a batch that overlap.
    fn check_apart(&self, batch: usize) -> Result<()> {
        let one = self.layout.extent(1, self.lines, self.length).unwrap_or(usize::MAX);
        match batch > 1 && self.layout.stride < one {
            true => Err(Error::invalid(format!(
                "stride_{letter} is {}; a matrix of {name} has {one} elements from its first to its last",
                self.layout.stride,
                letter = self.letter,
                name = self.letter.to_uppercase(),
            ))),
            false => Ok(()),
        }
    }
}
