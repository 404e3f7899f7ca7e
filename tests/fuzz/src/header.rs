//! Parser of gpumex.h: functions, structs, enums and callbacks with their Doxygen texts.
//!
//! It reads what cbindgen writes. Anything else is an error, so that no declaration is skipped in silence.

/// A type: the name of its base, and how many pointers and array elements stand around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    pub base: String,
    pub pointers: usize,
    pub constant: bool, // what the pointer points to
    pub array: usize,   // elements of a fixed array, or 0
}

impl Type {
    /// Bytes of a value in a struct, on a 64-bit machine; `None` for a type that has no such size.
    pub fn size(&self) -> Option<usize> {
        Some(if self.pointers > 0 { 8 } else { base_size(&self.base)? } * self.array.max(1))
    }

    pub fn align(&self) -> usize {
        if self.pointers > 0 { 8 } else { base_size(&self.base).unwrap_or(8) }
    }
}

pub fn base_size(base: &str) -> Option<usize> {
    Some(match base {
        "char" | "uint8_t" | "int8_t" => 1,
        "int16_t" | "uint16_t" => 2,
        "int32_t" | "uint32_t" | "float" => 4,
        "int64_t" | "uint64_t" | "size_t" | "double" => 8,
        _ => return None,
    })
}

/// A parameter or a field.
#[derive(Clone, Debug)]
pub struct Member {
    pub name: String,
    pub kind: Type,
    pub text: String,
    pub offset: usize, // fields only
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub returns: Type,
    pub params: Vec<Member>,
    pub text: String,    // brief and details
    pub results: String, // @return
    pub notes: String,
    pub group: String,
}

impl Function {
    /// Whether it works on arrays, in a context.
    pub fn is_operation(&self) -> bool {
        let name = self.name.trim_start_matches("gpumex_");
        let moves = ["copy", "fill", "random", "print"].iter().any(|moves| name.starts_with(moves));
        let works = matches!(self.group.as_str(), "gpumex_operations" | "gpumex_primitives");
        moves || works && !name.starts_with("pattern")
    }
}

#[derive(Clone, Debug)]
pub struct Struct {
    pub name: String,
    pub fields: Vec<Member>,
    pub size: usize,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub name: String,
    pub constants: Vec<(String, i64)>, // without the prefix that all share
    pub text: String,
}

#[derive(Default)]
pub struct Header {
    pub functions: Vec<Function>,
    pub structs: Vec<Struct>,
    pub enums: Vec<Enum>,
    pub callbacks: Vec<String>,
}

impl Header {
    pub fn parse(text: &str) -> Result<Header, String> {
        let begin = text.find("extern \"C\" {").ok_or("the header has no extern \"C\"")?;
        let end = text.find("#undef GPUMEX_ATTRIBUTES").ok_or("the header does not end as expected")?;
        let mut header = Header::default();
        let mut doc = String::new();
        let mut rest = without_directives(&text[begin + "extern \"C\" {".len()..end]);
        loop {
            rest = rest.trim_start().to_owned();
            if let Some(comment) = rest.strip_prefix("/**") {
                let stop = comment.find("*/").ok_or("an open comment")?;
                doc = plain_text(&comment[..stop]);
                rest = comment[stop + 2..].to_owned();
            } else if let Some(comment) = rest.strip_prefix("/*") {
                rest = comment[comment.find("*/").ok_or("an open comment")? + 2..].to_owned();
            } else if rest.trim_end().is_empty() || rest.trim_end() == "}" {
                break;
            } else {
                rest = header.declaration(&rest, &std::mem::take(&mut doc))?;
            }
        }
        Ok(header)
    }

    /// Takes one declaration from the front of `code`; returns what is behind it.
    fn declaration(&mut self, code: &str, doc: &str) -> Result<String, String> {
        let semicolon = code.find(';').ok_or_else(|| format!("no declaration: {code:.60}"))?;
        if code.starts_with("typedef enum ") || (code.starts_with("typedef struct ") && brace_first(code)) {
            let open = code.find('{').ok_or("a typedef without body")?;
            let close = code.find('}').ok_or("a typedef without end")?;
            let name = code[..open].split_whitespace().nth(2).unwrap_or_default().to_owned();
            let body = &code[open + 1..close];
            if code.starts_with("typedef enum ") {
                self.enums.push(parse_enum(&name, body, doc)?);
            } else {
                self.structs.push(parse_struct(&name, body)?);
            }
            let after = code[close..].find(';').ok_or("a typedef without semicolon")?;
            return Ok(code[close + after + 1..].to_owned());
        }
        let line = code[..semicolon].split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(typedef) = line.strip_prefix("typedef ") {
            if let Some((_, behind)) = typedef.split_once("(*") {
                self.callbacks.push(behind.split(')').next().unwrap_or_default().to_owned());
            } // else an opaque struct
        } else {
            self.functions.push(parse_function(&line, doc)?);
        }
        Ok(code[semicolon + 1..].to_owned())
    }

