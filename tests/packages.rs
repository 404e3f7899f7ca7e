//! `make install` and who uses what it has installed: C through pkg-config and CMake, C++, Fortran and Python, each from a folder
//! outside the source tree, against a prefix that was moved and has blanks in its name.

mod archives;
mod compiler;
mod device_code;
mod documentation;
mod lab;
mod lifecycle;
pub mod prefix;
mod static_library;

use std::path::Path;

use self::prefix::{Folder, Installed};
use crate::c_abi::programs::{is_here, root, soname};
use crate::common::leave_out;

/// What each of the programs prints.
const PRODUCT: &str = "19 22 43 50";

fn source(name: &str) -> String {
    root().join("tests/packages").join(name).display().to_string()
}

/// Whether tools are here that `make test` gets from apt.
fn has(tools: &[&str]) -> bool {
    let missing: Vec<_> = tools.iter().filter(|tool| !is_here(tool)).collect();
    for tool in &missing {
        leave_out(&format!("{tool}: it is not here; scripts/setup-tests gets it as root"));
    }
    missing.is_empty()
}

/// Whether a program names our shared library as one that it needs.
fn is_dynamic(folder: &Folder, program: &str) -> bool {
    folder.sh(&format!("readelf -d {program}")).contains(&format!("[{}]", soname()))
}

/// Compiles a source through pkg-config, whose words may have blanks in them.
fn compile(folder: &Folder, compiler: &str, source: &str, package: &str, program: &str) {
    folder.sh(&format!(
        r#"eval "{compiler} '{source}' -o {program} $(pkg-config --cflags --libs {package}) '-Wl,-rpath,$LIB'""#
    ));
}

#[test]
fn c_through_pkg_config() {
    if !has(&["pkg-config"]) {
        return;
    }
    let installed = Installed::here();
    let folder = installed.folder("pkg-config");
    for (package, is_shared) in [("gpumex", true), ("gpumex-static", false)] {
        compile(&folder, "cc -Wall -Wextra -Werror", &source("c/multiply.c"), package, package);
        assert_eq!(folder.sh(&format!("./{package}")), PRODUCT, "{package}");
        assert_eq!(is_dynamic(&folder, package), is_shared, "{package}");
    }
}

/// `--static` has what libgpumex.a needs besides; a program without any shared library is one without a GPU.
#[test]
fn c_through_pkg_config_without_shared_libraries() {
    if !has(&["pkg-config"]) {
        return;
    }
    let installed = Installed::here();
    let folder = installed.folder("pkg-config-static");
    let flags = "$(pkg-config --static --cflags --libs gpumex)";
    folder.sh(&format!(r#"eval "cc -static '{}' -o program {flags}""#, source("c/multiply.c")));
    assert_eq!(folder.sh("GPUMEX_BACKEND=cpu ./program"), PRODUCT);
    assert!(!folder.sh("readelf -d program").contains("NEEDED"));
}

/// The CMake file of the example asks for other versions as well, and must not get one.
#[test]
fn c_through_cmake() {
    if !has(&["cmake"]) {
        return;
    }
    let installed = Installed::here();
    let folder = installed.folder("cmake");
    folder.sh(&format!(
        "cmake -S '{}' -B build '-DCMAKE_PREFIX_PATH={}'",
        source("c"),
        installed.prefix().display()
    ));
    folder.sh("cmake --build build");
    for (program, is_shared) in [("build/shared", true), ("build/static", false)] {
        assert_eq!(folder.sh(program), PRODUCT, "{program}");
        assert_eq!(is_dynamic(&folder, program), is_shared, "{program}");
    }
}

#[test]
fn cpp_through_pkg_config() {
    if !has(&["pkg-config"]) {
        return;
    }
    let installed = Installed::here();
    let folder = installed.folder("cpp");
    compile(
        &folder,
        "c++ -std=c++17 -Wall -Wextra -Werror",
        &source("cpp/multiply.cpp"),
        "gpumex",
        "program",
    );
    assert_eq!(folder.sh("./program"), PRODUCT);
}

#[test]
fn fortran_through_pkg_config() {
    if !has(&["gfortran", "pkg-config"]) {
        return;
    }
    let installed = Installed::here();
    let folder = installed.folder("fortran");
    compile(&folder, "gfortran -Wall -Werror", &source("fortran/multiply.f90"), "gpumex", "program");
    assert_eq!(folder.sh("./program"), PRODUCT);
}

#[test]
fn python_through_ctypes() {
    let installed = Installed::here();
    let folder = installed.folder("python");
    let program = source("python/multiply.py");
    assert_eq!(folder.sh(&format!(r#"python3 '{program}' "$LIB/{}""#, soname())), PRODUCT);
    let example = root().join("docs/examples/matmul").display().to_string();
    folder.sh(&format!(r#"LD_LIBRARY_PATH="$LIB" python3 '{example}.py' | diff - '{example}.out'"#));
}

/// They are copied as a user would, built, and some of them run.
#[test]
fn the_installed_examples_build() {
    if !has(&["pkg-config"]) {
        return;
    }
    let installed = Installed::here();
    let folder = installed.folder("examples");
    folder.sh(
        r#"cp -r "$PREFIX/share/doc/gpumex/examples/." . && make -j2 CFLAGS='-O0 -Wall -Wextra -Werror'"#,
    );
    let programs = folder.sh("ls *.c | grep -v pictures | sed 's/[.]c$//'");
    assert!(programs.lines().all(|program| Path::new(folder.path()).join(program).exists()), "{programs}");
    let of_the_tree = std::fs::read_dir(root().join("c_examples")).expect("a folder of the tree").flatten();
    let of_the_tree = of_the_tree.filter(|entry| entry.path().extension() == Some("c".as_ref())).count();
    assert_eq!(programs.lines().count(), of_the_tree, "every example is installed");
    folder.sh("./raytrace --size 64 --spheres 16 -o scene.ppm && ./life -p patterns/glider.lif -g 1 -o glider%d.ppm -z 2");
    for (picture, head) in [("scene.ppm", "P6\n64 64\n255"), ("glider1.ppm", "P6\n")] {
        let bytes = folder.sh(&format!("head -c 12 {picture}"));
        assert!(bytes.starts_with(head), "{picture}: {bytes}");
    }
    assert_eq!(folder.sh("wc -c <scene.ppm"), (13 + 3 * 64 * 64).to_string());
    assert!(folder.sh("./matmul 100").contains("Test passed"));
    assert!(folder.sh("./group_by").contains("customer 1: region 1, total 994"));
    folder.sh("make -C cpp -j2 CXXFLAGS='-O0 -Wall -Wextra -Werror'");
    assert_eq!(
        folder.sh("ls cpp/*.cpp | wc -l"),
        folder.sh(&format!("ls '{}'/*.cpp | wc -l", root().join("cpp_examples").display()))
    );
    assert!(folder.sh("cpp/life").contains("10$11bo$12bo$10b3o!"));
    folder.sh("make clean && make STATIC=1 CFLAGS=-O0 group_by");
    assert!(folder.sh("./group_by").contains("customer 1: region 1, total 994"));
    assert!(!is_dynamic(&folder, "group_by"));
}
