//! One instruction on a block: a loop that the compiler turns into SIMD for the best instruction set of the machine (pulp).
#![forbid(unsafe_code)]

use pulp::Arch;

use super::pool::{Pooled, Pools, dispatch_type};
use crate::model::expression::fold::{elementary, elementary2};
use crate::model::expression::lane::{Float, Int, Lane};
use crate::model::expression::plan::{Instruction, Source};
use crate::model::expression::program::{Op, Type};

/// The lanes `first .. first + len` that a thread works on.
#[derive(Clone, Copy)]
pub struct Span {
    pub arch: Arch,
    pub first: usize,
    pub len: usize,
}

/// What an instruction works on.
struct Work<'w, 'a> {
    span: Span,
    instruction: &'w Instruction,
    pools: &'w mut Pools<'a>,
    words: &'w [u64],
    /// Whether it writes the result itself.
    is_direct: bool,
}

/// Executes an instruction.
pub fn execute(span: Span, instruction: &Instruction, pools: &mut Pools, words: &[u64], is_direct: bool) {
    let mut work = Work { span, instruction, pools, words, is_direct };
    match (instruction.step.op, instruction.step.ty) {
        (Op::Convert, ty) => dispatch_type!(ty, convert(&mut work)),
        (_, Type::U8) => of_bytes(&mut work),
        (Op::Select, ty) => dispatch_type!(ty, select_by_i32(&mut work)),
        (_, Type::I32) => int::<i32>(&mut work),
        (_, Type::I64) => int::<i64>(&mut work),
        (_, Type::U64) => int::<u64>(&mut work),
        (_, Type::F32) => float::<f32>(&mut work),
        (_, Type::F64) => float::<f64>(&mut work),
    }
}

impl Work<'_, '_> {
    /// Runs `body` with the lanes of the result taken out of their pool.
    fn write<R: Pooled>(&mut self, body: impl FnOnce(&Pools, &mut [R])) {
        let Span { first, len, .. } = self.span;
        let pool = R::pool_mut(self.pools);
        if self.is_direct {
            let Some(result) = pool.result.take() else { return };
            body(self.pools, &mut result[first..first + len]);
            R::pool_mut(self.pools).result = Some(result);
        } else {
            let mut block = std::mem::take(&mut pool.blocks[self.instruction.to]);
            body(self.pools, &mut block[..len]);
            R::pool_mut(self.pools).blocks[self.instruction.to] = block;
        }
    }

    fn unary<T: Pooled, R: Pooled>(&mut self, function: impl Fn(T) -> R) {
        let (Span { arch, first, len }, x) = (self.span, self.instruction.x);
        self.write(|pools, to| {
            let x = T::pool(pools).lanes(x, first, len);
            arch.dispatch(
                #[inline(always)]
                || to.iter_mut().zip(x).for_each(|(to, &x)| *to = function(x)),
            );
        });
    }

    fn binary<T: Pooled, R: Pooled>(&mut self, function: impl Fn(T, T) -> R) {
        let (Span { arch, first, len }, Instruction { x, y, .. }) = (self.span, *self.instruction);
        self.write(|pools, to| {
            let (x, y) = (T::pool(pools).lanes(x, first, len), T::pool(pools).lanes(y, first, len));
            arch.dispatch(
                #[inline(always)]
                || to.iter_mut().zip(x).zip(y).for_each(|((to, &x), &y)| *to = function(x, y)),
            );
        });
    }

    /// A function that is called for each lane.
    fn called<T: Pooled>(&mut self, function: fn(T) -> T) {
        let (Span { first, len, .. }, x) = (self.span, self.instruction.x);
        self.write(|pools, to: &mut [T]| {
            let x = T::pool(pools).lanes(x, first, len);
            to.iter_mut().zip(x).for_each(|(to, &x)| *to = function(x));
        });
    }

    fn called2<T: Pooled>(&mut self, function: fn(T, T) -> T) {
        let (Span { first, len, .. }, Instruction { x, y, .. }) = (self.span, *self.instruction);
        self.write(|pools, to: &mut [T]| {
            let (x, y) = (T::pool(pools).lanes(x, first, len), T::pool(pools).lanes(y, first, len));
            to.iter_mut().zip(x).zip(y).for_each(|((to, &x), &y)| *to = function(x, y));
        });
    }
}

fn convert<T: Pooled>(work: &mut Work) {
    match work.instruction.result_type() {
        Type::I32 => work.unary(T::to_i32),
        Type::I64 => work.unary(T::to_i64),
        Type::U64 => work.unary(T::to_u64),
        Type::F32 => work.unary(T::to_f32),
        Type::F64 => work.unary(T::to_f64),
        Type::U8 => unreachable!("no step converts to bytes"),
    }
}

fn select_by_i32<T: Pooled>(work: &mut Work) {
    select::<T, i32>(work);
}

