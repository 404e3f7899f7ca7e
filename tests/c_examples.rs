//! The C examples, the C code of the README and the header, as strict C and as C++: they compile without a warning, run,
//! and give the right answers on every backend that is here. Where an answer is wrong they notice.

mod player;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::c_abi::programs::{self, Language, Workplace, root};
use crate::common::{Context, leave_out};

/// Arguments that keep an example short, and what its output has.
fn what_to_run(example: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match example {
        "add" => (
            &["--n", "100003"],
            &[
                "Sum of two vectors: 100003 floats each",
                "kernel ms |    GB/s |  call ms\nCPU sequential |",
                "\non demand ",
                "\nprefetched ",
                "max error 0\n",
            ],
        ),
        "arrays" => (
            &[],
            &[
                "A:\n    0:       0      5     10     15     20     25     30     35     40     45 \n   10:      50 ",
                "\nB:\n    0:  ",
                "\nC:\n    0:  ",
            ],
        ),
        "dot" => (
            &["1000"],
            &[
                "Inner product: 1000 floats each, ",
                "| rel. error | its bound | results\nCPU sequential |",
                " 5.96e-05 |       1\natomic ",
                " 5.96e-05 |       1\n\nTest",
            ],
        ),
        "life" => (
            &["37", "53", "20"],
            &[
                "37 x 53 cells",
                "Variant       | ms total | kernel us per generation\nauto          |",
                "\nregisters     |",
                "\ncluster       |",
                "\nshmem         |",
                "\ntexture       |",
                "\nshmem_bytes   |",
                "\ntexture_bytes |",
                "\narrays        |",
                "\nsequential    |",
            ],
        ),
        "histogram" => (
            &["--mib", "2", "--tuning"],
            &[
                "Variant        | kernel ms |    GB/s | x faster |  call ms | x faster\nCPU sequential |",
                "\nauto           |",
                "\nshared memory  |",
                "\nDivision of L1 cache and shared memory",
                "Most frequent:  ' ' 17.",
            ],
        ),
        "matmul" => (
            &["100"],
            &[
                "Variant | kernel ms | GFLOP/s | call ms | largest error | its bound | same bits\nnaive   |",
                "\nblocked |",
                "\ntiled   |",
                "\ntensor  |",
                "\ntf32    |",
                "\ncublas  |",
                "\nmatmul  |         - |",
                "\nhalves  |         - |",
            ],
        ),
        "primitives" => (
            &[],
            &[
                "\nScan                   0 3 4 8 9 14 23 25\n",
                "\nBulk insert            100 0 1 200 2 300 3 4\n",
                "\nOuter join, B          0 1 - 3 3 2\n",
                "\nSegmented reduce       6 0 9 21\n",
            ],
        ),
        "raytrace" => (
            &["--size", "96"],
            &["Spheres |   Normal | Read-only | Constant |   Binned\n     16 |", "\n   2048 |"],
        ),
        // The system's words about the program itself: the example reads it like a pipe, without a length.
        "words" => (
            &["/proc/self/status", "-k", "3", "--fold"],
            &["\n     count  word\n", " words, ", " of them distinct; ", " GB/s\n"],
        ),
        _ => panic!("c_examples/{example}.c is new: say here how to run it"),
    }
}

/// How an example names its device: add leaves it to the library, which tells more of a GPU.
fn device_line(example: &str, backend: &str) -> String {
    match (example, backend) {
        ("add", "cuda") => " SMs enabled. Compute Capability sm_".to_string(),
        _ => format!("{} backend: ", backend.to_uppercase()),
    }
}

/// Programs of one screen, which say by their exit whether they are right; how to run them, and what they print.
const SHORT: [(&str, &[&str], &str); 6] = [
    ("byte_stream", &["byte_stream.c"], "entropy"),
    ("group_by", &[], "customer 1: region 1, total 994"),
    ("least_squares", &[], "1000 fits, largest error "),
    ("life_pgm", &["patterns/gosper.rle", "500"], "; after 500 generations 129"),
    ("pagerank", &[], "100000 pages, 25 iterations, last change "),
    ("threads", &[], "one context, which waits: 200 of 200 right"),
];

