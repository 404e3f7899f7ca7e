//! Bytes on the CPU, one core: the backend beside the plain loop. The number of threads is one for a process: a child measures.

use std::env;
use std::process::Command;

use gpumex::ffi::*;
use gpumex::ops::histogram::HistogramVariant;
use gpumex::settings::Backend;

use crate::common::*;
use crate::samples::english;

pub const CHILD: &str = "--cpu";

pub fn report() {
    let program = env::current_exe().expect("this program has a path");
    let status = Command::new(program).arg(CHILD).status();
    assert!(status.is_ok_and(|status| status.success()), "the bench of the CPU failed");
}

pub fn measure() {
    // SAFETY: C strings; the first call of this process.
    check(unsafe { gpumex_configure(c"num_threads".as_ptr(), c"1".as_ptr()) });
    let ctx = gpumex_context_create(Backend::Cpu as i32, -1);
    let len = 256 << 20;
    let two: Vec<u8> = (0..len).map(|i| if i % 2 == 0 { 3 } else { 200 }).collect();
    println!("{:32} | {:>9} | {:>9} | {:>9}", "256 MiB, one core, GB/s", "gpumex", "loop", "times");
    for (name, data) in
        [("random", random(len)), ("text", english(len)), ("constant", vec![77; len]), ("two values", two)]
    {
        let rate = |variant: HistogramVariant| {
            let options = HistogramOptions { variant: variant as i32, ..HistogramOptions::default() };
            let mut counts = [0u64; 256];
            let turn = || {
                seconds(|| {
                    // SAFETY: len bytes, 256 counters.
                    check(unsafe {
                        gpumex_histogram(
                            ctx,
                            &options,
                            data.as_ptr().cast(),
                            len,
                            counts.as_mut_ptr().cast(),
                            256,
                        )
                    })
                })
            };
            len as f64 / median(11, turn) / 1e9
        };
        let (ours, plain) = (rate(HistogramVariant::Auto), rate(HistogramVariant::Sequential));
        println!("{name:32} | {ours:9.2} | {plain:9.2} | {:9.2}", ours / plain);
    }
    check(gpumex_context_destroy(ctx));
}
