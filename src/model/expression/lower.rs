//! From a graph to steps. A subexpression of several uses is kept in a slot; of two operands the one that needs more slots comes first.
//!
//! Source: R. Sethi, J. Ullman, "The generation of optimal code for arithmetic expressions", Journal of the ACM 17, 1970.
#![forbid(unsafe_code)]

use super::graph::{Graph, Id, Node};
use super::program::{MAX_LITERALS, MAX_SLOTS, MAX_STEPS, Op, Operand, Program, Step, Type};
use crate::error::{Error, Result};
use crate::model::dtype::Dtype;

/// The program that computes a node, whose type is that of the dtype.
pub fn lower(graph: &Graph, root: Id, dtype: Dtype) -> Result<Program> {
    lowered(graph, &[root], vec![Task::Evaluate(root)], dtype).map(|(program, _)| program)
}

/// The program that computes the two parts of a complex dtype.
pub fn lower_pair(graph: &Graph, [re, im]: [Id; 2], dtype: Dtype) -> Result<Program> {
    let tasks = vec![Task::Evaluate(im), Task::Hold(re), Task::Evaluate(re)]; // the last one first
    let (mut program, slot_of) = lowered(graph, &[re, im], tasks, dtype)?;
    program.real_slot = slot_of[re];
    Ok(program)
}

fn lowered(
    graph: &Graph,
    roots: &[Id],
    tasks: Vec<Task>,
    dtype: Dtype,
) -> Result<(Program, Vec<Option<u16>>)> {
    let nodes = reachable(graph, roots);
    let count = nodes.last().map_or(0, |last| last + 1);
    let mut lowering = Lowering {
        graph,
        uses: uses(graph, roots, &nodes, count),
        needs: needs(graph, &nodes),
        slot_of: vec![None; count],
        free: (0..MAX_SLOTS as u16).rev().collect(),
        slots: 0,
        steps: Vec::new(),
        literals: Vec::new(),
        tasks,
    };
    while let Some(task) = lowering.tasks.pop() {
        lowering.run(task)?;
        lowering.check_size()?;
    }
    let program = Program::new(lowering.steps, lowering.literals, lowering.slots, dtype);
    Ok((program, lowering.slot_of))
}

/// The operands of a node.
fn operands(node: Node) -> [Option<Id>; 3] {
    match node {
        Node::Literal { .. } | Node::Input { .. } => [None; 3],
        Node::Unary { x, .. } | Node::Convert { x, .. } => [Some(x), None, None],
        Node::Wrap { x, .. } | Node::Clamp { x, .. } => [Some(x), None, None],
        Node::Binary { x, y, .. } => [Some(x), Some(y), None],
        Node::Select { condition, x, y, .. } => [Some(x), Some(y), Some(condition)],
    }
}

/// The nodes that some nodes consist of, operands first: they are older.
fn reachable(graph: &Graph, roots: &[Id]) -> Vec<Id> {
    let last = roots.iter().copied().max().unwrap_or(0);
    let mut is_reached = vec![false; last + 1];
    roots.iter().for_each(|&root| is_reached[root] = true);
    for id in (0..=last).rev() {
        if is_reached[id] {
            operands(graph.node(id)).into_iter().flatten().for_each(|operand| is_reached[operand] = true);
        }
    }
    (0..=last).filter(|&id| is_reached[id]).collect()
}

/// How often the value of each node is asked for.
fn uses(graph: &Graph, roots: &[Id], nodes: &[Id], count: usize) -> Vec<usize> {
    let mut uses = vec![0; count];
    roots.iter().for_each(|&root| uses[root] += 1);
    for &id in nodes {
        operands(graph.node(id)).into_iter().flatten().for_each(|operand| uses[operand] += 1);
    }
    uses
}

