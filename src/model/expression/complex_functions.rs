//! The arithmetic and the elementary functions of complex numbers, as nodes of real ones.
#![forbid(unsafe_code)]

use super::graph::{Graph, Id};
use super::program::{Op, Type};

/// The real and the imaginary part.
pub type Parts = [Id; 2];

/// A number whose imaginary part may be missing: a real one, by which parts are scaled one by one.
type Number = (Id, Option<Id>);

/// A graph in which nodes of a floating-point type are made.
pub struct Floats<'g> {
    graph: &'g mut Graph,
    ty: Type,
}

impl Graph {
    pub fn of_type(&mut self, ty: Type) -> Floats<'_> {
        Floats { graph: self, ty }
    }
}

/// Whole exponents that are products.
const MOST_FACTORS: f64 = 32.0;

impl Floats<'_> {
    pub fn number(&mut self, value: f64) -> Id {
        let id = self.graph.double(value);
        self.graph.convert(self.ty, id)
    }

    pub fn op1(&mut self, op: Op, x: Id) -> Id {
        self.graph.unary(op, x)
    }

    pub fn op2(&mut self, op: Op, x: Id, y: Id) -> Id {
        self.graph.binary(op, x, y)
    }

    fn add(&mut self, x: Id, y: Id) -> Id {
        self.op2(Op::Add, x, y)
    }

    fn sub(&mut self, x: Id, y: Id) -> Id {
        self.op2(Op::Sub, x, y)
    }

    fn mul(&mut self, x: Id, y: Id) -> Id {
        self.op2(Op::Mul, x, y)
    }

    fn div(&mut self, x: Id, y: Id) -> Id {
        self.op2(Op::Div, x, y)
    }

    fn neg(&mut self, x: Id) -> Id {
        self.op1(Op::Neg, x)
    }

    fn abs(&mut self, x: Id) -> Id {
        self.op1(Op::Abs, x)
    }

    fn times_number(&mut self, x: Id, factor: f64) -> Id {
        let factor = self.number(factor);
        self.mul(x, factor)
    }

    fn is_zero(&mut self, x: Id) -> Id {
        self.op1(Op::Not, x)
    }

    fn is_less(&mut self, x: Id, y: Id) -> Id {
        self.op2(Op::Lt, x, y)
    }

    fn select(&mut self, condition: Id, x: Id, y: Id) -> Id {
        self.graph.select(condition, x, y)
    }

    /// m·s of a positive m, and s where it is 0, however large m is.
    fn scaled(&mut self, m: Id, s: Id) -> Id {
        let (product, is_zero) = (self.mul(m, s), self.is_zero(s));
        self.select(is_zero, s, product)
    }

    fn whole(&mut self, (re, im): Number) -> Parts {
        let zero = self.number(0.0);
        [re, im.unwrap_or(zero)]
    }

    pub fn negate(&mut self, z: Parts) -> Parts {
        z.map(|part| self.neg(part))
    }

    pub fn plus(&mut self, (a, b): Number, (c, d): Number) -> Parts {
        let im = match (b, d) {
            (Some(b), Some(d)) => self.add(b, d),
            (Some(im), None) | (None, Some(im)) => im,
            (None, None) => self.number(0.0),
        };
        [self.add(a, c), im]
    }

    pub fn minus(&mut self, (a, b): Number, (c, d): Number) -> Parts {
        let im = match (b, d) {
            (Some(b), Some(d)) => self.sub(b, d),
            (Some(b), None) => b,
            (None, Some(d)) => self.neg(d),
            (None, None) => self.number(0.0),
        };
        [self.sub(a, c), im]
    }

    pub fn times(&mut self, (a, b): Number, (c, d): Number) -> Parts {
        let re = self.mul(a, c);
        match (b, d) {
            (Some(b), Some(d)) => {
                let (bd, ad, bc) = (self.mul(b, d), self.mul(a, d), self.mul(b, c));
                [self.sub(re, bd), self.add(ad, bc)]
            }
            (Some(b), None) => [re, self.mul(b, c)],
            (None, Some(d)) => [re, self.mul(a, d)],
            (None, None) => [re, self.number(0.0)],
        }
    }

    /// Smith's quotient (a + bi) / (c + di) = (a·s + b·t + (b·s − a·t)i) / (c·s + d·t), (s, t) = (1, d/c) or, where |c| < |d|, (c/d, 1):
    /// squares neither overflow nor vanish. A real number has an imaginary part of +0, which decides the sign of parts that are 0.
    pub fn divide(&mut self, (a, b): Number, (c, d): Number) -> Parts {
        let [a, b] = self.whole((a, b));
        let Some(d) = d else { return [self.div(a, c), self.div(b, c)] };
        let (of_c, of_d) = (self.abs(c), self.abs(d));
        let is_turned = self.is_less(of_c, of_d);
        let (large, small) = (self.select(is_turned, d, c), self.select(is_turned, c, d));
        let (ratio, is_null) = (self.div(small, large), self.is_zero(large));
        let ratio = self.select(is_null, large, ratio);
        let one = self.number(1.0);
        let (s, t) = (self.select(is_turned, ratio, one), self.select(is_turned, one, ratio));
        let mut terms = |x, y| [self.mul(x, s), self.mul(y, t)];
        let ([cs, dt], [a_s, bt], [bs, at]) = (terms(c, d), terms(a, b), terms(b, a));
        let divisor = self.add(cs, dt);
        let is_null = self.is_zero(divisor);
        let divisor = self.select(is_null, c, divisor); // with the sign of c
        let (re, im) = (self.add(a_s, bt), self.sub(bs, at));
        [self.div(re, divisor), self.div(im, divisor)]
    }

    /// z / |z|, and 0 of 0.
    pub fn sign(&mut self, z: Parts) -> Parts {
        let size = self.op2(Op::Hypot, z[0], z[1]);
        let is_null = self.is_zero(size);
        z.map(|part| {
            let unit = self.div(part, size);
            self.select(is_null, part, unit)
        })
    }

    /// m·e^(i·angle)
    fn polar(&mut self, m: Id, angle: Id) -> Parts {
        let (cos, sin) = (self.op1(Op::Cos, angle), self.op1(Op::Sin, angle));
        [self.mul(m, cos), self.scaled(m, sin)]
    }

    fn size_and_angle(&mut self, [re, im]: Parts) -> [Id; 2] {
        [self.op2(Op::Hypot, re, im), self.op2(Op::Atan2, im, re)]
    }

    /// Products for small whole numbers; |z|^w·e^(i·w·arg z) for real ones; else e^(w·log z), and 0^w = 0.
    pub fn power(&mut self, z: Number, (c, d): Number) -> Parts {
        let Some(d) = d else {
            if let Some(n) = self.graph.number(c).filter(|n| n.fract() == 0.0 && n.abs() <= MOST_FACTORS) {
                return self.product(z, n);
            }
            let z = self.whole(z);
            let [size, angle] = self.size_and_angle(z);
            let (size, angle) = (self.op2(Op::Pow, size, c), self.mul(c, angle));
            return self.polar(size, angle);
        };
        let z = self.whole(z);
        let [log, angle] = self.log(z);
        let (c_log, d_angle) = (self.mul(c, log), self.mul(d, angle));
        let (d_log, c_angle) = (self.mul(d, log), self.mul(c, angle));
        let (exponent, turned) = (self.sub(c_log, d_angle), self.add(d_log, c_angle));
        let size = self.op1(Op::Exp, exponent);
        let zero = self.number(0.0);
        let is_null = self.is_zero(size);
        let turned = self.select(is_null, zero, turned); // of 0 it is −∞
        self.polar(size, turned)
    }

    /// By squaring.
    fn product(&mut self, z: Number, n: f64) -> Parts {
        let (mut rest, mut square) = (n.abs() as u32, z);
        let mut all: Option<Number> = None;
        while rest > 0 {
            if rest % 2 == 1 {
                all = Some(match all {
                    None => square,
                    Some(all) => {
                        let [re, im] = self.times(all, square);
                        (re, Some(im))
                    }
                });
            }
            rest /= 2;
            if rest > 0 {
                let [re, im] = self.times(square, square);
                square = (re, Some(im));
            }
        }
        let one = (self.number(1.0), None);
        let all = all.unwrap_or(one);
        if n < 0.0 { self.divide(one, all) } else { self.whole(all) }
    }

    /// The elementary functions that there are.
    pub fn elementary(&mut self, op: Op, z: Parts) -> Option<Parts> {
        let [re, im] = z;
        Some(match op {
            Op::Sqrt => self.sqrt(z),
            Op::Exp => {
                let size = self.op1(Op::Exp, re);
                self.polar(size, im)
            }
            Op::Log => self.log(z),
            Op::Log2 => self.log(z).map(|part| self.times_number(part, std::f64::consts::LOG2_E)),
            Op::Log10 => self.log(z).map(|part| self.times_number(part, std::f64::consts::LOG10_E)),
            Op::Sinh => self.sinh(z),
            Op::Cosh => self.cosh(z),
            Op::Tanh => self.tanh(z),
            // Of w = y + i·x: sin z = i·conj (sinh w), cos z = conj (cosh w), tan z = i·conj (tanh w).
            Op::Sin => {
                let [p, q] = self.sinh([im, re]);
                [q, p]
            }
            Op::Cos => {
                let [p, q] = self.cosh([im, re]);
                [p, self.neg(q)]
            }
            Op::Tan => {
                let [p, q] = self.tanh([im, re]);
                [q, p]
            }
            _ => return None,
        })
    }

    fn sinh(&mut self, [x, y]: Parts) -> Parts {
        let (sinh, cosh) = (self.op1(Op::Sinh, x), self.op1(Op::Cosh, x));
        let (cos, sin) = (self.op1(Op::Cos, y), self.op1(Op::Sin, y));
        [self.mul(sinh, cos), self.scaled(cosh, sin)]
    }

    fn cosh(&mut self, [x, y]: Parts) -> Parts {
        let (sinh, cosh) = (self.op1(Op::Sinh, x), self.op1(Op::Cosh, x));
        let (cos, sin) = (self.op1(Op::Cos, y), self.op1(Op::Sin, y));
        let (im, sign, is_null) = (self.mul(sinh, sin), self.op1(Op::Sign, sinh), self.is_zero(sin));
        let zero = self.mul(sign, sin);
        [self.mul(cosh, cos), self.select(is_null, zero, im)]
    }

    /// Kahan's, of |x| no larger than a bound from which on the real part is ±1; the imaginary part vanishes as e^(−2·|x|).
    fn tanh(&mut self, [x, y]: Parts) -> Parts {
        let bound = self.number(if self.ty == Type::F32 { 12.0 } else { 24.0 });
        let (size, opposite) = (self.abs(x), self.neg(bound));
        let above = self.op2(Op::Max, x, opposite);
        let within = self.op2(Op::Min, above, bound);
        let (tan, sinh) = (self.op1(Op::Tan, y), self.op1(Op::Sinh, within));
        let (tan2, sinh2) = (self.mul(tan, tan), self.mul(sinh, sinh));
        let one = self.number(1.0);
        let (beta, cosh2) = (self.add(one, tan2), self.add(one, sinh2));
        let (cosh, product) = (self.op1(Op::Sqrt, cosh2), self.mul(beta, sinh2));
        let divisor = self.add(one, product);
        let beta_cosh = self.mul(beta, cosh);
        let re = self.mul(beta_cosh, sinh);
        let (re, im) = (self.div(re, divisor), self.div(tan, divisor));
        let of_within = self.abs(within);
        let rest = self.sub(of_within, size);
        let rest = self.add(rest, rest);
        let vanishing = self.op1(Op::Exp, rest);
        [re, self.mul(im, vanishing)]
    }

    /// The principal root: the real part is not negative, and the imaginary part has the sign of y.
    fn sqrt(&mut self, [x, y]: Parts) -> Parts {
        let (size, of_x, of_y) = (self.op2(Op::Hypot, x, y), self.abs(x), self.abs(y));
        let (half, half_x) = (self.times_number(size, 0.5), self.times_number(of_x, 0.5));
        let sum = self.add(half, half_x);
        let large = self.op1(Op::Sqrt, sum);
        let twice = self.add(large, large);
        let (small, is_long) = (self.div(of_y, twice), self.op1(Op::Isinf, y));
        let small = self.select(is_long, of_y, small);
        let is_null = self.is_zero(large);
        let small = self.select(is_null, of_y, small);
        let zero = self.number(0.0);
        let is_left = self.is_less(x, zero);
        let (re, im) = (self.select(is_left, small, large), self.select(is_left, large, small));
        let is_negative = self.has_sign(y);
        let opposite = self.neg(im);
        [re, self.select(is_negative, opposite, im)]
    }

    /// Whether a number is negative, or −0.
    fn has_sign(&mut self, x: Id) -> Id {
        let (one, zero) = (self.number(1.0), self.number(0.0));
        let inverse = self.div(one, x);
        let (is_negative, is_below) = (self.is_less(x, zero), self.is_less(inverse, zero));
        self.op2(Op::Bitor, is_negative, is_below)
    }

    /// log |z| + i·arg z, with log1p (|z|² − 1)/2 where |z| is near 1.
    fn log(&mut self, z: Parts) -> Parts {
        let [size, angle] = self.size_and_angle(z);
        let [re, im] = z.map(|part| self.abs(part));
        let (a, b) = (self.op2(Op::Max, re, im), self.op2(Op::Min, re, im));
        let one = self.number(1.0);
        let (below, above) = (self.sub(a, one), self.add(a, one));
        let (product, square) = (self.mul(below, above), self.mul(b, b));
        let excess = self.add(product, square);
        let near = self.op1(Op::Log1p, excess);
        let near = self.times_number(near, 0.5);
        let far = self.op1(Op::Log, size);
        let (half, two) = (self.number(0.5), self.number(2.0));
        let (is_large, is_small) = (self.is_less(half, size), self.is_less(size, two));
        let is_near = self.op2(Op::Bitand, is_large, is_small);
        [self.select(is_near, near, far), angle]
    }
}