#[test]
fn short_examples_compile_as_c_and_cpp_and_are_right_on_every_backend() {
    let workplace = Workplace::new("examples-short");
    let folder = root().join("c_examples");
    for (name, arguments, output) in SHORT {
        let arguments = arguments.iter().map(|argument| match folder.join(argument) {
            file if file.exists() => file.into_os_string(),
            _ => argument.into(),
        });
        let arguments: Vec<_> = arguments.collect();
        for language in [Language::C99, Language::Cpp20] {
            let program = compile(&workplace, language, &folder.join(format!("{name}.c")));
            for backend in backends() {
                let program = workplace.program(&program).args(&arguments);
                let ended = program.env("GPUMEX_BACKEND", backend).succeeds();
                let said = ended.stdout + &ended.stderr; // a picture goes to the standard output
                assert!(said.contains(output), "{name} on {backend}:\n{said}");
            }
        }
    }
}

/// Those that measure, check every answer and tell of it.
fn examples() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("c_examples")).expect("c_examples is a folder");
    let paths = entries.map(|entry| entry.expect("a folder can be read").path());
    let is_short = |path: &Path| SHORT.iter().any(|(short, ..)| *short == name(path));
    let is_source = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "c") && !is_short(path);
    let sources: Vec<_> = paths.filter(is_source).collect();
    assert!(sources.len() >= 4, "an operation has no example: {sources:?}");
    sources
}

fn name(path: &Path) -> &str {
    path.file_stem().and_then(|name| name.to_str()).expect("an example has a name")
}

fn backends() -> Vec<&'static str> {
    let cuda = Context::cuda().map(|_| "cuda");
    [Some("cpu"), cuda].into_iter().flatten().collect()
}

#[test]
fn examples_compile_as_c_and_cpp_and_are_right_on_every_backend() {
    let workplace = Workplace::new("examples");
    for source in examples() {
        let (arguments, output) = what_to_run(name(&source));
        for language in [Language::C99, Language::Cpp20] {
            let program = compile(&workplace, language, &source);
            for backend in backends() {
                let ended =
                    workplace.program(&program).args(arguments).env("GPUMEX_BACKEND", backend).succeeds();
                ended.says(output);
                ended.says(&[&device_line(name(&source), backend), "Test passed"]);
                assert_eq!(ended.stderr, "", "{} on {backend} is not quiet", source.display());
            }
        }
    }
}

/// A library between the example and ours changes one number of the answer.
#[test]
fn examples_fail_on_a_wrong_answer() {
    let workplace = Workplace::new("examples-liar");
    let liar = root().join("tests/c_abi/liar.c");
    let liar = workplace.compile(Language::C99, &liar, &["-shared", "-fPIC"]);
    for source in examples() {
        let (arguments, _) = what_to_run(name(&source));
        let program = compile(&workplace, Language::C99, &source);
        let run = workplace.program(&program).args(arguments).env("GPUMEX_BACKEND", "cpu");
        let ended = run.env("LD_PRELOAD", &liar).run();
        assert_eq!(ended.status.code(), Some(1), "{}:\n{}{}", name(&source), ended.stdout, ended.stderr);
        ended.says(&["Test FAILED: "]);
    }
}

#[test]
fn examples_refuse_wrong_arguments() {
    let workplace = Workplace::new("examples-arguments");
    for source in examples() {
        let wrong: &[&[&str]] = match name(&source) {
            "add" => &[&["1000"], &["--n"], &["--n", "0"], &["--device"], &["--device", "x"], &["-x", "1"]],
            "dot" => &[&["0"], &["1.5"], &["8388609"], &["2", "2"]],
            "arrays" | "primitives" => &[&["50"], &["--device"], &["--device", "x"], &["--device", "0", "1"]],
            "life" => &[
                &["3"],
                &["0", "3", "1"],
                &["3", "3", "1x"],
                &["3", "-3", "1"],
                &["-g", "3"],
                &["-p", "no-such-file"],
                &["-p", "x", "-o", "out.jpg"],
                &["-p", "x", "-o", "out.png"],
                &["-p", "x", "-b", "sphere"],
                &["-p", "x", "-s", "30"],
                &["-p", "x", "30"],
            ],
            "histogram" => &[
                &["--mib", "0"],
                &["--bins", "0"],
                &["a", "b"],
                &["no-such-file"],
                &["."],
                &["a", "b", "--tuning"],
            ],
            "matmul" => &[&["1.5"], &["99999999999999999999"], &["2", "2"]],
            "raytrace" => {
                &[&["--size"], &["--size", "0"], &["-x", "1"], &["-o", "no/such/folder", "--size", "8"]]
            }
            "words" => &[&["-k"], &["-x", "1"], &["no-such-file"]],
            name => panic!("c_examples/{name}.c is new: say here which arguments it refuses"),
        };
        let program = compile(&workplace, Language::C99, &source);
        for arguments in wrong {
            let ended = workplace.program(&program).args(*arguments).env("GPUMEX_BACKEND", "cpu").run();
            let code = ended.status.code();
            assert!(code == Some(1) || code == Some(2), "{} {arguments:?}: {}", name(&source), ended.status);
            assert!(!ended.stderr.is_empty(), "{} {arguments:?} says nothing", name(&source));
        }
    }
}

