//! Texts that cannot be read, by line and column, random damage, and bad arguments.

use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;

use super::*;
use crate::common::*;

#[test]
fn wrong_cells_are_told_by_line_and_column() {
    for (body, sentence) in [
        ("o\n  4o!", "line 3, column 3: a run of 4 cells behind 1 cell in a row of 3"),
        ("40o!", "line 2, column 1: a run of 40 cells in a row of 3"),
        ("b4b!", "line 2, column 2: a run of 4 cells behind 1 cell in a row of 3"),
        ("3oo!", "line 2, column 3: a run of 1 cell behind 3 cells in a row of 3"),
        ("3o$3o$o!", "line 2, column 7: cells in row 3 of a pattern of 2"),
        ("$$b!", "line 2, column 3: cells in row 3 of a pattern of 2"),
        ("o$\r\n$$!", "line 3, column 2: the end of a row in row 3 of a pattern of 2"),
        ("o$9$!", "line 2, column 3: 9 ends of a row in row 2 of a pattern of 2"),
        ("18446744073709551615$!", "18446744073709551615 ends of a row in row 1"),
        ("o18446744073709551615o!", "a run of 18446744073709551615 cells behind 1 cell"),
        ("99999999999999999999o!", "line 2, column 1: a number above 18446744073709551615"),
        ("0o!", "line 2, column 1: a number of 0; a run has at least one"),
        ("o$bo", "line 2, column 5: the text ends without \"!\""),
        ("o$bo\n", "line 3, column 1: the text ends without \"!\""),
        ("o$3", "line 2, column 4: the text ends behind 3 without \"!\""),
        ("", "line 2, column 1: the text ends without \"!\""),
        ("3!", "line 2, column 2: \"!\" behind 3 is none of b, o, $ and !"),
        ("3 3o!", "line 2, column 3: \"3\" behind 3 is none of b, o, $ and !"),
        ("o#C!", "line 2, column 2: \"#\" is none of"),
        ("-o!", "line 2, column 1: \"-\" is none of"),
        (
            "oBo!",
            "line 2, column 2: state \"B\" is that of an automaton with more than two states; b is dead",
        ),
        ("2pA!", "line 2, column 2: state \"p\" is that of an automaton"),
        ("O!", "line 2, column 1: state \"O\" is that of an automaton"),
        ("o$\nx = 3, y = 2\no!", "line 3, column 1: a second header; a text has one"),
        ("xo!", "line 2, column 1: state \"x\""),
        ("o\0!", "line 2, column 2: byte 0x00 is none of"),
        ("\u{7f}", "line 2, column 1: byte 0x7f is none of"),
        ("#C\0\no!", "line 2, column 3: byte 0x00 in a comment"),
    ] {
        refuses(format!("x = 3, y = 2\n{body}"), sentence);
    }
    refuses(b"x = 3, y = 2\n\xffo!", "line 2, column 1: byte 0xff is none of");
    refuses("x = 0, y = 3\nb!", "line 2, column 1: a run of 1 cell in a row of 0");
    refuses("x = 3, y = 0\n$!", "line 2, column 1: the end of a row in row 1 of a pattern of 0");
}

