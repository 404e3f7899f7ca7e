//! The instruction sets that a board can be stepped with.
#![forbid(unsafe_code)]

use super::lanes::{Lanes, Portable};
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512};

/// What is done with the vectors of an instruction set.
pub trait Task {
    type Output;
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// An instruction set of this machine.
#[derive(Clone, Copy)]
pub enum Level {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Level {
    /// The best one.
    pub fn best() -> Level {
        Level::all().next().unwrap_or(Level::Portable(Portable))
    }

    /// All of them, the best one first.
    #[cfg(target_arch = "x86_64")]
    pub fn all() -> impl Iterator<Item = Level> {
        let [fast, avx512] = Avx512::both();
        let all = [
            fast.map(Level::Avx512),
            avx512.map(Level::Avx512),
            Avx2::new().map(Level::Avx2),
            Some(Level::Portable(Portable)),
        ];
        all.into_iter().flatten()
    }

    #[cfg(not(target_arch = "x86_64"))]
    pub fn all() -> impl Iterator<Item = Level> {
        [Level::Portable(Portable)].into_iter()
    }

    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            Level::Portable(lanes) => task.run(lanes),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(lanes) => task.run(lanes),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(lanes) => task.run(lanes),
        }
    }
}
