//! include/gpumex.hpp as C++17 and C++20, with gcc and clang and all warnings: it reaches everything in gpumex.h, stands
//! alone, in two translation units and without RTTI, refuses wrong types with a sentence, and the programs of tests/cpp
//! and the examples of cpp_examples are right on every backend.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::c_abi::programs::{Language, Workplace, built, is_here, root};
use crate::common::{Context, leave_out};
use crate::header;
use crate::header::parser::Struct;

const WARNINGS: [&str; 8] = [
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Wsign-conversion",
    "-Wshadow",
    "-Wnon-virtual-dtor",
    "-Werror",
];

/// Templates are instantiated, and nothing is written.
const CHECK: &str = "-fsyntax-only";

/// One run of a compiler, at -O0.
struct Compilation {
    compiler: &'static str,
    standard: &'static str,
    arguments: Vec<PathBuf>,
}

impl Compilation {
    fn new<A: Into<PathBuf>>(
        compiler: &'static str,
        standard: &'static str,
        arguments: impl IntoIterator<Item = A>,
    ) -> Compilation {
        Compilation { compiler, standard, arguments: arguments.into_iter().map(Into::into).collect() }
    }

    /// Whether it compiles, and what the compiler says of it.
    fn run(&self) -> (bool, String) {
        let folder = built();
        let mut command = Command::new(self.compiler);
        command.args(WARNINGS).arg(format!("-std={}", self.standard)).args(["-O0", "-I"]);
        command.arg(root().join("include")).args(&self.arguments);
        if !self.arguments.iter().any(|argument| argument.as_os_str() == CHECK) {
            command.arg("-pthread").arg("-L").arg(&folder).arg("-lgpumex");
            command.arg(format!("-Wl,-rpath,{}", folder.display()));
        }
        let output = command.env("LC_ALL", "C").output();
        let output =
            output.unwrap_or_else(|error| panic!("{}: {error}; the tests need gcc and g++", self.compiler));
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Runs them, as many at a time as there are processors; each has to compile.
fn compile_all(compilations: &[Compilation]) {
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let worker = || {
        while let Some(one) = compilations.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let (false, complaints) = one.run() {
                let failure =
                    format!("{} -std={} {:?}:\n{complaints}", one.compiler, one.standard, one.arguments);
                failures.lock().unwrap().push(failure);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(worker);
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// g++, and clang++ where it is.
fn compilers() -> Vec<&'static str> {
    let clang = ["clang++", "clang++-19", "clang++-16", "clang++-15", "clang++-14"]
        .into_iter()
        .find(|name| is_here(name));
    if clang.is_none() {
        leave_out("clang++: it is not here");
    }
    [Some("g++"), clang].into_iter().flatten().collect()
}

fn backends() -> Vec<&'static str> {
    let cuda = Context::cuda().map(|_| "cuda");
    [Some("cpu"), cuda].into_iter().flatten().collect()
}

// ------------------------------------------------------------------------------------------------------------ the programs

/// Each with both compilers and standards; those that are not linked instantiate the same templates.
#[test]
fn programs_are_right_on_every_backend() {
    let workplace = Workplace::new("cpp-programs");
    let folder = root().join("tests/cpp");
    let (mut compilations, mut programs) = (Vec::new(), Vec::new());
    for name in ["operations", "interface", "comm"] {
        let source = folder.join(format!("{name}.cpp"));
        for (position, compiler) in compilers().into_iter().enumerate() {
            for standard in ["c++17", "c++20"] {
                let is_run = (position == 0) == (standard == "c++20");
                let program = workplace.path(&format!("{name}-{compiler}-{standard}"));
                let last = if is_run { vec!["-o".into(), program.clone()] } else { vec![CHECK.into()] };
                let flags = if standard == "c++17" { vec!["-fno-rtti".into()] } else { Vec::new() };
                let arguments = [flags, vec![source.clone()], last].concat();
                compilations.push(Compilation::new(compiler, standard, arguments));
                if is_run {
                    programs.push(program);
                }
            }
        }
    }
    compile_all(&compilations);
    for program in programs {
        for backend in backends() {
            let ended = workplace.program(&program).env("GPUMEX_BACKEND", backend).succeeds();
            assert_eq!(ended.stdout, "done\n", "{} on {backend}", program.display());
            assert_eq!(ended.stderr, "", "{} on {backend} is not quiet", program.display());
        }
    }
}

/// How the examples are run, and what they print.
const EXAMPLES: [(&str, &str); 7] = [
    ("cancel", "cancelled: gpumex_life: gpumex_context_cancel ended the call after "),
    ("histogram", "\n -0.50  #############################################\n"),
    ("join", "customer 1: region 1, total 994\n"),
    ("life", "x = 64, y = 64, rule = B3/S23:T64,64\n10$11bo$12bo$10b3o!\n"),
    ("matmul", "512 x 512 x 512: "),
    ("ranks", "rank 0 of "),
    ("sort", "Tokyo        37.4 million\nDelhi        28.5 million\n"),
];

#[test]
fn examples_are_right_on_every_backend() {
    let workplace = Workplace::new("cpp-examples");
    let folder = root().join("cpp_examples");
    let sources = fs::read_dir(&folder).expect("cpp_examples is a folder").map(|entry| entry.unwrap().path());
    let sources: BTreeSet<PathBuf> = sources.collect();
    let named = EXAMPLES.map(|(name, _)| folder.join(format!("{name}.cpp")));
    assert_eq!(sources, BTreeSet::from(named), "an example of cpp_examples is new: say here what it prints");
    let program = |source: &Path| workplace.path(source.file_stem().unwrap().to_str().unwrap());
    let compile =
        |source: &PathBuf| Compilation::new("g++", "c++20", [source, &"-o".into(), &program(source)]);
    compile_all(&sources.iter().map(compile).collect::<Vec<_>>());
    for (name, output) in EXAMPLES {
        for backend in backends() {
            workplace.program(workplace.path(name)).env("GPUMEX_BACKEND", backend).succeeds().says(&[output]);
        }
    }
}

/// Between an example and the library one number of the answer is changed: the stand-in of the C examples.
#[test]
fn examples_fail_on_a_wrong_answer() {
    let workplace = Workplace::new("cpp-examples-liar");
    let folder = root().join("cpp_examples");
    let program = workplace.path("matmul");
    let liar = root().join("tests/c_abi/liar.c");
    let liar = workplace.compile(Language::C99, &liar, &["-shared", "-fPIC"]);
    compile_all(&[Compilation::new("g++", "c++20", [&folder.join("matmul.cpp"), &"-o".into(), &program])]);
    let ended = workplace.program(&program).env("GPUMEX_BACKEND", "cpu").env("LD_PRELOAD", &liar).run();
    assert_eq!(ended.status.code(), Some(1), "{}{}", ended.stdout, ended.stderr);
}

// ------------------------------------------------------------------------------------------------------------- the header

#[test]
fn the_header_stands_alone_and_in_two_translation_units() {
    let workplace = Workplace::new("cpp-alone");
    let first = "#include <gpumex.hpp>\n#include \"gpumex.hpp\"\n#include <gpumex.h>\nint other();\n\
                 int main() { return gpumex::dot({}, std::array{1.0}, std::array{2.0}) == other() ? 0 : 1; }\n";
    let second = "#include <gpumex.hpp>\nint other();\n\
                  int other() { return int(gpumex::dot({}, std::array{1.0}, std::array{2.0})); }\n";
    let plain = "#define GPUMEX_NO_PLAIN_NAMES\n#include <gpumex.hpp>\nint matmul = 1;\n";
    let files = [("first.cpp", first), ("second.cpp", second), ("plain.cpp", plain)];
    let files = files.map(|(name, text)| workplace.write(name, text));
    let both = workplace.path("both");
    let mut compilations =
        vec![Compilation::new("g++", "c++17", [&files[0], &files[1], &"-o".into(), &both])];
    for compiler in compilers() {
        compilations.push(Compilation::new(compiler, "c++20", [&files[2], &CHECK.into()]));
    }
    compile_all(&compilations);
    workplace.program(both).env("GPUMEX_BACKEND", "cpu").succeeds();
}

/// No other macro comes with it than with gpumex.h.
#[test]
fn the_header_leaves_no_macro_behind() {
    let workplace = Workplace::new("cpp-macros");
    let [c, cpp] = ["gpumex.h", "gpumex.hpp"].map(|header| {
        let source = workplace.write("macros.cpp", format!("#include <{header}>\n"));
        let run = Command::new("g++")
            .args(["-std=c++17", "-dM", "-E", "-I"])
            .arg(root().join("include"))
            .arg(source)
            .output();
        let text = String::from_utf8(run.expect("the tests need g++").stdout).expect("ASCII");
        let names = text.lines().filter_map(|line| line.strip_prefix("#define "));
        let names = names.map(|line| line.split([' ', '(']).next().unwrap().to_string());
        names.filter(|name| !name.starts_with('_')).collect::<BTreeSet<_>>()
    });
    let ours: Vec<_> = cpp.difference(&c).filter(|name| name.to_lowercase().contains("gpumex")).collect();
    assert!(c.contains("GPUMEX_VERSION") && ours.is_empty(), "gpumex.hpp defines {ours:?}");
}

/// Wrong programs, and what the compiler says of them.
const WRONG: [(&str, &str); 7] = [
    ("fill(ctx, list<std::string>(2), \"a\");", "this element type has no gpumex::dtype"),
    ("sort(ctx, list<f16>(2));", "this operation has no elements of 16-bit floats"),
    ("add(ctx, list<int>(2), list<int>(2));", "this operation has float and double elements only"),
    (
        "gather(ctx, list<int>(2), list<int>(2), list<int>(2));",
        "positions, offsets and counts are uint32_t or uint64_t",
    ),
    ("const list<float> y(2); add(ctx, y, y);", "an output cannot be written; its elements are const"),
    ("add(ctx, list<float>(2), list<double>(2));", "two arrays of this call must have the same element type"),
    ("dot(ctx, 1.0f, list<float>(2));", "an array is anything with data() and size()"),
];

#[test]
fn wrong_types_are_refused_with_a_sentence() {
    let workplace = Workplace::new("cpp-wrong");
    let check = |(number, (statement, sentence)): (usize, (&str, &str))| {
        let text = format!(
            "#include <gpumex.hpp>\n#include <string>\n#include <vector>\ntemplate <class T> using list = std::vector<T>;\n\
             using namespace gpumex;\nvoid wrong(context_ref ctx);\nvoid wrong(context_ref ctx) {{ {statement} }}\n"
        );
        let source = workplace.write(&format!("wrong{number}.cpp"), text);
        let (compiled, complaints) = Compilation::new("g++", "c++17", [source, CHECK.into()]).run();
        assert!(
            !compiled && complaints.contains(sentence),
            "{statement} gives no \"{sentence}\":\n{complaints}"
        );
    };
    std::thread::scope(|scope| {
        WRONG.into_iter().enumerate().for_each(|wrong| drop(scope.spawn(move || check(wrong))))
    });
}

// --------------------------------------------------------------------------------------------------------- what it reaches

/// The text of gpumex.hpp and its parts, without comments.
fn code() -> String {
    let folder = root().join("include/gpumex");
    let parts = fs::read_dir(folder).expect("include/gpumex is a folder").map(|entry| entry.unwrap().path());
    let parts: BTreeSet<PathBuf> = parts.collect();
    let all = fs::read_to_string(root().join("include/gpumex.hpp")).unwrap();
    for part in &parts {
        let include = format!("#include <gpumex/{}>", part.file_name().unwrap().to_str().unwrap());
        let is_named = all.contains(&include) || include.contains("/payload.hpp");
        assert!(is_named, "gpumex.hpp has no {include}");
    }
    let text: String = parts.iter().map(|part| fs::read_to_string(part).unwrap()).collect();
    text.lines().map(|line| line.split("//").next().unwrap().to_string() + "\n").collect()
}

/// Whether a name stands in the code and a sign behind it.
fn has(code: &str, name: &str, next: &[char]) -> bool {
    let is_word = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    code.match_indices(name)
        .any(|(at, _)| !code[..at].ends_with(is_word) && code[at + name.len()..].starts_with(next))
}

#[test]
fn every_function_of_the_header_is_called() {
    let (code, functions) = (code(), header::parsed().functions);
    assert!(functions.len() > 80, "include/gpumex.h declares only {} functions", functions.len());
    let is_called = |name: &str| {
        if name.starts_with("gpumex_") {
            has(&code, name, &['('])
        } else {
            code.contains(&format!("::{name}("))
        }
    };
    let names = functions.into_iter().map(|function| function.name);
    let missing: Vec<_> = names.filter(|name| !is_called(name)).collect();
    assert!(missing.is_empty(), "gpumex.hpp calls these functions of gpumex.h nowhere: {missing:?}");
}

#[test]
fn every_constant_of_the_header_has_an_enumerator() {
    let (code, constants) = (code(), header::parsed().constants);
    assert!(constants.len() > 100, "{} constants", constants.len());
    let missing: Vec<_> =
        constants.iter().filter(|(name, _)| !has(&code, &format!("= {name}"), &[','])).collect();
    assert!(missing.is_empty(), "gpumex.hpp has no enumerators for {missing:?}");
}

/// Where a call is prepared, each field of its options is set.
#[test]
fn every_option_of_the_header_is_set() {
    let code = code();
    let unset = |options: &Struct| {
        let begin = format!("{} c = GPUMEX", options.name);
        let body = code.split(&begin).nth(1).unwrap_or_default();
        let body = &body[..body.find("\n}").or(body.find("\n    }")).unwrap_or(body.len())];
        let is_set = |field: &str| {
            let of_payload = ["payload", "value_dtype", "index_dtype"].contains(&field);
            body.contains(&format!("c.{field} = ")) || of_payload && body.contains("set_payload<")
        };
        let fields = options.fields.iter().map(|field| field.name.as_str());
        let fields = fields.filter(|field| !["size", "reserved"].contains(field) && !is_set(field));
        fields.map(|field| format!("{}.{field}", options.name)).collect::<Vec<_>>()
    };
    let structs = header::parsed().structs;
    let are_options = |found: &&Struct| found.name.ends_with("_options");
    let options: Vec<_> = structs.iter().filter(are_options).collect();
    assert!(options.len() > 25, "{} option structs", options.len());
    let unset: Vec<_> = options.into_iter().flat_map(unset).collect();
    assert!(unset.is_empty(), "gpumex.hpp leaves these options unset: {unset:?}");
}
