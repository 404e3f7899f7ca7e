//! `make install` and `make uninstall`, of stand-ins for the library: what they leave behind, and what they refuse.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use super::prefix::Folder;
use crate::c_abi::programs::root;

/// A source tree that is built, of some version. Its library has one function, and the programs on its way are none that could build.
struct Tree {
    folder: Folder,
    version: &'static str,
}

const OURS: &str = env!("CARGO_PKG_VERSION");

impl Tree {
    fn new(version: &'static str) -> Tree {
        let folder = Folder::new();
        for name in [
            "Makefile",
            "include",
            "c_examples",
            "cpp_examples",
            "lab",
            "LICENSE-MIT",
            "LICENSE-APACHE",
            "THIRD_PARTY.md",
            "CHANGELOG.md",
        ] {
            symlink(root().join(name), folder.path().join(name)).expect("a temporary folder");
        }
        fs::write(folder.path().join("Cargo.toml"), format!("version = \"{version}\"\n"))
            .expect("a temporary file");
        folder.sh(&format!("cp -r '{}' .", root().join("packaging").display())); // it looks for the tree above it
        let tree = Tree { folder, version };
        tree.folder.sh(&format!(
            "mkdir -p target/release no-build
             echo 'int gpumex_version(void) {{ return {}; }}' | cc -shared -fPIC -Wl,-soname,{} -x c - -o target/release/libgpumex.so
             touch target/release/libgpumex.a
             for program in cargo nvcc curl pip; do printf '#!/bin/sh\\nexit 9' >no-build/$program; chmod +x no-build/$program; done",
            tree.number(),
            tree.soname(),
        ));
        tree
    }

    fn soname(&self) -> String {
        format!("libgpumex.so.{}", self.version.rsplit_once('.').expect("a version has dots").0)
    }

    /// What its one function returns.
    fn number(&self) -> String {
        self.version.replace('.', "").trim_start_matches('0').to_string()
    }

    /// make's standard output and error, and whether it succeeded.
    fn make(&self, words: &str) -> (bool, String) {
        let ended = self.folder.try_sh(&format!("umask 077; PATH=$PWD/no-build:$PATH make {words} 2>&1"));
        (ended.status.success(), String::from_utf8_lossy(&ended.stdout).into_owned())
    }

    #[track_caller]
    fn makes(&self, words: &str) {
        let (succeeded, said) = self.make(words);
        assert!(succeeded, "make {words}:\n{said}");
    }
}

/// All that is below a folder.
fn listing(folder: &Folder, name: &str) -> String {
    folder.sh(&format!("find '{name}' | LC_ALL=C sort"))
}

#[test]
fn uninstall_removes_what_was_installed_and_nothing_else() {
    let (tree, folder) = (Tree::new(OURS), Folder::new());
    folder.sh("mkdir -p prefix/lib prefix/include/gpumex && touch prefix/include/gpumex/mine.h prefix/lib/libmine.a");
    let before = listing(&folder, "prefix");
    let prefix = folder.path().join("prefix");
    for _ in 0..2 {
        tree.makes(&format!("install PREFIX='{}'", prefix.display())); // the second time over the first
    }
    assert_eq!(folder.sh("find prefix/share ! -type l ! -perm -444"), "", "nobody else can read these");
    for name in [
        "include/gpumex.h",
        "lib/libgpumex.so",
        "lib/libgpumex.a",
        "lib/pkgconfig/gpumex.pc",
        "lib/cmake/gpumex/gpumexConfig.cmake",
        "share/man/man7/gpumex.7",
        "share/doc/gpumex/LICENSE-MIT",
    ] {
        assert!(prefix.join(name).exists(), "{name} is not installed");
    }
    let links = folder.sh("cd prefix/lib && readlink libgpumex.so $(readlink libgpumex.so)");
    assert_eq!(links, format!("{}\nlibgpumex.so.{OURS}", tree.soname()));
    assert_eq!(folder.sh("find prefix -name '*.new' -o -name __pycache__"), "");
    tree.makes(&format!("uninstall PREFIX='{}'", prefix.display()));
    assert_eq!(listing(&folder, "prefix"), before);
    let (succeeded, said) = tree.make(&format!("uninstall PREFIX='{}'", prefix.display()));
    assert!(!succeeded && said.contains("is not installed below"), "{said}");
}

