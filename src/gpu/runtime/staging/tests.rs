//! Transfers on a real device; without one these tests are left out, which GPUMEX_REQUIRE_GPU=1 makes a failure.

use cudarc::driver::result;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use super::*;
use crate::gpu::runtime::stream::Stream;

const SIZES: [usize; 12] = [
    1,
    1023,
    small::SLOT,
    small::SLOT + 1,
    LARGE - 1,
    LARGE,
    LARGE + 1,
    9_999_999,
    32 << 20,
    (64 << 20) + 1,
    200_000_003,
    256 << 20,
];

fn primary() -> Option<Arc<Primary>> {
    match Primary::open(0) {
        Ok(primary) => Some(primary),
        Err(reason) => {
            let is_required = std::env::var_os("GPUMEX_REQUIRE_GPU").is_some_and(|value| value == "1");
            assert!(!is_required, "GPUMEX_REQUIRE_GPU is set: {reason}");
            None
        }
    }
}

fn random_bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut bytes = vec![0; len];
    Pcg64::seed_from_u64(seed).fill_bytes(&mut bytes);
    bytes
}

/// Device memory of a test.
struct Memory(sys::CUdeviceptr);

impl Memory {
    fn new(bytes: usize) -> Memory {
        // SAFETY: a context is current.
        Memory(unsafe { result::malloc_sync(bytes) }.unwrap())
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: ours; waits for what uses it.
        unsafe { result::free_sync(self.0) }.unwrap();
    }
}

/// Up, and down again into memory that held something else.
fn round_trip(staging: &Staging, stream: &Stream, bytes: &[u8]) {
    let mut back = vec![0xa5; bytes.len()];
    let memory = Memory::new(bytes.len());
    // SAFETY: device memory of that length, which lives until the download is done.
    unsafe {
        staging.upload(stream.handle(), memory.0, bytes).unwrap();
        staging.download(stream.handle(), &mut back, memory.0).unwrap();
    }
    assert!(back == bytes, "{} bytes", bytes.len());
}

#[test]
fn every_size_comes_back_from_the_device() {
    let Some(primary) = primary() else { return };
    let _current = primary.enter().unwrap();
    let (staging, stream) = (Staging::of(&primary), Stream::create(&primary).unwrap());
    for (seed, len) in (0..).zip(SIZES) {
        let bytes = random_bytes(len + 3, seed);
        round_trip(&staging, &stream, &bytes[3..]);
    }
}

#[test]
fn threads_take_turns_and_both_directions_run_at_once() {
    let Some(primary) = primary() else { return };
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let primary = &primary;
            scope.spawn(move || {
                let _current = primary.enter().unwrap();
                let (staging, stream) = (Staging::of(primary), Stream::create(primary).unwrap());
                for len in [100, 30_000_001, 70_000, 90 << 20] {
                    round_trip(&staging, &stream, &random_bytes(len, seed));
                }
            });
        }
    });
}

#[test]
fn a_transfer_keeps_its_place_in_the_stream() {
    let Some(primary) = primary() else { return };
    let _current = primary.enter().unwrap();
    let (staging, stream) = (Staging::of(&primary), Stream::create(&primary).unwrap());
    for len in [1000, 1 << 20, 48 << 20] {
        let (source, mut back) = (random_bytes(len, 1), vec![0; len]);
        let (first, second) = (Memory::new(len), Memory::new(len));
        // SAFETY: device memory of that length, which lives until the stream has drained.
        unsafe {
            for _ in 0..50 {
                result::memset_d8_async(first.0, 7, len, stream.handle()).unwrap(); // the upload comes behind these
            }
            staging.upload(stream.handle(), first.0, &source).unwrap();
            result::memcpy_dtod_async(second.0, first.0, len, stream.handle()).unwrap(); // and this behind it
            result::memset_d8_async(first.0, 9, len, stream.handle()).unwrap();
            staging.download(stream.handle(), &mut back, second.0).unwrap();
        }
        assert!(back == source, "{len} bytes");
    }
}

#[test]
fn a_wrong_address_is_an_error_and_the_next_transfer_works() {
    let Some(primary) = primary() else { return };
    let _current = primary.enter().unwrap();
    let (staging, stream) = (Staging::of(&primary), Stream::create(&primary).unwrap());
    let mut bytes = random_bytes(40 << 20, 5);
    // SAFETY: the driver knows no memory at this address, and refuses it before anything is moved.
    unsafe {
        assert_eq!(staging.upload(stream.handle(), 64, &bytes).unwrap_err().status(), Status::Cuda);
        assert_eq!(staging.download(stream.handle(), &mut bytes, 64).unwrap_err().status(), Status::Cuda);
    }
    round_trip(&staging, &stream, &bytes);
}
