//! The language of gpumex_map, parsed as its documentation says.

/// A part of an expression, and where it is in the text.
#[derive(Clone, Debug)]
pub struct Node {
    pub tree: Tree,
    pub from: usize,
    pub to: usize,
}

#[derive(Clone, Debug)]
pub enum Tree {
    Whole(i128),
    Fraction(f64),
    Logical(bool),
    Input(usize),
    /// Of operators the function that they stand for; of casts the type.
    Call(&'static str, Vec<Node>),
}

/// Binary operators, the functions that they stand for, and how tightly they bind.
const INFIX: [(&str, &str, u8); 21] = [
    ("||", "or", 2),
    ("&&", "and", 3),
    ("==", "eq", 6),
    ("!=", "ne", 6),
    ("~=", "ne", 6),
    ("<=", "le", 6),
    (">=", "ge", 6),
    ("<", "lt", 6),
    (">", "gt", 6),
    ("|", "or", 4),
    ("&", "and", 5),
    (".*", "times", 8),
    ("./", "rdivide", 8),
    (".^", "power", 10),
    ("+", "plus", 7),
    ("-", "minus", 7),
    ("*", "times", 8),
    ("/", "rdivide", 8),
    ("^", "power", 10),
    ("?", "ifelse", 1),
    (":", "", 0),
];
const POWER: u8 = 10;
const PREFIX: u8 = 9;

/// Functions and their arguments.
const FUNCTIONS: [(&str, usize); 78] = [
    ("abs", 1),
    ("sign", 1),
    ("min", 2),
    ("max", 2),
    ("mod", 2),
    ("rem", 2),
    ("floor", 1),
    ("ceil", 1),
    ("round", 1),
    ("fix", 1),
    ("trunc", 1),
    ("sqrt", 1),
    ("cbrt", 1),
    ("exp", 1),
    ("expm1", 1),
    ("exp2", 1),
    ("log", 1),
    ("log1p", 1),
    ("log2", 1),
    ("log10", 1),
    ("sin", 1),
    ("cos", 1),
    ("tan", 1),
    ("asin", 1),
    ("acos", 1),
    ("atan", 1),
    ("atan2", 2),
    ("sinh", 1),
    ("cosh", 1),
    ("tanh", 1),
    ("asinh", 1),
    ("acosh", 1),
    ("atanh", 1),
    ("hypot", 2),
    ("power", 2),
    ("erf", 1),
    ("erfc", 1),
    ("gamma", 1),
    ("gammaln", 1),
    ("isnan", 1),
    ("isinf", 1),
    ("isfinite", 1),
    ("not", 1),
    ("and", 2),
    ("or", 2),
    ("xor", 2),
    ("eq", 2),
    ("ne", 2),
    ("lt", 2),
    ("le", 2),
    ("gt", 2),
    ("ge", 2),
    ("plus", 2),
    ("minus", 2),
    ("times", 2),
    ("rdivide", 2),
    ("uminus", 1),
    ("uplus", 1),
    ("ifelse", 3),
    ("select", 3),
    ("bitand", 2),
    ("bitor", 2),
    ("bitxor", 2),
    ("bitcmp", 1),
    ("bitshift", 2),
    ("double", 1),
    ("single", 1),
    ("half", 1),
    ("bfloat16", 1),
    ("int8", 1),
    ("int16", 1),
    ("int32", 1),
    ("int64", 1),
    ("uint8", 1),
    ("uint16", 1),
    ("uint32", 1),
    ("uint64", 1),
    ("logical", 1),
];

/// An input, and how many rows and columns behind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tap {
    pub input: usize,
    pub rows: i64,
    pub cols: i64,
}