#[test]
fn a_backend_that_is_not_there_ends_an_example_with_the_reason() {
    let workplace = Workplace::new("examples-backend");
    let program = workplace.compile(Language::C99, &root().join("c_examples/matmul.c"), &[]);
    let ended = workplace.program(program).env("GPUMEX_BACKEND", "abacus").run();
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.stderr.contains("\"abacus\""), "{}", ended.stderr);
}

#[test]
fn histogram_counts_a_real_file_and_an_empty_one() {
    let workplace = Workplace::new("examples-files");
    let program = workplace.compile(Language::C99, &root().join("c_examples/histogram.c"), &[]);
    let header = root().join("include/gpumex.h");
    let empty = workplace.write("empty", "");
    for backend in backends() {
        let bytes = fs::read(&header).expect("the header is there");
        let blanks = bytes.iter().filter(|&&byte| byte == b' ').count() as f64 / bytes.len() as f64;
        let ended = workplace.program(&program).args([&header]).env("GPUMEX_BACKEND", backend).succeeds();
        ended.says(&[
            &format!("Histogram: {} bytes of ", bytes.len()),
            &format!("Most frequent:  ' ' {:.2} %  'e' ", 100.0 * blanks),
            "Test passed",
        ]);
        let ended = workplace.program(&program).args([&empty]).env("GPUMEX_BACKEND", backend).succeeds();
        ended.says(&["Histogram: 0 bytes of ", "Most frequent:\n", "Test passed"]);
    }
}

#[test]
fn histogram_counts_buckets_and_what_comes_through_a_pipe() {
    let workplace = Workplace::new("examples-buckets");
    let program = workplace.compile(Language::C99, &root().join("c_examples/histogram.c"), &[]);
    let bytes = workplace.write("bytes", "abracadabra".repeat(1_000_000));
    for backend in backends() {
        let ended =
            workplace.program(&program).args(["--bins", "5000"]).env("GPUMEX_BACKEND", backend).succeeds();
        ended.says(&["16777216 random numbers in 5000 buckets", "\nauto           |", "Test passed"]);
        let (shell, program) = (format!("cat '{}' | '{}' -", bytes.display(), program.display()), "sh");
        let ended = workplace.program(program).args(["-c", &shell]).env("GPUMEX_BACKEND", backend).succeeds();
        ended.says(&[
            "Histogram: 11000000 bytes of -",
            "Most frequent:  'a' 45.45 %  'b' 18.18 %",
            "Test passed",
        ]);
        assert_eq!(ended.stderr, "", "nobody watches");
    }
}

#[test]
fn raytrace_saves_its_picture() {
    let workplace = Workplace::new("examples-picture");
    let program = compile(&workplace, Language::C99, &root().join("c_examples/raytrace.c"));
    let ended = workplace.program(program).args(["--size", "96", "-o", "spheres.png"]).succeeds();
    ended.says(&["Picture: spheres.png"]);
    let (width, height, pixels) = decoded(&workplace.path("spheres.png"), png::ColorType::Rgba);
    assert_eq!((width, height, pixels.len()), (96, 96, 96 * 96 * 4));
    let colours: std::collections::BTreeSet<_> = pixels.chunks(4).collect();
    assert!(colours.len() > 1000, "a picture of spheres has only {} colours", colours.len());
    assert!(pixels.chunks(4).all(|pixel| pixel[3] == 255), "every pixel is opaque");
}

