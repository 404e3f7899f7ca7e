//! Is linked with the archive of the kernels, which main.rs makes. kernels/kernels.h declares its functions, and src/gpu calls them.
#![no_std]
