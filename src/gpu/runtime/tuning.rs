//! Launch tuning: for each kernel and architecture the threads of a block, the values that a thread holds at once,
//! and how L1 cache and shared memory divide the memory that they have in common. A row is chosen by the compute
//! capability of the real device, not by that of the code that it runs; a context may hold others of its own.

mod table;

use std::ffi::c_int;

pub use self::table::Kernel;
pub use super::kernels::Tuning;
use crate::error::{Error, Result, quoted};

/// Major and minor compute capability.
pub type Compute = (i32, i32);

/// A tuned kernel: its name, what it serves, and threads and values from a compute capability on, which ascends and begins with that
/// of the oldest device.
struct Row {
    name: &'static str,
    threads: Choices,
    values: Choices,
    tunings: &'static [(Compute, c_int, c_int)],
}

/// The numbers that a kernel serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choices {
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
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The kernel with this name.
    pub fn named(name: &str) -> Result<Kernel> {
        let found = Kernel::ALL.into_iter().find(|kernel| kernel.name() == name);
        found.ok_or_else(|| {
            let names: Vec<_> = Kernel::ALL.into_iter().map(Kernel::name).collect();
            Error::invalid(format!("{} is not a tuned kernel, which are {}", quoted(name), names.join(", ")))
        })
    }
}

/// What the table says of a kernel on a device; the driver divides the cache as it sees fit.
pub fn default_for(kernel: Kernel, compute: Compute) -> Tuning {
    let tunings = kernel.row().tunings;
    let above = tunings.iter().position(|(from, ..)| *from > compute).unwrap_or(tunings.len());
    let (_, threads, values) = tunings[above.saturating_sub(1)];
    Tuning { threads, values, cache: 0 }
}

/// Refuses what the kernel does not serve.
pub fn check(kernel: Kernel, tuning: Tuning) -> Result<()> {
    let Row { name, threads, values, .. } = kernel.row();
    let served = [("threads", tuning.threads, threads), ("values", tuning.values, values)];
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

    /// Whether the caller has set one.
    pub fn is_set(&self, kernel: Kernel) -> bool {
        self.set.iter().any(|(one, _)| *one == kernel)
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
    fn every_row_is_served_and_begins_with_the_oldest_device() {
        for kernel in Kernel::ALL {
            let tunings = kernel.row().tunings;
            for (compute, ..) in tunings {
                check(kernel, default_for(kernel, *compute)).unwrap();
            }
            assert_eq!(tunings.first().map(|(from, ..)| *from), Some((7, 5)), "{kernel:?}");
            assert!(tunings.is_sorted_by(|(a, ..), (b, ..)| a < b), "{kernel:?}");
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
        assert_eq!(
            refusal(Kernel::SegmentedReduce, tuning(256, 3, 0)),
            "segmented_reduce: values is 3, it serves 0, 1, 2"
        );
        let unknown = Kernel::named("sorted").unwrap_err().to_string();
        assert!(
            unknown.starts_with("\"sorted\" is not a tuned kernel, which are life_arrays, "),
            "{unknown}"
        );
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
