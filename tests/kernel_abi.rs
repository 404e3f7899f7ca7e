//! src/gpu/runtime/kernels.rs is what tests/kernel_abi makes of kernels/kernels.h: `make abi` writes it, these tests compare, and
//! ask the C and the C++ compiler whether they lay the structs out as Rust is told.

mod layout;
mod parse;
mod small_cases;
mod write;

use std::fs;
use std::process::Command;

use self::write::{DECLARATIONS, HEADER, declarations};
use crate::c_abi::programs::{Workplace, root};

#[test]
fn the_committed_declarations_are_those_of_the_header() {
    let want = declarations(&read(HEADER)).unwrap_or_else(|reason| panic!("{reason}"));
    if let Some(line) = first_difference(&read(DECLARATIONS), &want) {
        panic!("{DECLARATIONS} is stale from line {line} on; run `make abi`");
    }
}

#[test]
fn compilers_lay_the_structs_out_as_rust_is_told() {
    let place = Workplace::new("kernel-abi");
    let checks =
        place.write("layout.c", layout_checks(&read(HEADER)).unwrap_or_else(|reason| panic!("{reason}")));
    for (compiler, flags) in [("gcc", ["-x", "c", "-std=c11"]), ("g++", ["-x", "c++", "-std=c++17"])] {
        let mut command = Command::new(compiler);
        command.args(flags).args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I"]);
        let output = command.arg(root().join("kernels")).arg(&checks).output().expect("a compiler is here");
        assert!(output.status.success(), "{compiler}:\n{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A C program that does not compile where a field lies elsewhere.
fn layout_checks(header: &str) -> Result<String, String> {
    let header = parse::parse(header)?;
    let mut text = "#include <assert.h>\n#include \"kernels.h\"\n".to_string();
    for one in &header.structs {
        let layout = layout::layout_of(&header, one)?;
        text += &format!("static_assert(sizeof(struct {}) == {}, \"{0}\");\n", one.name, layout.size);
        for (field, offset) in one.fields.iter().zip(layout.offsets) {
            let (of, name) = (&one.name, &field.name);
            text += &format!("static_assert(offsetof(struct {of}, {name}) == {offset}, \"{of}.{name}\");\n");
        }
    }
    Ok(text)
}

/// The first line, from 1, in which two texts differ.
fn first_difference(got: &str, want: &str) -> Option<usize> {
    let same = got.lines().zip(want.lines()).take_while(|(got, want)| got == want).count();
    (got != want).then_some(same + 1)
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}
