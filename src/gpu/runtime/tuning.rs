//! Launch tuning: for each kernel and architecture the threads of a block, the values that a thread holds at once,
//! and how L1 cache and shared memory divide the memory that they have in common. A row is chosen by the compute
//! capability of the real device, not by that of the code that it runs; a context may hold others of its own.

use std::ffi::c_int;

pub use super::kernels::Tuning;
use crate::error::{Error, Result};

/// Major and minor compute capability.
pub type Compute = (i32, i32);

/// The kernels that are tuned, by the names of their operations and variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    LifeArrays,
    LifeShmemBytes,
    LifeTextureBytes,
    LifeShmem,
    LifeTexture,
    LifeRegisters,
    LifeCluster,
    MatmulNaive,
    MatmulBlocked,
    MatmulTiled,
    MatmulTiledF64,
    MatmulSkinny,
    MatmulTensor,
    MatmulTf32,
    HistogramGlobal,
    HistogramStrided,
    HistogramShared,
    HistogramBytes,
    HistogramBins,
    RaytraceGlobal,
    RaytraceReadOnly,
    RaytraceConstant,
    RaytraceBinned,
    Fill,
    FillAscending,
    Random,
    Add,
    Dot,
    Words,
}

/// The tuning of a kernel on devices from a compute capability on, up to that of the kernel's next row.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub kernel: Kernel,
    pub compute: Compute,
    pub tuning: Tuning,
}

/// cache: the driver divides, as it sees fit.
const DRIVER: c_int = 0;

// The textbook kernels keep the blocks of their textbooks. The others, whose time is that of their memory traffic,
// were measured on an H200 (9.0): benches/vectors.rs prints the table that these rows are the best of. The rows
// for older devices are reasoned.
#[rustfmt::skip]
const TABLE: [Row; 45] = [
    //  kernel                    from        threads  values  cache
    row(Kernel::LifeArrays,       (7, 5),     256,     1,      DRIVER),
    row(Kernel::LifeShmemBytes,   (7, 5),     512,     1,      DRIVER),
    row(Kernel::LifeTextureBytes, (7, 5),     256,     1,      DRIVER),
    row(Kernel::LifeShmem,        (7, 5),     512,     1,      DRIVER),
    row(Kernel::LifeShmem,        (8, 0),     256,     1,      DRIVER),
    row(Kernel::LifeShmem,        (8, 6),     512,     1,      DRIVER),
    row(Kernel::LifeShmem,        (9, 0),     256,     1,      DRIVER),
    row(Kernel::LifeShmem,        (12, 0),    512,     1,      DRIVER),
    row(Kernel::LifeTexture,      (7, 5),     128,     4,      DRIVER),
    row(Kernel::LifeRegisters,    (7, 5),     128,     8,      DRIVER),
    row(Kernel::LifeCluster,      (7, 5),     512,     1,      DRIVER),
    row(Kernel::MatmulNaive,      (7, 5),     256,     1,      DRIVER),
    row(Kernel::MatmulBlocked,    (7, 5),     1024,    1,      DRIVER),
    row(Kernel::MatmulTiled,      (7, 5),     256,     128,    DRIVER),
    row(Kernel::MatmulTiledF64,   (7, 5),     256,     64,     DRIVER),
    row(Kernel::MatmulSkinny,     (7, 5),     256,     2,      DRIVER),
    row(Kernel::MatmulTensor,     (7, 5),     0,       0,      DRIVER),
    row(Kernel::MatmulTf32,       (7, 5),     0,       0,      DRIVER),
    row(Kernel::HistogramGlobal,  (7, 5),     256,     1,      DRIVER),
    row(Kernel::HistogramStrided, (7, 5),     256,     1,      DRIVER),
    row(Kernel::HistogramShared,  (7, 5),     256,     1,      DRIVER),
    row(Kernel::HistogramBytes,   (7, 5),     512,     64,     DRIVER),
    row(Kernel::HistogramBins,    (7, 5),     1024,    4,      DRIVER),
    row(Kernel::RaytraceGlobal,   (7, 5),     256,     1,      DRIVER),
    row(Kernel::RaytraceReadOnly, (7, 5),     256,     1,      DRIVER),
    row(Kernel::RaytraceConstant, (7, 5),     256,     1,      DRIVER),
    row(Kernel::RaytraceBinned,   (7, 5),     256,     4,      DRIVER),
    row(Kernel::Fill,             (7, 5),     256,     1,      DRIVER),
    row(Kernel::Fill,             (8, 0),     256,     2,      DRIVER),
    row(Kernel::Fill,             (9, 0),     1024,    4,      DRIVER),
    row(Kernel::FillAscending,    (7, 5),     256,     1,      DRIVER),
    row(Kernel::FillAscending,    (9, 0),     1024,    4,      DRIVER),
    row(Kernel::Random,           (7, 5),     256,     1,      DRIVER),
    row(Kernel::Random,           (9, 0),     256,     2,      DRIVER),
    row(Kernel::Add,              (7, 5),     256,     1,      DRIVER),
    row(Kernel::Add,              (8, 0),     256,     2,      DRIVER),
    row(Kernel::Add,              (9, 0),     1024,    4,      DRIVER),
    row(Kernel::Dot,              (7, 5),     256,     1,      DRIVER),
    row(Kernel::Dot,              (8, 0),     256,     2,      DRIVER),
    row(Kernel::Dot,              (9, 0),     1024,    4,      DRIVER),
    row(Kernel::Words,            (7, 5),     512,     1,      DRIVER),
    row(Kernel::Words,            (8, 0),     1024,    1,      DRIVER),
    row(Kernel::Words,            (8, 6),     512,     1,      DRIVER),
    row(Kernel::Words,            (9, 0),     1024,    1,      DRIVER),
    row(Kernel::Words,            (12, 0),    512,     1,      DRIVER),
];

