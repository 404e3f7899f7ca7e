//! The syntax tree of an expression, by operator precedence with a stack of its own: an entry point has little of the thread's.
//!
//! Source: E. Dijkstra, "Algol 60 translation", Mathematisch Centrum 1961 (the shunting yard); V. Pratt, "Top down operator precedence",
//! POPL 1973 (binding powers).
#![forbid(unsafe_code)]

use super::functions::{Function, POWER, PREFIX, PREFIX_OF_EXPONENT};
use super::lexer::{Kind, Lexer, Literal, Token, error_at};
use super::program::{MAX_RADIUS, Tap};
use crate::error::{Error, Result};

/// Parentheses in one another.
const MAX_NESTING: usize = 64;
/// Names, numbers and operators.
const MAX_NODES: usize = 1024;

/// A node; its arguments are nodes in front of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    Literal(Literal),
    /// The number of a tap.
    Input(usize),
    Call(Function, [usize; 3]),
}

/// Nodes in postfix order, each with the byte of the text where it stands. The last one is the root.
pub struct Tree {
    pub nodes: Vec<(Node, usize)>,
    /// The inputs in place, and then each neighbour once.
    pub taps: Vec<Tap>,
}

/// The tree of a text, whose inputs have these names; with neighbours a name may be followed by an offset, `a(-1, 0)`.
pub fn parse(text: &str, names: &[&str], has_neighbours: bool) -> Result<Tree> {
    let mut lexer = Lexer::new(text);
    let token = lexer.next()?;
    let mut parser = Parser {
        lexer,
        token,
        names,
        has_neighbours,
        nodes: Vec::new(),
        taps: (0..names.len()).map(Tap::center).collect(),
        operands: Vec::new(),
        open: Vec::new(),
    };
    loop {
        parser.operand()?;
        if !parser.operators()? {
            return Ok(Tree { nodes: parser.nodes, taps: parser.taps });
        }
    }
}

