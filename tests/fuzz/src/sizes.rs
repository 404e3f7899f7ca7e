//! Sizes of a case: rules between them, and arrays that fit into their slots.

use crate::arena::SLOT;
use crate::case::Value;
use crate::expression::Expression;
use crate::generate::Generator;
use crate::roles::{Role, Shape};

impl Generator<'_> {
    /// Rules between sizes: "at most count", "a multiple of channels", "with FLAGS (count + 31) / 32".
    pub fn relations(&mut self) {
        let described = self.described;
        for (index, role) in described.roles.iter().enumerate() {
            let Role::Size(size) = role else { continue };
            let Value::Int(mut number) = self.case.values[index] else { continue };
            if self.dice.per_mille(20) {
                continue; // the rule is broken
            }
            let scope = self.scope();
            if let Some(most) = &size.at_most {
                number = number.min(scope.number(most));
            }
            if let Some(unit) = &size.multiple_of {
                let unit = (scope.extent(unit) as u64).clamp(1, 1 << 20);
                number -= number % unit;
            }
            if let Some((constant, expression)) = &size.with
                && self.has_constant(constant)
                && number > 0
            {
                number = scope.evaluate(expression) as u64;
            }
            self.case.values[index] = Value::Int(number);
        }
        if self.case.values.contains(&Value::Null) && self.function.name == "gpumex_histogram" {
            // "NULL: bytes by their value, which takes bins = 256"
            let bins = self.function.params.iter().position(|param| param.name == "bins");
            if let (Some(bins), true) = (bins, self.dice.per_mille(900) && self.case.values[1] == Value::Null)
            {
                self.case.values[bins] = Value::Int(256);
            }
        }
        // "Number of arguments, as main has it": those of the next parameter.
        for (index, param) in self.function.params.iter().enumerate() {
            if param.text.starts_with("Number of arguments") {
                let number = match self.case.values.get(index + 1) {
                    Some(Value::Arguments(arguments)) => arguments.len(),
                    _ => 1,
                };
                self.case.values[index] = Value::Int(number as u64);
            }
        }
        self.matrices();
    }

    /// Leading dimensions and strides that fit, mostly.
    fn matrices(&mut self) {
        for which in ["a", "b", "c"] {
            for prefix in ["ld", "stride_"] {
                let name = format!("{prefix}{which}");
                let letter = which.chars().next().unwrap_or('a');
                let scope = self.scope();
                if scope.number(&name) == 0 {
                    continue;
                }
                let matrix = crate::case::Matrix::of(&scope, letter);
                let least =
                    if prefix == "ld" { matrix.inner } else { matrix.outer.saturating_mul(matrix.ld) } as u64;
                let slack = self.dice.below(6) as u64;
                if self.dice.per_mille(950) {
                    self.set_field(&name, least.saturating_add(slack));
                }
            }
        }
    }

    pub fn set_field(&mut self, name: &str, number: u64) {
        for value in &mut self.case.values {
            if let Value::Struct(structure, fields) = value {
                let members = &self.plan.header.structs[*structure].fields;
                if let Some(index) = members.iter().position(|field| field.name == name) {
                    fields[index] = Value::Int(number);
                }
            }
        }
    }

    /// Whether an option has the constant of this name: "FLAGS" of segments_by.
    pub fn has_constant(&self, name: &str) -> bool {
        self.case.values.iter().any(|value| {
            let Value::Struct(structure, fields) = value else { return false };
            let roles = self.described.fields.iter().find(|(index, _)| index == structure);
            roles.is_some_and(|(_, roles)| {
                roles.iter().zip(fields).any(|(role, value)| match (role, value) {
                    (Role::Enum(index, _), Value::Int(number)) => {
                        let constants = &self.plan.header.enums[*index].constants;
                        constants.iter().any(|(constant, of)| constant == name && *of as u64 == *number)
                    }
                    _ => false,
                })
            })
        })
    }

    /// Halves the largest sizes until all arrays fit, and the work is small.
    pub fn fit(&mut self) {
        let most = if self.large { SLOT as u128 - 128 } else { 1 << 17 };
        // An image, a board or a matrix: the work is a product of sizes.
        let multiplies = self.described.roles.iter().any(|role| match role {
            Role::Array(array) | Role::Arrays(_, array) => match &array.shape {
                Shape::Elements(count) => count.names().len() > 1 && has_product(count),
                Shape::Strided(..) | Shape::Product(..) | Shape::Selected(..) | Shape::Reduced => false, // bounded with its extents
                _ => true,
            },
            _ => false,
        });
        loop {
            let scope = self.scope();
            let arrays = self.described.roles.iter().filter_map(|role| match role {
                Role::Array(array) | Role::Arrays(_, array) => scope.bytes(array),
                _ => None,
            });
            let bytes = arrays.max().unwrap_or(0);
            let sizes = self.described.roles.iter().enumerate().filter_map(|(index, role)| {
                match (role, &self.case.values[index]) {
                    (Role::Size(size), Value::Int(number)) if size.shape || size.cost => {
                        Some((*number, index))
                    }
                    _ => None,
                }
            });
            let sizes: Vec<(u64, usize)> = sizes.collect();
            let work: u128 = sizes.iter().map(|(number, _)| u128::from((*number).max(1))).product();
            let slow =
                multiplies && work > if self.large { 1 << 24 } else { 1 << 16 } || self.is_slow_filter();
            if bytes <= most && !slow {
                return;
            }
            match sizes.iter().max() {
                Some((number, index)) if *number > 0 => self.case.values[*index] = Value::Int(number / 2),
                _ => return self.set_field("batch", 0),
            }
            self.matrices_shrunk();
        }
    }

    /// A result of the whole shape has more elements than the array and the filter together.
    fn is_slow_filter(&self) -> bool {
        let scope = self.scope();
        if scope.function.name != "gpumex_convolve" {
            return false;
        }
        let [rows, cols, m, n] =
            ["rows", "cols", "filter_rows", "filter_cols"].map(|name| scope.number(name) as u128);
        (rows + m) * (cols + n) * m * n > 1 << 24
    }

    fn matrices_shrunk(&mut self) {
        for name in ["lda", "ldb", "ldc", "stride_a", "stride_b", "stride_c"] {
            let number = self.scope().number(name);
            if number > 0 {
                self.set_field(name, 0);
            }
        }
    }
}

fn has_product(expression: &Expression) -> bool {
    match expression {
        Expression::Binary(operator, left, right) => {
            *operator == '*' || has_product(left) || has_product(right)
        }
        _ => false,
    }
}