#[test]
fn folders_can_be_chosen_below_destdir() {
    let (tree, folder) = (Tree::new(OURS), Folder::new());
    let settings = format!(
        "prefix=/usr LIBDIR=/usr/lib/x86_64-linux-gnu mandir=/usr/man INCLUDEDIR=/opt/include DESTDIR='{}'",
        folder.path().join("root").display()
    );
    tree.makes(&format!("install {settings}"));
    for name in
        ["usr/lib/x86_64-linux-gnu/libgpumex.so", "usr/man/man3/gpumex_sort.3", "opt/include/gpumex.h"]
    {
        assert!(folder.path().join("root").join(name).exists(), "{name} is not installed");
    }
    let file = folder.sh("cat root/usr/lib/x86_64-linux-gnu/pkgconfig/gpumex.pc");
    for line in
        ["prefix=${pcfiledir}/../../..", "libdir=${prefix}/lib/x86_64-linux-gnu", "includedir=/opt/include"]
    {
        assert!(file.lines().any(|one| one == line), "no {line} in\n{file}");
    }
    let own = folder.path().display().to_string();
    let named = folder.sh(&format!("grep -rlF '{own}' root || true"));
    assert_eq!(named, "", "files that name DESTDIR");
    tree.makes(&format!("uninstall {settings}"));
    assert!(!folder.path().join("root").exists(), "{}", listing(&folder, "root"));
}

#[test]
fn a_prefix_that_cannot_be_written_stays_as_it_was() {
    let (tree, folder) = (Tree::new(OURS), Folder::new());
    let (succeeded, said) = tree.make("install PREFIX=/proc/gpumex");
    let sentence = "install: /proc/gpumex: ";
    assert!(!succeeded && said.contains(sentence) && said.contains("; nothing was installed"), "{said}");
    assert!(!said.contains("Traceback"), "{said}");

    // A file where a folder has to be, and a folder where a file has to be, are noticed amid the work.
    for obstacle in
        ["mkdir -p prefix/share && touch prefix/share/man", "mkdir -p prefix/share/man/man3/gpumex_sort.3"]
    {
        folder.sh(&format!("rm -rf prefix && {obstacle}"));
        let before = listing(&folder, "prefix");
        let (succeeded, said) =
            tree.make(&format!("install PREFIX='{}'", folder.path().join("prefix").display()));
        assert!(!succeeded && !said.contains("Traceback"), "{obstacle}: {said}");
        assert_eq!(listing(&folder, "prefix"), before, "{said}");
    }
}

/// As whoever may not write there; root may everywhere.
#[test]
fn a_read_only_prefix_is_refused_in_a_sentence() {
    let (tree, folder) = (Tree::new(OURS), Folder::new());
    let prefix = folder.path().join("prefix");
    let settings = format!("PREFIX='{}'", prefix.display());
    tree.makes(&format!("install {settings}"));
    let before = listing(&folder, "prefix");
    for (target, done) in [("install", "nothing was installed"), ("uninstall", "nothing was removed")] {
        folder.sh("find . -type d -exec chmod 555 {} +");
        let (succeeded, said) = as_nobody(&tree, &format!("{target} {settings}"));
        folder.sh("find . -type d -exec chmod 755 {} +");
        assert!(!succeeded && said.contains(done) && !said.contains("Traceback"), "{target}: {said}");
        assert_eq!(listing(&folder, "prefix"), before);
    }
}