#[test]
fn raytrace_saves_its_table_as_numbers_and_as_a_plot() {
    let workplace = Workplace::new("examples-table");
    let program = compile(&workplace, Language::C99, &root().join("c_examples/raytrace.c"));
    let arguments =
        ["--size", "64", "--all", "--csv", "times.csv", "--plot", "times.png", "-o", "spheres.ppm"];
    let ended = workplace.program(&program).args(arguments).succeeds();
    ended.says(&["\n1000000 |", "Picture: spheres.ppm", "Table: times.csv", "Plot: times.png"]);
    let table = fs::read_to_string(workplace.path("times.csv")).expect("the table was written");
    let counts: Vec<_> = table.lines().map(|line| line.split(',').next().unwrap_or_default()).collect();
    assert_eq!(counts[..4], ["spheres", "16", "32", "64"]);
    assert_eq!(counts[8..], ["2048", "4096", "16384", "65536", "262144", "1000000"]);
    assert!(table.lines().all(|line| line.split(',').count() == 5), "{table}");
    let (width, height, pixels) = decoded(&workplace.path("times.png"), png::ColorType::Rgb);
    let colours: std::collections::BTreeSet<_> = pixels.chunks(3).collect();
    assert!((width, height) == (960, 640) && colours.len() >= 5, "{} colours in a plot", colours.len());
}

#[test]
fn raytrace_saves_a_ppm_of_the_same_pixels() {
    let workplace = Workplace::new("examples-ppm");
    let program = compile(&workplace, Language::C99, &root().join("c_examples/raytrace.c"));
    for (name, seed) in [("a.png", "7"), ("a.ppm", "7"), ("b.ppm", "8")] {
        let arguments = ["--size", "80", "--spheres", "300", "--seed", seed, "-o", name];
        workplace.program(&program).args(arguments).succeeds();
    }
    let (_, _, pixels) = decoded(&workplace.path("a.png"), png::ColorType::Rgba);
    let rgb: Vec<u8> = pixels.chunks(4).flat_map(|pixel| &pixel[..3]).copied().collect();
    let ppm = |name| fs::read(workplace.path(name)).expect("the PPM was written");
    assert!(ppm("a.ppm") == [&b"P6\n80 80\n255\n"[..], &rgb].concat(), "a.ppm has other pixels than a.png");
    assert!(ppm("a.ppm") != ppm("b.ppm"), "another seed is another scene");
}

/// An example with what it draws with.
fn compile(workplace: &Workplace, language: Language, source: &Path) -> PathBuf {
    workplace.compile(language, source, &[pictures().to_str().expect("a plain path")])
}

/// target/release/libpictures.a, which `cargo build` makes and `cargo test` does not.
fn pictures() -> &'static Path {
    static ARCHIVE: OnceLock<PathBuf> = OnceLock::new();
    ARCHIVE.get_or_init(|| {
        let archive = programs::built().with_file_name("libpictures.a");
        let profile: &[&str] = if cfg!(debug_assertions) { &[] } else { &["--release"] };
        let status = Command::new(env!("CARGO")).arg("build").args(profile).current_dir(root()).status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "cargo build {profile:?} makes {}",
            archive.display()
        );
        archive
    })
}

/// Width, height and bytes of a PNG.
fn decoded(path: &Path, colour: png::ColorType) -> (u32, u32, Vec<u8>) {
    let file = std::io::BufReader::new(fs::File::open(path).expect("the PNG was written"));
    let mut reader = png::Decoder::new(file).read_info().expect("it is a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
    let frame = reader.next_frame(&mut pixels).expect("its pixels can be read");
    assert_eq!((frame.color_type, frame.bit_depth), (colour, png::BitDepth::Eight));
    (frame.width, frame.height, pixels)
}

/// The first ```c block of README.md is a program that runs.
#[test]
fn the_c_example_of_the_readme_runs() {
    let Ok(readme) = fs::read_to_string(root().join("README.md")) else {
        return leave_out("README.md: it is not here");
    };
    let block = readme.split_once("\n```c\n").and_then(|(_, rest)| rest.split_once("\n```"));
    let (code, _) = block.expect("README.md has a ```c block");
    let workplace = Workplace::new("readme");
    let source = workplace.write("readme.c", format!("{code}\n"));
    let program = workplace.compile(Language::C99, &source, &[]);
    for backend in backends() {
        workplace.program(&program).env("GPUMEX_BACKEND", backend).succeeds();
    }
}
