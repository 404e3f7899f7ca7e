//! A stack as small as the header lets that of a calling thread be, with a protected page below it.

use std::ptr::null_mut;

const PAGE: usize = 4096;

pub struct Stack {
    top: usize, // 0: that of the thread
}

impl Stack {
    /// Its memory is there from the beginning: a process that gets no more memory needs none for it. Of 0 bytes: that of the thread.
    pub fn new(bytes: usize) -> Result<Stack, String> {
        if bytes == 0 {
            return Ok(Stack { top: 0 });
        }
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_POPULATE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping, of which the lowest page is protected.
        let base = unsafe { libc::mmap(null_mut(), PAGE + bytes, access, flags, -1, 0) };
        // SAFETY: as above.
        if base == libc::MAP_FAILED || unsafe { libc::mprotect(base, PAGE, libc::PROT_NONE) } != 0 {
            return Err("no memory for a stack".into());
        }
        Ok(Stack { top: base as usize + PAGE + bytes })
    }

    /// Runs `call` on it. An overflow is a signal, which ends the process.
    #[cfg(target_arch = "x86_64")]
    pub fn run<R>(&self, call: impl FnOnce() -> R) -> R {
        struct Work<F, R>(Option<F>, Option<R>);
        extern "C" fn enter<F: FnOnce() -> R, R>(work: &mut Work<F, R>) {
            work.1 = work.0.take().map(|call| call());
        }
        fn entry<F: FnOnce() -> R, R>(_: &Work<F, R>) -> extern "C" fn(&mut Work<F, R>) {
            enter::<F, R>
        }
        if self.top == 0 {
            return call();
        }
        let mut work = Work(Some(call), None);
        let enter = entry(&work);
        // SAFETY: the top is aligned to 16 bytes, as the ABI asks before a call; r12 is kept by the function that is called.
        unsafe {
            std::arch::asm!(
                "mov r12, rsp",
                "mov rsp, {top}",
                "call {enter}",
                "mov rsp, r12",
                top = in(reg) self.top,
                enter = in(reg) enter,
                in("rdi") &raw mut work,
                out("r12") _,
                clobber_abi("C"),
            );
        }
        work.1.expect("the call has returned")
    }

    #[cfg(not(target_arch = "x86_64"))]
    pub fn run<R>(&self, call: impl FnOnce() -> R) -> R {
        call()
    }
}
