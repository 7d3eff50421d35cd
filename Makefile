# Thin front for CMake: `make help` lists the targets.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
TSAN = setarch --addr-no-randomize
FUZZERS = $(addprefix fuzz-,mesh dem scene urdf)
SOURCES = $(shell find include src apps bindings lab test -name '*.h' -o -name '*.cpp')

.DEFAULT_GOAL := build
.PHONY: help setup setup-test setup-python setup-dev setup-fuzz build build-test python viewer demo test test-asan test-tsan test-long \
        fuzz $(FUZZERS) bench verify format check-format lint install clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## install the Debian packages that the program needs
	@tools/setup.sh

setup-test: ## also those of the tests, and the libraries that we compare ourselves with
	@tools/setup.sh --test

setup-python:
	@tools/setup.sh --python

setup-dev:
	@tools/setup.sh --dev

setup-fuzz:
	@tools/setup.sh --fuzz

build: ## build the program at build/grouser (release)
	@test -f build/build.ninja || cmake --preset release
	cmake --build --preset release -j $(JOBS) --target grouser

viewer: ## install Node.js if it is missing, build the program with the viewer's page
	@tools/setup.sh --viewer
	@cmake --preset release -D GROUSER_VIEWER=ON > /dev/null
	cmake --build --preset release -j $(JOBS) --target grouser

build-test: setup-test ## build the program and the tests
	@cmake --preset release -D GROUSER_TESTS=ON -D GROUSER_COMPARE=ON -D GROUSER_PYTHON=ON > /dev/null
	cmake --build --preset release -j $(JOBS)

python: setup-python ## build the package of Python in build/python
	@cmake --preset release -D GROUSER_PYTHON=ON | grep 'Package grouser'
	cmake --build --preset release -j $(JOBS) --target grouser_python
	@echo 'PYTHONPATH=build/python python3 -c "import grouser"; to keep: pip install --no-build-isolation . (docs/python.md)'

demo: setup build ## install, build, run the default scene, draw a picture of it
	build/grouser run -o runs/demo
	@build/grouser snapshot runs/demo --at 20 -o runs/demo/snapshot.png > /dev/null
	@echo 'The run is in runs/demo; a picture of it: runs/demo/snapshot.png,'
	@build/grouser export plots runs/demo > /dev/null
	@echo 'curves over time: runs/demo/plots/wheels.svg and motion.svg;'
	@build/grouser report runs/demo > /dev/null
	@echo 'all of it on one page: runs/demo/report.html; in the browser, moving: build/grouser view runs/demo;'
	@echo 'other instants: build/grouser snapshot runs/demo --at 10; tables: build/grouser export csv runs/demo'

test: build-test ## install, build, run the tests and the layer check
	ctest --preset release -j $(JOBS)

test-asan: setup-test ## the tests with address and undefined-behaviour sanitizers
	@test -f build-asan/build.ninja || cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS)

# Without address randomisation: newer kernels randomise more than GCC 12's sanitizer bears.
test-tsan: setup-test ## the tests with the thread sanitizer
	@test -f build-tsan/build.ninja || cmake --preset tsan
	$(TSAN) cmake --build --preset tsan -j $(JOBS)
	$(TSAN) ctest --preset tsan -j $(JOBS)

test-long: build-test ## the tests that take minutes
	ctest --preset release -C Long -L long -j $(JOBS)

# Each reader for FUZZ_SECONDS, beginning with the files the tests know, JOBS readers at a time. A finding is left in
# build-fuzz/<reader> and makes make fail once all readers are through.
FUZZ_SECONDS ?= 60
FUZZ_SEEDS_scene = scenes data/rovers test/data/malformed
FUZZ_SEEDS_urdf = test/data/malformed

fuzz: setup-fuzz ## feed the readers of meshes, DEMs, scenes and URDFs random files
	@test -f build-fuzz/build.ninja || cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS) --target fuzzers
	@$(MAKE) --no-print-directory --keep-going --output-sync -j $(JOBS) $(FUZZERS)

$(FUZZERS): fuzz-%:
	@mkdir -p build-fuzz/$*/corpus
	cd build-fuzz/$* && ../test/fuzz/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -timeout=60 -rss_limit_mb=4096 \
	  -max_len=65536 -print_final_stats=1 corpus $(wildcard $(addprefix $(CURDIR)/,$(FUZZ_SEEDS_$*)))

bench: setup-test ## measure the speeds we hold ourselves to, beside those of other libraries
	@cmake --preset release -D GROUSER_COMPARE=ON > /dev/null
	cmake --build --preset release -j $(JOBS) --target grouser
	build/grouser bench

format: setup-dev ## format all sources
	clang-format-14 -i $(SOURCES)

check-format: setup-dev ## fail if a source is not formatted
	clang-format-14 --dry-run --Werror $(SOURCES)

# In a folder without precompiled headers, which are GCC's and not for clang to read.
lint: setup-dev ## clang-tidy over the sources (not the tests)
	@cmake --preset release -B build-lint -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON -D GROUSER_VIEWER=OFF > /dev/null
	@cmake --build build-lint --target grouser_version generated/builtin_files.cpp generated/page_files.cpp > /dev/null
	run-clang-tidy-14 -quiet -p build-lint -j $(JOBS) '/(Unity/.*\.cxx|(src|apps|lab)/.*\.cpp)$$'

verify: ## all that must hold before a release, with a table of results and times; one to two hours
	@tools/verify.sh

install: build ## install program, libraries, headers, and Python's package if it is built, under PREFIX (default /usr/local)
	cmake --build --preset release -j $(JOBS) --target grouser_shared grouser_static \
	  $$(grep -q '^GROUSER_PYTHON:BOOL=ON' build/CMakeCache.txt && echo grouser_python)
	cmake --install build --prefix $(PREFIX)

clean: ## remove all build folders
	rm -rf build build-dev build-asan build-tsan build-fuzz build-lint build-verify
