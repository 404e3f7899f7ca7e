//! gpumex — GPU kernels behind a C ABI, for people who work in MATLAB, GNU Octave and C. The same binary runs
//! without a GPU.
//!
//! A [`Context`] has a backend, CUDA or the CPU; operations are its methods. They read anything that is an [`Array`] and write anything
//! that is an [`ArrayMut`]: slices, vectors, [`DeviceArray`]s and parts of them, mixed as you like.
//!
//! ```
//! use gpumex::{Context, SortOptions, SortOrder};
//!
//! let ctx = Context::new()?; // CUDA where it works, else the CPU
//! let keys = ctx.array(&[3.0f32, 1.0, 2.0])?; // in memory of the device
//! let mut sorted = ctx.zeros(keys.len())?;
//! ctx.sort(&keys, &mut sorted)?;
//! assert_eq!(sorted.to_vec()?, [1.0, 2.0, 3.0]);
//!
//! let mut on_the_host = vec![3.0f32, 1.0, 2.0];
//! ctx.sort_in_place(&mut on_the_host, &SortOptions::new().order(SortOrder::Descending))?;
//! assert_eq!(on_the_host, [3.0, 2.0, 1.0]);
//! # Ok::<(), gpumex::Error>(())
//! ```
//!
//! The operations `op` have a form `op_with` that takes options, built as `SortOptions::new().order(…)`. Where the length of the result
//! is part of the result, as with [`Context::compact`], `op` returns a vector and `op_with` takes arrays of yours. An [`Error`] has a
//! [`Status`] and a message that names the operation, the value and the rule, in the words of the C API.
//!
//! Several GPUs and machines: a [`Communicator`] has the operations on arrays whose parts are on several ranks, threads of a program or processes.
//!
//! # Building
//!
//! The kernels are compiled by nvcc of CUDA 13, where the build finds one: that of `NVCC`, in the `PATH` or in /usr/local/cuda; for the GPUs
//! of the machine, or for `GPUMEX_CUDA_ARCHS`. Without one, or with `GPUMEX_CUDA=off` in the environment, the crate has the CPU backend
//! alone, which [`build_info`] says.
//!
//! The feature `allocator` makes the library's allocator that of the whole program: the system's, and a reserve from which small allocations
//! are served when there is no memory left, so that a call is OUT_OF_MEMORY and the process goes on.
#![warn(missing_docs)]

// The layer over the operations of gpumex-core: types in place of dtypes, borrows in place of pointers.
//
// | file | what it holds |
// |---|---|
// | `context`, `event`, `allocator`, `tuning` | contexts and what belongs to one |
// | `array`, `element`, `device_array` | what operations read and write |
// | `options`, `payload` | what several operations are told |
// | `memory`, `map`, `map_reduce`, `map_scan`, `stencil`, `window`, `indexing`, `vectors`, `reduce`, `sort`, `merge`, `moves`, `segments`, `intervals` | primitives, as methods of a context |
// | `life`, `matmul`, `histogram`, `raytrace`, `text` | the other operations |
// | `communicator`, `ranks`, `ranks_vectors` | several ranks: communicators, and the operations on them |
// | `diagnostics` | version, settings, log |

mod allocator;
mod array;
mod communicator;
mod context;
mod device_array;
mod diagnostics;
mod dims;
mod element;
mod event;
mod histogram;
mod indexing;
mod intervals;
mod life;
mod map;
mod map_reduce;
mod map_scan;
mod matmul;
mod memory;
mod merge;
mod moves;
mod options;
mod payload;
mod ranks;
mod ranks_vectors;
mod raytrace;
mod reduce;
mod segment_options;
mod segments;
mod sort;
mod stencil;
mod text;
mod tuning;
mod vectors;
mod window;

