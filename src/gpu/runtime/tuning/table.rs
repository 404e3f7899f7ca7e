//! One row a tuned kernel. The textbook kernels keep the blocks of their textbooks. The others, whose time is that of their memory
//! traffic, were measured on an H200 (9.0): benches/vectors.rs prints the table that these rows are the best of. The tunings for older
//! devices are estimated, not measured. Where the launcher chooses, by the types or the size, the number is 0.

use std::ffi::c_int;

use super::Choices::{self, OneOf, Warps};
use super::{Compute, Row};

/// The enum of the kernels and its table, in the order of the rows.
macro_rules! kernels {
    ($($kernel:ident = $row:expr;)*) => {
        /// The kernels that are tuned, by the names of their operations and variants.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kernel {
            $($kernel,)*
        }

        const ROWS: &[Row] = &[$($row,)*];

        impl Kernel {
            pub const ALL: [Kernel; ROWS.len()] = [$(Kernel::$kernel,)*];

            pub(super) fn row(self) -> &'static Row {
                &ROWS[self as usize]
            }
        }
    };
}

const fn row(
    name: &'static str,
    threads: Choices,
    values: &'static [c_int],
    tunings: &'static [(Compute, c_int, c_int)],
) -> Row {
    Row { name, threads, values: OneOf(values), tunings }
}

