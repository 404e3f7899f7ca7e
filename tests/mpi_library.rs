//! The library by which what is no C program reaches MPI (packaging/mpi): gpumex.comm under `mpirun octave-cli`, and Python, with Open MPI
//! and MPICH.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::c_abi::failing_driver::{has_cuda, install_library};
use crate::c_abi::programs::{Ended, Program, Workplace, built, is_here, root};
use crate::common::leave_out;
use crate::mpi::{Mpi, my_turn};
use crate::octave::{gateway, octave, octave_is_here, quoted, succeeds};

/// Each MPI that is here, with its library beside the MEX file; none without Octave.
fn all_for_octave() -> Vec<Mpi> {
    if !octave_is_here() {
        return Vec::new();
    }
    let mpis = Mpi::all();
    for mpi in &mpis {
        let line = format!("build_gpumex_mpi ('{}')", quoted(&mpi.compiler));
        let said = succeeds(&mut octave(gateway(), &line));
        let built = format!("build_gpumex_mpi: libgpumex_{}.so built with ", mpi.name);
        assert!(said.contains(&built) && !said.contains("warning"), "{said}");
    }
    mpis
}

/// matlab/tests/check_on_ranks.m in a mode.
fn check_on(mpi: &Mpi, workplace: &Workplace, ranks: usize, mode: &str) -> Program {
    let line = format!("addpath ('{}'); check_on_ranks ('{mode}')", quoted(&gateway().join("tests")));
    mpi.run(workplace, ranks, Path::new("octave-cli"), &["-q", "--no-history", "--eval", &line])
}

#[track_caller]
fn passes(mpi: &Mpi, ranks: usize, mode: &str, ended: &Ended) {
    let passed = ended.stdout.matches("passed on rank").count();
    assert_eq!(passed, ranks, "{} {ranks} {mode}: {}{}", mpi.name, ended.stdout, ended.stderr);
}

#[test]
fn octave_on_any_number_of_ranks_gives_what_one_gives() {
    let _turn = my_turn();
    let workplace = Workplace::new("mpi-octave");
    for mpi in all_for_octave() {
        for ranks in 1..=4 {
            let ended = check_on(&mpi, &workplace, ranks, "results").succeeds();
            passes(&mpi, ranks, "results", &ended);
        }
    }
}

#[test]
fn what_one_rank_of_octave_has_wrong_is_an_error_on_all() {
    let _turn = my_turn();
    let workplace = Workplace::new("mpi-octave-faults");
    for mpi in all_for_octave() {
        for ranks in [2, 3] {
            passes(&mpi, ranks, "faults", &check_on(&mpi, &workplace, ranks, "faults").succeeds());
            // MPI is not finalised then, of which a launcher may complain.
            passes(&mpi, ranks, "late", &check_on(&mpi, &workplace, ranks, "late").run());
        }
    }
}

#[test]
fn an_interrupt_ends_the_call_of_a_rank_of_octave() {
    let _turn = my_turn();
    let workplace = Workplace::new("mpi-octave-interrupt");
    for mpi in all_for_octave() {
        let Ended { status, stdout, stderr } = check_on(&mpi, &workplace, 2, "interrupt").run();
        let is_ended = stdout.contains("ended on rank 1") && !stderr.contains("not interrupted");
        assert!(is_ended && !status.success(), "{}: {stdout}{stderr}", mpi.name);
    }
}

/// MPICH's library makes each process the only one of a world of its own under Open MPI's launcher.
#[test]
fn octave_refuses_the_library_of_another_mpi_than_the_launchers() {
    let _turn = my_turn();
    let workplace = Workplace::new("mpi-octave-other");
    if let [openmpi, _] = &all_for_octave()[..] {
        passes(openmpi, 2, "other", &check_on(openmpi, &workplace, 2, "other").succeeds());
    }
}

/// The id of NCCL, or that there is none, comes to all workers.
#[test]
fn workers_of_spmd_agree_on_an_id_over_stand_ins() {
    let _turn = my_turn();
    let workplace = Workplace::new("mpi-octave-spmd");
    for mpi in all_for_octave() {
        passes(&mpi, 3, "spmd", &check_on(&mpi, &workplace, 3, "spmd").succeeds());
        if !has_cuda() {
            leave_out("workers of spmd with an id: this build has no NCCL");
            continue;
        }
        install_library(&workplace, "stand_in_nccl.c", "libnccl.so.2");
        let with_nccl = check_on(&mpi, &workplace, 3, "spmd").env("GPUMEX_TEST_NCCL", "1");
        let ended = with_nccl.env("LD_LIBRARY_PATH", workplace.path("driver")).succeeds();
        passes(&mpi, 3, "spmd with NCCL", &ended);
        fs::remove_file(workplace.path("driver/libnccl.so.2")).expect("it was just made");
    }
}

/// The library of an MPI, built and installed as a user does.
fn installed(workplace: &Workplace, mpi: &Mpi) -> PathBuf {
    let release = workplace.path("release");
    let _ = fs::remove_dir_all(&release);
    fs::create_dir(&release).expect("a folder in target can be made");
    for name in ["libgpumex.so", "libgpumex.a"] {
        symlink(built().join(name), release.join(name)).expect("a link in target can be made");
    }
    let library = release.join("libgpumex.so");
    let build = workplace.program(root().join("packaging/mpi/build"));
    let build = build.args([root().join("include"), library, release.clone(), mpi.compiler.clone()]);
    build.succeeds().says(&[&format!("libgpumex_{}.so built with", mpi.name)]);
    let prefix = workplace.path("prefix");
    let install = workplace.program(root().join("packaging/install")).env("GPUMEX_BUILT", &release);
    install.env("PREFIX", &prefix).succeeds();
    prefix
}

/// The other ranks wait for rank 1, until the launcher ends them. The launcher's own status is rank 1's, or 9, SIGKILL's,
/// if Hydra sees a rank it ended before that.
const RANK_1_ENDS: &str = "
if rank.value == 1:
    raise SystemExit (7)
mpi.gpumex_mpi_open (ctx, None, ctypes.byref (comm))
";

#[test]
fn python_reaches_the_installed_library_and_a_rank_that_fails_ends_the_job() {
    if !is_here("python3") {
        return leave_out("Python on ranks: python3 is not here");
    }
    let _turn = my_turn();
    let workplace = Workplace::new("mpi-python");
    let page = fs::read_to_string(root().join("docs/several.md")).expect("the page is there");
    let example = root().join("docs/examples/ranks.py").display().to_string();
    let failing = workplace.write("failing.py", format!("exec (open ('{example}').read ())\n{RANK_1_ENDS}"));
    for mpi in Mpi::all() {
        let prefix = installed(&workplace, &mpi);
        let source = prefix.join("share/doc/gpumex/examples/mpi/library/gpumex_mpi.c");
        assert!(source.exists(), "its source is installed");
        let run = |script: &str| {
            let run = mpi.run(&workplace, 2, Path::new("python3"), &[script]);
            run.env("LD_LIBRARY_PATH", prefix.join("lib"))
        };
        let said = run(&example).succeeds().stdout;
        let mut lines: Vec<_> = said.lines().collect();
        lines.sort_unstable();
        assert!(lines.len() == 2 && page.contains(&format!("```text\n{}\n```", lines.join("\n"))), "{said}");
        let ended = run(&failing.display().to_string()).run();
        let status = ended.status.code();
        let is_of_an_ended_rank = mpi.name == "mpich" && status == Some(9);
        assert!(status == Some(7) || is_of_an_ended_rank, "{}: {}{}", mpi.name, ended.stdout, ended.stderr);
    }
}
