//! The player of c_examples/life.c: patterns in, films and patterns out.

use std::fs::{self, File};
use std::path::PathBuf;

use gpumex::ops::life::LifeVariant;

use super::{backends, compile, decoded};
use crate::c_abi::programs::{Language, Workplace, root};
use crate::common::{self, Context, assert_same};

const DEAD: [u8; 3] = [16, 18, 32];
const ALIVE: [u8; 3] = [255, 208, 96];

fn player(workplace: &Workplace) -> PathBuf {
    compile(workplace, Language::C99, &root().join("c_examples/life.c"))
}

fn pattern(name: &str) -> String {
    root().join("c_examples/patterns").join(name).display().to_string()
}

struct Film {
    width: usize,
    height: usize,
    repeats: gif::Repeat,
    frames: Vec<Vec<u8>>, // the number of the colour of each pixel
}

fn film(path: PathBuf) -> Film {
    let mut decoder = gif::Decoder::new(File::open(path).expect("a film was saved")).expect("it is a GIF");
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a whole file") {
        frames.push(frame.buffer.to_vec());
    }
    let palette = decoder.global_palette().expect("one palette");
    assert_eq!(palette, [DEAD, ALIVE].concat());
    Film { width, height, repeats: decoder.repeat(), frames }
}

/// Each cell as zoom x zoom pixels.
fn enlarged(board: &[u8], cols: usize, zoom: usize) -> Vec<u8> {
    let line = |row: &[u8]| row.iter().flat_map(|&cell| vec![cell; zoom]).collect::<Vec<_>>();
    board.chunks(cols).flat_map(|row| line(row).repeat(zoom)).collect()
}

#[test]
fn a_gun_becomes_a_film() {
    let workplace = Workplace::new("player-gun");
    let program = player(&workplace);
    let (gun, size) = (pattern("gosper.rle"), "60x80");
    for backend in backends() {
        let run = workplace.program(&program).env("GPUMEX_BACKEND", backend);
        let ended =
            run.args(["-p", &gun, "-g", "62", "-e", "2", "-s", size, "-z", "3", "-o", "gun.gif"]).succeeds();
        ended.says(&[
            "Gosper glider gun: 9 x 36 cells on a board of 60 x 80, B3/S23, dead beyond the edges\n",
            "Generation 62: ",
            "Saved: gun.gif, 32 frames of 240 x 180 pixels",
        ]);
        let film = film(workplace.path("gun.gif"));
        assert_eq!((film.width, film.height, film.frames.len()), (240, 180, 32));
        assert_eq!(film.repeats, gif::Repeat::Infinite);

        let (ctx, mut board) = (Context::cpu(), vec![0; 60 * 80]);
        common::read_pattern(&fs::read(&gun).expect("a pattern"), [25, 22], &mut board, 60, 80);
        for (k, frame) in film.frames.iter().enumerate() {
            assert_same(frame, &enlarged(&board, 80, 3), format!("frame {k} on {backend}"));
            board = common::life(&ctx, LifeVariant::Sequential, &board, 60, 80, 2);
        }
    }
}

#[test]
fn a_glider_becomes_pictures() {
    let workplace = Workplace::new("player-glider");
    let glider = pattern("glider.lif");
    let run = workplace.program(player(&workplace));
    let ended =
        run.args(["-p", &glider, "-g", "4", "-e", "3", "-s", "9x7", "-o", "glider-%03d.png"]).succeeds();
    ended.says(&["Generation 4: 5 cells alive", "Saved: glider-%03d.png, 3 frames of 56 x 72 pixels"]);
    let (ctx, mut board) = (Context::cpu(), vec![0; 63]);
    common::read_pattern(&fs::read(&glider).expect("a pattern"), [3, 2], &mut board, 9, 7);
    for (k, step) in [0, 3, 1].into_iter().enumerate() {
        board = common::life(&ctx, LifeVariant::Sequential, &board, 9, 7, step);
        let (width, height, pixels) =
            decoded(&workplace.path(&format!("glider-{k:03}.png")), png::ColorType::Rgb);
        let colours =
            enlarged(&board, 7, 8).into_iter().flat_map(|cell| if cell == 1 { ALIVE } else { DEAD });
        assert_eq!((width, height), (56, 72));
        assert_same(&pixels, &colours.collect::<Vec<_>>(), format!("picture {k}"));
    }
    assert!(!workplace.path("glider-003.png").exists());
}

