//! Loads into caches of what is needed soon, where the processor's own prefetchers do not find it.

/// Steps of a loop from a prefetch to its use, where each step needs a line of another page.
pub const AHEAD: usize = 16;

/// Brings the lines that hold these elements, each smaller than a line, into L1.
#[inline(always)]
pub fn prefetch<T>(elements: &[T]) {
    load_lines::<T, 1>(elements);
}

/// The same into L2.
#[inline(always)]
pub fn prefetch_to_l2<T>(elements: &[T]) {
    load_lines::<T, 2>(elements);
}

#[inline(always)]
fn load_lines<T, const LEVEL: u8>(elements: &[T]) {
    const LINE: usize = 64;
    let mut first = 0;
    while first < elements.len() {
        load::<LEVEL>((&raw const elements[first]).cast());
        first += LINE / size_of::<T>();
    }
    if let [_, .., last] = elements {
        load::<LEVEL>((&raw const *last).cast());
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn load<const LEVEL: u8>(at: *const i8) {
    use std::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
    // SAFETY: SSE is part of x86-64, and a prefetch changes nothing that a program can see.
    unsafe {
        match LEVEL {
            1 => _mm_prefetch::<_MM_HINT_T0>(at),
            _ => _mm_prefetch::<_MM_HINT_T1>(at),
        }
    }
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn load<const LEVEL: u8>(at: *const i8) {
    // SAFETY: a prefetch changes nothing that a program can see.
    unsafe {
        std::arch::asm!(
            "prfm pldl{level}keep, [{at}]",
            level = const LEVEL,
            at = in(reg) at,
            options(nostack, preserves_flags, readonly)
        );
    }
}