const fn row(kernel: Kernel, compute: Compute, threads: c_int, values: c_int, cache: c_int) -> Row {
    Row { kernel, compute, tuning: Tuning { threads, values, cache } }
}

/// The numbers that a kernel serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choices {
    OneOf(&'static [c_int]),
    /// Whole warps: the multiples of 32 up to 1024.
    Warps,
}

impl Choices {
    fn has(self, number: c_int) -> bool {
        match self {
            Choices::OneOf(numbers) => numbers.contains(&number),
            Choices::Warps => (32..=1024).contains(&number) && number % 32 == 0,
        }
    }

    fn text(self) -> String {
        match self {
            Choices::OneOf([only]) => format!("{only} alone"),
            Choices::OneOf(numbers) => numbers.iter().map(c_int::to_string).collect::<Vec<_>>().join(", "),
            Choices::Warps => "the multiples of 32 up to 1024".to_string(),
        }
    }
}

impl Kernel {
    pub const ALL: [Kernel; 29] = [
        Kernel::LifeArrays,
        Kernel::LifeShmemBytes,
        Kernel::LifeTextureBytes,
        Kernel::LifeShmem,
        Kernel::LifeTexture,
        Kernel::LifeRegisters,
        Kernel::LifeCluster,
        Kernel::MatmulNaive,
        Kernel::MatmulBlocked,
        Kernel::MatmulTiled,
        Kernel::MatmulTiledF64,
        Kernel::MatmulSkinny,
        Kernel::MatmulTensor,
        Kernel::MatmulTf32,
        Kernel::HistogramGlobal,
        Kernel::HistogramStrided,
        Kernel::HistogramShared,
        Kernel::HistogramBytes,
        Kernel::HistogramBins,
        Kernel::RaytraceGlobal,
        Kernel::RaytraceReadOnly,
        Kernel::RaytraceConstant,
        Kernel::RaytraceBinned,
        Kernel::Fill,
        Kernel::FillAscending,
        Kernel::Random,
        Kernel::Add,
        Kernel::Dot,
        Kernel::Words,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kernel::LifeArrays => "life_arrays",
            Kernel::LifeShmemBytes => "life_shmem_bytes",
            Kernel::LifeTextureBytes => "life_texture_bytes",
            Kernel::LifeShmem => "life_shmem",
            Kernel::LifeTexture => "life_texture",
            Kernel::LifeRegisters => "life_registers",
            Kernel::LifeCluster => "life_cluster",
            Kernel::MatmulNaive => "matmul_naive",
            Kernel::MatmulBlocked => "matmul_blocked",
            Kernel::MatmulTiled => "matmul_tiled",
            Kernel::MatmulTiledF64 => "matmul_tiled_f64",
            Kernel::MatmulSkinny => "matmul_skinny",
            Kernel::MatmulTensor => "matmul_tensor",
            Kernel::MatmulTf32 => "matmul_tf32",
            Kernel::HistogramGlobal => "histogram_global",
            Kernel::HistogramStrided => "histogram_strided",
            Kernel::HistogramShared => "histogram_shared",
            Kernel::HistogramBytes => "histogram_bytes",
            Kernel::HistogramBins => "histogram_bins",
            Kernel::RaytraceGlobal => "raytrace_global",
            Kernel::RaytraceReadOnly => "raytrace_read_only",
            Kernel::RaytraceConstant => "raytrace_constant",
            Kernel::RaytraceBinned => "raytrace_binned",
            Kernel::Fill => "fill",
            Kernel::FillAscending => "fill_ascending",
            Kernel::Random => "random",
            Kernel::Add => "add",
            Kernel::Dot => "dot",
            Kernel::Words => "words",
        }
    }

    /// The kernel with this name.
    pub fn named(name: &str) -> Result<Kernel> {
        let found = Kernel::ALL.into_iter().find(|kernel| kernel.name() == name);
        found.ok_or_else(|| {
            let names: Vec<_> = Kernel::ALL.into_iter().map(Kernel::name).collect();
            Error::invalid(format!("\"{name}\" is not a tuned kernel, which are {}", names.join(", ")))
        })
    }

    /// The threads of a block that it serves.
    pub fn threads(self) -> Choices {
        match self {
            Kernel::LifeShmemBytes => Choices::OneOf(&[256, 512, 1024]), // tiles of 32 columns
            Kernel::LifeShmem => Choices::OneOf(&[256, 512, 1024]),
            Kernel::LifeTexture | Kernel::LifeRegisters => Choices::OneOf(&[128]), // four warps, a patch each
            Kernel::LifeCluster => Choices::OneOf(&[128, 256, 512]),
            Kernel::MatmulBlocked => Choices::OneOf(&[64, 256, 1024]), // square tiles
            Kernel::MatmulTiled | Kernel::MatmulTiledF64 | Kernel::MatmulSkinny => Choices::OneOf(&[256]),
            Kernel::MatmulTensor | Kernel::MatmulTf32 => Choices::OneOf(&[0, 256]), // 0: by the size
            Kernel::RaytraceBinned => Choices::OneOf(&[128, 256]), // tiles of 32 x 16 and 32 x 32 pixels
            Kernel::Words => Choices::OneOf(&[256, 512, 1024]),
            _ => Choices::Warps,
        }
    }

    /// The values that a thread of it may hold at once: cells, elements of C, pixels, bytes of a histogram's data,
    /// rows of a patch of Life at the most, groups of four samples, else packets of 16 bytes.
    pub fn values(self) -> Choices {
        Choices::OneOf(match self {
            Kernel::HistogramStrided | Kernel::HistogramShared => &[1, 16, 32],
            Kernel::HistogramBytes => &[16, 32, 64],
            Kernel::HistogramBins => &[4],
            Kernel::MatmulSkinny | Kernel::Fill | Kernel::FillAscending | Kernel::Add | Kernel::Dot => {
                &[1, 2, 4]
            }
            Kernel::Random => &[1, 2],
            Kernel::LifeTexture | Kernel::LifeRegisters => &[2, 4, 8],
            Kernel::RaytraceBinned => &[4],
            Kernel::MatmulTiled => &[16, 32, 64, 128],
            Kernel::MatmulTiledF64 => &[32, 64],
            Kernel::MatmulTensor | Kernel::MatmulTf32 => &[0], // the best
            _ => &[1],
        })
    }
}

