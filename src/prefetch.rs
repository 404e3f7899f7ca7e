//! Loads into caches of what is needed soon, where the processor's own prefetchers do not find it.

/// Steps of a loop from a prefetch to its use, where each step needs a line of another page.
pub const AHEAD: usize = 16;

/// Brings the lines that hold these elements, each smaller than a line, into L1.
#[inline(always)]
pub fn prefetch<T>(elements: &[T]) {
    #[cfg(target_arch = "x86_64")]
    prefetch_to(elements, |at| {
        // SAFETY: SSE is part of x86-64, and a prefetch changes nothing that a program can see.
        unsafe { std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(at) }
    });
    #[cfg(target_arch = "aarch64")]
    prefetch_to(elements, |at| {
        // SAFETY: a prefetch changes nothing that a program can see.
        unsafe {
            std::arch::asm!("prfm pldl1keep, [{at}]", at = in(reg) at, options(nostack, preserves_flags, readonly))
        }
    });
}

/// The same into L2.
#[inline(always)]
pub fn prefetch_to_l2<T>(elements: &[T]) {
    #[cfg(target_arch = "x86_64")]
    prefetch_to(elements, |at| {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T1 }>(at) }
    });
    #[cfg(target_arch = "aarch64")]
    prefetch_to(elements, |at| {
        // SAFETY: as above.
        unsafe {
            std::arch::asm!("prfm pldl2keep, [{at}]", at = in(reg) at, options(nostack, preserves_flags, readonly))
        }
    });
}

#[inline(always)]
fn prefetch_to<T>(elements: &[T], load: impl Fn(*const i8)) {
    const LINE: usize = 64;
    let mut first = 0;
    while first < elements.len() {
        load((&raw const elements[first]).cast());
        first += LINE / size_of::<T>();
    }
    if let [_, .., last] = elements {
        load((&raw const *last).cast());
    }
}
