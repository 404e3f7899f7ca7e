//! One fault in some of the cases, which the header refuses; and arrays that may be one another.

use crate::case::{Scope, Value};
use crate::expression::Expression;
use crate::generate::Generator;
use crate::layout::Layout;
use crate::number::dtype_size;
use crate::roles::{Array, Element, Role, Shape, has_word};

pub fn add(generator: &mut Generator) {
    let refuses = generator.function.results.contains("INVALID_ARGUMENT");
    match generator.dice.below(100) {
        0..2 => null(generator),
        2..4 => misaligned(generator),
        4..7 => overlap(generator),
        7..9 => huge(generator),
        9..12 => wrong_number(generator),
        12..14 => wrong_struct_size(generator),
        14..19 => same_array(generator),
        19..22 => one_of_several(generator),
        22..27 => in_place(generator),
        _ => {}
    }
    if !refuses {
        generator.case.refused = None;
    }
}

/// The array parameters that are passed and not empty.
fn arrays<'a>(generator: &Generator<'a>) -> Vec<(usize, &'a Array)> {
    let described = generator.described;
    let passed = described.roles.iter().enumerate().filter_map(|(index, role)| {
        match (role, &generator.case.values[index]) {
            (Role::Array(array), Value::Array(buffer)) if !buffer.bytes.is_empty() => Some((index, &**array)),
            _ => None,
        }
    });
    passed.collect()
}

fn pick<'a>(
    generator: &mut Generator<'a>,
    fits: impl Fn(&Scope, &Array) -> bool,
) -> Option<(usize, &'a Array)> {
    let scope = generator.scope();
    let found: Vec<_> = arrays(generator).into_iter().filter(|(_, array)| fits(&scope, array)).collect();
    (!found.is_empty()).then(|| generator.dice.pick(&found))
}

/// Whether all of an array is used in each call that passes it.
fn is_read(text: &str) -> bool {
    !["gnored", "not read", "at most"].iter().any(|word| text.contains(word))
}

/// One number, such as `needed`: the library may take any address.
fn single(array: &Array) -> bool {
    array.contents.is_of_dimensions()
        || matches!(array.element, Element::Fixed(_)) && array.shape == Shape::Elements(Expression::Number(1))
}

fn null(generator: &mut Generator) {
    if let Some((index, _)) = pick(generator, |_, array| !array.optional) {
        generator.case.values[index] = Value::Null;
        let text = &generator.function.params[index].text;
        generator.case.refused = is_read(text).then_some("a required array is NULL");
    }
}

fn misaligned(generator: &mut Generator) {
    let wide = |scope: &Scope, array: &Array| {
        !array.optional && scope.dtype(array).is_some_and(|dtype| dtype_size(dtype) > 1)
    };
    let Some((index, array)) = pick(generator, wide) else { return };
    // "not read without results", "at most capacity elements": it may be left alone.
    let read = is_read(&generator.function.params[index].text);
    if let Value::Array(buffer) = &mut generator.case.values[index] {
        buffer.skew = 1;
        generator.case.refused = (!single(array) && read).then_some("an array is misaligned");
    }
}

/// One of several arrays is NULL or misaligned.
fn one_of_several(generator: &mut Generator) {
    let dice = &mut generator.dice;
    for value in &mut generator.case.values {
        if let Value::Struct(_, fields) = value {
            let lists = fields.iter_mut().filter_map(|field| match field {
                Value::Arrays(items) => Some(items),
                _ => None,
            });
            let buffers = lists.flatten().filter_map(|item| match item {
                Value::Array(buffer) if !buffer.bytes.is_empty() && dtype_size(buffer.dtype) > 1 => {
                    Some(buffer)
                }
                _ => None,
            });
            if let Some(buffer) = buffers.last() {
                buffer.skew = 1;
                generator.case.refused = Some("one of several arrays is misaligned");
                return;
            }
        }
        let Value::Arrays(items) = value else { continue };
        if items.is_empty() {
            return;
        }
        let at = dice.below(items.len());
        let Value::Array(buffer) = &mut items[at] else { return };
        if buffer.bytes.is_empty() {
            return;
        }
        if dice.per_mille(500) {
            items[at] = Value::Null;
            generator.case.refused = Some("one of several arrays is NULL");
        } else if dtype_size(buffer.dtype) > 1 {
            buffer.skew = 1;
            generator.case.refused = Some("one of several arrays is misaligned");
        }
        return;
    }
}

