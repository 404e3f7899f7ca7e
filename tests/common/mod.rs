//! What the operation tests share: the backends that are here, calls that must succeed, outputs that are poison between two
//! guards before the call, random numbers from a seed, and failures that name index, got and want.
//!
//! Everything goes through the C functions, as a C program would. The test programs are also run on machines with a GPU and
//! without Rust: they read no file of the source tree. GPUMEX_REQUIRE_GPU=1 turns "no CUDA here" from a skip into a failure.
#![allow(dead_code)] // each test program uses a part

pub mod cuda;

use std::ffi::CStr;
use std::fmt::{Debug, Display};

use gpumex::choice::Choice;
use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::ops::histogram::HistogramVariant;
use gpumex::ops::life::LifeVariant;
use gpumex::ops::matmul::{MatmulDtype, MatmulOrder, MatmulVariant};
use gpumex::ops::raytrace::RaytraceVariant;
use gpumex::settings::Backend;
use rand::SeedableRng;
pub use rand::{Rng, RngExt};
use rand_pcg::Pcg64;

// ---------------------------------------------------------------------------------------------------------- contexts

/// What C calls a `gpumex_context *`.
pub type Token = *mut gpumex::context::Context;

/// A context that ends with the test.
pub struct Context {
    pub token: Token,
    pub backend: Backend,
}

impl Context {
    /// A context on `backend`, or the library's reason why not.
    pub fn open(backend: Backend) -> Result<Context, String> {
        let token = gpumex_context_create(backend as i32, -1);
        if token.is_null() { Err(last_error()) } else { Ok(Context { token, backend }) }
    }

    pub fn cpu() -> Context {
        Context::open(Backend::Cpu).unwrap_or_else(|reason| panic!("no CPU context: {reason}"))
    }

    /// A context on CUDA where it works; None is a failure when GPUMEX_REQUIRE_GPU=1.
    pub fn cuda() -> Option<Context> {
        let opened = Context::open(Backend::Cuda);
        if let Err(reason) = &opened {
            assert!(!gpu_is_required(), "GPUMEX_REQUIRE_GPU is set, and there is no CUDA context: {reason}");
            eprintln!("CUDA is left out: {reason}");
        }
        opened.ok()
    }

    /// The variants that this backend serves: SEQUENTIAL is the CPU's alone.
    pub fn variants<V: Choice + Debug>(&self) -> Vec<V> {
        let is_served = |variant: &&V| self.backend == Backend::Cpu || format!("{variant:?}") != "Sequential";
        V::ALL.iter().filter(is_served).copied().collect()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let status = gpumex_context_destroy(self.token);
        assert!(status == 0 || std::thread::panicking(), "gpumex_context_destroy: {}", explain(status));
    }
}

/// A context on every backend that is here.
pub fn backends() -> Vec<Context> {
    [Some(Context::cpu()), Context::cuda()].into_iter().flatten().collect()
}

pub fn gpu_is_required() -> bool {
    std::env::var("GPUMEX_REQUIRE_GPU").is_ok_and(|value| !value.is_empty() && value != "0")
}

// ----------------------------------------------------------------------------------------------------------- failures

pub fn last_error() -> String {
    // SAFETY: a NUL-terminated text that lives until the next failure on this thread.
    unsafe { CStr::from_ptr(gpumex_last_error()) }.to_string_lossy().into_owned()
}

pub fn status_text(status: i32) -> String {
    // SAFETY: static text.
    unsafe { CStr::from_ptr(gpumex_status_string(status)) }.to_string_lossy().into_owned()
}

/// A status with its meaning and, when it is one of a failure, the sentence.
pub fn explain(status: i32) -> String {
    match status {
        0 => "status 0 (success)".to_string(),
        _ => format!("status {status} ({}), \"{}\"", status_text(status), last_error()),
    }
}

/// The call was a success.
#[track_caller]
pub fn ok(status: i32, what: impl Display) {
    assert!(status == 0, "{what}: {}", explain(status));
}

/// The call failed with this status, and its sentence contains all of these words.
#[track_caller]
pub fn refused(status: i32, want: Status, words: &[&str], what: impl Display) {
    assert!(status == want as i32, "{what}: want status {} ({want:?}), got {}", want as i32, explain(status));
    says(words, what);
}

/// The sentence of the last failure contains all of these words.
#[track_caller]
pub fn says(words: &[&str], what: impl Display) {
    let sentence = last_error();
    for word in words {
        assert!(
            sentence.contains(word),
            "{what}: the sentence has to contain \"{word}\", and is \"{sentence}\""
        );
    }
}

