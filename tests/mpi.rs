//! c_examples/mpi under Open MPI and MPICH: any number of processes gives what one does, and one that is killed leaves the others alive.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use crate::c_abi::programs::{Program, Workplace, built, root};
use crate::common::{leave_out, random_bytes};
use crate::packages::prefix::Installed;

const RANKS: [usize; 5] = [1, 2, 3, 4, 7];

/// An MPI: its compiler and its launcher.
pub struct Mpi {
    pub name: &'static str,
    pub compiler: PathBuf,
    launcher: PathBuf,
}

impl Mpi {
    /// The system's, or that of .toolkit (scripts/setup-mpi).
    fn find(name: &'static str) -> Option<Mpi> {
        let toolkit = root().join(".toolkit").join(name).join("bin");
        let places = [
            (PathBuf::from(format!("mpicc.{name}")), PathBuf::from(format!("mpirun.{name}"))),
            (toolkit.join("mpicc"), toolkit.join("mpirun")),
        ];
        let works = |(compiler, launcher): &(PathBuf, PathBuf)| {
            let header = root().join("tests/c_abi/mpi/faults.c");
            let preprocessed =
                Command::new(compiler).arg("-E").arg("-I").arg(root().join("include")).arg(header).output();
            let is_header_there = preprocessed.is_ok_and(|ended| ended.status.success());
            is_header_there && Command::new(launcher).arg("--version").output().is_ok()
        };
        let found = places.into_iter().find(works);
        if found.is_none() {
            leave_out(&format!("{name}: it is not here (scripts/setup-mpi)"));
        }
        found.map(|(compiler, launcher)| Mpi { name, compiler, launcher })
    }

    pub fn all() -> Vec<Mpi> {
        ["openmpi", "mpich"].into_iter().filter_map(Mpi::find).collect()
    }

    fn compile(&self, workplace: &Workplace, source: &str) -> PathBuf {
        let source = root().join(source);
        let stem = source.file_stem().unwrap().to_string_lossy().into_owned();
        let (program, folder) = (workplace.path(&format!("{stem}.{}", self.name)), built());
        let ended = Command::new(&self.compiler)
            .args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic"])
            .arg(&source)
            .args(["-I".as_ref(), root().join("include").as_os_str(), "-L".as_ref(), folder.as_os_str()])
            .arg("-o")
            .arg(&program)
            .arg("-lgpumex")
            .arg(format!("-Wl,-rpath,{}", folder.display()))
            .output()
            .expect("it was found");
        assert!(ended.status.success(), "{}: {}", source.display(), String::from_utf8_lossy(&ended.stderr));
        program
    }

    /// The program on so many ranks; more than cores are fine, and so is root.
    pub fn run(&self, workplace: &Workplace, ranks: usize, program: &Path, arguments: &[&str]) -> Program {
        self.run_with(&[], workplace, ranks, program, arguments)
    }

    /// With more for the launcher.
    fn run_with(
        &self,
        more: &[&str],
        workplace: &Workplace,
        ranks: usize,
        program: &Path,
        arguments: &[&str],
    ) -> Program {
        let own: &[&str] =
            if self.name == "openmpi" { &["--oversubscribe", "--allow-run-as-root"] } else { &[] };
        let mut launched = workplace.program(&self.launcher).args(own).args(more);
        launched = launched.args(["-n", &ranks.to_string()]);
        let settings = [("GPUMEX_NUM_THREADS", "1"), ("GPUMEX_BACKEND", "cpu"), ("MPIEXEC_TIMEOUT", "50")];
        for (name, value) in settings {
            launched = launched.env(name, value);
        }
        launched.args([program.as_os_str()]).args(arguments).within(Duration::from_secs(60))
    }
}

/// Processes of one test at a time: they wait for one another busily.
pub fn my_turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(|poison| poison.into_inner())
}

#[test]
fn examples_give_on_any_number_of_ranks_what_one_gives() {
    let _turn = my_turn();
    let workplace = Workplace::new("mpi-examples");
    let text: String = (0..3000)
        .map(|i| format!("word{} d\u{e9}j\u{e0}-vu{}", i * i % 97, ["\n", " ", ""][i % 3]))
        .collect();
    let text = workplace.write("text.txt", text);
    let text = text.to_str().unwrap();
    let numbers: Vec<u8> =
        random_bytes(3, 100_001).iter().flat_map(|&x| f64::from(x).to_ne_bytes()).collect();
    let numbers = workplace.write("numbers.f64", numbers);
    let numbers = numbers.to_str().unwrap();
    for mpi in Mpi::all() {
        let programs = ["life", "sort", "wordcount", "histogram", "histogram"]
            .map(|name| mpi.compile(&workplace, &format!("c_examples/mpi/{name}.c")));
        let arguments: [&[&str]; 5] =
            [&["101", "67", "90"], &["20011"], &[text, "5"], &[text], &[numbers, "f64", "7", "10", "200.5"]];
        let mut outputs: [Vec<String>; 5] = Default::default();
        for ranks in RANKS {
            for ((program, arguments), outputs) in programs.iter().zip(arguments).zip(&mut outputs) {
                let ended = mpi.run(&workplace, ranks, program, arguments).succeeds();
                assert!(ended.stdout.contains("Test passed: "), "{} {ranks}: {}", mpi.name, ended.stdout);
                let is_same = |line: &&str| !line.contains(" ranks, ") && !line.contains(" ranks: ");
                outputs.push(ended.stdout.lines().filter(is_same).collect::<Vec<_>>().join("\n"));
            }
        }
        for outputs in outputs {
            assert!(outputs.iter().all(|output| *output == outputs[0]), "{}: {outputs:?}", mpi.name);
        }
    }
}

