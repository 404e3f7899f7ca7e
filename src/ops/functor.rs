//! Expressions of two variables as operators.
#![forbid(unsafe_code)]

use std::sync::Arc;

use super::dtypes::check_operator;
use crate::array::{DynViewMut, Input};
use crate::context::{Context, Engine};
use crate::error::{Error, Result};
use crate::model::dtype::Dtype;
use crate::model::expression::program::Program;
use crate::model::expression::{Rules, Source};
use crate::model::numbered::NumberedEnum;
use crate::model::operator::Operator;
use crate::model::order::SortOrder;

/// What joins two elements.
#[derive(Clone, Debug)]
pub enum Joining {
    Operator(Operator),
    /// The program of an expression.
    Program(Arc<Program>),
}

impl Joining {
    /// The expression, of variables of a dtype, or without one the operator, which elements of `dtype` have.
    pub fn new(
        ctx: &mut Context,
        expression: Option<&str>,
        op: Operator,
        (dtype, accumulator): (Dtype, Dtype),
    ) -> Result<Joining> {
        match expression {
            None => {
                let op = op.or(Operator::Sum);
                check_operator("op", op, dtype)?;
                Ok(Joining::Operator(op))
            }
            Some(text) if op == Operator::Default => {
                Ok(Joining::Program(program(ctx, text, accumulator, accumulator)?))
            }
            Some(_) => Err(Error::invalid(format!(
                "options.op is {} beside options.expression; it has to be GPUMEX_OPERATOR_DEFAULT",
                op.c_name()
            ))),
        }
    }

    /// Refuses an expression without an identity where there is a result of nothing.
    pub fn needs_identity(&self, identity: Option<u64>, of_what: &str) -> Result<()> {
        match (self, identity) {
            (Joining::Program(_), None) => Err(Error::invalid(format!(
                "options.identity is NULL; an expression has no identity, and it is the result {of_what}"
            ))),
            _ => Ok(()),
        }
    }
}

/// The program of an expression of a and b, of one dtype.
fn program(ctx: &mut Context, text: &str, dtype: Dtype, result: Dtype) -> Result<Arc<Program>> {
    let (text, dtypes) = (text.to_string(), vec![dtype; 2]);
    let source = Source { text, names: None, dtypes, rules: Rules::C, has_neighbours: false };
    ctx.programs().get(&source, result)
}

/// The program of an expression that says whether key a precedes key b, of a dtype, where there is one in the place of an order.
pub fn comparison(
    ctx: &mut Context,
    expression: Option<&str>,
    order: SortOrder,
    dtype: Dtype,
) -> Result<Option<Arc<Program>>> {
    match expression {
        Some(_) if order != SortOrder::Ascending => Err(Error::invalid(format!(
            "options.order is {} beside options.expression; it has to be GPUMEX_SORT_ORDER_ASCENDING",
            order.c_name()
        ))),
        Some(text) => program(ctx, text, dtype, Dtype::Bool).map(Some),
        None => Ok(None),
    }
}

/// Refuses what complex numbers do not have: expressions, and an identity of the caller's.
pub fn check_plain(dtype: Dtype, expression: Option<&str>, identity: &Option<Input>) -> Result<()> {
    let field = match (expression, identity) {
        (Some(_), _) => "expression",
        (None, Some(_)) => "identity",
        (None, None) => return Ok(()),
    };
    Err(Error::unsupported(format!(
        "options.{field} is not NULL and options.dtype {}; complex numbers have operators and their identities alone",
        dtype.c_name()
    )))
}

/// array\[0\] ← the element of these bits, where there are any and the array is not empty.
pub(super) fn write_first(engine: &Engine, array: DynViewMut, bits: Option<u64>) -> Result<()> {
    match bits {
        Some(bits) if !array.is_empty() => super::fill::fill_bits(engine, array.first(1), bits),
        _ => Ok(()),
    }
}