#[test]
fn wrong_headers_are_told_by_line_and_column() {
    let header = "a header is such as x = 36, y = 9, rule = B3/S23";
    for (text, sentence) in [
        ("", "line 1, column 1: the end of the text where the header has x ="),
        ("#C nothing\n", "line 2, column 1: the end of the text where the header has x ="),
        ("bo$2bo$3o!", "line 1, column 1: \"b\" where the header has x ="),
        ("x 3, y = 3\n!", "line 1, column 3: \"3\" where the header has \"=\""),
        ("x = , y = 3\n!", "line 1, column 5: \",\" where the header has a number behind x ="),
        ("x = -3, y = 3\n!", "line 1, column 5: \"-\" where the header has a number behind x ="),
        ("x = 3 y = 3\n!", "line 1, column 7: \"y\" where the header has \",\""),
        ("x = 3\n!", "line 1, column 6: the end of the line where the header has \",\""),
        ("x = 3, z = 3\n!", "line 1, column 8: \"z\" where the header has y ="),
        ("x = 3, y = 3 bo!", "line 1, column 14: \"b\" where the header has \",\""),
        ("x = 3, y = 3, rile = 3", "line 1, column 16: \"i\" where the header has rule ="),
        ("x = 3, y = 3, rule B3/S23\n!", "line 1, column 20: \"B\" where the header has \"=\""),
        ("\0", "line 1, column 1: byte 0x00 where the header has x ="),
        ("y = 3, x = 3\n!", "line 1, column 1: \"y\" where the header has x ="),
    ] {
        refuses(text, sentence);
        says(&[header], text);
    }
    for (rule, sentence) in [
        ("", "line 1, column 22: \"\" is not a rule such as B3/S23"),
        ("B3/S23/C3", "line 1, column 22: \"B3/S23/C3\" is not a rule such as B3/S23"),
        ("B2ce/S", "\"B2ce/S\" is not a rule"),
        ("WireWorld", "\"WireWorld\" is not a rule"),
        ("B3/S23:", "line 1, column 22: \"\" is neither a torus nor a plane, such as T100,50 or P100,50"),
        ("B3/S23:K30,20", "\"K30,20\" is neither a torus nor a plane"),
        ("B3/S23:T0,20", "\"T0,20\" is neither"),
        ("B3/S23:T30+5,20", "\"T30+5,20\" is neither"),
        ("B3/S23:T30,", "\"T30,\" is neither"),
        ("B3/S23:T99999999999999999999", "\"T99999999999999999999\" is neither"),
        ("B3/S23:T3,1", "line 1, column 22: a board of 3,1 has no room for x = 3, y = 2"),
    ] {
        refuses(format!("x = 3, y = 2, rule = {rule}\no!"), sentence);
    }
    refuses(format!("x = 3, y = 2, rule = {}\no!", "3".repeat(101)), "a rule of 101 bytes; 100 are the most");
    refuses("#C\n#r  B9/S\nx = 3, y = 2\no!", "line 2, column 5: \"B9/S\" is not a rule");
    refuses("x = 18446744073709551616, y = 1\n!", "line 1, column 5: a number above 18446744073709551615");
    refuses(
        "#Life 1.05\n#P 0 0\n.*\n",
        "line 1, column 1: \"#Life 1.05\" is read as line 1 alone, and of Life only 1.06",
    );
}

#[test]
fn wrong_lists_are_told_by_line_and_column() {
    for (body, sentence) in [
        ("1", "line 2, column 2: the end of the text where a whole number y should be"),
        ("1\n2\n", "line 2, column 2: the end of the line where a whole number y"),
        ("1 2 3", "line 2, column 5: \"3\" where the end of the line should be"),
        ("1 2\n1.5 2", "line 3, column 2: \".\" where the end of a number should be"),
        ("1 2\r\n\r\nx y", "line 4, column 1: \"x\" where a whole number x should be"),
        ("1 - 2", "line 2, column 3: \"-\" where a whole number y"),
        ("1-2", "line 2, column 2: \"-\" where the end of a number"),
        ("1 2\0", "line 2, column 4: byte 0x00 where the end of a number"),
        ("99999999999999999999 1", "line 2, column 1: a number above"),
    ] {
        refuses(format!("#Life 1.06\n{body}"), sentence);
    }
}

/// Numbers that no memory holds ask for none.
#[test]
fn a_pattern_of_any_size_is_told_and_does_not_fit() {
    let most = usize::MAX;
    let text = format!("x = {most}, y = {most}\n{most}o${most}o!");
    let status = inspected(text.as_bytes(), &mut PatternInfo::default());
    refused(
        status,
        Status::InvalidArgument,
        &["line 2, column 23: more than 2^64 - 1 live cells"],
        "two rows of 2^64 - 1 cells",
    );
    let text = format!("x = {most}, y = {most}\n{most}o!");
    let info = inspect(&text);
    assert_eq!((info.rows, info.cols, info.population), (most, most, most as u64));
    let status = read(text.as_bytes(), [1, 1], [9, 9]).expect_err("it does not fit");
    refused(
        status,
        Status::InvalidArgument,
        &["at row 1, column 1 does not fit a board of 9 x 9"],
        "too large",
    );
    for (at, size) in [([0, 1], [3, 3]), ([1, 0], [3, 3]), ([0, 0], [2, 3]), ([most, 0], [3, 3])] {
        let status = read(GLIDER.as_bytes(), at, size).expect_err("it does not fit");
        let sentence = format!("3 x 3 cells at row {}, column {} does not fit a board of", at[0], at[1]);
        refused(status, Status::InvalidArgument, &[&sentence], "a glider at the edge");
    }
}

