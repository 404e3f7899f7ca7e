//! Runs a case: places its arguments, makes the call, and checks what holds for every function.

use std::sync::atomic::Ordering;

use crate::arena::{Arena, Placed};
use crate::case::{Block, Buffer, Case, Mark, Place, Scope, Value, Which};
use crate::environment::{Environment, REENTRY};
use crate::generate::Plan;
use crate::header::{Function, base_size};
use crate::library::{DOUBLES, WORDS};
use crate::mxcsr::with_mxcsr;
use crate::ranks::Calls;
use crate::roles::{Described, Role};
use crate::stack::Stack;

/// What a call gave.
pub struct Outcome {
    pub status: usize,
    /// Contents of the array parameters after the call; `None` for other parameters and NULL.
    pub after: Vec<Option<Vec<u8>>>,
    /// Contents of the arrays in options after the call, by the names of the fields.
    pub fields: Vec<(String, Vec<u8>)>,
    pub problems: Vec<String>,
}

const BLOCK: usize = 1 << 16;
/// Numbers of fields behind those of parameters.
pub const FIELDS: usize = 1 << 20;
const MOST_REMEMBERED: usize = 1 << 14; // bytes of an array

/// Where an array of the call is.
#[derive(Clone, Copy)]
pub enum Spot {
    Arena(Placed),
    /// Address and length, in a block of gpumex_malloc.
    Block(usize, usize),
}

pub struct Runner<'a> {
    pub plan: &'a Plan,
    pub environment: &'static Environment,
    pub arena: Arena,
    stack: Stack,
    pub placed: Vec<(usize, Spot, Vec<u8>, bool)>, // parameter, place, contents before, output
    left: Vec<(Placed, Vec<u8>)>,                  // what the call before has left in host memory
    before: u64,                                   // its case
    memory: [Vec<u64>; 3],                         // blocks of gpumex_malloc, by kind
    texts: Vec<Vec<u8>>,
    pointers: Vec<Vec<u64>>,
    handles: Vec<u64>, // room for one a parameter: their addresses stay
    scratch: u64,
    events: Vec<u64>,
    comms: Vec<u64>,
    blocks: Vec<u64>,
}