/// The slots that each node needs, as if nothing were shared.
fn needs(graph: &Graph, nodes: &[Id]) -> Vec<usize> {
    let mut needs = vec![0; nodes.last().map_or(0, |last| last + 1)];
    for &id in nodes {
        needs[id] = match graph.node(id) {
            Node::Literal { .. } | Node::Input { .. } => 0,
            Node::Binary { x, y, .. } if is_leaf(graph, x) || is_leaf(graph, y) => needs[x].max(needs[y]),
            Node::Binary { x, y, .. } if needs[x] == needs[y] => needs[x] + 1,
            Node::Select { condition, x, y, .. } => {
                let held = usize::from(!is_leaf(graph, y));
                needs[y].max(needs[condition] + held).max(needs[x] + held + 1)
            }
            node => operands(node).into_iter().flatten().map(|operand| needs[operand]).max().unwrap_or(0),
        };
    }
    needs
}

fn is_leaf(graph: &Graph, id: Id) -> bool {
    matches!(graph.node(id), Node::Literal { .. } | Node::Input { .. })
}

/// What is still to be done, the last one first: recursion would need the stack of a thread.
#[derive(Clone, Copy)]
enum Task {
    /// The value of a node to the accumulator.
    Evaluate(Id),
    /// The accumulator, which holds a node, to a slot where it is not there yet.
    Hold(Id),
    /// The step of a unary node on the accumulator.
    Apply(Id),
    /// With the first operand in the accumulator, the second one and the step; it is reversed where the first one is y.
    Second { id: Id, is_reversed: bool },
    /// The step of a binary node, whose other operand is at hand.
    Combine { id: Id, other: Id, is_reversed: bool },
    /// The step of a selection with x in the accumulator.
    Choose(Id),
}

struct Lowering<'a> {
    graph: &'a Graph,
    uses: Vec<usize>, // that are still to come
    needs: Vec<usize>,
    slot_of: Vec<Option<u16>>,
    free: Vec<u16>,
    slots: usize,
    steps: Vec<Step>,
    literals: Vec<u64>,
    tasks: Vec<Task>,
}

