# gpumex: `make demo` shows it, `make test` checks it, `make help` lists the rest.
#
# The library is built by cargo, in the release profile. Make fetches what is missing (CUDA's compiler, Octave), builds the C
# examples and the MEX gateways, and runs side by side what does not wait for each other.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS   += --jobs=$(shell nproc)
ifneq ($(words $(MAKECMDGOALS)),1)
.NOTPARALLEL: # make clean build
endif
.PHONY: help demo test check fuzz fuzz-parsers soak models miri thread-sanitizer instruction-sets coverage supply campaign view build examples mex mpi \
        bundle install install-strip uninstall octave-package matlab-package dist dist-check docs header abi modules toolkit octave test-tools tools \
        clean distclean

CARGO    := MAKEFLAGS= cargo# which has jobs of its own
LIB      := target/release/libgpumex.so
PRIVATE  := matlab/private
EXAMPLES := $(patsubst %.c,target/%,$(wildcard c_examples/*.c)) $(if $(shell command -v $(CXX)),$(patsubst %.cpp,target/%,$(wildcard cpp_examples/*.cpp)))
CFLAGS   ?= -O2
TIME     ?= 60# seconds of make fuzz (a tenth of it more for settings), soak, thread-sanitizer and each target of fuzz-parsers
BACKEND  ?= cpu# of make soak
SCHEDULES ?= 100000# of make models
SOAK     := -std=gnu11 -O2 -g -Wall -Wextra -pthread# tests/c_abi/soak.c
MODELS   := cd tests/models && CARGO_TARGET_DIR=$(CURDIR)/target/models $(CARGO)
WARNINGS := -std=c99 -pedantic -Wall -Wextra
LDPATH   := '-Wl,-rpath,$$ORIGIN/../release:$$ORIGIN/../lib'   # here, and in the bundle
OCTAVE   := octave-cli -q --no-history

help: ## this list
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1|\2/p' $(firstword $(MAKEFILE_LIST)) | awk -F'|' '{printf "%-22s %s\n", $$1, $$2}'
	@echo '  GPUMEX_CUDA=auto|on|off  with kernels?   GPUMEX_CUDA_ARCHS=native|all|80,90a  for which GPUs?   NVCC=…  your own compiler'

demo: toolkit octave examples mex ## set up what is missing, build, run the MATLAB example and the C examples
	@scripts/demo

test: octave test-tools build ## the same set-up, then every check and test
	$(CARGO) fmt --all --check
	$(CARGO) clippy --release --all-targets -- -D warnings
	$(CARGO) clippy --release --package gpumex-fuzz -- -D warnings
	$(MODELS) clippy --test models -- -D warnings
	$(MODELS) test --quiet
	@MAKEFLAGS= $(REQUIRED) scripts/test

check: toolkit ## the inner loop: formatting, clippy, and the tests of what has changed
	@MAKEFLAGS= scripts/check

fuzz: build ## random calls of every function of the header for TIME=60 seconds; findings as C programs in target/fuzz/
	$(CARGO) build --release --package gpumex-fuzz
	target/release/fuzz --settings --time $$(($(TIME) / 10 + 1)) $(if $(SEED),--seed $(SEED)) $(LIB)
	target/release/fuzz --time $(TIME) --out target/fuzz $(if $(SEED),--seed $(SEED)) $(LIB)

soak: build ## 64 threads in every part of the library at once, for TIME=60 seconds, on BACKEND=cpu or cuda
	@mkdir -p target/soak
	$(CC) $(SOAK) -Iinclude tests/c_abi/soak.c -o target/soak/soak -ldl
	target/soak/soak --library $(LIB) --backend $(BACKEND) --time $(TIME) $(if $(SEED),--seed $(SEED))

models: export GPUMEX_MODEL_SCHEDULES := $(SCHEDULES)
models: ## the models of what threads share, on SCHEDULES=100000 schedules each, and that they see a protocol that is broken
	$(MODELS) test
	GPUMEX_MODEL_SCHEDULES=1000 tests/models/mutations

miri: ## the models under Miri; needs a nightly toolchain with miri and rust-src
	@scripts/miri

thread-sanitizer: ## ThreadSanitizer on the unit tests, some operations, and TIME=60 seconds of soak; needs a nightly toolchain
	@scripts/thread-sanitizer $(TIME)

fuzz-parsers: ## libFuzzer on patterns, rules, formats, settings and words, TIME=60 seconds each; GPUMEX_SANITIZER=address with nightly
	@MAKEFLAGS= scripts/fuzz-parsers $(TIME) $(TARGETS)

instruction-sets: toolkit ## the tests of the operations as on CPUs without AVX, with AVX2 and with AVX-512
	@MAKEFLAGS= scripts/instruction-sets

coverage: toolkit ## lines of src/ that the tests run, target/coverage/lines; needs LLVM's tools from rustup
	@MAKEFLAGS= scripts/coverage

campaign: ## what docs/reliability.md reports of a machine without a GPU, in turn; goes on after a failure, and names it
	@failed=; for part in fuzz fuzz-parsers soak models miri thread-sanitizer instruction-sets coverage supply; do \
	    $(MAKE) --no-print-directory $$part TIME=$(TIME) || failed="$$failed $$part"; \
	done; [ -z "$$failed" ] || { echo "make campaign: failed:$$failed" >&2; exit 1; }

supply: ## licences, known vulnerabilities and origins of all crates (deny.toml); needs cargo-deny and the network
	@command -v cargo-deny >/dev/null || { echo 'make supply: cargo install --locked cargo-deny'; exit 1; }
	$(CARGO) deny --workspace check

view: ## show the pictures that `make demo` saved
	@scripts/view

build: toolkit ## the library, target/release/libgpumex.so, and what the C examples draw with
	@echo '== Library: cargo build'
	$(CARGO) build --release
	@ln -sf libgpumex.so target/release/libgpumex.so.0.2 # the soname, which programs look for at run time

examples: $(EXAMPLES) ## the C and C++ examples, target/c_examples/ and target/cpp_examples/

mex: octave build ## the MEX gateways for Octave, matlab/private/
	@if command -v mkoctfile >/dev/null; then \
	    echo '== MEX gateways: mkoctfile'; \
	    GPUMEX_LIB=$(CURDIR)/$(LIB) $(OCTAVE) --eval "addpath matlab; build_gpumex"; \
	fi # without Octave there is nothing to build, and scripts/setup-octave has said so

mpi: build ## libgpumex_openmpi.so and libgpumex_mpich.so, by which Python reaches MPI, target/release/; MPICC= for another mpicc
	@packaging/mpi/build include $(LIB) target/release $(MPICC)

bundle: export GPUMEX_CUDA_ARCHS := $(or $(GPUMEX_CUDA_ARCHS),sm_90a)
bundle: toolkit octave examples mex ## target/bundle/: what a machine with a GPU and no compiler needs to run the checks
	@scripts/bundle

install: ## what is built, or else built now, to PREFIX=/usr/local; DESTDIR=, LIBDIR= and the like as in GNU programs
	@test -e $(LIB) -a -e $(LIB:.so=.a) || $(MAKE) build
	@packaging/install $(STRIPPING)

install-strip: STRIPPING = --strip
install-strip: install ## the same, stripped

uninstall: ## remove what `make install` has installed there
	@packaging/uninstall

octave-package: octave build ## target/packages/gpumex-*.tar.gz for `pkg install`: one that compiles its MEX file, one that is built
	@packaging/octave/build

matlab-package: test-tools build ## target/packages/gpumex-matlab-*.zip: a toolbox for MATLAB
	@packaging/matlab/build

dist: test-tools ## archives to hand out, target/dist/: x86-64 and aarch64, GPUMEX_CUDA_ARCHS=all, glibc 2.28
	@MAKEFLAGS= packaging/dist

dist-check: test-tools ## the long checks of what `make dist` makes: twice the same, empty systems, cargo-c, aarch64; as root
	@MAKEFLAGS= packaging/dist-check

docs: tools ## the documentation site, target/docs/index.html
	@scripts/setup-docs
	@scripts/build-docs target/docs
	@echo '== Documentation: target/docs/index.html'

header: ## complete cbindgen.toml, write include/gpumex.h and docs/abi from src/ffi
	GPUMEX_WRITE_HEADER=1 $(CARGO) test --release --test project lists_header_and_abi

abi: ## write src/gpu/runtime/kernels.rs from kernels/kernels.h
	@mkdir -p target
	@MAKEFLAGS= rustc --edition 2024 -o target/kernel_abi tests/kernel_abi/main.rs
	@target/kernel_abi

modules: ## add new source files of operations to the lists of modules
	@scripts/modules

toolkit: tools ## CUDA's compiler, in .toolkit/
	@scripts/setup-cuda

octave: tools ## GNU Octave, through apt when you are root
	@scripts/setup-octave

test-tools: octave ## what only the tests use, in .toolkit/
	@scripts/setup-tests

clean: ## remove what was built
	rm -rf target $(PRIVATE)/*.mex* $(PRIVATE)/*.so $(PRIVATE)/*.so.*

distclean: clean ## remove CUDA's compiler as well
	rm -rf .toolkit

tools:
	@scripts/check-tools $(if $(filter test,$(MAKECMDGOALS)),--test)

# What is here must not be skipped by a test.
REQUIRED = $(if $(shell command -v mkoctfile),GPUMEX_REQUIRE_OCTAVE=1) \
           $(if $(shell scripts/cuda-compiler 2>/dev/null),GPUMEX_REQUIRE_NVCC=1) \
           $(if $(shell ls -d .toolkit/python 2>/dev/null),GPUMEX_REQUIRE_PYCPARSER=1) \
           $(if $(shell ls -d .toolkit/docs 2>/dev/null),GPUMEX_REQUIRE_SPHINX=1)

target/cpp_examples/%: cpp_examples/%.cpp include/gpumex.hpp $(wildcard include/gpumex/*.hpp) include/gpumex.h | build
	@mkdir -p $(@D)
	$(CXX) -std=c++20 -Wall -Wextra $(CFLAGS) $< -o $@ -Iinclude -Ltarget/release -lgpumex -pthread $(LDPATH)

# An example takes of the pictures what it calls.
target/c_examples/%: c_examples/%.c $(wildcard c_examples/*.h) include/gpumex.h | build
	@mkdir -p $(@D)
	$(CC) $(WARNINGS) $(CFLAGS) $< -o $@ -Iinclude -Ltarget/release -lgpumex -lpictures -lpthread -ldl -lm $(LDPATH) \
	    -s -Wl,--gc-sections
