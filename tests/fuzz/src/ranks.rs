//! A call by several ranks of a communicator: each is a thread with a context of its own and a part of the arrays, cut anywhere.
//! Together they leave what one rank leaves, in the same arrays. What each rank receives whole goes to the arrays of the first one;
//! the others have copies, which have to be the same afterwards.

use crate::case::{Case, Mark, Scope, Value};
use crate::dice::Dice;
use crate::environment::Environment;
use crate::expression::Expression;
use crate::library::{DOUBLES, WORDS};
use crate::roles::{Array, Described, Role, Shape};

pub const MOST_RANKS: usize = 4;

/// The parameters of each rank.
pub struct Calls {
    words: Vec<[u64; WORDS]>,
    /// Of ranks but the first: where an array is that every rank receives, and its copies.
    copies: Vec<(u64, Vec<Vec<u64>>, usize)>,
    /// Copies of option structs, whose arrays are parts.
    _structs: Vec<Vec<u64>>,
}

/// The address of an element; beyond the address space, as an array that is refused may be, some other one.
fn behind(address: u64, begin: u64, stride: u64) -> u64 {
    address.wrapping_add(begin.wrapping_mul(stride))
}

/// Where the elements of each rank begin, and where the last ones end.
fn cuts(seed: u64, ranks: usize, count: u64, step: u64) -> Vec<u64> {
    let mut dice = Dice::new(seed, 0);
    let steps = count / step;
    let mut places: Vec<u64> = (1..ranks).map(|_| dice.bits() % (steps + 1) * step).collect();
    places.sort_unstable();
    [vec![0], places, vec![count]].concat()
}

fn depends_on(array: &Array, name: &str) -> bool {
    let names = |expression: &Expression| expression.names().contains(&name);
    match &array.shape {
        Shape::Elements(count) => names(count),
        Shape::Cells(rows, cols) => names(rows) || names(cols),
        _ => false,
    }
}

