//! What stands around the library: its header and exports, C programs and examples, MATLAB and Octave, the code that nvcc makes
//! of the kernels, the layers of the modules, the notices. Reads the source tree and runs compilers, Octave, Python and cargo.

mod common;

mod c_abi;
mod c_examples;
mod cpp;
mod docs_site;
mod exports;
mod header;
mod kernel_abi;
mod kernel_archs;
mod layers;
mod loadlibrary;
mod memory_paths;
mod misuse;
mod modules;
mod mpackages;
mod mpi;
mod mpi_library;
mod octave;
mod packages;
mod prim;
mod rust_api;
mod third_party;
