//! The textbook's variants for any number of bins: integers by value, those outside left out or put into the bins at the ends.

use gpumex::error::Status;
use gpumex::ffi::{HistogramOptions, gpumex_histogram};
use gpumex::ops::histogram::{HistogramOutliers, HistogramVariant};

use crate::common::*;

const TEXTBOOK: [HistogramVariant; 3] =
    [HistogramVariant::Global, HistogramVariant::Strided, HistogramVariant::Shared];

fn counts<T: Number + Into<i64>>(data: &[T], bins: usize, clamps: bool) -> Vec<u64> {
    let mut counts = vec![0; bins];
    for &sample in data {
        let value: i64 = sample.into();
        match usize::try_from(value).ok().filter(|&bin| bin < bins) {
            Some(bin) => counts[bin] += 1,
            None if clamps => counts[if value < 0 { 0 } else { bins - 1 }] += 1,
            None => {}
        }
    }
    counts
}

fn counted<T: Number + Into<i64>>() {
    for ctx in backends() {
        for (len, bins) in [(0, 5), (1, 1), (70_001, 1), (70_001, 100), (70_001, 256), (70_001, 50_000)] {
            let data: Vec<T> = random_bytes(3, 2 * len)
                .chunks(2)
                .map(|b| T::from_f64(f64::from(b[0]) * 211.0 - f64::from(b[1])))
                .collect();
            for (variant, outliers) in TEXTBOOK.into_iter().zip([0, 1, 1]) {
                let what = format!("{:?} {variant:?} {:?} {len} {bins} {outliers}", ctx.backend, T::DTYPE);
                let mut got = Output::<u64>::new(bins);
                let (variant, dtype) = (variant as i32, T::DTYPE as i32);
                let options = HistogramOptions { variant, dtype, outliers, ..Default::default() };
                let (from, to) = (data.as_ptr().cast(), got.as_mut_ptr().cast());
                // SAFETY: len samples, bins counters.
                ok(unsafe { gpumex_histogram(ctx.handle, &options, from, len, to, bins) }, &what);
                let clamps = outliers == HistogramOutliers::Clamp as i32;
                assert_same(&got.written(&what), &counts(&data, bins, clamps), &what);
            }
        }
    }
}

#[test]
fn integers_of_every_served_type_are_counted_in_any_number_of_bins() {
    counted::<u8>();
    counted::<u16>();
    counted::<u32>();
    counted::<i32>();
}

#[test]
fn more_bins_than_shared_memory_holds_are_refused() {
    let Some(ctx) = Context::cuda() else { return };
    let (data, mut counts) = ([1u8; 64], vec![0u64; 1 << 20]);
    let options = HistogramOptions { variant: HistogramVariant::Shared as i32, ..Default::default() };
    let (from, to) = (data.as_ptr().cast(), counts.as_mut_ptr().cast());
    // SAFETY: 64 samples, 2^20 counters.
    let status = unsafe { gpumex_histogram(ctx.handle, &options, from, 64, to, 1 << 20) };
    refused(status, Status::Unsupported, &["GPUMEX_HISTOGRAM_VARIANT_SHARED", "shared memory"], "2^20 bins");
}
