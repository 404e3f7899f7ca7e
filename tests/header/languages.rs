//! The header in each C and C++ standard, with all warnings: alone, with its initialisers, and with unused results.

use std::fs;

use super::header_file;
use super::parser::Header;
use crate::c_abi::programs::{Language, Workplace, is_here, root, try_compile};

const SHAPES: [&[&str]; 3] = [&[], &["-DGPUMEX_NO_PLAIN_NAMES"], &["-DGPUMEX_MATLAB_LOADLIBRARY"]];

/// Alone, first and twice in a file, in every shape that it has.
#[test]
fn the_header_stands_alone_in_every_standard() {
    let workplace = Workplace::new("header");
    let text = "#include <gpumex.h>\n#include \"gpumex.h\"\nint main(void) { return 0; }\n";
    let source = workplace.write("alone.c", text);
    for language in Language::EVERY {
        let is_old = matches!(language, Language::C90 | Language::Cpp98); // MATLAB reads no pragma either, and takes C99
        for shape in &SHAPES[..if is_old { 2 } else { 3 }] {
            workplace.compile(language, &source, &[&["-pedantic"][..], shape].concat());
        }
    }
}

#[test]
fn plain_names_can_be_left_out() {
    let workplace = Workplace::new("header-plain");
    let text = "#include <gpumex.h>\nint main(void) { return histogram(NULL, 0, NULL) == 0; }\n";
    let source = workplace.write("plain.c", text);
    workplace.compile(Language::C99, &source, &[]);
    let hidden = try_compile(Language::C99, &source, &workplace.path("hidden"), SHAPES[1]);
    assert!(!hidden.0, "GPUMEX_NO_PLAIN_NAMES leaves `histogram` declared");
}

/// -Wextra warns of an initialiser that leaves a field out, but for those with names.
#[test]
fn initialisers_name_every_field_in_every_standard() {
    let workplace = Workplace::new("header-init");
    let header = Header::parse(&fs::read_to_string(header_file()).unwrap());
    let versioned = header.structs.iter().filter(|found| found.is_versioned());
    let uses: String = versioned
        .map(|found| {
            let (name, init) = (&found.name, found.name.to_uppercase());
            format!("    {{ {name} it = {init}_INIT; wrong += it.size != sizeof it; }}\n")
        })
        .collect();
    assert!(uses.lines().count() > 30, "{uses}");
    let source =
        format!("#include <gpumex.h>\nint main(void) {{\n    int wrong = 0;\n{uses}    return wrong;\n}}\n");
    let source = workplace.write("init.c", source);
    for language in Language::EVERY {
        let program = workplace.compile(language, &source, &["-pedantic"]);
        workplace.program(program).succeeds();
    }
    let text = fs::read_to_string(&source).unwrap();
    let short = text.replace("GPUMEX_SORT_OPTIONS_INIT", "{sizeof(gpumex_sort_options), 0}");
    let short = workplace.write("short.c", short);
    for language in [Language::C90, Language::C99, Language::Cpp98, Language::Cpp20] {
        let (compiled, complaint) = try_compile(language, &short, &workplace.path("short"), &[]);
        assert!(
            !compiled && complaint.contains("missing"),
            "a short list passes in {language:?}: {complaint}"
        );
    }
}

const OPTIONS: &str = "\
#include <gpumex.h>
static int32_t order(const gpumex_sort_options *options) { return options->order; }
static int is_right(const gpumex_sort_options *options) {
    return options->size == sizeof *options && options->dtype == GPUMEX_DTYPE_I32 && options->payload == 0
           && order(options) == GPUMEX_SORT_ORDER_DESCENDING;
}
int main(void) {
    return !is_right(GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_I32, .order = GPUMEX_SORT_ORDER_DESCENDING));
}
";

#[test]
fn options_can_be_written_in_the_call_from_c99_and_cpp20_on() {
    let workplace = Workplace::new("header-options");
    let source = workplace.write("options.c", OPTIONS);
    for language in Language::EVERY {
        if language == Language::C90 || (language.is_cpp() && language < Language::Cpp20) {
            let (compiled, complaint) = try_compile(language, &source, &workplace.path("older"), &[]);
            assert!(!compiled && complaint.contains("GPUMEX_OPTIONS"), "{language:?}: {complaint}");
        } else {
            let program = workplace.compile(language, &source, &["-pedantic"]);
            workplace.program(program).succeeds();
        }
    }
}

#[test]
fn an_unused_result_is_warned_of_and_that_of_destroy_is_not() {
    let workplace = Workplace::new("header-unused");
    let text = "#include <gpumex.h>\nint main(void) { gpumex_context_destroy(NULL); CALL return 0; }\n";
    let source = workplace.write("unused.c", text);
    for language in Language::EVERY {
        workplace.compile(language, &source, &["-DCALL="]);
        let call = "-DCALL=gpumex_context_synchronize(NULL);";
        let (compiled, complaint) = try_compile(language, &source, &workplace.path("unused"), &[call]);
        assert!(!compiled && complaint.contains("unused-result"), "{language:?}: {complaint}");
        workplace.compile(language, &source, &[call, "-DGPUMEX_NODISCARD="]);
    }
}

/// clang, where it is here, and no warning of the header's own that GCC does not know.
#[test]
fn clang_takes_the_header() {
    if !is_here("clang") {
        return crate::common::leave_out("clang: it is not here");
    }
    for (compiler, kind, standards) in
        [("clang", "c", "c90 c99 c11 c17 c2x"), ("clang++", "c++", "c++98 c++17 c++20")]
    {
        for standard in standards.split(' ') {
            let mut command = std::process::Command::new(compiler);
            command.args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", "-x", kind]);
            command.arg(format!("-std={standard}")).arg(format!("-I{}", root().join("include").display()));
            let output = command.arg(header_file()).output().unwrap();
            assert!(output.status.success(), "{standard}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}
