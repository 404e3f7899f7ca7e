//! What a call on arrays of the host takes on either backend: a context of GPUMEX_BACKEND_AUTO with a device takes the sooner one.
//!
//! Model   On the host a call takes its bytes, those of all its arrays, times ns_per_kib; of what is beyond LONG_NS only a quarter, since other
//!         threads have woken by then. On the device it takes device_us, and COPY_NS_PER_KIB for its bytes. Beyond MOST_BYTES it is the
//!         device's.
//! Source  benches/backends.c on an H200 and its host of 16 cores, 2026-11-28 and 29; benches/fit_backends has the rows from there, for f32, u32 and
//!         f64 together. What is lost by them: benches/results/backends.md.
#![forbid(unsafe_code)]

use std::sync::Arc;

use super::functor::Joining;
use crate::array::Footprint;
use crate::context::Work;
use crate::model::expression::program::Program;
use crate::model::variant::OperationVariant;

/// What an operation takes.
pub(super) struct Cost {
    /// A KiB of its arrays on the host; where a call says how many units of work it has, 1024 of these.
    ns_per_kib: u32,
    /// A call of few elements on the device, to its end.
    device_us: u32,
}

const fn cost(ns_per_kib: u32, device_us: u32) -> Cost {
    Cost { ns_per_kib, device_us }
}

pub(super) const ADD: Cost = cost(36, 21);
pub(super) const AXPY: Cost = cost(40, 24);
pub(super) const BULK_INSERT: Cost = cost(70, 27);
pub(super) const BULK_REMOVE: Cost = cost(80, 24);
pub(super) const CHECK_EDGES: Cost = cost(90, 3);
pub(super) const CHECK_SORTED: Cost = cost(110, 22);
pub(super) const COMPACT: Cost = cost(611, 44);
pub(super) const CONVOLVE: Cost = cost(403, 8); // units: elements of the result times those of the filter
pub(super) const COPY: Cost = cost(25, 3);
pub(super) const DOT: Cost = cost(65, 27);
pub(super) const FILL: Cost = cost(60, 15);
pub(super) const FILL_ASCENDING: Cost = cost(370, 18);
pub(super) const GATHER: Cost = cost(80, 24);
pub(super) const GATHER_ND: Cost = cost(110, 29);
pub(super) const HISTOGRAM: Cost = cost(1000, 17);
pub(super) const INTERVAL_EXPAND: Cost = cost(250, 26);
pub(super) const INTERVAL_MOVE: Cost = cost(200, 42);
pub(super) const JOIN: Cost = cost(1376, 39);
pub(super) const LIFE: Cost = cost(130, 16); // units: cells times generations
pub(super) const LOAD_BALANCE_SEARCH: Cost = cost(463, 20);
pub(super) const LOCALITY_SORT: Cost = cost(6000, 35);
pub(super) const MAP: Cost = cost(27, 20); // units: bytes times steps of the program
pub(super) const MAP_REDUCE: Cost = cost(415, 33); // units: bytes of its elements times steps of the program
pub(super) const MAP_SCAN: Cost = cost(600, 37);
pub(super) const MATMUL: Cost = cost(46, 21); // units: multiplications
pub(super) const MATMUL_COMPLEX: Cost = cost(2000, 31);
pub(super) const MEDIAN_FILTER: Cost = cost(3394, 14); // units: elements of the result times those of the window
pub(super) const MERGE: Cost = cost(1000, 30);
pub(super) const PERMUTE: Cost = cost(80, 22);
pub(super) const RANDOM: Cost = cost(479, 16);
pub(super) const RANDOM_NORMAL: Cost = cost(486, 16);
pub(super) const RANDOM_SORTED: Cost = cost(5000, 39);
pub(super) const REDUCE: Cost = cost(60, 16);
pub(super) const REDUCE_BY_KEY: Cost = cost(800, 39);
pub(super) const REDUCE_DIM: Cost = cost(110, 22);
pub(super) const REDUCE_DIM_SATURATING: Cost = cost(1100, 22);
pub(super) const REDUCE_EXPRESSION: Cost = cost(571, 25);
pub(super) const SCALE: Cost = cost(45, 21);
pub(super) const SCAN: Cost = cost(120, 25);
pub(super) const SCAN_DIM: Cost = cost(550, 23);
pub(super) const SCAN_DIM_COLUMNS: Cost = cost(300, 23);
pub(super) const SCAN_EXPRESSION: Cost = cost(523, 21);
pub(super) const SCATTER: Cost = cost(571, 39);
pub(super) const SCATTER_ND: Cost = cost(250, 26);
pub(super) const SEGMENTED_REDUCE: Cost = cost(130, 28);
pub(super) const SEGMENTED_REDUCE_EXPRESSION: Cost = cost(618, 28);
pub(super) const SEGMENTED_SORT: Cost = cost(2464, 36);
pub(super) const SET_OPERATION: Cost = cost(1200, 34);
pub(super) const SORT: Cost = cost(4585, 40);
pub(super) const SORTED_EQUALITY_COUNT: Cost = cost(1501, 34);
pub(super) const SORTED_SEARCH: Cost = cost(1000, 27);
pub(super) const SPMV: Cost = cost(130, 37);
pub(super) const STENCIL: Cost = cost(38, 11); // units: bytes times steps of the program
pub(super) const WORDS: Cost = cost(10375, 61);

