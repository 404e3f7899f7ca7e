//! docs/abi/0.2.txt: each function, callback, constant and field of the header, a line each, as compiled. `make header` adds lines;
//! what is there stays as long as the version does, and a struct grows at its end only.

use std::fs;
use std::path::PathBuf;

use super::parser::{Function, Header};
use crate::c_abi::programs::{Language, Workplace, root};

fn file() -> PathBuf {
    let version = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));
    root().join(format!("docs/abi/{version}.txt"))
}

pub fn write(header: &str) {
    let table = table(header);
    if let Ok(old) = fs::read_to_string(file()) {
        let broken = broken(&old, &table);
        assert!(
            broken.is_empty(),
            "{} has lines that the header has no more:\n{}\nPrograms rely on them. Give the library a new version, or, before this \
             one is released, delete the file",
            file().display(),
            broken.join("\n")
        );
    }
    fs::create_dir_all(file().parent().unwrap()).unwrap();
    fs::write(file(), table).unwrap();
}

pub fn compare(header: &str) {
    super::assert_same("docs/abi", &fs::read_to_string(file()).unwrap_or_default(), &table(header));
}

/// The lines of `old` that programs of this version rely on and `new` does not have.
fn broken<'a>(old: &'a str, new: &str) -> Vec<&'a str> {
    old.lines().filter(|line| !new.lines().any(|other| *line == other || has_grown(line, other))).collect()
}

/// `struct gpumex_sort_options 32` became larger.
fn has_grown(old: &str, new: &str) -> bool {
    let parts = |line: &str| {
        let (name, size) = line.strip_prefix("struct ")?.rsplit_once(' ')?;
        Some((name.to_string(), size.parse::<usize>().ok()?))
    };
    let (Some((old_name, old_size)), Some((name, size))) = (parts(old), parts(new)) else { return false };
    old_name == name && old_size < size
}

/// The table of a header. The compiler gives sizes, offsets and numbers.
fn table(header: &str) -> String {
    let parsed = Header::parse(header);
    let mut lines: Vec<String> = parsed.functions.iter().map(|found| prototype("function", found)).collect();
    lines.extend(parsed.callbacks.iter().map(|found| prototype("callback", found)));
    lines.extend([compiled(header, &parsed)]);
    lines.join("\n")
}

fn prototype(word: &str, Function { name, result, parameters, .. }: &Function) -> String {
    let kinds: Vec<_> = parameters.iter().map(|parameter| &*parameter.kind).collect();
    format!("{word} {name}: {result} ({})", kinds.join(", "))
}

fn compiled(header: &str, parsed: &Header) -> String {
    let mut code = String::new();
    for (name, _) in &parsed.constants {
        code.push_str(&format!("    printf(\"constant {name} %d\\n\", (int){name});\n"));
    }
    for found in &parsed.structs {
        let name = &found.name;
        code.push_str(&format!("    printf(\"struct {name} %zu\\n\", sizeof({name}));\n"));
        for field in &found.fields {
            let (field, kind) = (&field.name, &field.kind);
            let line = format!("field {name}.{field}: {kind} at %zu\\n");
            code.push_str(&format!("    printf(\"{line}\", offsetof({name}, {field}));\n"));
        }
    }
    let workplace = Workplace::new("abi-table");
    workplace.write("this/gpumex.h", header);
    let program =
        format!("#include <gpumex.h>\n#include <stdio.h>\nint main(void) {{\n{code}    return 0;\n}}\n");
    let source = workplace.write("table.c", program);
    let folder = format!("-I{}", workplace.path("this").display());
    let program = workplace.compile_with(Language::C99, &source, &[&folder], &[]);
    workplace.program(program).succeeds().stdout
}

#[test]
fn changes_and_removals_are_broken_and_additions_are_not() {
    let old = "function f: int32_t (size_t)\nconstant A 0\nstruct s 16\nfield s.size: size_t at 0\nfield s.a: int32_t at 8\n";
    let grown = "function f: int32_t (size_t)\nfunction g: void (void)\nconstant A 0\nconstant B 1\nstruct s 24\n\
        field s.size: size_t at 0\nfield s.a: int32_t at 8\nfield s.b: double at 16\n";
    assert!(broken(old, old).is_empty() && broken(old, grown).is_empty());
    assert_eq!(broken(grown, old).len(), 4);
    for (from, to) in [
        ("(size_t)", "(int32_t)"),
        ("A 0", "A 1"),
        ("s 16", "s 8"),
        ("s.a: int32_t", "s.a: float"),
        ("at 8", "at 12"),
    ] {
        assert_eq!(broken(old, &old.replace(from, to)).len(), 1, "{from} became {to}");
    }
}
