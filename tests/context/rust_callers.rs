//! Programs in Rust: the crate's own types instead of C's entry points, and calls from a rayon pool of the program.

use gpumex::array::{Input, Output};
use gpumex::context::Context;
use gpumex::error::Status;
use gpumex::ops::histogram::{BYTE_VALUES, Options, histogram};
use gpumex::platform::settings::Backend;
use rayon::prelude::*;

use crate::common::leave_out_unless;

#[test]
fn the_types_of_the_crate_compute_on_every_backend_without_a_current_device() {
    for backend in [Backend::Cpu, Backend::Cuda] {
        let mut ctx = match Context::new(backend, None) {
            Ok(ctx) => ctx,
            Err(error) => {
                assert_eq!((backend, error.status()), (Backend::Cuda, Status::NoDevice), "{error}");
                leave_out_unless("GPUMEX_REQUIRE_GPU", &format!("CUDA: {}", error.message()));
                continue;
            }
        };
        ctx.set_timing(true).unwrap();
        let (data, mut counts) = (b"mississippi", [u64::MAX; BYTE_VALUES]);
        let (input, output) = (Input::new("data", data), Output::new("counts", &mut counts));
        histogram(&mut ctx, &Options::default(), input, data.len(), output, BYTE_VALUES).unwrap();
        assert_eq!(
            (counts[usize::from(b's')], counts[usize::from(b'm')], counts[0]),
            (4, 1, 0),
            "{backend:?}"
        );
        ctx.synchronize().unwrap();
        assert!(ctx.kernel_ms().unwrap() > 0.0 && ctx.device_info().unwrap().multiprocessors > 0);
    }
}

#[test]
fn a_programs_own_rayon_pool_may_call_and_no_thread_waits_for_itself() {
    let data = vec![7u8; 1 << 18]; // enough for the library to use its pool
    (0..64).into_par_iter().for_each(|_| {
        let mut counts = [0u64; BYTE_VALUES];
        // SAFETY: data holds that many bytes, counts 256 counters.
        let status = unsafe { gpumex::ffi::histogram(data.as_ptr(), data.len(), counts.as_mut_ptr()) };
        assert_eq!((status, counts[7]), (0, 1 << 18));
    });
}
