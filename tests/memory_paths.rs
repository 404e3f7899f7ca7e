//! Each textbook kernel takes the memory path that its name says: read from the PTX that nvcc makes of it.
//!
//! PTX names the memory space in the instruction (`ld.shared`, `ld.global.nc`, `tex.1d`), so that a kernel that
//! the compiler quietly moved to another path is caught here, without a GPU. Without nvcc the tests are left out.

use std::path::Path;
use std::process::Command;

use crate::c_abi::programs::root;
use crate::common::leave_out_unless;

pub const WITHOUT_NVCC: &str = "nvcc: the library was built without it";

const OTHER_THAN_GLOBAL: &[&str] =
    &["ld.shared", "st.shared", "atom.shared", "red.shared", "ld.global.nc", "ld.const", "tex."];

/// The PTX of `kernels/<source>.cu`, or None when the library was built without nvcc.
fn ptx_of(source: &str) -> Option<String> {
    let Some(nvcc) = option_env!("GPUMEX_NVCC") else {
        leave_out_unless("GPUMEX_REQUIRE_NVCC", WITHOUT_NVCC);
        return None;
    };
    let kernels = root().join("kernels");
    let file = kernels.join(format!("{source}.cu"));
    let name = source.replace('/', "-");
    let folder = std::env::temp_dir().join(format!("gpumex-memory-paths-{}-{name}", std::process::id()));
    let output = folder.join("kernels.ptx");
    std::fs::create_dir_all(&folder).expect("the temporary folder can be made");
    let run = Command::new(nvcc)
        .args(["-ptx", "-arch=compute_90", "-std=c++17", "-O3", "-I"])
        .args([kernels.as_path(), Path::new("-o"), &output, &file])
        .output();
    let ptx = std::fs::read_to_string(output);
    let _ = std::fs::remove_dir_all(folder);

    let run = run.unwrap_or_else(|error| panic!("{nvcc} does not start: {error}"));
    assert!(run.status.success(), "nvcc {source}.cu: {}", String::from_utf8_lossy(&run.stderr));
    Some(ptx.expect("nvcc wrote its output"))
}

/// The bodies of all entries whose (mangled) name contains `kernel`: one, or one for each type of a template.
fn entries<'a>(ptx: &'a str, kernel: &str) -> Vec<&'a str> {
    let found: Vec<&str> = ptx
        .split(".entry ")
        .skip(1)
        .filter(|entry| entry.split('(').next().is_some_and(|name| name.contains(kernel)))
        .map(|entry| entry.split("\n}").next().unwrap_or(entry))
        .collect();
    assert!(!found.is_empty(), "no entry is called {kernel}");
    found
}

/// Every entry of `kernel` has an instruction that starts like each of `wanted`, none like one of `unwanted`.
fn assert_path(ptx: &str, kernel: &str, wanted: &[&str], unwanted: &[&str]) {
    for entry in entries(ptx, kernel) {
        for instruction in wanted {
            assert!(has(entry, instruction), "{kernel} has no {instruction}");
        }
        for instruction in unwanted {
            assert!(!has(entry, instruction), "{kernel} has a {instruction}");
        }
    }
}

/// Is there an instruction in the entry that starts like this?
fn has(entry: &str, instruction: &str) -> bool {
    entry.split_whitespace().any(|word| word.starts_with(instruction))
}

#[test]
fn life_kernels_on_bytes_take_their_paths() {
    let Some(ptx) = ptx_of("life/bytes") else { return };
    assert_path(&ptx, "life_arrays_add", &["ld.global", "st.global"], OTHER_THAN_GLOBAL);
    assert_path(&ptx, "life_arrays_rule", &["ld.global", "st.global"], OTHER_THAN_GLOBAL);
    assert_path(&ptx, "life_shmem_step", &["ld.shared", "st.shared", "bar.sync"], &["ld.global.nc", "tex."]);
    assert_path(
        &ptx,
        "life_texture_step",
        &["tex.1d", "st.global"],
        &["ld.global", "ld.shared", "st.shared"],
    );
}

/// Cells are bits: the rule is three-input logic, whichever way the words come.
#[test]
fn life_kernels_on_bits_take_their_paths() {
    let Some(shmem) = ptx_of("life/shmem") else { return };
    let staged = ["ld.shared", "st.shared", "bar.sync", "lop3.b32"];
    assert_path(&shmem, "life_shmem_tiles", &staged, &["ld.global.nc", "tex."]);
    let Some(texture) = ptx_of("life/texture") else { return };
    assert_path(&texture, "life_texture_step", &["tex.1d", "st.global.v4", "lop3.b32"], &["ld.global"]);
    let Some(registers) = ptx_of("life/registers") else { return };
    let chained = ["ld.global.v4", "st.global.v4", "ld.acquire.gpu", "st.release.gpu", "lop3.b32"];
    assert_path(&registers, "life_registers_play", &chained, &["ld.global.nc", "tex.", "bar.sync"]);
    for ptx in [shmem, texture, registers] {
        let entries = entries(&ptx, "life_");
        assert!(entries.iter().all(|entry| has(entry, "shfl.sync")), "neighbours in a row are other lanes'");
    }
}

#[test]
fn matmul_kernels_take_their_paths() {
    let Some(ptx) = ptx_of("matmul/matmul") else { return };
    assert_eq!(
        entries(&ptx, "matmul_naive").len(),
        16,
        "float and double, 32-bit and 64-bit indices, transposes"
    );
    assert_path(&ptx, "matmul_naive", &["ld.global", "fma.rn"], OTHER_THAN_GLOBAL);
    assert_path(&ptx, "matmul_blocked", &["ld.shared", "st.shared", "bar", "fma.rn"], &[]);
}