/// Two arrays are equal; else names the first difference.
#[track_caller]
pub fn assert_same<T: PartialEq + Debug>(got: &[T], want: &[T], what: impl Display) {
    assert!(got.len() == want.len(), "{what}: got {} elements, want {}", got.len(), want.len());
    if got == want {
        return;
    }
    let is_different = |i: &usize| got[*i] != want[*i];
    let first = (0..got.len()).find(is_different).expect("unequal arrays differ somewhere");
    let differing = (0..got.len()).filter(is_different).count();
    let (got, want, len) = (&got[first], &want[first], got.len());
    panic!("{what}: index {first}: got {got:?}, want {want:?} ({differing} of {len} elements differ)");
}

// -------------------------------------------------------------------------------------------------------------- arrays

/// A number of an array, with a value that no operation writes by accident.
pub trait Number: Copy + PartialEq + Debug {
    const POISON: Self;
    fn bits(self) -> u64;
}

impl Number for u8 {
    const POISON: u8 = 0xA5;
    fn bits(self) -> u64 {
        self.into()
    }
}

impl Number for u64 {
    const POISON: u64 = 0xA5A5_A5A5_A5A5_A5A5;
    fn bits(self) -> u64 {
        self
    }
}

impl Number for f32 {
    const POISON: f32 = f32::from_bits(0x7FE5_A5A5); // a quiet NaN, so that adding to it shows
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Number for f64 {
    const POISON: f64 = f64::from_bits(0x7FFD_A5A5_A5A5_A5A5);
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// An output: poison, between two guards that nobody may write to.
pub struct Output<T>(Vec<T>);

const GUARD: usize = 64;

impl<T: Number> Output<T> {
    pub fn new(len: usize) -> Output<T> {
        Output(vec![T::POISON; GUARD + len + GUARD])
    }

    /// An array that is input and output at once.
    pub fn holding(values: &[T]) -> Output<T> {
        let mut output = Output::new(values.len());
        output.0[GUARD..GUARD + values.len()].copy_from_slice(values);
        output
    }

    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.0[GUARD..].as_mut_ptr()
    }

    /// What the call wrote; the guards have to be intact.
    #[track_caller]
    pub fn written(self, what: impl Display) -> Vec<T> {
        let Output(mut memory) = self;
        let end = memory.len() - GUARD;
        let (before, behind) = (&memory[..GUARD], &memory[end..]);
        let is_intact = |guard: &[T]| guard.iter().all(|value| value.bits() == T::POISON.bits());
        assert!(is_intact(before), "{what}: wrote before the output: {before:?}");
        assert!(is_intact(behind), "{what}: wrote behind the output: {behind:?}");
        memory.truncate(end);
        memory.drain(..GUARD);
        memory
    }
}

/// Random numbers that are the same everywhere.
pub fn random(seed: u64) -> Pcg64 {
    Pcg64::seed_from_u64(seed)
}

/// Bytes of any value.
pub fn random_bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    random(seed).fill_bytes(&mut bytes);
    bytes
}

/// A board with about a third of its cells alive, each a byte from 1 to 255.
pub fn random_board(seed: u64, cells: usize) -> Vec<u8> {
    let alive = |byte: u8| if byte < 85 { byte * 3 + 1 } else { 0 };
    random_bytes(seed, cells).into_iter().map(alive).collect()
}

/// Numbers from -1 to 1.
pub fn random_f32(seed: u64, len: usize) -> Vec<f32> {
    let mut random = random(seed);
    (0..len).map(|_| random.random_range(-1.0..1.0)).collect()
}

/// Spheres that a picture of this size shows, many behind one another.
pub fn random_spheres(seed: u64, count: usize, width: usize, height: usize) -> Vec<f32> {
    let mut random = random(seed);
    let (w, h) = (width as f32, height as f32);
    let largest = (w + h) / 8.0 + 1.0;
    let mut sphere = || {
        let mut between = |from: f32, to: f32| random.random_range(from..to);
        let colour = [between(0.0, 1.0), between(0.0, 1.0), between(0.0, 1.0)];
        let [r, g, b] = colour;
        [r, g, b, between(0.1, largest), between(-0.6, 0.6) * w, between(-0.6, 0.6) * h, between(-50.0, 50.0)]
    };
    (0..count).flat_map(|_| sphere()).collect()
}

// --------------------------------------------------------------------------------------------- calls that must succeed

