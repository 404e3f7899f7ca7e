//! The lists in cbindgen.toml that follow from the source: enums, which no function mentions, since C passes their numbers; the C
//! names of types; the initialisers of the structs that begin with their size.

use std::fs;
use std::path::Path;

use super::parser::{Header, Struct};
use crate::c_abi::programs::root;

/// `LifeOptions` is `gpumex_life_options` in C.
fn c_name(rust_name: &str) -> String {
    rust_name.chars().fold(String::from("gpumex"), |name, letter| match letter {
        'A'..='Z' => format!("{name}_{}", letter.to_ascii_lowercase()),
        _ => format!("{name}{letter}"),
    })
}

/// The names of the structs and enums with the layout of C, those for kernels apart.
fn types(folder: &Path, structs: &mut Vec<String>, enums: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && !path.ends_with("src/gpu") {
            types(&path, structs, enums);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let mut is_c = false;
            for line in text.lines().filter(|line| line.starts_with("#[repr(") || line.starts_with("pub ")) {
                let name =
                    |rest: &str| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_string();
                if let Some(rest) = line.strip_prefix("pub enum ").filter(|_| is_c) {
                    enums.push(name(rest));
                } else if let Some(rest) = line.strip_prefix("pub struct ").filter(|_| is_c) {
                    structs.push(name(rest));
                }
                is_c = line == "#[repr(C)]";
            }
        }
    }
}

/// The text with other lines between "written by make header" and "end", at the place that `opening` begins with.
fn replaced(config: &str, [opening, closing]: [&str; 2], lines: &str) -> String {
    let (before, rest) =
        config.split_once(opening).unwrap_or_else(|| panic!("no {opening:?} in cbindgen.toml"));
    let (_, after) = rest.split_once(closing).unwrap_or_else(|| panic!("no {closing:?} in cbindgen.toml"));
    format!("{before}{opening}{lines}{closing}{after}")
}

/// With the enums of the source, and the C names of all its types.
pub fn with_names(config: &str) -> String {
    let (mut structs, mut enums) = (["Comm", "Context", "Event"].map(String::from).to_vec(), Vec::new());
    types(&root().join("src"), &mut structs, &mut enums);
    let include: String = enums.iter().map(|name| format!("    \"{name}\",\n")).collect();
    let names = structs.iter().chain(&enums);
    let rename: String = names.map(|name| format!("{name} = \"{}\"\n", c_name(name))).collect();
    let lines = format!("include = [\n{include}]\n\n[export.rename]\n{rename}");
    replaced(config, ["\n# written by make header:\n", "# end\n"], &lines)
}

/// With an initialiser for each struct of the header that begins with its size.
pub fn with_initialisers(config: &str, header: &Header) -> String {
    let defines: String =
        header.structs.iter().filter(|found| found.is_versioned()).map(initialiser).collect();
    replaced(config, ["/* written by make header: */\n", "/* end */\n"], &defines)
}

/// The size, and a zero for each other field, in lines of 100 columns.
fn initialiser(found: &Struct) -> String {
    let zeros = found.fields[1..].iter().map(|field| match &*field.kind {
        kind if kind.ends_with(']') => "\"\"",
        kind if kind.ends_with('*') => "NULL",
        _ => "0",
    });
    let items = std::iter::once(format!("sizeof({})", found.name)).chain(zeros.map(String::from));
    let mut lines = vec![String::from("    {")];
    for item in items {
        let line = lines.last_mut().expect("one line");
        if line.len() + item.len() > 92 {
            lines.push(String::from("     "));
        }
        let line = lines.last_mut().expect("one line");
        if !line.ends_with(['{', ' ']) {
            line.push(' ');
        }
        line.push_str(&format!("{item},"));
    }
    let text = lines.join(" \\\\\n");
    let (name, init) = (&found.name, found.name.to_uppercase());
    format!("/** Initialiser of {name}. */\n#define {init}_INIT \\\\\n{}}}\n", text.trim_end_matches(','))
}
