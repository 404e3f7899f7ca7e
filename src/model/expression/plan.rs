//! A program of the accumulator machine as three-address code: what is only moved or stored is renamed, as in a processor.
#![forbid(unsafe_code)]

use super::program::{MAX_SLOTS, Op, Operand, Step, Type};

/// Where the lanes of an operand are: in the pool of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Literal(usize),
    Input(usize),
    Block(usize),
}

/// to ← op (x, y), where y is x for steps of one operand; a selection has its condition in the pool of I32, of bytes in their own.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    pub step: Step,
    pub x: Source,
    pub y: Source,
    pub condition: Source,
    pub to: usize,
}

impl Instruction {
    /// The type of the pool to which it writes.
    pub fn result_type(&self) -> Type {
        match self.step.op {
            Op::Convert => TYPES[usize::from(self.step.index)],
            op if op.is_test() && self.step.ty != Type::U8 => Type::I32,
            _ => self.step.ty,
        }
    }
}

const TYPES: [Type; 6] = [Type::I32, Type::I64, Type::U64, Type::F32, Type::F64, Type::U8];

/// Instructions, and where the result is at the end.
#[derive(Clone, Debug)]
pub struct Plan {
    pub instructions: Vec<Instruction>,
    pub result: Source,
    /// Of a complex result the real part, with the imaginary one in `result`.
    pub real: Option<Source>,
    /// Literals and inputs that a pool needs, with its type.
    pub literals: Vec<(Type, usize)>,
    pub inputs: Vec<(Type, usize)>,
}

impl Plan {
    pub fn new(steps: &[Step], real_slot: Option<u16>) -> Plan {
        let mut renaming = Renaming::default();
        for &step in steps {
            renaming.step(step);
        }
        let Renaming { plan, acc, slots } = renaming;
        Plan { result: acc, real: real_slot.map(|slot| slots[usize::from(slot) % MAX_SLOTS]), ..plan }
    }
}

struct Renaming {
    plan: Plan,
    acc: Source,
    slots: [Source; MAX_SLOTS],
}

impl Default for Renaming {
    fn default() -> Renaming {
        let none = Source::Literal(0);
        let (literals, inputs) = (Vec::new(), Vec::new());
        let plan = Plan { instructions: Vec::new(), result: none, real: None, literals, inputs };
        Renaming { plan, acc: none, slots: [none; MAX_SLOTS] }
    }
}

impl Renaming {
    fn step(&mut self, step: Step) {
        let (index, other) = (usize::from(step.index), usize::from(step.other));
        match step.op {
            Op::Mov => self.acc = self.operand(step),
            Op::Store => self.slots[index % MAX_SLOTS] = self.acc,
            op => {
                let operand = if step.operand == Operand::None { self.acc } else { self.operand(step) };
                let (x, y) = if step.reverse != 0 { (operand, self.acc) } else { (self.acc, operand) };
                let condition = if op == Op::Select { self.slots[other % MAX_SLOTS] } else { x };
                let to = self.free_block(operand, condition);
                self.plan.instructions.push(Instruction { step, x, y, condition, to });
                self.acc = Source::Block(to);
            }
        }
    }

    fn operand(&mut self, step: Step) -> Source {
        let index = usize::from(step.index);
        let remember = |list: &mut Vec<(Type, usize)>| {
            if !list.contains(&(step.ty, index)) {
                list.push((step.ty, index));
            }
        };
        match step.operand {
            Operand::None => self.acc,
            Operand::Slot => self.slots[index % MAX_SLOTS],
            Operand::Literal => {
                remember(&mut self.plan.literals);
                Source::Literal(index)
            }
            Operand::Input => {
                remember(&mut self.plan.inputs);
                Source::Input(index)
            }
        }
    }

    /// A block that nothing refers to, whatever its pool.
    fn free_block(&mut self, operand: Source, condition: Source) -> usize {
        let is_used = |block: usize| {
            let block = Source::Block(block);
            [self.acc, operand, condition].contains(&block) || self.slots.contains(&block)
        };
        (0..).find(|&block| !is_used(block)).expect("there are more blocks than references")
    }
}