/// What waits for an operand, or for its end.
#[derive(Clone, Copy)]
enum Open {
    Prefix(Function, u8),
    Infix(Function, u8),
    Question,
    Colon,
    Parenthesis,
    /// A function, its name's place, and how many of its arguments are complete.
    Call(Function, usize),
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token<'a>,
    names: &'a [&'a str],
    has_neighbours: bool,
    nodes: Vec<(Node, usize)>,
    taps: Vec<Tap>,
    operands: Vec<usize>,
    open: Vec<(Open, usize)>,
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Result<Token<'a>> {
        let token = self.token;
        self.token = self.lexer.next()?;
        Ok(token)
    }

    fn expected(&self, what: &str) -> Error {
        error_at(self.token.at, format!("{what} expected, found {}", self.token.text()))
    }

    fn open(&mut self, what: Open, at: usize) -> Result<()> {
        let is_nesting = |open: &Open| !matches!(open, Open::Infix(..) | Open::Prefix(..));
        if is_nesting(&what) && self.open.iter().filter(|(open, _)| is_nesting(open)).count() == MAX_NESTING {
            return Err(Error::unsupported(format!(
                "expression, at {}: parentheses, calls and ?: are nested deeper than {MAX_NESTING}",
                at + 1
            )));
        }
        self.open.push((what, at));
        self.check_size()
    }

    fn check_size(&self) -> Result<()> {
        if self.nodes.len() + self.open.len() > MAX_NODES {
            return Err(Error::unsupported(format!(
                "expression: it has more than {MAX_NODES} names, numbers and operators"
            )));
        }
        Ok(())
    }

    fn push(&mut self, node: Node, at: usize) -> Result<()> {
        self.operands.push(self.nodes.len());
        self.nodes.push((node, at));
        self.check_size()
    }

    /// Prefixes, opening parentheses and calls, and then a number or a name.
    fn operand(&mut self) -> Result<()> {
        loop {
            let Token { kind, at } = self.token;
            match kind {
                Kind::Number(literal) => {
                    self.advance()?;
                    return self.push(Node::Literal(literal), at);
                }
                Kind::Name(name) => {
                    self.advance()?;
                    if self.name(name, at)? {
                        return Ok(());
                    }
                }
                Kind::Symbol("(") => {
                    self.advance()?;
                    self.open(Open::Parenthesis, at)?;
                }
                Kind::Symbol(symbol) if Function::prefix(symbol).is_some() => {
                    self.advance()?;
                    let function = Function::prefix(symbol).expect("it was there");
                    self.open(Open::Prefix(function, self.prefix_power()), at)?;
                }
                _ => return Err(self.expected("a number, a name or \"(\"")),
            }
        }
    }

    /// In 2^-x^y the minus belongs to x alone, as in MATLAB.
    fn prefix_power(&self) -> u8 {
        match self.open.last() {
            Some((Open::Infix(_, POWER) | Open::Prefix(_, PREFIX_OF_EXPONENT), _)) => PREFIX_OF_EXPONENT,
            _ => PREFIX,
        }
    }

    /// An input, a constant, or the beginning of a call; whether it is an operand.
    fn name(&mut self, name: &str, at: usize) -> Result<bool> {
        if let Some(input) = self.names.iter().position(|known| *known == name) {
            let tap = self.tap(input)?;
            self.push(Node::Input(tap), at)?;
        } else if let Some(constant) = constant(name) {
            self.push(Node::Literal(constant), at)?;
        } else if let Some(function) = Function::named(name) {
            if self.token.kind != Kind::Symbol("(") {
                return Err(self.expected(&format!("\"(\" behind the function {name}")));
            }
            self.advance()?;
            self.open(Open::Call(function, 0), at)?;
            return Ok(false);
        } else {
            return Err(error_at(at, format!("unknown name \"{name}\"; {}", known_names(self.names))));
        }
        Ok(true)
    }

    /// The number of the tap of an input: with an offset, where one follows.
    fn tap(&mut self, input: usize) -> Result<usize> {
        let mut tap = Tap::center(input);
        if self.has_neighbours && self.token.kind == Kind::Symbol("(") {
            self.advance()?;
            tap.rows = self.offset()?;
            self.symbol(",")?;
            tap.cols = self.offset()?;
            self.symbol(")")?;
        }
        let known = self.taps.iter().position(|known| *known == tap);
        Ok(known.unwrap_or_else(|| {
            self.taps.push(tap);
            self.taps.len() - 1
        }))
    }

    fn offset(&mut self) -> Result<i8> {
        let sign = match self.token.kind {
            Kind::Symbol("-") => -1,
            Kind::Symbol("+") => 1,
            _ => 0,
        };
        if sign != 0 {
            self.advance()?;
        }
        match self.token.kind {
            Kind::Number(Literal::Whole(number)) if number <= MAX_RADIUS as u64 => {
                self.advance()?;
                Ok(number as i8 * if sign < 0 { -1 } else { 1 })
            }
            _ => Err(self.expected(&format!("an offset, an integer from -{MAX_RADIUS} to {MAX_RADIUS},"))),
        }
    }

    fn symbol(&mut self, symbol: &'static str) -> Result<()> {
        if self.token.kind != Kind::Symbol(symbol) {
            return Err(self.expected(&format!("{symbol:?}")));
        }
        self.advance().map(|_| ())
    }

    /// Closing parentheses, and then a binary operator or a comma; false at the end of the text.
    fn operators(&mut self) -> Result<bool> {
        loop {
            let Token { kind, at } = self.token;
            match kind {
                Kind::Symbol(")") => self.close()?,
                Kind::Symbol(",") => {
                    self.comma()?;
                    return Ok(true);
                }
                Kind::Symbol("?") => {
                    self.advance()?;
                    self.reduce(2)?;
                    self.open(Open::Question, at)?;
                    return Ok(true);
                }
                Kind::Symbol(":") => {
                    self.colon()?;
                    return Ok(true);
                }
                Kind::Symbol(symbol) if Function::infix(symbol).is_some() => {
                    self.advance()?;
                    let (function, power) = Function::infix(symbol).expect("it was there");
                    self.reduce(power)?;
                    self.open(Open::Infix(function, power), at)?;
                    return Ok(true);
                }
                Kind::End => return self.end().map(|()| false),
                _ => return Err(self.expected("an operator")),
            }
        }
    }

    /// Completes what binds as tightly or tighter.
    fn reduce(&mut self, power: u8) -> Result<()> {
        while let Some(&(open, at)) = self.open.last() {
            let (function, own) = match open {
                Open::Prefix(function, own) | Open::Infix(function, own) => (function, own),
                Open::Colon => (Function::Select, 1),
                Open::Question | Open::Parenthesis | Open::Call(..) => return Ok(()),
            };
            if own < power {
                return Ok(());
            }
            self.open.pop();
            self.call(function, at)?;
        }
        Ok(())
    }

    fn call(&mut self, function: Function, at: usize) -> Result<()> {
        let first = self.operands.len() - function.arity();
        let mut arguments = [0; 3];
        arguments[..function.arity()].copy_from_slice(&self.operands[first..]);
        self.operands.truncate(first);
        self.push(Node::Call(function, arguments), at)
    }

    fn colon(&mut self) -> Result<()> {
        self.reduce(1)?;
        match self.open.last_mut() {
            Some((open @ Open::Question, _)) => *open = Open::Colon,
            _ => return Err(self.expected("an operator")),
        }
        self.advance().map(|_| ())
    }

    fn comma(&mut self) -> Result<()> {
        self.reduce(1)?;
        match self.open.last_mut() {
            Some((Open::Call(function, complete), _)) if *complete + 1 < function.arity() => *complete += 1,
            Some((Open::Call(..) | Open::Parenthesis, _)) => return Err(self.expected("\")\"")),
            Some((Open::Question, _)) => return Err(self.expected("\":\"")),
            _ => return Err(self.expected("an operator")),
        }
        self.advance().map(|_| ())
    }

    fn close(&mut self) -> Result<()> {
        self.reduce(1)?;
        match self.open.last().copied() {
            Some((Open::Parenthesis, _)) => {
                self.open.pop();
            }
            Some((Open::Call(function, complete), at)) if complete + 1 == function.arity() => {
                self.open.pop();
                self.call(function, at)?;
            }
            Some((Open::Call(function, complete), _)) => {
                let (given, arity) = (complete + 1, function.arity());
                return Err(self.expected(&format!("\",\" and an argument ({given} of {arity} is there)")));
            }
            Some((Open::Question, _)) => return Err(self.expected("\":\"")),
            _ => return Err(self.expected("an operator or end of text")),
        }
        self.advance().map(|_| ())
    }

    fn end(&mut self) -> Result<()> {
        self.reduce(1)?;
        match self.open.last() {
            None => Ok(()),
            Some((Open::Question, _)) => Err(self.expected("\":\"")),
            Some((Open::Call(function, complete), _)) if complete + 1 < function.arity() => {
                Err(self.expected("\",\""))
            }
            Some(_) => Err(self.expected("\")\"")),
        }
    }
}