impl Lowering<'_> {
    fn check_size(&self) -> Result<()> {
        let (steps, literals) = (self.steps.len(), self.literals.len());
        if steps <= MAX_STEPS && literals <= MAX_LITERALS {
            return Ok(());
        }
        Err(Error::unsupported(format!(
            "expression: it takes more than {MAX_STEPS} steps or {MAX_LITERALS} literals ({steps} and {literals} so far); \
             compute it in parts"
        )))
    }

    fn run(&mut self, task: Task) -> Result<()> {
        match task {
            Task::Evaluate(id) => self.evaluate(id),
            Task::Hold(id) => self.hold(id),
            Task::Apply(id) => self.apply(id),
            Task::Second { id, is_reversed } => self.second(id, is_reversed),
            Task::Combine { id, other, is_reversed } => self.combine(id, other, is_reversed),
            Task::Choose(id) => self.choose(id),
        }
    }

    fn is_at_hand(&self, id: Id) -> bool {
        is_leaf(self.graph, id) || self.slot_of[id].is_some()
    }

    /// A step whose operand is a node at hand, which is used once less.
    fn emit(&mut self, op: Op, ty: Type, operand: Id, is_reversed: bool) {
        let (place, index) = match self.graph.node(operand) {
            Node::Literal { word, .. } => (Operand::Literal, self.literal(word)),
            Node::Input { index, .. } => (Operand::Input, index as u16),
            _ => (Operand::Slot, self.slot_of[operand].expect("it is at hand")),
        };
        let step = Step { operand: place, index, reverse: is_reversed.into(), ..Step::new(op, ty) };
        self.steps.push(step);
        self.used(operand);
    }

    fn used(&mut self, id: Id) {
        self.uses[id] -= 1;
        if self.uses[id] == 0 {
            self.free.extend(self.slot_of[id].take());
        }
    }

    fn literal(&mut self, word: u64) -> u16 {
        let known = self.literals.iter().position(|&literal| literal == word);
        known.unwrap_or_else(|| {
            self.literals.push(word);
            self.literals.len() - 1
        }) as u16
    }

    /// The accumulator, which holds a node, to a slot.
    fn store(&mut self, id: Id) -> Result<()> {
        let Some(slot) = self.free.pop() else {
            return Err(Error::unsupported(format!(
                "expression: it takes more than {MAX_SLOTS} intermediate results at once; compute it in parts"
            )));
        };
        self.slots = self.slots.max(usize::from(slot) + 1);
        self.slot_of[id] = Some(slot);
        self.steps.push(Step { index: slot, ..Step::new(Op::Store, self.graph.ty(id)) });
        Ok(())
    }

    fn hold(&mut self, id: Id) -> Result<()> {
        self.uses[id] += 1; // it was evaluated, and is used when it is an operand
        if self.slot_of[id].is_none() { self.store(id) } else { Ok(()) }
    }

    /// The accumulator holds a node, which was asked for once.
    fn finish(&mut self, id: Id) -> Result<()> {
        self.uses[id] -= 1;
        if self.uses[id] > 0 { self.store(id) } else { Ok(()) }
    }

    fn evaluate(&mut self, id: Id) -> Result<()> {
        if self.is_at_hand(id) {
            self.emit(Op::Mov, self.graph.ty(id), id, false);
            return Ok(());
        }
        match self.graph.node(id) {
            Node::Binary { x, y, .. } => {
                let is_reversed =
                    !self.is_at_hand(y) && (self.is_at_hand(x) || self.needs[y] > self.needs[x]);
                self.tasks.push(Task::Second { id, is_reversed });
                self.tasks.push(Task::Evaluate(if is_reversed { y } else { x }));
            }
            Node::Select { condition, x, y, .. } => {
                self.tasks.extend([Task::Choose(id), Task::Evaluate(x)]);
                self.keep_at_hand(condition, true);
                self.keep_at_hand(y, false);
            }
            node => {
                let operand = operands(node)[0].expect("a unary node has one");
                self.tasks.extend([Task::Apply(id), Task::Evaluate(operand)]);
            }
        }
        Ok(())
    }

    /// Tasks that bring a node to a slot, unless it is at hand.
    fn keep_at_hand(&mut self, id: Id, in_slot: bool) {
        let is_there = if in_slot { self.slot_of[id].is_some() } else { self.is_at_hand(id) };
        if !is_there {
            self.tasks.extend([Task::Hold(id), Task::Evaluate(id)]);
        }
    }

    fn second(&mut self, id: Id, is_reversed: bool) -> Result<()> {
        let Node::Binary { x, y, .. } = self.graph.node(id) else { unreachable!("a binary node") };
        let (first, second) = if is_reversed { (y, x) } else { (x, y) };
        if self.is_at_hand(second) {
            return self.combine(id, second, is_reversed);
        }
        self.hold(first)?;
        self.tasks.push(Task::Combine { id, other: first, is_reversed: !is_reversed });
        self.tasks.push(Task::Evaluate(second));
        Ok(())
    }

    fn combine(&mut self, id: Id, other: Id, is_reversed: bool) -> Result<()> {
        let Node::Binary { op, ty, .. } = self.graph.node(id) else { unreachable!("a binary node") };
        self.emit(op, ty, other, is_reversed);
        self.finish(id)
    }

    fn choose(&mut self, id: Id) -> Result<()> {
        let Node::Select { ty, condition, y, .. } = self.graph.node(id) else { unreachable!("a selection") };
        let slot = self.slot_of[condition].expect("it is held");
        self.emit(Op::Select, ty, y, false);
        self.steps.last_mut().expect("it was just emitted").other = slot;
        self.used(condition);
        self.finish(id)
    }

    fn apply(&mut self, id: Id) -> Result<()> {
        let step = match self.graph.node(id) {
            Node::Unary { op, ty, .. } => Step::new(op, ty),
            Node::Convert { from, to, .. } => Step { index: to as u16, ..Step::new(Op::Convert, from) },
            Node::Wrap { ty, bits, signed, .. } => {
                Step { index: bits, other: signed.into(), ..Step::new(Op::Wrap, ty) }
            }
            Node::Clamp { ty, low, high, .. } => {
                let [index, other] = [low, high].map(|bound| {
                    let word = self.graph.word(bound).expect("bounds are literals");
                    self.literal(word)
                });
                Step { index, other, ..Step::new(Op::Clamp, ty) }
            }
            _ => unreachable!("a unary node"),
        };
        self.steps.push(step);
        self.finish(id)
    }
}
