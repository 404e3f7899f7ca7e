//! Expressions as trees, and as the text that the library gets.

use gpumex::model::dtype::Dtype;

#[derive(Clone, Debug)]
pub enum Tree {
    Whole(i128),
    Fraction(f64),
    Logical(bool),
    Input(usize),
    Call(&'static str, Vec<Tree>),
}

/// Functions that have the sign of an operator.
const SIGNS: [(&str, &str); 13] = [
    ("plus", "+"),
    ("minus", "-"),
    ("times", "*"),
    ("rdivide", "./"),
    ("eq", "=="),
    ("ne", "~="),
    ("lt", "<"),
    ("le", "<="),
    ("gt", ">"),
    ("ge", ">="),
    ("and", "&"),
    ("or", "||"),
    ("uminus", "-"),
];

pub const CASTS: [(&str, Dtype); 11] = [
    ("double", Dtype::F64),
    ("single", Dtype::F32),
    ("int8", Dtype::I8),
    ("int16", Dtype::I16),
    ("int32", Dtype::I32),
    ("int64", Dtype::I64),
    ("uint8", Dtype::U8),
    ("uint16", Dtype::U16),
    ("uint32", Dtype::U32),
    ("uint64", Dtype::U64),
    ("logical", Dtype::Bool),
];

impl Tree {
    pub fn text(&self) -> String {
        self.text_of(&|index| char::from(b'a' + index as u8).to_string())
    }

    /// The text with these names of inputs.
    pub fn text_of(&self, input: &dyn Fn(usize) -> String) -> String {
        match self {
            Tree::Whole(value) => value.to_string(),
            Tree::Fraction(value) => format!("{value:?}"),
            Tree::Logical(value) => value.to_string(),
            Tree::Input(index) => input(*index),
            Tree::Call(name, arguments) => {
                let texts: Vec<String> = arguments.iter().map(|tree| tree.text_of(input)).collect();
                let sign = SIGNS.iter().find(|(known, _)| known == name).map(|(_, sign)| sign);
                match (sign, &texts[..]) {
                    (Some(sign), [x, y]) => format!("({x} {sign} {y})"),
                    (Some(sign), [x]) => format!("({sign}{x})"),
                    (None, [x, y, z]) if *name == "select" => format!("({x} ? {y} : {z})"),
                    _ => format!("{name} ({})", texts.join(", ")),
                }
            }
        }
    }
}
