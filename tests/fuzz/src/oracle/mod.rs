//! Results that the header specifies, calculated again: with another variant, another number of threads, and by plain
//! loops.

mod board;
mod dimensions;
mod filters;
mod formula;
mod indexing;
pub mod language;
mod mapping;
mod matrix;
mod merging;
mod moves;
mod sums;
mod vectors;

use crate::case::{Case, Mark, Scope, Value, Which};
use crate::disturbance::Disturbance;
use crate::environment::{CUDA, TUNED};
use crate::number::{
    Number, decode, decode_all, dtype_size, half_value, is_complex, is_float, is_half, parts,
};
use crate::roles::{Element, Role};
use crate::run::{Outcome, Runner};

type Check = fn(&View) -> Result<(), String>;

/// Functions with a plain loop of their own. A function without one is compared between its variants.
const PLAIN: [(&str, Check); 54] = [
    ("gpumex_sort", merging::sort),
    ("gpumex_locality_sort", merging::sort),
    ("gpumex_segmented_sort", merging::sort),
    ("gpumex_merge", merging::merge),
    ("gpumex_set_operation", merging::set_operation),
    ("gpumex_join", merging::join),
    ("gpumex_sorted_search", merging::sorted_search),
    ("gpumex_sorted_equality_count", merging::equality_count),
    ("gpumex_check_sorted", merging::check_sorted),
    ("gpumex_reduce", sums::reduce),
    ("gpumex_scan", sums::scan),
    ("gpumex_segmented_reduce", sums::segmented_reduce),
    ("gpumex_reduce_by_key", sums::reduce_by_key),
    ("gpumex_dot", sums::dot),
    ("gpumex_gather", moves::gather),
    ("gpumex_scatter", moves::scatter),
    ("gpumex_compact", moves::compact),
    ("gpumex_bulk_insert", moves::bulk_insert),
    ("gpumex_bulk_remove", moves::bulk_remove),
    ("gpumex_interval_expand", moves::interval_expand),
    ("gpumex_load_balance_search", moves::load_balance_search),
    ("gpumex_fill", moves::fill),
    ("gpumex_random_normal", vectors::random_normal),
    ("gpumex_fill_ascending", vectors::fill_ascending),
    ("gpumex_axpy", vectors::axpy),
    ("gpumex_scale", vectors::scale),
    ("gpumex_spmv", vectors::spmv),
    ("gpumex_copy", moves::copy),
    ("gpumex_life", board::life),
    ("life_shmem", board::life),
    ("life_texture", board::life),
    ("gpumex_histogram", board::histogram),
    ("gpumex_gather_nd", indexing::gather),
    ("gpumex_scatter_nd", indexing::scatter),
    ("gpumex_permute", indexing::permute),
    ("gpumex_reduce_dim", dimensions::reduce),
    ("gpumex_scan_dim", dimensions::scan),
    ("gpumex_convolve", filters::convolve),
    ("gpumex_median_filter", filters::median),
    ("gpumex_stencil", mapping::stencil),
    ("gpumex_stencil_dtype", mapping::dtype),
    ("gpumex_map", mapping::map),
    ("gpumex_map_dtype", mapping::dtype),
    ("gpumex_map_reduce", mapping::reduce),
    ("gpumex_map_scan", mapping::scan),
    ("gpumex_comm_dot", sums::dot),
    ("gpumex_comm_histogram", board::histogram),
    ("gpumex_comm_life", board::life),
    ("gpumex_comm_matmul", matrix::matmul),
    ("gpumex_comm_reduce", sums::reduce),
    ("gpumex_comm_scan", sums::scan),
    ("gpumex_comm_sort", merging::sort),
    ("gpumex_matmul", matrix::matmul),
    ("matmul", matrix::matmul),
];

/// Functions whose result is not the same with every variant, although it is specified, and why.
fn may_differ(view: &View) -> bool {
    match view.scope.function.name.as_str() {
        // Where destinations repeat, any one of the elements wins.
        "gpumex_scatter" => !moves::unique(view),
        "gpumex_scatter_nd" => indexing::may_differ(view),
        "gpumex_interval_move" => true,
        // Sums of floats that are nearly halves, or overflow, are rounded to other integers.
        "gpumex_convolve" => is_float(view.dtype("filter")),
        // ATOMIC and SHARED add the sums of blocks in any order.
        "gpumex_dot" | "gpumex_comm_dot" => matches!(view.option("variant"), 2 | 4),
        // cuBLAS chooses its kernels by itself.
        "gpumex_matmul" => view.option("variant") == matrix::CUBLAS,
        _ => false,
    }
}

pub struct View<'a> {
    pub scope: Scope<'a>,
    pub case: &'a Case,
    pub outcome: &'a Outcome,
}

const MOST_BYTES: usize = 1 << 15; // of an array that a plain loop goes through

