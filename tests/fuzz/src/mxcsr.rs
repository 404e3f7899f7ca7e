//! The floating-point environment of the caller: MATLAB and other hosts set rounding, flush to zero and denormals are zero, some trap.

/// What a thread begins with: all exceptions are masked.
const DEFAULT: u32 = 0x1f80;
/// The bits that say which exceptions have happened: a call may leave them as it likes.
#[cfg(target_arch = "x86_64")]
const HAPPENED: u32 = 0x3f;

const FLUSH_TO_ZERO: u32 = 1 << 15;
const DENORMALS_ARE_ZERO: u32 = 1 << 6;
/// Six bits, one for each exception: invalid operation, denormal operand, division by zero, overflow, underflow, inexact.
const TRAPS: u32 = 0x3f << 7;

/// What a caller may have changed of DEFAULT, as bits that differ: a rounding mode and others, out of random ones.
pub fn change(bits: u32) -> u32 {
    let rounding = (bits & 3) << 13;
    let [flush, denormals, traps] = [(4, FLUSH_TO_ZERO), (8, DENORMALS_ARE_ZERO), (16, TRAPS)]
        .map(|(bit, flags)| if bits & bit == 0 { 0 } else { flags });
    let some_traps = if bits & 32 == 0 { TRAPS } else { bits };
    rounding | flush | denormals | traps & some_traps
}

/// The text of an expression in C for the whole word.
pub fn in_c(changed: u32) -> String {
    format!("{DEFAULT:#x} ^ {changed:#x}")
}

/// Makes a call where the caller's MXCSR differs by these bits; returns those that differ after it.
#[cfg(target_arch = "x86_64")]
pub fn with_mxcsr<T>(changed: u32, call: impl FnOnce() -> T) -> (T, u32) {
    let set = |word: u32| {
        // SAFETY: Rust code in between calculates nothing, so that no exception is trapped and no result differs.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack)) };
    };
    set(DEFAULT ^ changed);
    let result = call();
    let mut after = 0u32;
    // SAFETY: writes the word.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut after, options(nostack)) };
    set(DEFAULT);
    (result, (after & !HAPPENED) ^ DEFAULT)
}

#[cfg(not(target_arch = "x86_64"))]
pub fn with_mxcsr<T>(changed: u32, call: impl FnOnce() -> T) -> (T, u32) {
    (call(), changed)
}
