//! Memory as an argument of every operation: too short by one byte, freed, or of nobody.

use std::ffi::c_void;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;

use super::arrays::*;
use super::operations::{Operation, operations};
use crate::common::*;

/// One argument of an operation lies in memory of its own, the others in good arrays.
struct Trial<'a> {
    ctx: &'a Context,
    operation: &'a Operation,
    inputs: Vec<Array>,
    output: Array,
    argument: usize, // the inputs, then the output
}

impl<'a> Trial<'a> {
    fn new(ctx: &'a Context, operation: &'a Operation, argument: usize) -> Trial<'a> {
        let inputs = operation.inputs.iter().map(|(_, bytes)| Array::holding(ctx, Place::Host, bytes));
        let output = Array::poison(ctx, Place::Host, operation.output.1);
        Trial { ctx, operation, inputs: inputs.collect(), output, argument }
    }

    /// The name of the argument and its bytes.
    fn needs(&self) -> (&'static str, usize) {
        match self.operation.inputs.get(self.argument) {
            Some((name, bytes)) => (name, bytes.len()),
            None => self.operation.output,
        }
    }

    /// The call with the argument at this address.
    fn call(&mut self, at: *mut c_void) -> i32 {
        let mut addresses: Vec<*mut c_void> = self.inputs.iter_mut().map(Array::at).collect();
        let mut output = self.output.at();
        *addresses.get_mut(self.argument).unwrap_or(&mut output) = at;
        self.operation.call(self.ctx, &addresses, output)
    }

    #[track_caller]
    fn is_refused(&mut self, at: *mut c_void, rule: &str) {
        let (name, _) = self.needs();
        let what = format!("{} on {:?}, {name}: {rule}", self.operation.what, self.ctx.backend);
        let words = [self.operation.name, name, rule];
        refused(self.call(at), Status::InvalidArgument, &words, &what);
        let is_poison = self.output.bytes().iter().all(|&byte| byte == u8::POISON);
        assert!(is_poison, "{what}: it wrote to the output");
    }
}

/// Makes a trial of each argument of each operation on every backend, with memory of every kind.
fn for_each_argument(trial: impl Fn(Trial, MemoryKind)) {
    for ctx in backends() {
        for operation in operations() {
            for argument in 0..=operation.inputs.len() {
                for kind in LENT_KINDS {
                    trial(Trial::new(&ctx, &operation, argument), kind);
                }
            }
        }
    }
}

#[test]
fn memory_that_is_too_short_by_one_byte_is_refused() {
    for_each_argument(|mut trial, kind| {
        let (name, bytes) = trial.needs();
        let enough = Memory::new(trial.ctx.handle, kind, bytes);
        copy(trial.ctx.handle, enough.at, vec![0u8; bytes].as_ptr().cast(), bytes);
        let what = format!("{}, {name} in {bytes} bytes", trial.operation.what);
        ok(trial.call(enough.at), what);
        trial.output = Array::poison(trial.ctx, Place::Host, trial.operation.output.1);
        let short = Memory::new(trial.ctx.handle, kind, bytes - 1);
        trial.is_refused(short.at, &format!("has {} bytes, {bytes} are needed", bytes - 1));
        let later = enough.at.wrapping_byte_add(8);
        trial.is_refused(later, &format!("has {} bytes, {bytes} are needed", bytes - 8));
        let behind = short.at.wrapping_byte_add(bytes.next_multiple_of(8));
        if bytes % 512 != 0 {
            trial.is_refused(behind, "has 0 bytes"); // the rest of the block is not the caller's
        }
    });
}

#[test]
fn freed_memory_is_refused() {
    let _turn = caches_are_mine();
    for_each_argument(|mut trial, kind| {
        let (_, bytes) = trial.needs();
        let memory = Memory::new(trial.ctx.handle, kind, bytes);
        let at = memory.at;
        memory.free();
        trial.is_refused(at, "memory that was freed");
    });
}

#[test]
fn freed_memory_is_refused_by_copy_and_prefetch() {
    let _turn = caches_are_mine();
    for ctx in backends() {
        for kind in LENT_KINDS {
            let memory = Memory::new(ctx.handle, kind, 1000);
            let at = memory.at;
            memory.free();
            let mut host = [0u8; 1000];
            let host = host.as_mut_ptr().cast();
            // SAFETY: what was freed is refused.
            let [to, from, prefetch] = unsafe {
                [
                    gpumex_copy(ctx.handle, at, host, 1000),
                    gpumex_copy(ctx.handle, host, at, 1000),
                    gpumex_prefetch(ctx.handle, at, 1000, 0),
                ]
            };
            for status in [to, from, prefetch] {
                refused(status, Status::InvalidArgument, &["memory that was freed"], format!("{kind:?}"));
            }
        }
    }
}
