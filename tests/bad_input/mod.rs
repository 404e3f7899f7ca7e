//! Bad input: every operation answers every bad argument with a status and a sentence that names the operation, the value and the
//! rule; it writes nothing, and a good call afterwards works. Empty input that means something works.

mod add;
mod dot;
mod fill;
mod histogram;
mod life;
mod matmul;
mod options;
mod random;
mod raytrace;
mod table;