/// From here on a call has several threads, of which four count.
const LONG_NS: f64 = 30_000.0;
const THREADS: f64 = 4.0;
/// To the device or back.
const COPY_NS_PER_KIB: f64 = 130.0;
/// What `a + b` is compiled to.
const STEPS_OF_TWO_OPERANDS: usize = 2;
/// Of all arrays: larger ones cross at another rate, and their calls are not short anywhere.
const MOST_BYTES: usize = 4 << 20;

impl Cost {
    /// Of a call with these arrays. A variant other than AUTO is asked for where it runs.
    pub(super) fn of(&self, variant: impl OperationVariant, arrays: Footprint) -> Work {
        self.of_units(variant, arrays, arrays.bytes)
    }

    /// The same of a call that has so many units of work.
    pub(super) fn of_units(&self, variant: impl OperationVariant, arrays: Footprint, units: usize) -> Work {
        self.on_threads(variant, arrays, units, THREADS)
    }

    /// The same of a call that one thread does alone, whatever its length.
    pub(super) fn alone(&self, variant: impl OperationVariant, arrays: Footprint, units: usize) -> Work {
        self.on_threads(variant, arrays, units, 1.0)
    }

    /// The same of a call whose elements, of so many bytes, an expression joins, compares or makes; its row is that of `a + b`.
    pub(super) fn of_program(
        &self,
        variant: impl OperationVariant,
        arrays: Footprint,
        bytes: usize,
        program: &Program,
    ) -> Work {
        let steps = program.steps_of_work().max(STEPS_OF_TWO_OPERANDS);
        let bytes = bytes.max(arrays.bytes);
        self.of_units(variant, arrays, bytes.saturating_mul(steps) / STEPS_OF_TWO_OPERANDS)
    }

    /// The same where an operator joins the elements, or an expression, which has a row of its own.
    pub(super) fn joined(
        &self,
        by_expression: &Cost,
        variant: impl OperationVariant,
        arrays: Footprint,
        joining: &Joining,
    ) -> Work {
        match joining {
            Joining::Program(program) => by_expression.of_program(variant, arrays, 0, program),
            Joining::Operator(_) => self.of(variant, arrays),
        }
    }

    /// The same with a comparison in the place of an order.
    pub(super) fn compared(
        &self,
        variant: impl OperationVariant,
        arrays: Footprint,
        comparison: Option<&Arc<Program>>,
    ) -> Work {
        match comparison {
            Some(program) => self.of_program(variant, arrays, 0, program),
            None => self.of(variant, arrays),
        }
    }

    fn on_threads(
        &self,
        variant: impl OperationVariant,
        arrays: Footprint,
        units: usize,
        threads: f64,
    ) -> Work {
        let copied = arrays.bytes as f64 / 1024.0 * COPY_NS_PER_KIB;
        let alone = units as f64 / 1024.0 * f64::from(self.ns_per_kib);
        Work {
            may_choose: variant.is_auto() && arrays.are_on_host && arrays.bytes <= MOST_BYTES,
            host_ns: alone.min(LONG_NS) + (alone - LONG_NS).max(0.0) / threads,
            device_ns: f64::from(self.device_us) * 1e3 + copied,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Input;
    use crate::model::dtype::Dtype;
    use crate::model::expression::{Rules, Source};
    use crate::model::variant::Variant;

    /// The rows of expressions were fitted on it.
    #[test]
    fn two_operands_are_two_steps() {
        for text in ["a + b", "a * b"] {
            let source = Source {
                text: text.into(),
                names: None,
                dtypes: vec![Dtype::F32; 2],
                rules: Rules::C,
                has_neighbours: false,
            };
            assert_eq!(source.compile(Dtype::F32).unwrap().steps_of_work(), STEPS_OF_TWO_OPERANDS, "{text}");
        }
    }

    #[test]
    fn few_elements_stay_on_the_host_and_many_go_to_the_device() {
        let work = |len: usize, variant| {
            let data = vec![0u8; len];
            let view = Input::new("data", &data).view_of(Dtype::U8, &[len]).unwrap();
            SORT.of(variant, Footprint::of(&[&view]))
        };
        assert!(work(100, Variant::Auto).is_sooner_on_host() && work(100, Variant::Auto).may_choose);
        assert!(!work(1 << 21, Variant::Auto).is_sooner_on_host());
        assert!(
            !work(100, Variant::Sequential).may_choose && !work(MOST_BYTES + 1, Variant::Auto).may_choose
        );
    }
}