pub fn check(runner: &mut Runner, case: &Case, outcome: &Outcome) -> Vec<String> {
    if !case.specified {
        return Vec::new();
    }
    let plan = runner.plan;
    let (function, described) = (&plan.header.functions[case.function], &plan.described[case.function]);
    let scope = Scope { header: &plan.header, function, described, values: &case.values };
    let view = View { scope, case, outcome };
    let small = case.values.iter().flat_map(Value::buffers).all(|buffer| buffer.bytes.len() <= MOST_BYTES);
    let is_real = !case.values.iter().flat_map(Value::buffers).any(|buffer| is_complex(buffer.dtype));
    let is_plain = small && is_real && !sums::is_ordered_by_text(&view);
    let plain = PLAIN.iter().find(|(name, _)| *name == function.name).filter(|_| is_plain);
    if let Some(Err(problem)) = plain.map(|(_, check)| check(&view)) {
        return vec![problem];
    }
    if may_differ(&view) || case.disturbance != Disturbance::None {
        return Vec::new();
    }
    if let Some(other) = one_rank(case)
        && !sums::is_in_any_order(&view)
    {
        return compare(runner, case, outcome, &other, "one rank", described.rounded);
    }
    if case.number.is_multiple_of(2)
        && !sums::is_in_any_order(&view)
        && let Some((other, name)) = other_variant(&view)
    {
        return compare(runner, case, outcome, &other, name, described.rounded);
    }
    // The arrays of a merge and a search are sorted, but not by an expression.
    let is_unsorted = sums::is_ordered_by_text(&view)
        && ["gpumex_merge", "gpumex_sorted_search"].contains(&function.name.as_str());
    if case.number % 8 == 1
        && !is_unsorted
        && let Some(other) = other_threads(case)
    {
        let is_tuned = case.values.contains(&Value::Context(Which::Pool(TUNED)));
        // On CUDA sums of weights differ from call to call.
        let is_weighed = runner.environment.backend == CUDA && function.name == "gpumex_histogram";
        let rounded = described.rounded && (is_tuned || is_weighed);
        return compare(runner, case, outcome, &other, "another number of threads", rounded);
    }
    Vec::new()
}

/// The case with SEQUENTIAL in place of its variant, or with AUTO in place of that.
fn other_variant(view: &View) -> Option<(Case, &'static str)> {
    let mut other = view.case.clone();
    for value in &mut other.values {
        let Value::Struct(structure, fields) = value else { continue };
        let members = &view.scope.header.structs[*structure].fields;
        let variant = members.iter().position(|field| field.name == "variant")?;
        let sequential = fields[variant] == Value::Int(1);
        fields[variant] = Value::Int(u64::from(!sequential));
        if !matches!(fields[0], Value::Int(size) if size >= 16) {
            return None; // a struct without the field
        }
        other.mxcsr = 0;
        return Some((other, if sequential { "AUTO" } else { "SEQUENTIAL" }));
    }
    None
}

/// The case by one rank, where it has several.
fn one_rank(case: &Case) -> Option<Case> {
    let mut other = case.clone();
    let comm = other.values.iter_mut().find(|value| matches!(value, Value::Comm(Mark::Ranks(..))))?;
    *comm = Value::Comm(Mark::New);
    Some(other)
}

fn other_threads(case: &Case) -> Option<Case> {
    let mut other = case.clone();
    let context = other.values.iter_mut().find(|value| matches!(value, Value::Context(Which::Pool(_))))?;
    let two = *context == Value::Context(Which::Pool(1));
    *context = Value::Context(Which::Pool(usize::from(!two)));
    other.mxcsr = 0;
    Some(other)
}

fn compare(
    runner: &mut Runner,
    case: &Case,
    outcome: &Outcome,
    other: &Case,
    how: &str,
    rounded: bool,
) -> Vec<String> {
    let again = runner.run(other);
    if again.status != 0 {
        // Without memory, cancelled, or a textbook kernel that serves less.
        return if matches!(again.status, 3 | 6 | 8) {
            Vec::new()
        } else {
            vec![format!("status {} with {how}", again.status)]
        };
    }
    let described = &runner.plan.described[case.function];
    let function = &runner.plan.header.functions[case.function];
    let scope = Scope { header: &runner.plan.header, function, described, values: &case.values };
    for (index, role) in described.roles.iter().enumerate() {
        let Role::Array(array) = role else { continue };
        let dtype = scope.dtype(array).unwrap_or(0);
        let is_half_sum = matches!(array.element, Element::OfC) && is_half(dtype); // with sums in float
        let float = is_float(dtype)
            || is_complex(dtype)
            || is_half_sum
            || scope.value("weights").is_some_and(|value| *value != Value::Null);
        if !array.output || rounded && float && !matches!(array.element, Element::Fixed("uint8_t")) {
            continue;
        }
        if let (Some(left), Some(right)) = (&outcome.after[index], &again.after[index])
            && differ(dtype, is_half_sum, left, right)
        {
            let at = left
                .iter()
                .zip(right)
                .position(|(left, right)| left != right)
                .unwrap_or(left.len().min(right.len()));
            let [left_part, right_part] =
                [left, right].map(|bytes| bytes[at.min(bytes.len())..bytes.len().min(at + 16)].to_vec());
            return vec![format!(
                "{} differs with {how}: at byte {at} of {}, {left_part:x?} and {right_part:x?}",
                function.params[index].name,
                left.len()
            )];
        }
    }
    Vec::new()
}

