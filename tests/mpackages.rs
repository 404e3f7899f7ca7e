//! The packages for Octave and MATLAB, as packaging/ builds them with the library under test: installed in a home folder of their
//! own, away from the source tree, with and without a compiler.
//!
//! Without Octave or the parsers of scripts/setup-tests a part is left out; GPUMEX_REQUIRE_OCTAVE=1 and
//! GPUMEX_REQUIRE_PYCPARSER=1 make that a failure.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use crate::c_abi::programs::{Ended, Program, Workplace, built, root};
use crate::common::leave_out_unless;
use crate::loadlibrary::python;
use crate::octave::{octave_is_here, quoted};

const SOURCE: &str = concat!("gpumex-", env!("CARGO_PKG_VERSION"), ".tar.gz");
const LIMIT: Duration = Duration::from_secs(300);

/// The folder of the packages for Octave, built once.
static OCTAVE_PACKAGES: LazyLock<PathBuf> = LazyLock::new(|| packages("octave"));

fn packages(system: &str) -> PathBuf {
    let workplace = Workplace::new(&format!("packages-{system}"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("packages for {system}"));
    let _ = fs::remove_dir_all(&folder);
    let build = workplace.program(root().join("packaging").join(system).join("build"));
    build
        .env("GPUMEX_PACKAGES", &folder)
        .env("GPUMEX_LIB", built().join("libgpumex.so"))
        .within(LIMIT)
        .succeeds();
    folder
}

/// The package with the MEX file built; its name ends with the version of Octave.
fn binary() -> PathBuf {
    let files = fs::read_dir(&*OCTAVE_PACKAGES).expect("the packages are built").flatten();
    let mut files =
        files.map(|file| file.path()).filter(|path| path.display().to_string().contains("-linux-octave"));
    files.next().expect("mkoctfile is here, so that there is a package with the MEX file")
}

/// Somebody with a home folder of their own, whose name has a blank.
struct User {
    workplace: Workplace,
}

impl User {
    fn new(test: &str) -> User {
        let user = User { workplace: Workplace::new(test) };
        fs::create_dir_all(user.home()).expect("a folder in target can be made");
        user
    }

    fn home(&self) -> PathBuf {
        self.workplace.path("ho me")
    }

    fn octave(&self, line: &str) -> Program {
        let program = self.workplace.program("octave-cli").within(LIMIT);
        let program = program.env("HOME", self.home()).env("XDG_DATA_HOME", "").env("XDG_CONFIG_HOME", "");
        program.env("GPUMEX_LIB", "").args(["-q", "--no-history", "--eval", line])
    }

    /// The same for somebody who has these programs alone. Octave adds its own folders to PATH when it starts.
    fn octave_with(&self, programs: &[&str], line: &str) -> Program {
        let bin = self.workplace.path("bin");
        let _ = fs::remove_dir_all(&bin);
        fs::create_dir(&bin).expect("a folder in target can be made");
        for name in ["sh", "tar", "gzip", "cp", "mv", "rm"].iter().chain(programs) {
            let place = find(name).unwrap_or_else(|| panic!("{name} is not on the PATH"));
            symlink(place, bin.join(name)).expect("a link in target can be made");
        }
        self.octave(&format!("setenv ('PATH', '{}'); {line}", quoted(&bin)))
    }

    /// The files that a package leaves in the home folder.
    fn installed(&self) -> Vec<PathBuf> {
        files_below(&self.home().join(".local/share/octave"))
            .into_iter()
            .filter(|path| path.is_file())
            .collect()
    }
}

fn find(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.exists())
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

fn install(package: &Path) -> String {
    format!("pkg install -local '{}';", quoted(package))
}

/// What it says where it fails, on a line.
fn refused(program: Program) -> String {
    let Ended { status, stdout, stderr } = program.run();
    assert!(!status.success(), "it was accepted\n{stdout}");
    let line = stderr.lines().find(|line| line.starts_with("error: gpumex: "));
    line.unwrap_or_else(|| panic!("no sentence of gpumex\n{stdout}{stderr}")).to_owned()
}

#[test]
fn octave_package_compiles_and_tests_itself_and_leaves_nothing() {
    if !octave_is_here() {
        return;
    }
    let user = User::new("octave-package");
    let install = install(&OCTAVE_PACKAGES.join(SOURCE));
    let said = user.octave(&format!("{install} pkg load gpumex; gpumex.info")).succeeds();
    assert!(!said.stderr.contains("warning"), "{}", said.stderr);
    let is_cpu_only = said.stdout.contains("CPU backend only");
    assert_eq!(
        said.stdout.contains("For a GPU, take a libgpumex.so with CUDA"),
        is_cpu_only,
        "{}",
        said.stdout
    );

    // Once more over itself, while its functions are loaded.
    let line = format!(
        "pkg load gpumex; assert (gpumex.reduce (1:3, 'sum'), 6); {install} pkg load gpumex;
         assert (gpumex.reduce (1:4, 'sum'), 10); help gpumex; pkg describe -verbose gpumex"
    );
    let kernels = if is_cpu_only { "without CUDA kernels, see gpumex.info" } else { "with CUDA kernels" };
    let help = "Running results of an operator along a vector";
    let said = user.octave(&line).succeeds();
    assert!(!said.stdout.contains("build_gpumex "), "{}", said.stdout);
    said.says(&[help, "gpumex.load_balance_search", kernels]);

    let said = user.octave("pkg test gpumex").env("GPUMEX_TEST", "short").succeeds();
    let log = fs::read_to_string(user.workplace.path("fntests.log")).unwrap_or_default();
    assert!(passed(&said.stdout) >= 36 && !log.contains("\n!!!!!"), "{}{log}", said.stdout);

    user.octave("pkg load gpumex; gpumex.reduce (1:3, 'sum'); pkg uninstall -local gpumex").succeeds();
    assert!(user.installed().is_empty(), "{:?}", user.installed());
}

/// The number of tests that passed, as the summary of `pkg test` has it.
fn passed(summary: &str) -> usize {
    let line = summary.lines().find_map(|line| line.trim().strip_prefix("PASS "));
    line.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
}

#[test]
fn octave_package_that_is_built_needs_no_compiler() {
    if !octave_is_here() {
        return;
    }
    let user = User::new("octave-built");
    let no_compiler = "assert (system ('command -v cc || command -v gcc || command -v mkoctfile') != 0);";
    let line =
        format!("{no_compiler} {} pkg load gpumex; disp (gpumex.scan (1:4, 'sum'))", install(&binary()));
    user.octave_with(&[], &line).succeeds().says(&["1    3    6   10"]);
}

#[test]
fn octave_package_takes_the_library_of_gpumex_lib() {
    if !octave_is_here() {
        return;
    }
    let user = User::new("octave-library");
    let library = fs::read(built().join("libgpumex.so")).expect("the library is built");
    let place = user.workplace.write("other folder/libgpumex.so", &library);
    let line = format!("{} pkg load gpumex; disp (gpumex.reduce (1:4, 'sum'))", install(&binary()));
    user.octave(&line).env("GPUMEX_LIB", &place).succeeds().says(&["10"]);
    let taken = user.installed().into_iter().find(|path| path.ends_with("libgpumex.so.0.2"));
    assert!(fs::read(taken.expect("a library is installed")).unwrap() == library, "it is another library");

    let nowhere = refused(user.octave(&install(&binary())).env("GPUMEX_LIB", "/no/such/libgpumex.so"));
    assert!(nowhere.contains("GPUMEX_LIB is /no/such/libgpumex.so, which is not there"), "{nowhere}");
}

#[test]
fn octave_package_says_what_is_missing() {
    if !octave_is_here() {
        return;
    }
    let user = User::new("octave-missing");
    let install_source = install(&OCTAVE_PACKAGES.join(SOURCE));
    for (programs, missing) in [(&[][..], "make is missing"), (&["make"], "a C compiler is missing")] {
        let sentence = refused(user.octave_with(programs, &install_source));
        let name = binary().file_name().unwrap().to_string_lossy().into_owned();
        assert!(
            sentence.contains(missing) && sentence.contains("octave-dev") && sentence.contains(&name),
            "{sentence}"
        );
    }

    // Built for another Octave, and for another machine.
    for (from, to, says) in [
        (
            "OctaveAPI: .*",
            "OctaveAPI: api-v1",
            "is built for another Octave (api-v1, this is Octave ".to_owned(),
        ),
        ("Machine: .*", "Machine: riscv64", "this package is for Linux on riscv64".to_owned()),
    ] {
        let script = format!(
            "rm -rf edited; mkdir edited; tar -xzf '{}' -C edited; sed -i 's/^{from}/{to}/' edited/*/DESCRIPTION; \
             tar -czf edited.tar.gz -C edited $(ls edited)",
            binary().display()
        );
        user.workplace.program("sh").args(["-c", &script]).succeeds();
        let sentence = refused(user.octave(&install(&user.workplace.path("edited.tar.gz"))));
        assert!(sentence.contains(&says), "{sentence}");
    }
    assert!(user.installed().is_empty(), "{:?}", user.installed());
}

/// Nothing reaches a function of the package but its examples: each has one.
#[test]
fn each_function_has_an_example_in_the_octave_package() {
    let tests =
        fs::read_to_string(root().join("packaging/octave/gpumex-tst")).expect("a file of the repository");
    let functions =
        fs::read_dir(root().join("matlab/+gpumex")).expect("a folder of the repository").flatten();
    let names = functions.map(|file| file.path().file_stem().unwrap().to_string_lossy().into_owned());
    let without: Vec<_> = names.filter(|name| !tests.contains(&format!("gpumex.{name} ("))).collect();
    assert!(without.is_empty(), "no test of {without:?}");
}

fn has_miss_hit(python: impl Fn() -> Program) -> bool {
    let is_here = python().args(["-c", "import miss_hit.mh_lint"]).run().status.success();
    if !is_here {
        leave_out_unless(
            "GPUMEX_REQUIRE_PYCPARSER",
            "MISS_HIT: `make test-tools` puts it into .toolkit/python",
        );
    }
    is_here
}

/// The style rules of matlab/miss_hit.cfg.
#[test]
fn matlab_functions_have_one_style() {
    let workplace = Workplace::new("matlab style");
    let Some(python) = python(&workplace) else { return };
    if has_miss_hit(&python) {
        let checked =
            python().args(["-m", "miss_hit_core.mh_style"]).args([root().join("matlab")]).succeeds();
        checked.says(&["everything seems fine"]);
    }
}

#[test]
fn matlab_toolbox_is_whole() {
    let workplace = Workplace::new("matlab toolbox");
    let Some(python) = python(&workplace) else { return };
    let archive = packages("matlab").join(concat!("gpumex-matlab-", env!("CARGO_PKG_VERSION"), ".zip"));
    python().args(["-m", "zipfile", "-e"]).args([&archive, &workplace.path("")]).succeeds();
    let folder = workplace.path(concat!("gpumex-matlab-", env!("CARGO_PKG_VERSION")));
    let toolbox = folder.join("toolbox");

    let check =
        |part: &str| python().args([root().join("tests/matlab_toolbox.py")]).args([part]).args([&toolbox]);
    check("prototype")
        .args([toolbox.join("lib/libgpumex.so.0.2")])
        .succeeds()
        .says(&["right answers through the thunks on "]);
    check("signatures").succeeds().says(&[" functions have signatures"]);
    let file = toolbox.join("resources/functionSignatures.json");
    let text = fs::read_to_string(&file).expect("the toolbox has signatures");
    for (from, to, complaint) in [
        (r#""name": "Boundary", "kind""#, r#""name": "Border", "kind""#, "gpumex.life: options"),
        ("'blocked',", "", "gpumex.matmul, Variant: the gateway knows ['blocked'], too"),
        ("'dead'", "'alive'", "gpumex.life, Boundary: no gateway knows all"),
        (r#""name": "needles""#, r#""name": "pins""#, "gpumex.search: inputs"),
        (r#""kind": "ordered""#, r#""kind": "optional""#, "its kind or its place"),
        ("gpumex.spmv", "gpumex.spvm", "without a function or an entry: ['gpumex.spmv', 'gpumex.spvm']"),
    ] {
        fs::write(&file, text.replacen(from, to, 1)).expect("a file in target can be written");
        let ended = check("signatures").run();
        assert!(ended.stderr.contains(complaint), "{from} → {to}: {}{}", ended.stdout, ended.stderr);
    }
    fs::write(&file, text).expect("a file in target can be written");

    if has_miss_hit(&python) {
        let linted = python().args(["-m", "miss_hit.mh_lint"]).args([&folder]).succeeds();
        linted.says(&["everything seems fine"]);
    }
    if octave_is_here() {
        let line = "build_gpumex; run doc/GettingStarted.m; addpath ../tests; run_tests ('test_info'); \
            [functions, structs] = gpumex_proto (); assert (numel (functions.name) > 80 && isstruct (structs.gpumex_device_info))";
        let script = format!("cd '{}'; addpath (pwd); {line}", quoted(&toolbox));
        let octave = workplace.program("octave-cli").within(LIMIT).env("GPUMEX_LIB", "");
        let said = octave.args(["-q", "--no-history", "--eval", &script]).succeeds();
        said.says(&["toolbox/lib/libgpumex.so.0.2", "After 1000 generations", " 2  to", " passed, 0 failed"]);
    }
}
