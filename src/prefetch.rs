//! Loads into caches of what is needed soon, where the processor's own prefetchers do not find it.

/// Steps of a loop from a prefetch to its use, where each step needs a line of another page.
pub const AHEAD: usize = 16;

/// Brings the lines that hold these elements, each smaller than a line, into L1.
#[inline(always)]
pub fn prefetch<T>(elements: &[T]) {
    #[cfg(target_arch = "x86_64")]
    prefetch_to::<T, { std::arch::x86_64::_MM_HINT_T0 }>(elements);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = elements; // Rust has no such instruction
}

/// The same into L2.
#[inline(always)]
pub fn prefetch_to_l2<T>(elements: &[T]) {
    #[cfg(target_arch = "x86_64")]
    prefetch_to::<T, { std::arch::x86_64::_MM_HINT_T1 }>(elements);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = elements;
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn prefetch_to<T, const HINT: i32>(elements: &[T]) {
    const LINE: usize = 64;
    // SAFETY: SSE is part of x86-64, and a prefetch changes nothing that a program can see.
    let load = |element: &T| unsafe { std::arch::x86_64::_mm_prefetch::<HINT>((&raw const *element).cast()) };
    let mut first = 0;
    while first < elements.len() {
        load(&elements[first]);
        first += LINE / size_of::<T>();
    }
    if let Some(last) = elements.last() {
        load(last);
    }
}
