//! The import walls: which room of the source may name which (DESIGN: `ffi → ops → {cpu | gpu} → kernels.h → kernels/*.cu →
//! prim/`). The source is read as text: a small lexer drops comments and strings, and every path that begins with `crate`,
//! `self` or `super`, groups of a `use` included, is resolved to the room it names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

// ------------------------------------------------------------------------------------------------------ the real source

#[test]
fn rust_rooms_keep_their_walls() {
    let files = files_under("src", "rs");
    for room in ["src/ffi/", "src/ops/", "src/cpu/", "src/gpu/"] {
        assert!(
            files.iter().any(|(file, _)| file.starts_with(room)),
            "{room} is empty: is this the right folder?"
        );
    }
    let doors: BTreeSet<String> =
        files.iter().filter(|(file, _)| room_of(file) == "ffi").flat_map(doors_of).collect();
    assert!(doors.contains("gpumex_life"), "src/ffi exports {doors:?}, and gpumex_life is not among them");
    assert_none(files.iter().flat_map(|(file, text)| rust_violations(file, text, &doors)).collect());
}

#[test]
fn kernels_include_prim_and_system_headers_only() {
    let files =
        [files_under("kernels", "cu"), files_under("kernels", "cuh"), files_under("kernels", "h")].concat();
    assert!(files.iter().any(|(file, _)| file.ends_with("life.cu")), "kernels/life.cu is not there");
    assert_none(files.iter().flat_map(|(file, text)| include_violations(file, text)).collect());
}

#[test]
fn rust_declares_exactly_the_launchers_of_kernels_h() {
    let header = launchers(&read("kernels/kernels.h"));
    assert!(!header.is_empty(), "kernels/kernels.h declares no gpumexk_ function");
    assert_none(set_differences(
        "kernels/kernels.h",
        &header,
        "src/gpu/kernels.rs",
        &launchers(&read("src/gpu/kernels.rs")),
    ));
}

// ---------------------------------------------------------------------------------------------------------- the rules

/// The one file below src/ops and src/cpu that may hold unsafe code.
const UNSAFE_IN_CPU: &str = "src/cpu/gemm.rs";

/// What one Rust file breaks. `doors`: the functions that src/ffi exports.
fn rust_violations(file: &str, text: &str, doors: &BTreeSet<String>) -> Vec<String> {
    let tokens = tokens_of(text);
    let room = room_of(file);
    let mut found = Vec::new();

    for path in paths_of(&tokens, module_of(file)) {
        let names = path.segments.join("::");
        let target = path.segments.first().map_or("", String::as_str);
        if !may_name(&room, target) {
            found.push(format!("{file}:{}: names crate::{names}; {}", path.line, reason(&room, target)));
        }
        if room == "ffi" && target == "ffi" && path.segments.last().is_some_and(|last| doors.contains(last)) {
            found.push(format!("{file}:{}: names the door {names}; no door calls another", path.line));
        }
    }
    if room == "ffi" {
        for (line, door) in bare_calls(&tokens, doors) {
            found.push(format!("{file}:{line}: calls the door {door}; no door calls another"));
        }
    }

    for token in &tokens {
        if token.text.contains("from_raw_parts") && room != "array" {
            found.push(format!(
                "{file}:{}: {}; a raw pointer becomes a slice in src/array.rs only",
                token.line, token.text
            ));
        }
    }

    if (room == "ops" || room == "cpu") && file != UNSAFE_IN_CPU {
        // `forbid` in cpu/mod.rs would reach that file too; there `deny` does, since `unsafe` is looked for below.
        let levels: &[&str] = if file == "src/cpu/mod.rs" { &["forbid", "deny"] } else { &["forbid"] };
        let attribute =
            |level: &&str| has_run(&tokens, &["#", "!", "[", level, "(", "unsafe_code", ")", "]"]);
        if !levels.iter().any(attribute) {
            found.push(format!("{file}:1: lacks #![forbid(unsafe_code)]"));
        }
        for token in tokens.iter().filter(|token| token.text == "unsafe") {
            found.push(format!("{file}:{}: unsafe; its one place is {UNSAFE_IN_CPU}", token.line));
        }
    }
    found
}

