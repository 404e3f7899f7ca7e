//! More bytes than 32 bits count, on the device.

use std::ptr::null_mut;

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::ops::histogram::HistogramVariant;

use crate::common::*;

const LEN: usize = (1 << 32) + (1 << 28) + 77;
const BYTE: u8 = 200;

/// Equal bytes by every variant, then random ones by the best.
#[test]
fn more_than_4_gib_are_counted() {
    let Some(ctx) = Context::cuda() else { return };
    let _turn = much_memory_is_mine();
    if info_of(ctx.handle).free_memory < LEN as u64 + (1 << 30) {
        return leave_out(&format!("memory: the device has not {} GiB more", LEN >> 30));
    }
    let mut data = null_mut();
    // SAFETY: a pointer to write to, and LEN bytes of it.
    unsafe {
        ok(gpumex_malloc(ctx.handle, MemoryKind::Device as i32, LEN, &mut data), "gpumex_malloc");
        ok(
            gpumex_fill(ctx.handle, Dtype::U8 as i32, data, LEN, std::ptr::from_ref(&BYTE).cast()),
            "gpumex_fill",
        );
    }
    let mut want = vec![0u64; 256];
    want[usize::from(BYTE)] = LEN as u64;
    for variant in ctx.variants::<HistogramVariant>() {
        let options = HistogramOptions { variant: variant as i32, ..HistogramOptions::default() };
        let mut counts = Output::<u64>::new(256);
        let to = counts.as_mut_ptr().cast();
        // SAFETY: LEN bytes, 256 counters.
        ok(unsafe { gpumex_histogram(ctx.handle, &options, data, LEN, to, 256) }, format!("{variant:?}"));
        assert_same(&counts.written("counts"), &want, format!("{LEN} equal bytes, {variant:?}"));
    }
    // SAFETY: LEN bytes.
    ok(unsafe { gpumex_random(ctx.handle, Dtype::U8 as i32, data, LEN, 5, 0.0, 255.0) }, "gpumex_random");
    let mut counts = Output::<u64>::new(256);
    let to = counts.as_mut_ptr().cast();
    // SAFETY: LEN bytes, 256 counters.
    ok(unsafe { gpumex_histogram(ctx.handle, std::ptr::null(), data, LEN, to, 256) }, "random bytes");
    let counts = counts.written("random bytes");
    assert_eq!(counts.iter().sum::<u64>(), LEN as u64);
    let even = LEN as f64 / 256.0;
    assert!(counts.iter().all(|&count| (count as f64 - even).abs() < 8.0 * even.sqrt()), "{counts:?}");
    ok(gpumex_free(data), "gpumex_free");
}
