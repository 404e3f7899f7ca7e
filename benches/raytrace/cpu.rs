//! The CPU backend, on one thread and on all of them. The number of threads is one for a process: each is measured
//! by a child of its own.

use std::env;
use std::process::Command;

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::raytrace::PictureLayout;
use gpumex::ops::raytrace::RaytraceVariant;
use gpumex::platform::settings::Backend;

use crate::common::*;
use crate::scene::{Cast, Kind, Scene};

const CHILD: &str = "GPUMEX_BENCH_RAYTRACE_CHILD";
const KINDS: [Kind; 6] = [
    Kind::course(16),
    Kind::course(128),
    Kind::course(512),
    Kind::course(2048),
    Kind { name: "huge", radius: (1e4, 1e4), ..Kind::course(100_000) },
    Kind::MILLION,
];
const REPEATS: usize = 11;
const PLAIN_MOST: usize = 2048; // spheres: the plain loop takes half a second for each hundred

/// Whether this process is to measure and to print bare numbers.
pub fn is_child() -> bool {
    env::var_os(CHILD).is_some()
}

/// Prints for each kind of scene the ms of the library, of columns in three planes, and of the plain loop.
pub fn measure() {
    let ctx = gpumex_context_create(Backend::Cpu as i32, -1);
    assert!(!ctx.is_null(), "{}", text(gpumex_last_error()));
    for kind in KINDS {
        let scene = Scene::new(ctx, MemoryKind::Pinned, kind);
        let auto = Cast::of(RaytraceVariant::Auto);
        println!("{}", scene.median_ms(auto, REPEATS));
        println!(
            "{}",
            scene.median_ms(Cast { channels: 3, layout: PictureLayout::PlanarColumns, ..auto }, REPEATS)
        );
        let is_plain = kind.count <= PLAIN_MOST && env::var(CHILD).is_ok_and(|with| with == "plain");
        println!("{}", if is_plain { plain(&scene) } else { f64::NAN });
    }
    check(gpumex_context_destroy(ctx));
}

/// One call, whose picture is the library's.
fn plain(scene: &Scene) -> f64 {
    scene.ms(Cast::of(RaytraceVariant::Auto));
    let want = scene.picture();
    let ms = scene.ms(Cast::of(RaytraceVariant::Sequential));
    assert!(scene.picture() == want, "the plain loop casts another picture");
    ms
}

/// The table of both children.
pub fn report() {
    let [one, all] = [child("1", "plain"), child("0", "")];
    println!("\nCPU backend, medians of {REPEATS}; the plain loop once");
    println!(
        "{:26} | {:>11} | {:>11} | {:>8} | {:>10} | {:>10} | {:>11}",
        "ms", "1 thread", "all threads", "speed-up", "columns, 1", "plain loop", "times plain"
    );
    for (kind, (one, all)) in KINDS.iter().zip(one.chunks(3).zip(all.chunks(3))) {
        let &[ms, columns, plain] = one else { unreachable!("three numbers a scene") };
        let (plain_ms, times) = (format!("{plain:10.1}"), format!("{:11.1}", plain / ms));
        println!(
            "{:26} | {ms:11.2} | {:11.2} | {:8.2} | {columns:10.2} | {} | {}",
            kind.title(),
            all[0],
            ms / all[0],
            plain_ms.replace("NaN", "  -"),
            times.replace("NaN", "  -"),
        );
    }
}

/// The numbers of a child with so many threads; 0 is all.
fn child(threads: &str, with: &str) -> Vec<f64> {
    let this = env::current_exe().expect("a program has a path");
    let output = Command::new(this).env(CHILD, with).env("GPUMEX_NUM_THREADS", threads).output();
    let output = output.expect("this program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| line.parse().unwrap_or_else(|_| panic!("a child printed {line:?}"))).collect()
}
