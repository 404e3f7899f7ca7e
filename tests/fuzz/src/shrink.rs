//! Makes a failing case smaller: options at their defaults, smaller sizes, simple contents.

use std::time::{Duration, Instant};

use crate::case::{Buffer, Case, Mark, Scope, Value};
use crate::disturbance::Disturbance;
use crate::formula::names_of;
use crate::generate::Plan;
use crate::number::dtype_size;
use crate::oracle::language::{Node, Tree, parse};
use crate::roles::{Array, Contents, Role};

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
            let around = |case: &Case| (case.mxcsr, case.disturbance, case.before.len());
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
    with(&|case| case.mxcsr = 0);
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
            (Value::Comm(Mark::Ranks(ranks, seed)), _) => {
                with(&|case| case.values[index] = Value::Comm(Mark::New));
                if *ranks > 2 {
                    with(&|case| case.values[index] = Value::Comm(Mark::Ranks(ranks - 1, *seed)));
                }
            }
            (Value::Text(_), Role::Formula) => {
                for text in simpler_texts(case, plan) {
                    with(&|case| case.values[index] = Value::Text(text.clone().into_bytes()));
                }
            }
            (Value::Arrays(items), _) => {
                for (item, value) in items.iter().enumerate() {
                    let Value::Array(buffer) = value else { continue };
                    contents(buffer, &mut |bytes| {
                        with(&|case| {
                            if let Value::Arrays(items) = &mut case.values[index]
                                && let Value::Array(buffer) = &mut items[item]
                            {
                                buffer.bytes.clone_from(&bytes);
                            }
                        });
                    });
                }
            }
            (Value::Struct(structure, fields), _) => {
                for (field, smaller) in smaller_extents(plan, case.function, *structure, fields) {
                    with(&|case| {
                        if let Value::Struct(_, fields) = &mut case.values[index] {
                            fields[field] = smaller.clone();
                        }
                        resize(case, plan);
                    });
                }
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

/// The parts of an expression in its place, and the expression with one of its parts as an input or a literal.
fn simpler_texts(case: &Case, plan: &Plan) -> Vec<String> {
    let (function, described) = (&plan.header.functions[case.function], &plan.described[case.function]);
    let scope = Scope { header: &plan.header, function, described, values: &case.values };
    let names = names_of(scope.text("names"), scope.number("input_count").min(16) as usize);
    let Some(text) = scope.text("expression") else { return Vec::new() };
    let Some((tree, _)) = parse(text, &names, scope.value("boundary").is_some()) else { return Vec::new() };
    let mut found = Vec::new();
    let mut open: Vec<&Node> = vec![&tree];
    while let Some(node) = open.pop() {
        let Tree::Call(_, arguments) = &node.tree else { continue };
        open.extend(arguments);
        found.extend(arguments.iter().map(|part| text[part.from..part.to].to_owned()));
        for leaf in names.iter().map(String::as_str).chain(["1"]) {
            found.push(format!("{}{leaf}{}", &text[..node.from], &text[node.to..]));
        }
        for part in arguments {
            // An argument in the place of its function.
            let part = &text[part.from..part.to];
            found.push(format!("{}({part}){}", &text[..node.from], &text[node.to..]));
        }
    }
    found.retain(|simpler| simpler.len() < text.len());
    found.sort_by_key(String::len);
    found.dedup();
    found.truncate(200);
    found
}

/// Extents of arrays in options, one of them smaller.
fn smaller_extents(plan: &Plan, function: usize, structure: usize, fields: &[Value]) -> Vec<(usize, Value)> {
    let Some((_, roles)) = plan.described[function].fields.iter().find(|(index, _)| *index == structure)
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (field, (role, value)) in roles.iter().zip(fields).enumerate() {
        let (Role::Array(array), Value::Array(buffer)) = (role, value) else { continue };
        if array.contents != Contents::Extents {
            continue;
        }
        for at in (0..buffer.bytes.len() / 8).map(|number| 8 * number) {
            let bytes: [u8; 8] = buffer.bytes[at..at + 8].try_into().unwrap_or_default();
            let extent = u64::from_le_bytes(bytes);
            for smaller in
                [1, extent / 2, extent.saturating_sub(1)].into_iter().filter(|smaller| *smaller < extent)
            {
                let mut buffer = buffer.clone();
                buffer.bytes[at..at + 8].copy_from_slice(&smaller.to_le_bytes());
                found.push((field, Value::Array(buffer)));
            }
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

/// Arrays as long as the sizes say, their contents cut off or continued with zeros. First those in options, on which others depend.
fn resize(case: &mut Case, plan: &Plan) {
    resize_once(case, plan);
    resize_once(case, plan);
}

fn resize_once(case: &mut Case, plan: &Plan) {
    let (function, described) = (&plan.header.functions[case.function], &plan.described[case.function]);
    let values = case.values.clone();
    let scope = Scope { header: &plan.header, function, described, values: &values };
    let fit_item = |array: &Array, item: usize, buffer: &mut Buffer| {
        if let Some(bytes) = scope.bytes_of(array, item)
            && bytes < 1 << 23
        {
            let fill = if buffer.receives { 0xa7 } else { 0 };
            buffer.bytes.resize(bytes as usize, fill);
            buffer.dtype = scope.dtype_of(array, item).unwrap_or(buffer.dtype);
        }
    };
    let fit = |role: &Role, value: &mut Value| match (role, value) {
        (Role::Array(array), Value::Array(buffer)) => fit_item(array, 0, buffer),
        (Role::Arrays(count, array), Value::Arrays(items)) => {
            items.truncate(scope.evaluate(count).min(20) as usize);
            for (item, value) in items.iter_mut().enumerate() {
                if let Value::Array(buffer) = value {
                    fit_item(array, item, buffer);
                }
            }
        }
        _ => {}
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