pub use allocator::{AllocateCallback, AllocatorStats, ReleaseCallback};
pub use array::{Array, ArrayMut, View, ViewMut};
pub use communicator::{Communicator, CommunicatorOptions, Control, Message, Transport};
pub use context::{Context, ContextBuilder, DeviceInfo, device_count};
pub use device_array::DeviceArray;
pub use diagnostics::{build_info, configure, set_log, version};
pub use dims::{ReduceDimOptions, ScanDimOptions};
pub use element::{Complex, Element, Factor, Float, Index, Number, Sample};
pub use event::Event;
pub use histogram::HistogramOptions;
pub use indexing::{GatherNdOptions, PermuteOptions, ScatterNdOptions, Selection};
pub use intervals::{IntervalExpandOptions, IntervalMoveOptions, Intervals, LoadBalanceSearchOptions};
pub use life::{Cell, LifeOptions, Pattern};
pub use map::{MapInput, MapOptions, map_dtype};
pub use map_reduce::MapReduceOptions;
pub use map_scan::MapScanOptions;
pub use matmul::{MatmulOptions, MatrixStorage};
pub use merge::{EqualityCountOptions, JoinOptions, MergeOptions, SearchOptions, SearchOutputs, SetOptions};
pub use moves::{
    BulkInsertOptions, BulkRemoveOptions, CompactOptions, CompactOutputs, GatherOptions, ScatterOptions,
};
pub use payload::{PairPayload, Payload};
pub use raytrace::RaytraceOptions;
pub use reduce::{ReduceOptions, ScanOptions};
pub use segment_options::{SegmentedReduceOptions, SpmvOptions};
pub use segments::{Csr, Geometry, ReduceByKeyOptions, ReduceByKeyOutputs};
pub use sort::{CheckSortedOptions, LocalitySortOptions, SegmentedSortOptions, Segments, SortOptions};
pub use stencil::{StencilOptions, stencil_dtype};
pub use text::{Word, Words, WordsOptions};
pub use tuning::KernelTuning;
pub use vectors::{AddOptions, AxpyOptions, DotOptions, ScaleOptions};
pub use window::{ConvolveOptions, MedianFilterOptions};

pub use gpumex_core::context::{BusyPolicy, CachePreference};
pub use gpumex_core::error::{Error, Result, Status};
pub use gpumex_core::memory::{Allocator, MemoryKind};
pub use gpumex_core::model::dtype::Dtype;
pub use gpumex_core::model::expression::Rules;
pub use gpumex_core::model::histogram::{HistogramOutliers, HistogramVariant};
pub use gpumex_core::model::join::JoinKind;
pub use gpumex_core::model::life::{LifeBoundary, LifeVariant};
pub use gpumex_core::model::operator::Operator;
pub use gpumex_core::model::order::SortOrder;
pub use gpumex_core::model::raytrace::{PictureLayout, RaytraceVariant};
pub use gpumex_core::model::reduction::{DimReduction, NanFlag};
pub use gpumex_core::model::scale::ScaleFactor;
pub use gpumex_core::model::set_operation::SetOperator;
pub use gpumex_core::model::sorted_search::Bound;
pub use gpumex_core::model::stencil::{Boundary, StencilOrder};
pub use gpumex_core::model::variant::{AddVariant, DotVariant, SortVariant, Variant};
pub use gpumex_core::model::window::{ConvolveKind, ConvolveShape};
pub use gpumex_core::ops::matmul::{MatmulOrder, MatmulVariant};
pub use gpumex_core::ops::pattern::PatternFormat;
pub use gpumex_core::ops::prefetch::PrefetchTarget;
pub use gpumex_core::ops::scan::ScanKind;
pub use gpumex_core::ops::words::WordsEncoding;
pub use gpumex_core::platform::settings::{Backend, LogLevel};

use gpumex_kernels as _; // to be linked

#[cfg(feature = "allocator")]
#[global_allocator]
static ALLOCATOR: gpumex_core::global_allocator::Allocator = gpumex_core::global_allocator::Allocator;