#[test]
fn histogram_kernels_take_their_paths() {
    let Some(ptx) = ptx_of("histogram/textbook_bytes") else { return };
    assert_path(&ptx, "histogram_global", &["ld.global"], OTHER_THAN_GLOBAL);
    assert_path(&ptx, "histogram_strided", &["ld.global"], OTHER_THAN_GLOBAL);
    assert_path(&ptx, "histogram_shared", &["st.shared", "ld.shared", "bar"], &[]);
    let atomic = |kernel, space| {
        let names = [format!("atom.{space}"), format!("red.{space}")];
        entries(&ptx, kernel).iter().all(|entry| names.iter().any(|name| has(entry, name)))
    };
    assert!(atomic("histogram_global", "global") && atomic("histogram_strided", "global"));
    assert!(
        atomic("histogram_shared", "shared") && atomic("histogram_shared", "global"),
        "counts, then merges"
    );
    assert!(!atomic("histogram_global", "shared"), "the test can tell the spaces apart");
}

/// Words are counted in shared memory, and what finds no room there in global memory.
#[test]
fn words_are_counted_in_shared_and_global_memory() {
    let Some(ptx) = ptx_of("words/words") else { return };
    let counted = ["ld.global.v4", "st.shared.v4", "atom.shared.cas.b64", "atom.global.cas.b64"];
    assert_path(&ptx, "words_count", &counted, &["tex.", "ld.const"]);
    assert_eq!(entries(&ptx, "words_count").len(), 4, "UTF-8 and ASCII, folded and not");
}

#[test]
fn raytrace_kernels_take_their_paths() {
    let Some(ptx) = ptx_of("raytrace/raytrace") else { return };
    assert_path(&ptx, "raytrace_global", &["ld.global.f32"], OTHER_THAN_GLOBAL);
    assert_path(&ptx, "raytrace_read_only", &["ld.global.nc"], &["ld.global.f32", "ld.const"]);
    assert_path(&ptx, "raytrace_constant", &["ld.const"], &["ld.global.nc", "ld.shared"]);
    let constant = entries(&ptx, "raytrace_constant")[0];
    assert_eq!(constant.matches("ld.global").count(), 1, "depth alone comes from global memory");
    for inexact in [".ftz", ".approx", ".full", "mul.f32", "add.f32", "sub.f32"] {
        assert!(!ptx.contains(inexact), "{inexact}: flushes, approximates, or may be fused");
    }
}

/// Its one approximation begins a root that ends rounded to nearest.
#[test]
fn the_binned_ray_caster_gathers_in_shared_memory_and_rounds_as_written() {
    let Some(ptx) = ptx_of("raytrace/binned") else { return };
    let search = ["ld.shared", "st.shared", "bar.sync", "redux.sync", "rsqrt.approx.ftz", "st.global.v4"];
    assert_path(&ptx, "raytrace_tiles", &search, &["atom.global", "sqrt.approx", "div.approx", "div.full"]);
    for kernel in ["raytrace_tiles", "raytrace_regions", "raytrace_fill"] {
        assert_path(&ptx, kernel, &["fma.rn.f32", "sub.rn.f32"], &["mul.f32", "add.f32", "sub.f32"]);
    }
}

#[test]
fn kernels_bound_by_memory_move_packets_of_16_bytes() {
    let Some(add) = ptx_of("add/add") else { return };
    assert_path(&add, "3addIfLm16E", &["ld.global.v4.f32", "st.global.v4.f32"], &["ld.shared", "atom"]);
    assert_path(&add, "3addIdLm16E", &["ld.global.v2.f64", "st.global.v2.f64"], &["ld.shared", "atom"]);
    assert_path(&add, "3addIfLm4E", &["ld.global.f32", "st.global.f32"], &["ld.global.v", "st.global.v"]);
    let Some(dot) = ptx_of("dot/dot") else { return };
    let tree = ["ld.global.v", "fma.rn", "shfl", "st.shared", "bar", "ld.shared"];
    assert_path(&dot, "10dot_atomicIfLm16E", &[&tree[..], &["atom.global.add.f32"]].concat(), &[]);
    assert_path(&dot, "10dot_atomicIdLm16E", &[&tree[..], &["atom.global.add.f64"]].concat(), &[]);
    assert_path(&dot, "11dot_partial", &tree[1..], &["atom", "red."]);
    assert_path(&dot, "10dot_finish", &["shfl", "ld.shared"], &["atom", "red."]);
    let Some(histogram) = ptx_of("histogram/textbook_bytes") else { return };
    assert_path(&histogram, "16histogram_sharedILi32E", &["ld.global.v4", "atom.shared"], &[]);
    let Some(fill) = ptx_of("fill/fill") else { return };
    assert_path(&fill, "8generateIhLm16E", &["st.global.v4"], &["ld.global", "ld.shared"]);
}

/// Their elements are those of the CPU bit for bit: every floating operation is rounded, none fused or approximate.
#[test]
fn generated_numbers_are_computed_exactly_as_written() {
    for op in ["fill", "random"] {
        let Some(ptx) = ptx_of(&format!("{op}/{op}")) else { return };
        for inexact in ["fma.", "mad.f", ".ftz", ".approx", ".full", "mul.f", "add.f", "sub.f"] {
            assert!(!ptx.contains(inexact), "{op}: {inexact}");
        }
        assert!(ptx.contains("mul.rn.f64") && ptx.contains("add.rn.f64"), "{op} computes in double");
    }
}
