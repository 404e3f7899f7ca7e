//! Fork: the child has a copy of all memory and none of the other threads, so that a lock which one of them held
//! is never given back.
//!
//! | what | in the child |
//! |---|---|
//! | a lock held for a moment: [`ShortLock`] | fork waits for it and takes it over: free, and its data is whole |
//! | a lock held for long, while CUDA starts or a callback runs: [`PerProcess`] | a new one; fork does not wait |
//! | what is set up once, by [`without_fork`] | all of it or nothing |
//! | what cannot be had twice: CUDA, a thread pool | told apart by its [`generation`] |

use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};

/// Locks; what a caught panic left behind is still whole everywhere in this crate, so that a poisoned lock is as
/// good as any.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poison| poison.into_inner())
}

static GENERATION: AtomicU32 = AtomicU32::new(0); // 0: the handlers are not registered yet

/// Which process of a line of forks this is: 1 where the library was first used, one more in each child.
#[inline]
pub fn generation() -> u32 {
    match GENERATION.load(Ordering::Relaxed) {
        0 => register(),
        generation => generation,
    }
}

/// Two threads may come here at once, and a fork between them: handlers that run twice do their work once, see
/// IS_HOLDING.
#[cold]
fn register() -> u32 {
    // SAFETY: three functions that stay, since the library is never unloaded.
    let atfork = || unsafe { libc::pthread_atfork(Some(hold_all), Some(release_all), Some(begin_child)) };
    if !cfg!(miri) && atfork() != 0 {
        return 1; // no memory: the next call tries again
    }
    GENERATION.compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed).map_or_else(|now| now, |_| 1)
}

thread_local! {
    static IS_HOLDING: Cell<bool> = const { Cell::new(false) };
}

extern "C" fn hold_all() {
    if !IS_HOLDING.replace(true) {
        let locks = lock(&LOCKS.mutex);
        locks.iter().flatten().for_each(|one| one.hold());
        LOCKS.keep(locks);
    }
}

extern "C" fn release_all() {
    if IS_HOLDING.replace(false) {
        let locks = LOCKS.kept();
        locks.iter().flat_map(|locks| locks.iter()).flatten().for_each(|one| one.release());
    }
}

extern "C" fn begin_child() {
    if IS_HOLDING.get() {
        GENERATION.fetch_add(1, Ordering::Relaxed);
    }
    release_all();
}

/// Every short lock, by name; each has one lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    #[cfg(test)]
    Test,
    Communicators,
    Contexts,
    Events,
    Heaps,
    LateBlocks,
    AllocationRegistry,
    Loader,
    LogSink,
    Pool,
    Settings,
}

const NAMES: usize = Name::Settings as usize + 1;