    pub fn function(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|function| function.name == name)
    }

    pub fn structure(&self, name: &str) -> Option<usize> {
        self.structs.iter().position(|candidate| candidate.name == name)
    }

    /// The number of a constant, by its name without prefix.
    pub fn constant(&self, of: &str, name: &str) -> Option<i64> {
        let found = self.enums.iter().find(|candidate| candidate.name == of)?;
        found.constants.iter().find(|(constant, _)| constant == name).map(|(_, number)| *number)
    }
}

fn brace_first(code: &str) -> bool {
    let brace = code.find('{').unwrap_or(usize::MAX);
    brace < code.find(';').unwrap_or(usize::MAX)
}

/// Without lines of the preprocessor and the macros in front of functions.
fn without_directives(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let text = lines.collect::<Vec<_>>().join("\n");
    text.replace("GPUMEX_API", "").replace("GPUMEX_NODISCARD", "")
}

/// A comment as one line a Doxygen command, without the asterisks.
fn plain_text(comment: &str) -> String {
    let mut text = String::new();
    for line in comment.lines() {
        let line = line.trim().trim_start_matches('*').trim();
        text.push(if line.starts_with('@') || line.is_empty() { '\n' } else { ' ' });
        text.push_str(line);
    }
    text
}

fn parse_type(words: &str) -> (Type, String) {
    let constant = words.starts_with("const ");
    let mut words = words.replace('*', " * ").replace("struct ", "").replace("const ", "");
    let mut array = 0;
    if let Some(open) = words.find('[') {
        array = words[open + 1..].trim_end_matches(']').trim().parse().unwrap_or(0);
        words.truncate(open);
    }
    let parts: Vec<&str> = words.split_whitespace().filter(|word| *word != "*").collect();
    let pointers = words.matches('*').count();
    let name = parts.get(1).copied().unwrap_or_default().to_owned();
    (Type { base: parts.first().copied().unwrap_or_default().to_owned(), pointers, constant, array }, name)
}

fn parse_function(line: &str, doc: &str) -> Result<Function, String> {
    let (front, params) = line.split_once('(').ok_or_else(|| format!("not a function: {line}"))?;
    let (returns, name) = parse_type(front);
    let params = params.trim_end_matches(')').trim();
    let mut text = String::new();
    let (mut results, mut notes, mut group) = (String::new(), String::new(), String::new());
    let mut texts = Vec::new();
    for line in doc.lines() {
        if let Some(param) = line.strip_prefix("@param ") {
            texts.push(param.split_once(' ').unwrap_or((param, "")));
        } else if let Some(result) = line.strip_prefix("@return ") {
            results = result.to_owned();
        } else if let Some(name) = line.strip_prefix("@ingroup ") {
            group = name.trim().to_owned();
        } else if let Some(note) = line.strip_prefix("@note ") {
            notes = note.to_owned();
        } else if !line.starts_with("@see") {
            text.push_str(line.trim_start_matches("@brief "));
            text.push('\n');
        }
    }
    let mut members = Vec::new();
    for param in params.split(',').map(str::trim).filter(|param| *param != "void" && !param.is_empty()) {
        let (kind, param_name) = parse_type(param);
        let found = texts.iter().find(|(described, _)| *described == param_name);
        let (_, about) =
            found.ok_or_else(|| format!("{name} cannot be described: no @param {param_name}"))?;
        members.push(Member { name: param_name, kind, text: (*about).to_owned(), offset: 0 });
    }
    Ok(Function { name, returns, params: members, text, results, notes, group })
}

/// The members of a body, each with the comment before it.
fn members(body: &str, separator: char) -> Result<Vec<(String, String)>, String> {
    let mut found = Vec::new();
    let mut rest = body.trim();
    while !rest.is_empty() {
        let comment = rest.strip_prefix("/**").ok_or_else(|| format!("without comment: {rest:.60}"))?;
        let stop = comment.find("*/").ok_or("an open comment")?;
        let code = &comment[stop + 2..];
        let end = code.find(separator).unwrap_or(code.len());
        found.push((plain_text(&comment[..stop]).trim().to_owned(), code[..end].trim().to_owned()));
        rest = code.get(end + 1..).unwrap_or_default().trim();
    }
    Ok(found)
}

fn parse_struct(name: &str, body: &str) -> Result<Struct, String> {
    let (mut fields, mut offset) = (Vec::new(), 0usize);
    for (text, code) in members(body, ';')? {
        let (kind, field) = parse_type(&code);
        let size = kind.size().ok_or_else(|| format!("{name}.{field} has an unknown type"))?;
        offset = offset.next_multiple_of(kind.align());
        fields.push(Member { name: field, kind, text, offset });
        offset += size;
    }
    Ok(Struct { name: name.to_owned(), fields, size: offset.next_multiple_of(8) })
}

fn parse_enum(name: &str, body: &str, doc: &str) -> Result<Enum, String> {
    let prefix = format!("{}_", name.to_uppercase());
    let mut constants = Vec::new();
    let mut text = doc.to_owned();
    for (about, code) in members(body, ',')? {
        let (constant, number) = code.split_once('=').ok_or_else(|| format!("{name}: {code}"))?;
        let number = number.trim().parse().map_err(|_| format!("{name}: {code}"))?;
        constants.push((constant.trim().trim_start_matches(&prefix).to_owned(), number));
        text.push_str(&about);
    }
    Ok(Enum { name: name.to_owned(), constants, text })
}