/// A board that ranks have written is read by any other number of them; files and pictures are the same. Rows do not end with words, and
/// parts of the file begin amid a page.
#[test]
fn boards_are_written_and_read_by_any_number_of_ranks() {
    let _turn = my_turn();
    let workplace = Workplace::new("mpi-boards");
    let acorn = root().join("c_examples/patterns/acorn.rle");
    let acorn = acorn.to_str().unwrap();
    for mpi in Mpi::all() {
        let life = mpi.compile(&workplace, "c_examples/mpi/life.c");
        let in_folder = |name: &str| workplace.path(&format!("{}-{name}", mpi.name)).display().to_string();
        let play = |ranks, arguments: &[&str]| mpi.run(&workplace, ranks, &life, arguments).succeeds();
        let (mut boards, mut pictures) = (Vec::new(), Vec::new());
        for ranks in RANKS {
            let [half, whole, picture] =
                ["half.bits", "whole.bits", "board.pgm"].map(|name| in_folder(&format!("{ranks}-{name}")));
            play(ranks, &["-p", acorn, "-o", &half, "601", "707", "1000"]);
            // The file has no rule; no cell has come to an edge yet, where a random board and a pattern differ.
            let ended = play(
                RANKS[ranks % RANKS.len()],
                &["-i", &half, "-o", &whole, "-v", &picture, "601", "707", "40"],
            );
            assert!(ended.stdout.contains("Test passed: "), "{} {ranks}: {}", mpi.name, ended.stdout);
            boards.push(std::fs::read(whole).unwrap());
            pictures.push(std::fs::read(picture).unwrap());
        }
        assert_eq!(boards[0].len(), 601 * 12 * 8);
        assert!(boards[0].iter().any(|&byte| byte != 0), "acorn lives");
        assert!(pictures[0].starts_with(b"P5\n512 512\n255\n") && pictures[0].len() == 15 + 512 * 512);
        assert!(boards.iter().all(|board| *board == boards[0]), "{}: boards differ", mpi.name);
        assert!(pictures.iter().all(|picture| *picture == pictures[0]), "{}: pictures differ", mpi.name);
        let of_another_size =
            mpi.run(&workplace, 2, &life, &["-i", &in_folder("1-whole.bits"), "9", "9", "1"]).run();
        assert!(of_another_size.stderr.contains("9 x 9 cells are 72"), "{}", of_another_size.stderr);
    }
}

/// They are copied as a user would, built by the Makefile that comes with them, and run.
#[test]
fn the_installed_examples_build() {
    let _turn = my_turn();
    let workplace = Workplace::new("mpi-installed");
    for mpi in Mpi::all() {
        let installed = Installed::here();
        let folder = installed.folder(mpi.name);
        folder.sh(r#"cp -r "$PREFIX/share/doc/gpumex/examples/." ."#);
        let compiler = mpi.compiler.display();
        folder.sh(&format!("make -C mpi MPICC='{compiler}' CFLAGS='-O1 -Wall -Wextra -Werror -pedantic'"));
        for (name, argument) in
            [("life", "50"), ("sort", "1001"), ("wordcount", "../common.h"), ("histogram", "../common.h")]
        {
            let program = folder.path().join("mpi").join(name);
            let argument = argument.replace("..", &folder.path().display().to_string());
            let ended = mpi.run(&workplace, 2, &program, &[&argument]).succeeds();
            assert!(ended.stdout.contains("Test passed: "), "{} {name}: {}", mpi.name, ended.stdout);
        }
        assert!(folder.path().join("mpi/life.slurm").exists(), "the job is installed");
    }
}

#[test]
fn errors_and_missing_ranks_are_told_to_all_and_end_no_process() {
    let _turn = my_turn();
    let workplace = Workplace::new("mpi-faults");
    for mpi in Mpi::all() {
        let program = mpi.compile(&workplace, "tests/c_abi/mpi/faults.c");
        for ranks in [2, 3] {
            let ended = mpi.run(&workplace, ranks, &program, &[]).run();
            let passed = ended.stdout.matches("passed on rank").count();
            assert_eq!(passed, ranks, "{} {ranks}: {}{}", mpi.name, ended.stdout, ended.stderr);
        }
    }
}

/// The launcher of MPICH ends what is left of a job, whatever it is told: its ranks are tested with one that does not come.
#[test]
fn a_rank_that_is_killed_leaves_the_others_alive() {
    let _turn = my_turn();
    let workplace = Workplace::new("mpi-killed");
    let Some(mpi) = Mpi::find("openmpi") else { return };
    let program = mpi.compile(&workplace, "tests/c_abi/mpi/killed.c");
    for ranks in [2, 3] {
        let ended = mpi.run_with(&["--enable-recovery"], &workplace, ranks, &program, &[]).run();
        let live = ended.stdout.matches("lives on rank").count();
        assert_eq!(live, ranks - 1, "{ranks}: {}{}", ended.stdout, ended.stderr);
    }
}
