//! The header as a page that people read: narrow, ASCII, every function and parameter described, every error listed.

use std::fs;

use super::header_file;
use super::parser::{Function, Header};

fn text() -> String {
    fs::read_to_string(header_file()).unwrap()
}

#[test]
fn lines_have_100_columns_of_ascii_at_most() {
    let text = text();
    let long: Vec<_> = text.lines().filter(|line| line.chars().count() > 100 || !line.is_ascii()).collect();
    assert!(long.is_empty(), "too long, or not ASCII:\n{}", long.join("\n"));
}

/// What C90 does not know: // outside a text.
#[test]
fn comments_are_those_of_c90() {
    let text = text();
    let modern: Vec<_> = text.lines().filter(|line| line.trim_start().starts_with("//")).collect();
    assert!(modern.is_empty(), "{}", modern.join("\n"));
}

#[test]
fn each_function_is_described_in_full() {
    let text = text();
    let header = Header::parse(&text);
    assert!(header.functions.len() > 70, "only {} functions", header.functions.len());
    let missing: Vec<_> = header.functions.iter().flat_map(|function| complaints(function, &text)).collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    for callback in &header.callbacks {
        assert!(callback.documentation.starts_with("@brief "), "{}", callback.name);
    }
    for found in &header.structs {
        assert!(!found.documentation.is_empty(), "{} is not described", found.name);
    }
}

fn complaints(function: &Function, header: &str) -> Vec<String> {
    let Function { name, documentation, result, .. } = function;
    let mut missing = Vec::new();
    let mut expect = |holds: bool, what: &str| {
        if !holds {
            missing.push(format!("{name}: {what}"));
        }
    };
    let described: Vec<_> = documentation.lines().filter_map(|line| line.strip_prefix("@param ")).collect();
    let described: Vec<_> = described.iter().map(|line| line.split(' ').next().unwrap_or_default()).collect();
    let parameters: Vec<_> = function.parameters.iter().map(|parameter| &*parameter.name).collect();
    expect(documentation.starts_with("@brief "), "no brief sentence");
    expect(described == parameters, &format!("@param of {described:?}, not of {parameters:?}"));
    expect(documentation.contains("\n@return "), "no @return");
    let group = documentation.lines().find_map(|line| line.strip_prefix("@ingroup ")).unwrap_or("(none)");
    expect(header.contains(&format!("@defgroup {group} ")), &format!("its @ingroup is {group}"));
    let is_listed =
        ["NULL_POINTER", "INVALID_ARGUMENT", "BUSY", "0 (GPUMEX_STATUS_OK)", "@return A gpumex_status"];
    expect(
        result != "int32_t" || is_listed.iter().any(|status| documentation.contains(status)),
        "no list of errors",
    );
    expect(!documentation.contains("rrors: as"), "errors of another function, which may not be there");
    missing
}

/// The results that nobody needs to look at, or that cannot fail.
#[test]
fn results_that_matter_are_must_use() {
    let header = Header::parse(&text());
    let free = header.functions.iter().filter(|function| !function.must_use).map(|function| &*function.name);
    let unexpected: Vec<_> = free
        .filter(|name| {
            let ends = [
                "_destroy",
                "_free",
                "_trim",
                "_prefetch",
                "_cancel",
                "_set_progress",
                "_set_log_callback",
                "_reset_default",
            ];
            let tells = ["_text", "_string", "_error", "_status", "_version", "_info", "_default"];
            !ends.iter().chain(&tells).any(|end| name.ends_with(end))
        })
        .collect();
    assert!(unexpected.is_empty(), "not #[must_use]: {unexpected:?}");
}
