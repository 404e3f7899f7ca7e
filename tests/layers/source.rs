//! Rust and C source as tokens, and the paths and functions that are named in them.

use std::collections::BTreeSet;

pub struct Token {
    pub line: usize,
    pub text: String, // an identifier, `::` or one other character; strings and characters are an empty token
}

pub struct NamedPath {
    pub line: usize,
    pub segments: Vec<String>, // from the crate's root on
}

/// Rust or C source as tokens, without comments and without what strings hold.
pub fn tokens_of(source: &str) -> Vec<Token> {
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
pub fn paths_of(tokens: &[Token], file_module: Vec<String>) -> Vec<NamedPath> {
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
pub fn entry_points_of((_, text): &(String, String)) -> Vec<String> {
    let tokens = tokens_of(text);
    let marks = tokens.iter().enumerate().filter(|(_, token)| token.text == "no_mangle");
    let name_after = |(at, _): (usize, &Token)| {
        let keyword = tokens[at..].iter().position(|token| token.text == "fn")?;
        tokens.get(at + keyword + 1).map(|token| token.text.clone())
    };
    marks.filter_map(name_after).collect()
}

/// Calls of an entry_point by its name alone, where no `use` gave that name another meaning.
pub fn bare_calls<'a>(tokens: &'a [Token], entry_points: &BTreeSet<String>) -> Vec<(usize, &'a str)> {
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text.as_str());
    let calls = (1..tokens.len()).filter(|&i| {
        let bare = text(i + 1) == "(" && !matches!(text(i - 1), "fn" | "::" | ".");
        let imported = || {
            (1..i)
                .any(|j| text(j) == text(i) && text(j + 1) != "(" && matches!(text(j - 1), "::" | "{" | ","))
        };
        bare && entry_points.contains(text(i)) && !imported()
    });
    calls.map(|i| (tokens[i].line, text(i))).collect()
}

/// The functions that a C file defines for others, and all that it calls.
#[derive(Default)]
pub struct CFunctions {
    pub defined: BTreeSet<String>,
    pub called: BTreeSet<String>,
}

pub fn c_functions(tokens: &[Token]) -> CFunctions {
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text.as_str());
    let (mut found, mut depth, mut is_static) = (CFunctions::default(), 0, false);
    for i in 0..tokens.len() {
        match text(i) {
            "{" => depth += 1,
            "}" => depth -= 1,
            "static" if depth == 0 => is_static = true,
            name if text(i + 1) == "(" && depth > 0 => _ = found.called.insert(name.to_string()),
            name if text(i + 1) == "(" && !is_static && text(end_of_parentheses(tokens, i + 1)) == "{" => {
                found.defined.insert(name.to_string());
            }
            _ => {}
        }
        is_static &= !(depth == 0 && [";", "}"].contains(&text(i)));
    }
    found
}

/// The token behind the `)` of the `(` at `open`.
fn end_of_parentheses(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        depth += i32::from(token.text == "(") - i32::from(token.text == ")");
        if depth == 0 {
            return i + 1;
        }
    }
    tokens.len()
}

pub fn has_run(tokens: &[Token], wanted: &[&str]) -> bool {
    tokens.windows(wanted.len()).any(|run| run.iter().zip(wanted).all(|(token, text)| token.text == *text))
}

/// src/ffi/life.rs is the module ffi::life, src/ffi/mod.rs is ffi, src/lib.rs is the root.
pub fn module_of(file: &str) -> Vec<String> {
    let inside = file.trim_start_matches("src/").trim_end_matches(".rs");
    inside.split('/').filter(|part| !["mod", "lib"].contains(part)).map(str::to_string).collect()
}

pub fn top_module_of(file: &str) -> String {
    module_of(file).into_iter().next().unwrap_or("lib".to_string())
}
