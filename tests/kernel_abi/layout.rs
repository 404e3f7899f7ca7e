//! Where C puts the fields of a struct on the 64-bit platforms of CUDA (LP64), and the Rust names of C's types.

use super::parse::{Header, Pointer, Struct, Type};

pub struct Layout {
    pub size: usize,
    pub offsets: Vec<usize>, // of the fields
}

/// C name, Rust name, bytes; the alignment is the size.
const SCALARS: [(&str, &str, usize); 13] = [
    ("char", "c_char", 1),
    ("int", "c_int", 4),
    ("unsigned", "c_uint", 4),
    ("size_t", "usize", 8),
    ("int8_t", "i8", 1),
    ("int32_t", "i32", 4),
    ("int64_t", "i64", 8),
    ("uint8_t", "u8", 1),
    ("uint16_t", "u16", 2),
    ("uint32_t", "u32", 4),
    ("uint64_t", "u64", 8),
    ("float", "f32", 4),
    ("double", "f64", 8),
];

/// The layout of a struct of scalars, pointers, enums and arrays of them.
pub fn layout_of(header: &Header, of: &Struct) -> Result<Layout, String> {
    let (mut end, mut alignment, mut offsets) = (0usize, 1, Vec::new());
    for field in &of.fields {
        let bytes =
            bytes_of(header, &field.kind).map_err(|why| format!("{}.{}: {why}", of.name, field.name))?;
        let begin = end.next_multiple_of(bytes);
        offsets.push(begin);
        end = begin + bytes * field.kind.length.unwrap_or(1);
        alignment = alignment.max(bytes);
    }
    Ok(Layout { size: end.next_multiple_of(alignment), offsets })
}

/// Of one element.
fn bytes_of(header: &Header, kind: &Type) -> Result<usize, String> {
    if kind.pointer != Pointer::None || header.opaque.contains(&kind.base) {
        return Ok(8);
    }
    if header.enums.iter().any(|one| one.name == kind.base) {
        return Ok(4);
    }
    let scalar = SCALARS.iter().find(|(c, ..)| *c == kind.base);
    scalar.map(|(.., bytes)| *bytes).ok_or_else(|| format!("a field of type {}", kind.base))
}

/// "const uint8_t *" is "*const u8".
pub fn rust_type(header: &Header, kind: &Type) -> Result<String, String> {
    let is_known = header.structs.iter().map(|one| &one.name).chain(header.enums.iter().map(|one| &one.name));
    let base = match SCALARS.iter().find(|(c, ..)| *c == kind.base) {
        Some((_, rust, _)) => rust.to_string(),
        None if kind.base == "void" && kind.pointer == Pointer::None => "()".to_string(),
        None if kind.base == "void" => "c_void".to_string(),
        None if is_known.chain(&header.opaque).any(|name| *name == kind.base) => rust_name(&kind.base),
        None => return Err(format!("the type {} is not known", kind.base)),
    };
    let pointed = match kind.pointer {
        Pointer::None => base,
        Pointer::Const => format!("*const {base}"),
        Pointer::Mut => format!("*mut {base}"),
    };
    Ok(kind.length.map_or(pointed.clone(), |length| format!("[{pointed}; {length}]")))
}

/// `gpumexk_sort_args` is `SortArgs`.
pub fn rust_name(c_name: &str) -> String {
    let words = c_name.trim_start_matches("gpumexk_").split('_');
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    words.filter(|word| !word.is_empty()).map(capital).collect()
}
