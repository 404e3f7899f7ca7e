//! Every operation with its arrays at every place, by every allocator: the result is that of host arrays.

use std::ptr::null;

use gpumex::ffi::*;
use gpumex::memory::{Allocator, MemoryKind};
use gpumex::model::numbered::NumberedEnum;
use gpumex::ops::life::LifeVariant;

use super::arrays::*;
use super::operations::{ON_BITS, Operation, all_operations, life, life_bits, operations};
use crate::common::{supplier::Supplier, *};

/// One place for each of `count` arrays, in every combination.
fn combinations(count: usize) -> Vec<Vec<Place>> {
    let digit = |number: usize, at: usize| PLACES[number / 4usize.pow(at as u32) % 4];
    (0..4usize.pow(count as u32)).map(|number| (0..count).map(|at| digit(number, at)).collect()).collect()
}

#[test]
fn every_operation_takes_every_array_at_every_place() {
    for ctx in backends() {
        for operation in all_operations(&ctx) {
            let want = operation.result_on_host(&ctx);
            for places in combinations(operation.inputs.len() + 1) {
                let (to, from) = places.split_last().expect("an output at least");
                let what = format!("{} on {:?}, {from:?} to {to:?}", operation.what, ctx.backend);
                assert_same(&operation.result(&ctx, from, *to), &want, what);
            }
        }
        assert_eq!(stats_of(ctx.handle).allocated, 0, "{:?}: every temporary was given back", ctx.backend);
    }
}

#[test]
fn what_works_in_place_does_so_at_every_place() {
    for ctx in backends() {
        for operation in all_operations(&ctx).iter().filter(|operation| operation.is_in_place) {
            let want = operation.result_on_host(&ctx);
            for place in PLACES {
                let mut both = Array::holding(&ctx, place, &operation.inputs[0].1);
                let what = format!("{} on {:?}, in place at {place:?}", operation.what, ctx.backend);
                let at = both.at();
                ok(operation.call(&ctx, &[at], at), &what);
                assert_same(&both.bytes(), &want, what);
            }
        }
    }
}

/// The operation in a part of a block, apart and in place, gives what it gives from the host.
fn is_right_within_a_block(ctx: &Context, operation: &Operation, offset: usize) {
    let (want, bytes) = (operation.result_on_host(ctx), operation.output.1);
    let [board, next] = [0, 1].map(|_| Memory::new(ctx.handle, MemoryKind::Device, bytes + offset));
    let [from, to] = [&board, &next].map(|memory| memory.at.wrapping_byte_add(offset));
    copy(ctx.handle, from, operation.inputs[0].1.as_ptr().cast(), bytes);
    let what = format!("{} on {:?}, {offset} bytes off", operation.what, ctx.backend);
    ok(operation.call(ctx, &[from], to), &what);
    ok(operation.call(ctx, &[from], from), format!("{what}, in place"));
    for array in [to, from] {
        let mut got = vec![0u8; bytes];
        copy(ctx.handle, got.as_mut_ptr().cast(), array, bytes);
        assert_same(&got, &want, &what);
    }
}

/// Blocks are aligned to 512 bytes, which textures want; parts of them are not.
#[test]
fn arrays_may_start_anywhere_within_a_block() {
    for ctx in backends() {
        for variant in ctx.variants::<LifeVariant>() {
            for (generations, offset) in [(1, 1), (2, 77), (3, 256), (17, 4)] {
                is_right_within_a_block(&ctx, &life(variant, 33, 70, generations), offset);
            }
        }
        for variant in ON_BITS {
            for (generations, offset) in [(0, 8), (1, 8), (2, 72), (3, 256), (17, 1000)] {
                is_right_within_a_block(&ctx, &life_bits(variant, 33, 70, generations), offset);
            }
        }
    }
}

#[test]
fn all_operations_work_with_every_allocator() {
    let supplier = Supplier::default();
    for ctx in backends() {
        let want: Vec<Vec<u8>> = operations().iter().map(|one| one.result_on_host(&ctx)).collect();
        for &allocator in Allocator::ALL {
            let status = match allocator {
                Allocator::Custom => supplier.select(ctx.handle),
                _ => gpumex_allocator_select(ctx.handle, allocator as i32),
            };
            if allocator == Allocator::Pool && ctx.backend == gpumex::platform::settings::Backend::Cpu {
                assert_ne!(status, 0, "POOL on the CPU backend");
                continue;
            }
            let what = format!("{allocator:?} on {:?}", ctx.backend);
            ok(status, &what);
            for (operation, want) in operations().iter().zip(&want) {
                for place in PLACES {
                    let from = vec![place; operation.inputs.len()];
                    let name = format!("{}, {what}, {place:?}", operation.what);
                    assert_same(&operation.result(&ctx, &from, place), want, name);
                }
            }
            let stats = stats_of(ctx.handle);
            assert_eq!((stats.allocator, stats.allocated), (allocator as i32, 0), "{what}");
            assert!(
                stats.misses > 0 && (allocator == Allocator::Caching) == (stats.hits > 0),
                "{what}: {stats:?}"
            );
        }
    }
    let book = supplier.book();
    assert!(
        book.given > 0 && book.given == book.taken_back,
        "{} given, {} back",
        book.given,
        book.taken_back
    );
}

#[test]
fn no_options_are_the_defaults_for_memory_of_the_device_too() {
    for ctx in backends() {
        let data = Memory::new(ctx.handle, MemoryKind::Device, 1000);
        let mut counts = [0u64; 256];
        copy(ctx.handle, data.at, [5u8; 1000].as_ptr().cast(), 1000);
        // SAFETY: 1000 bytes, 256 counters.
        let status =
            unsafe { gpumex_histogram(ctx.handle, null(), data.at, 1000, counts.as_mut_ptr().cast(), 256) };
        ok(status, "gpumex_histogram");
        assert_eq!((counts[5], counts.iter().sum::<u64>()), (1000, 1000), "{:?}", ctx.backend);
    }
}
