//! The layer rules: which module of the source may name which (DESIGN: `ffi → ops → {cpu | gpu} → kernels.h →
//! kernels/<operation> → prim`). The source is read as text: a small lexer drops comments and strings, and every path that begins with `crate`,
//! `self` or `super`, groups of a `use` included, is resolved to the module it names.

mod small_cases;
mod source;

use std::collections::BTreeSet;
use std::fs;

use self::source::*;
use crate::c_abi::programs::root;

// ------------------------------------------------------------------------------------------------------ the real source

#[test]
fn rust_modules_keep_the_layer_rules() {
    let files = files_under("src", "rs");
    for module in ["src/ffi/", "src/ops/", "src/cpu/", "src/gpu/"] {
        assert!(
            files.iter().any(|(file, _)| file.starts_with(module)),
            "{module} is empty: is this the right folder?"
        );
    }
    let entry_points: BTreeSet<String> =
        files.iter().filter(|(file, _)| top_module_of(file) == "ffi").flat_map(entry_points_of).collect();
    assert!(
        entry_points.contains("gpumex_life"),
        "src/ffi exports {entry_points:?}, and gpumex_life is not among them"
    );
    assert_none(files.iter().flat_map(|(file, text)| rust_violations(file, text, &entry_points)).collect());
}

#[test]
fn modules_of_src_have_no_circle() {
    let mut edges = BTreeSet::new();
    for (file, text) in files_under("src", "rs") {
        let from = top_module_of(&file);
        let named = paths_of(&tokens_of(&text), module_of(&file));
        let targets = named.into_iter().filter_map(|path| path.segments.into_iter().next());
        edges.extend(targets.filter(|to| *to != from && from != "lib").map(|to| (from.clone(), to)));
    }
    assert_none(circle_of(edges).into_iter().collect());
}

/// Files of matlab/mex call each other in one direction, errors.c being called by all.
#[test]
fn files_of_the_mex_file_have_no_circle() {
    let files = files_under("matlab/mex", "c");
    let parts: Vec<_> = files.iter().map(|(file, text)| (file, c_functions(&tokens_of(text)))).collect();
    let defines = |name: &String| parts.iter().find(|(_, c)| c.defined.contains(name)).map(|(file, _)| *file);
    let calls =
        parts.iter().flat_map(|(file, c)| c.called.iter().filter_map(defines).map(move |to| (*file, to)));
    let edges: BTreeSet<_> =
        calls.filter(|(from, to)| from != to).map(|(a, b)| (a.clone(), b.clone())).collect();
    let edge = |from: &str, to: &str| (format!("matlab/mex/{from}.c"), format!("matlab/mex/{to}.c"));
    assert!(
        edges.contains(&edge("arrays", "errors")) && edges.contains(&edge("keys", "contexts")),
        "{edges:?}"
    );
    assert_none(circle_of(edges).into_iter().collect());
}

#[test]
fn kernels_include_their_own_folder_prim_and_system_headers_only() {
    let files =
        [files_under("kernels", "cu"), files_under("kernels", "cuh"), files_under("kernels", "h")].concat();
    assert!(
        files.iter().any(|(file, _)| file == "kernels/life/bytes.cu"),
        "kernels/life/bytes.cu is not there"
    );
    assert_none(files.iter().flat_map(|(file, text)| include_violations(file, text)).collect());
}

// ---------------------------------------------------------------------------------------------------------- the rules

/// What one Rust file breaks. `entry_points`: the functions that src/ffi exports.
fn rust_violations(file: &str, text: &str, entry_points: &BTreeSet<String>) -> Vec<String> {
    let tokens = tokens_of(text);
    let module = top_module_of(file);
    let mut found = Vec::new();

    for path in paths_of(&tokens, module_of(file)) {
        let names = path.segments.join("::");
        let target = path.segments.first().map_or("", String::as_str);
        if !may_name(&module, target) {
            found.push(format!("{file}:{}: names crate::{names}; {}", path.line, reason(&module, target)));
        }
        if module == "ffi"
            && target == "ffi"
            && path.segments.last().is_some_and(|last| entry_points.contains(last))
        {
            found.push(format!(
                "{file}:{}: names the entry point {names}; no entry point calls another",
                path.line
            ));
        }
    }
    if module == "ffi" {
        for (line, entry_point) in bare_calls(&tokens, entry_points) {
            found.push(format!(
                "{file}:{line}: calls the entry point {entry_point}; no entry point calls another"
            ));
        }
    }

    for token in &tokens {
        if token.text.contains("from_raw_parts") && module != "array" {
            found.push(format!(
                "{file}:{}: {}; a raw pointer becomes a slice in src/array only",
                token.line, token.text
            ));
        }
    }

    if (module == "ops" || module == "cpu")
        && !has_run(&tokens, &["#", "!", "[", "forbid", "(", "unsafe_code", ")", "]"])
    {
        found.push(format!("{file}:1: lacks #![forbid(unsafe_code)]"));
    }
    found
}

