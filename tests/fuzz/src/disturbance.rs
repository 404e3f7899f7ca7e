//! A process that gets no more memory from the system: the address space is limited to what is mapped.

/// Stack that the header asks of a caller; later it could not grow.
const STACK: usize = 64 << 10;

/// Limits the address space; returns the limit before.
pub fn begin() -> libc::rlimit {
    let mut before = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    std::hint::black_box([1u8; STACK]);
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = statm.split(' ').next().and_then(|pages| pages.parse().ok()).unwrap_or(u64::MAX >> 12);
    // SAFETY: a limit of this process.
    unsafe {
        libc::getrlimit(libc::RLIMIT_AS, &raw mut before);
        libc::setrlimit(libc::RLIMIT_AS, &libc::rlimit { rlim_cur: pages << 12, rlim_max: before.rlim_max });
    }
    before
}

pub fn end(before: libc::rlimit) {
    // SAFETY: as above.
    unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const before) };
}