/// What the table says of a kernel on a device.
pub fn default_for(kernel: Kernel, compute: Compute) -> Tuning {
    let mut rows = TABLE.iter().filter(|row| row.kernel == kernel);
    let first = rows.next().expect("every kernel has a row");
    rows.take_while(|row| row.compute <= compute).last().unwrap_or(first).tuning
}

/// Refuses what the kernel does not serve.
pub fn check(kernel: Kernel, tuning: Tuning) -> Result<()> {
    let name = kernel.name();
    let served = [("threads", tuning.threads, kernel.threads()), ("values", tuning.values, kernel.values())];
    for (what, number, choices) in served {
        if !choices.has(number) {
            return Err(Error::invalid(format!("{name}: {what} is {number}, it serves {}", choices.text())));
        }
    }
    match tuning.cache {
        0..=3 => Ok(()),
        cache => Err(Error::invalid(format!(
            "{name}: cache is {cache}, which is 0 (the driver's choice), 1 (prefer shared memory), 2 (prefer L1) or 3 (equal)"
        ))),
    }
}

/// The tunings of one context: the table's for its device, but for those that were set.
#[derive(Clone, Debug)]
pub struct Tunings {
    compute: Compute,
    set: Vec<(Kernel, Tuning)>,
}

impl Tunings {
    /// Those of the table for a device.
    pub fn new(compute: Compute) -> Tunings {
        Tunings { compute, set: Vec::new() }
    }

