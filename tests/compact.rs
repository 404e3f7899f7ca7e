//! Compaction: what is kept, and where it stood, on every backend, at every length, density and capacity.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::{CompactOptions, gpumex_compact};
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::model::index::Index;
use gpumex::model::variant::Variant;

use crate::common::*;

const LARGEST: usize = if cfg!(debug_assertions) { 80_003 } else { 1_000_003 };
const SIZES: [usize; 14] = [0, 1, 3, 127, 129, 511, 513, 1000, 4095, 4097, 16_385, 65_536, 65_537, LARGEST];

// -------------------------------------------------------------------------------------------------------------- the call

trait Position: Number + Index {}
impl Position for u32 {}
impl Position for u64 {}

fn options<T: Number, I: Position>(variant: Variant) -> CompactOptions {
    CompactOptions {
        variant: variant as i32,
        dtype: T::DTYPE as i32,
        index_dtype: I::DTYPE as i32,
        ..CompactOptions::default()
    }
}

/// kept, positions and needed agree with a plain loop; memory: of data, flags, kept, positions and needed.
#[track_caller]
fn agrees<T: Number, I: Position>(
    ctx: &Context,
    variant: Variant,
    memory: [Kind; 5],
    data: &[T],
    flags: &[u8],
    capacity: usize,
) {
    let what = format!(
        "gpumex_compact on {:?}, {variant:?}, {} of {:?}, {:?}, {memory:?}, room for {capacity}",
        ctx.backend,
        data.len(),
        T::DTYPE,
        I::DTYPE
    );
    let set: Vec<usize> = (0..data.len()).filter(|&i| flags[i] != 0).collect();
    let mut from = Placed::holding(ctx, memory[0], data);
    let mut by = Placed::holding(ctx, memory[1], flags);
    let mut kept = Placed::<T>::new(ctx, memory[2], capacity);
    let mut positions = Placed::<I>::new(ctx, memory[3], capacity);
    let mut needed = Placed::<u64>::new(ctx, memory[4], 1);
    let (at, flags_at, needed_at) = (from.as_ptr(), by.as_ptr(), needed.as_mut_ptr());
    let (kept_at, positions_at) = (kept.as_mut_ptr(), positions.as_mut_ptr());
    let options = options::<T, I>(variant);
    // SAFETY: as many elements and flags as the slices have, room for `capacity` results, one number.
    let status = unsafe {
        gpumex_compact(
            ctx.handle,
            &options,
            at,
            flags_at,
            data.len(),
            kept_at,
            positions_at,
            capacity,
            needed_at,
        )
    };
    let is_seen =
        memory[4] != Some(MemoryKind::Device) || ctx.backend == gpumex::platform::settings::Backend::Cpu;
    if is_seen && capacity > 0 && capacity < set.len() {
        let numbers = [capacity.to_string(), set.len().to_string()];
        refused(status, Status::InvalidArgument, &["capacity", &numbers[0], &numbers[1]], &what);
    } else {
        ok(status, &what);
    }
    assert_same(&needed.written(), &[set.len() as u64], format!("{what}: needed"));

    let written = capacity.min(set.len());
    let (kept, positions) = (kept.written(), positions.written());
    let want: Vec<T> = set[..written].iter().map(|&i| data[i]).collect();
    assert_same_bits(&kept[..written], &want, format!("{what}: kept"));
    let want: Vec<I> = set[..written].iter().map(|&i| I::from_usize(i)).collect();
    assert_same(&positions[..written], &want, format!("{what}: positions"));
    let is_left = |bits: u64, poison: u64| bits == poison;
    assert!(
        kept[written..].iter().all(|x| is_left(x.bits(), T::POISON.bits())),
        "{what}: kept behind the end"
    );
    assert!(
        positions[written..].iter().all(|x| is_left(x.bits(), I::POISON.bits())),
        "{what}: positions behind"
    );
}

/// Flags of which so many per cent are set, by any value but 0.
fn flags(seed: u64, len: usize, per_cent: u32) -> Vec<u8> {
    let mut random = random(seed);
    let flag = |byte: u8| byte.max(1);
    (0..len).map(|_| if random.random_range(0..100) < per_cent { flag(random.random()) } else { 0 }).collect()
}

