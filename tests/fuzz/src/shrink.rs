//! Makes a failing case smaller: options at their defaults, smaller sizes, simple contents.

use std::time::{Duration, Instant};

use crate::case::{Buffer, Case, Scope, Value};
use crate::disturbance::Disturbance;
use crate::generate::Plan;
use crate::number::dtype_size;
use crate::roles::Role;

const LIMIT: Duration = Duration::from_secs(20);

/// The smallest case found that `fails` as the given one does; `None` where that one does not fail again.
pub fn shrink(case: &Case, plan: &Plan, fails: &mut dyn FnMut(&Case) -> bool) -> Option<Case> {
    if !fails(case) {
        return None;
    }
    let start = Instant::now();
    let mut best = case.clone();
    loop {
        let mut improved = false;
        for candidate in candidates(&best, plan) {
            if start.elapsed() > LIMIT {
                return Some(best);
            }
            let around = |case: &Case| (case.rounding, case.disturbance, case.before.len());
            let changed = candidate.values != best.values || around(&candidate) != around(&best);
            if changed && fails(&candidate) {
                best = candidate;
                improved = true;
                break;
            }
        }
        if !improved {
            return Some(best);
        }
    }
}

/// Smaller cases, the largest steps first.
fn candidates(case: &Case, plan: &Plan) -> Vec<Case> {
    let mut found = Vec::new();
    let mut with = |change: &dyn Fn(&mut Case)| {
        let mut candidate = case.clone();
        change(&mut candidate);
        found.push(candidate);
    };
    let roles = &plan.described[case.function].roles;
    with(&|case| case.rounding = 0);
    with(&|case| case.before.clear());
    with(&|case| case.disturbance = Disturbance::None);
    for (index, role) in roles.iter().enumerate() {
        match (&case.values[index], role) {
            (Value::Int(number), Role::Size(_)) => {
                for smaller in [0, 1, number / 2, number.saturating_sub(1)] {
                    if smaller < *number {
                        with(&|case| {
                            case.values[index] = Value::Int(smaller);
                            resize(case, plan);
                        });
                    }
                }
            }
            (Value::Struct(_, fields), _) => {
                for (field, value) in fields.iter().enumerate().skip(1) {
                    let simple = match value {
                        Value::Int(0) | Value::Null => continue,
                        Value::Int(_) => Value::Int(0),
                        Value::Double(_) => Value::Double(0.0),
                        Value::Text(text) if text.is_empty() => continue,
                        Value::Text(_)
                            if plan.header.structs[structure_of(role)].fields[field].kind.array > 0 =>
                        {
                            Value::Text(Vec::new())
                        }
                        _ => Value::Null,
                    };
                    with(&|case| {
                        if let Value::Struct(_, fields) = &mut case.values[index] {
                            fields[field] = simple.clone();
                        }
                        resize(case, plan);
                    });
                }
            }
            (Value::Double(number), _) if *number != 0.0 && *number != 1.0 => {
                with(&|case| case.values[index] = Value::Double(1.0))
            }
            (Value::Array(buffer), Role::Array(_)) if !buffer.bytes.is_empty() => {
                contents(buffer, &mut |bytes| {
                    with(&|case| {
                        if let Value::Array(buffer) = &mut case.values[index] {
                            buffer.bytes.clone_from(&bytes);
                        }
                    });
                })
            }
            (Value::Context(which), _) if *which != crate::case::Which::Pool(0) => {
                with(&|case| case.values[index] = Value::Context(crate::case::Which::Pool(0)));
            }
            _ => {}
        }
    }
    found
}

fn structure_of(role: &Role) -> usize {
    match role {
        Role::StructIn(index) | Role::StructOut(index) => *index,
        _ => 0,
    }
}

/// Simpler contents: zeros, zeros in a half, single elements 0.
fn contents(buffer: &Buffer, with: &mut dyn FnMut(Vec<u8>)) {
    let bytes = &buffer.bytes;
    let size = dtype_size(buffer.dtype).max(1);
    let mut zero = |from: usize, to: usize| {
        if bytes[from..to].iter().any(|byte| *byte != 0) {
            let mut simple = bytes.clone();
            simple[from..to].fill(0);
            with(simple);
        }
    };
    let elements = bytes.len() / size;
    zero(0, bytes.len());
    for parts in [2, 4, 8] {
        for part in 0..parts.min(elements) {
            zero(elements * part / parts * size, elements * (part + 1) / parts * size);
        }
    }
    if elements <= 16 {
        (0..elements).for_each(|element| zero(element * size, (element + 1) * size));
    }
}

/// Arrays as long as the sizes say, their contents cut off or continued with zeros.
fn resize(case: &mut Case, plan: &Plan) {
    let (function, described) = (&plan.header.functions[case.function], &plan.described[case.function]);
    let values = case.values.clone();
    let scope = Scope { header: &plan.header, function, described, values: &values };
    let fit = |role: &Role, value: &mut Value| {
        if let (Role::Array(array), Value::Array(buffer)) = (role, value)
            && let Some(bytes) = scope.bytes(array)
            && bytes < 1 << 23
        {
            let fill = if buffer.receives { 0xa7 } else { 0 };
            buffer.bytes.resize(bytes as usize, fill);
            buffer.dtype = scope.dtype(array).unwrap_or(buffer.dtype);
        }
    };
    for (role, value) in described.roles.iter().zip(&mut case.values) {
        fit(role, value);
        if let Value::Struct(structure, fields) = value
            && let Some((_, roles)) = described.fields.iter().find(|(index, _)| index == structure)
        {
            roles.iter().zip(fields).for_each(|(role, value)| fit(role, value));
        }
    }
}