/// The short locks that were used so far. Its own lock is the first that fork takes: none comes to it meanwhile.
static LOCKS: ShortLock<[Option<&'static dyn Held>; NAMES]> = ShortLock::new(Name::Settings, [None; NAMES]);

/// Runs `body` while no thread can fork. It takes no other lock of this module.
pub fn without_fork<T>(body: impl FnOnce() -> T) -> T {
    generation(); // registers the handlers
    let _locks = lock(&LOCKS.mutex);
    body()
}

trait Held: Sync {
    fn hold(&'static self);
    fn release(&'static self);
}

/// A global lock that is held for a moment: under it no other lock of this module is taken, and no callback and no
/// driver is called. A fork waits for it and holds it itself, so that parent and child both find it free and its
/// data whole.
pub struct ShortLock<T: 'static> {
    name: Name,
    is_known: AtomicBool, // to LOCKS
    mutex: Mutex<T>,
    kept: UnsafeCell<Option<MutexGuard<'static, T>>>, // of the thread that forks
}

// SAFETY: `kept` is touched only by the thread that holds the mutex, and is empty before that thread gives it
// back.
unsafe impl<T: Send> Sync for ShortLock<T> {}

impl<T: Send> ShortLock<T> {
    pub const fn new(name: Name, value: T) -> ShortLock<T> {
        ShortLock {
            name,
            is_known: AtomicBool::new(false),
            mutex: Mutex::new(value),
            kept: UnsafeCell::new(None),
        }
    }

    pub fn lock(&'static self) -> MutexGuard<'static, T> {
        if !self.is_known.load(Ordering::Acquire) {
            self.introduce();
        }
        lock(&self.mutex)
    }

    #[cold]
    fn introduce(&'static self) {
        generation(); // as in `without_fork`
        let mut locks = lock(&LOCKS.mutex);
        let place = &mut locks[self.name as usize];
        assert!(place.is_none() || self.is_known.load(Ordering::Relaxed), "{:?} has two locks", self.name);
        *place = Some(self);
        self.is_known.store(true, Ordering::Release);
    }

    fn keep(&'static self, guard: MutexGuard<'static, T>) {
        // SAFETY: the guard says that this thread holds the mutex.
        unsafe { *self.kept.get() = Some(guard) };
    }

    /// The guard that this thread kept before it forked.
    fn kept(&'static self) -> Option<MutexGuard<'static, T>> {
        // SAFETY: called by the thread that forked, which holds the mutex until it drops the result.
        unsafe { (*self.kept.get()).take() }
    }
}

impl<T: Send> Held for ShortLock<T> {
    fn hold(&'static self) {
        self.keep(lock(&self.mutex));
    }

    fn release(&'static self) {
        drop(self.kept());
    }
}

/// A global that each process has for itself: a child of fork finds a new one, whatever became of its parent's.
pub struct PerProcess<T: 'static> {
    make: fn() -> T,
    current: AtomicPtr<Made<T>>,
}

struct Made<T> {
    generation: u32,
    value: T,
}

impl<T: Send + Sync> PerProcess<T> {
    pub const fn new(make: fn() -> T) -> PerProcess<T> {
        PerProcess { make, current: AtomicPtr::new(std::ptr::null_mut()) }
    }

    #[inline]
    pub fn get(&self) -> &'static T {
        let current = self.current.load(Ordering::Acquire);
        // SAFETY: null, or what `renew` has put there and nobody takes back.
        match unsafe { current.as_ref() } {
            Some(made) if made.generation == generation() => &made.value,
            _ => self.renew(current),
        }
    }

    /// The parent's stays where it is: the thread that forked may be in the middle of it.
    #[cold]
    fn renew(&self, old: *mut Made<T>) -> &'static T {
        let new = Box::into_raw(Box::new(Made { generation: generation(), value: (self.make)() }));
        let swapped = self.current.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire);
        if swapped.is_err() {
            // SAFETY: made above and seen by nobody.
            drop(unsafe { Box::from_raw(new) });
        }
        // SAFETY: ours, or that of the thread of this process that was first; never taken back.
        unsafe { &(*swapped.err().unwrap_or(new)).value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exit status of a child that runs `body`; 14 when it hangs.
    fn in_child(body: impl FnOnce() -> bool) -> i32 {
        // SAFETY: the child runs `body` and leaves.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: ends the child, at the latest when it hangs.
            unsafe {
                libc::alarm(20);
                libc::_exit(i32::from(!body()));
            }
        }
        let mut status = -1;
        // SAFETY: our child, an int.
        assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
        status
    }

    #[test]
    fn a_generation_lasts_until_fork() {
        let before = generation();
        assert_eq!(
            in_child(|| generation() == before + 1 && in_child(|| generation() == before + 2) == 0),
            0
        );
        assert_eq!(generation(), before);
    }

    #[test]
    fn a_short_lock_is_free_in_the_child_and_its_data_is_whole() {
        static PAIR: ShortLock<(u64, u64)> = ShortLock::new(Name::Test, (0, 0));
        static IS_OVER: AtomicBool = AtomicBool::new(false);
        let writer = std::thread::spawn(|| {
            while !IS_OVER.load(Ordering::Relaxed) {
                let mut pair = PAIR.lock();
                pair.0 += 1;
                std::hint::black_box(&mut *pair);
                pair.1 += 1;
            }
        });
        let is_whole = || {
            let pair = PAIR.lock();
            pair.0 == pair.1
        };
        let statuses: Vec<i32> = (0..50).map(|_| in_child(is_whole)).collect();
        IS_OVER.store(true, Ordering::Relaxed);
        writer.join().unwrap();
        assert!(statuses.iter().all(|status| *status == 0) && is_whole(), "{statuses:?}");
    }

    #[test]
    fn what_is_per_process_is_new_in_the_child_though_it_was_locked() {
        static TURN: PerProcess<Mutex<u32>> = PerProcess::new(|| Mutex::new(7));
        let mut number = lock(TURN.get());
        *number = 8;
        assert_eq!(in_child(|| *lock(TURN.get()) == 7), 0);
        assert_eq!(*number, 8);
        drop(number);
        assert_eq!(*lock(TURN.get()), 8);
    }
}