#[test]
fn a_pattern_becomes_a_pattern() {
    let workplace = Workplace::new("player-pattern");
    let program = player(&workplace);
    let run = |arguments: &[&str]| workplace.program(&program).args(arguments).succeeds();
    let text = |name: &str| fs::read_to_string(workplace.path(name)).expect("a pattern was saved");
    run(&["-p", &pattern("acorn.rle"), "-o", "acorn.lif"]);
    assert_eq!(text("acorn.lif"), "#Life 1.06\n1 0\n3 1\n0 2\n1 2\n4 2\n5 2\n6 2\n");
    run(&["-p", "acorn.lif", "-s", "5x9", "-o", "acorn.rle"]);
    assert_eq!(text("acorn.rle"), "#CXRLE Pos=-1,-1\nx = 9, y = 5, rule = B3/S23\n$2bo$4bo$b2o2b3o!\n");
    run(&["-p", &pattern("r_pentomino.rle"), "-s", "11x11", "-g", "1", "-o", "r.rle"]);
    assert_eq!(
        text("r.rle"),
        "#N R-pentomino\n#CXRLE Pos=-4,-4\nx = 11, y = 11, rule = B3/S23\n4$4b3o$4bo$4b2o!\n"
    );
}

#[test]
fn a_bad_pattern_ends_with_line_and_column() {
    let workplace = Workplace::new("player-bad");
    let program = player(&workplace);
    workplace.write("bad.rle", "x = 3, y = 3\nbo$2bo$\n  40o!");
    let refused = |arguments: &[&str], sentence: &str| {
        let ended = workplace.program(&program).args(arguments).run();
        assert_eq!(ended.status.code(), Some(1), "{arguments:?}");
        assert!(ended.stderr.contains(sentence), "{arguments:?}: {}", ended.stderr);
    };
    refused(
        &["-p", "bad.rle"],
        "bad.rle: gpumex_pattern_inspect: line 3, column 3: a run of 40 cells in a row of 3",
    );
    refused(&["-p", &pattern("gosper.rle"), "-s", "9x35"], "does not fit a board of 9 x 35");
    refused(&["-p", &pattern("glider.lif"), "-o", "no/such/folder.gif"], "no/such/folder.gif: ");
    refused(&["-p", &pattern("glider.lif"), "-z", "64", "-s", "1025x9", "-o", "a.gif"], "a.gif: ");
}

/// A glider is whole on a plane still when clamped edges have disturbed it, and later on a torus alone.
#[test]
fn what_lies_beyond_the_edge_is_chosen() {
    let workplace = Workplace::new("player-edges");
    let (program, glider) = (player(&workplace), pattern("glider.lif"));
    let ends = |arguments: &[&str], edges: &str, alive: u32| {
        let ended = workplace.program(&program).args(["-p", &glider, "-s", "9x9"]).args(arguments).succeeds();
        ended.says(&[&format!("9 x 9, B3/S23, {edges}\n"), &format!(": {alive} cells alive\n")]);
    };
    ends(&["-g", "12"], "dead beyond the edges", 5);
    ends(&["-g", "12", "-b", "clamp"], "clamped edges", 7);
    ends(&["-g", "36", "-b", "dead"], "dead beyond the edges", 4);
    ends(&["-g", "36", "-b", "torus"], "a torus", 5);
}

/// Ctrl-C ends a run within a call, and the last whole generation before it is kept.
#[test]
fn an_interrupted_run_keeps_a_generation() {
    let workplace = Workplace::new("player-interrupt-call");
    let program = player(&workplace).display().to_string();
    let gun = pattern("gosper.rle");
    let words =
        ["--foreground", "--preserve-status", "-s", "INT", "1", &program, "-p", &gun, "-s", "999x999"];
    let ended = workplace.program("timeout").args(words).args(["-g", "1000000000", "-o", "a.rle"]).succeeds();
    ended.says(&["cells alive (interrupted)", "Saved: a.rle"]);
    assert_eq!(ended.stderr, "", "nobody watches a file");
    let saved = fs::read_to_string(workplace.path("a.rle")).expect("a pattern was saved");
    assert!(saved.contains("x = 999, y = 999, rule = B3/S23\n"), "{}", &saved[..80]);
}

/// Ctrl-C ends a long run, and the film is whole up to there.
#[test]
fn an_interrupted_film_is_whole() {
    let workplace = Workplace::new("player-interrupt");
    let program = player(&workplace).display().to_string();
    let gun = pattern("gosper.rle");
    let words =
        ["--foreground", "--preserve-status", "-s", "INT", "0.5", &program, "-p", &gun, "-g", "1000000"];
    let ended = workplace.program("timeout").args(words).args(["-o", "a.gif"]).succeeds();
    ended.says(&["cells alive (interrupted)", "Saved: a.gif, "]);
    let frames = film(workplace.path("a.gif")).frames.len();
    assert!((1..1_000_000).contains(&frames), "{frames} frames");
    ended.says(&[&format!("Saved: a.gif, {frames} frames"), &format!("Generation {}: ", frames - 1)]);
}
