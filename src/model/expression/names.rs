//! The names of inputs.
#![forbid(unsafe_code)]

use super::program::MAX_INPUTS;
use crate::error::{Error, Result};

const DEFAULT: &str = "a b c d e f g h i j k l m n o p";

/// The names of so many inputs in a list, between blanks or commas.
pub fn names(list: Option<&str>, count: usize) -> Result<Vec<&str>> {
    if count > MAX_INPUTS {
        return Err(Error::invalid(format!(
            "input_count is {count}; an expression has at most {MAX_INPUTS}"
        )));
    }
    let words = |list| str::split(list, |letter: char| letter == ',' || letter.is_ascii_whitespace());
    let Some(list) = list else { return Ok(words(DEFAULT).take(count).collect()) };
    let names: Vec<&str> = words(list).filter(|name| !name.is_empty()).collect();
    if names.len() != count {
        let names = names.len();
        return Err(Error::invalid(format!("options.names has {names} names; there are {count} inputs")));
    }
    for (i, name) in names.iter().enumerate() {
        check(name)?;
        if names[..i].contains(name) {
            return Err(Error::invalid(format!("options.names has {name:?} twice")));
        }
    }
    Ok(names)
}

fn check(name: &str) -> Result<()> {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    if name.bytes().all(|byte| is_letter(byte) || byte.is_ascii_digit())
        && !name.as_bytes()[0].is_ascii_digit()
    {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "options.names has {name:?}; a name has letters, digits and _, and no digit first"
    )))
}
