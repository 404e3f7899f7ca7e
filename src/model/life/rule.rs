//! Outer-totalistic rules in B/S notation.
//!
//! Source: the notation of Golly, M. B. Johnson's "B3/S23"; the older "23/3" has the survivors first.

use std::fmt;

use crate::error::{Error, Result, quoted};

/// Which numbers of live neighbours, of the eight, make a dead cell live and keep a live one so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Bit k: k neighbours make a dead cell live.
    pub birth: u16,
    /// Bit k: k neighbours keep a live cell alive.
    pub survival: u16,
}

impl Rule {
    /// B3/S23.
    pub const LIFE: Rule = Rule { birth: 1 << 3, survival: 1 << 2 | 1 << 3 };

    /// Reads "B3/S23", in any case and order and with the slash or without, or "23/3", which is S/B.
    pub fn parse(text: &str) -> Result<Rule> {
        let rule = if text.contains(['B', 'b', 'S', 's']) { lettered(text) } else { numbered(text) };
        rule.ok_or_else(|| {
            Error::invalid(format!(
                "{} is not a rule such as B3/S23: numbers of neighbours, 0 to 8, each once, after B those that give birth and after S those that let live",
                quoted(text)
            ))
        })
    }
}

impl Default for Rule {
    fn default() -> Rule {
        Rule::LIFE
    }
}

/// "B3/S23": both letters, each once.
fn lettered(text: &str) -> Option<Rule> {
    let (mut birth, mut survival) = (None, None);
    let mut rest = text;
    while !rest.is_empty() {
        let (target, behind) = if let Some(behind) = rest.strip_prefix(['B', 'b']) {
            (&mut birth, behind)
        } else {
            (&mut survival, rest.strip_prefix(['S', 's'])?)
        };
        let (digits, behind) =
            behind.split_at(behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len()));
        if target.replace(counts(digits)?).is_some() {
            return None;
        }
        rest = behind.strip_prefix('/').filter(|more| !more.is_empty()).unwrap_or(behind);
    }
    Some(Rule { birth: birth?, survival: survival? })
}

/// "23/3".
fn numbered(text: &str) -> Option<Rule> {
    let (survival, birth) = text.split_once('/')?;
    Some(Rule { birth: counts(birth)?, survival: counts(survival)? })
}

/// The set of the digits, which are 0 to 8 and differ.
fn counts(digits: &str) -> Option<u16> {
    digits.chars().try_fold(0, |set, digit| {
        let bit = 1 << digit.to_digit(9)?;
        (set & bit == 0).then_some(set | bit)
    })
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let digits = |set: u16| {
            (0..=8).filter(move |k| set >> k & 1 == 1).map(|k: u32| k.to_string()).collect::<String>()
        };
        write!(f, "B{}/S{}", digits(self.birth), digits(self.survival))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_notations_are_one_rule() {
        for text in ["B3/S23", "b3/s23", "S23/B3", "B3S23", "23/3", "B3/S32"] {
            assert_eq!(Rule::parse(text).unwrap(), Rule::LIFE, "{text}");
        }
        assert_eq!(Rule::parse("B36/S23").unwrap().to_string(), "B36/S23");
        assert_eq!(Rule::parse("B2/S").unwrap(), Rule { birth: 4, survival: 0 });
        assert_eq!(Rule::parse("/2").unwrap(), Rule { birth: 4, survival: 0 });
        assert_eq!(Rule::parse("B012345678/S012345678").unwrap(), Rule { birth: 511, survival: 511 });
    }

    #[test]
    fn every_rule_is_read_as_it_is_written() {
        for (birth, survival) in (0..512u16).map(|birth| (birth, birth * 37 % 512)) {
            let rule = Rule { birth, survival };
            assert_eq!(Rule::parse(&rule.to_string()).unwrap(), rule);
        }
    }

    #[test]
    fn what_is_no_rule_is_refused_by_name() {
        for text in [
            "",
            "B3",
            "S23",
            "B3/S9",
            "B33/S23",
            "B3/S23/",
            "/B3/S23",
            "B3//S23",
            "B3/S23/B3",
            "3",
            "x",
            "B3 /S23",
            "B3/S23\u{e9}",
            "\u{e9}B3/S23",
            "1/2/3",
            "B-3/S23",
        ] {
            let error = Rule::parse(text).unwrap_err().to_string();
            assert!(
                error.contains(&text.escape_debug().to_string()) && error.contains("is not a rule"),
                "{error}"
            );
        }
    }
}
