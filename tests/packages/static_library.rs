//! libgpumex.a in a program with libraries of its own.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use super::prefix::{Folder, Installed};
use super::{PRODUCT, has, source};
use crate::c_abi::programs::built;
use crate::common::leave_out;

/// What rustc says that a static library of Rust needs is in the pkg-config file, but for what every compiler driver adds itself.
#[test]
fn pkg_config_names_what_the_static_library_needs() {
    if !has(&["pkg-config"]) {
        return;
    }
    let folder = Folder::new();
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_string());
    let output = Command::new(rustc)
        .args([
            "--crate-type",
            "staticlib",
            "--crate-name",
            "empty",
            "--print",
            "native-static-libs",
            "-o",
            "empty.a",
            "-",
        ])
        .current_dir(folder.path())
        .stdin(std::process::Stdio::null())
        .output()
        .expect("rustc is beside cargo");
    let said = String::from_utf8_lossy(&output.stderr);
    let (_, list) = said.split_once("native-static-libs: ").unwrap_or_else(|| panic!("{said}"));
    let first = list.lines().next().unwrap_or_default();
    let mut wanted: BTreeSet<_> = first.split_whitespace().map(str::to_string).collect();
    for of_driver in ["-lgcc_s", "-lc"] {
        wanted.remove(of_driver);
    }
    let installed = Installed::here();
    let flags = installed.folder("flags").sh("pkg-config --static --libs-only-l gpumex");
    let given: BTreeSet<_> =
        flags.split_whitespace().filter(|flag| *flag != "-lgpumex").map(str::to_string).collect();
    assert!(given.is_superset(&wanted), "gpumex.pc has {given:?}, rustc wants {wanted:?}");
    let flags = installed.folder("flags").sh("pkg-config --libs-only-l gpumex-static");
    let of_static: BTreeSet<_> =
        flags.split_whitespace().filter(|flag| !flag.contains(':')).map(str::to_string).collect();
    assert_eq!(of_static, given, "gpumex-static.pc");
}

/// Two runtimes of two versions in one program: neither side calls the other's.
#[test]
fn the_cuda_runtime_in_it_is_its_own() {
    if !has(&["pkg-config"]) {
        return;
    }
    let installed = Installed::here();
    let folder = installed.folder("cudart");
    let symbols =
        folder.sh("nm -g --defined-only \"$LIB/libgpumex.a\" 2>/dev/null | awk 'NF == 3 {print $3}'");
    if !symbols.contains("gpumexk_matmul") {
        return leave_out("kernels: the library was built without");
    }
    let open: Vec<_> =
        symbols.lines().filter(|name| name.starts_with("cuda") || name.starts_with("__cuda")).collect();
    assert!(
        open.is_empty(),
        "{} symbols of the CUDA runtime are open: {:?}",
        open.len(),
        &open[..open.len().min(5)]
    );
    folder.sh(&format!(
        r#"eval "cc -rdynamic '{}' -o program $(pkg-config --cflags --libs gpumex-static)""#,
        source("c/cudart.c")
    ));
    assert_eq!(folder.sh("./program"), PRODUCT);
    with_the_toolkits(&folder);
}

/// The program's runtime is that of the toolkit; archives in both orders.
fn with_the_toolkits(folder: &Folder) {
    let toolkit = option_env!("GPUMEX_NVCC").and_then(|nvcc| Path::new(nvcc).parent()?.parent());
    let archives =
        ["lib", "lib64"].map(|lib| toolkit.unwrap_or(Path::new("/")).join(lib).join("libcudart_static.a"));
    let Some(archive) = archives.iter().find(|archive| archive.exists()) else {
        return leave_out("libcudart_static.a: it is not here");
    };
    let program = "#include <gpumex.h>\nint cudaRuntimeGetVersion(int *);\nint main(void) { int version = 0; \
                   return cudaRuntimeGetVersion(&version) || version < 13000 || gpumex_version() == 0; }\n";
    std::fs::write(folder.path().join("both.c"), program).expect("a temporary file");
    for order in ["$ARCHIVE $LIBS", "$LIBS $ARCHIVE"] {
        folder.sh(&format!(
            r#"ARCHIVE="'{}'"; LIBS=$(pkg-config --libs gpumex-static)
               eval "cc both.c -o both $(pkg-config --cflags gpumex) {order} -lpthread -ldl -lrt" && ./both"#,
            archive.display()
        ));
        let theirs = folder.sh("nm both | grep -cE ' [Tt] cudaRuntimeGetVersion$'");
        assert_eq!(theirs, "1", "{order}: the program has its own runtime");
    }
}

/// `built()` has what is installed.
#[test]
fn the_static_library_is_that_of_the_build() {
    let installed = Installed::here();
    let [mine, theirs] = [built(), installed.prefix().join("lib")]
        .map(|folder| std::fs::metadata(folder.join("libgpumex.a")).expect("it was built").len());
    assert_eq!(mine, theirs);
}
