//! What the calls of a process share: contexts of several kinds, one that is always in use, and the callbacks.

use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

use crate::case::Behaviour;
use crate::disturbance;
use crate::header::Header;
use crate::library::Library;
use crate::ranks::MOST_RANKS;
use crate::supplier;

/// Contexts of `Environment::pool`: one and two threads, one that waits, one without cache, one that is watched, one
/// that is cancelled, one with an allocator of the caller, one whose allocator has no memory, and one whose kernels are tuned.
pub const POOL: usize = 9;
/// The last of these.
pub const TUNED: usize = 8;
/// The number of a gpumex_backend.
pub const CUDA: u64 = 2;

pub struct Environment {
    pub library: Library,
    pub backend: u64,
    pub pool: [u64; POOL],
    /// Those of ranks beside the first one, whose is the pool's.
    pub ranks: [u64; MOST_RANKS - 1],
    pub busy: u64,
    pub dead: u64,
    pub dead_event: u64,
    /// The kernels that can be tuned.
    pub kernels: Vec<String>,
}

/// What the callbacks of the current call do.
static BEHAVIOUR: AtomicU64 = AtomicU64::new(0);
static CONTEXT: AtomicU64 = AtomicU64::new(0);
static LIBRARY: AtomicPtr<Library> = AtomicPtr::new(std::ptr::null_mut());
static INSIDE: AtomicBool = AtomicBool::new(false);
/// What a call from a callback gave that it should not.
pub static REENTRY: AtomicU64 = AtomicU64::new(0);

impl Environment {
    pub fn new(library: Library, header: &Header, backend: u64) -> Result<Environment, String> {
        let options = header.structure("gpumex_context_options").ok_or("no gpumex_context_options")?;
        let options = &header.structs[options];
        let create = |settings: &[(&str, u64)]| {
            let mut bytes = vec![0u8; options.size];
            bytes[..8].copy_from_slice(&(options.size as u64).to_le_bytes());
            for (name, number) in settings.iter().chain(&[("backend", backend)]) {
                if let Some(field) = options.fields.iter().find(|field| field.name == *name) {
                    bytes[field.offset..field.offset + 4].copy_from_slice(&(*number as u32).to_le_bytes());
                }
            }
            match library.invoke("gpumex_context_create_with", &[bytes.as_ptr() as u64]) {
                0 => Err(format!("no context: {}", library.last_error())),
                context => Ok(context),
            }
        };
        let one = [("threads", 1)];
        let pool = [
            create(&one)?,
            create(&[("threads", 2)])?,
            create(&[("threads", 2), ("busy", 1)])?,
            create(&one)?,
            create(&one)?,
            create(&one)?,
            create(&one)?,
            create(&one)?,
            create(&one)?,
        ];
        let ranks = [create(&one)?, create(&one)?, create(&one)?];
        let (busy, dead) = (create(&[])?, create(&[])?);
        supplier::choose(backend == CUDA)?;
        library.invoke("gpumex_allocator_select", &[pool[3], 1]);
        library.invoke("gpumex_context_set_progress", &[pool[4], continues as *const () as u64, 0]);
        library.invoke("gpumex_context_set_progress", &[pool[5], stops as *const () as u64, 0]);
        let release = release as *const () as u64;
        library.invoke("gpumex_allocator_custom", &[pool[6], allocate as *const () as u64, release, 0]);
        library.invoke("gpumex_allocator_custom", &[pool[7], no_memory as *const () as u64, release, 0]);
        let mut dead_event = 0u64;
        library.invoke("gpumex_event_create", &[dead, (&raw mut dead_event) as u64]);
        library.invoke("gpumex_event_destroy", &[dead_event]);
        library.invoke("gpumex_context_destroy", &[dead]);
        let kernels = kernels(&library, pool[TUNED]);
        Ok(Environment { library, backend, pool, ranks, busy, dead, dead_event, kernels })
    }

    /// Keeps a thread inside the context `busy`, for good. The environment stays where it is from here on.
    pub fn enter(&'static self) {
        LIBRARY.store((&raw const self.library).cast_mut(), Ordering::SeqCst);
        std::thread::spawn(move || {
            let number = 7i32;
            let arguments = [self.busy, 7, (&raw const number) as u64, 1, c"%d".as_ptr() as u64, 1];
            let write = waits as *const () as u64;
            self.library.invoke("gpumex_print_to", &[&arguments[..], &[write, 0]].concat());
        });
        while !INSIDE.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        disturbance::start(&self.library);
        self.start_threads();
    }

