//! The documentation site: its examples print what the pages show, in every language; its figures are recorded ones; it builds
//! without a warning, and its links lead somewhere.
//!
//! Without .toolkit/docs (`make docs`) the site is not built here; GPUMEX_REQUIRE_SPHINX=1 makes that a failure.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use crate::c_abi::programs::{Language, Workplace, root};
use crate::common::{Context, leave_out_unless};
use crate::octave;

/// Operations without an example in MATLAB and Octave; their pages say what there is.
const NO_MATLAB: &[&str] = &[
    "add",
    "axpy",
    "check_sorted",
    "convolve",
    "dot",
    "gather",
    "gather_nd",
    "interval_move",
    "locality_sort",
    "map_reduce",
    "map_scan",
    "median_filter",
    "permute",
    "reduce_dim",
    "scale",
    "scan_dim",
    "scatter",
    "scatter_nd",
    "stencil",
];

/// Of the examples those that print what depends on the machine.
const NO_OUTPUT: [&str; 1] = ["is_my_gpu_used"];

fn examples(ending: &str) -> Vec<PathBuf> {
    let mut files = files_below(&root().join("docs/examples"), ending);
    files.sort();
    files
}

fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("a folder that can be read").flatten().map(|entry| entry.path());
    let found = entries.flat_map(|path| if path.is_dir() { files_below(&path, ending) } else { vec![path] });
    found.filter(|path| path.extension() == Some(OsStr::new(ending))).collect()
}

fn stem(path: &Path) -> &str {
    path.file_stem().and_then(OsStr::to_str).expect("a file with a plain name")
}

/// Blanks at the ends of lines are not seen on a page.
fn without_blanks(text: &str) -> String {
    text.lines().map(|line| line.trim_end().to_string() + "\n").collect()
}

fn names(ending: &str) -> BTreeSet<String> {
    examples(ending).iter().map(|path| stem(path).to_string()).collect()
}

#[test]
fn c_and_cpp_examples_print_what_their_pages_show() {
    let sources: Vec<_> = [("c", Language::C99), ("cpp", Language::Cpp17)]
        .into_iter()
        .flat_map(|(ending, language)| examples(ending).into_iter().map(move |source| (source, language)))
        .collect();
    assert!(sources.len() > 30, "{} examples", sources.len());
    let of_headers = Workplace::new("docs-headers");
    let headers = of_headers.precompiled(Language::Cpp17, &root().join("include/gpumex.hpp"), &["-O0"]);
    let queue = Mutex::new(sources.into_iter());
    thread::scope(|scope| {
        for worker in 0..thread::available_parallelism().map_or(1, usize::from) {
            let (queue, headers, workplace) =
                (&queue, &headers[..], Workplace::new(&format!("docs-{worker}")));
            scope.spawn(move || {
                while let Some((source, language)) = next(queue) {
                    print_what_is_shown(&workplace, &source, language, headers);
                }
            });
        }
    });
}

fn next<T>(items: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    items.lock().unwrap_or_else(|poison| poison.into_inner()).next()
}

fn print_what_is_shown(workplace: &Workplace, source: &Path, language: Language, headers: &str) {
    let program = workplace.compile_with(language, source, &["-I", headers], &["-O0"]);
    for backend in [Some("cpu"), Context::cuda().map(|_| "cuda")].into_iter().flatten() {
        let said = workplace.program(&program).env("GPUMEX_BACKEND", backend).succeeds();
        assert_eq!(said.stderr, "", "{} on {backend}", source.display());
        if !NO_OUTPUT.contains(&stem(source)) {
            let shown = fs::read_to_string(source.with_extension("out")).expect("an example has its output");
            assert_eq!(
                without_blanks(&said.stdout),
                without_blanks(&shown),
                "{} on {backend}",
                source.display()
            );
        }
    }
}

#[test]
fn octave_examples_print_what_their_pages_show() {
    if !octave::octave_is_here() {
        return;
    }
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs-octave");
    let _ = fs::remove_dir_all(&copy);
    octave::copy_files(&root().join("matlab"), &copy.join("matlab"));
    octave::copy_files(&root().join("include"), &copy.join("include"));
    let matlab = copy.join("matlab");
    octave::build(&mut octave::octave(&matlab, "build_gpumex"));
    let [tests, folder] = ["tests/docs_site", "docs/examples"].map(|path| octave::quoted(&root().join(path)));
    let line = format!("addpath ('{tests}'); run_examples ('{folder}')");
    let said = octave::succeeds(&mut octave::octave(&matlab, &line));
    assert!(said.contains(&format!("examples: {} right, 0 wrong", examples("m").len())), "{said}");
}

#[test]
fn every_operation_has_its_example_in_each_language() {
    let pages: BTreeSet<_> = files_below(&root().join("docs/operations"), "md")
        .iter()
        .map(|page| stem(page).to_string())
        .filter(|page| page != "index")
        .collect();
    let missing = |ending| pages.difference(&names(ending)).cloned().collect::<Vec<_>>();
    assert_eq!(missing("c"), [""; 0]);
    assert_eq!(missing("out"), [""; 0]);
    assert_eq!(missing("m"), NO_MATLAB);
    for ending in ["cpp", "rs"] {
        let missing = missing(ending);
        assert!(missing.is_empty() || missing.len() == pages.len(), "docs/examples/*.{ending}: {missing:?}");
    }
}

