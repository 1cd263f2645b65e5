# A thin face over the CMake presets of CMakePresets.json. `make help` lists what there is.
#
# `make demo` and `make test` need nothing but a Debian system: they install what is missing first.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
SECONDS ?= 60
PREFIX ?= /usr/local
export JOBS

CONFIGURE = scripts/require_cmake.sh && cmake --preset $(1) >/dev/null
BUILD = $(CONFIGURE) && cmake --build --preset $(1) -j $(JOBS)

.PHONY: all demo test check install debug asan tsan coverage fuzz peers bench papers rigid python bullet docs clean help

all: ## build the library and the tool: build/graze
	@$(call CONFIGURE,release) && cmake --build --preset product -j $(JOBS)

demo: ## install what is missing, build, run built-in scenes, write report/index.html
	@scripts/install_packages.sh base
	@scripts/configure_release.sh && cmake --build --preset release -j $(JOBS) --target graze_cli
	@scripts/demo.sh

test: ## install what is missing, build every variant and run every test
	@scripts/install_packages.sh base test docs python mpi viewer
	@scripts/test_everything.sh

check: ## the developer's loop: layers, release build, the tests that a change is most likely to break
	@scripts/check_layers.sh && scripts/configure_release.sh && cmake --build --preset release -j $(JOBS)
	@scripts/check_layers.sh --objects build/src/libgraze.a && ctest --preset check -j $(JOBS)

install: all ## install below PREFIX (default /usr/local; DESTDIR is honored)
	@cmake --install build --prefix $(PREFIX)

debug: ## gcc -O0 with assertions: build-debug/, all tests
	@$(call BUILD,debug) && ctest --preset debug -j $(JOBS)

asan: ## address and undefined behavior sanitizers: build-asan/, reduced tests
	@$(call BUILD,asan) && ctest --preset asan -j $(JOBS) && ctest --preset asan-leaks -j $(JOBS)

tsan: ## thread sanitizer (clang): build-tsan/, tests labeled threads
	@$(call BUILD,tsan) && scripts/without_address_randomization.sh ctest --preset tsan -j $(JOBS)

coverage: ## line and branch coverage: build-coverage/coverage.html
	@scripts/install_packages.sh base test coverage
	@$(call BUILD,coverage) && ctest --preset coverage -j $(JOBS)
	@scripts/coverage.sh

fuzz: ## run each fuzz target for SECONDS (default 60)
	@scripts/install_packages.sh base test
	@$(call BUILD,fuzz) && scripts/fuzz.sh $(SECONDS)

peers: ## the side by side table with CGAL, Embree, FCL, Bullet and ODE
	@scripts/install_packages.sh base peers
	@scripts/peers.sh $(PEERS_ARGUMENTS)

bench: ## graze bench on all tables: methods, threads, sizes, studies
	@scripts/install_packages.sh base
	@$(call BUILD,release) && scripts/bench.sh $(BENCH_ARGUMENTS)

papers: ## tables and figures of the papers anew, onto the page docs/lab/papers.md; PAPERS_ARGUMENTS="kdet-size tetra-hash" for some
	@scripts/install_packages.sh base
	@$(call BUILD,release) && scripts/papers.sh $(PAPERS_ARGUMENTS)

rigid: ## rigid bodies: graze's methods beside each other and beside FCL, ODE, Bullet, CGAL and Embree
	@scripts/install_packages.sh base peers
	@scripts/rigid.sh $(RIGID_ARGUMENTS)

python: ## the Python package: a wheel and a virtual environment in build-python/, and a first example
	@scripts/install_packages.sh base python
	@scripts/python_package.sh $(PYTHON_ARGUMENTS)

bullet: ## the plug-in for Bullet: build it, step the worlds of its tests, and show Bullet's detection and graze's side by side
	@scripts/install_packages.sh base test bullet
	@scripts/configure_release.sh && cmake --build --preset release -j $(JOBS) --target tests_bullet graze_bullet_demo
	@ctest --test-dir build -L bullet -LE package --output-on-failure
	@build/bullet/graze_bullet_demo $(BULLET_ARGUMENTS)
	@scripts/bullet.sh

docs: ## man pages, and the site with guide and reference: build/docs/site/index.html
	@scripts/install_packages.sh base docs
	@$(call BUILD,release) --target docs

clean: ## remove everything that the targets above have made
	rm -rf build build-debug build-asan build-tsan build-clang build-coverage build-fuzz build-peers build-abi build-shared build-python report

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18
