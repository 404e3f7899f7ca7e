//! What the header declares, read from the text that cbindgen writes: one declaration a paragraph, one field a line.

/// A parameter, a field or a result. Types are written as `const gpumex_sort_options *` and `char[32]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: String,
    pub kind: String,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub result: String,
    pub parameters: Vec<Variable>,
    pub documentation: String,
    pub must_use: bool,
}

#[derive(Clone, Debug)]
pub struct Struct {
    pub name: String,
    pub fields: Vec<Variable>,
    pub documentation: String,
}

impl Struct {
    /// Whether it begins with its own size, so that it may grow.
    pub fn is_versioned(&self) -> bool {
        self.fields.first() == Some(&Variable { name: String::from("size"), kind: String::from("size_t") })
    }
}

/// Functions, callbacks, structs and the constants of enums, in their order.
#[derive(Clone, Debug, Default)]
pub struct Header {
    pub functions: Vec<Function>,
    pub callbacks: Vec<Function>,
    pub structs: Vec<Struct>,
    pub constants: Vec<(String, i64)>,
    /// The names of the enums.
    pub enums: Vec<String>,
}

impl Header {
    pub fn parse(text: &str) -> Header {
        let mut header = Header::default();
        let (mut comment, mut code, mut documentation) = (None::<String>, String::new(), String::new());
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let (line, is_inner) = (line.trim(), !code.is_empty());
            if let Some(text) = &mut comment {
                if line.ends_with("*/") {
                    let text = comment.take().unwrap_or_default();
                    documentation = if is_inner { documentation } else { text };
                } else {
                    text.push_str(line.trim_start_matches('*').trim_start());
                    text.push('\n');
                }
            } else if line.starts_with("/*") {
                comment = (!line.ends_with("*/")).then(String::new);
            } else if line.starts_with('#') {
                let mut line = line;
                while line.ends_with('\\') {
                    line = lines.next().unwrap_or_default();
                }
            } else if !line.is_empty()
                && line != "extern \"C\" {"
                && line != "}"
                && !line.starts_with("template")
            {
                code.push_str(line);
                code.push('\n');
                let is_open = code.matches('{').count() > code.matches('}').count();
                if line.ends_with(';') && !is_open {
                    header.declare(&std::mem::take(&mut code), std::mem::take(&mut documentation));
                }
            }
        }
        header
    }

    fn declare(&mut self, code: &str, documentation: String) {
        if let Some((head, body)) = code.split_once('{') {
            let words: Vec<_> = head.split_whitespace().collect();
            let lines = body.split('}').next().unwrap_or_default().lines().filter(|line| !line.is_empty());
            match *words {
                ["typedef", "struct", name] => {
                    let fields = lines.map(|line| variable(line.trim_end_matches(';'))).collect();
                    self.structs.push(Struct { name: name.to_string(), fields, documentation });
                }
                ["typedef", "enum", name] => {
                    self.enums.push(name.to_string());
                    self.constants.extend(lines.filter_map(constant));
                }
                _ => {} // code of C++
            }
        } else if let Some(callback) = code.strip_prefix("typedef ").filter(|rest| rest.contains("(*")) {
            let callback = callback.replacen("(*", "", 1).replacen(')', "", 1);
            self.callbacks.push(function(&callback, documentation));
        } else if code.contains('(') {
            self.functions.push(function(code, documentation));
        }
    }
}

fn constant(line: &str) -> Option<(String, i64)> {
    let (name, number) = line.trim_end_matches(',').split_once(" = ")?;
    Some((name.to_string(), number.parse().ok()?))
}

fn function(code: &str, documentation: String) -> Function {
    let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
    let (head, parameters) = code.split_once('(').unwrap_or_else(|| panic!("not a function: {code}"));
    let parameters = parameters.trim_end_matches([')', ';', ' ']);
    let must_use = head.contains("GPUMEX_NODISCARD");
    let Variable { name, kind } = variable(&head.replace("GPUMEX_API", "").replace("GPUMEX_NODISCARD", ""));
    let parameters = match parameters {
        "void" => Vec::new(),
        list => list.split(',').map(variable).collect(),
    };
    Function { name, result: kind, parameters, documentation, must_use }
}

/// `const struct gpumex_sort_options *options` and `char rule[32]`.
fn variable(text: &str) -> Variable {
    let text = text.trim().replace("struct ", "");
    let (text, array) = text.split_once('[').map_or((&*text, ""), |(text, length)| (text, length));
    let start = text.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    let array = if array.is_empty() { String::new() } else { format!("[{array}") };
    Variable { name: text[start..].to_string(), kind: format!("{}{array}", text[..start].trim_end()) }
}

#[test]
fn functions_structs_and_enums_are_told_apart() {
    let text = "#ifndef A\n#define CALL(x) \\\n  other(x);\n/* int32_t comment(void); */\nextern \"C\" {\n/**\n * Tells.\n */\n\
        typedef void (*gpumex_log)(int32_t level, const char *text);\ntypedef struct o {\n    /**\n     * its size\n     */\n\
            size_t size;\n    const double *edges;\n    char name[8];\n} o;\ntypedef struct hidden hidden;\n\
        typedef enum e {\n    /**\n     * none\n     */\n    E_NONE = 0,\n    E_ONE = 1,\n} e;\n/**\n * @brief Steps.\n */\n\
        GPUMEX_API\nGPUMEX_NODISCARD\nint32_t life(const struct o *options,\n    size_t rows);\n\
        GPUMEX_API const char *gpumex_version(void);\n}\n#endif\n";
    let header = Header::parse(text);
    let names: Vec<_> = header.functions.iter().map(|function| &*function.name).collect();
    assert_eq!(names, ["life", "gpumex_version"]);
    let [life, version] = &header.functions[..] else { panic!("{header:?}") };
    assert_eq!((&*life.documentation, life.must_use, version.must_use), ("@brief Steps.\n", true, false));
    assert_eq!((&*life.parameters[0].kind, &*life.parameters[1].name), ("const o *", "rows"));
    assert_eq!((&*version.result, version.parameters.len()), ("const char *", 0));
    assert_eq!(
        (&*header.callbacks[0].name, &*header.callbacks[0].parameters[1].kind),
        ("gpumex_log", "const char *")
    );
    let kinds: Vec<_> = header.structs[0].fields.iter().map(|field| &*field.kind).collect();
    assert!(header.structs.len() == 1 && header.structs[0].is_versioned());
    assert_eq!(kinds, ["size_t", "const double *", "char[8]"]);
    assert_eq!(header.constants, [("E_NONE".to_string(), 0), ("E_ONE".to_string(), 1)]);
}
