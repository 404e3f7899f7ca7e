//! Bytes by their value: every variant on every backend counts what a plain loop counts.

use crate::common::*;
use gpumex::ops::histogram::HistogramVariant;

// -------------------------------------------------------------------------------------------------------- the oracle

fn expected(data: &[u8]) -> Vec<u64> {
    let mut sorted = data.to_vec();
    sorted.sort_unstable();
    let below = |value: u16| sorted.partition_point(|&byte| u16::from(byte) < value) as u64;
    (0..256).map(|value| below(value + 1) - below(value)).collect()
}

// ---------------------------------------------------------------------------------------------------------- the data

/// Bytes of one kind, by name.
fn kinds(len: usize) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("random bytes, seed 1", random_bytes(1, len)),
        ("all 0", vec![0; len]),
        ("all 255", vec![255; len]),
        ("text, seed 2", text(2, len)),
        ("descending bytes", (0..len).map(|i| 255 - (i % 256) as u8).collect()),
        ("two values in turn", (0..len).map(|i| [3, 200][i % 2]).collect()),
    ]
}

/// Letters about as frequent as in English, words, lines.
fn text(seed: u64, len: usize) -> Vec<u8> {
    let letters = b"eeeeeeeeeeeetttttttttaaaaaaaaoooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrrddddllllcccuuummmwwwffggyyppbbvkjxqz";
    let mut random = random(seed);
    let mut character = || match random.random_range(0..100) {
        0..16 => b' ',
        16 | 17 => b'\n',
        18 | 19 => b',',
        _ => letters[random.random_range(0..letters.len())],
    };
    (0..len).map(|_| character()).collect()
}

#[track_caller]
fn agreed(backends: &[Context], data: &[u8], what: &str) {
    let want = expected(data);
    let len = data.len();
    assert_eq!(want.iter().sum::<u64>(), len as u64, "the oracle counts every byte once");
    for ctx in backends {
        for variant in ctx.variants() {
            let counts = histogram(ctx, variant, data);
            let what = format!("{what}, {len} bytes, {:?}, {variant:?}: counts by byte value", ctx.backend);
            assert_same(&counts, &want, what);
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- sizes

#[test]
fn every_short_length_is_counted() {
    let backends = backends();
    for len in (0..40).chain([255, 256, 257, 1000, 4095, 4096, 4097]) {
        for (kind, data) in kinds(len) {
            agreed(&backends, &data, kind);
        }
    }
}

#[test]
fn a_mebibyte_and_three_bytes_are_counted() {
    let backends = backends();
    for (kind, data) in kinds((1 << 20) + 3) {
        agreed(&backends, &data, kind);
    }
}

#[test]
fn thirty_three_mebibytes_are_counted() {
    let backends = backends();
    let len = 33 << 20;
    agreed(&backends, &random_bytes(1, len), "random bytes, seed 1");
    agreed(&backends, &vec![77; len], "all 77");
}

#[test]
fn data_at_odd_addresses_is_counted() {
    let backends = backends();
    for len in [1, 15, 16, 17, 257, 4097, (1 << 20) + 3] {
        let memory = random_bytes(3, len + 16);
        let to_16 = memory.as_ptr().align_offset(16);
        for offset in 1..16 {
            let start = (to_16 + offset) % 16;
            agreed(&backends, &memory[start..start + len], &format!("{offset} bytes past 16, seed 3"));
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ meaning

#[test]
fn each_byte_value_has_a_counter_of_its_own() {
    for ctx in backends() {
        for variant in ctx.variants() {
            for value in 0..=255u8 {
                let mut want = vec![0; 256];
                want[usize::from(value)] = 3;
                let what = format!("{:?}, {variant:?}, three bytes of {value}", ctx.backend);
                assert_same(&histogram(&ctx, variant, &[value; 3]), &want, what);
            }
        }
    }
}

#[test]
fn counts_of_two_halves_add_up() {
    let data = text(4, 100_003);
    for ctx in backends() {
        for variant in ctx.variants::<HistogramVariant>() {
            let (left, right) = data.split_at(33_333);
            let (left, right) = (histogram(&ctx, variant, left), histogram(&ctx, variant, right));
            let sum: Vec<u64> = left.iter().zip(&right).map(|(left, right)| left + right).collect();
            let what = format!("{:?}, {variant:?}, 33333 + 66670 bytes, seed 4", ctx.backend);
            assert_same(&histogram(&ctx, variant, &data), &sum, what);
        }
    }
}

#[test]
fn null_options_are_the_defaults() {
    let data = random_bytes(5, 5000);
    for ctx in backends() {
        let mut counts = Output::<u64>::new(256);
        let (from, to) = (data.as_ptr().cast(), counts.as_mut_ptr().cast());
        let what = format!("{:?}, options NULL, seed 5", ctx.backend);
        // SAFETY: 5000 bytes and 256 counters.
        ok(
            unsafe { gpumex::ffi::gpumex_histogram(ctx.handle, std::ptr::null(), from, 5000, to, 256) },
            &what,
        );
        assert_same(&counts.written(&what), &expected(&data), what);
    }
}

// -------------------------------------------------------------------------------------------------- the plain function

#[test]
fn the_plain_function_counts_bytes() {
    for len in [0, 1, 257, 100_000] {
        let what = format!("histogram, {len} bytes, seed 6");
        let data = text(6, len);
        let mut counts = Output::<u64>::new(256);
        // SAFETY: len bytes and 256 counters.
        ok(unsafe { gpumex::ffi::histogram(data.as_ptr(), len, counts.as_mut_ptr()) }, &what);
        assert_same(&counts.written(&what), &expected(&data), what);
    }
}

#[test]
fn no_bytes_at_null_are_counted_as_none() {
    let mut counts = Output::<u64>::new(256);
    // SAFETY: no bytes, 256 counters.
    ok(
        unsafe { gpumex::ffi::histogram(std::ptr::null(), 0, counts.as_mut_ptr()) },
        "histogram of 0 bytes at NULL",
    );
    assert_same(&counts.written("histogram"), &[0; 256], "histogram of 0 bytes at NULL");
}
