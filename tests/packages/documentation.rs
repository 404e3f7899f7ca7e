//! The installed manual: a page for each function, without a warning of a program that reads it.

use std::collections::BTreeSet;
use std::fs;

use super::has;
use super::prefix::Installed;
use crate::header;

#[test]
fn each_function_has_a_manual_page() {
    let functions: BTreeSet<_> =
        header::parsed().functions.into_iter().map(|function| format!("{}.3", function.name)).collect();
    let installed = Installed::here();
    let folder = installed.prefix().join("share/man/man3");
    let entries = fs::read_dir(folder).expect("pages are installed");
    let pages: BTreeSet<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(pages, functions);
}

#[test]
fn manual_pages_have_no_warnings() {
    if !has(&["mandoc"]) {
        return;
    }
    let installed = Installed::here();
    let folder = installed.folder("manual");
    folder.sh("mandoc -T lint -W warning \"$PREFIX\"/share/man/man?/*");
    let page = folder.sh("mandoc -T ascii \"$PREFIX/share/man/man3/gpumex_matmul.3\" | sed 's/.\\x08//g'");
    for text in [
        "gpumex_matmul - Matrix product",
        "size_t m,",
        "       a      op(A) is m*k",
        "NULL_POINTER (ctx",
        "beta",
    ] {
        assert!(page.contains(text), "no \"{text}\" in\n{page}");
    }
    let overview = folder.sh("mandoc -T ascii \"$PREFIX/share/man/man7/gpumex.7\" | sed 's/.\\x08//g'");
    for text in ["pkg-config --cflags", "THREADS", "gpumex_sort(3)"] {
        assert!(overview.contains(text), "no \"{text}\" in\n{overview}");
    }
}
