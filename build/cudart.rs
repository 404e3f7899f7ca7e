//! CUDA's runtime under names of our own. libcudart_static.a has all its functions as global symbols, and libgpumex.a would have them as
//! well: a static program with a runtime of its own, of whatever version, would get one of the two for both. So each name that the
//! archive defines gets a prefix, there and in the kernels that call it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::compiler::Compiler;

const PREFIX: &str = "gpumexk_";
pub const LIBRARY: &str = "gpumexk_cudart";

/// What objcopy reads: a line for each name, the old one and the new one.
pub struct Names(PathBuf);

impl Names {
    /// Makes the archive LIBRARY in a folder, and the list of names that changed in it.
    pub fn make(compiler: &Compiler, folder: &Path) -> Names {
        let archives = compiler.link_folders().map(|folder| folder.join("libcudart_static.a"));
        let archive = archives.into_iter().find(|archive| archive.exists());
        let archive = archive.unwrap_or_else(|| {
            panic!(
                "libcudart_static.a is not beside {}; it is part of the CUDA toolkit",
                compiler.nvcc.display()
            )
        });
        let list: String =
            global_names(&archive).iter().map(|name| format!("{name} {PREFIX}{name}\n")).collect();
        let names = Names(folder.join("cudart.names"));
        fs::write(&names.0, list).expect("OUT_DIR is writable");
        // Out of its COMDAT groups: a linker that sees two runtimes would keep one of each, by its old name.
        let [groupless, renamed] = ["cudart.o", "gpumexk_cudart.o"].map(|name| folder.join(name));
        let link = ["-r", "--force-group-allocation", "--whole-archive", "-o"];
        run(Command::new(beside_ar("ld")).args(link).args([&groupless, &archive]));
        names.change(&groupless, &renamed);
        cc::Build::new().cargo_metadata(false).create_archive(LIBRARY, [renamed]);
        names
    }

    /// Writes an archive or an object again, with the names changed that it defines or uses.
    pub fn change(&self, from: &Path, to: &Path) {
        let list = format!("--redefine-syms={}", self.0.display());
        run(Command::new(beside_ar("objcopy")).arg("-D").arg(list).args([from, to]));
    }
}

fn global_names(archive: &Path) -> Vec<String> {
    let symbols = run(Command::new(beside_ar("nm")).args(["-g", "--defined-only"]).arg(archive));
    symbols.lines().filter_map(|line| line.split_whitespace().nth(2)).map(str::to_string).collect()
}

/// A program of the binutils that the archiver is of: aarch64-linux-gnu-ar, aarch64-linux-gnu-objcopy. LD, OBJCOPY and NM are others.
fn beside_ar(program: &str) -> String {
    println!("cargo:rerun-if-env-changed={}", program.to_uppercase());
    let ar =
        cc::Build::new().cargo_metadata(false).get_archiver().get_program().to_string_lossy().into_owned();
    let beside =
        ar.strip_suffix("ar").map_or_else(|| program.to_string(), |start| format!("{start}{program}"));
    env::var(program.to_uppercase()).unwrap_or(beside)
}

fn run(command: &mut Command) -> String {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().unwrap_or_else(|error| panic!("{name}: {error}; it is part of binutils"));
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
