//! A parser of kernels/kernels.h: structs, opaque pointers, enums, numeric constants and functions, with the comments before and
//! behind them. What the header does not have yet is an error that names its line.

/// What the header declares, each kind in its order.
#[derive(Default)]
pub struct Header {
    pub doc: String, // the comment that opens the file
    pub opaque: Vec<String>,
    pub structs: Vec<Struct>,
    pub enums: Vec<Enum>,
    pub constants: Vec<Constant>,
    pub functions: Vec<Function>,
    pub sizes: Vec<(String, usize)>, // GPUMEXK_SIZE (type, bytes)
}

pub struct Struct {
    pub name: String,
    pub doc: String,
    pub fields: Vec<Field>,
}

/// A field of a struct or a parameter of a function.
pub struct Field {
    pub name: String,
    pub kind: Type,
    pub doc: String,
}

#[derive(Clone)]
pub struct Type {
    pub base: String,
    pub pointer: Pointer,
    pub length: Option<usize>, // of an array
}

#[derive(Clone, Copy, PartialEq)]
pub enum Pointer {
    None,
    Const,
    Mut,
}

pub struct Enum {
    pub name: String,
    pub doc: String,
    pub values: Vec<Constant>,
}

pub struct Constant {
    pub name: String,
    pub value: usize,
    pub doc: String,
}

pub struct Function {
    pub name: String,
    pub doc: String,
    pub result: Type,
    pub parameters: Vec<Field>,
}

/// The header's text → what it declares.
pub fn parse(text: &str) -> Result<Header, String> {
    let mut parser =
        Parser { tokens: tokens_of(text)?, at: 0, doc: String::new(), header: Header::default() };
    while parser.at < parser.tokens.len() {
        parser.item()?;
    }
    Ok(parser.header)
}

// --------------------------------------------------------------------------------------------------------------- tokens

#[derive(Debug)]
struct Token {
    line: usize,
    text: String, // a word, a number, one other character, a whole directive or a whole comment
}

impl Token {
    fn is_comment(&self) -> bool {
        self.text.starts_with("/*")
    }
}

fn tokens_of(text: &str) -> Result<Vec<Token>, String> {
    let (mut tokens, mut rest, mut line) = (Vec::new(), text, 1);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("/*") => rest
                .find("*/")
                .map(|end| end + 2)
                .ok_or_else(|| format!("line {line}: a comment without an end"))?,
            '#' => end_of_directive(rest),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        if !first.is_whitespace() {
            tokens.push(Token { line, text: rest[..length].to_string() });
        }
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    Ok(tokens)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where a directive ends: at a comment, or with a line that does not go on.
fn end_of_directive(text: &str) -> usize {
    let line = text.match_indices('\n').map(|(at, _)| at).find(|&at| !text[..at].ends_with('\\'));
    let line = line.unwrap_or(text.len());
    text[..line].find("/*").unwrap_or(line)
}

/// A comment without its marks, its lines as they are.
fn doc_of(comment: &str) -> String {
    let inside = comment.trim_start_matches("/*").trim_end_matches("*/");
    let lines =
        inside.lines().map(|line| line.trim().trim_start_matches("* ").trim_start_matches('*').trim());
    lines.collect::<Vec<_>>().join("\n").trim().to_string()
}

// --------------------------------------------------------------------------------------------------------------- parser

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    doc: String, // the comment before the next struct or function
    header: Header,
}

impl Parser {
    fn item(&mut self) -> Result<(), String> {
        let first = self.next()?;
        match first.as_str() {
            comment if comment.starts_with("/*") => {
                let doc = doc_of(comment);
                if self.at == 1 {
                    self.header.doc = doc
                } else {
                    self.doc = doc
                }
                Ok(())
            }
            directive if directive.starts_with('#') => self.directive(directive),
            "typedef" => self.typedef(),
            "extern" => ["\"", "C", "\"", "{"].iter().try_for_each(|text| self.expect(text)),
            "}" => Ok(()), // of extern "C"
            "GPUMEXK_SIZE" => self.size(),
            _ => self.function(),
        }
    }

    /// A constant, or what a generator passes over.
    fn directive(&mut self, text: &str) -> Result<(), String> {
        let mut words = text.split_whitespace();
        if words.next() != Some("#define") {
            return Ok(());
        }
        let (name, value) = (words.next().unwrap_or_default().to_string(), words.next().unwrap_or_default());
        if name.contains('(') {
            return Ok(());
        }
        let value = self.number(value)?;
        let doc = self.comment_behind();
        self.header.constants.push(Constant { name, value, doc });
        Ok(())
    }

    fn typedef(&mut self) -> Result<(), String> {
        let doc = std::mem::take(&mut self.doc);
        let kind = self.next()?;
        let tag = self.next()?;
        match kind.as_str() {
            "struct" if self.peek() == "{" => {
                let fields = self.fields()?;
                self.header.structs.push(Struct { name: tag.clone(), doc, fields });
            }
            "struct" => {
                self.expect("*")?;
                let name = self.next()?;
                self.header.opaque.push(name);
                return self.expect(";");
            }
            "enum" => {
                let values = self.enumerators()?;
                self.header.enums.push(Enum { name: tag.clone(), doc, values });
            }
            _ => return self.refuse("a typedef of neither a struct nor an enum"),
        }
        self.expect(&tag)?;
        self.expect(";")
    }