/// The board after some generations; it is itself left as it was.
#[track_caller]
pub fn life(
    ctx: &Context,
    variant: LifeVariant,
    board: &[u8],
    rows: usize,
    cols: usize,
    generations: u64,
) -> Vec<u8> {
    let what =
        format!("gpumex_life on {:?}, {variant:?}, {rows} x {cols}, {generations} generations", ctx.backend);
    let options = LifeOptions { variant: variant as i32, ..LifeOptions::default() };
    let mut next = Output::<u8>::new(board.len());
    let (from, to) = (board.as_ptr().cast(), next.as_mut_ptr().cast());
    // SAFETY: both hold rows*cols bytes.
    ok(unsafe { gpumex_life(ctx.token, &options, from, rows, cols, generations, to) }, &what);
    next.written(&what)
}

/// As `life`, with `next` == `board`.
#[track_caller]
pub fn life_in_place(
    ctx: &Context,
    variant: LifeVariant,
    board: &[u8],
    rows: usize,
    cols: usize,
    generations: u64,
) -> Vec<u8> {
    let what = format!(
        "gpumex_life in place on {:?}, {variant:?}, {rows} x {cols}, {generations} generations",
        ctx.backend
    );
    let options = LifeOptions { variant: variant as i32, ..LifeOptions::default() };
    let mut both = Output::<u8>::holding(board);
    let cells = both.as_mut_ptr().cast();
    // SAFETY: rows*cols bytes, allowed to be the same.
    ok(unsafe { gpumex_life(ctx.token, &options, cells, rows, cols, generations, cells) }, &what);
    both.written(&what)
}

/// A type of matrices.
pub trait Real: Number {
    const DTYPE: MatmulDtype;
    const UNIT_ROUNDOFF: f64;
    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;
}

impl Real for f32 {
    const DTYPE: MatmulDtype = MatmulDtype::F32;
    const UNIT_ROUNDOFF: f64 = f32::EPSILON as f64 / 2.0;
    fn from_f64(value: f64) -> f32 {
        value as f32
    }
    fn to_f64(self) -> f64 {
        self.into()
    }
}

impl Real for f64 {
    const DTYPE: MatmulDtype = MatmulDtype::F64;
    const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;
    fn from_f64(value: f64) -> f64 {
        value
    }
    fn to_f64(self) -> f64 {
        self
    }
}

/// The product of A (m, k) and B (k, n).
#[track_caller]
pub fn matmul<T: Real>(
    ctx: &Context,
    variant: MatmulVariant,
    order: MatmulOrder,
    [m, n, k]: [usize; 3],
    a: &[T],
    b: &[T],
) -> Vec<T> {
    assert!(a.len() == m * k && b.len() == k * n, "A or B is not as long as the test wants it");
    let dtype = T::DTYPE;
    let what =
        format!("gpumex_matmul on {:?}, {variant:?}, {dtype:?}, {order:?}, m {m} n {n} k {k}", ctx.backend);
    let options = MatmulOptions {
        variant: variant as i32,
        dtype: dtype as i32,
        order: order as i32,
        ..MatmulOptions::default()
    };
    let mut c = Output::<T>::new(m * n);
    let (a, b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), c.as_mut_ptr().cast());
    // SAFETY: a holds m*k, b k*n and c m*n elements of the dtype.
    ok(unsafe { gpumex_matmul(ctx.token, &options, m, n, k, a, b, to) }, &what);
    c.written(&what)
}

/// How often each byte value occurs.
#[track_caller]
pub fn histogram(ctx: &Context, variant: HistogramVariant, data: &[u8]) -> Vec<u64> {
    let what = format!("gpumex_histogram on {:?}, {variant:?}, {} bytes", ctx.backend, data.len());
    let options = HistogramOptions { variant: variant as i32, ..HistogramOptions::default() };
    let mut counts = Output::<u64>::new(256);
    let (from, to) = (data.as_ptr().cast(), counts.as_mut_ptr().cast());
    // SAFETY: data is a slice, counts holds 256 counters.
    ok(unsafe { gpumex_histogram(ctx.token, &options, from, data.len(), to, 256) }, &what);
    counts.written(&what)
}

/// The picture of spheres of 7 numbers.
#[track_caller]
pub fn raytrace(
    ctx: &Context,
    variant: RaytraceVariant,
    spheres: &[f32],
    width: usize,
    height: usize,
) -> Vec<u8> {
    let count = spheres.len() / 7;
    let what =
        format!("gpumex_raytrace on {:?}, {variant:?}, {count} spheres, {width} x {height}", ctx.backend);
    let options = RaytraceOptions { variant: variant as i32, ..RaytraceOptions::default() };
    let mut image = Output::<u8>::new(height * width * 4);
    let (from, to) = (spheres.as_ptr(), image.as_mut_ptr());
    // SAFETY: count spheres of 7 numbers, height*width*4 bytes.
    ok(unsafe { gpumex_raytrace(ctx.token, &options, from, count, width, height, to) }, &what);
    image.written(&what)
}
