//! What the tests of C programs share: a folder of their own, the C and C++ compiler, and a program that runs with a
//! clean environment and a time limit.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use crate::common::SETTINGS;

/// The first flags of every compilation.
const WARNINGS: [&str; 5] = ["-Wall", "-Wextra", "-Werror", "-O1", "-g"];

/// A program that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(600);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum Language {
    C90,
    C99,
    C11,
    C17,
    C2x,
    Cpp98,
    Cpp11,
    Cpp14,
    Cpp17,
    Cpp20,
    Cpp23,
}

impl Language {
    pub const EVERY: [Language; 11] = [
        Language::C90,
        Language::C99,
        Language::C11,
        Language::C17,
        Language::C2x,
        Language::Cpp98,
        Language::Cpp11,
        Language::Cpp14,
        Language::Cpp17,
        Language::Cpp20,
        Language::Cpp23,
    ];

    /// -std=c++20
    fn standard(self) -> String {
        let name = format!("{self:?}").to_lowercase().replace("cpp", "c++");
        format!("-std={}", name.replace("c++23", "c++2b"))
    }

    pub fn is_cpp(self) -> bool {
        self >= Language::Cpp98
    }

    /// Those of C are strict.
    fn flags(self) -> &'static [&'static str] {
        if self.is_cpp() { &["-x", "c++"] } else { &["-x", "c", "-pedantic", "-Wstrict-prototypes"] }
    }

    fn compiler(self) -> &'static str {
        if self.is_cpp() { "g++" } else { "gcc" }
    }
}

/// The root of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// target/release/deps: `cargo test` keeps the library there as new as its test programs, which lie beside it.
pub fn built() -> PathBuf {
    let program = env::current_exe().expect("a running program has a path");
    let folder = program.parent().expect("a program lies in a folder").to_path_buf();
    let (library, soname) = (folder.join("libgpumex.so"), folder.join(soname()));
    assert!(library.exists(), "{} is not there; cargo build --release makes it", library.display());
    let _ = std::os::unix::fs::symlink("libgpumex.so", soname); // unless another test has made it
    folder
}

