//! How many three-input operations of logic a second the device does, with nothing else to do.

use std::ffi::c_void;
use std::ptr::null_mut;

use cudarc::driver::sys;

use crate::common::*;

const LOOPS: u32 = 4096;
const OPERATIONS: u32 = 64; // of a thread and loop
const THREADS: u32 = 1024;
const BLOCKS: u32 = 132 * 2 * 8;

/// A loop of eight words, each made of itself and the two behind it by a function that nothing simplifies.
fn ptx() -> Vec<u8> {
    let step = |n: u32| {
        let [a, b, c] = [n % 8, (n + 1) % 8, (n + 2) % 8];
        format!("lop3.b32 %a{a}, %a{a}, %a{b}, %a{c}, 0x5B;\n")
    };
    let steps: String = (0..OPERATIONS).map(step).collect();
    let start: String =
        (0..8).map(|n| format!("mad.lo.u32 %a{n}, %t, {}, {n};\n", 2654435761u32 + n)).collect();
    let end: String = (1..8).map(|n| format!("xor.b32 %a0, %a0, %a{n};\n")).collect();
    let text = format!(
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry lop3(.param .u64 result)\n{{\n\
         .reg .b32 %a<8>; .reg .b32 %t; .reg .b32 %n; .reg .b64 %p; .reg .pred %q;\n\
         mov.u32 %t, %tid.x;\n{start}mov.u32 %n, {LOOPS};\nagain:\n{steps}sub.u32 %n, %n, 1;\n\
         setp.ne.u32 %q, %n, 0;\n@%q bra again;\n{end}ld.param.u64 %p, [result];\ncvta.to.global.u64 %p, %p;\n\
         setp.eq.u32 %q, %a0, 12345;\n@%q st.global.u32 [%p], %a0;\nret;\n}}\n"
    );
    text.into_bytes().into_iter().chain([0]).collect()
}

/// Operations a second, the median of 11.
pub fn rate() -> f64 {
    open_primary();
    let (mut module, mut function, mut result) = (null_mut(), null_mut(), 0);
    let text = ptx();
    // SAFETY: a NUL-terminated PTX text, the name of its kernel, a word for its result; a context is current.
    unsafe {
        ok(sys::cuModuleLoadData(&mut module, text.as_ptr().cast()));
        ok(sys::cuModuleGetFunction(&mut function, module, c"lop3".as_ptr()));
        ok(sys::cuMemAlloc_v2(&mut result, 4));
    }
    let mut parameters = [(&raw mut result).cast::<c_void>()];
    let turn = || {
        seconds(|| {
            // SAFETY: a kernel of one pointer.
            unsafe {
                ok(sys::cuLaunchKernel(
                    function,
                    BLOCKS,
                    1,
                    1,
                    THREADS,
                    1,
                    1,
                    0,
                    null_mut(),
                    parameters.as_mut_ptr(),
                    null_mut(),
                ));
                ok(sys::cuCtxSynchronize());
            }
        })
    };
    let mut turn = turn;
    turn();
    let took = median(11, turn);
    // SAFETY: no kernel is in flight.
    unsafe {
        ok(sys::cuMemFree_v2(result));
        ok(sys::cuModuleUnload(module));
    }
    f64::from(LOOPS) * f64::from(OPERATIONS) * f64::from(THREADS) * f64::from(BLOCKS) / took
}