/// Whether two results differ. Which of two NaNs a sum takes its bits from is left to the compiler.
fn differ(dtype: u8, is_half_sum: bool, left: &[u8], right: &[u8]) -> bool {
    let is_nan = |number: &Number| match is_half_sum {
        true => half_value(dtype, number.int() as u16).is_nan(),
        false => number.float().is_nan(),
    };
    let nan = |pair: (&Number, &Number)| is_nan(pair.0) && is_nan(pair.1);
    let same = |pair: (&Number, &Number)| match pair {
        (Number::Float(left), Number::Float(right)) => left.to_bits() == right.to_bits(),
        (left, right) => left == right,
    };
    let (_, part) = parts(dtype);
    left != right
        && !((is_float(part) || is_half_sum)
            && left.len() == right.len()
            && decode_all(part, left)
                .iter()
                .zip(&decode_all(part, right))
                .all(|pair| same(pair) || nan(pair)))
}

impl View<'_> {
    pub fn number(&self, name: &str) -> usize {
        self.scope.number(name) as usize
    }

    /// A field or parameter of 32 bits.
    pub fn option(&self, name: &str) -> u32 {
        self.scope.number(name) as u32
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.scope.function.params.iter().position(|param| param.name == name)
    }

    /// The dtype of an array parameter; 0 where it is ignored.
    pub fn dtype(&self, name: &str) -> u8 {
        match self.index(name).map(|index| &self.scope.described.roles[index]) {
            Some(Role::Array(array)) => self.scope.dtype(array).unwrap_or(0),
            _ => 0,
        }
    }

    /// An array before the call; `None` where it is NULL or ignored.
    pub fn before(&self, name: &str) -> Option<&[u8]> {
        match self.scope.value(name)? {
            Value::Array(buffer) => Some(&buffer.bytes),
            Value::Alias(other, offset, length) => match &self.case.values[*other] {
                Value::Array(buffer) => buffer.bytes.get(*offset..*offset + *length),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn after(&self, name: &str) -> Option<&[u8]> {
        self.outcome.after[self.index(name)?].as_deref()
    }

    /// An array in an option after the call.
    pub fn field_after(&self, name: &str) -> Option<&[u8]> {
        let (_, bytes) = self.outcome.fields.iter().find(|(field, _)| field == name)?;
        Some(bytes)
    }

    pub fn numbers(&self, name: &str) -> Vec<Number> {
        decode_all(self.dtype(name), self.before(name).unwrap_or_default())
    }

    /// Positions, or counts.
    pub fn positions(&self, name: &str) -> Vec<usize> {
        self.numbers(name).into_iter().map(|number| number.int() as usize).collect()
    }

    /// Elements of an array as their bytes.
    pub fn elements(&self, name: &str) -> Vec<&[u8]> {
        self.before(name).unwrap_or_default().chunks(dtype_size(self.dtype(name)).max(1)).collect()
    }

    /// Compares an output, where it is passed, with the bytes expected at its front.
    pub fn expect(&self, name: &str, expected: &[u8]) -> Result<(), String> {
        let Some(found) = self.after(name) else { return Ok(()) };
        let length = expected.len().min(found.len());
        if found[..length] == expected[..length] {
            return Ok(());
        }
        let (dtype, size) = (self.dtype(name), dtype_size(self.dtype(name)).max(1));
        let at =
            found.iter().zip(expected).position(|(found, expected)| found != expected).unwrap_or(0) / size;
        if dtype == 0 {
            return Err(format!("{name}: wrong byte {at}"));
        }
        let (found, expected) = (decode(dtype, found, at), decode(dtype, expected, at));
        Err(format!("{name} is wrong: [{at}] is {found:?}, expected {expected:?}"))
    }

    /// As `expect`, of positions in the dtype of the array.
    pub fn expect_positions(&self, name: &str, expected: impl Iterator<Item = usize>) -> Result<(), String> {
        let size = dtype_size(self.dtype(name)).max(1);
        let bytes: Vec<u8> =
            expected.flat_map(|position| (position as u64).to_le_bytes().into_iter().take(size)).collect();
        self.expect(name, &bytes)
    }
}