/// Whether a file of `room` may name `crate::target`.
fn may_name(room: &str, target: &str) -> bool {
    match (room, target) {
        ("cpu", _) => ["cpu", "error"].contains(&target),
        ("gpu", "cpu" | "ops" | "ffi") => false,
        ("ops" | "context", "cpu" | "gpu") | ("gpu", "gpu") => true,
        (_, "cpu" | "gpu") => false,
        (_, "ffi") => room == "ffi" || room == "lib",
        _ => true,
    }
}

fn reason(room: &str, target: &str) -> &'static str {
    match (room, target) {
        ("cpu", _) => "src/cpu knows crate::error and itself",
        ("gpu", _) => "src/gpu knows neither cpu, ops nor ffi",
        (_, "ffi") => "src/ffi is above everything else",
        _ => "only src/ops and src/context.rs know the backends",
    }
}

/// What the includes of one file of kernels/ break.
fn include_violations(file: &str, text: &str) -> Vec<String> {
    let in_prim = file.starts_with("kernels/prim/");
    let allowed = |name: &str| match name.as_bytes().first() {
        Some(b'<') => name != "<cub/cub.cuh>" && !name.ends_with(".cu>"),
        _ if in_prim => name.ends_with(".cuh\"") && !name.contains(".."),
        _ if file.ends_with(".h") => false,
        _ => name == "\"kernels.h\"" || (name.starts_with("\"prim/") && name.ends_with(".cuh\"")),
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
            format!("{file}:{line}: includes {name}; a .cu has kernels.h, prim/ and single system headers")
        })
        .collect()
}

/// The gpumexk_ functions that a C header or a Rust `extern` block declares: names before a parenthesis, outside comments.
fn launchers(text: &str) -> BTreeSet<String> {
    let tokens = tokens_of(text);
    let declared =
        tokens.windows(2).filter(|pair| pair[1].text == "(" && pair[0].text.starts_with("gpumexk_"));
    declared.map(|pair| pair[0].text.clone()).collect()
}

fn set_differences(a: &str, in_a: &BTreeSet<String>, b: &str, in_b: &BTreeSet<String>) -> Vec<String> {
    let only_a = in_a.difference(in_b).map(|name| format!("{name} is in {a}, not in {b}"));
    let only_b = in_b.difference(in_a).map(|name| format!("{name} is in {b}, not in {a}"));
    only_a.chain(only_b).collect()
}

// ----------------------------------------------------------------------------------------------------- reading of source

struct Token {
    line: usize,
    text: String, // an identifier, `::` or one other character; strings and characters are an empty token
}

struct NamedPath {
    line: usize,
    segments: Vec<String>, // from the crate's root on
}

/// Rust or C source as tokens, without comments and without what strings hold.
fn tokens_of(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut tokens, mut i, mut line) = (Vec::new(), 0, 1);
    while i < chars.len() {
        let start = i;
        match at(i) {
            '/' if at(i + 1) == '/' => i = skip_while(&chars, i, |c| c != '\n'),
            '/' if at(i + 1) == '*' => i = end_of_comment(&chars, i),
            '"' => i = end_of_string(&chars, i),
            'r' | 'b' | 'c' if raw_hashes(&chars, i).is_some() => i = end_of_raw_string(&chars, i),
            '\'' if at(i + 1) == '\\' => i = skip_while(&chars, i + 3, |c| c != '\'') + 1,
            '\'' if at(i + 2) == '\'' => i += 3,
            ':' if at(i + 1) == ':' => i += 2,
            c if is_word(c) => i = skip_while(&chars, i, is_word),
            _ => i += 1,
        }
        let text: String = chars[start..i.min(chars.len())].iter().collect();
        let silent = text.starts_with("//") || text.starts_with("/*") || text.trim().is_empty();
        if !silent {
            let quoted = text.len() > 1 && text.contains(['"', '\'']);
            tokens.push(Token { line, text: if quoted { String::new() } else { text.clone() } });
        }
        line += text.matches('\n').count();
    }
    tokens
}

fn skip_while(chars: &[char], from: usize, wanted: impl Fn(char) -> bool) -> usize {
    (from..chars.len()).find(|&i| !wanted(chars[i])).unwrap_or(chars.len())
}

