//! Other tunings of the kernels of a call: in the context `TUNED`, on CUDA.

use crate::case::{Case, Value, Which};
use crate::dice::Dice;
use crate::environment::TUNED;
use crate::run::Runner;

const THREADS: [i32; 8] = [0, 32, 64, 128, 256, 512, 992, 1024];
const VALUES: [i32; 9] = [0, 1, 2, 4, 8, 16, 32, 64, 128];
const ATTEMPTS: usize = 12; // most kernels serve a few of the pairs

/// As in the header: the size of the struct, threads, values, cache, reserved.
#[repr(C)]
struct Tuning {
    size: usize,
    numbers: [i32; 4],
}

impl Runner<'_> {
    /// Tunes the kernels whose names begin with that of the operation; the same in each run of the case.
    pub fn tune(&self, case: &Case) {
        self.with_kernels(case, |kernel, dice| {
            for _ in 0..ATTEMPTS {
                let numbers = [dice.pick(&THREADS), dice.pick(&VALUES), dice.below(4) as i32, 0];
                let tuning = Tuning { size: size_of::<Tuning>(), numbers };
                if self.set(kernel, &raw const tuning as u64) == 0 {
                    break;
                }
            }
        });
    }

    /// Restores the table.
    pub fn restore_tuning(&self, case: &Case) {
        self.with_kernels(case, |kernel, _| _ = self.set(kernel, 0));
    }

    fn set(&self, kernel: &str, tuning: u64) -> u64 {
        let name = format!("{kernel}\0");
        let context = self.environment.pool[TUNED];
        self.environment.library.invoke("gpumex_tuning_set", &[context, name.as_ptr() as u64, tuning])
    }

    fn with_kernels(&self, case: &Case, mut body: impl FnMut(&str, &mut Dice)) {
        if !case.values.contains(&Value::Context(Which::Pool(TUNED))) {
            return;
        }
        let name = self.plan.header.functions[case.function].name.trim_start_matches("gpumex_");
        let mut dice = Dice::new(case.number, TUNED as u64);
        for kernel in self.environment.kernels.iter().filter(|kernel| kernel.starts_with(name)) {
            body(kernel, &mut dice);
        }
    }
}