/// What is left when modules that name no other one of the rest are taken away, one after the other: circles, and what leads there.
fn circle_of(mut edges: BTreeSet<(String, String)>) -> BTreeSet<String> {
    loop {
        let names: BTreeSet<String> = edges.iter().map(|(from, _)| from.clone()).collect();
        let before = edges.len();
        edges.retain(|(_, to)| names.contains(to));
        if edges.len() == before {
            return names;
        }
    }
}

/// Whether a file of `module` may name `crate::target`.
fn may_name(module: &str, target: &str) -> bool {
    match (module, target) {
        ("cpu", _) => {
            ["cpu", "error", "interrupt", "model", "prefetch", "stream_copy", "vector"].contains(&target)
        }
        ("gpu", "cpu" | "ops" | "ffi") => false,
        ("ops" | "context", "cpu" | "gpu") | ("gpu", "gpu") | ("comm", "gpu") => true,
        (_, "cpu" | "gpu") => false,
        (_, "ffi") => module == "ffi" || module == "lib",
        _ => true,
    }
}

fn reason(module: &str, target: &str) -> &'static str {
    match (module, target) {
        ("cpu", _) => {
            "src/cpu knows crate::error, crate::interrupt, crate::model, crate::prefetch, crate::stream_copy, crate::vector and itself"
        }
        ("gpu", _) => "src/gpu knows neither cpu, ops nor ffi",
        (_, "ffi") => "src/ffi is above everything else",
        _ => "only src/ops and src/context know the backends",
    }
}

/// The folders of kernels/prim: a header knows its own level and those before it.
const LEVELS: &[&str] = &["thread", "warp", "block", "cluster", "grid"];

/// What the includes of one file of kernels/ break. Every path begins at kernels/.
fn include_violations(file: &str, text: &str) -> Vec<String> {
    let folder = file.trim_start_matches("kernels/").split_once('/').map_or("", |(folder, _)| folder);
    let own = format!("\"{folder}/");
    let is_header_of =
        |name: &str, start: &str| name.starts_with(start) && name.ends_with(".cuh\"") && !name.contains("..");
    let allowed = |name: &str| match name.as_bytes().first() {
        Some(b'<') => name != "<cub/cub.cuh>" && !name.ends_with(".cu>"),
        _ if folder.is_empty() => false,
        _ if folder == "prim" => is_header_of(name, "\"prim/") && level_of(name) <= level_of(file),
        _ => name == "\"kernels.h\"" || is_header_of(name, &own) || is_header_of(name, "\"prim/"),
    };
    let includes = text.lines().enumerate().filter_map(|(at, line)| {
        let name = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        let close = if name.starts_with('<') { '>' } else { '"' };
        let end = name.get(1..)?.find(close)? + 2;
        Some((at + 1, &name[..end]))
    });
    includes
        .filter(|(_, name)| !allowed(name))
        .map(|(line, name)| {
            format!("{file}:{line}: includes {name}; an operation has kernels.h, its own folder, prim/ and single system headers")
        })
        .collect()
}

/// Which level of kernels/prim a path is on; none is above all.
fn level_of(path: &str) -> usize {
    let after = path.split_once("prim/").map_or("", |(_, after)| after);
    let level = after.split('/').next().unwrap_or_default();
    LEVELS.iter().position(|name| *name == level).unwrap_or(LEVELS.len())
}

// --------------------------------------------------------------------------------------------------------------- files

/// Every file with this ending under a folder of the project: name from the project's root on, and text.
pub fn files_under(folder: &str, ending: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("a readable folder").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == ending) {
                let name = path.strip_prefix(root()).expect("it was found below the root");
                let name = name.to_str().expect("source files have plain names").to_string();
                found.push((name.clone(), read(&name)));
            }
        }
    }
    found.sort();
    found
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[track_caller]
fn assert_none(violations: Vec<String>) {
    assert!(violations.is_empty(), "{} broken:\n  {}", violations.len(), violations.join("\n  "));
}
