//! Cases: mostly valid calls, each field sometimes out of its range, and one fault in some of them.

use crate::arena::SLOT;
use crate::case::{Behaviour, Block, Buffer, Case, Mark, Scope, Value, Which};
use crate::contents::{self, Wanted};
use crate::dice::Dice;
use crate::faults;
use crate::header::{Function, Header, Member};
use crate::number::{dtype_size, is_float, is_signed};
use crate::roles::{Array, Contents, Described, Role, Size};
use crate::texts;

/// What can be called.
pub struct Plan {
    pub header: Header,
    pub described: Vec<Described>,
    /// Functions to choose from; operations more often than the rest.
    pub choices: Vec<usize>,
    /// The quoted words of each function.
    pub words: Vec<Vec<String>>,
    pub contexts: usize,
}

pub struct Generator<'a> {
    pub plan: &'a Plan,
    pub function: &'a Function,
    pub described: &'a Described,
    pub words: &'a [String],
    pub dice: Dice,
    pub case: Case,
    large: bool,
}

pub fn generate(plan: &Plan, seed: u64, number: u64) -> Case {
    let mut dice = Dice::new(seed, number);
    let function = plan.choices[dice.below(plan.choices.len())];
    let rounding = if dice.per_mille(150) { [0, 1, 2, 3][dice.below(4)] << 13 | (dice.bits() as u32 & 1) << 15 | (dice.bits() as u32 & 1) << 6 } else { 0 };
    let large = dice.per_mille(100) && dice.per_mille(3);
    let case = Case { number, function, values: Vec::new(), rounding, specified: true, refused: None };
    let (described, words) = (&plan.described[function], &plan.words[function]);
    let mut generator =
        Generator { plan, function: &plan.header.functions[function], described, words, dice, case, large };
    generator.scalars();
    generator.relations();
    generator.fit();
    generator.arrays();
    faults::add(&mut generator);
    generator.case
}

