//! The arrays of a case, in parameters and in options.

use crate::arena::SLOT;
use crate::case::{Buffer, Place, Value};
use crate::contents::{self, Wanted};
use crate::formula;
use crate::generate::Generator;
use crate::header::Member;
use crate::layout;
use crate::number::dtype_size;
use crate::roles::{Array, Contents, Element, Role, Shape, allowed, behind};
use crate::selections;
use crate::texts;

/// Arrays that one argument holds: more than any function takes.
const MOST_ARRAYS: u128 = 20;

impl Generator<'_> {
    pub fn arrays(&mut self) {
        let described = self.described;
        // First the extents of others.
        let is_first = |index: &usize| !matches!(&described.roles[*index], Role::Array(array) if !array.contents.is_of_dimensions());
        let mut order: Vec<usize> = (0..described.roles.len()).collect();
        order.sort_by_key(|index| !is_first(index));
        for index in order {
            let role = &described.roles[index];
            let param = &self.function.params[index];
            match role {
                Role::Array(array) => self.case.values[index] = self.array(array, param, 0),
                Role::Arrays(count, array) => {
                    let count = self.scope().evaluate(count).min(MOST_ARRAYS) as usize;
                    let items = (0..count).map(|item| self.array(array, param, item)).collect();
                    self.case.values[index] = Value::Arrays(items);
                }
                Role::Formula if self.case.values[index] != Value::Null => {
                    let count = self.scope().number("input_count").min(16) as usize;
                    let mut names = formula::names_of(self.scope().text("names"), count);
                    if self.scope().value("boundary").is_some() {
                        formula::add_neighbours(&mut self.dice, &mut names);
                    }
                    self.case.values[index] = Value::Text(formula::text(&mut self.dice, &names));
                }
                Role::StructOut(structure) => {
                    let size = self.plan.header.structs[*structure].size;
                    let mut bytes = vec![0xa7; size];
                    bytes[..8].copy_from_slice(&(size as u64).to_le_bytes());
                    let high = self.dice.per_mille(700);
                    self.case.values[index] = Value::Array(Buffer {
                        bytes,
                        dtype: 9,
                        high,
                        skew: 0,
                        output: true,
                        receives: false,
                        place: Place::Ordinary,
                    });
                }
                Role::StructIn(structure) => {
                    let roles = described.fields.iter().find(|(found, _)| found == structure);
                    for (place, role) in
                        roles.map(|(_, roles)| roles.as_slice()).unwrap_or_default().iter().enumerate()
                    {
                        let field = &self.plan.header.structs[*structure].fields[place];
                        let value = match role {
                            Role::Array(array) => self.array(array, field, 0),
                            Role::Text if field.text.starts_with("Names of the inputs") => self.names(),
                            _ => continue,
                        };
                        if let Value::Struct(_, fields) = &mut self.case.values[index] {
                            fields[place] = value;
                        }
                    }
                    self.functor(index, roles.map(|(_, roles)| roles.as_slice()).unwrap_or_default());
                    self.selections(index, roles.map(|(_, roles)| roles.as_slice()).unwrap_or_default());
                }
                _ => {}
            }
        }
    }

    /// An expression in the options in this place, in the place of an operator; mostly there is none.
    fn functor(&mut self, options: usize, roles: &[Role]) {
        let Some(place) = roles.iter().position(|role| matches!(role, Role::Formula)) else { return };
        let is_given = self.dice.per_mille(300);
        let text = match self.dice.below(10) {
            0..6 => self.dice.pick(&formula::FOLDS).as_bytes().to_vec(),
            6 => formula::text(&mut self.dice, &["a".into(), "b".into(), "c".into()]),
            _ => formula::text(&mut self.dice, &["a".into(), "b".into()]),
        };
        let is_alone = self.dice.per_mille(980);
        let Value::Struct(structure, fields) = &mut self.case.values[options] else { return };
        fields[place] = if is_given { Value::Text(text) } else { Value::Null };
        let members = &self.plan.header.structs[*structure].fields;
        for (field, member) in fields.iter_mut().zip(members) {
            if ["op", "order"].contains(&member.name.as_str()) && is_given && is_alone {
                *field = Value::Int(0);
            }
        }
    }

    /// What is taken of each dimension of an array, where the options in this place say that.
    fn selections(&mut self, options: usize, roles: &[Role]) {
        let is_selection = |role: &Role| matches!(role, Role::Arrays(_, array) if matches!(array.shape, Shape::Selected(..)));
        let Some(extents) = self.extents().filter(|_| roles.iter().any(is_selection)) else { return };
        let values = selections::fields(&mut self.dice, roles, &extents, self.large);
        let Value::Struct(_, fields) = &mut self.case.values[options] else { return };
        for (field, value) in fields.iter_mut().zip(values) {
            if let Some(value) = value {
                *field = value;
            }
        }
    }

    fn names(&mut self) -> Value {
        if self.dice.per_mille(700) {
            return Value::Null;
        }
        let count = self.scope().number("input_count").min(16) as usize;
        Value::Text(formula::names(&mut self.dice, count).into_bytes())
    }

    fn array(&mut self, array: &Array, member: &Member, item: usize) -> Value {
        let scope = self.scope();
        let descending = array.contents == Contents::Sorted && scope.number("order") == 1;
        let (dtype, mut count) = (scope.dtype_of(array, item), scope.count_of(array, item));
        let Some(dtype) = dtype else {
            return if self.dice.per_mille(500) { Value::Null } else { Value::Ignored };
        };
        if dtype == 0 && matches!(array.element, Element::Dtype(_) | Element::DtypeOf(_)) {
            count = count.saturating_mul(8); // bytes, of an element of unknown size
        }
        if count.saturating_mul(dtype_size(dtype).max(1) as u128) > SLOT as u128 - 128 {
            return Value::Null;
        }
        if array.optional && self.dice.per_mille(if array.receives { 250 } else { 350 }) {
            return Value::Null;
        }
        if let Some(other) = behind(&member.text, "in place of ")
            && !matches!(self.scope().value(other), Some(Value::Double(0.0)))
            && self.dice.per_mille(950)
        {
            return Value::Null; // "in place of lo and hi"
        }
        let extrema = ["MIN", "MAX"];
        if member.text.contains(", for MIN and MAX")
            && !extrema.iter().any(|constant| self.has_constant(constant))
            && self.dice.per_mille(950)
        {
            return Value::Null;
        }
        if member.name == "geometry" && !array.receives && self.dice.per_mille(950) {
            return Value::Null; // made by gpumex_segments_prepare
        }
        let count = count as usize;
        let range = self.range(array, dtype);
        let high = self.dice.per_mille(700);
        let (bytes, specified) = if array.receives && !member.text.contains("dded to") {
            (vec![0xa7; count * dtype_size(dtype).max(1)], true)
        } else if array.contents == Contents::Text && !array.output {
            let text = texts::prose(&mut self.dice, member, self.words, count);
            self.resize_text(member, &text);
            (text, true)
        } else if let Some(numbers) = self.numbers(array, member, count) {
            let size = dtype_size(dtype);
            (
                numbers.into_iter().flat_map(|number| number.to_le_bytes().into_iter().take(size)).collect(),
                true,
            )
        } else {
            let wanted = Wanted { dtype, count, contents: array.contents, range, descending };
            contents::fill(&mut self.dice, &wanted)
        };
        self.case.specified &= specified;
        Value::Array(Buffer {
            bytes,
            dtype,
            high,
            skew: 0,
            output: array.output,
            receives: array.receives,
            place: Place::Ordinary,
        })
    }

    /// Numbers of an enum, extents, strides.
    fn numbers(&mut self, array: &Array, member: &Member, count: usize) -> Option<Vec<i64>> {
        Some(match array.contents {
            Contents::Enum(index) => {
                let wild = self.dice.per_mille(15);
                let allowed = allowed(&self.plan.header.enums[index], &member.text);
                let number = |_| match self.dice.below(40) {
                    0 if wild => self.dice.bits().cast_signed() >> self.dice.below(64),
                    _ => self.dice.pick(&allowed),
                };
                (0..count).map(number).collect()
            }
            Contents::Extents => layout::extents(&mut self.dice, count, self.large),
            Contents::Permutation => {
                let mut order: Vec<i64> = (0..count as i64).collect();
                (1..count).for_each(|last| order.swap(last, self.dice.below(last + 1)));
                if count > 0 && self.dice.per_mille(30) {
                    order[self.dice.below(count)] = self.dice.below(count + 2) as i64 - 1;
                }
                order
            }
            Contents::Strides => {
                let extents = self.extents()?;
                let arrays = count.checked_div(extents.len()).unwrap_or(0);
                let is_result = member.name.starts_with("result");
                (0..arrays).flat_map(|_| layout::strides(&mut self.dice, &extents, is_result)).collect()
            }
            _ => return None,
        })
    }

    /// Those in an option.
    fn extents(&self) -> Option<Vec<i64>> {
        self.described.fields.iter().find_map(|(structure, roles)| {
            let fields = &self.plan.header.structs[*structure].fields;
            let is_it =
                |role: &Role| matches!(role, Role::Array(array) if array.contents == Contents::Extents);
            let place = roles.iter().position(is_it)?;
            self.scope().list(&fields[place].name)
        })
    }

    /// Some cases have arrays in memory of gpumex_malloc, of any kind. Structs, and numbers received from a function that runs
    /// no operation, are in host memory.
    pub fn places(&mut self) {
        let runs = self.function.is_operation() || self.function.group == "gpumex_plain";
        if !runs || !self.dice.per_mille(40) {
            return;
        }
        let params = self.function.params.iter().zip(&self.described.roles);
        for (value, (param, role)) in self.case.values.iter_mut().zip(params) {
            let buffers: Vec<&mut Buffer> = match (value, role) {
                (Value::Array(buffer), Role::Array(_)) => vec![buffer],
                (Value::Arrays(items), Role::Arrays(..)) => items
                    .iter_mut()
                    .filter_map(|item| if let Value::Array(buffer) = item { Some(buffer) } else { None })
                    .collect(),
                _ => continue,
            };
            let is_anywhere =
                !param.text.contains("host memory") || param.text.contains("may lie in host memory");
            for buffer in buffers {
                if is_anywhere && !buffer.bytes.is_empty() && self.dice.per_mille(700) {
                    buffer.place = Place::Block(self.dice.below(3) as u64);
                }
            }
        }
    }

    /// The largest position of an array of positions.
    fn range(&mut self, array: &Array, dtype: u8) -> Option<u64> {
        let Element::Dtype(name) = &array.element else {
            return (array.element == Element::Segments && dtype != 11).then(|| self.scope().number("count"));
        };
        if name != "index_dtype" || array.receives {
            return None;
        }
        let known = array.range.as_ref().map(|name| self.scope().number(name));
        let sizes: Vec<u64> = self
            .case
            .values
            .iter()
            .filter_map(|value| match value {
                Value::Int(number) if *number < 1 << 32 => Some(*number),
                _ => None,
            })
            .collect();
        let range = known.or_else(|| (!sizes.is_empty()).then(|| self.dice.pick(&sizes)));
        Some(range.unwrap_or(0).min(1 << 40))
    }

    /// A text is as long as it is: its length follows.
    fn resize_text(&mut self, member: &Member, text: &[u8]) {
        if member.text.starts_with("length") {
            let length = self.function.params.iter().position(|param| param.name == "length");
            if let Some(length) = length {
                self.case.values[length] = Value::Int(text.len() as u64);
            }
        }
    }
}