/// As root without its right to write everywhere, or else as the user who runs the tests.
fn as_nobody(tree: &Tree, words: &str) -> (bool, String) {
    let drop =
        "if [ \"$(id -u)\" = 0 ]; then drop='setpriv --bounding-set=-all --inh-caps=-all'; else drop=; fi";
    let ended = tree.folder.try_sh(&format!("{drop}; PATH=$PWD/no-build:$PATH $drop make {words} 2>&1"));
    (ended.status.success(), String::from_utf8_lossy(&ended.stdout).into_owned())
}

/// A program that was linked with the older one goes on; the files that only one can have are the newer one's.
#[test]
fn two_versions_live_in_one_prefix() {
    let (older, newer, folder) = (Tree::new(OURS), Tree::new("0.99.0"), Folder::new());
    let prefix = folder.path().join("prefix");
    let settings = format!("PREFIX='{}'", prefix.display());
    folder.sh(
        "echo 'int gpumex_version(void); int main(void) { return gpumex_version() != WANT; }' >program.c",
    );
    let link = |tree: &Tree| {
        let want = tree.number();
        folder.sh(&format!(
            "cc -DWANT={want} program.c -o program-{want} -Lprefix/lib -lgpumex \"-Wl,-rpath,$PWD/prefix/lib\""
        ));
        format!("./program-{want}")
    };
    older.makes(&format!("install {settings}"));
    let of_older = link(&older);
    newer.makes(&format!("install {settings}"));
    let of_newer = link(&newer);
    folder.sh(&format!("{of_older} && {of_newer}"));

    newer.makes(&format!("uninstall {settings}"));
    folder.sh(&of_older);
    assert!(!prefix.join("lib/libgpumex.so").is_symlink(), "a link to nothing is left");
    older.makes(&format!("uninstall {settings}"));
    assert!(!prefix.exists(), "{}", listing(&folder, "prefix"));

    for tree in [&older, &newer] {
        tree.makes(&format!("install {settings}"));
    }
    older.makes(&format!("uninstall {settings}"));
    folder.sh(&of_newer);
    assert!(prefix.join("include/gpumex.h").exists(), "the newer one's header is gone");
    newer.makes(&format!("uninstall {settings}"));
    assert!(!prefix.exists(), "{}", listing(&folder, "prefix"));
}

/// `make build` and then `sudo make install`: root's cargo, nvcc and network are not needed.
#[test]
fn install_builds_only_where_nothing_is_built() {
    let tree = Tree::new(OURS);
    let (_, plan) = tree.make("-n install");
    assert!(plan.contains("packaging/install") && !plan.contains("cargo build"), "{plan}");
    fs::remove_file(tree.folder.path().join("target/release/libgpumex.a")).expect("it was there");
    let (_, plan) = tree.make("-n install");
    assert!(plan.contains("cargo build --release"), "{plan}");
}

#[test]
fn a_library_of_another_version_is_not_installed() {
    let (tree, folder) = (Tree::new("0.99.0"), Folder::new());
    fs::write(tree.folder.path().join("Cargo.toml"), "version = \"1.0.0\"\n").expect("a temporary file");
    let prefix: PathBuf = folder.path().join("prefix");
    let (succeeded, said) = tree.make(&format!("install PREFIX='{}'", prefix.display()));
    assert!(!succeeded && said.contains("is not that of version 1.0.0"), "{said}");
    assert!(!prefix.exists());
}

/// install-strip drops the symbols; install keeps them for the packages of debug symbols.
#[test]
fn only_install_strip_strips() {
    let (tree, folder) = (Tree::new(OURS), Folder::new());
    tree.folder.sh("printf '!<arch>\\n' >target/release/libgpumex.a"); // an empty archive
    for (target, symbols) in [("install", true), ("install-strip", false)] {
        let prefix = folder.path().join(target);
        tree.makes(&format!("{target} PREFIX='{}'", prefix.display()));
        let said = folder.sh(&format!("readelf -SW {target}/lib/libgpumex.so"));
        assert_eq!(said.contains(".symtab"), symbols, "{target}: {said}");
    }
}