impl Generator<'_> {
    pub fn scope(&self) -> Scope<'_> {
        let header = &self.plan.header;
        Scope { header, function: self.function, described: self.described, values: &self.case.values }
    }

    /// Everything but arrays.
    fn scalars(&mut self) {
        for (role, param) in self.described.roles.iter().zip(&self.function.params) {
            let value = match role {
                Role::StructIn(index) if self.dice.per_mille(970) => {
                    let mut fields = Vec::new();
                    let roles = self.described.fields.iter().find(|(found, _)| found == index);
                    let structure = &self.plan.header.structs[*index];
                    for (role, field) in roles.map(|(_, roles)| roles.as_slice()).unwrap_or_default().iter().zip(&structure.fields) {
                        let value = if field.name == "size" && fields.is_empty() {
                            Value::Int(structure.size as u64)
                        } else {
                            self.field(role, field, &fields, &structure.fields)
                        };
                        fields.push(value);
                    }
                    Value::Struct(*index, fields)
                }
                role => self.scalar(role, param),
            };
            self.case.values.push(value);
        }
    }

    fn field(&mut self, role: &Role, field: &Member, before: &[Value], members: &[Member]) -> Value {
        let earlier = |name: &str| {
            let index = members.iter().position(|member| member.name == name)?;
            before.get(index).cloned()
        };
        if field.name == "accumulator_dtype" && self.dice.per_mille(900) {
            // "of as many bytes or more", and of the same kind.
            let Some(Value::Int(dtype)) = earlier("dtype") else { return Value::Int(0) };
            let dtype = if dtype == 13 { 9 } else { dtype as u8 };
            let same = |other: &u8| is_float(*other) == is_float(dtype) && is_signed(*other) == is_signed(dtype);
            let wide = [1, 2, 7, 8, 11, 12].into_iter().filter(|other| same(other) && dtype_size(*other) >= dtype_size(dtype));
            let wide: Vec<u8> = wide.collect();
            let none = dtype_size(dtype) >= 4 && self.dice.per_mille(400);
            return Value::Int(if none || wide.is_empty() { 0 } else { u64::from(self.dice.pick(&wide)) });
        }
        match role {
            Role::Double if self.dice.per_mille(500) => Value::Double(0.0),
            Role::Double => {
                let first = before.iter().rev().find_map(|value| match value {
                    Value::Double(number) => Some(*number),
                    _ => None,
                });
                let ends = field.text.contains("end") && self.dice.per_mille(900);
                let some = self.dice.below(40) as f64 / if self.dice.per_mille(300) { 8.0 } else { 1.0 };
                Value::Double(first.filter(|_| ends).map_or(some, |first| first + 1.0 + some))
            }
            // Leading dimensions, strides, a batch: mostly none.
            Role::Size(_) if field.text.contains("; 0") && self.dice.per_mille(700) => Value::Int(0),
            Role::Size(_) => Value::Int(self.dice.below(12) as u64),
            role => self.scalar(role, field),
        }
    }

    fn scalar(&mut self, role: &Role, member: &Member) -> Value {
        match role {
            Role::Context => self.context(),
            Role::Event => match self.dice.below(40) {
                0 => Value::Null,
                1 => Value::Event(Mark::Dead),
                2 => Value::Event(Mark::Invented(self.dice.bits())),
                3..10 => Value::Event(Mark::New),
                _ => Value::Event(Mark::Recorded),
            },
            Role::Size(size) => Value::Int(self.size(size, member)),
            Role::Enum(_, allowed) if !member.text.contains("NONE") || self.dice.per_mille(500) => {
                Value::Int(self.dice.pick(allowed) as u64)
            }
            Role::Enum(index, _) => {
                let constants = &self.plan.header.enums[*index].constants;
                let from = usize::from(member.text.contains("other than NONE"));
                Value::Int(constants[from + self.dice.below(constants.len() - from)].1 as u64)
            }
            Role::Integer(numbers) => Value::Int(self.dice.pick(numbers) as u64),
            Role::Double => Value::Double(self.double(member)),
            Role::Text => Value::Text(texts::text(&mut self.dice, member, self.words)),
            Role::Characters(length) => {
                let mut text = if self.dice.per_mille(500) { Vec::new() } else { texts::text(&mut self.dice, member, self.words) };
                text.truncate(if self.dice.per_mille(990) { length - 1 } else { *length });
                Value::Text(text)
            }
            Role::Arguments => {
                const ARGUMENTS: [&str; 6] = ["program", "--device", "--device=0", "--device=x", "0", ""];
                Value::Arguments((0..self.dice.below(4)).map(|_| self.dice.pick(&ARGUMENTS).to_owned()).collect())
            }
            Role::Callback(_) => match self.dice.below(20) {
                0 => Value::Null,
                1..4 => Value::Callback(Behaviour::Stop),
                4..8 => Value::Callback(Behaviour::Reenter),
                _ => Value::Callback(Behaviour::Continue),
            },
            Role::User => Value::User,
            Role::Handle => Value::Handle,
            Role::Address if member.name.contains("stream") => Value::Null,
            Role::Address => match self.dice.below(20) {
                0 => Value::Null,
                1..3 => Value::Address(Block::Freed),
                3 => Value::Address(Block::Invented(self.dice.bits())),
                4 => Value::Address(Block::Inside),
                _ => Value::Address(Block::Start),
            },
            Role::StructIn(_) | Role::StructOut(_) | Role::Array(_) => Value::Null,
        }
    }

    fn context(&mut self) -> Value {
        let work = matches!(self.function.group.as_str(), "gpumex_operations" | "gpumex_primitives");
        Value::Context(match self.dice.below(1000) {
            0..4 => return Value::Null,
            4..8 => Which::Dead,
            8..12 => Which::Invented(self.dice.bits()),
            12..18 => Which::Busy,
            18..30 => Which::Default,
            30..40 => Which::Scratch,
            _ if work => Which::Pool(self.dice.below(self.plan.contexts)),
            _ => Which::Scratch,
        })
    }

    fn size(&mut self, size: &Size, member: &Member) -> u64 {
        if member.name == "bytes" && self.described.destructor.is_some() && self.dice.per_mille(50) {
            return u64::MAX >> self.dice.below(30); // of gpumex_malloc: more than there is
        }
        if self.large && size.shape {
            return self.dice.large_size();
        }
        if size.cost && !size.shape && self.dice.per_mille(900) {
            return self.dice.below(20) as u64;
        }
        let small = size.shape || size.cost;
        if !small && self.dice.per_mille(200) {
            return self.dice.bits() >> self.dice.below(64);
        }
        self.dice.size()
    }

    fn double(&mut self, member: &Member) -> f64 {
        let first = self.case.values.iter().rev().find_map(|value| match value {
            Value::Double(number) => Some(*number),
            _ => None,
        });
        let least = first.filter(|_| member.text.contains("at least") && self.dice.per_mille(950));
        let wild = [f64::NAN, f64::INFINITY, -1.0, 1e300, 0.5, 9.3e18, 1e-310, -0.0, f64::MAX];
        match (self.dice.below(20), least) {
            (0, _) => self.dice.pick(&wild),
            (1..8, least) => least.unwrap_or(0.0) + self.dice.below(1 << 20) as f64 / 1024.0,
            (_, least) => least.unwrap_or(0.0) + self.dice.below(60) as f64,
        }
    }

    /// Rules between sizes: "at most count", "a multiple of channels", "with FLAGS (count + 31) / 32".
    fn relations(&mut self) {
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
            if let (Some(bins), true) = (bins, self.dice.per_mille(900) && self.case.values[1] == Value::Null) {
                self.case.values[bins] = Value::Int(256);
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
                let least = if prefix == "ld" { matrix.inner } else { matrix.outer.saturating_mul(matrix.ld) } as u64;
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
    fn has_constant(&self, name: &str) -> bool {
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
    fn fit(&mut self) {
        let most = if self.large { SLOT as u128 - 128 } else { 1 << 17 };
        loop {
            let scope = self.scope();
            let arrays = self.described.roles.iter().filter_map(|role| match role {
                Role::Array(array) => scope.bytes(array),
                _ => None,
            });
            let bytes = arrays.max().unwrap_or(0);
            let sizes = self.described.roles.iter().enumerate().filter_map(|(index, role)| match (role, &self.case.values[index]) {
                (Role::Size(size), Value::Int(number)) if size.shape || size.cost => Some((*number, index)),
                _ => None,
            });
            let sizes: Vec<(u64, usize)> = sizes.collect();
            let work: u128 = sizes.iter().map(|(number, _)| u128::from((*number).max(1))).product();
            let product = self.function.notes.contains('*') && work > if self.large { 1 << 24 } else { 1 << 16 };
            if bytes <= most && !product {
                return;
            }
            match sizes.iter().max() {
                Some((number, index)) if *number > 0 => self.case.values[*index] = Value::Int(number / 2),
                _ => return self.set_field("batch", 0),
            }
            self.matrices_shrunk();
        }
    }

    fn matrices_shrunk(&mut self) {
        for name in ["lda", "ldb", "ldc", "stride_a", "stride_b", "stride_c"] {
            let number = self.scope().number(name);
            if number > 0 {
                self.set_field(name, 0);
            }
        }
    }

    fn arrays(&mut self) {
        let described = self.described;
        for (index, role) in described.roles.iter().enumerate() {
            let param = &self.function.params[index];
            match role {
                Role::Array(array) => self.case.values[index] = self.array(array, param),
                Role::StructOut(structure) => {
                    let size = self.plan.header.structs[*structure].size;
                    let mut bytes = vec![0xa7; size];
                    bytes[..8].copy_from_slice(&(size as u64).to_le_bytes());
                    let high = self.dice.per_mille(700);
                    self.case.values[index] =
                        Value::Array(Buffer { bytes, dtype: 9, high, skew: 0, output: true, receives: false });
                }
                Role::StructIn(structure) => {
                    let roles = described.fields.iter().find(|(found, _)| found == structure);
                    for (place, role) in roles.map(|(_, roles)| roles.as_slice()).unwrap_or_default().iter().enumerate() {
                        let Role::Array(array) = role else { continue };
                        let field = &self.plan.header.structs[*structure].fields[place];
                        let value = self.array(array, field);
                        if let Value::Struct(_, fields) = &mut self.case.values[index] {
                            fields[place] = value;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn array(&mut self, array: &Array, member: &Member) -> Value {
        let scope = self.scope();
        let descending = array.contents == Contents::Sorted && scope.number("order") == 1;
        let (dtype, mut count) = (scope.dtype(array), scope.count(array));
        let Some(dtype) = dtype else {
            return if self.dice.per_mille(500) { Value::Null } else { Value::Ignored };
        };
        if dtype == 0 && matches!(array.element, crate::roles::Element::Dtype(_)) {
            count = count.saturating_mul(8); // bytes, of an element of unknown size
        }
        if count.saturating_mul(dtype_size(dtype).max(1) as u128) > SLOT as u128 - 128 {
            return Value::Null;
        }
        if array.optional && self.dice.per_mille(if array.receives { 250 } else { 350 }) {
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
        } else {
            let wanted = Wanted { dtype, count, contents: array.contents, range, descending };
            contents::fill(&mut self.dice, &wanted)
        };
        self.case.specified &= specified;
        Value::Array(Buffer { bytes, dtype, high, skew: 0, output: array.output, receives: array.receives })
    }

    /// The largest position of an array of positions.
    fn range(&mut self, array: &Array, dtype: u8) -> Option<u64> {
        let crate::roles::Element::Dtype(name) = &array.element else {
            return (array.element == crate::roles::Element::Segments && dtype != 11).then(|| self.scope().number("count"));
        };
        if name != "index_dtype" || array.receives {
            return None;
        }
        let known = array.range.as_ref().map(|name| self.scope().number(name));
        let sizes: Vec<u64> = self.case.values.iter().filter_map(|value| match value {
            Value::Int(number) if *number < 1 << 32 => Some(*number),
            _ => None,
        }).collect();
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
