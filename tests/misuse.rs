//! Programs that compiled against version 0.1, returned 0 and were wrong (tests/misuse): each now gets what its last comment says, as
//! strict C90.

use std::fs;

use crate::c_abi::programs::{Language, Workplace, root};

#[test]
fn misuse_gets_a_status_and_a_sentence() {
    let workplace = Workplace::new("misuse");
    let folder = root().join("tests/misuse");
    let mut sources: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    sources.sort();
    assert!(sources.len() >= 10, "{sources:?}");
    for source in sources {
        let text = fs::read_to_string(&source).unwrap();
        let (_, promised) = text.split_once("/* Prints:\n").expect("it ends with what it prints");
        let promised: Vec<_> = promised.lines().filter_map(|line| line.strip_prefix(" * ")).collect();
        let program = workplace.compile(Language::C90, &source, &[]);
        let printed = workplace.program(program).succeeds().stdout;
        let printed: Vec<_> = printed.lines().map(str::trim_end).collect();
        assert_eq!(printed, promised, "{}", source.display());
    }
}
