//! Float32 and float64 on the CPU beside OpenBLAS, all cores and one. The number of threads is one for a process: children measure.

use std::env;
use std::ffi::{CString, c_void};
use std::process::Command;

use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::platform::settings::Backend;

use crate::common::*;

pub const CHILD: &str = "--cpu-threads";

pub fn report() {
    let program = env::current_exe().expect("this program has a path");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for threads in [cores, 1] {
        let status = Command::new(&program).args([CHILD, &threads.to_string()]).status();
        assert!(status.is_ok_and(|status| status.success()), "the bench of the CPU failed");
    }
}

pub fn measure() {
    let threads = env::args().nth(2).expect("a number of threads");
    let value = CString::new(threads.as_str()).expect("a number has no NUL");
    // SAFETY: C strings; the first call of this process.
    check(unsafe { gpumex_configure(c"num_threads".as_ptr(), value.as_ptr()) });
    let ctx = gpumex_context_create(Backend::Cpu as i32, -1);
    let peer = OpenBlas::load(threads.parse().expect("a number"));
    if peer.is_none() {
        println!("no OpenBLAS, and none in GPUMEX_OPENBLAS: its columns stay empty");
    }
    println!(
        "{:32} | {:>9} | {:>9} | {:>9}",
        format!("CPU, GFLOP/s, threads: {threads}"),
        "gpumex",
        "OpenBLAS",
        "times"
    );
    for n in [256, 512, 1024, 2048] {
        compare(ctx, Dtype::F32, n, uniform(n, |value| value as f32), peer.map(|peer| peer.sgemm));
        compare(ctx, Dtype::F64, n, uniform(n, |value| value), peer.map(|peer| peer.dgemm));
    }
    check(gpumex_context_destroy(ctx));
}

/// n² random numbers from -1 to 1.
fn uniform<T>(n: usize, number: fn(f64) -> T) -> Vec<T> {
    let bytes = random(4 * n * n);
    let words = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
    words.map(|word| number(f64::from(word) / 2f64.powi(31) - 1.0)).collect()
}

/// n x n times itself, ours and the peer's in turn.
fn compare<T: Copy + Into<f64>>(ctx: Handle, dtype: Dtype, n: usize, a: Vec<T>, peer: Option<Gemm<T>>) {
    let options = MatmulOptions { dtype: dtype as i32, ..MatmulOptions::default() };
    let (mut ours, mut theirs) = (a.clone(), a.clone());
    let (mut times, mut peer_times) = (Vec::new(), Vec::new());
    let rounds = if n < 2048 { 21 } else { 11 };
    for _ in 0..rounds + 1 {
        let (from, to): (*const c_void, *mut c_void) = (a.as_ptr().cast(), ours.as_mut_ptr().cast());
        // SAFETY: n² elements each.
        times.push(seconds(|| check(unsafe { gpumex_matmul(ctx, &options, n, n, n, from, from, to) })));
        if let Some(peer) = &peer {
            peer_times.push(seconds(|| peer.square(n, &a, &mut theirs)));
        }
    }
    let rate = |times: Vec<f64>| 2.0 * (n as f64).powi(3) / middle(times[1..].to_vec()) / 1e9; // the first one warms up
    let name = format!("{dtype:?}, {n}");
    let ours_rate = rate(times);
    if peer.is_none() {
        return println!("{name:32} | {ours_rate:9.1} |           |");
    }
    for (ours, theirs) in ours.iter().zip(&theirs) {
        let (ours, theirs): (f64, f64) = ((*ours).into(), (*theirs).into());
        assert!((ours - theirs).abs() < 1e-5 * n as f64, "{name}: {ours}, OpenBLAS has {theirs}");
    }
    let peer_rate = rate(peer_times);
    println!("{name:32} | {ours_rate:9.1} | {peer_rate:9.1} | {:9.2}", ours_rate / peer_rate);
}

// ---------------------------------------------------------------------------------------------------------------- the peer

/// OpenBLAS, where the machine has one.
#[derive(Clone, Copy)]
struct OpenBlas {
    sgemm: Gemm<f32>,
    dgemm: Gemm<f64>,
}

/// A gemm of Fortran's interface; `wide`: its integers have 64 bits.
#[derive(Clone, Copy)]
struct Gemm<T> {
    function: Fortran<T>,
    wide: bool,
}

type Fortran<T> = unsafe extern "C" fn(
    *const u8,
    *const u8,
    *const c_void,
    *const c_void,
    *const c_void,
    *const T,
    *const T,
    *const c_void,
    *const T,
    *const c_void,
    *const T,
    *mut T,
    *const c_void,
);

impl OpenBlas {
    fn load(threads: i32) -> Option<OpenBlas> {
        let named = env::var("GPUMEX_OPENBLAS").ok();
        let names =
            named.as_deref().map_or(vec!["libopenblas.so.0", "libopenblas64_.so.0"], |name| vec![name]);
        let library = names.into_iter().find_map(|name| {
            let name = CString::new(name).ok()?;
            // SAFETY: a C string; OpenBLAS starts its threads.
            let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW) };
            (!handle.is_null()).then_some(handle)
        })?;
        // What distributions, the builds with 64-bit integers, and the one in numpy and scipy call their functions.
        let spellings = [("", "", false), ("", "64_", true), ("scipy_", "64_", true), ("scipy_", "", false)];
        spellings.into_iter().find_map(|(before, after, wide)| {
            let find = |name: &str| {
                let symbol = CString::new(format!("{before}{name}{after}")).ok()?;
                // SAFETY: a live library, a C string.
                let address = unsafe { libc::dlsym(library, symbol.as_ptr()) };
                (!address.is_null()).then_some(address)
            };
            let (sgemm, dgemm) = (find("sgemm_")?, find("dgemm_")?);
            let set_threads = find("openblas_set_num_threads")?;
            // SAFETY: OpenBLAS's own declarations of these names.
            unsafe {
                std::mem::transmute::<*mut c_void, unsafe extern "C" fn(i32)>(set_threads)(threads);
                let sgemm = std::mem::transmute::<*mut c_void, Fortran<f32>>(sgemm);
                let dgemm = std::mem::transmute::<*mut c_void, Fortran<f64>>(dgemm);
                Some(OpenBlas {
                    sgemm: Gemm { function: sgemm, wide },
                    dgemm: Gemm { function: dgemm, wide },
                })
            }
        })
    }
}

impl<T: Copy + Into<f64>> Gemm<T> {
    /// c ← a·a; the same in either order of the elements.
    fn square(&self, n: usize, a: &[T], c: &mut [T]) {
        let (narrow, wide) = (n as i32, n as i64);
        let n: *const c_void = if self.wide { (&raw const wide).cast() } else { (&raw const narrow).cast() };
        let (one, zero) = (1.0f64, 0.0f64);
        let (one32, zero32) = (1.0f32, 0.0f32);
        let (one, zero): (*const T, *const T) = match size_of::<T>() {
            4 => ((&raw const one32).cast(), (&raw const zero32).cast()),
            _ => ((&raw const one).cast(), (&raw const zero).cast()),
        };
        let (a, c, no) = (a.as_ptr(), c.as_mut_ptr(), b"N");
        // SAFETY: n² elements each; T is the function's element type, f32 or f64.
        unsafe { (self.function)(no.as_ptr(), no.as_ptr(), n, n, n, one, a, n, a, n, zero, c, n) }
    }
}