/// The tree of a text whose inputs have these names, with neighbours also with offsets behind them, and the taps that its inputs are
/// places in: first those of all names. `None` where it is not one of the language.
pub fn parse(text: &str, names: &[String], has_neighbours: bool) -> Option<(Node, Vec<Tap>)> {
    let taps = (0..names.len()).map(|input| Tap { input, rows: 0, cols: 0 }).collect();
    let mut parser = Parser { text, at: 0, names, has_neighbours, taps };
    let node = parser.ternary()?;
    parser.blanks();
    (parser.at == text.len()).then_some((node, parser.taps))
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    names: &'a [String],
    has_neighbours: bool,
    taps: Vec<Tap>,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_ascii_start().len();
    }

    fn take(&mut self, symbol: &str) -> Option<()> {
        self.blanks();
        self.rest().starts_with(symbol).then(|| self.at += symbol.len())
    }

    fn call(&self, name: &'static str, arguments: Vec<Node>, from: usize) -> Node {
        Node { tree: Tree::Call(name, arguments), from, to: self.at }
    }

    fn ternary(&mut self) -> Option<Node> {
        let condition = self.binary(2)?;
        if self.take("?").is_none() {
            return Some(condition);
        }
        let x = self.ternary()?;
        self.take(":")?;
        let (y, from) = (self.ternary()?, condition.from);
        Some(self.call("ifelse", vec![condition, x, y], from))
    }

    /// Operators that bind as tightly as `least` at least, from the left.
    fn binary(&mut self, least: u8) -> Option<Node> {
        let mut left = if least <= PREFIX { self.prefix()? } else { self.primary()? };
        loop {
            self.blanks();
            let found = INFIX.iter().find(|(symbol, ..)| self.rest().starts_with(symbol));
            let Some((symbol, name, level)) = found.filter(|(.., level)| *level >= least.max(2)) else {
                return Some(left);
            };
            self.at += symbol.len();
            let right = if *level == POWER { self.exponent()? } else { self.binary(level + 1)? };
            let from = left.from;
            left = self.call(name, vec![left, right], from);
        }
    }

    /// A sign before a power.
    fn prefix(&mut self) -> Option<Node> {
        let Some((name, from)) = self.sign() else { return self.binary(POWER) };
        let operand = self.prefix()?;
        Some(self.call(name, vec![operand], from))
    }

    /// Signs bind to the first operand behind a power.
    fn exponent(&mut self) -> Option<Node> {
        let Some((name, from)) = self.sign() else { return self.primary() };
        let operand = self.exponent()?;
        Some(self.call(name, vec![operand], from))
    }

    fn sign(&mut self) -> Option<(&'static str, usize)> {
        self.blanks();
        let from = self.at;
        if self.rest().starts_with("!=") || self.rest().starts_with("~=") {
            return None;
        }
        let signs = [("-", "uminus"), ("+", "uplus"), ("!", "not"), ("~", "not")];
        let (symbol, name) = signs.into_iter().find(|(symbol, _)| self.rest().starts_with(symbol))?;
        self.at += symbol.len();
        Some((name, from))
    }

    fn primary(&mut self) -> Option<Node> {
        self.blanks();
        let from = self.at;
        if self.take("(").is_some() {
            let inner = self.ternary()?;
            self.take(")")?;
            return Some(Node { from, to: self.at, ..inner });
        }
        let tree = match self.rest().bytes().next()? {
            b'0'..=b'9' | b'.' => self.number()?,
            _ => return self.name(),
        };
        Some(Node { tree, from, to: self.at })
    }

    /// The decimals at the front of the rest.
    fn digits(&mut self) -> usize {
        let count = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.at += count;
        count
    }

    fn number(&mut self) -> Option<Tree> {
        let from = self.at;
        if let Some(digits) = self.rest().strip_prefix("0x").or(self.rest().strip_prefix("0X")) {
            let count = digits.bytes().take_while(u8::is_ascii_hexdigit).count();
            let number = u64::from_str_radix(&digits[..count], 16).ok()?;
            self.at += 2 + count;
            return self.ends().then_some(Tree::Whole(number.into()));
        }
        let whole = self.digits();
        // "2.*a" is 2 .* a
        let operator = [".*", "./", ".^"].iter().any(|symbol| self.rest().starts_with(symbol));
        let point = self.rest().starts_with('.') && !operator;
        self.at += usize::from(point);
        let fraction = if point { self.digits() } else { 0 };
        if whole + fraction == 0 {
            return None;
        }
        let exponent = self.rest().starts_with(['e', 'E']);
        if exponent {
            self.at += 1;
            self.at += usize::from(self.rest().starts_with(['+', '-']));
            if self.digits() == 0 {
                return None;
            }
        }
        let text = &self.text[from..self.at];
        let tree = match text.parse::<u64>() {
            Ok(number) if !point && !exponent => Tree::Whole(number.into()),
            _ => Tree::Fraction(text.parse().ok()?),
        };
        self.ends().then_some(tree)
    }

    /// Whether neither a letter nor a digit follows.
    fn ends(&self) -> bool {
        !self.rest().starts_with(|next: char| next.is_alphanumeric() || next == '_')
    }

    /// The place of an input in the list of taps, with the offset that may follow.
    fn tap(&mut self, input: usize) -> Option<usize> {
        let end = self.at;
        if !self.has_neighbours || self.take("(").is_none() {
            self.at = end;
            return Some(input);
        }
        let rows = self.offset()?;
        self.take(",")?;
        let tap = Tap { input, rows, cols: self.offset()? };
        self.take(")")?;
        self.taps.push(tap);
        Some(self.taps.len() - 1)
    }

    fn offset(&mut self) -> Option<i64> {
        let is_negative = self.take("-").is_some();
        let _ = if is_negative { None } else { self.take("+") };
        self.blanks();
        match self.number()? {
            Tree::Whole(number) if number <= 7 => Some(number as i64 * if is_negative { -1 } else { 1 }),
            _ => None,
        }
    }

    fn name(&mut self) -> Option<Node> {
        let from = self.at;
        let length =
            self.rest().bytes().take_while(|next| next.is_ascii_alphanumeric() || *next == b'_').count();
        let word = self.rest()[..length].to_owned();
        self.at += length;
        let leaf = |tree| Some(Node { tree, from, to: from + length });
        if let Some(index) = self.names.iter().position(|name| *name == word) {
            let tree = Tree::Input(self.tap(index)?);
            return Some(Node { tree, from, to: self.at });
        }
        match word.as_str() {
            "pi" => return leaf(Tree::Fraction(std::f64::consts::PI)),
            "inf" => return leaf(Tree::Fraction(f64::INFINITY)),
            "nan" => return leaf(Tree::Fraction(f64::NAN)),
            "eps" => return leaf(Tree::Fraction(f64::EPSILON)),
            "true" | "false" => return leaf(Tree::Logical(word == "true")),
            _ => {}
        }
        let (name, count) = *FUNCTIONS.iter().find(|(name, _)| *name == word)?;
        self.take("(")?;
        let mut arguments = vec![self.ternary()?];
        while arguments.len() < count {
            self.take(",")?;
            arguments.push(self.ternary()?);
        }
        self.take(")")?;
        let name = match name {
            "select" => "ifelse",
            "trunc" => "fix",
            name => name,
        };
        Some(self.call(name, arguments, from))
    }
}