fn numbers<T: Number>(seed: u64, len: usize) -> Vec<T> {
    let mut random = random(seed);
    (0..len).map(|_| T::from_f64(random.random_range(0.0..1e6))).collect()
}

// ------------------------------------------------------------------------------------------------------- sizes and places

fn every_length<T: Number>(ctx: &Context) {
    for (len, variant) in SIZES.into_iter().flat_map(|len| ctx.variants().into_iter().map(move |v| (len, v)))
    {
        let data = numbers::<T>(len as u64, len);
        for (per_cent, capacity) in [(0, len), (3, len), (50, len), (50, len / 3), (100, len), (97, 0)] {
            let flags = flags(len as u64 + 7, len, per_cent);
            agrees::<T, u64>(ctx, variant, [None; 5], &data, &flags, capacity);
            agrees::<T, u32>(ctx, variant, [None; 5], &data, &flags, capacity);
        }
    }
}

#[test]
fn every_length_and_density_is_compacted() {
    for ctx in backends() {
        for_every_dtype!(every_length(&ctx): i32 i64 u32 u64 f32 f64);
    }
}

fn every_kind_of_memory<T: Number>(ctx: &Context) {
    let (data, flags) = (numbers::<T>(5, 20_001), flags(6, 20_001, 40));
    for place in 0..5 {
        for (kind, others) in EVERYWHERE.into_iter().flat_map(|a| EVERYWHERE.map(|b| (a, b))) {
            let mut memory = [others; 5];
            memory[place] = kind;
            for capacity in [20_001, 5000] {
                agrees::<T, u32>(ctx, Variant::Auto, memory, &data, &flags, capacity);
            }
        }
    }
}

#[test]
fn every_kind_of_memory_is_compacted() {
    for ctx in backends() {
        for_every_dtype!(every_kind_of_memory(&ctx): u8 u16 f64);
    }
}

#[test]
fn arrays_of_any_alignment_are_compacted() {
    let (data, flags) = (numbers::<u32>(8, 30_000), flags(9, 30_000, 60));
    for ctx in backends() {
        for (from, by) in (0..4).flat_map(|from| (0..4).map(move |by| (from, by))) {
            let device = Some(MemoryKind::Device);
            let mut source = Placed::holding(&ctx, device, &data);
            let mut marks = Placed::holding(&ctx, device, &flags);
            let (mut kept, mut needed) = (Output::<u32>::new(29_000), Output::<u64>::new(1));
            let at = source.as_ptr::<u32>().wrapping_add(from).cast();
            let marks_at = marks.as_ptr::<u8>().wrapping_add(by);
            let (to, needed_at) = (kept.as_mut_ptr().cast(), needed.as_mut_ptr().cast());
            let options = options::<u32, u64>(Variant::Auto);
            let what = format!("{:?}, {from} elements and {by} flags off", ctx.backend);
            // SAFETY: 29000 elements and flags from there on, room for as many, one number.
            let status = unsafe {
                gpumex_compact(ctx.handle, &options, at, marks_at, 29_000, to, null_mut(), 29_000, needed_at)
            };
            ok(status, &what);
            let want: Vec<u32> = (0..29_000).filter(|i| flags[by + i] != 0).map(|i| data[from + i]).collect();
            assert_same(&kept.written(&what)[..want.len()], &want, &what);
            assert_same(&needed.written(&what), &[want.len() as u64], &what);
        }
    }
}

// --------------------------------------------------------------------------------------------------------------- meaning

#[test]
fn bits_are_moved_unchanged() {
    let data = [f32::NAN, -0.0, f32::from_bits(0x7F80_0001), f32::NEG_INFINITY, 0.0, -f32::NAN];
    for ctx in backends() {
        for variant in ctx.variants() {
            agrees::<f32, u64>(&ctx, variant, [None; 5], &data, &[1, 255, 2, 0, 128, 7], 6);
        }
    }
}