fn end_of_comment(chars: &[char], from: usize) -> usize {
    let (mut i, mut depth) = (from, 0);
    while i < chars.len() {
        match (chars[i], chars.get(i + 1)) {
            ('/', Some('*')) => (depth, i) = (depth + 1, i + 2),
            ('*', Some('/')) => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
        if depth == 0 {
            break;
        }
    }
    i
}

fn end_of_string(chars: &[char], from: usize) -> usize {
    let mut i = from + 1;
    while i < chars.len() && chars[i] != '"' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

/// How many `#` a raw string that begins here has; None where none begins.
fn raw_hashes(chars: &[char], from: usize) -> Option<usize> {
    let after_r = (from..chars.len().min(from + 2)).find(|&i| chars[i] == 'r')? + 1;
    let quote = skip_while(chars, after_r, |c| c == '#');
    (chars.get(quote) == Some(&'"')).then_some(quote - after_r)
}

fn end_of_raw_string(chars: &[char], from: usize) -> usize {
    let hashes = raw_hashes(chars, from).unwrap_or(0);
    let open = skip_while(chars, from, |c| c != '"');
    let closes =
        |i: &usize| chars[*i] == '"' && chars[i + 1..].iter().take_while(|c| **c == '#').count() >= hashes;
    (open + 1..chars.len()).find(closes).map_or(chars.len(), |i| i + 1 + hashes)
}

/// Every path into this crate: those that begin with `crate`, `self` or `super`, and in src/lib.rs all.
fn paths_of(tokens: &[Token], file_module: Vec<String>) -> Vec<NamedPath> {
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text.as_str());
    let (mut found, mut module, mut inline, mut depth, mut i) = (Vec::new(), file_module, Vec::new(), 0, 0);
    while i < tokens.len() {
        let begins_path = text(i + 1) == "::" && (i == 0 || text(i - 1) != "::");
        match text(i) {
            "mod" if text(i + 2) == "{" => {
                module.push(text(i + 1).to_string());
                inline.push(depth);
                (depth, i) = (depth + 1, i + 2);
            }
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                if inline.last() == Some(&depth) {
                    inline.pop();
                    module.pop();
                }
            }
            first if begins_path && (["crate", "self", "super"].contains(&first) || module.is_empty()) => {
                i = tree(tokens, i, &module, &mut found);
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    found
}

/// Reads one path or one branch of a `use` tree at `i`, below `prefix`; gives back where it ends.
fn tree(tokens: &[Token], mut i: usize, prefix: &[String], found: &mut Vec<NamedPath>) -> usize {
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text.as_str());
    let mut segments = prefix.to_vec();
    loop {
        match text(i) {
            "crate" => segments.clear(),
            "self" => {}
            "super" => {
                segments.pop();
            }
            word => segments.push(word.to_string()),
        }
        if text(i + 1) != "::" || matches!(text(i + 2), "<" | "") {
            break;
        }
        i += 2;
        if text(i) == "{" {
            i += 1;
            while i < tokens.len() && text(i) != "}" {
                i = tree(tokens, i, &segments, found);
                while i < tokens.len() && !matches!(text(i), "," | "}") {
                    i += 1; // `as another_name`
                }
                i += usize::from(text(i) == ",");
            }
            return i + 1;
        }
    }
    found.push(NamedPath { line: tokens[i].line, segments });
    i + 1
}

/// The functions a file exports: `#[unsafe(no_mangle)] pub … fn name`.
fn doors_of((_, text): &(String, String)) -> Vec<String> {
    let tokens = tokens_of(text);
    let marks = tokens.iter().enumerate().filter(|(_, token)| token.text == "no_mangle");
    let name_after = |(at, _): (usize, &Token)| {
        let keyword = tokens[at..].iter().position(|token| token.text == "fn")?;
        tokens.get(at + keyword + 1).map(|token| token.text.clone())
    };
    marks.filter_map(name_after).collect()
}

/// Calls of a door by its name alone, where no `use` gave that name another meaning.
fn bare_calls<'a>(tokens: &'a [Token], doors: &BTreeSet<String>) -> Vec<(usize, &'a str)> {
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text.as_str());
    let calls = (1..tokens.len()).filter(|&i| {
        let bare = text(i + 1) == "(" && !matches!(text(i - 1), "fn" | "::" | ".");
        let imported = || {
            (1..i)
                .any(|j| text(j) == text(i) && text(j + 1) != "(" && matches!(text(j - 1), "::" | "{" | ","))
        };
        bare && doors.contains(text(i)) && !imported()
    });
    calls.map(|i| (tokens[i].line, text(i))).collect()
}

