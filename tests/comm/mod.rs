//! Operations on parts: ranks are threads of this process, or talk through callbacks, and give the bits of one rank.

mod faults;
mod group;
mod life;
mod matmul;
mod sort;
mod transport;
mod vectors;
mod words;

pub use life::ROLES;
