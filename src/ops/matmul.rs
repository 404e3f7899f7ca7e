//! Matrix product.
//!
//! Source of the variants: RSE-Sheffield, CUDALab03, exercise 1.
#![forbid(unsafe_code)]

use std::sync::Once;

use crate::array::{Element, Input, Output};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::{Error, Result};
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::matmul::{Layout, Product};
use crate::model::numbered::Choice;
use crate::platform::fork;

/// How `gpumex_matmul` computes. All but TF32 meet the same error bound, and no two need to agree to the last bit. The CPU backend
/// computes NAIVE to TF32 as AUTO.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatmulVariant {
    /// The best one whose error is no larger than that of a plain product in the dtype.
    #[default]
    Auto = 0,
    /// The plain triple loop, on one core; CPU backend only.
    Sequential = 1,
    /// One thread an element of C, operands from global memory.
    Naive = 2,
    /// Square tiles of A and B in shared memory; the tuning "matmul_blocked" has their size.
    Blocked = 3,
    /// Tiles in registers; F64 on tensor cores, which round as the others do.
    Tiled = 4,
    /// F32 on tensor cores, each number as three parts of 8 bits; F64 as TILED. Compute capability 8.0 or later.
    Tensor = 5,
    /// F32 on tensor cores, operands rounded to 11 bits: fast, with a thousandfold error. Compute capability 8.0 or later.
    Tf32 = 6,
    /// NVIDIA's cuBLAS, when the process can load it; CUDA backend only.
    Cublas = 7,
}

/// Element type of a matrix product.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatmulDtype {
    /// float
    #[default]
    F32 = 0,
    /// double
    F64 = 1,
    /// IEEE half
    F16 = 2,
    /// bfloat16
    Bf16 = 3,
}

/// Order of the elements of a matrix.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatmulOrder {
    /// Row after row, as in C.
    #[default]
    Row = 0,
    /// Column after column, as in MATLAB.
    Column = 1,
}

impl Choice for MatmulVariant {
    const NAME: &'static str = "gpumex_matmul_variant";
    const ALL: &'static [Self] = &[
        Self::Auto,
        Self::Sequential,
        Self::Naive,
        Self::Blocked,
        Self::Tiled,
        Self::Tensor,
        Self::Tf32,
        Self::Cublas,
    ];
}

impl Choice for MatmulDtype {
    const NAME: &'static str = "gpumex_matmul_dtype";
    const ALL: &'static [Self] = &[Self::F32, Self::F64, Self::F16, Self::Bf16];
}

impl Choice for MatmulOrder {
    const NAME: &'static str = "gpumex_matmul_order";
    const ALL: &'static [Self] = &[Self::Row, Self::Column];
}

/// How one argument lies, beyond its order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Storage {
    /// It is stored transposed.
    pub transposed: bool,
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
    pub dtype: MatmulDtype,
    pub order: MatmulOrder,
    pub a: Storage,
    pub b: Storage,
    pub c: Storage,
    /// How many products; 0 is 1.
    pub batch: usize,
    /// alpha and beta; None: 1 and 0.
    pub scale: Option<[f64; 2]>,
}

/// C ← alpha·op(A)·op(B) + beta·C, for each product of a batch.
///
/// op(A) (m,k), op(B) (k,n), C (m,n), all of one dtype and order, accumulated in that dtype; op is the transpose where A or B is
/// stored transposed. As in the BLAS, beta = 0 does not read C, alpha = 0 or k = 0 reads neither A nor B, and what lies between the
/// lines of C stays as it is. alpha and beta are rounded to the dtype.
///
/// Accuracy: |C − exact| ≤ γ (|alpha| |A||B| + |beta| |C|) elementwise, γ = ju/(1 − ju), j = k + 2, with TENSOR k + 10, u = 2⁻²⁴ (f32) or 2⁻⁵³ (f64);
/// N. Higham, "Accuracy and Stability of Numerical Algorithms", §3.5. TF32: u + 2⁻¹⁰ in place of the first u. Infinity, NaN and numbers
/// whose sums overflow come out as a plain product has them, but for TF32, which keeps infinity and NaN alone.
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
    match options.dtype {
        MatmulDtype::F32 => multiply::<f32>(ctx, options, [m, n, k], a, b, c),
        MatmulDtype::F64 => multiply::<f64>(ctx, options, [m, n, k], a, b, c),
        MatmulDtype::F16 | MatmulDtype::Bf16 => {
            Err(Error::unsupported(format!("dtype {:?} is not served by this version", options.dtype)))
        }
    }
}

fn multiply<T: Element + cpu::Float + gpu::Float + Into<f64>>(
    ctx: &mut Context,
    options: &Options,
    [m, n, k]: [usize; 3],
    a: Input,
    b: Input,
    c: Output,
) -> Result<()> {
    if options.variant == MatmulVariant::Tf32 && T::DTYPE != Dtype::F32 {
        return Err(Error::unsupported("variant TF32 rounds float; dtype is F64"));
    }
    let batch = options.batch.max(1);
    let [alpha, beta] = options.scale.unwrap_or([1.0, 0.0]).map(|factor| T::from_f64(factor).into());
    let order = options.order;
    let of_a = Stored::new("A", "a", order, [m, k], options.a, batch)?;
    let of_b = Stored::new("B", "b", order, [k, n], options.b, batch)?;
    let of_c = Stored::new("C", "c", order, [m, n], options.c, batch)?;
    of_c.check_apart(batch)?;

    let mut c = c.view::<T>(&[of_c.extent])?;
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
    ctx.run(|engine| match engine {
        Engine::Cpu(workers) => match options.variant {
            MatmulVariant::Sequential => {
                cpu::matmul::sequential(workers, &product, a.on_host()?, b.on_host()?, c.on_host()?)
            }
            MatmulVariant::Cublas => Err(Error::unsupported(
                "variant CUBLAS is NVIDIA's library for the GPU; this context runs on the CPU backend",
            )),
            _ => {
                prepare_cpu();
                cpu::matmul::matmul(workers, &product, a.on_host()?, b.on_host()?, c.on_host()?)
            }
        },
        Engine::Cuda(device) => match path_of(options.variant) {
            Some(path) => gpu::matmul::matmul(device, path, &product, a, b, c),
            None => super::sequential_is_for_the_cpu(),
        },
    })
}

/// The path on the device; None for the one that is the CPU's.
fn path_of(variant: MatmulVariant) -> Option<gpu::matmul::Path> {
    use gpu::matmul::Path;
    Some(match variant {
        MatmulVariant::Auto => Path::Auto,
        MatmulVariant::Sequential => return None,
        MatmulVariant::Naive => Path::Naive,
        MatmulVariant::Blocked => Path::Blocked,
        MatmulVariant::Tiled => Path::Tiled,
        MatmulVariant::Tensor => Path::Tensor,
        MatmulVariant::Tf32 => Path::Tf32,
        MatmulVariant::Cublas => Path::Cublas,
    })
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

/// What the CPU's product finds out once a process.
fn prepare_cpu() {
    static READY: Once = Once::new();
    if !READY.is_completed() {
        fork::without_fork(|| READY.call_once(cpu::matmul::prepare));
    }
}
