//! include/gpumex.h is what cbindgen makes of src/ffi: `make header` writes it, this test compares.

use std::path::Path;
use std::{env, fs};

use crate::c_abi::programs::root;

/// `LifeOptions` is `gpumex_life_options` in C.
fn c_name(rust_name: &str) -> String {
    let words = rust_name.chars().fold(String::from("gpumex"), |name, c| {
        if c.is_uppercase() { name + "_" + &c.to_lowercase().to_string() } else { name + &c.to_string() }
    });
    words.replace("gpumex_gpumex_", "gpumex_")
}

/// The names of the public structs and enums of the crate, enums apart since C sees them through numbers only.
fn types(folder: &Path, structs: &mut Vec<String>, enums: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            types(&path, structs, enums);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let mut is_c = false;
        for line in text.lines() {
            let name = |rest: &str| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_string();
            match line {
                "#[repr(C)]" => is_c = true,
                _ if line.starts_with("#[") => {}
                _ => {
                    if let Some(rest) = line.strip_prefix("pub enum ").filter(|_| is_c) {
                        enums.push(name(rest));
                    } else if let Some(rest) = line.strip_prefix("pub struct ") {
                        structs.push(name(rest));
                    }
                    is_c = false;
                }
            }
        }
    }
}

fn generated() -> String {
    let mut config = cbindgen::Config::from_file(root().join("cbindgen.toml")).unwrap();
    let (mut structs, mut enums) = (Vec::new(), Vec::new());
    types(&root().join("src"), &mut structs, &mut enums);
    config.export.include = enums.clone();
    config.export.rename =
        structs.into_iter().chain(enums).map(|name| (name.clone(), c_name(&name))).collect();
    let bindings = cbindgen::Builder::new().with_crate(root()).with_config(config).generate().unwrap();
    let mut text = Vec::new();
    bindings.write(&mut text);
    String::from_utf8(text).unwrap()
}

#[test]
fn the_committed_header_is_the_generated_one() {
    let path = root().join("include/gpumex.h");
    let want = generated();
    if env::var_os("GPUMEX_WRITE_HEADER").is_some() {
        fs::write(&path, &want).unwrap();
    }
    let got = fs::read_to_string(&path).unwrap_or_default();
    let differs = got.lines().zip(want.lines()).position(|(got, want)| got != want);
    assert!(
        got == want,
        "include/gpumex.h is stale from line {:?} on; run `make header`",
        differs.map(|line| line + 1)
    );
}

#[test]
fn the_version_of_the_header_is_the_version_of_the_crate() {
    let header = generated();
    let define = |name: &str| {
        let prefix = format!("#define GPUMEX_{name} ");
        header.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap().trim_matches('"').to_string()
    };
    assert_eq!(define("VERSION"), env!("CARGO_PKG_VERSION"));
    let parts = ["VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH"].map(define);
    assert_eq!(parts.join("."), env!("CARGO_PKG_VERSION"));
}
