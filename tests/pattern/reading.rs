//! What can be read, and what it says.

use gpumex::ops::life::{LifeBoundary, LifeVariant};
use gpumex::ops::pattern::PatternFormat;

use super::*;
use crate::common::*;

#[test]
fn a_file_tells_of_itself() {
    let gun = inspect(GUN);
    assert_eq!((gun.format, gun.rows, gun.cols, gun.population), (PatternFormat::Rle as i32, 9, 36, 36));
    assert_eq!((text_in(&gun.rule), text_in(&gun.name)), ("B3/S23".into(), "Gosper glider gun".into()));
    assert_eq!((gun.boundary, gun.board_rows, gun.board_cols, gun.row, gun.col), (0, 0, 0, 0, 0));
    let glider = inspect(GLIDER);
    assert_eq!((glider.format, glider.rows, glider.cols), (PatternFormat::Life106 as i32, 3, 3));
    assert_eq!((glider.population, glider.row, glider.col), (5, -1, -1));
    assert_eq!((text_in(&glider.rule), text_in(&glider.name)), ("B3/S23".into(), String::new()));
    assert_eq!(picture(GLIDER), ".o.\n..o\nooo");
    assert_eq!(picture(R_PENTOMINO), ".oo\noo.\n.o.");
    assert_eq!(picture(ACORN), ".o.....\n...o...\noo..ooo");
}

#[test]
fn the_gun_has_its_period_and_the_r_pentomino_its_landmark() {
    for ctx in backends() {
        let [rows, cols] = [200, 240];
        let mut board = read(GUN.as_bytes(), [20, 30], [rows, cols]).expect("it fits");
        let gun = |board: &[u8]| {
            (20..29).flat_map(|row| board[row * cols + 30..][..36].to_vec()).collect::<Vec<_>>()
        };
        let start = gun(&board);
        for shot in 1..=8 {
            board = life(&ctx, LifeVariant::Auto, &board, rows, cols, 30);
            assert_same(&gun(&board), &start, format!("the gun after {shot} periods"));
            assert_eq!(board.iter().filter(|&&cell| cell == 1).count(), 36 + 5 * shot, "{shot} gliders");
        }
        let board = read(R_PENTOMINO.as_bytes(), [400, 400], [800, 800]).expect("it fits");
        let board = life(&ctx, LifeVariant::Auto, &board, 800, 800, 1103);
        assert_eq!(board.iter().filter(|&&cell| cell == 1).count(), 116);
    }
}

#[test]
fn rle_comes_in_many_shapes() {
    let glider = ".o.\n..o\nooo";
    for text in [
        "x=3,y=3\nbo$2bo$3o!",
        "X = 3, Y = 3, RULE = b3/s23\r\nbob$2bo$\r\n3o!\r\n",
        "\u{feff}x = 3, y = 3\rbo$2bo$3o!\rwhatever comes behind the end \0 x = 1",
        "#C a remark\n\n  #C another\n\t x  =  3 ,y= 3 , rule =  23 / 3  \n b o\n$ 2\nb o $ 3 \r\n o !",
        "x = 3, y = 3\n\n#C between\n1b1o1b1$\n  # and again x = 3\n2bo1$3o1$!",
        "x = 3, y = 3, rule = B3/S23\n.A.$2.A$3A!",
        "x = 003, y = 3\n1.1o$bbo$ooo!",
    ] {
        assert_eq!(picture(text), glider, "{text:?}");
        assert_eq!(text_in(&inspect(text).rule), "B3/S23");
    }
    assert_eq!(picture("x = 2, y = 5\n2$o2$bo!"), "..\n..\no.\n..\n.o");
    assert_eq!(picture("x = 2, y = 2\n2$!"), "..\n..");
    for (text, size) in
        [("x = 0, y = 0\n!", (0, 0)), ("x = 0, y = 7\n7$!", (7, 0)), ("x = 7, y = 0\n!", (0, 7))]
    {
        let info = inspect(text);
        assert_eq!((info.rows, info.cols, info.population), (size.0, size.1, 0), "{text:?}");
        assert_eq!(read(text.as_bytes(), [2, 2], [9, 9]), Ok(vec![0; 81]), "{text:?}");
    }
}

#[test]
fn a_header_states_rule_boundary_and_place() {
    let shape = |text: &str| {
        let info = inspect(text);
        (text_in(&info.rule), info.boundary, info.board_rows, info.board_cols)
    };
    let (clamp, dead, torus) =
        (LifeBoundary::Clamp as i32, LifeBoundary::Dead as i32, LifeBoundary::Torus as i32);
    for (rule, want) in [
        ("B36/S23", ("B36/S23", clamp, 0, 0)),
        ("23/36", ("B36/S23", clamp, 0, 0)),
        ("S/b2", ("B2/S", clamp, 0, 0)),
        ("B3/S23:T100,50", ("B3/S23", torus, 50, 100)),
        ("23/3 : t30", ("B3/S23", torus, 30, 30)),
        ("B3/S23:P3,2", ("B3/S23", dead, 2, 3)),
        ("B3/S23:P", ("B3/S23", dead, 0, 0)),
        ("B012345678/S012345678:T", ("B012345678/S012345678", torus, 0, 0)),
    ] {
        let text = format!("#r B1/S1\nx = 3, y = 2, rule = {rule}\n3o$o!");
        assert_eq!(shape(&text), (want.0.to_string(), want.1, want.2, want.3), "{rule}");
    }
    assert_eq!(shape("#r 1/2:T9\nx = 1, y = 1\no!"), ("B2/S1".into(), torus, 9, 9));
    for place in ["#P -7 12", "#R  -7\t12", "#CXRLE Pos=-7,12", "#CXRLE Gen=30 Pos=-7,12"] {
        let info = inspect(format!("{place}\n#P no numbers\nx = 1, y = 1\no!"));
        assert_eq!((info.row, info.col), (12, -7), "{place}");
    }
    let name = |text: String| text_in(&inspect(text + "\nx = 1, y = 1\no!").name);
    assert_eq!(name("#N  a name \u{e9} \r".into()), "a name \u{e9}");
    assert_eq!(name(format!("#N {}", "\u{e9}".repeat(100))), "\u{e9}".repeat(63), "cut between characters");
    assert_eq!(name(format!("#N {} end", "n".repeat(126))), "n".repeat(126), "cut without the blank");
    let bytes = [b"#N ", &[0x80; 200][..], b"\nx = 1, y = 1\no!"].concat();
    assert!(
        inspect(bytes).name[..127].iter().all(|&byte| byte as u8 == 0x80),
        "bytes that are no UTF-8 stay"
    );
}

#[test]
fn life_1_06_comes_in_any_order() {
    for text in [
        "#Life 1.06\n0 0\n2 1\n",
        "#life 1.06 \r\n\r\n  2\t1 \r\n#C a remark\r\n0 0\r\n0 0",
        "\u{feff}#Life 1.06\n-5 -9\n-3 -8\n-5 -9\n-3 -8",
        "#Life 1.06\n+4611686018427387902 -4611686018427387904\n4611686018427387904 -4611686018427387903",
    ] {
        assert_eq!(picture(text), "o..\n..o", "{text:?}");
    }
    refuses("#Life 1.06\n0 -4611686018427387905", "line 2, column 3: a coordinate beyond 2^62");
    let nothing = inspect("#Life 1.06");
    assert_eq!((nothing.rows, nothing.cols, nothing.population), (0, 0, 0));
    let far = inspect("#Life 1.06\n4611686018427387904 0\n-4611686018427387904 0");
    assert_eq!((far.rows, far.cols, far.population), (1, (1 << 63) + 1, 2));
}
