//! The Rust examples of the documentation print what their pages show. Each runs in a process of its own: this program, started
//! with its name.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

macro_rules! examples {
    ($($name:ident)*) => {
        $(mod $name {
            include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/", stringify!($name), ".rs"));

            pub fn run() -> gpumex::Result<()> {
                main()
            }
        })*

        const EXAMPLES: &[(&str, fn() -> gpumex::Result<()>)] = &[$((stringify!($name), $name::run)),*];
    };
}

examples! {
    add axpy bulk_insert bulk_remove check_sorted compact convolve dot expression_operator gather gather_nd histogram
    interval_expand interval_move join life load_balance_search locality_sort map map_reduce map_scan matmul median_filter memory merge pattern
    permute ranks raytrace reduce reduce_by_key reduce_dim scale scan scan_dim scatter scatter_nd segmented_reduce
    segmented_sort set_operation sort sorted_equality_count sorted_search spmv stencil words
}

fn main() -> ExitCode {
    let argument = env::args().nth(1).unwrap_or_default();
    if let Some((_, run)) = EXAMPLES.iter().find(|(name, _)| *name == argument) {
        run().unwrap_or_else(|error| panic!("{argument}: {error}"));
        return ExitCode::SUCCESS;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples");
    let is_rust = |entry: &fs::DirEntry| entry.path().extension().is_some_and(|ending| ending == "rs");
    let files = fs::read_dir(&folder).expect("docs/examples is there").flatten().filter(is_rust).count();
    assert_eq!(EXAMPLES.len(), files, "the list in {} lacks an example, or has one more", file!());
    let wrong = EXAMPLES.iter().filter(|(name, _)| !is_as_shown(name, &folder)).count();
    println!("examples: {} right, {wrong} wrong", files - wrong);
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn is_as_shown(name: &str, folder: &Path) -> bool {
    let program = env::current_exe().expect("a running program has a path");
    let output =
        Command::new(program).arg(name).env("GPUMEX_BACKEND", "cpu").output().expect("it starts again");
    let shown =
        fs::read_to_string(folder.join(name).with_extension("out")).expect("an example has its output");
    let printed = String::from_utf8_lossy(&output.stdout);
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_string()).collect::<Vec<_>>();
    let is_right = output.status.success() && lines(&printed) == lines(&shown);
    if !is_right {
        let said = String::from_utf8_lossy(&output.stderr);
        println!("{name}.rs prints\n{printed}{said}\nand its page shows\n{shown}");
    }
    is_right
}
