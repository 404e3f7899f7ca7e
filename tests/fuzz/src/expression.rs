//! The sizes of arrays as the texts of the header state them: `rows*cols`, `segments + 1`, `count / channels`.

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Number(u128),
    Name(String),
    Binary(char, Box<Expression>, Box<Expression>),
}

use Expression::{Binary, Name, Number};

impl Expression {
    /// Parses an expression at the front of `text`, of the names that `known` accepts; returns what is behind it.
    pub fn parse<'a>(text: &'a str, known: &dyn Fn(&str) -> bool) -> Option<(Expression, &'a str)> {
        chain(text, &['+', '-'], &|text| chain(text, &['*', '/'], &|text| factor(text, known)))
    }

    pub fn evaluate(&self, value: &dyn Fn(&str) -> u128) -> u128 {
        match self {
            Number(number) => *number,
            Name(name) => value(name),
            Binary(operator, left, right) => {
                let (left, right) = (left.evaluate(value), right.evaluate(value));
                match operator {
                    '+' => left.saturating_add(right),
                    '-' => left.saturating_sub(right),
                    '*' => left.saturating_mul(right),
                    _ => left.checked_div(right).unwrap_or(0),
                }
            }
        }
    }

    pub fn names(&self) -> Vec<&str> {
        match self {
            Number(_) => Vec::new(),
            Name(name) => vec![name],
            Binary(_, left, right) => [left.names(), right.names()].concat(),
        }
    }
}

type Parsed<'a> = Option<(Expression, &'a str)>;

fn chain<'a>(text: &'a str, operators: &[char], operand: &dyn Fn(&'a str) -> Parsed<'a>) -> Parsed<'a> {
    let (mut left, mut rest) = operand(text)?;
    loop {
        let behind = rest.trim_start();
        let Some(operator) = behind.chars().next().filter(|next| operators.contains(next)) else { break };
        let Some((right, after)) = operand(behind[1..].trim_start()) else { break };
        (left, rest) = (Binary(operator, Box::new(left), Box::new(right)), after);
    }
    Some((left, rest))
}

fn factor<'a>(text: &'a str, known: &dyn Fn(&str) -> bool) -> Parsed<'a> {
    if let Some(inner) = text.strip_prefix('(') {
        let (inside, rest) = Expression::parse(inner, known)?;
        return Some((inside, rest.trim_start().strip_prefix(')')?));
    }
    let end = text.find(|next: char| !next.is_ascii_alphanumeric() && next != '_').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    if word == "min" && rest.starts_with('(') {
        // min (needed, capacity): the array holds capacity elements.
        let (_, last) = rest.split_once(", ")?;
        let (inside, rest) = Expression::parse(last, known)?;
        return Some((inside, rest.trim_start().strip_prefix(')')?));
    }
    let number = match word {
        "one" | "One" => Some(1),
        "two" => Some(2),
        _ => word.parse().ok(),
    };
    let expression = if known(word) { Name(word.to_owned()) } else { Number(number?) };
    Some((expression, rest))
}