impl Runner<'_> {
    pub fn new<'a>(
        plan: &'a Plan,
        environment: &'static Environment,
        stack: usize,
    ) -> Result<Runner<'a>, String> {
        Ok(Runner {
            plan,
            environment,
            arena: Arena::new()?,
            stack: Stack::new(stack)?,
            placed: Vec::new(),
            left: Vec::new(),
            before: 0,
            texts: Vec::new(),
            pointers: Vec::new(),
            memory: [const { Vec::new() }; 3],
            handles: Vec::with_capacity(WORDS),
            scratch: 0,
            events: Vec::new(),
            comms: Vec::new(),
            blocks: Vec::new(),
        })
    }

    pub fn run(&mut self, case: &Case) -> Outcome {
        let function = &self.plan.header.functions[case.function];
        let described = &self.plan.described[case.function];
        let late = self.late_write();
        self.arena.clear();
        self.placed.clear();
        let (mut words, mut doubles) = ([0u64; WORDS], [0.0; DOUBLES]);
        let (mut word, mut double) = (0, 0);
        self.environment.prepare(self.environment.pool[0]);
        let mut addresses = vec![0u64; case.values.len()];
        for (index, value) in case.values.iter().enumerate() {
            if !matches!(value, Value::Alias(..) | Value::Double(_)) {
                addresses[index] = self.argument(index, value, &described.roles[index], described);
            }
        }
        for (index, value) in case.values.iter().enumerate() {
            match value {
                Value::Arrays(items) => self.resolve(addresses[index], items, &addresses),
                Value::Double(number) => {
                    doubles[double] = *number;
                    double += 1;
                    continue;
                }
                Value::Alias(other, offset, _) => addresses[index] = addresses[*other] + *offset as u64,
                _ => {}
            }
            words[word] = addresses[index];
            word += 1;
        }
        self.earlier_calls(case);
        self.tune(case);
        let scope = Scope { header: &self.plan.header, function, described, values: &case.values };
        let ranks = Calls::new(case, &scope, &words, &self.comms);
        let call = || match &ranks {
            Some(calls) => calls.make(self.environment, case.function),
            None => {
                let call = || self.environment.library.call(case.function, &words, &doubles);
                (self.stack.run(call), Vec::new())
            }
        };
        let context = self.environment.context();
        let ((returned, problems), mxcsr) = case.disturbance.during(context, || with_mxcsr(case.mxcsr, call));
        let mut outcome = Outcome {
            status: self.status(function, returned),
            after: Vec::new(),
            fields: Vec::new(),
            problems: [late, problems].concat(),
        };
        if mxcsr != case.mxcsr {
            outcome.problems.push(format!(
                "MXCSR differed from its default by {:#x} before and by {mxcsr:#x} after",
                case.mxcsr
            ));
        }
        self.check_status(case, function, described, &mut outcome);
        self.check_memory(case, function, described, &mut outcome);
        if let Some(calls) = ranks.filter(|_| outcome.status == 0) {
            outcome.problems.extend(calls.differences(|address, length| self.bytes_at(address, length)));
        }
        self.remember(case);
        self.release(case, function, described, returned, outcome.status);
        self.restore_tuning(case);
        if case.mxcsr == 0 && REENTRY.load(Ordering::Relaxed) != 0 {
            let status = REENTRY.load(Ordering::Relaxed) - 1;
            outcome
                .problems
                .push(format!("a call from a callback with the same context gave {status}, not BUSY"));
        }
        outcome
    }

    /// Whether host memory of the call before was written after its return.
    fn late_write(&mut self) -> Vec<String> {
        let before = self.before;
        let late = |(placed, bytes): (Placed, Vec<u8>)| {
            let now = placed.bytes();
            let at = now.iter().zip(&bytes).position(|(now, then)| now != then)?;
            let (now, then) = (&now[at..now.len().min(at + 16)], &bytes[at..bytes.len().min(at + 16)]);
            Some(format!(
                "memory of case {before} was written after its return: byte {at}, {then:x?} is {now:x?}"
            ))
        };
        self.left.drain(..).filter_map(late).collect()
    }

    /// Returns the pages of large arrays.
    pub fn trim(&mut self) {
        self.left.clear();
        self.arena.trim();
    }

    /// Remembers what the call has left in host memory, for `late_write`.
    fn remember(&mut self, case: &Case) {
        self.before = case.number;
        let spots = self.placed.iter().filter_map(|(_, spot, before, _)| match spot {
            Spot::Arena(placed) if before.len() <= MOST_REMEMBERED => Some(*placed),
            _ => None,
        });
        self.left = spots.map(|placed| (placed, placed.bytes().to_vec())).collect();
    }

    /// Calls of the context that the call itself gets: a timer that runs, a cache that was emptied.
    fn earlier_calls(&mut self, case: &Case) {
        if !case.values.contains(&Value::Context(Which::Scratch)) {
            return;
        }
        let mut result = [0u64; 2];
        for function in &case.before {
            let mut words = [0; WORDS];
            (words[0], words[1]) = (self.scratch, (&raw mut result) as u64);
            self.environment.library.call(*function, &words, &[0.0; DOUBLES]);
        }
    }

    /// A parameter as a register: integers as they are, all else as an address.
    fn argument(&mut self, param: usize, value: &Value, role: &Role, described: &Described) -> u64 {
        match value {
            Value::Int(number) => *number,
            Value::Double(number) => number.to_bits(),
            Value::Null | Value::Alias(..) | Value::User => 0,
            Value::Ignored => self.arena.forbidden() as u64,
            Value::Array(buffer) => {
                let spot = self.spot(buffer);
                let address = match spot {
                    Spot::Arena(placed) => placed.address,
                    Spot::Block(address, _) => address,
                };
                self.placed.push((param, spot, buffer.bytes.clone(), buffer.output));
                address as u64
            }
            Value::Arrays(items) => {
                let Role::Arrays(_, array) = role else { return 0 };
                let role = Role::Array(array.clone());
                let addresses: Vec<u8> = items
                    .iter()
                    .flat_map(|item| self.argument(usize::MAX, item, &role, described).to_le_bytes())
                    .collect();
                let placed = self.arena.place(&addresses, true, 0);
                self.placed.push((usize::MAX, Spot::Arena(placed), addresses, false));
                placed.address as u64
            }
            Value::Struct(structure, fields) => {
                let bytes = self.structure(*structure, fields, described);
                let placed = self.arena.place(&bytes, true, 0);
                let address = placed.address as u64;
                self.placed.push((usize::MAX, Spot::Arena(placed), bytes, false));
                address
            }
            Value::Text(text) => {
                let mut bytes = text.clone();
                bytes.push(0);
                let placed = self.arena.place(&bytes, true, 0);
                let address = placed.address as u64;
                self.placed.push((usize::MAX, Spot::Arena(placed), bytes, false));
                address
            }
            Value::Arguments(arguments) => {
                self.texts = arguments.iter().map(|text| [text.as_bytes(), &[0]].concat()).collect();
                self.pointers = vec![self.texts.iter().map(|text| text.as_ptr() as u64).chain([0]).collect()];
                self.pointers[0].as_ptr() as u64
            }
            Value::Context(which) => self.context(*which),
            Value::Event(mark) => self.event(*mark),
            Value::Comm(mark) => self.comm(*mark),
            Value::Address(block) => self.block(*block),
            Value::Callback(behaviour) => {
                let Role::Callback(index) = role else { return 0 };
                let name = &self.plan.header.callbacks[*index];
                self.environment
                    .callback(name, *behaviour)
                    .expect("the plan was checked for unknown callbacks")
            }
            Value::Handle => {
                self.handles.push(0xa7a7_a7a7);
                self.handles.last().map_or(0, |handle| (&raw const *handle) as u64)
            }
        }
    }

    /// Writes the addresses of those of several arrays that are parts of another argument.
    fn resolve(&mut self, list: u64, items: &[Value], addresses: &[u64]) {
        let found = self.placed.iter_mut().find_map(|(_, spot, before, _)| match spot {
            Spot::Arena(placed) if placed.address as u64 == list && before.len() == 8 * items.len() => {
                Some((placed, before))
            }
            _ => None,
        });
        let Some((placed, before)) = found else { return };
        for (bytes, item) in before.chunks_exact_mut(8).zip(items) {
            if let Value::Alias(other, offset, _) = item {
                bytes.copy_from_slice(&(addresses[*other] + *offset as u64).to_le_bytes());
            }
        }
        placed.write(before);
    }

    /// A place for an array, with its contents.
    fn spot(&mut self, buffer: &Buffer) -> Spot {
        let bytes = buffer.bytes.len();
        let kind = match buffer.place {
            Place::Block(kind) if bytes + buffer.skew <= BLOCK => kind,
            _ => return Spot::Arena(self.arena.place(&buffer.bytes, buffer.high, buffer.skew)),
        };
        let (library, context) = (&self.environment.library, self.environment.pool[0]);
        let used = self.placed.iter().filter(|(_, spot, ..)| matches!(spot, Spot::Block(..))).count();
        let blocks = &mut self.memory[kind as usize];
        while blocks.len() <= used {
            let mut address = 0u64;
            library.must("gpumex_malloc", &[context, kind, BLOCK as u64, (&raw mut address) as u64]);
            blocks.push(address);
        }
        // It ends where the block ends: the library knows that it is no longer.
        let address = blocks[used] as usize + BLOCK - bytes - buffer.skew;
        library.must("gpumex_copy", &[context, address as u64, buffer.bytes.as_ptr() as u64, bytes as u64]);
        Spot::Block(address, bytes)
    }

    /// The bytes of a place after the call.
    pub fn contents(&self, spot: &Spot) -> Vec<u8> {
        match spot {
            Spot::Arena(placed) => placed.bytes().to_vec(),
            Spot::Block(address, length) => {
                let mut bytes = vec![0u8; *length];
                let to = bytes.as_mut_ptr() as u64;
                let arguments = [self.environment.pool[0], to, *address as u64, *length as u64];
                self.environment.library.must("gpumex_copy", &arguments);
                bytes
            }
        }
    }

    /// The bytes at the address of an array of the call.
    fn bytes_at(&self, address: u64, length: usize) -> Vec<u8> {
        let is_there = |spot: &&Spot| match spot {
            Spot::Arena(placed) => placed.address as u64 == address,
            Spot::Block(place, _) => *place as u64 == address,
        };
        let spot = self.placed.iter().map(|(_, spot, ..)| spot).find(is_there);
        let mut bytes = spot.map_or_else(Vec::new, |spot| self.contents(spot));
        bytes.truncate(length);
        bytes
    }

    fn structure(&mut self, structure: usize, fields: &[Value], described: &Described) -> Vec<u8> {
        let members = &self.plan.header.structs[structure].fields;
        let mut bytes = vec![0u8; self.plan.header.structs[structure].size];
        let roles = described.fields.iter().find(|(index, _)| *index == structure);
        let roles = roles.map(|(_, roles)| roles.as_slice()).unwrap_or_default();
        for (place, ((field, member), role)) in fields.iter().zip(members).zip(roles).enumerate() {
            if let (Value::Text(text), true) = (field, member.kind.array > 0) {
                bytes[member.offset..][..text.len().min(member.kind.array)].copy_from_slice(text);
                continue;
            }
            // Arrays of fields are checked, but are no parameters.
            let word = self.argument(FIELDS + place, field, role, described).to_le_bytes();
            let size = if member.kind.pointers > 0 { 8 } else { base_size(&member.kind.base).unwrap_or(8) };
            bytes[member.offset..member.offset + size].copy_from_slice(&word[..size]);
        }
        if let Some(Value::Int(size)) = fields.first() {
            bytes.resize((*size as usize).clamp(8, 400), 0); // exactly as long as it says
        }
        bytes
    }

    fn context(&mut self, which: Which) -> u64 {
        let library = &self.environment.library;
        match which {
            Which::Dead => self.environment.dead,
            Which::Invented(number) => number,
            Which::Busy => self.environment.busy,
            Which::Default => {
                let context = library.invoke("gpumex_context_default", &[]);
                self.environment.prepare(context);
                context
            }
            Which::Pool(index) => {
                self.environment.prepare(self.environment.pool[index]);
                self.environment.pool[index]
            }
            Which::Scratch => {
                if self.scratch == 0 {
                    self.scratch =
                        library.invoke("gpumex_context_create", &[self.environment.backend, u64::MAX]);
                }
                self.environment.prepare(self.scratch);
                self.scratch
            }
        }
    }

    fn event(&mut self, mark: Mark) -> u64 {
        let library = &self.environment.library;
        match mark {
            Mark::Dead => self.environment.dead_event,
            Mark::Invented(number) => number,
            Mark::New | Mark::Recorded | Mark::Ranks(..) => {
                let (context, mut event) = (self.environment.pool[0], 0u64);
                library.invoke("gpumex_event_create", &[context, (&raw mut event) as u64]);
                if mark == Mark::Recorded {
                    library.invoke("gpumex_event_record", &[context, event]);
                }
                self.events.push(event);
                event
            }
        }
    }

    /// The communicator of the first rank.
    fn comm(&mut self, mark: Mark) -> u64 {
        let count = match mark {
            Mark::Invented(number) => return number,
            Mark::Ranks(count, _) => count,
            _ => 1,
        };
        let (library, mut comms) = (&self.environment.library, vec![0u64; count]);
        let contexts: Vec<u64> =
            self.environment.pool[..1].iter().chain(&self.environment.ranks).copied().collect();
        let (from, to) = (contexts.as_ptr() as u64, comms.as_mut_ptr() as u64);
        library.must("gpumex_comm_create_local", &[from, count as u64, 0, to]);
        let first = comms[0];
        match mark {
            Mark::Dead => _ = library.invoke("gpumex_comm_destroy", &[first]),
            _ => self.comms.extend(comms),
        }
        first
    }

    fn block(&mut self, block: Block) -> u64 {
        if let Block::Invented(number) = block {
            return number;
        }
        let (library, mut address) = (&self.environment.library, 0u64);
        library.must("gpumex_malloc", &[self.environment.pool[0], 0, 1024, (&raw mut address) as u64]);
        match block {
            Block::Freed => _ = library.invoke("gpumex_free", &[address]),
            _ => self.blocks.push(address),
        }
        if block == Block::Inside { address + 8 } else { address }
    }

    /// The status of a call; of a function that returns a handle or a text, that of the thread where it is NULL.
    fn status(&self, function: &Function, returned: u64) -> usize {
        let number = match (function.returns.base.as_str(), function.returns.pointers) {
            ("int32_t", 0)
                if function.results.contains("0 or a gpumex_status")
                    || function.results.starts_with("0 (") =>
            {
                returned as u32 as usize
            }
            (_, 1) if returned == 0 => {
                self.environment.library.invoke("gpumex_last_status", &[]) as u32 as usize
            }
            _ => 0,
        };
        number.min(crate::coverage::STATUSES - 1)
    }

    /// Gives back what the call and its arguments have created.
    fn release(
        &mut self,
        case: &Case,
        function: &Function,
        described: &Described,
        returned: u64,
        status: usize,
    ) {
        let library = &self.environment.library;
        if let Some(destructor) = &described.destructor {
            if function.returns.pointers > 0 && returned != 0 {
                library.invoke(destructor, &[returned]);
            }
            for handle in self.handles.iter().filter(|_| status == 0) {
                library.invoke(destructor, &[*handle]);
            }
        }
        self.handles.clear();
        for event in self.events.drain(..) {
            library.invoke("gpumex_event_destroy", &[event]);
        }
        for comm in self.comms.drain(..) {
            library.invoke("gpumex_comm_destroy", &[comm]);
        }
        for block in self.blocks.drain(..) {
            library.invoke("gpumex_free", &[block]);
        }
        if self.scratch != 0 {
            library.invoke("gpumex_context_destroy", &[self.scratch]);
            self.scratch = 0;
        }
        let settings =
            !matches!(function.group.as_str(), "gpumex_operations" | "gpumex_primitives" | "gpumex_plain");
        if settings && case.values.contains(&Value::Context(Which::Default)) {
            library.invoke("gpumex_reset_default", &[]); // a setting of it would last
        }
        if crate::special::is_process_wide(&function.name) {
            library.call(
                self.plan.header.function(&function.name).unwrap_or(0),
                &[0; WORDS],
                &[0.0; DOUBLES],
            );
        }
    }
}
