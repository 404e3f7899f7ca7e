//! The instruction sets that the CPU backend chooses from at run time. scripts/instruction-sets runs the tests as on older CPUs, and on
//! another architecture: here they see that they are on one, and what is promised bit by bit is handed out, to be compared.

use std::ffi::c_void;
use std::fmt::Write;

use gpumex::platform::settings::Backend;

use crate::common::*;
use crate::context::graphs::table::{ROWS_OF_TABLE, Row};

/// The setting of this run: none, avx2, avx512 or aarch64.
const SETTING: &str = "GPUMEX_TEST_CPU";

/// The file of the digests.
const DIGESTS: &str = "GPUMEX_TEST_DIGESTS";

/// What the operations choose by, as std sees it.
fn instruction_sets() -> [(&'static str, bool); 4] {
    #[cfg(target_arch = "x86_64")]
    return [
        ("SSE4.1", is_x86_feature_detected!("sse4.1")),
        ("AVX2", is_x86_feature_detected!("avx2")),
        ("FMA", is_x86_feature_detected!("fma")),
        ("AVX-512", is_x86_feature_detected!("avx512f")),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    ["SSE4.1", "AVX2", "FMA", "AVX-512"].map(|name| (name, false))
}

#[test]
fn the_cpu_has_the_instruction_sets_of_the_setting() {
    let has = instruction_sets().map(|(_, is_here)| is_here);
    if let Ok(setting) = std::env::var(SETTING) {
        let want = match setting.as_str() {
            "none" | "aarch64" => [false; 4],
            "avx2" => [true, true, true, false],
            "avx512" => [true; 4],
            other => panic!("{SETTING} is {other}"),
        };
        assert_eq!(has, want, "{SETTING} is {setting}");
        assert_eq!(setting == "aarch64", cfg!(target_arch = "aarch64"), "{SETTING} is {setting}");
    }
    // Each has those before it.
    assert!(has.is_sorted_by(|before, behind| before >= behind), "{:?}", instruction_sets());
}

/// Whether a row gives the same bits on every CPU: all but matrix products, whose sums are rounded in the order of the kernel.
fn is_exact(row: &&Row) -> bool {
    !row.name.starts_with("matmul")
}

/// FNV-1a.
fn digest(arrays: &[Vec<u8>]) -> u64 {
    let bytes = arrays.iter().flatten();
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
#[ignore = "scripts/instruction-sets compares what it writes"]
fn digests_of_exact_results() {
    let path = std::env::var(DIGESTS).expect("GPUMEX_TEST_DIGESTS names a file");
    let ctx = Context::open(Backend::Cpu).expect("a CPU");
    let mut lines = String::new();
    for row in ROWS_OF_TABLE.iter().filter(is_exact) {
        for seed in 1..=3 {
            let (inputs, mut outputs) = ((row.inputs)(seed), (row.outputs)());
            let from: Vec<*const c_void> = inputs.iter().map(|array| array.as_ptr().cast()).collect();
            let to: Vec<*mut c_void> = outputs.iter_mut().map(|array| array.as_mut_ptr().cast()).collect();
            ok((row.call)(ctx.handle, &from, &to), row.name);
            writeln!(lines, "{}, seed {seed}: {:016x}", row.name, digest(&outputs))
                .expect("a String takes all");
        }
    }
    let here = instruction_sets().into_iter().filter_map(|(name, is_here)| is_here.then_some(name));
    println!("{}: {}", std::env::consts::ARCH, here.collect::<Vec<_>>().join(", "));
    std::fs::write(path, lines).expect("the file can be written");
}
