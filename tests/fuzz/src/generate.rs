//! Cases: mostly valid calls, each field sometimes out of its range, and one fault in some of them.

use crate::case::{Behaviour, Block, Case, Mark, Scope, Value, Which};
use crate::dice::Dice;
use crate::disturbance::Disturbance;
use crate::faults;
use crate::header::{Function, Header, Member};
use crate::mxcsr;
use crate::number::{dtype_size, is_float, is_signed};
use crate::ranks::{self, MOST_RANKS};
use crate::roles::{Described, Role, Size};
use crate::special;
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
    /// Part of the names of the functions chosen; a case is one of a seed and a filter.
    pub filter: String,
    /// Functions of a context alone, or of a context and a place for a result.
    pub simple: Vec<usize>,
    /// Some calls run in a process without memory; not on CUDA, whose driver is not made for that.
    pub starves: bool,
    /// Whether this machine has a CUDA driver, which calls on the CPU may open too.
    pub has_driver: bool,
    /// How many of a million calls have sizes beyond the first block of a kernel, or of a parallel loop.
    pub large: usize,
}

pub struct Generator<'a> {
    pub plan: &'a Plan,
    pub function: &'a Function,
    pub described: &'a Described,
    pub words: &'a [String],
    pub dice: Dice,
    pub case: Case,
    pub large: bool,
}

pub fn generate(plan: &Plan, seed: u64, number: u64) -> Case {
    let mut dice = Dice::new(seed, number);
    let function = plan.choices[dice.below(plan.choices.len())];
    let mxcsr = if dice.per_mille(150) { mxcsr::change(dice.bits() as u32) } else { 0 };
    let disturbance = disturbance(&mut dice, plan);
    let starved = disturbance == Disturbance::Starved;
    let large = starved && dice.per_mille(100) || dice.below(1_000_000) < plan.large;
    let before = if dice.per_mille(30) && !plan.simple.is_empty() {
        (0..3).map(|_| dice.pick(&plan.simple)).collect()
    } else {
        Vec::new()
    };
    let values = Vec::with_capacity(plan.described[function].roles.len());
    let case = Case { number, function, values, mxcsr, specified: true, before, disturbance, refused: None };
    let (described, words) = (&plan.described[function], &plan.words[function]);
    let mut generator =
        Generator { plan, function: &plan.header.functions[function], described, words, dice, case, large };
    generator.scalars();
    generator.relations();
    generator.fit();
    generator.arrays();
    generator.places();
    faults::add(&mut generator);
    generator.settle_disturbance();
    generator.case
}

/// Whether a function looks for a GPU.
fn opens_device(name: &str) -> bool {
    ["context_create", "context_default", "reset_default", "device_count"]
        .iter()
        .any(|part| name.contains(part))
}

/// Memory does not end on CUDA, whose driver is not made for that.
fn disturbance(dice: &mut Dice, plan: &Plan) -> Disturbance {
    let first = dice.bits() >> (58 + dice.below(6)); // of 0 to 63, mostly a small one
    match dice.below(1000) {
        0..2 if plan.starves => Disturbance::Starved,
        2..12 if plan.starves => Disturbance::Refused(first),
        12..20 => Disturbance::Cancelled,
        _ => Disturbance::None,
    }
}

