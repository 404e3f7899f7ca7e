//! kernels/kernels.h as Rust declarations.

use super::layout::{layout_of, rust_name, rust_type};
use super::parse::{Constant, Function, Header, Struct, parse};

pub const HEADER: &str = "kernels/kernels.h";
pub const DECLARATIONS: &str = "src/gpu/runtime/kernels.rs";

/// The text of src/gpu/runtime/kernels.rs for the text of the header, or what is wrong with that.
pub fn declarations(text: &str) -> Result<String, String> {
    let header = parse(text).and_then(|header| check_sizes(&header).map(|()| header));
    let written = header.and_then(|header| file(&header));
    written.map_err(|reason| format!("{HEADER}: {reason}"))
}

/// GPUMEXK_SIZE, which the C++ compiler checks, says for each struct what Rust is told as well.
fn check_sizes(header: &Header) -> Result<(), String> {
    for one in &header.structs {
        let size = layout_of(header, one)?.size;
        match header.sizes.iter().find(|(name, _)| *name == one.name) {
            Some((_, stated)) if *stated == size => {}
            Some((_, stated)) => {
                return Err(format!("{} has {size} bytes, GPUMEXK_SIZE says {stated}", one.name));
            }
            None => return Err(format!("GPUMEXK_SIZE ({}, {size}) is missing", one.name)),
        }
    }
    Ok(())
}

fn file(header: &Header) -> Result<String, String> {
    let mut body = String::new();
    for name in &header.opaque {
        body += &format!("\npub type {} = *mut c_void;\n", rust_name(name));
    }
    for one in &header.structs {
        body += &structure(header, one)?;
    }
    for one in &header.enums {
        body += &format!("\n{}pub type {} = c_int;\n", doc(&one.doc, ""), rust_name(&one.name));
        body += &one.values.iter().map(|value| constant(value, &rust_name(&one.name))).collect::<String>();
    }
    for one in &header.constants {
        body += &constant(one, "usize");
    }
    body += "\nlayouts! {\n";
    for one in &header.structs {
        body += &layout(header, one)?;
    }
    body += "}\n\nlaunchers! {\n";
    for one in &header.functions {
        body += &function(header, one)?;
    }
    body += "}\n";

    let used = ["c_char", "c_int", "c_uint", "c_void"].into_iter().filter(|name| body.contains(name));
    let used = used.collect::<Vec<_>>().join(", ");
    Ok(format!(
        "//! Written from {HEADER} by `make abi`; a test compares. Without kernels the launchers are stubs (launch.rs).\n//!\n\
         {}\nuse std::ffi::{{{used}}};\n\nuse super::launch::{{launchers, layouts}};\n{body}",
        doc(&header.doc, "").replace("///", "//!")
    ))
}

fn structure(header: &Header, one: &Struct) -> Result<String, String> {
    let mut text = format!("\n{}", doc(&one.doc, ""));
    text += "#[repr(C)]\n#[derive(Clone, Copy, Debug, PartialEq)]\n";
    text += &format!("pub struct {} {{\n", rust_name(&one.name));
    for field in &one.fields {
        let kind = rust_type(header, &field.kind)?;
        text += &format!("{}    pub {}: {kind},\n", doc(&field.doc, "    "), field.name);
    }
    Ok(text + "}\n")
}

fn constant(one: &Constant, kind: &str) -> String {
    let name = one.name.trim_start_matches("GPUMEXK_");
    format!("\n{}pub const {name}: {kind} = {};\n", doc(&one.doc, ""), one.value)
}

/// "    SortArgs, 64: keys 0, sorted 8;"
fn layout(header: &Header, one: &Struct) -> Result<String, String> {
    let layout = layout_of(header, one)?;
    let fields =
        one.fields.iter().zip(layout.offsets).map(|(field, offset)| format!("{} {offset}", field.name));
    let fields = fields.collect::<Vec<_>>().join(", ");
    Ok(format!("    {}, {}: {fields};\n", rust_name(&one.name), layout.size))
}

fn function(header: &Header, one: &Function) -> Result<String, String> {
    let typed =
        |field: &super::parse::Field| Ok(format!("{}: {}", field.name, rust_type(header, &field.kind)?));
    let parameters = one.parameters.iter().map(typed).collect::<Result<Vec<_>, String>>()?.join(", ");
    let result = rust_type(header, &one.result)?;
    Ok(format!("{}    fn {}({parameters}) -> {result};\n", doc(&one.doc, "    "), one.name))
}

/// A comment as documentation; brackets would be links.
fn doc(text: &str, indent: &str) -> String {
    let line = |line: &str| match line {
        "" => format!("{indent}///\n"),
        _ => format!("{indent}/// {}\n", line.replace('[', "\\[").replace(']', "\\]")),
    };
    text.lines().map(line).collect()
}