kernels! {
    // kernel               name                    threads served            values served        from, threads, values
    LifeArrays =        row("life_arrays",          Warps,                    &[1],                &[((7, 5), 256, 1)]);
    LifeShmemBytes =    row("life_shmem_bytes",     OneOf(&[256, 512, 1024]), &[1],                &[((7, 5), 512, 1)]); // tiles of 32 columns
    LifeTextureBytes =  row("life_texture_bytes",   Warps,                    &[1],                &[((7, 5), 256, 1)]);
    LifeShmem =         row("life_shmem",           OneOf(&[256, 512, 1024]), &[1],                &[((7, 5), 512, 1), ((8, 0), 256, 1),
                                                                                                     ((8, 6), 512, 1), ((9, 0), 256, 1),
                                                                                                     ((12, 0), 512, 1)]);
    LifeTexture =       row("life_texture",         OneOf(&[128]),            &[2, 4, 8],          &[((7, 5), 128, 4)]); // rows of a register tile at most; four warps, one each
    LifeRegisters =     row("life_registers",       OneOf(&[128]),            &[2, 4, 8],          &[((7, 5), 128, 8)]); // as life_texture
    LifeCluster =       row("life_cluster",         OneOf(&[128, 256, 512]),  &[1],                &[((7, 5), 512, 1)]);
    MatmulNaive =       row("matmul_naive",         Warps,                    &[1],                &[((7, 5), 256, 1)]);
    MatmulBlocked =     row("matmul_blocked",       OneOf(&[64, 256, 1024]),  &[1],                &[((7, 5), 1024, 1)]); // square tiles
    MatmulTiled =       row("matmul_tiled",         OneOf(&[256]),            &[16, 32, 64, 128],  &[((7, 5), 256, 128)]); // elements of C
    MatmulTiledF64 =    row("matmul_tiled_f64",     OneOf(&[256]),            &[32, 64],           &[((7, 5), 256, 64)]); // elements of C
    MatmulSkinny =      row("matmul_skinny",        OneOf(&[256]),            &[1, 2, 4],          &[((7, 5), 256, 2)]); // blocks of a multiprocessor
    MatmulTensor =      row("matmul_tensor",        OneOf(&[0, 256, 384]),    &[0, 1, 64, 128],    &[((7, 5), 0, 0)]); // 1: a narrow C; else columns of a tile; 0: by the size
    MatmulTf32 =        row("matmul_tf32",          OneOf(&[0, 256, 384]),    &[0, 1, 2, 4, 8, 128, 256], &[((7, 5), 0, 0)]); // as matmul_half where that is faster; 0: by the size
    MatmulHalf =        row("matmul_half",          OneOf(&[384]),            &[0, 1, 2, 4, 8, 128, 256], &[((7, 5), 384, 0)]); // blocks that share k, or columns of a tile; 0: by the size
    HistogramGlobal =   row("histogram_global",     Warps,                    &[1],                &[((7, 5), 256, 1)]);
    HistogramStrided =  row("histogram_strided",    Warps,                    &[1, 16, 32],        &[((7, 5), 256, 1)]); // bytes
    HistogramShared =   row("histogram_shared",     Warps,                    &[1, 16, 32],        &[((7, 5), 256, 1)]); // bytes
    HistogramBytes =    row("histogram_bytes",      Warps,                    &[16, 32, 64],       &[((7, 5), 512, 64)]); // bytes
    HistogramBins =     row("histogram_bins",       Warps,                    &[4],                &[((7, 5), 1024, 4)]); // groups of four samples
    RaytraceGlobal =    row("raytrace_global",      Warps,                    &[1],                &[((7, 5), 256, 1)]);
    RaytraceReadOnly =  row("raytrace_read_only",   Warps,                    &[1],                &[((7, 5), 256, 1)]);
    RaytraceConstant =  row("raytrace_constant",    Warps,                    &[1],                &[((7, 5), 256, 1)]);
    RaytraceBinned =    row("raytrace_binned",      OneOf(&[128, 256]),       &[4],                &[((7, 5), 256, 4)]); // pixels; tiles of 32 x 16 and 32 x 32
    Fill =              row("fill",                 Warps,                    &[1, 2, 4],          &[((7, 5), 256, 1), ((8, 0), 256, 2),
                                                                                                     ((9, 0), 1024, 4)]); // packets of 16 bytes
    FillAscending =     row("fill_ascending",       Warps,                    &[1, 2, 4],          &[((7, 5), 256, 1), ((9, 0), 1024, 4)]); // packets of 16 bytes
    Random =            row("random",               Warps,                    &[1, 2],             &[((7, 5), 256, 1), ((9, 0), 256, 2)]); // packets of 16 bytes
    RandomNormal =      row("random_normal",        Warps,                    &[1, 2],             &[((7, 5), 256, 1)]); // packets of 16 bytes
    Add =               row("add",                  Warps,                    &[1, 2, 4],          &[((7, 5), 256, 1), ((8, 0), 256, 2),
                                                                                                     ((9, 0), 1024, 4)]); // packets of 16 bytes
    Axpy =              row("axpy",                 Warps,                    &[1, 2, 4],          &[((7, 5), 256, 1), ((8, 0), 256, 2),
                                                                                                     ((9, 0), 1024, 4)]); // packets of 16 bytes
    Scale =             row("scale",                Warps,                    &[1, 2, 4],          &[((7, 5), 256, 1), ((8, 0), 256, 2),
                                                                                                     ((9, 0), 1024, 4)]); // packets of 16 bytes
    Dot =               row("dot",                  Warps,                    &[1, 2, 4],          &[((7, 5), 256, 1), ((8, 0), 256, 2),
                                                                                                     ((9, 0), 1024, 4)]); // packets of 16 bytes
    Gather =            row("gather",               Warps,                    &[1, 2],             &[((7, 5), 256, 1), ((9, 0), 1024, 2)]); // packets of 16 bytes of indices
    Scatter =           row("scatter",              Warps,                    &[1, 2],             &[((7, 5), 256, 1), ((9, 0), 1024, 1)]); // packets of 16 bytes of indices
    GatherNd =          row("gather_nd",            OneOf(&[128, 256, 512]),  &[4, 8, 16],        &[((7, 5), 256, 8)]); // rows of a thread
    ScatterNd =         row("scatter_nd",           OneOf(&[128, 256, 512]),  &[4, 8, 16],        &[((7, 5), 256, 8)]); // rows of a thread
    Permute =           row("permute",              OneOf(&[256]),            &[0],               &[((7, 5), 256, 0)]); // 0: by the type
    Map =               row("map",                  OneOf(&[64, 128, 256]),   &[0, 1, 2, 4, 8, 16], &[((7, 5), 256, 0)]); // blocks of a multiprocessor; 0: one for each tile
    Convolve =          row("convolve",             OneOf(&[64, 128, 256]),   &[1],                &[((7, 5), 256, 1)]); // 64 columns, 16 rows a thread
    MedianFilter =      row("median_filter",        OneOf(&[64, 128, 256]),   &[1],                &[((7, 5), 256, 1)]); // 64 columns, 4 or 8 rows a thread
    Stencil =           row("stencil",              OneOf(&[64, 128, 256]),   &[1],                &[((7, 5), 256, 1)]); // at most, as rows and shared memory allow
    StencilBytes =      row("stencil_bytes",        OneOf(&[64, 128, 256]),   &[1],                &[((7, 5), 256, 1)]); // as stencil
    Words =             row("words",                OneOf(&[256, 512, 1024]), &[1],                &[((7, 5), 512, 1), ((8, 0), 1024, 1),
                                                                                                     ((8, 6), 512, 1), ((9, 0), 1024, 1),
                                                                                                     ((12, 0), 512, 1)]);
    Reduce =            row("reduce",               OneOf(&[512]),            &[1, 2, 4],          &[((7, 5), 512, 4)]); // blocks of a multiprocessor
    Scan =              row("scan",                 OneOf(&[0, 256, 512]),    &[1],                &[((7, 5), 0, 1)]); // 0: as many as there is shared memory for
    SegmentedReduce =   row("segmented_reduce",     OneOf(&[256]),            &[0, 1, 2],          &[((7, 5), 256, 0)]); // blocks of a multiprocessor; 0: by the type
    Sort =              row("sort",                 OneOf(&[0]),              &[0],                &[((7, 5), 0, 0)]); // 0: by the types
    Merge =             row("merge",                OneOf(&[0]),              &[1, 2, 4],          &[((7, 5), 0, 4)]); // tiles of a block at most, of keys alone; threads by the types
    SortedSearch =      row("sorted_search",        OneOf(&[256]),            &[0, 1, 2, 4],       &[((7, 5), 256, 0)]); // tiles of a block at most; 0: seven
    SetOperation =      row("set_operation",        OneOf(&[0]),              &[0, 1, 2],          &[((7, 5), 0, 0)]); // blocks of a multiprocessor; 0: by the types
    Join =              row("join",                 OneOf(&[256]),            &[1, 2, 4],          &[((7, 5), 256, 4)]); // blocks of a multiprocessor, for tiles of very many pairs
}