    pub fn compute(&self) -> Compute {
        self.compute
    }

    /// The tuning that a launch of the kernel takes.
    pub fn of(&self, kernel: Kernel) -> Tuning {
        let set = self.set.iter().find(|(one, _)| *one == kernel);
        set.map_or_else(|| default_for(kernel, self.compute), |(_, tuning)| *tuning)
    }

    pub fn get(&self, name: &str) -> Result<Tuning> {
        Kernel::named(name).map(|kernel| self.of(kernel))
    }

    pub fn set(&mut self, name: &str, tuning: Tuning) -> Result<()> {
        let kernel = Kernel::named(name)?;
        check(kernel, tuning)?;
        self.set.retain(|(one, _)| *one != kernel);
        self.set.push((kernel, tuning));
        Ok(())
    }

    /// Back to the table.
    pub fn reset(&mut self, name: &str) -> Result<()> {
        let kernel = Kernel::named(name)?;
        self.set.retain(|(one, _)| *one != kernel);
        Ok(())
    }
}

impl Default for Tunings {
    /// Those of the oldest device that is served.
    fn default() -> Tunings {
        Tunings::new((7, 5))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuning(threads: c_int, values: c_int, cache: c_int) -> Tuning {
        Tuning { threads, values, cache }
    }

    #[test]
    fn every_row_is_served_and_every_kernel_has_one_for_the_oldest_device() {
        for row in TABLE {
            check(row.kernel, row.tuning).unwrap();
        }
        for kernel in Kernel::ALL {
            let rows: Vec<_> = TABLE.iter().filter(|row| row.kernel == kernel).collect();
            assert_eq!(rows.first().map(|row| row.compute), Some((7, 5)), "{kernel:?}");
            assert!(rows.is_sorted_by(|a, b| a.compute < b.compute), "{kernel:?}");
            assert_eq!(Kernel::named(kernel.name()).unwrap(), kernel);
        }
    }

    #[test]
    fn a_device_takes_the_last_row_that_is_not_above_it() {
        let values = |compute| default_for(Kernel::Fill, compute).values;
        assert_eq!([(5, 0), (7, 5), (8, 0), (8, 9), (9, 0), (12, 0)].map(values), [1, 1, 2, 2, 4, 4]);
        assert_eq!(default_for(Kernel::Dot, (10, 3)).threads, 1024);
    }

    #[test]
    fn a_refusal_names_the_value_and_the_choices() {
        let refusal = |kernel, tuning| check(kernel, tuning).unwrap_err().to_string();
        assert_eq!(
            refusal(Kernel::Add, tuning(100, 1, 0)),
            "add: threads is 100, it serves the multiples of 32 up to 1024"
        );
        assert_eq!(
            refusal(Kernel::MatmulBlocked, tuning(512, 1, 0)),
            "matmul_blocked: threads is 512, it serves 64, 256, 1024"
        );
        assert_eq!(
            refusal(Kernel::LifeShmem, tuning(512, 2, 0)),
            "life_shmem: values is 2, it serves 1 alone"
        );
        assert!(
            refusal(Kernel::Dot, tuning(256, 1, 4)).starts_with("dot: cache is 4, which is 0 (the driver")
        );
        let unknown = Kernel::named("sort").unwrap_err().to_string();
        assert!(unknown.starts_with("\"sort\" is not a tuned kernel, which are life_arrays, "), "{unknown}");
    }

    #[test]
    fn a_context_goes_back_to_the_table() {
        let mut tunings = Tunings::new((9, 0));
        tunings.set("histogram_shared", tuning(512, 16, 1)).unwrap();
        tunings.set("histogram_shared", tuning(96, 32, 2)).unwrap();
        assert_eq!(tunings.get("histogram_shared").unwrap(), tuning(96, 32, 2));
        assert_eq!(tunings.get("add").unwrap(), default_for(Kernel::Add, (9, 0)));
        assert!(tunings.set("add", tuning(256, 3, 0)).is_err());
        assert_eq!(tunings.get("add").unwrap(), default_for(Kernel::Add, (9, 0)));
        tunings.reset("histogram_shared").unwrap();
        assert_eq!(tunings.of(Kernel::HistogramShared), tuning(256, 1, 0));
        assert!(tunings.reset("nothing").is_err() && tunings.get("nothing").is_err());
    }
}
