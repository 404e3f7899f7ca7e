//! Memory of the library and of others: allocators, copies, arrays at any place as arguments of every operation, and wrong use, which
//! gets a status.

mod allocators;
mod any_place;
mod arguments;
mod arrays;
mod between_contexts;
mod copy;
mod custom;
mod devices;
mod malloc;
mod operations;
mod prefetch;
mod streams;
mod wrong_use;