impl Generator<'_> {
    pub fn scope(&self) -> Scope<'_> {
        let header = &self.plan.header;
        Scope { header, function: self.function, described: self.described, values: &self.case.values }
    }

    /// Threads that a context has still to start, and a CUDA driver that it opens, need memory that they do not do without.
    fn settle_disturbance(&mut self) {
        let case = &mut self.case;
        let fresh = |value: &Value| matches!(value, Value::Context(Which::Default | Which::Scratch));
        let needs_more = self.function.group == "gpumex_plain"
            || self.plan.has_driver && opens_device(&self.function.name)
            || case.values.iter().any(fresh);
        if case.disturbance != Disturbance::None {
            for value in &mut case.values {
                if let Value::Comm(mark @ Mark::Ranks(..)) = value {
                    *mark = Mark::New; // it is what happens to one thread
                }
            }
        }
        match case.disturbance {
            Disturbance::Refused(_) if needs_more => case.disturbance = Disturbance::None,
            Disturbance::Cancelled => case.specified = false,
            _ => {}
        }
    }

    /// Everything but arrays.
    fn scalars(&mut self) {
        for (role, param) in self.described.roles.iter().zip(&self.function.params) {
            let value = match role {
                Role::StructIn(index) if self.dice.per_mille(970) => {
                    let mut fields = Vec::new();
                    let roles = self.described.fields.iter().find(|(found, _)| found == index);
                    let structure = &self.plan.header.structs[*index];
                    for (role, field) in roles
                        .map(|(_, roles)| roles.as_slice())
                        .unwrap_or_default()
                        .iter()
                        .zip(&structure.fields)
                    {
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
            if let Some(Value::Int(op)) = earlier("op")
                && let Some(dtypes) = special::accumulators(&self.function.name, op)
                && self.dice.per_mille(if dtypes == [2] { 300 } else { 1000 })
            {
                return Value::Int(self.dice.pick(dtypes));
            }
            let dtype = if dtype == 13 { 9 } else { dtype as u8 };
            let same =
                |other: &u8| is_float(*other) == is_float(dtype) && is_signed(*other) == is_signed(dtype);
            let wide = [1, 2, 7, 8, 11, 12]
                .into_iter()
                .filter(|other| same(other) && dtype_size(*other) >= dtype_size(dtype));
            let wide: Vec<u8> = wide.collect();
            let none = dtype_size(dtype) >= 4 && self.dice.per_mille(400);
            return Value::Int(if none || wide.is_empty() { 0 } else { u64::from(self.dice.pick(&wide)) });
        }
        match role {
            Role::Double if field.text.contains("CONSTANT") && self.dice.per_mille(500) => {
                Value::Double(self.double(field))
            }
            Role::Double => {
                let first = before.iter().rev().find_map(|value| match value {
                    Value::Double(number) => Some(*number),
                    _ => None,
                });
                // An interval: both ends are 0, or the second is greater.
                let open = first.is_some_and(|first| first != 0.0);
                if !open && self.dice.per_mille(if first.is_some() { 800 } else { 500 }) {
                    return Value::Double(0.0);
                }
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
            Role::Contexts => Value::Null,
            Role::Comm => match self.dice.below(40) {
                0 => Value::Null,
                1 => Value::Comm(Mark::Dead),
                2 => Value::Comm(Mark::Invented(self.dice.bits())),
                3..16 => Value::Comm(Mark::New),
                _ if ranks::is_whole(self.described) => Value::Comm(Mark::New),
                _ => {
                    let ranks = 2 + self.dice.below(MOST_RANKS - 1);
                    Value::Comm(Mark::Ranks(ranks, self.dice.bits()))
                }
            },
            Role::Event => match self.dice.below(40) {
                0 => Value::Null,
                1 => Value::Event(Mark::Dead),
                2 => Value::Event(Mark::Invented(self.dice.bits())),
                3..10 => Value::Event(Mark::New),
                _ => Value::Event(Mark::Recorded),
            },
            Role::Size(size) => Value::Int(self.size(size, member)),
            Role::Enum(_, allowed)
                if self.dice.per_mille(970)
                    && (!member.text.contains("NONE") || self.dice.per_mille(500)) =>
            {
                Value::Int(self.dice.pick(allowed) as u64)
            }
            Role::Enum(index, _) => {
                let constants = &self.plan.header.enums[*index].constants;
                let from = usize::from(member.text.contains("other than NONE"));
                Value::Int(constants[from + self.dice.below(constants.len() - from)].1 as u64)
            }
            Role::Integer(numbers) => Value::Int(self.dice.pick(numbers) as u64),
            Role::Double => Value::Double(self.double(member)),
            Role::Text | Role::Arguments | Role::Formula if self.dice.per_mille(30) => Value::Null,
            Role::Text => Value::Text(texts::text(&mut self.dice, member, self.words)),
            Role::Characters(length) => {
                let mut text = if self.dice.per_mille(500) {
                    Vec::new()
                } else {
                    texts::text(&mut self.dice, member, self.words)
                };
                text.truncate(if self.dice.per_mille(990) { length - 1 } else { *length });
                Value::Text(text)
            }
            Role::Arguments => {
                const ARGUMENTS: [&str; 6] = ["program", "--device", "--device=0", "--device=x", "0", ""];
                Value::Arguments(
                    (0..self.dice.below(4)).map(|_| self.dice.pick(&ARGUMENTS).to_owned()).collect(),
                )
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
            // With the arrays, whose sizes are known then.
            Role::Formula => Value::Text(Vec::new()),
            Role::StructIn(_) | Role::StructOut(_) | Role::Array(_) | Role::Arrays(..) => Value::Null,
        }
    }

    fn context(&mut self) -> Value {
        let work = self.function.is_operation();
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
        if let Some(few) = special::few(&self.function.name, &member.name)
            && !self.large
            && self.dice.per_mille(950)
        {
            return self.dice.below(few as usize) as u64;
        }
        if let Some(limit) = size.limit.filter(|limit| *limit <= 64) {
            let most = if self.dice.per_mille(20) { limit + 5 } else { limit + 1 };
            return self.dice.below(most as usize).min(self.dice.below(most as usize)) as u64;
        }
        if member.name == "bytes" && self.described.destructor.is_some() {
            return self.bytes_of_malloc();
        }
        if self.large && size.shape {
            return self.dice.large_size();
        }
        if size.cost && !size.shape && self.dice.per_mille(900) {
            return self.dice.below(20) as u64;
        }
        let small = size.shape || size.cost;
        if !small && self.dice.per_mille(500) {
            return self.dice.below(4) as u64;
        }
        if !small && self.dice.per_mille(200) {
            return self.dice.bits() >> self.dice.below(64);
        }
        self.dice.size()
    }

    /// Few bytes, or more than any machine has: locking most of the memory would take long.
    fn bytes_of_malloc(&mut self) -> u64 {
        if self.dice.per_mille(100) {
            u64::MAX >> self.dice.below(20)
        } else {
            self.dice.bits() >> (36 + self.dice.below(28))
        }
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
}