#[test]
fn bad_arguments_are_refused() {
    let (text, mut info) = (GLIDER.as_ptr().cast(), PatternInfo::default());
    let mut board = [u64::MAX; 2]; // so that a byte behind its beginning is no multiple of 8
    let to = board.as_mut_ptr().cast::<c_void>();
    let length = GLIDER.len();
    // SAFETY: bad arguments that are refused.
    unsafe {
        let invalid = |status, words: &[&str]| refused(status, Status::InvalidArgument, words, "a pattern");
        let null_pointer = |status, words: &[&str]| refused(status, Status::NullPointer, words, "a pattern");
        null_pointer(gpumex_pattern_inspect(null(), 1, &mut info), &["gpumex_pattern_inspect: text is NULL"]);
        null_pointer(gpumex_pattern_inspect(text, length, null_mut()), &["info is NULL"]);
        info.size = 3;
        invalid(gpumex_pattern_inspect(text, length, &mut info), &["info.size is 3"]);
        invalid(gpumex_pattern_write(&info, 0, null(), 0, 0, null_mut(), 0, null_mut()), &["info.size is 3"]);
        info.size = 16; // of a header that knew format and boundary only
        ok(gpumex_pattern_inspect(text, length, &mut info), "an older struct");
        assert_eq!((info.size, info.format, info.rows), (16, 2, 0));

        invalid(gpumex_pattern_read(text, length, 2, 0, 0, to, 3, 3), &["cells is 2; a gpumex_life_cells"]);
        null_pointer(gpumex_pattern_read(text, length, 0, 0, 0, null_mut(), 3, 3), &["board is NULL"]);
        invalid(
            gpumex_pattern_read(text, length, 0, 0, 0, to, usize::MAX, 3),
            &["ends beyond the address space"],
        );
        invalid(
            gpumex_pattern_read(text, length, 1, 0, 0, to.wrapping_byte_add(1), 1, 3),
            &["multiple of 8"],
        );
        let same = to.cast::<c_char>().cast_const();
        invalid(gpumex_pattern_read(same, 9, 0, 0, 0, to, 3, 3), &["board overlaps text"]);
        invalid(
            gpumex_pattern_write(null(), 0, to, 3, 3, to.cast(), 9, null_mut()),
            &["text overlaps board"],
        );
        null_pointer(gpumex_pattern_write(null(), 0, to, 3, 3, null_mut(), 9, null_mut()), &["text is NULL"]);
        null_pointer(
            gpumex_pattern_write(null(), 0, null(), 3, 3, null_mut(), 0, null_mut()),
            &["board is NULL"],
        );
        for (info, words) in [
            (
                PatternInfo { format: first_unknown::<PatternFormat>(), ..PatternInfo::default() },
                "info.format is 3; a gpumex_pattern_format",
            ),
            (
                PatternInfo { boundary: -1, ..PatternInfo::default() },
                "info.boundary is -1; a gpumex_life_boundary",
            ),
            (PatternInfo { rule: put("B9"), ..PatternInfo::default() }, "\"B9\" is not a rule"),
            (PatternInfo { name: put("a\nb"), ..PatternInfo::default() }, "the name holds byte 0x0a"),
        ] {
            invalid(gpumex_pattern_write(&info, 0, to, 3, 3, null_mut(), 0, null_mut()), &[words]);
        }
    }
    assert_eq!(board, [u64::MAX; 2]);
}

