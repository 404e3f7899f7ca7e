//! How the calling thread calculates with floating-point numbers.

/// Round to nearest, subnormal numbers kept, no floating-point traps, for as long as this lives; then the caller's mode again, and the
/// exceptions that were raised before. A program built with -ffast-math, say, flushes subnormals to zero on its threads, and images
/// would differ by it.
pub struct IeeeRounding {
    callers: control::Word,
}

impl IeeeRounding {
    pub fn set() -> IeeeRounding {
        let callers = control::read();
        if control::mode_of(callers) != control::DEFAULT {
            control::write(control::DEFAULT);
        }
        IeeeRounding { callers }
    }
}

impl Drop for IeeeRounding {
    fn drop(&mut self) {
        control::write(self.callers);
    }
}

/// MXCSR: the mode, and the exceptions raised so far.
#[cfg(target_arch = "x86_64")]
mod control {
    use std::arch::asm;

    pub type Word = u32;

    /// After reset: all traps masked, nearest, no FTZ, no DAZ.
    pub const DEFAULT: Word = 0x1f80;
    const RAISED: Word = 0x3f;

    pub fn mode_of(word: Word) -> Word {
        word & !RAISED
    }

    pub fn read() -> Word {
        let mut word = 0;
        // SAFETY: writes the word alone.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack)) };
        word
    }

    pub fn write(word: Word) {
        // SAFETY: a valid value for this thread's MXCSR.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack)) };
    }
}

/// FPCR, the mode, and FPSR, the exceptions raised so far.
#[cfg(target_arch = "aarch64")]
mod control {
    use std::arch::asm;

    pub type Word = (u64, u64);

    /// After reset: no traps, nearest, no flushing.
    pub const DEFAULT: Word = (0, 0);

    pub fn mode_of((mode, _): Word) -> Word {
        (mode, 0)
    }

    pub fn read() -> Word {
        let (mode, raised);
        // SAFETY: registers of this thread.
        unsafe {
            asm!("mrs {}, fpcr", "mrs {}, fpsr", out(reg) mode, out(reg) raised, options(nomem, nostack))
        };
        (mode, raised)
    }

    pub fn write((mode, raised): Word) {
        // SAFETY: valid values for registers of this thread.
        unsafe { asm!("msr fpcr, {}", "msr fpsr, {}", in(reg) mode, in(reg) raised, options(nostack)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("how a thread rounds has to be known: gpumex runs on x86-64 and aarch64");

#[cfg(test)]
mod tests {
    use super::{IeeeRounding, control};
    use std::hint::black_box;

    #[cfg(target_arch = "x86_64")]
    const FLUSHES: control::Word = 0x9fc0; // the default with FTZ and DAZ
    #[cfg(target_arch = "aarch64")]
    const FLUSHES: control::Word = (1 << 24, 0); // FZ

    #[test]
    fn subnormals_survive_a_caller_that_flushes_them_and_the_caller_flushes_on() {
        let half = || black_box(f32::MIN_POSITIVE) * black_box(0.5);
        let before = control::read();
        control::write(FLUSHES);
        assert_eq!(half(), 0.0);
        {
            let _rounding = IeeeRounding::set();
            assert!(half() > 0.0);
        }
        assert_eq!(half(), 0.0);
        control::write(before);
    }

    #[test]
    fn exceptions_are_those_raised_before() {
        let before = control::read();
        {
            let _rounding = IeeeRounding::set();
            assert!((black_box(1.0f32) / black_box(3.0)).is_normal()); // inexact
        }
        assert_eq!(control::read(), before);
    }
}
