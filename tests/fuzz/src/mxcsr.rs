//! The floating-point environment of the caller: MATLAB and other hosts set rounding, flush to zero and denormals are zero.

const EXCEPTIONS_MASKED: u32 = 0x1f80;

/// Makes a call with the caller's rounding mode, flush to zero and denormals are zero; returns those after it.
#[cfg(target_arch = "x86_64")]
pub fn with_rounding<T>(rounding: u32, call: impl FnOnce() -> T) -> (T, u32) {
    let set = |word: u32| {
        // SAFETY: all exceptions are masked; Rust code in between calculates nothing.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack)) };
    };
    set(EXCEPTIONS_MASKED | rounding);
    let result = call();
    let mut after = 0u32;
    // SAFETY: writes the word.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut after, options(nostack)) };
    set(EXCEPTIONS_MASKED);
    (
        result,
        after & !0x3f & !EXCEPTIONS_MASKED
            | if after & EXCEPTIONS_MASKED == EXCEPTIONS_MASKED { 0 } else { 1 },
    )
}

#[cfg(not(target_arch = "x86_64"))]
pub fn with_rounding<T>(rounding: u32, call: impl FnOnce() -> T) -> (T, u32) {
    (call(), rounding)
}
