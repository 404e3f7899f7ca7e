//! The memory that operations allocate is what their `@note Memory:` in the header says: three formulas, of C expressions between
//! backquotes. For each such function a C function of the same parameters is made here that calls it and evaluates them, and
//! tests/c_abi/memory_use.c compares. docs/memory.md is the table of the formulas, which `make header` writes.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs};

use super::c_source;
use super::programs::{Language, Workplace, root};
use crate::header;
use crate::header::parser::{Function, Header, Variable};

/// How many elements operations get on the CPU.
const SIZES: [&str; 2] = ["100000", "2000000"];

const FLAGS: [&str; 2] = ["-std=gnu11", "-Wno-pedantic"]; // benches/operations.h is of GNU C

/// Functions with a note that no row of benches/operations.h calls: managed memory alone; a text that is in host memory, as print_to.
const WITHOUT_ROW: [&str; 2] = ["gpumex_prefetch", "gpumex_print"];

/// A formula, and whether it is an upper bound.
#[derive(Clone, Debug, PartialEq)]
struct Formula {
    text: String,
    is_most: bool,
}

/// On the CPU backend, on CUDA, and more there for arrays in host memory.
type Formulas = [Formula; 3];

/// The note of a function, if it has one.
fn formulas(function: &Function) -> Option<Formulas> {
    let (_, note) = function.documentation.split_once("@note Memory: ")?;
    let note = note.split("\n@").next().unwrap_or_default().replace('\n', " ");
    let mut rest = &*note;
    Some(["CPU ", "CUDA ", "arrays on the host "].map(|label| {
        let formula = rest.strip_prefix(label).and_then(|begin| {
            let (begin, is_most) =
                begin.strip_prefix("at most ").map_or((begin, false), |begin| (begin, true));
            let (text, behind) = begin.strip_prefix('`')?.split_once('`')?;
            rest = behind.trim_start_matches([';', '.', ' ']);
            Some(Formula { text: text.to_string(), is_most })
        });
        formula.unwrap_or_else(|| panic!("{}: no {label:?} where it should be in {note:?}", function.name))
    }))
}

/// What names of a formula are in C.
struct Names<'h> {
    header: &'h Header,
    function: &'h Function,
    fields: &'h [Variable],
}

impl<'h> Names<'h> {
    fn of(header: &'h Header, function: &'h Function) -> Names<'h> {
        let kind = kind_of_options(function);
        let found = header.structs.iter().find(|one| Some(&*one.name) == kind);
        Names { header, function, fields: found.map_or(&[], |one| &one.fields) }
    }

    fn in_c(&self, name: &str, is_member: bool) -> String {
        let has = |variables: &[Variable]| variables.iter().any(|variable| variable.name == name);
        let field = |name: &str| match has(self.fields) || self.fields.iter().any(|field| field.name == name)
        {
            true => format!("given->{name}"),
            false => "0".to_string(),
        };
        match name {
            _ if is_member || has(&self.function.parameters) => name.to_string(),
            "sizeof" => "width".to_string(),
            "wide" | "widened" | "copied" | "converting" | "min" | "max" | "sqrt" | "threads" | "ranks"
            | "halo" => name.to_string(),
            "payload_bytes" => {
                format!(
                    "payload_bytes({}, {}, {})",
                    field("payload"),
                    field("value_dtype"),
                    field("index_dtype")
                )
            }
            "elements" => {
                let is_parameter = self.function.parameters.iter().any(|parameter| parameter.name == "shape");
                let shape = if is_parameter { "shape".to_string() } else { field("shape") };
                format!("elements({shape}, {})", field("rank"))
            }
            "taken" => format!("taken_of({}, {}, {})", field("shape"), field("counts"), field("rank")),
            "mask_positions" | "positions" => {
                let fields = ["shape", "counts", "indices", "index_dtypes", "rank"].map(field).join(", ");
                format!("positions_of({fields}, {})", i32::from(name == "mask_positions"))
            }
            "input_bytes" => format!("input_bytes({}, input_count)", field("dtypes")),
            "pair_bytes" => {
                format!("pair_bytes(wide({}), {})", field("dtype"), self.in_c("payload_bytes", false))
            }
            _ if has(self.fields) => format!("given->{name}"),
            _ => {
                let ending = format!("_{name}");
                let constants =
                    self.header.constants.iter().filter(|(constant, _)| constant.ends_with(&ending));
                match constants.collect::<Vec<_>>()[..] {
                    [(constant, _)] => constant.clone(),
                    _ => panic!("{}: its note names {name:?}, which is nothing of it", self.function.name),
                }
            }
        }
    }

    /// The formula as an expression of C.
    fn expression(&self, formula: &str) -> String {
        let (mut code, mut rest) = (String::new(), formula);
        while let Some(first) = rest.chars().next() {
            let is_word = |next: char| next.is_ascii_alphanumeric() || next == '_' || next == '.';
            let end = if is_word(first) { rest.find(|next| !is_word(next)).unwrap_or(rest.len()) } else { 1 };
            let (token, behind) = rest.split_at(end);
            match first.is_ascii_alphabetic() {
                true => code.push_str(&self.in_c(token, code.ends_with("->"))),
                false => code.push_str(token),
            }
            rest = behind;
        }
        code
    }
}

