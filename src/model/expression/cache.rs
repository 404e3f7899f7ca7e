//! Compiled programs.
#![forbid(unsafe_code)]

use std::collections::VecDeque;
use std::sync::Arc;

use super::Source;
use super::program::Program;
use crate::error::Result;
use crate::model::dtype::Dtype;

const CACHED: usize = 64;

/// Programs by their sources and the dtypes of their results; the least recently used one makes room.
#[derive(Default)]
pub struct Programs {
    known: VecDeque<(Source, Dtype, Arc<Program>)>,
}

impl Programs {
    /// The program of a source, which is compiled where it is not known.
    pub fn get(&mut self, source: &Source, dtype: Dtype) -> Result<Arc<Program>> {
        let is_it = |known: &(Source, Dtype, Arc<Program>)| known.0 == *source && known.1 == dtype;
        if let Some(latest) = self.known.back().filter(|latest| is_it(latest)) {
            return Ok(latest.2.clone());
        }
        let entry = match self.known.iter().position(is_it).and_then(|index| self.known.remove(index)) {
            Some(entry) => entry,
            None => (source.clone(), dtype, Arc::new(source.compile(dtype)?)),
        };
        let program = entry.2.clone();
        self.known.push_back(entry);
        if self.known.len() > CACHED {
            self.known.pop_front();
        }
        Ok(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::expression::Rules;

    fn source(text: String) -> Source {
        Source { text, names: None, dtypes: vec![Dtype::F64], rules: Rules::C, has_neighbours: false }
    }

    #[test]
    fn the_least_recently_used_program_makes_room() {
        let mut programs = Programs::default();
        let first = programs.get(&source("a + 0".into()), Dtype::F64).unwrap();
        let second = programs.get(&source("a + 1".into()), Dtype::F64).unwrap();
        for number in 2..CACHED {
            programs.get(&source(format!("a + {number}")), Dtype::F64).unwrap();
        }
        assert!(Arc::ptr_eq(&first, &programs.get(&source("a + 0".into()), Dtype::F64).unwrap()));
        programs.get(&source("a + 64".into()), Dtype::F64).unwrap();
        assert!(Arc::ptr_eq(&first, &programs.get(&source("a + 0".into()), Dtype::F64).unwrap()));
        assert!(!Arc::ptr_eq(&second, &programs.get(&source("a + 1".into()), Dtype::F64).unwrap()));
        assert_eq!(programs.known.len(), CACHED);
    }
}