/// An output in the place of one of several arrays, or within it; "may be one of inputs" where they lie alike.
fn in_place(generator: &mut Generator) {
    let Some((output, _)) = pick(generator, |_, array| array.output && !single(array)) else { return };
    let may_be = generator.function.params[output].text.contains("may be one of ");
    let Value::Array(result) = &generator.case.values[output] else { return };
    let mut result = result.clone();
    let strides = |scope: &Scope, name: &str, item: usize| {
        let layout = Layout::of(scope, "shape");
        (layout.strides(scope, name, item), layout.extents)
    };
    let Some(list) = generator.case.values.iter().position(|value| matches!(value, Value::Arrays(_))) else {
        return;
    };
    let Value::Arrays(items) = &generator.case.values[list] else { return };
    if items.is_empty() {
        return;
    }
    let item = generator.dice.below(items.len());
    let Value::Array(input) = &items[item] else { return };
    let scope = generator.scope();
    let (own, other) = (strides(&scope, "strides", item), strides(&scope, "result_strides", 0));
    let alike =
        own.0.iter().zip(&other.0).zip(&own.1).all(|((own, other), extent)| *extent < 2 || own == other);
    let is_dense = result.bytes.len() as u128
        == own.1.iter().product::<u128>() * dtype_size(result.dtype).max(1) as u128;
    if input.bytes.is_empty() || input.bytes.len() > result.bytes.len() {
        return;
    }
    let same = alike && is_dense && input.dtype == result.dtype;
    let length = input.bytes.len();
    result.bytes[..length].copy_from_slice(&input.bytes);
    result.receives = false;
    generator.case.refused =
        (!may_be || !same).then_some("the result overlaps an input that lies in another way");
    generator.case.values[output] = Value::Array(result);
    if let Value::Arrays(items) = &mut generator.case.values[list] {
        items[item] = Value::Alias(output, 0, length);
    }
}

/// An output begins within another array.
fn overlap(generator: &mut Generator) {
    let Some((output, _)) = pick(generator, |_, array| array.output && !single(array)) else { return };
    let Some((other, array)) = pick(generator, |_, array| !array.contents.is_of_dimensions()) else { return };
    let (Value::Array(to), Value::Array(from)) =
        (&generator.case.values[output], &generator.case.values[other])
    else {
        return;
    };
    if output == other
        || generator.function.params[output].text.contains("may be ")
        || array.optional
        || !is_read(&generator.function.params[output].text)
    {
        return;
    }
    let (element, to_length) = (dtype_size(to.dtype).max(1), to.bytes.len());
    let Some(room) = from.bytes.len().checked_sub(to.bytes.len()) else { return };
    let offset = generator.dice.below(room / element + 1) * element;
    generator.case.values[output] = Value::Alias(other, offset, to_length);
    generator.case.refused = Some("an output overlaps another array");
}

/// A size for which an array would exceed the address space.
fn huge(generator: &mut Generator) {
    let sizes: Vec<usize> = generator
        .described
        .roles
        .iter()
        .enumerate()
        .filter(|(_, role)| matches!(role, Role::Size(size) if size.shape))
        .map(|(index, _)| index)
        .collect();
    if sizes.is_empty() {
        return;
    }
    let index = generator.dice.pick(&sizes);
    let before = generator.case.values[index].clone();
    let number = match generator.dice.below(4) {
        0 => u64::MAX,
        1 => u64::MAX / 8 + 1,
        2 => 1 << 63,
        _ => u64::MAX - generator.dice.below(100) as u64,
    };
    generator.case.values[index] = Value::Int(number);
    // Each array of this size is too short, so it counts only if the header refuses all such calls.
    let scope = generator.scope();
    let name = &generator.function.params[index].name;
    let exceeds = arrays(generator).iter().any(|(index, array)| {
        let read = is_read(&generator.function.params[*index].text);
        let uses = matches!(&array.shape, Shape::Elements(count) if count.names().contains(&name.as_str()))
            || matches!(&array.shape, Shape::Cells(..));
        read && uses
            && !array.optional
            && !array.values_only
            && scope.bytes(array).is_some_and(|bytes| bytes > i64::MAX as u128)
    });
    if exceeds {
        generator.case.refused = Some("an array exceeds the address space");
    } else {
        generator.case.values[index] = before;
    }
}