fn constant(name: &str) -> Option<Literal> {
    Some(match name {
        "pi" => Literal::Fraction(std::f64::consts::PI),
        "inf" | "Inf" => Literal::Fraction(f64::INFINITY),
        "nan" | "NaN" => Literal::Fraction(f64::NAN),
        "eps" => Literal::Fraction(f64::EPSILON),
        "true" => Literal::Logical(true),
        "false" => Literal::Logical(false),
        _ => return None,
    })
}

fn known_names(names: &[&str]) -> String {
    match names {
        [] => "there are no inputs".to_string(),
        [name] => format!("the input is {name}"),
        _ => format!("the inputs are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree in prefix notation.
    fn shown(text: &str) -> String {
        let tree = parse(text, &["a", "b", "c"], false).unwrap();
        let mut texts: Vec<String> = Vec::new();
        for (node, _) in &tree.nodes {
            texts.push(match node {
                Node::Literal(Literal::Whole(number)) => number.to_string(),
                Node::Literal(literal) => format!("{literal:?}"),
                Node::Input(input) => ["a", "b", "c"][*input].to_string(),
                Node::Call(function, arguments) => {
                    let arguments: Vec<_> =
                        arguments[..function.arity()].iter().map(|&index| texts[index].clone()).collect();
                    format!("{function:?}[{}]", arguments.join(" "))
                }
            });
        }
        texts.pop().unwrap()
    }

    fn refused(text: &str) -> String {
        parse(text, &["a", "b", "c"], false).err().unwrap().message().to_string()
    }

    #[test]
    fn operators_bind_as_in_matlab() {
        assert_eq!(shown("a + b * c"), "Plus[a Times[b c]]");
        assert_eq!(shown("-a^2"), "Negate[Power[a 2]]");
        assert_eq!(shown("2^-a^b"), "Power[Power[2 Negate[a]] b]");
        assert_eq!(shown("a^b^c"), "Power[Power[a b] c]");
        assert_eq!(shown("a - b - c"), "Minus[Minus[a b] c]");
        assert_eq!(shown("~a == b"), "Compare(Eq)[Not[a] b]");
        assert_eq!(shown("a | b & c == 2"), "Logic(Bitor)[a Logic(Bitand)[b Compare(Eq)[c 2]]]");
        assert_eq!(shown("2.*a./b.^c"), "Divide[Times[2 a] Power[b c]]");
    }

    #[test]
    fn conditions_nest_to_the_right() {
        assert_eq!(shown("a ? b : c ? 1 : 2"), "Select[a b Select[c 1 2]]");
        assert_eq!(shown("a ? b ? 1 : 2 : c"), "Select[a Select[b 1 2] c]");
        assert_eq!(shown("a || b ? 1 : c + 1"), "Select[Logic(Bitor)[a b] 1 Plus[c 1]]");
        assert_eq!(shown("max (a ? 1 : 2, (b ? a : c))"), "Greatest[Select[a 1 2] Select[b a c]]");
    }

    #[test]
    fn errors_name_the_place_and_both_tokens() {
        assert_eq!(refused("(a + b"), "expression, at 7: \")\" expected, found end of text");
        assert_eq!(refused("a + * b"), "expression, at 5: a number, a name or \"(\" expected, found \"*\"");
        assert_eq!(refused("a b"), "expression, at 3: an operator expected, found \"b\"");
        assert_eq!(refused("a ? b"), "expression, at 6: \":\" expected, found end of text");
        assert_eq!(refused("a : b"), "expression, at 3: an operator expected, found \":\"");
        assert_eq!(
            refused("max (a)"),
            "expression, at 7: \",\" and an argument (1 of 2 is there) expected, found \")\""
        );
        assert_eq!(refused("max (a, b, c)"), "expression, at 10: \")\" expected, found \",\"");
        assert_eq!(refused("a, b"), "expression, at 2: an operator expected, found \",\"");
        assert_eq!(refused("a)"), "expression, at 2: an operator or end of text expected, found \")\"");
        assert_eq!(refused("x + 1"), "expression, at 1: unknown name \"x\"; the inputs are a, b, c");
        assert_eq!(
            refused("sin"),
            "expression, at 4: \"(\" behind the function sin expected, found end of text"
        );
        assert!(refused("a % b").starts_with("expression, at 3: a name, a number or an operator expected"));
        assert_eq!(refused("1e"), "expression, at 3: the digits of an exponent expected");
        assert_eq!(refused(""), "expression, at 1: a number, a name or \"(\" expected, found end of text");
    }

    #[test]
    fn a_neighbour_is_an_input_with_an_offset() {
        let tree = parse("a + a (-1, +7) * b(0,0) - a(-1,7)", &["a", "b"], true).unwrap();
        let neighbour = Tap { input: 0, rows: -1, cols: 7 };
        assert_eq!(tree.taps, [Tap::center(0), Tap::center(1), neighbour]);
        let inputs = tree.nodes.iter().filter_map(|(node, _)| match node {
            Node::Input(tap) => Some(*tap),
            _ => None,
        });
        assert_eq!(inputs.collect::<Vec<_>>(), [0, 2, 1, 2]);
        let refused = |text| parse(text, &["a"], true).err().unwrap().message().to_string();
        let offset = "an offset, an integer from -7 to 7, expected";
        assert_eq!(refused("a(8, 0)"), format!("expression, at 3: {offset}, found 8"));
        assert_eq!(refused("a(1, -1.0)"), format!("expression, at 7: {offset}, found 1"));
        assert_eq!(refused("a(b, 0)"), format!("expression, at 3: {offset}, found \"b\""));
        assert_eq!(refused("a(1)"), "expression, at 4: \",\" expected, found \")\"");
        assert_eq!(refused("a(1, 2"), "expression, at 7: \")\" expected, found end of text");
        assert!(parse("a (1, 2)", &["a"], false).is_err());
    }

    #[test]
    fn nesting_and_length_are_limited() {
        let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
        assert!(parse(&nested(64), &["a"], false).is_ok());
        assert!(refused(&nested(65)).contains("deeper than 64"));
        assert!(refused(&format!("a{}", " + a".repeat(600))).contains("more than 1024"));
        assert!(refused(&format!("{}a", "-".repeat(2000))).contains("more than 1024"));
    }
}
