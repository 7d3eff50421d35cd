# Thin front for CMake: `make help` lists the targets.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
TSAN = setarch --addr-no-randomize
SOURCES = $(shell find src apps bench test -name '*.h' -o -name '*.cpp')

.DEFAULT_GOAL := build
.PHONY: help setup setup-dev build demo test test-asan test-tsan test-long bench format \
        check-format lint install clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## install the Debian packages that are missing
	@tools/setup.sh

setup-dev:
	@tools/setup.sh --dev

build: ## build the program at build/grouser (release)
	@test -f build/build.ninja || cmake --preset release
	cmake --build --preset release -j $(JOBS)

demo: setup build ## install, build, run the default scene
	build/grouser run -o runs/demo
	@echo 'The run is in runs/demo; tables of it: build/grouser export csv runs/demo'

test: setup build ## install, build, run the tests and the layer check
	ctest --preset release -j $(JOBS)

test-asan: ## the tests with address and undefined-behaviour sanitizers
	@test -f build-asan/build.ninja || cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan

# Without address randomisation: newer kernels randomise more than GCC 12's sanitizer bears.
test-tsan: ## the tests with the thread sanitizer
	@test -f build-tsan/build.ninja || cmake --preset tsan
	$(TSAN) cmake --build --preset tsan -j $(JOBS)
	$(TSAN) ctest --preset tsan

test-long: build ## the tests that take minutes
	ctest --preset release -C Long -L long

bench: build ## measure the speeds we hold ourselves to
	build/grouser bench

format: setup-dev ## format all sources
	clang-format-14 -i $(SOURCES)

check-format: setup-dev ## fail if a source is not formatted
	clang-format-14 --dry-run --Werror $(SOURCES)

# In a folder without precompiled headers, which are GCC's and not for clang to read.
lint: setup-dev ## clang-tidy over the sources (not the tests)
	@cmake --preset release -B build-lint -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON > /dev/null
	run-clang-tidy-14 -quiet -p build-lint -j $(JOBS) '/(src|apps|bench)/.*\.cpp$$'

install: build ## install under PREFIX (default /usr/local)
	cmake --install build --prefix $(PREFIX)

clean: ## remove all build folders
	rm -rf build build-dev build-asan build-tsan