fn has_run(tokens: &[Token], wanted: &[&str]) -> bool {
    tokens.windows(wanted.len()).any(|run| run.iter().zip(wanted).all(|(token, text)| token.text == *text))
}

/// src/ffi/life.rs is the module ffi::life, src/ffi/mod.rs is ffi, src/lib.rs is the root.
fn module_of(file: &str) -> Vec<String> {
    let inside = file.trim_start_matches("src/").trim_end_matches(".rs");
    inside.split('/').filter(|part| !["mod", "lib"].contains(part)).map(str::to_string).collect()
}

fn room_of(file: &str) -> String {
    module_of(file).into_iter().next().unwrap_or("lib".to_string())
}

// --------------------------------------------------------------------------------------------------------------- files

/// Every file with this ending under a folder of the project: name from the project's root on, and text.
fn files_under(folder: &str, ending: &str) -> Vec<(String, String)> {
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

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

#[track_caller]
fn assert_none(violations: Vec<String>) {
    assert!(violations.is_empty(), "{} broken:\n  {}", violations.len(), violations.join("\n  "));
}

// ------------------------------------------------------------------------------------------- the checker, on small cases

/// How many rules `text` breaks as `file`, with gpumex_life and histogram as doors.
fn broken(file: &str, text: &str) -> usize {
    let doors = ["gpumex_life", "histogram"].map(str::to_string).into();
    let text = if file.starts_with("src/ops/") || file.starts_with("src/cpu/") {
        format!("#![forbid(unsafe_code)]\n{text}")
    } else {
        text.to_string()
    };
    rust_violations(file, &text, &doors).len()
}

#[test]
fn a_door_that_names_a_backend_is_found() {
    assert_eq!(broken("src/ffi/life.rs", "use crate::ops::life;"), 0);
    assert_eq!(broken("src/ffi/life.rs", "use crate::cpu::life;"), 1);
    assert_eq!(broken("src/ffi/life.rs", "use crate::{error::Error, gpu::{self, Device}};"), 2);
    assert_eq!(broken("src/ffi/life.rs", "fn f() { super::super::gpu::reset(); }"), 1);
    assert_eq!(
        broken("src/ffi/life.rs", "// crate::cpu\n/* crate::gpu */ const A: &str = \"crate::gpu\";"),
        0
    );
}

#[test]
fn a_door_that_calls_another_is_found() {
    assert_eq!(broken("src/ffi/life.rs", "fn f() { super::histogram::histogram(a); }"), 1);
    assert_eq!(broken("src/ffi/life.rs", "fn f() { gpumex_life(a); }"), 1);
    assert_eq!(broken("src/ffi/life.rs", "fn f() { super::guard(\"gpumex_life\", a); }"), 0);
    assert_eq!(
        broken("src/ffi/histogram.rs", "use crate::ops::histogram::histogram; fn f() { histogram(a); }"),
        0
    );
    assert_eq!(broken("src/ffi/histogram.rs", "pub extern \"C\" fn histogram(a: i32) {}"), 0);
}

#[test]
fn a_cpu_import_beyond_error_is_found() {
    assert_eq!(broken("src/cpu/life.rs", "use crate::error::Result; use super::{Workers, zeros};"), 0);
    assert_eq!(broken("src/cpu/life.rs", "mod tests { use super::*; use super::super::Workers; }"), 0);
    assert_eq!(broken("src/cpu/life.rs", "use crate::array::Input;"), 1);
    assert_eq!(broken("src/cpu/mod.rs", "use super::settings;"), 1);
}

#[test]
fn a_backend_named_outside_ops_and_context_is_found() {
    assert_eq!(broken("src/ops/life.rs", "use crate::{cpu, gpu};"), 0);
    assert_eq!(broken("src/context.rs", "use crate::{cpu, gpu};"), 0);
    assert_eq!(broken("src/array.rs", "use crate::{cpu, gpu};"), 2);
    assert_eq!(broken("src/lib.rs", "mod cpu; pub mod ffi; pub use ffi::*;"), 0);
    assert_eq!(broken("src/lib.rs", "pub use cpu::Workers;"), 1);
    assert_eq!(
        broken("src/gpu/life.rs", "use super::Device; use crate::gpu::memory; use crate::array::Place;"),
        0
    );
    assert_eq!(broken("src/gpu/life.rs", "use crate::cpu; use crate::ops::life; use crate::ffi;"), 3);
    assert_eq!(broken("src/ops/life.rs", "use crate::ffi::guard;"), 1);
}

#[test]
fn a_slice_from_a_raw_pointer_outside_array_is_found() {
    assert_eq!(broken("src/array.rs", "unsafe { slice::from_raw_parts(p, n) }"), 0);
    assert_eq!(broken("src/gpu/memory.rs", "unsafe { slice::from_raw_parts_mut(p, n) }"), 1);
}

#[test]
fn unsafe_code_outside_its_one_place_is_found() {
    let doors = BTreeSet::new();
    let count = |file: &str, text: &str| rust_violations(file, text, &doors).len();
    assert_eq!(count("src/cpu/gemm.rs", "fn f() { unsafe { g() } }"), 0);
    assert_eq!(count("src/cpu/life.rs", "fn f() {}"), 1);
    assert_eq!(count("src/cpu/life.rs", "// #![forbid(unsafe_code)]"), 1);
    assert_eq!(count("src/cpu/life.rs", "#![deny(unsafe_code)]"), 1);
    assert_eq!(count("src/cpu/mod.rs", "#![deny(unsafe_code)]\nmod gemm;"), 0);
    assert_eq!(count("src/cpu/mod.rs", "#![deny(unsafe_code)]\nfn f() { unsafe { g() } }"), 1);
    assert_eq!(count("src/ops/mod.rs", "#![deny(unsafe_code)]"), 1);
}

#[test]
fn the_lexer_passes_over_strings_characters_and_lifetimes() {
    let text = r##"let a = ('"', '\'', b"x", r#"crate::gpu " "#, "\" crate::gpu"); fn f<'a>(b: &'a str) { crate::gpu::go() }"##;
    assert_eq!(broken("src/ffi/life.rs", text), 1);
    assert_eq!(broken("src/ffi/life.rs", "/* a /* nested */ crate::gpu::go() */ crate::cpu::go()"), 1);
}

#[test]
fn a_violation_names_file_line_and_rule() {
    let found = rust_violations(
        "src/ffi/life.rs",
        "use crate::error;\n/* two\nlines */ use crate::gpu;",
        &BTreeSet::new(),
    );
    assert_eq!(
        found,
        ["src/ffi/life.rs:3: names crate::gpu; only src/ops and src/context.rs know the backends"]
    );
}

#[test]
fn a_wrong_include_is_found() {
    let count = |file: &str, text: &str| include_violations(file, text).len();
    let good = "#include \"kernels.h\"\n#include \"prim/grid.cuh\"\n#include <cuda_fp16.h>\n#include <cub/device/x.cuh>";
    assert_eq!(count("kernels/life.cu", good), 0);
    assert_eq!(count("kernels/life.cu", "#include \"histogram.cu\"\n#  include <../histogram.cu>"), 2);
    assert_eq!(count("kernels/life.cu", "#include <cub/cub.cuh>\n#include \"../src/gpu/life.h\""), 2);
    assert_eq!(count("kernels/prim/grid.cuh", "#include \"warp.cuh\"\n#include <stdint.h>"), 0);
    assert_eq!(count("kernels/prim/grid.cuh", "#include \"../kernels.h\"\n#include \"kernels.h\""), 2);
    assert_eq!(count("kernels/kernels.h", "#include <stdint.h>\n#include \"prim/grid.cuh\""), 1);
}

#[test]
fn a_launcher_on_one_side_only_is_found() {
    let header = launchers(
        "typedef struct s *gpumexk_stream; /* gpumexk_c( */\nint gpumexk_a(gpumexk_stream s); int gpumexk_b (void);",
    );
    let rust =
        launchers("unsafe extern \"C\" { pub fn gpumexk_a(stream: Stream) -> i32; fn gpumexk_z() -> i32; }");
    let found = set_differences("h", &header, "rs", &rust);
    assert_eq!(found, ["gpumexk_b is in h, not in rs", "gpumexk_z is in rs, not in h"]);
}
