//! A case as a C program of its own: arrays between protected pages, the call, its status.

use std::fmt::Write;

use crate::case::{Behaviour, Block, Buffer, Case, Mark, Value, Which};
use crate::disturbance::Disturbance;
use crate::environment::POOL;
use crate::generate::Plan;
use crate::mxcsr;
use crate::number::{Number, decode_all, dtype_size};
use crate::roles::Role;

const PRELUDE: &str = include_str!("finding.c");

const CALLBACKS: &str = include_str!("callbacks.c");

struct Emitter<'a> {
    plan: &'a Plan,
    arrays: String,
    before: String,
    after: String,
    /// Of the parameters.
    names: Vec<String>,
    /// Behind all arguments.
    late: String,
    count: usize,
}

/// The program; `about` says what is wrong.
pub fn program(plan: &Plan, case: &Case, about: &str, seed: u64) -> String {
    let function = &plan.header.functions[case.function];
    let names = function.params.iter().map(|param| param.name.clone()).collect();
    let mut emitter = Emitter {
        plan,
        arrays: String::new(),
        before: String::new(),
        after: String::new(),
        names,
        late: String::new(),
        count: 0,
    };
    let arguments = emitter.arguments(case);
    let about = about.replace("*/", "* /");
    let mut text = format!(
        "/* {}: {about}\n * Seed {seed}, case {}.\n * cc -Iinclude FILE -Ltarget/release -lgpumex -lm */\n{PRELUDE}",
        function.name, case.number
    );
    if case.values.iter().any(|value| matches!(value, Value::Callback(_))) {
        text.push_str(CALLBACKS);
    }
    if case.mxcsr != 0 {
        text.push_str("#include <xmmintrin.h>\n");
    }
    let _ = write!(text, "\n{}\nint main(void) {{\n{}", emitter.arrays, emitter.before + &emitter.late);
    if case.values.contains(&Value::Context(Which::Scratch)) && !case.before.is_empty() {
        text.push_str("    double result_before[2];\n");
        for index in &case.before {
            let earlier = &plan.header.functions[*index];
            let place = if earlier.params.len() > 1 { ", (void *)result_before" } else { "" };
            let _ = writeln!(text, "    (void)!{} (ctx{place});", earlier.name);
        }
    }
    text.push_str(match case.disturbance {
        Disturbance::None => "",
        Disturbance::Starved => {
            "    /* The process has no more memory: setrlimit (RLIMIT_AS) to what is mapped. */\n"
        }
        Disturbance::Refused(_) => {
            "    /* An allocation fails amid the call, as in tests/c_abi/out_of_memory.c. */\n"
        }
        Disturbance::Cancelled => "    /* Another thread calls gpumex_context_cancel during the call. */\n",
    });
    if case.mxcsr != 0 {
        let _ = writeln!(text, "    _mm_setcsr({});", mxcsr::in_c(case.mxcsr));
    }
    let call = format!("{} ({})", function.name, arguments.join(", "));
    match (function.returns.base.as_str(), function.returns.pointers) {
        ("int32_t", 0) => {
            let _ = writeln!(
                text,
                "    int32_t status = {call};\n    printf(\"status %d: %s\\n\", status, gpumex_last_error ());"
            );
        }
        _ => {
            let _ = writeln!(
                text,
                "    const void *result = {call};\n    printf(\"%p: %s\\n\", result, gpumex_last_error ());"
            );
        }
    }
    let _ = write!(text, "{}    return 0;\n}}\n", emitter.after);
    text
}

