//! The standard library with shuttle's locks, atomics, threads and thread-locals in the place of its own: a crate that names it
//! `std` is scheduled by shuttle, without a change in its sources. Under Miri, which schedules by itself and knows weak memory, it is
//! the standard library as it is.

pub use ::std::*;

#[cfg(not(miri))]
pub mod sync {
    pub use ::std::sync::*;
    pub use shuttle::sync::{Condvar, Mutex, MutexGuard};

    pub mod atomic {
        pub use shuttle::sync::atomic::*;
    }
}

#[cfg(not(miri))]
pub mod thread {
    pub use ::std::thread::*;
    pub use shuttle::thread::{JoinHandle, scope, spawn, yield_now};

    use ::std::cell::{Cell, RefCell};
    use ::std::num::NonZero;

    pub use shuttle::thread::AccessError;

    /// More than two ranks, which spin before they sleep; not more than three, which do not.
    pub fn available_parallelism() -> ::std::io::Result<NonZero<usize>> {
        Ok(const { NonZero::new(3).unwrap() })
    }

    /// shuttle's, with the functions of a Cell and a RefCell.
    pub struct LocalKey<T: 'static>(pub shuttle::thread::LocalKey<T>);

    impl<T: 'static> LocalKey<T> {
        pub fn try_with<R>(
            &'static self,
            use_it: impl FnOnce(&T) -> R,
        ) -> ::std::result::Result<R, AccessError> {
            self.0.try_with(use_it)
        }
    }

    impl<T: 'static> LocalKey<Cell<T>> {
        pub fn get(&'static self) -> T
        where
            T: Copy,
        {
            self.0.with(Cell::get)
        }

        pub fn set(&'static self, value: T) {
            self.0.with(|cell| cell.set(value));
        }

        pub fn replace(&'static self, value: T) -> T {
            self.0.with(|cell| cell.replace(value))
        }
    }

    impl<T: 'static> LocalKey<RefCell<T>> {
        pub fn replace(&'static self, value: T) -> T {
            self.0.with(|cell| cell.replace(value))
        }

        pub fn with_borrow_mut<R>(&'static self, use_it: impl FnOnce(&mut T) -> R) -> R {
            self.0.with(|cell| use_it(&mut cell.borrow_mut()))
        }
    }
}

#[cfg(not(miri))]
pub mod hint {
    pub use shuttle::hint::*;
}

/// A clock that advances by 20 µs per look: a loop that spins for a time ends, and a schedule can be replayed. shuttle's `wait_timeout`
/// never times out, so that a lost wake-up is a deadlock.
#[cfg(not(miri))]
pub mod time {
    pub use ::std::time::*;

    use ::std::sync::atomic::{AtomicU64, Ordering};

    static LOOKS: AtomicU64 = AtomicU64::new(0);

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        pub fn now() -> Instant {
            Instant(Duration::from_micros(20 * LOOKS.fetch_add(1, Ordering::Relaxed)))
        }

        pub fn elapsed(&self) -> Duration {
            Instant::now().0 - self.0
        }
    }
}

/// What is not scheduled: for what stands around a model.
pub mod real {
    pub use ::std::sync::{Mutex, PoisonError};
}

#[cfg(not(miri))]
#[doc(hidden)]
pub use shuttle;

/// As std's, for constants.
#[cfg(not(miri))]
#[macro_export]
macro_rules! thread_local {
    ($($(#[$attribute:meta])* $visibility:vis static $name:ident: $type:ty = const { $value:expr };)*) => {
        $($(#[$attribute])*
        $visibility static $name: $crate::thread::LocalKey<$type> = $crate::thread::LocalKey(
            $crate::shuttle::thread::LocalKey { init: || $value, _p: ::core::marker::PhantomData },
        );)*
    };
}
