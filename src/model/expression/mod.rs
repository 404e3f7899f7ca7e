//! Expressions: a text is parsed, typed by one of two sets of rules, and lowered to a program for an accumulator machine, which both
//! backends interpret.
//!
//! | module | what it holds |
//! |---|---|
//! | `lexer`, `parser` | tokens; the tree, by operator precedence |
//! | `functions` | the operators and functions of the language |
//! | `typing`, `matlab`, `c` | what a tree means by the rules of MATLAB and of C |
//! | `complex`, `complex_functions` | complex numbers, as pairs of real ones |
//! | `graph` | typed expressions: common subexpressions, folded literals, ranges of integers |
//! | `narrow` | graphs whose values fit in bytes |
//! | `lower` | from the graph to steps |
//! | `plan` | a program as three-address code, for the CPU backend |
//! | [`program`], [`lane`] | the machine: its steps, and what they make of one element |
#![forbid(unsafe_code)]

mod c;
pub(crate) mod cache;
mod complex;
mod complex_functions;
pub(crate) mod fold;
mod functions;
mod graph;
pub(crate) mod half;
pub mod lane;
pub(crate) mod layout;
mod lexer;
mod lower;
mod matlab;
mod names;
mod narrow;
mod parser;
pub(crate) mod plan;
pub mod program;
mod typing;

use crate::error::{Error, Result};
use crate::model::dtype::Dtype;
use crate::model::numbered::{NumberedEnum, numbered_enum};

use program::Program;
use typing::{Typing, Value};

pub use layout::Layout;

/// How an expression gets the types of its operations.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// The usual arithmetic conversions; integers wrap.
    #[default]
    C = 0,
    /// Class double unless a single or an integer takes part; integers saturate.
    Matlab = 1,
}

numbered_enum!(Rules = "gpumex_rules": C, Matlab);

/// What the meaning of an expression depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub text: String,
    /// Names of inputs, between blanks or commas; None: a, b, c and so on.
    pub names: Option<String>,
    /// Of the inputs.
    pub dtypes: Vec<Dtype>,
    pub rules: Rules,
    /// Whether inputs have neighbours: rows and columns.
    pub has_neighbours: bool,
}

impl Source {
    /// The dtype that the rules give the result.
    pub fn natural_dtype(&self) -> Result<Dtype> {
        self.with_typing(|_, value, _| Ok(value.dtype))
    }

    /// The program whose result has a dtype.
    pub fn compile(&self, dtype: Dtype) -> Result<Program> {
        if self.has_neighbours && dtype.is_complex() {
            return Err(Error::unsupported(format!(
                "options.dtype is {}; the neighbours of complex numbers are not served",
                dtype.c_name()
            )));
        }
        self.with_typing(|typing, value, taps| {
            let value = if value.dtype == dtype { value } else { complex::converted(typing, dtype, value)? };
            let ty = program::Type::of(dtype);
            let graph = typing.graph();
            let root = graph.convert(ty, value.id);
            let mut program = match value.im {
                None => lower::lower(graph, root, dtype)?,
                Some(im) => {
                    let im = graph.convert(ty, im);
                    lower::lower_pair(graph, [root, im], dtype)?
                }
            };
            if value.im.is_none() {
                program.in_bytes = narrow::in_bytes(graph, root, dtype, taps).map(Box::new);
            }
            program.taps = taps.to_vec();
            program.planes = self.planes()?;
            Ok(program)
        })
    }

    /// The inputs that have an imaginary part, which is a further input of the program.
    fn planes(&self) -> Result<Vec<usize>> {
        let planes: Vec<usize> =
            (0..self.dtypes.len()).filter(|&input| self.dtypes[input].is_complex()).collect();
        if let (true, Some(input)) = (self.has_neighbours, planes.first()) {
            return Err(Error::unsupported(format!(
                "options.dtypes[{input}] is {}; the neighbours of complex numbers are not served",
                self.dtypes[*input].c_name()
            )));
        }
        let (inputs, complex) = (self.dtypes.len(), planes.len());
        match inputs + complex > program::MAX_INPUTS {
            true => Err(Error::unsupported(format!(
                "there are {inputs} inputs, {complex} of them complex, which count twice; an expression has at most {}",
                program::MAX_INPUTS
            ))),
            false => Ok(planes),
        }
    }

    fn with_typing<T>(
        &self,
        then: impl FnOnce(&mut dyn Typing, Value, &[program::Tap]) -> Result<T>,
    ) -> Result<T> {
        if let Some(index) = self.dtypes.iter().position(|&dtype| dtype == Dtype::None) {
            return Err(Error::invalid(format!(
                "options.dtypes[{index}] is GPUMEX_DTYPE_NONE: the dtype is not set"
            )));
        }
        let names = names::names(self.names.as_deref(), self.dtypes.len())?;
        let tree = parser::parse(&self.text, &names, self.has_neighbours)?;
        let mut typing: Box<dyn Typing> = match self.rules {
            Rules::C => Box::<c::C>::default(),
            Rules::Matlab => Box::<matlab::Matlab>::default(),
        };
        let value = typing::typed(&tree, &self.dtypes, &self.planes()?, &mut *typing)?;
        then(&mut *typing, value, &tree.taps)
    }
}

/// The bits of an element as a literal of the type in which its dtype is computed.
pub(crate) fn literal_of(dtype: Dtype, bits: u64) -> u64 {
    let of = |number: i64| fold::convert(program::Type::I64, program::Type::of(dtype), number as u64);
    match dtype {
        Dtype::Bool => (bits != 0).into(),
        Dtype::I8 => of((bits as i8).into()),
        Dtype::I16 => of((bits as i16).into()),
        Dtype::F16 => half::from_f16(bits as u16).to_bits().into(),
        Dtype::Bf16 => half::from_bf16(bits as u16).to_bits().into(),
        _ => bits,
    }
}