/// A number that is not of its enum, or a flag that is neither 0 nor 1.
fn wrong_number(generator: &mut Generator) {
    let mut places = Vec::new();
    for (param, value) in generator.case.values.iter().enumerate() {
        match (value, &generator.described.roles[param]) {
            (Value::Int(_), Role::Enum(..)) => places.push((param, None)),
            (Value::Struct(structure, _), _) => {
                let roles = generator.described.fields.iter().find(|(index, _)| index == structure);
                for (field, role) in
                    roles.map(|(_, roles)| roles.as_slice()).unwrap_or_default().iter().enumerate()
                {
                    if matches!(role, Role::Enum(..) | Role::Integer(_)) {
                        places.push((param, Some(field)));
                    }
                }
            }
            _ => {}
        }
    }
    if places.is_empty() {
        return;
    }
    let (param, field) = generator.dice.pick(&places);
    let numbers = [-1, 16, 99, i32::MIN, i32::MAX, 1 << 16];
    let number = generator.dice.pick(&numbers) as u32;
    match (&mut generator.case.values[param], field) {
        (Value::Struct(_, fields), Some(field)) => fields[field] = Value::Int(u64::from(number)),
        (value, _) => *value = Value::Int(u64::from(number)),
    }
    // "rules, names, dtypes, as for gpumex_map; other fields are ignored"
    let about = &generator.function.params[param].text;
    if let (Some(field), Value::Struct(structure, _)) = (field, &generator.case.values[param])
        && about.contains("other fields are ignored")
        && !has_word(about, &generator.plan.header.structs[*structure].fields[field].name)
    {
        return;
    }
    let enumerated = field.is_none_or(|field| {
        generator.described.fields.iter().any(|(_, roles)| matches!(roles.get(field), Some(Role::Enum(..))))
    });
    generator.case.refused = enumerated.then_some("a number is not of its enum");
}

fn wrong_struct_size(generator: &mut Generator) {
    let size = generator.dice.pick(&[0u64, 1, 7, 8, 9, 12, 16, 24, 32, 40, 200, u64::MAX]);
    for value in &mut generator.case.values {
        if let Value::Struct(structure, fields) = value {
            // An older caller's struct is shorter: what it lacks counts as 0, and the arrays have been made without that.
            let members = &generator.plan.header.structs[*structure].fields;
            let lost = members.iter().zip(fields.iter()).skip(1).any(|(member, value)| {
                member.offset + member.kind.size().unwrap_or(8) > size as usize
                    && !matches!(value, Value::Int(0) | Value::Null)
            });
            if lost && (8..200).contains(&size) {
                return;
            }
            fields[0] = Value::Int(size);
            return;
        }
    }
    for (role, value) in generator.described.roles.iter().zip(&mut generator.case.values) {
        if let (Role::StructOut(_), Value::Array(buffer)) = (role, value) {
            buffer.bytes[..8].copy_from_slice(&size.to_le_bytes());
            buffer.bytes.resize((size as usize).clamp(8, 400), 0xa7);
            return;
        }
    }
}

/// "may be a": one array in two places.
fn same_array(generator: &mut Generator) {
    let described = generator.described;
    for (index, role) in described.roles.iter().enumerate() {
        let Role::Array(array) = role else { continue };
        let Some(name) = &array.may_be else { continue };
        let Some(other) = generator.function.params.iter().position(|param| param.name == *name) else {
            continue;
        };
        if let (Value::Array(own), Value::Array(same)) =
            (&generator.case.values[index], &generator.case.values[other])
            && own.bytes.len() <= same.bytes.len()
            && own.dtype == same.dtype
        {
            generator.case.values[index] = Value::Alias(other, 0, own.bytes.len());
        }
    }
}
