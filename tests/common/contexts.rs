//! Contexts that end with the test, on every backend that is here, and what they tell of themselves.

use std::fmt::Debug;
use std::sync::{LazyLock, Mutex, MutexGuard};

use gpumex::ffi::*;
use gpumex::model::device_info::DeviceInfo;
use gpumex::model::numbered::NumberedEnum;
use gpumex::platform::settings::Backend;

use super::{explain, last_error, leave_out_unless, ok};

/// The number behind the last one of an enum of C.
pub fn first_unknown<E: NumberedEnum>() -> i32 {
    E::ALL.len() as i32
}

/// What C calls a `gpumex_context *`.
pub type Handle = *mut gpumex::context::Context;

/// A context that ends with the test.
pub struct Context {
    pub handle: Handle,
    pub backend: Backend,
}

impl Context {
    /// A context on `backend`, or the library's reason why not.
    pub fn open(backend: Backend) -> Result<Context, String> {
        let handle = gpumex_context_create(backend as i32, -1);
        if handle.is_null() { Err(last_error()) } else { Ok(Context { handle, backend }) }
    }

    pub fn cpu() -> Context {
        Context::open(Backend::Cpu).unwrap_or_else(|reason| panic!("no CPU context: {reason}"))
    }

    /// A context on CUDA where it works; None is a failure when GPUMEX_REQUIRE_GPU=1.
    #[track_caller]
    pub fn cuda() -> Option<Context> {
        let opened = Context::open(Backend::Cuda);
        if let Err(reason) = &opened {
            let reason = reason.trim_start_matches("gpumex_context_create: ");
            leave_out_unless("GPUMEX_REQUIRE_GPU", &format!("CUDA: {reason}"));
        }
        opened.ok()
    }

    /// The variants that this backend serves: SEQUENTIAL is the CPU's alone.
    pub fn variants<V: NumberedEnum + Debug>(&self) -> Vec<V> {
        let is_served = |variant: &&V| self.backend == Backend::Cpu || format!("{variant:?}") != "Sequential";
        V::ALL.iter().filter(is_served).copied().collect()
    }

    /// The variants that are not AUTO by another name: on the CPU that is SEQUENTIAL alone.
    pub fn distinct_variants<V: NumberedEnum + Debug>(&self) -> Vec<V> {
        let is_cuda = self.backend == Backend::Cuda;
        let is_distinct = |variant: &V| is_cuda || ["Auto", "Sequential"].contains(&&*format!("{variant:?}"));
        self.variants().into_iter().filter(is_distinct).collect()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let status = gpumex_context_destroy(self.handle);
        assert!(status == 0 || std::thread::panicking(), "gpumex_context_destroy: {}", explain(status));
    }
}

/// A context on every backend that is here; with GPUMEX_CUDA_ALONE, for tools that look at the device, on CUDA alone.
#[track_caller]
pub fn backends() -> Vec<Context> {
    let cuda = Context::cuda(); // not in a closure, which would hide the caller
    let cpu = std::env::var_os("GPUMEX_CUDA_ALONE").is_none().then(Context::cpu);
    [cpu, cuda].into_iter().flatten().collect()
}

/// `cuda` where CUDA is tested as well, else `cpu`: a device has other kernels for large arrays, and the CPU backend has shown all its
/// ways before.
pub fn size(cuda: usize, cpu: usize) -> usize {
    static IS_HERE: LazyLock<bool> = LazyLock::new(|| Context::open(Backend::Cuda).is_ok());
    if *IS_HERE { cuda } else { cpu }
}

/// Tests that ask for gigabytes of the device take turns.
pub fn much_memory_is_mine() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(|poison| poison.into_inner())
}

pub fn backend_of(ctx: Handle) -> Result<i32, i32> {
    let mut backend = -7;
    // SAFETY: an int32_t.
    let status = unsafe { gpumex_context_backend(ctx, &mut backend) };
    if status == 0 { Ok(backend) } else { Err(status) }
}

pub fn info_of(ctx: Handle) -> DeviceInfo {
    // SAFETY: numbers only; any bytes are a value.
    let mut info: DeviceInfo = unsafe { std::mem::zeroed() };
    info.size = size_of::<DeviceInfo>();
    // SAFETY: a struct with its size.
    ok(unsafe { gpumex_context_device_info(ctx, &mut info) }, "gpumex_context_device_info");
    info
}