fn select<T: Pooled, C: Pooled>(work: &mut Work) {
    let Span { arch, first, len } = work.span;
    let Instruction { x, y, condition, .. } = *work.instruction;
    work.write(|pools, to: &mut [T]| {
        let (x, y) = (T::pool(pools).lanes(x, first, len), T::pool(pools).lanes(y, first, len));
        let condition = C::pool(pools).lanes(condition, first, len);
        arch.dispatch(
            #[inline(always)]
            || {
                for (((to, &x), &y), &condition) in to.iter_mut().zip(x).zip(y).zip(condition) {
                    *to = if condition != C::default() { x } else { y };
                }
            },
        );
    });
}

/// Tests are bytes as well.
fn of_bytes(work: &mut Work) {
    match work.instruction.step.op {
        Op::Select => select::<u8, u8>(work),
        Op::Not => work.unary(|x: u8| u8::from(x == 0)),
        Op::Test => work.unary(|x: u8| u8::from(x != 0)),
        Op::Eq => work.binary(|x: u8, y: u8| u8::from(x == y)),
        Op::Ne => work.binary(|x: u8, y: u8| u8::from(x != y)),
        Op::Lt => work.binary(|x: u8, y: u8| u8::from(x < y)),
        Op::Le => work.binary(|x: u8, y: u8| u8::from(x <= y)),
        _ => int::<u8>(work),
    }
}

fn int<T: Pooled + Int>(work: &mut Work) {
    let step = work.instruction.step;
    match step.op {
        Op::Wrap => work.unary(|x: T| x.wrap(step.index, step.other != 0)),
        Op::Clamp => {
            let [low, high] =
                [step.index, step.other].map(|index| T::from_word(work.words[usize::from(index)]));
            work.unary(|x: T| x.max(low).min(high));
        }
        Op::Negs => work.unary(T::negs),
        Op::Abss => work.unary(T::abss),
        Op::Bitnot => work.unary(T::bitnot),
        Op::Adds => work.binary(T::adds),
        Op::Subs => work.binary(T::subs),
        Op::Muls => work.binary(T::muls),
        Op::Divs => work.called2(T::divs),
        Op::Div => work.called2(T::div),
        Op::Rem => work.called2(T::rem),
        Op::Mod => work.called2(T::modulo),
        Op::Bitand => work.binary(T::bitand),
        Op::Bitor => work.binary(T::bitor),
        Op::Bitxor => work.binary(T::bitxor),
        Op::Shl => work.binary(T::shl),
        Op::Shr => work.binary(T::shr),
        _ => of_all::<T>(work),
    }
}

fn float<T: Pooled + Float>(work: &mut Work) {
    match work.instruction.step.op {
        Op::Isnan => work.unary(|x: T| i32::from(x.is_nan())),
        Op::Isinf => work.unary(|x: T| i32::from(x.is_infinite())),
        Op::Isfinite => work.unary(|x: T| i32::from(x.is_finite())),
        Op::Floor => work.unary(T::floor),
        Op::Ceil => work.unary(T::ceil),
        Op::Round => work.unary(T::round),
        Op::Trunc => work.unary(T::trunc),
        Op::Sqrt => work.unary(T::sqrt),
        Op::Div => work.binary(T::div),
        op => match (elementary::<T>(op), elementary2::<T>(op)) {
            (Some(function), _) => work.called(function),
            (_, Some(function)) => work.called2(function),
            _ => of_all::<T>(work),
        },
    }
}

fn of_all<T: Pooled>(work: &mut Work) {
    match work.instruction.step.op {
        Op::Neg => work.unary(T::neg),
        Op::Abs => work.unary(T::abs),
        Op::Sign => work.unary(T::sign),
        Op::Not => work.unary(|x: T| i32::from(x == T::default())),
        Op::Test => work.unary(|x: T| i32::from(x != T::default())),
        Op::Add => work.binary(T::add),
        Op::Sub => work.binary(T::sub),
        Op::Mul => work.binary(T::mul),
        Op::Min => work.binary(T::least),
        Op::Max => work.binary(T::greatest),
        Op::Eq => work.binary(|x: T, y: T| i32::from(x == y)),
        Op::Ne => work.binary(|x: T, y: T| i32::from(x != y)),
        Op::Lt => work.binary(|x: T, y: T| i32::from(x < y)),
        Op::Le => work.binary(|x: T, y: T| i32::from(x <= y)),
        op => unreachable!("{op:?} is no step of {:?}", T::TYPE),
    }
}

/// Where an operand is, for a caller that reads it after all instructions.
pub fn lanes<'p, T: Lane + Pooled>(pools: &'p Pools, source: Source, span: Span) -> &'p [T] {
    T::pool(pools).lanes(source, span.first, span.len)
}