/// What programs look for at run time: libgpumex.so.0.2.
pub fn soname() -> String {
    format!("libgpumex.so.{}.{}", env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"))
}

/// Whether a program can be started.
pub fn is_here(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// A folder for the files of one test, gone at its end.
pub struct Workplace(PathBuf);

impl Workplace {
    pub fn new(test: &str) -> Workplace {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder in target can be made");
        Workplace(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folders can be made");
        fs::write(&path, content).expect("a file in target can be written");
        path
    }

    /// Compiles one source file against include/gpumex.h and the library of this build, warnings being errors.
    pub fn compile(&self, language: Language, source: &Path, more: &[&str]) -> PathBuf {
        self.compile_with(language, source, &[], more)
    }

    /// With flags in front of the folder of the committed header, which may name another one.
    pub fn compile_with(&self, language: Language, source: &Path, first: &[&str], more: &[&str]) -> PathBuf {
        let stem = source.file_stem().expect("a source has a name").to_string_lossy();
        let program = self.path(&format!("{stem}.{language:?}"));
        let (compiled, complaints) = compile_into(language, source, &program, [first, more]);
        assert!(compiled, "{} as {language:?} with {more:?}:\n{complaints}", source.display());
        program
    }

    /// The folder of a header that is compiled once, for g++ to take in place of the text: half of the time of a small program. Sources
    /// that are compiled with other flags read the text.
    pub fn precompiled(&self, language: Language, header: &Path, more: &[&str]) -> String {
        let name = header.file_name().expect("a header has a name").to_string_lossy();
        let mut command = Command::new(language.compiler());
        command.args(WARNINGS).arg(language.standard()).args(["-x", "c++-header", "-pthread"]).arg(header);
        command.arg("-I").arg(root().join("include")).args(more);
        let ended = command.args(["-Wno-error", "-o"]).arg(self.path(&format!("{name}.gch"))).output();
        assert!(ended.is_ok_and(|ended| ended.status.success()), "{name} cannot be compiled by itself");
        self.0.display().to_string()
    }

    /// A program that runs in this folder, with nothing in its environment that speaks to the library.
    pub fn program(&self, program: impl AsRef<OsStr>) -> Program {
        let mut command = Command::new(program);
        command.current_dir(&self.0);
        for setting in SETTINGS {
            command.env_remove(setting);
        }
        // cargo adds folders with the library to the path; the programs have to find it without them.
        let path = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let target = built().parent().expect("deps has a parent").to_path_buf();
        let others: Vec<_> = env::split_paths(&path).filter(|folder| !folder.starts_with(&target)).collect();
        command.env("LD_LIBRARY_PATH", env::join_paths(others).expect("split from a path just now"));
        Program { command, folder: self.0.clone(), limit: LIMIT }
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        if !thread::panicking() {
            let _ = fs::remove_dir_all(&self.0); // after a failure the files stay, to be looked at
        }
    }
}

/// Whether a source compiles, and what the compiler says of it.
pub fn try_compile(language: Language, source: &Path, program: &Path, more: &[&str]) -> (bool, String) {
    compile_into(language, source, program, [&[], more])
}

fn compile_into(
    language: Language,
    source: &Path,
    program: &Path,
    [first, more]: [&[&str]; 2],
) -> (bool, String) {
    let folder = built();
    let compiler = language.compiler();
    let output = Command::new(compiler)
        .args(WARNINGS)
        .arg(language.standard())
        .args(language.flags())
        .arg(source)
        .args(["-x", "none", "-pthread"])
        .args(first)
        .arg("-I")
        .arg(root().join("include"))
        .arg("-L")
        .arg(&folder)
        .args(more)
        .arg("-o")
        .arg(program)
        .args(["-lgpumex", "-lm", "-ldl"])
        .arg(format!("-Wl,-rpath,{}", folder.display()))
        .env("LC_ALL", "C")
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}; the tests need gcc and g++"));
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

pub struct Program {
    command: Command,
    folder: PathBuf,
    limit: Duration,
}

/// How a program ended, and what it said.
pub struct Ended {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Program {
    pub fn args<S: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Program {
        self.command.args(arguments);
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Program {
        self.command.env(name, value);
        self
    }

    /// It may take so long.
    pub fn within(mut self, limit: Duration) -> Program {
        self.limit = limit;
        self
    }

    /// Runs it to its end, whatever that is; a program that hangs is ended and fails the test.
    pub fn run(mut self) -> Ended {
        let name = self.command.get_program().to_string_lossy().into_owned();
        let [stdout, stderr] = ["stdout", "stderr"].map(|stream| self.folder.join(stream));
        let create = |path: &Path| fs::File::create(path).expect("a file in target can be made");
        self.command.stdin(Stdio::null()).stdout(create(&stdout)).stderr(create(&stderr));
        let mut child = self.command.spawn().unwrap_or_else(|error| panic!("{name}: {error}"));
        let start = Instant::now();
        let status = loop {
            match child.try_wait().expect("a child can be waited for") {
                Some(status) => break Some(status),
                None if start.elapsed() > self.limit => break None,
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
        let (stdout, stderr) = (read(&stdout), read(&stderr));
        let Some(status) = status else {
            let _ = child.kill();
            let _ = child.wait();
            panic!("{name} ran longer than {:?} and was ended\n{stdout}{stderr}", self.limit);
        };
        Ended { status, stdout, stderr }
    }

    /// Runs it; anything but exit 0 fails the test.
    #[track_caller]
    pub fn succeeds(self) -> Ended {
        let (name, arguments) = (self.command.get_program().to_owned(), self.arguments());
        let ended = self.run();
        assert!(
            ended.status.success(),
            "{} {arguments}: {}\n{}{}",
            name.display(),
            ended.status,
            ended.stdout,
            ended.stderr
        );
        ended
    }

    fn arguments(&self) -> String {
        let arguments: Vec<_> = self.command.get_args().map(OsStr::to_string_lossy).collect();
        arguments.join(" ")
    }
}

impl Ended {
    /// Its output has each of these texts.
    #[track_caller]
    pub fn says(&self, texts: &[&str]) {
        for text in texts {
            assert!(
                self.stdout.contains(text),
                "no \"{text}\" in the output:\n{}{}",
                self.stdout,
                self.stderr
            );
        }
    }
}