#[test]
fn positions_alone_need_no_data_and_nothing_counts() {
    for ctx in backends() {
        let (marks, mut positions, mut needed) = ([0u8, 1, 1, 0, 9], [7u64; 5], 0u64);
        let (to, needed_at) = (positions.as_mut_ptr().cast(), (&raw mut needed).cast());
        let options = options::<f32, u64>(Variant::Auto);
        let call = |capacity, positions: *mut c_void| {
            // SAFETY: five flags, room for five positions or none, one number.
            unsafe {
                gpumex_compact(
                    ctx.handle,
                    &options,
                    null(),
                    marks.as_ptr(),
                    5,
                    null_mut(),
                    positions,
                    capacity,
                    needed_at,
                )
            }
        };
        ok(call(5, to), "positions alone");
        assert_eq!((positions, needed), ([1, 2, 4, 7, 7], 3));
        needed = 0;
        ok(call(0, null_mut()), "a count");
        assert_eq!(needed, 3);
        ok(call(2, null_mut()), "a count, whatever the capacity");
    }
}

// -------------------------------------------------------------------------------------------------------------- bad input

#[test]
fn bad_input_is_refused_with_a_sentence() {
    for ctx in backends() {
        let mut memory = [1u64; 32];
        let at: *mut c_void = memory.as_mut_ptr().cast();
        let place = |word: usize| at.wrapping_byte_add(8 * word);
        let plain = options::<f32, u64>(Variant::Auto);
        let call = |options: CompactOptions,
                    data: *mut c_void,
                    flags: *mut c_void,
                    outputs: [*mut c_void; 3]| {
            let [kept, positions, needed] = outputs;
            // SAFETY: eight floats in four words, eight flags in one, room for eight, or a call that is refused.
            unsafe {
                gpumex_compact(ctx.handle, &options, data, flags.cast(), 8, kept, positions, 8, needed.cast())
            }
        };
        let none = null_mut();
        let (data, flags, outputs) = (at, place(4), [place(5), place(9), place(17)]);
        let (null, invalid) = (Status::NullPointer, Status::InvalidArgument);
        refused(call(plain, none, flags, outputs), null, &["data"], "data is NULL");
        refused(call(plain, data, none, outputs), null, &["flags"], "flags are NULL");
        refused(call(plain, data, flags, [place(5), place(9), none]), null, &["needed"], "needed is NULL");
        for (outputs, names) in [
            ([at, place(9), place(17)], ["kept", "data"]),
            ([place(4), place(9), place(17)], ["kept", "flags"]),
            ([place(5), place(8), place(17)], ["positions", "kept"]),
            ([place(5), place(9), place(16)], ["needed", "positions"]),
            ([place(5), place(9), place(4)], ["needed", "flags"]),
            ([place(5), place(9), place(8)], ["needed", "kept"]),
        ] {
            refused(call(plain, data, flags, outputs), invalid, &names, "overlap");
        }
        let off = [place(5).wrapping_byte_add(2), place(10), place(18)];
        refused(call(plain, data, flags, off), invalid, &["kept", "multiple"], "alignment");
        for (options, status, words) in [
            (
                CompactOptions { variant: first_unknown::<Variant>(), ..plain },
                invalid,
                ["options.variant is", "gpumex_variant"],
            ),
            (CompactOptions { dtype: 77, ..plain }, invalid, ["options.dtype is 77", "gpumex_dtype"]),
            (
                CompactOptions { index_dtype: 77, ..plain },
                invalid,
                ["options.index_dtype is 77", "gpumex_dtype"],
            ),
            (
                CompactOptions { index_dtype: Dtype::I32 as i32, ..plain },
                invalid,
                ["options.index_dtype is GPUMEX_DTYPE_I32", "GPUMEX_DTYPE_U64"],
            ),
            (
                CompactOptions { dtype: Dtype::F16 as i32, ..plain },
                Status::Unsupported,
                ["options.dtype is GPUMEX_DTYPE_F16", "serves F32"],
            ),
        ] {
            refused(call(options, data, flags, outputs), status, &words, words[0]);
        }
        ok(call(plain, data, flags, outputs), "the call without a fault");
    }
}