/// The call alone, for people.
pub fn call_text(plan: &Plan, case: &Case) -> String {
    let function = &plan.header.functions[case.function];
    let mut text = format!("case {}: {} (", case.number, function.name);
    for (param, value) in function.params.iter().zip(&case.values) {
        let _ = match value {
            Value::Arrays(items) => {
                let items: Vec<String> = items
                    .iter()
                    .map(|item| match item {
                        Value::Array(buffer) => {
                            format!("{} bytes of dtype {}", buffer.bytes.len(), buffer.dtype)
                        }
                        item => format!("{item:?}"),
                    })
                    .collect();
                write!(text, "{} = [{}], ", param.name, items.join(", "))
            }
            Value::Text(bytes) => write!(text, "{} = {:?}, ", param.name, String::from_utf8_lossy(bytes)),
            Value::Array(buffer) => {
                write!(text, "{} = {} bytes of dtype {}, ", param.name, buffer.bytes.len(), buffer.dtype)
            }
            Value::Struct(structure, fields) => {
                let members = plan.header.structs[*structure].fields.iter();
                let fields: Vec<String> = members
                    .zip(fields)
                    .filter(|(_, value)| **value != Value::Int(0) && **value != Value::Null)
                    .map(|(member, value)| match value {
                        Value::Array(buffer)
                            if matches!(buffer.dtype, 7 | 8 | 12) && buffer.bytes.len() <= 64 =>
                        {
                            let numbers = decode_all(buffer.dtype, &buffer.bytes).into_iter();
                            format!("{} = {:?}", member.name, numbers.map(Number::int).collect::<Vec<_>>())
                        }
                        Value::Array(buffer) => format!("{} = {} bytes", member.name, buffer.bytes.len()),
                        Value::Text(bytes) => {
                            format!("{} = {:?}", member.name, String::from_utf8_lossy(bytes))
                        }
                        value => format!("{} = {value:?}", member.name),
                    })
                    .collect();
                write!(text, "{} = {{{}}}, ", param.name, fields.join(", "))
            }
            value => write!(text, "{} = {value:?}, ", param.name),
        };
    }
    let _ =
        write!(text, ") MXCSR ^ {:#x}, specified {}, refused {:?}", case.mxcsr, case.specified, case.refused);
    text
}