/// Bytes at an address that suits every dtype.
fn words_of(bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| {
        let mut one = [0; 8];
        one[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(one)
    };
    bytes.chunks(8).map(word).collect()
}

/// Whether a function has arrays that are cut along more than one dimension: it is called by one rank.
pub fn is_whole(described: &Described) -> bool {
    described
        .roles
        .iter()
        .any(|role| matches!(role, Role::Array(array) if matches!(array.shape, Shape::Matrix(_))))
}

impl Calls {
    /// The calls that together are the one with these words; `None` where one rank makes it. The number of a rank's elements is the size
    /// that "may differ". What the header refuses is the first rank's, and nothing the others'.
    pub fn new(case: &Case, scope: &Scope, words: &[u64; WORDS], comms: &[u64]) -> Option<Calls> {
        let seed = case.values.iter().find_map(|value| match value {
            Value::Comm(Mark::Ranks(_, seed)) => Some(*seed),
            _ => None,
        })?;
        let params = &scope.function.params;
        let at = params.iter().position(|param| param.text.contains("may differ"))?;
        let (name, count) = (params[at].name.as_str(), words[at]);
        let step = match &scope.described.roles[at] {
            Role::Size(size) => size.multiple_of.as_ref().map_or(1, |name| scope.extent(name) as u64),
            _ => 1,
        };
        let cuts = match case.refused {
            None if step > 0 => cuts(seed, comms.len(), count, step),
            _ => [vec![0], vec![count; comms.len()]].concat(),
        };
        // Bytes of an element of an array that is a part; 0 of one that every rank has whole.
        let stride = |array: &Array, value: &Value| match (depends_on(array, name), scope.bytes(array)) {
            (true, Some(bytes)) if count > 0 && !matches!(value, Value::Null | Value::Ignored) => {
                (bytes / u128::from(count)) as u64
            }
            _ => 0,
        };
        let mut calls = Calls { words: vec![*words; comms.len()], copies: Vec::new(), _structs: Vec::new() };
        for (rank, words) in calls.words.iter_mut().enumerate() {
            words[at] = cuts[rank + 1] - cuts[rank];
        }
        for (param, (role, value)) in scope.described.roles.iter().zip(&case.values).enumerate() {
            match (role, value) {
                (Role::Comm, _) => {
                    for (words, comm) in calls.words.iter_mut().zip(comms) {
                        words[param] = *comm;
                    }
                }
                (Role::Array(array), _) if stride(array, value) > 0 => {
                    for (words, begin) in calls.words.iter_mut().zip(&cuts) {
                        words[param] = behind(words[param], *begin, stride(array, value));
                    }
                }
                (Role::Array(_) | Role::StructOut(_), Value::Array(buffer)) if buffer.output => {
                    calls.copy(param, &buffer.bytes);
                }
                (Role::StructIn(index), Value::Struct(_, fields)) => {
                    let roles = scope.described.fields.iter().find(|(found, _)| found == index);
                    for (place, role) in roles.into_iter().flat_map(|(_, roles)| roles).enumerate() {
                        if let (Role::Array(array), Some(value)) = (role, fields.get(place))
                            && stride(array, value) > 0
                        {
                            let offset = scope.header.structs[*index].fields[place].offset;
                            calls.cut_field(param, fields, offset, stride(array, value), &cuts);
                        }
                    }
                }
                _ => {}
            }
        }
        Some(calls)
    }

    /// A copy of an array for each rank but the first.
    fn copy(&mut self, param: usize, bytes: &[u8]) {
        let original = self.words[0][param];
        let copies = vec![words_of(bytes); self.words.len() - 1];
        for (words, copy) in self.words[1..].iter_mut().zip(&copies) {
            words[param] = copy.as_ptr() as u64;
        }
        self.copies.push((original, copies, bytes.len()));
    }

    /// An array in a struct begins where the rank's elements do.
    fn cut_field(&mut self, param: usize, fields: &[Value], offset: usize, stride: u64, cuts: &[u64]) {
        let Some(Value::Int(size)) = fields.first() else { return };
        let size = (*size as usize).clamp(8, 400);
        if offset + 8 > size {
            return;
        }
        for (words, begin) in self.words.iter_mut().zip(cuts).skip(1) {
            // SAFETY: the struct was placed with as many bytes as it says.
            let bytes = unsafe { std::slice::from_raw_parts(words[param] as *const u8, size) };
            let mut copy = words_of(bytes);
            copy[offset / 8] = behind(copy[offset / 8], *begin, stride);
            words[param] = copy.as_ptr() as u64;
            self._structs.push(copy);
        }
    }

    /// Makes the calls, the first rank's on this thread; its result, and what is wrong with those of the others.
    pub fn make(&self, environment: &Environment, function: usize) -> (u64, Vec<String>) {
        let call = |words| environment.library.call(function, words, &[0.0; DOUBLES]) as u32;
        let (first, others) = std::thread::scope(|scope| {
            let others: Vec<_> =
                self.words[1..].iter().map(|words| scope.spawn(move || call(words))).collect();
            let first = call(&self.words[0]);
            (first, others.into_iter().map(|thread| thread.join().unwrap_or(u32::MAX)).collect::<Vec<_>>())
        });
        let mut problems = Vec::new();
        for (rank, status) in (1..).zip(&others) {
            if (*status == 0) != (first == 0) {
                problems.push(format!("status {first} of rank 0, and {status} of rank {rank}"));
            }
        }
        (u64::from(first), problems)
    }

    /// What every rank receives is the same: `contents` of an address and a length are those of the first one.
    pub fn differences(&self, contents: impl Fn(u64, usize) -> Vec<u8>) -> Vec<String> {
        let mut problems = Vec::new();
        for (address, copies, length) in &self.copies {
            let first = contents(*address, *length);
            for (rank, copy) in (1..).zip(copies) {
                let bytes: Vec<u8> = copy.iter().flat_map(|word| word.to_le_bytes()).take(*length).collect();
                if bytes != first {
                    problems.push(format!("an array that every rank receives is another one on rank {rank}"));
                }
            }
        }
        problems
    }
}