    /// The contexts start their threads: libc and Rust's library end a process that has no memory for a new one.
    fn start_threads(&self) {
        let bytes = vec![1u8; 1 << 22];
        let mut counts = [0u64; 256];
        for context in self.pool.into_iter().chain(self.ranks) {
            let arguments = [context, 0, bytes.as_ptr() as u64, bytes.len() as u64];
            let result = counts.as_mut_ptr() as u64;
            self.library.invoke("gpumex_histogram", &[&arguments[..], &[result, 256]].concat());
        }
    }

    /// The context of the call that was prepared.
    pub fn context(&self) -> u64 {
        CONTEXT.load(Ordering::Relaxed)
    }

    /// Prepares the callbacks for a call, and returns the functions that it may be given.
    pub fn prepare(&self, context: u64) {
        CONTEXT.store(context, Ordering::Relaxed);
        REENTRY.store(0, Ordering::Relaxed);
    }

    /// The function for a callback type of the header.
    pub fn callback(&self, name: &str, behaviour: Behaviour) -> Option<u64> {
        BEHAVIOUR.store(behaviour as u64, Ordering::Relaxed);
        Some(match name {
            "gpumex_allocate_callback" if behaviour == Behaviour::Stop => no_memory as *const () as u64,
            "gpumex_allocate_callback" => allocate as *const () as u64,
            "gpumex_release_callback" => release as *const () as u64,
            "gpumex_log_callback" => log as *const () as u64,
            "gpumex_write_callback" => write as *const () as u64,
            "gpumex_progress_callback" => progress as *const () as u64,
            "gpumex_exchange_callback" => exchange as *const () as u64,
            "gpumex_allgather_callback" => allgather as *const () as u64,
            _ => return None,
        })
    }
}

/// The first words of the lines of gpumex_tuning_text; none on the CPU.
fn kernels(library: &Library, context: u64) -> Vec<String> {
    let text = library.invoke("gpumex_tuning_text", &[context]) as *const c_char;
    if text.is_null() {
        return Vec::new();
    }
    // SAFETY: a text of the library, which is copied at once.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// Calls the library from within a callback: the context is in use, another one is not.
fn reenter() -> i32 {
    let behaviour = BEHAVIOUR.load(Ordering::Relaxed);
    if behaviour == Behaviour::Reenter as u64
        && let Some(library) = library()
    {
        let context = CONTEXT.load(Ordering::Relaxed);
        let status = library.invoke("gpumex_context_synchronize", &[context]) as i32;
        if status != 7 {
            REENTRY.store(1 + status as u64, Ordering::Relaxed); // BUSY is expected
        }
    }
    i32::from(behaviour == Behaviour::Stop as u64)
}

extern "C" fn write(_user: *mut c_void, text: *const u8, length: usize) -> i32 {
    // SAFETY: the header says that length bytes are readable until the callback returns.
    let bytes = unsafe { std::slice::from_raw_parts(text, length) };
    std::hint::black_box(bytes.iter().fold(0u8, |sum, byte| sum ^ byte));
    reenter()
}

extern "C" fn progress(_user: *mut c_void, _done: u64, _total: u64) -> i32 {
    reenter()
}

extern "C" fn exchange(_user: *mut c_void, _messages: *const c_void, _count: usize) -> i32 {
    reenter()
}

/// Other ranks, of which none sends a byte.
extern "C" fn allgather(_user: *mut c_void, _send: *const c_void, _recv: *mut c_void, _bytes: usize) -> i32 {
    reenter()
}

extern "C" fn continues(_user: *mut c_void, _done: u64, _total: u64) -> i32 {
    0
}

extern "C" fn stops(_user: *mut c_void, _done: u64, _total: u64) -> i32 {
    1
}

extern "C" fn waits(_user: *mut c_void, _text: *const u8, _length: usize) -> i32 {
    INSIDE.store(true, Ordering::SeqCst);
    loop {
        std::thread::sleep(std::time::Duration::from_secs(3600));
    }
}

extern "C" fn log(_user: *mut c_void, _level: i32, _message: *const u8) {}

extern "C" fn allocate(
    _user: *mut c_void,
    bytes: usize,
    _stream: *mut c_void,
    memory: *mut *mut c_void,
) -> i32 {
    supplier::allocate(memory, bytes)
}

extern "C" fn no_memory(
    _user: *mut c_void,
    _bytes: usize,
    _stream: *mut c_void,
    _memory: *mut *mut c_void,
) -> i32 {
    1
}

extern "C" fn release(_user: *mut c_void, memory: *mut c_void, _bytes: usize, _stream: *mut c_void) {
    supplier::release(memory);
}

/// The library, in a callback.
fn library() -> Option<&'static Library> {
    // SAFETY: `enter` has stored the library, which lives as long as the process.
    unsafe { LIBRARY.load(Ordering::Relaxed).as_ref() }
}