#[test]
fn device_memory_is_no_place_for_patterns() {
    let Some(ctx) = Context::cuda() else { return };
    let mut memory = null_mut();
    // SAFETY: a pointer; arguments that are refused, or memory that is freed at the end.
    unsafe {
        ok(gpumex_malloc(ctx.handle, MemoryKind::Device as i32, 4096, &mut memory), "gpumex_malloc");
        let unsupported = |status, name: &str| {
            let sentence = format!("{name} is memory of CUDA device");
            refused(status, Status::Unsupported, &[&sentence, "it has to be the host's"], name);
        };
        let (text, length) = (GLIDER.as_ptr().cast(), GLIDER.len());
        let mut host = [0u8; 9];
        let cells = host.as_mut_ptr().cast::<c_void>();
        unsupported(gpumex_pattern_inspect(memory.cast(), 9, &mut PatternInfo::default()), "text");
        unsupported(gpumex_pattern_read(memory.cast(), 9, 0, 0, 0, cells, 3, 3), "text");
        unsupported(gpumex_pattern_read(text, length, 0, 0, 0, memory, 3, 3), "board");
        unsupported(gpumex_pattern_write(null(), 0, memory, 3, 3, null_mut(), 0, null_mut()), "board");
        unsupported(gpumex_pattern_write(null(), 0, cells, 3, 3, memory.cast(), 9, null_mut()), "text");
        ok(gpumex_free(memory), "gpumex_free");
    }
}

/// What a text may be made of, and what it may hold besides.
const PIECES: &[&str] = &[
    "o",
    "b",
    "$",
    "!",
    "\n",
    "\r\n",
    " ",
    "#",
    "#N",
    "#r ",
    "x = ",
    ", y = ",
    ", rule = ",
    ":T",
    "9",
    "0",
    "-",
    "\0",
    "B3/S23",
    "18446744073709551615",
    "#Life 1.06\n",
    "\u{feff}",
    "\u{e9}",
];

#[test]
fn no_text_breaks_the_reader() {
    let sources = [GUN, R_PENTOMINO, GLIDER, ACORN, "#r 23/3:T30\n#P 3 4\nx = 3, y = 3\nbo$2bo$3o!"];
    let mut random = random(106);
    let (mut good, mut bad) = (0, 0);
    for round in 0..20_000 {
        let mut text = sources[round % sources.len()].as_bytes().to_vec();
        for _ in 0..random.random_range(1..6) {
            let at = random.random_range(0..=text.len());
            match random.random_range(0..4) {
                0 => text.truncate(at),
                1 => drop(text.drain(at..(at + random.random_range(0..9)).min(text.len()))),
                2 => drop(text.splice(at..at, PIECES[random.random_range(0..PIECES.len())].bytes())),
                _ => drop(text.splice(at..(at + 1).min(text.len()), [random.random()])),
            }
        }
        let mut info = PatternInfo::default();
        match inspected(&text, &mut info) {
            0 => {
                good += 1;
                let board = read(&text, [1, 2], [60, 60]);
                let population = board.map(|board| board.iter().map(|&cell| u64::from(cell)).sum());
                assert!(population.is_err() || population == Ok(info.population), "{}", text.escape_ascii());
            }
            status => {
                bad += 1;
                refused(status, Status::InvalidArgument, &["line ", ", column "], text.escape_ascii());
                assert!(read(&text, [0, 0], [60, 60]).is_err(), "{}", text.escape_ascii());
            }
        }
    }
    assert!(good > 1000 && bad > 1000, "{good} good texts and {bad} bad ones");
}

#[test]
fn a_board_beyond_what_inspect_reads_is_not_written() {
    for (row, col) in [(i64::MAX, 0), (i64::MIN, 0), (0, 1 << 62), (0, -(1 << 62) - 1)] {
        let info = PatternInfo { row, col, ..PatternInfo::default() };
        let (cell, mut needed) = ([1u8; 2], 0);
        // SAFETY: a board of two cells; the size alone is asked for.
        let status =
            unsafe { gpumex_pattern_write(&info, 0, cell.as_ptr().cast(), 1, 2, null_mut(), 0, &mut needed) };
        refused(status, Status::InvalidArgument, &["2^62"], format!("row {row}, column {col}"));
    }
}