/// The functions of the groups of operations and primitives, each on a page.
#[test]
fn every_operation_of_the_header_has_a_page() {
    let header = fs::read_to_string(root().join("include/gpumex.h")).expect("the header is there");
    let pages: String =
        files_below(&root().join("docs/operations"), "md").iter().flat_map(fs::read_to_string).collect();
    let shown: BTreeSet<_> = pages
        .split("```{interface} ")
        .skip(1)
        .flat_map(|part| part.lines().next().unwrap_or_default().split_whitespace())
        .collect();
    for group in ["operations", "primitives"] {
        for part in header.split(&format!("@ingroup gpumex_{group}\n */\n")).skip(1) {
            let declared = part.split(';').next().unwrap_or_default();
            let Some((before, _)) = declared.split_once('(') else { continue };
            let name = before.split_whitespace().last().unwrap_or_default();
            let is_function = declared.contains("GPUMEX_API") && name.starts_with("gpumex_");
            assert!(!is_function || shown.contains(name), "{name} is on no page of docs/operations");
        }
    }
}

/// Messages in the tables of troubleshooting, but for those of the linker and the loader, are in the code that gives them.
#[test]
fn troubleshooting_quotes_real_messages() {
    let page = fs::read_to_string(root().join("docs/start/troubleshooting.md")).expect("the page is there");
    let code = code_with_dots();
    let tables = page.split("\n## ").filter(|part| !part.starts_with("When a program is linked or started"));
    let rows = tables.flat_map(str::lines).filter(|line| line.starts_with("| ") && line.contains('`'));
    let mut quotes = 0;
    for row in rows {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let quoted =
            cells[1..3].iter().find(|cell| cell.starts_with('`')).and_then(|cell| cell.split('`').nth(1));
        for part in quoted.unwrap_or_default().split('…').filter(|part| part.len() > 8) {
            assert!(code.contains(part), "no message has \"{part}\"");
            quotes += 1;
        }
    }
    assert!(quotes > 15, "{quotes} parts of messages");
}

/// The library's code and the scripts, in whose texts a placeholder is three dots and a continued line goes on.
fn code_with_dots() -> String {
    let sources = files_below(&root().join("src"), "rs").into_iter();
    let scripts = ["scripts/check-tools", "scripts/cuda-compiler"].map(|name| root().join(name));
    let text: String = sources.chain(scripts).flat_map(fs::read_to_string).collect();
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    let joined = lines.join("\n").replace("\\\n", "");
    joined.split('{').map(without_placeholder).collect::<Vec<_>>().join("…")
}

/// What follows an opening brace, without the name that the brace may hold.
fn without_placeholder(part: &str) -> &str {
    match part.split_once('}') {
        Some((name, rest)) if !name.contains(char::is_whitespace) => rest,
        _ => part,
    }
}

/// docs/data holds what benches/results has, with a machine and a date.
#[test]
fn plots_show_recorded_figures() {
    let pages = files_below(&root().join("benches/results"), "md");
    let results: String =
        pages.iter().map(|page| fs::read_to_string(page).expect("a page can be read")).collect();
    let is_number = |text: &&str| text.contains('.') && text.parse::<f64>().is_ok();
    let recorded: BTreeSet<_> =
        results.split(|c: char| c.is_whitespace() || "|,;".contains(c)).filter(is_number).collect();
    let files = files_below(&root().join("docs/data"), "csv");
    assert!(files.len() > 10, "{} tables", files.len());
    for file in files {
        let text = fs::read_to_string(&file).expect("a table can be read");
        let (machine, rest) = text.split_once('\n').expect("a first line");
        assert!(machine.starts_with("# ") && machine.contains(", 20"), "{}: {machine}", file.display());
        for figure in rest.lines().skip(2).flat_map(|line| line.split(',')).filter(is_number) {
            assert!(recorded.contains(figure), "{}: {figure} is not in benches/results", file.display());
        }
    }
}

#[test]
fn the_site_builds_without_a_warning_and_its_links_lead_somewhere() {
    if !root().join(".toolkit/docs/.stamp").exists() {
        return leave_out_unless(
            "GPUMEX_REQUIRE_SPHINX",
            "documentation site: `make docs` fetches what builds it",
        );
    }
    let workplace = Workplace::new("docs-site");
    let site = workplace.path("site");
    let output = Command::new(root().join("scripts/build-docs")).arg(&site).output().expect("bash is here");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
    let broken = broken_links(&site);
    assert!(broken.is_empty(), "{} links lead nowhere: {:?}", broken.len(), &broken[..broken.len().min(9)]);
}

/// Links within the site to files and anchors that are not there, and files that a page would fetch from elsewhere.
fn broken_links(site: &Path) -> Vec<String> {
    let text = |page: &PathBuf| (page.clone(), fs::read_to_string(page).expect("a page is text"));
    let pages: BTreeMap<_, _> = files_below(site, "html").iter().map(text).collect();
    let anchors: BTreeMap<_, BTreeSet<_>> =
        pages.iter().map(|(page, text)| (page, values(text, " id=\"").collect())).collect();
    let mut broken = Vec::new();
    for (page, text) in &pages {
        for link in values(text, " src=\"").filter(|link| link.contains("//")) {
            broken.push(format!("{}: fetches {link}", page.display()));
        }
        for link in
            values(text, " href=\"").filter(|link| !link.contains("//") && !link.starts_with("mailto:"))
        {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = path.split('?').next().unwrap_or_default();
            let target =
                if path.is_empty() { Ok(page.clone()) } else { page.with_file_name(path).canonicalize() };
            let known = |target: &PathBuf| {
                anchor.is_empty() || anchors.get(target).is_none_or(|ids| ids.contains(anchor))
            };
            if !target.as_ref().is_ok_and(known) {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    broken
}

fn values<'a>(text: &'a str, attribute: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(attribute).skip(1).filter_map(|rest| rest.split('"').next())
}