    fn fields(&mut self) -> Result<Vec<Field>, String> {
        self.expect("{")?;
        let mut fields = Vec::new();
        while self.peek() != "}" {
            let (base, is_const) = self.base()?;
            let first = fields.len();
            loop {
                fields.push(self.declarator(&base, is_const)?);
                if self.peek() != "," {
                    break;
                }
                self.at += 1;
            }
            self.expect(";")?;
            fields[first].doc = self.comment_behind();
        }
        self.expect("}")?;
        Ok(fields)
    }

    fn enumerators(&mut self) -> Result<Vec<Constant>, String> {
        self.expect("{")?;
        let mut values: Vec<Constant> = Vec::new();
        while self.peek() != "}" {
            let name = self.next()?;
            let mut value = values.last().map_or(0, |last| last.value + 1);
            if self.peek() == "=" {
                self.at += 1;
                let text = self.next()?;
                value = self.number(&text)?;
            }
            if self.peek() == "," {
                self.at += 1;
            }
            let doc = self.comment_behind();
            values.push(Constant { name, value, doc });
        }
        self.expect("}")?;
        Ok(values)
    }

    fn function(&mut self) -> Result<(), String> {
        self.at -= 1;
        let mut doc = std::mem::take(&mut self.doc);
        let (base, is_const) = self.base()?;
        let Field { name, kind: result, .. } = self.declarator(&base, is_const)?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while self.peek() != ")" {
            let (base, is_const) = self.base()?;
            if base == "void" && self.peek() == ")" {
                break;
            }
            parameters.push(self.declarator(&base, is_const)?);
            if self.peek() == "," {
                self.at += 1;
            }
        }
        self.expect(")")?;
        self.expect(";")?;
        let behind = self.comment_behind();
        doc = [doc, behind].into_iter().filter(|doc| !doc.is_empty()).collect::<Vec<_>>().join("\n\n");
        self.header.functions.push(Function { name, doc, result, parameters });
        Ok(())
    }

    fn size(&mut self) -> Result<(), String> {
        self.expect("(")?;
        let name = self.next()?;
        self.expect(",")?;
        let bytes = self.next()?;
        let bytes = self.number(&bytes)?;
        self.header.sizes.push((name, bytes));
        self.expect(")")?;
        self.expect(";")
    }

    /// "const void" or "unsigned".
    fn base(&mut self) -> Result<(String, bool), String> {
        let first = self.next()?;
        let is_const = first == "const";
        let base = if is_const { self.next()? } else { first };
        match base.chars().all(is_word) {
            true => Ok((base, is_const)),
            false => self.refuse(&format!("{base} where a type is expected")),
        }
    }

    /// "*a", "b" or "c[4]" behind its type.
    fn declarator(&mut self, base: &str, is_const: bool) -> Result<Field, String> {
        let is_pointer = self.peek() == "*";
        self.at += usize::from(is_pointer);
        let name = self.next()?;
        if !name.chars().all(is_word) {
            return self.refuse(&format!("{name} where a name is expected"));
        }
        let mut length = None;
        if self.peek() == "[" {
            self.at += 1;
            let text = self.next()?;
            length = Some(self.number(&text)?);
            self.expect("]")?;
        }
        let pointer = match (is_pointer, is_const) {
            (false, _) => Pointer::None,
            (true, true) => Pointer::Const,
            (true, false) => Pointer::Mut,
        };
        Ok(Field { name, kind: Type { base: base.to_string(), pointer, length }, doc: String::new() })
    }

    /// A decimal number, or a constant that is known.
    fn number(&self, text: &str) -> Result<usize, String> {
        let known = self.header.constants.iter().find(|constant| constant.name == text);
        match known.map(|constant| constant.value).or_else(|| text.parse().ok()) {
            Some(value) => Ok(value),
            None => self.refuse(&format!("{text} where a number is expected")),
        }
    }

    /// The comment that begins on the line of the token before.
    fn comment_behind(&mut self) -> String {
        let line = self.tokens[self.at - 1].line;
        match self.tokens.get(self.at) {
            Some(token) if token.is_comment() && token.line == line => {
                self.at += 1;
                doc_of(&self.tokens[self.at - 1].text)
            }
            _ => String::new(),
        }
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |token| &token.text)
    }

    fn next(&mut self) -> Result<String, String> {
        let text = self.peek().to_string();
        self.at += 1;
        if text.is_empty() { self.refuse("the end") } else { Ok(text) }
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        let got = self.next()?;
        if got == text { Ok(()) } else { self.refuse(&format!("{got} where {text} is expected")) }
    }

    fn refuse<T>(&self, what: &str) -> Result<T, String> {
        let line = self.tokens.get(self.at - 1).or(self.tokens.last()).map_or(0, |token| token.line);
        Err(format!("line {line}: {what}"))
    }
}
