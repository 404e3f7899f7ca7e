//! Writes src/gpu/runtime/kernels.rs from kernels/kernels.h. It is a program of its own, without cargo and the crate: where the
//! header has changed the crate does not compile before this has run. `make abi` does that.

mod layout;
mod parse;
mod write;

use std::{env, fs, process};

fn main() {
    let root = env::args().nth(1).unwrap_or_else(|| ".".to_string());
    let (from, to) = (format!("{root}/{}", write::HEADER), format!("{root}/{}", write::DECLARATIONS));
    let text = fs::read_to_string(&from).map_err(|error| format!("{from}: {error}"));
    let written = text.and_then(|text| write::declarations(&text)).and_then(|text| {
        fs::write(&to, text).map_err(|error| format!("{to}: {error}"))
    });
    if let Err(reason) = written {
        eprintln!("{reason}");
        process::exit(1);
    }
}
