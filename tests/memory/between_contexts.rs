//! Memory of one context in the hands of another, without a wait by hand: the library orders their streams.

use std::ptr::null;

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;

use super::arrays::*;
use crate::common::*;

fn pairs() -> Vec<[Context; 2]> {
    let pair = |backend| [(); 2].map(|()| Context::open(backend).unwrap_or_else(|reason| panic!("{reason}")));
    backends().iter().map(|ctx| pair(ctx.backend)).collect()
}

/// As much as keeps a device busy while the next call is made.
fn large(ctx: &Context) -> usize {
    if ctx.backend == gpumex::platform::settings::Backend::Cuda { 64 << 20 } else { 1 << 20 }
}

#[test]
fn a_copy_on_one_context_comes_before_its_use_on_the_other() {
    for [first, second] in pairs() {
        let len = large(&first);
        let device = |ctx: &Context| Memory::new(ctx.handle, MemoryKind::Device, len);
        let sources = [1, 2, 3].map(|seed| {
            let (bytes, memory) = (random_bytes(seed, len), device(&first));
            copy(first.handle, memory.at, bytes.as_ptr().cast(), len);
            (bytes, memory)
        });
        let (shared, got) = (device(&first), device(&second));
        for round in 0..30 {
            let (want, source) = &sources[round % 3];
            let (_, next) = &sources[(round + 1) % 3];
            copy(first.handle, shared.at, source.at, len); // on the way when the next call is made
            copy(second.handle, got.at, shared.at, len);
            copy(first.handle, shared.at, next.at, len); // behind the read of the other context
            let mut bytes = vec![0; len];
            copy(second.handle, bytes.as_mut_ptr().cast(), got.at, len);
            assert_same(&bytes, want, format!("{:?}, round {round}", first.backend));
        }
    }
}

/// A block that is freed while another context still reads it is not given to the next one too early.
#[test]
fn a_free_comes_behind_the_last_use_on_another_context() {
    for [owner, user] in pairs() {
        let len = large(&owner);
        let counts = Memory::new(user.handle, MemoryKind::Device, 256 * 8);
        let filled: Vec<Memory> = (0..2u8)
            .map(|value| {
                let memory = Memory::new(owner.handle, MemoryKind::Device, len);
                copy(owner.handle, memory.at, vec![value; len].as_ptr().cast(), len);
                memory
            })
            .collect();
        for round in 0..20 {
            let data = Memory::new(owner.handle, MemoryKind::Device, len);
            copy(owner.handle, data.at, filled[0].at, len);
            // SAFETY: so many bytes, 256 counters, all of it on the device.
            let status = unsafe { gpumex_histogram(user.handle, null(), data.at, len, counts.at, 256) };
            ok(status, "gpumex_histogram on the other context");
            data.free();
            let again = Memory::new(owner.handle, MemoryKind::Device, len); // the same block
            copy(owner.handle, again.at, filled[1].at, len);
            let mut got = [u64::MAX; 256];
            copy(user.handle, got.as_mut_ptr().cast(), counts.at, 256 * 8);
            let what = format!("{:?}, round {round}: bytes of 0 and of 1", owner.backend);
            assert_eq!((got[0], got[1]), (len as u64, 0), "{what}");
        }
    }
}

#[test]
fn memory_of_a_context_that_ended_is_ordered_too() {
    for backend in backends().iter().map(|ctx| ctx.backend) {
        let open = || Context::open(backend).unwrap_or_else(|reason| panic!("{reason}"));
        let owner = open();
        let len = large(&owner);
        let want = random_bytes(5, len);
        let [first, second] = [(); 2].map(|()| Memory::new(owner.handle, MemoryKind::Device, len));
        copy(owner.handle, first.at, want.as_ptr().cast(), len);
        for round in 0..5 {
            let user = open();
            copy(user.handle, second.at, first.at, len); // on the way when its context ends
            drop(user);
            let mut got = vec![0; len];
            copy(owner.handle, got.as_mut_ptr().cast(), second.at, len);
            assert_same(&got, &want, format!("{backend:?}, round {round}"));
        }
        let user = open();
        copy(owner.handle, second.at, first.at, len);
        drop(owner);
        let mut got = vec![0; len];
        copy(user.handle, got.as_mut_ptr().cast(), second.at, len);
        assert_same(&got, &want, format!("{backend:?}, the owner is gone"));
    }
}

/// Four contexts pass blocks around and free one another's, each on a thread of its own.
#[test]
fn threads_with_contexts_of_their_own_share_memory() {
    for backend in backends().iter().map(|ctx| ctx.backend) {
        let (sender, receiver) = std::sync::mpsc::channel::<(usize, u64, usize)>();
        let receiver = std::sync::Mutex::new(receiver);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let (sender, receiver) = (sender.clone(), &receiver);
                scope.spawn(move || {
                    let ctx = Context::open(backend).unwrap_or_else(|reason| panic!("{reason}"));
                    for round in 0..100 {
                        let (seed, len) = (thread * 1000 + round, 1 + 997 * round as usize);
                        let memory = Memory::new(ctx.handle, LENT_KINDS[round as usize % 3], len);
                        copy(ctx.handle, memory.at, random_bytes(seed, len).as_ptr().cast(), len);
                        sender.send((memory.at.addr(), seed, len)).expect("the receiver lives");
                        std::mem::forget(memory);
                        let received = receiver.lock().expect("no panic").recv().expect("one for one");
                        let (address, seed, len) = received;
                        let memory = Memory { at: std::ptr::without_provenance_mut(address) };
                        let mut got = vec![0; len];
                        copy(ctx.handle, got.as_mut_ptr().cast(), memory.at, len);
                        assert_same(&got, &random_bytes(seed, len), format!("{backend:?}, seed {seed}"));
                        memory.free();
                    }
                });
            }
        });
    }
}