/// The struct of the options, which functions of one rank and of several share.
fn kind_of_options(function: &Function) -> Option<&str> {
    let options = function.parameters.iter().find(|parameter| parameter.name == "options");
    options.map(|options| options.kind.trim_start_matches("const ").trim_end_matches([' ', '*']))
}

/// A function that does as another, and evaluates its note.
fn stand_in(header: &Header, function: &Function, formulas: &Formulas) -> String {
    let names = Names::of(header, function);
    let Function { name, parameters, .. } = function;
    let list = |of: &dyn Fn(&Variable) -> String| parameters.iter().map(of).collect::<Vec<_>>().join(", ");
    let declared = list(&|parameter| format!("{} {}", parameter.kind, parameter.name));
    let passed = list(&|parameter| parameter.name.clone());
    let mut code = format!("static inline int32_t noted_{name}({declared}) {{\n");
    let _ = writeln!(code, "    const int32_t status = {name}({passed});\n    noted.function = \"{name}\";");
    if let Some(kind) = kind_of_options(function).filter(|_| !names.fields.is_empty()) {
        let _ = writeln!(
            code,
            "    const {kind} none = {{0}}, *const given = options != NULL ? options : &none;\n    (void)given;"
        );
    }
    for (place, Formula { text, is_most }) in ["cpu", "cuda", "host"].iter().zip(formulas) {
        let expression = names.expression(text);
        let _ = writeln!(
            code,
            "    noted.{place} = {expression};\n    noted.is_{place}_most = {};",
            i32::from(*is_most)
        );
    }
    code + "    return status;\n}\n"
}

/// What memory_use.h includes.
fn stand_ins(header: &Header) -> String {
    let with_notes: Vec<_> =
        header.functions.iter().filter_map(|one| formulas(one).map(|formulas| (one, formulas))).collect();
    let functions: String =
        with_notes.iter().map(|(one, formulas)| stand_in(header, one, formulas)).collect();
    let names: String =
        with_notes.iter().map(|(one, _)| format!("#define {0} noted_{0}\n", one.name)).collect();
    functions + &names
}

#[test]
fn operations_allocate_what_the_header_says() {
    let workplace = Workplace::new("memory-use");
    let notes = workplace.write("memory_notes.h", stand_ins(&header::parsed()));
    if let Some(copy) = env::var_os("GPUMEX_MEMORY_NOTES") {
        fs::copy(&notes, copy).expect("GPUMEX_MEMORY_NOTES names a file that can be written"); // for scripts/bundle
    }
    let folder = format!("-I{}", notes.parent().expect("a file has a folder").display());
    let flags = [&FLAGS[..], &[&folder]].concat();
    let program = workplace.compile_with(Language::C11, &c_source("memory_use.c"), &flags, &[]);
    let ended = workplace.program(&program).args(["cpu"]).args(SIZES).within(Duration::from_secs(900)).run();
    let marked: Vec<_> = ended.stdout.lines().filter(|line| !line.ends_with(char::is_numeric)).collect();
    assert!(ended.status.success(), "{}\n{}", marked.join("\n"), ended.stderr);
    assert!(ended.stdout.lines().count() > 2 * 60, "few were measured:\n{}", ended.stdout);
}

/// An operation is what takes a context, or a communicator, and has a cost.
#[test]
fn each_operation_states_its_memory_and_is_measured() {
    let header = header::parsed();
    let rows = ["benches/operations.h", "benches/ranks.h"].map(|file| fs::read_to_string(root().join(file)));
    let rows = rows.map(|file| file.expect("the table of the operations")).concat();
    let mut missing = Vec::new();
    for function in &header.functions {
        let has_note = formulas(function).is_some();
        let first = function.parameters.first().map(|first| &*first.kind);
        let is_operation = matches!(first, Some("gpumex_context *" | "gpumex_comm *"))
            && function.documentation.contains("Cost: ");
        let name = function.name.trim_start_matches("gpumex_");
        let has_row = rows.contains(&format!("\", {name}, ")) || WITHOUT_ROW.contains(&&*function.name);
        if (is_operation && !has_note) || (has_note && !has_row) {
            missing.push(format!("{}: note {has_note}, row {has_row}", function.name));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// docs/memory.md, of the header.
pub fn table(header: &Header) -> String {
    let before = "<!-- written by make header -->\n\n";
    let page = fs::read_to_string(file()).expect("docs/memory.md");
    let (text, _) = page.split_once(before).expect("the line that says where the table begins");
    let mut table = format!(
        "{text}{before}| function | CPU backend | CUDA backend | more there for arrays on the host |\n|---|---|---|---|\n"
    );
    for (function, formulas) in
        header.functions.iter().filter_map(|one| formulas(one).map(|formulas| (one, formulas)))
    {
        let cells = formulas.map(|Formula { text, is_most }| match is_most {
            true => format!("at most `{text}`"),
            false => format!("`{text}`"),
        });
        let _ = writeln!(table, "| {} | {} |", function.name, cells.join(" | "));
    }
    table
}

pub fn file() -> PathBuf {
    root().join("docs/memory.md")
}
