//! Random expressions in the language of gpumex_map, and broken ones.

use crate::dice::Dice;

pub const FUNCTIONS_1: [&str; 39] = [
    "abs", "sign", "floor", "ceil", "round", "fix", "trunc", "sqrt", "cbrt", "exp", "expm1", "exp2", "log",
    "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh",
    "acosh", "atanh", "erf", "erfc", "gamma", "gammaln", "isnan", "isinf", "isfinite", "not", "bitcmp",
    "uminus", "uplus",
];
const FUNCTIONS_2: [&str; 24] = [
    "min", "max", "mod", "rem", "atan2", "hypot", "power", "and", "or", "xor", "eq", "ne", "lt", "le", "gt",
    "ge", "plus", "minus", "times", "rdivide", "bitand", "bitor", "bitxor", "bitshift",
];
const CASTS: [&str; 13] = [
    "double", "single", "half", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
    "uint64", "logical",
];
/// Functions and casts whose result is exact, and signs.
const EXACT_1: [&str; 10] =
    ["abs", "sign", "floor", "ceil", "round", "fix", "sqrt", "not", "isnan", "uminus"];
const SIGNS: [&str; 22] = [
    "+", "-", "*", ".*", "/", "./", "^", ".^", "==", "!=", "~=", "<", "<=", ">", ">=", "&", "|", "&&", "||",
    "+", "-", "*",
];
const LITERALS: [&str; 26] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "10",
    "100",
    "255",
    "256",
    "999",
    "2147483647",
    "2147483648",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "0x1F",
    "0.5",
    "2.5",
    "1e-3",
    ".25",
    "pi",
    "inf",
    "nan",
    "eps",
    "true",
    "false",
];
pub const NAMES: [&str; 16] = [
    "a",
    "x",
    "y1",
    "_z",
    "pi",
    "max",
    "n",
    "A",
    "long_name_9",
    "e",
    "inf",
    "abs",
    "v2",
    "O0",
    "if",
    "double",
];

/// Expressions of a and b that are associative whatever the dtype: the first one, the last one, the last one that is not 0 if there is one.
pub const FOLDS: [&str; 3] = ["a", "b", "b == 0 ? a : b"];

/// An expression of inputs with these names.
pub fn text(dice: &mut Dice, names: &[String]) -> Vec<u8> {
    let depth = 1 + dice.below(5);
    let mut text = match dice.below(1000) {
        0..4 => nested(dice),
        4..10 => long(dice, names),
        _ => tree(dice, names, depth),
    }
    .into_bytes();
    if dice.per_mille(70) {
        spoil(dice, &mut text);
    }
    text.retain(|byte| *byte != 0);
    text
}

fn tree(dice: &mut Dice, names: &[String], depth: usize) -> String {
    if depth == 0 || dice.per_mille(150) {
        return leaf(dice, names);
    }
    let part = |dice: &mut Dice| tree(dice, names, depth - 1);
    match dice.below(20) {
        0 => format!("{}({})", dice.pick(&FUNCTIONS_1), part(dice)),
        1..4 => format!("{} ({})", dice.pick(&EXACT_1), part(dice)),
        4 => format!("{}{}", dice.pick(&["-", "+", "!", "~"]), part(dice)),
        5..7 => format!("{}({})", dice.pick(&CASTS), part(dice)),
        7..10 => {
            let (x, y) = (part(dice), part(dice));
            format!("{} ({x}, {y})", dice.pick(&FUNCTIONS_2))
        }
        10 => {
            let (c, x, y) = (part(dice), part(dice), part(dice));
            let form = dice.below(3);
            [format!("({c} ? {x} : {y})"), format!("ifelse ({c}, {x}, {y})"), format!("{c}?{x}:{y}")][form]
                .clone()
        }
        form => {
            let (x, sign, y) = (part(dice), dice.pick(&SIGNS), part(dice));
            if form < 17 { format!("({x} {sign} {y})") } else { format!("{x} {sign} {y}") }
        }
    }
}

fn leaf(dice: &mut Dice, names: &[String]) -> String {
    if names.is_empty() || dice.per_mille(250) {
        return dice.pick(&LITERALS).to_owned();
    }
    names[dice.below(names.len())].clone()
}

/// About as many parentheses as are allowed.
fn nested(dice: &mut Dice) -> String {
    let depth = 58 + dice.below(12);
    format!("{}1{}", "(".repeat(depth), ")".repeat(depth))
}

/// About as many steps and literals as are allowed, or more.
fn long(dice: &mut Dice, names: &[String]) -> String {
    let mut text = leaf(dice, names);
    for number in 0..dice.below(220) {
        let operand = if dice.per_mille(300) { (number + 2).to_string() } else { leaf(dice, names) };
        text.push_str(&format!(" {} {operand}", dice.pick(&["+", "-", "*", "<", "&"])));
    }
    text
}

/// A character less, more or in the place of another one.
fn spoil(dice: &mut Dice, text: &mut Vec<u8>) {
    const CHARACTERS: &[u8] = b"()+-*/.,?:&|!~^=<> \t\n'[]@#a0e\xc3\xa9\xff";
    for _ in 0..1 + dice.below(3) {
        let at = dice.below(text.len() + 1);
        let character = dice.pick(CHARACTERS);
        match dice.below(4) {
            0 => text.truncate(at),
            1 if at < text.len() => text[at] = character,
            2 if at < text.len() => _ = text.remove(at),
            _ => text.insert(at, character),
        }
    }
}

/// Names of inputs, as an option has them.
pub fn names(dice: &mut Dice, count: usize) -> String {
    let mut names: Vec<&str> = NAMES.to_vec();
    (1..names.len()).for_each(|last| names.swap(last, dice.below(last + 1)));
    let count = if dice.per_mille(950) { count } else { dice.below(17) };
    names[..count.min(names.len())].join(dice.pick(&[" ", ",", ", ", "  "]))
}

/// Some of the names with the offset of a neighbour, mostly one that is allowed.
pub fn add_neighbours(dice: &mut Dice, names: &mut Vec<String>) {
    for name in names.clone() {
        for _ in 0..dice.below(5) {
            let most = if dice.per_mille(15) { 8 } else { 1 + dice.below(7) as i64 };
            let mut offset = || dice.below(2 * most as usize + 1) as i64 - most;
            let (dy, dx) = (offset(), offset());
            names.push(format!("{name}{}{dy},{}{dx})", dice.pick(&["(", " (", "( "]), dice.pick(&["", " "])));
        }
    }
}

/// The names that inputs have.
pub fn names_of(option: Option<&str>, count: usize) -> Vec<String> {
    let all = option.unwrap_or("a b c d e f g h i j k l m n o p");
    let words = all.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty());
    words.take(count).map(str::to_owned).collect()
}