impl Emitter<'_> {
    fn arguments(&mut self, case: &Case) -> Vec<String> {
        let function = &self.plan.header.functions[case.function];
        let roles = &self.plan.described[case.function].roles;
        let mut names = Vec::new();
        for ((param, value), role) in function.params.iter().zip(&case.values).zip(roles) {
            let name = self.value(&param.name, value, role);
            names.push(match value {
                Value::Alias(other, offset, _) => {
                    format!("(void *)((char *){} + {offset})", function.params[*other].name)
                }
                // A struct that is filled in, or elements of a C type.
                Value::Array(_) | Value::Arrays(_) => format!("(void *){name}"),
                _ => name,
            });
        }
        names
    }

    fn value(&mut self, name: &str, value: &Value, role: &Role) -> String {
        match value {
            Value::Int(number) if matches!(role, Role::Enum(..) | Role::Integer(_)) => {
                format!("{}", *number as u32 as i32)
            }
            Value::Int(number) => format!("{number}u"),
            Value::Double(number) if number.is_nan() => "NAN".into(),
            Value::Double(number) if number.is_infinite() => {
                if *number > 0.0 { "INFINITY" } else { "-INFINITY" }.into()
            }
            Value::Double(number) => format!("{number:e}"),
            Value::Null | Value::User | Value::Alias(..) => "NULL".into(),
            Value::Ignored => "place (NULL, 0, 1, 0)".into(),
            Value::Array(buffer) => self.array(name, buffer),
            Value::Arrays(items) => self.several(name, items, role),
            Value::Struct(structure, fields) => self.structure(name, *structure, fields),
            Value::Text(text) => literal(text),
            Value::Arguments(arguments) => {
                let list: String =
                    arguments.iter().map(|text| format!("{}, ", literal(text.as_bytes()))).collect();
                format!("((char *const[]){{{list}NULL}})")
            }
            Value::Context(which) => match which {
                Which::Default => "gpumex_context_default ()".into(),
                Which::Invented(number) => format!("(gpumex_context *){number}u"),
                Which::Dead | Which::Busy | Which::Pool(_) | Which::Scratch => {
                    let index = if let Which::Pool(index) = which { *index } else { 9 };
                    self.context(name, index, *which == Which::Dead)
                }
            },
            Value::Event(mark) => self.event(name, *mark),
            Value::Comm(mark) => self.comm(name, *mark),
            Value::Address(block) => self.block(name, *block),
            Value::Callback(behaviour) => {
                let Role::Callback(index) = role else { return "NULL".into() };
                let _ = behaviour == &Behaviour::Continue;
                match self.plan.header.callbacks[*index].as_str() {
                    "gpumex_allocate_callback" => "allocate",
                    "gpumex_release_callback" => "release",
                    "gpumex_log_callback" => "log_line",
                    "gpumex_write_callback" => "write_text",
                    "gpumex_exchange_callback" => "exchange",
                    "gpumex_allgather_callback" => "allgather",
                    _ => "progress",
                }
                .into()
            }
            Value::Handle => {
                let _ = writeln!(self.before, "    void *{name}_handle = NULL;");
                format!("(void *)&{name}_handle")
            }
        }
    }

    fn context(&mut self, name: &str, index: usize, dead: bool) -> String {
        let threads = if matches!(index, 1 | 2) { 2 } else { 1 };
        let _ = writeln!(
            self.before,
            "    gpumex_context *{name} = gpumex_context_create (GPUMEX_BACKEND_AUTO, 0);"
        );
        let _ = writeln!(self.before, "    if (gpumex_context_set_threads ({name}, {threads})) return 2;");
        if index == 3 {
            let _ = writeln!(
                self.before,
                "    if (gpumex_allocator_select ({name}, GPUMEX_ALLOCATOR_SIMPLE)) return 2;"
            );
        }
        if dead {
            let _ = writeln!(self.before, "    if (gpumex_context_destroy ({name})) return 2;");
        }
        if index > 3 && index < POOL {
            let _ = writeln!(
                self.before,
                "    /* context {index} of tests/fuzz/src/environment.rs has callbacks, or tuned kernels */"
            );
        }
        name.into()
    }

    fn event(&mut self, name: &str, mark: Mark) -> String {
        if let Mark::Invented(number) = mark {
            return format!("(gpumex_event *){number}u");
        }
        let _ = writeln!(
            self.before,
            "    gpumex_context *of_{name} = gpumex_context_create (GPUMEX_BACKEND_AUTO, 0);"
        );
        let _ = writeln!(
            self.before,
            "    gpumex_event *{name} = NULL;\n    if (gpumex_event_create (of_{name}, &{name})) return 2;"
        );
        match mark {
            Mark::Recorded => {
                _ = writeln!(self.before, "    if (gpumex_event_record (of_{name}, {name})) return 2;")
            }
            Mark::Dead => _ = writeln!(self.before, "    if (gpumex_event_destroy ({name})) return 2;"),
            _ => {}
        }
        name.into()
    }

    fn comm(&mut self, name: &str, mark: Mark) -> String {
        if let Mark::Invented(number) = mark {
            return format!("(gpumex_comm *){number}u");
        }
        let _ = writeln!(
            self.before,
            "    gpumex_context *of_{name} = gpumex_context_create (GPUMEX_BACKEND_AUTO, 0);\n    gpumex_comm *{name} = NULL;"
        );
        let _ = writeln!(
            self.before,
            "    if (gpumex_comm_create_local (&of_{name}, 1, NULL, &{name})) return 2;"
        );
        if let Mark::Ranks(ranks, _) = mark {
            let _ = writeln!(
                self.before,
                "    /* It was found with {ranks} ranks; this is the call of one: --replay. */"
            );
        }
        if mark == Mark::Dead {
            let _ = writeln!(self.before, "    if (gpumex_comm_destroy ({name})) return 2;");
        }
        name.into()
    }

    fn block(&mut self, name: &str, block: Block) -> String {
        if let Block::Invented(number) = block {
            return format!("(void *){number}u");
        }
        let _ = writeln!(self.before, "    void *{name} = NULL;");
        let _ = writeln!(
            self.before,
            "    if (gpumex_malloc (gpumex_context_default (), 0, 1024, &{name})) return 2;"
        );
        match block {
            Block::Freed => _ = writeln!(self.before, "    if (gpumex_free ({name})) return 2;"),
            Block::Inside => _ = writeln!(self.before, "    {name} = (char *){name} + 8;"),
            _ => {}
        }
        name.into()
    }

    fn structure(&mut self, name: &str, structure: usize, fields: &[Value]) -> String {
        let of = &self.plan.header.structs[structure];
        let size = if let Some(Value::Int(size)) = fields.first() { *size } else { 0 };
        let _ = writeln!(self.before, "    {} {name} = {{0}};\n    {name}.size = {size}u;", of.name);
        for (member, value) in of.fields.iter().zip(fields).skip(1) {
            match value {
                Value::Int(0) | Value::Null => {}
                Value::Text(text) if member.kind.array > 0 => {
                    let _ = writeln!(
                        self.before,
                        "    memcpy ({name}.{}, {}, {});",
                        member.name,
                        literal(text),
                        text.len()
                    );
                }
                value => {
                    let role =
                        if member.kind.base == "int32_t" { Role::Integer(Vec::new()) } else { Role::Double };
                    let value = self.value(&member.name, value, &role);
                    let _ = writeln!(self.before, "    {name}.{} = {value};", member.name);
                }
            }
        }
        let _ = writeln!(
            self.before,
            "    void *{name}_placed = place (&{name}, {}, 1, 0);",
            size.clamp(8, of.size as u64)
        );
        format!("{name}_placed")
    }

    /// The array of the addresses of several arrays.
    fn several(&mut self, name: &str, items: &[Value], role: &Role) -> String {
        let mut list = String::new();
        for (index, item) in items.iter().enumerate() {
            let of_item = self.value(&format!("{name}_{index}"), item, role);
            let _ = write!(list, "{of_item}, ");
            if let Value::Alias(other, offset, _) = item {
                let _ = writeln!(
                    self.late,
                    "    ((void **){name})[{index}] = (char *){} + {offset};",
                    self.names[*other]
                );
            }
        }
        let bytes = 8 * items.len();
        let _ = writeln!(self.before, "    const void *{name}_list[] = {{{list}NULL}};");
        let _ = writeln!(self.before, "    void *{name} = place ({name}_list, {bytes}, 1, 0);");
        name.into()
    }

    fn array(&mut self, name: &str, buffer: &Buffer) -> String {
        self.count += 1;
        let bytes = buffer.bytes.len();
        let c_type = [
            "uint8_t", "float", "double", "uint16_t", "uint16_t", "int8_t", "int16_t", "int32_t", "int64_t",
            "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uint8_t",
        ][usize::from(buffer.dtype).min(13)];
        let size = dtype_size(buffer.dtype).max(1);
        let (array, count) = (format!("{name}_{}", self.count), bytes / size);
        if buffer.receives || buffer.bytes.iter().all(|byte| *byte == 0) {
            let _ = writeln!(
                self.before,
                "    void *{name} = place (calloc ({bytes} + 1, 1), {bytes}, {}, {});",
                i32::from(buffer.high),
                buffer.skew
            );
            if buffer.receives && bytes >= 8 && buffer.dtype == 9 && buffer.bytes[0] != 0xa7 {
                let _ = writeln!(self.before, "    *(size_t *){name} = {}u;", buffer.bytes[0]);
            }
        } else {
            let numbers: String = decode_all(buffer.dtype, &buffer.bytes)
                .into_iter()
                .map(|number| match number {
                    Number::Int(number) if number == i128::from(i64::MIN) => "INT64_MIN, ".to_owned(),
                    Number::Int(number) if number > i128::from(i64::MAX) => format!("{number}u, "),
                    Number::Int(number) => format!("{number}, "),
                    Number::Float(number) if number.is_nan() => "NAN, ".into(),
                    Number::Float(number) if number.is_infinite() => {
                        if number > 0.0 { "INFINITY, " } else { "-INFINITY, " }.into()
                    }
                    Number::Float(number) => format!("{number:e}, "),
                })
                .collect();
            let numbers = if numbers.is_empty() { "0".into() } else { numbers };
            let _ = writeln!(self.arrays, "static const {c_type} {array}[] = {{{numbers}}};");
            let _ = writeln!(
                self.before,
                "    void *{name} = place ({array}, {bytes}, {}, {});",
                i32::from(buffer.high),
                buffer.skew
            );
        }
        if buffer.output && count > 0 {
            let (cast, conversion) = match c_type {
                "float" | "double" => ("double", "%.17g"),
                _ => ("long long", "%lld"),
            };
            let _ = writeln!(
                self.after,
                "    printf (\"{name}:\");\n    for (size_t i = 0; i < {count} && i < 64; i++) printf (\" {conversion}\", ({cast})((const {c_type} *){name})[i]);\n    printf (\"\\n\");"
            );
        }
        name.into()
    }
}

/// A C string literal.
fn literal(text: &[u8]) -> String {
    let escaped: String = text
        .iter()
        .map(|byte| match byte {
            b'"' | b'\\' | b'?' => format!("\\{}", *byte as char),
            0x20..0x7f => (*byte as char).to_string(),
            byte => format!("\\{byte:03o}"),
        })
        .collect();
    format!("\"{escaped}\"")
}
