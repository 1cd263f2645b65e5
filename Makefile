# A thin layer over the CMake presets of CMakePresets.json. `make help` lists the targets.
#
# `make demo` and `make test` need only a Debian system: they install missing packages first.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
SECONDS ?= 60
PREFIX ?= /usr/local
export JOBS

CONFIGURE = scripts/require_cmake.sh && cmake --preset $(1) >/dev/null
BUILD = $(CONFIGURE) && cmake --build --preset $(1) -j $(JOBS)

.PHONY: all demo test test-all check install debug asan tsan coverage fuzz peers bench papers rigid python bullet large docs clean help

all: ## build the library and the tool: build/graze
	@$(call CONFIGURE,release) && cmake --build --preset product -j $(JOBS)

demo: ## install missing packages, build, check built-in scenes, write report/index.html
	@scripts/install_packages.sh base
	@scripts/configure_release.sh && cmake --build --preset release -j $(JOBS) --target graze_cli
	@scripts/demo.sh

test: ## install missing packages, build the release, run all its tests, build the documents
	@scripts/install_packages.sh base test docs python mpi viewer
	@scripts/test_everything.sh release

test-all: test ## the same, then other compilers, sanitizers, leaks, threads and fuzz targets
	@scripts/test_everything.sh others

check: ## check layers and format, build without warnings, run reduced tests; AREA=src/broad for those of a folder
	@scripts/check.sh $(AREA)

install: all ## install under PREFIX (default /usr/local; honors DESTDIR)
	@cmake --install build --prefix $(PREFIX)

debug: ## build with gcc -O0 and assertions in build-debug/, run all tests
	@$(call BUILD,debug) && ctest --preset debug -j $(JOBS)

asan: ## build with address and undefined behavior sanitizers in build-asan/, run reduced tests
	@$(call BUILD,asan) && ctest --preset asan -j $(JOBS) && ctest --preset asan-leaks -j $(JOBS)

tsan: ## build with the thread sanitizer of clang in build-tsan/, run tests labeled threads
	@$(call BUILD,tsan) && scripts/without_address_randomization.sh ctest --preset tsan -j $(JOBS)

coverage: ## measure line and branch coverage: build-coverage/coverage.html
	@scripts/install_packages.sh base test coverage
	@$(call BUILD,coverage) && ctest --preset coverage -j $(JOBS)
	@scripts/coverage.sh

fuzz: ## run each fuzz target for SECONDS (default 60)
	@scripts/install_packages.sh base test
	@$(call BUILD,fuzz) && scripts/fuzz.sh $(SECONDS)

peers: ## compare with CGAL, Embree, FCL, Bullet and ODE; PEERS_ARGUMENTS="--quick" for a short run
	@scripts/install_packages.sh base peers
	@scripts/peers.sh $(PEERS_ARGUMENTS)

bench: ## run graze bench on all tables: methods, threads, sizes, studies
	@scripts/install_packages.sh base
	@$(call BUILD,release) && scripts/bench.sh $(BENCH_ARGUMENTS)

papers: ## reproduce the figures of the papers in docs/lab/papers.md; PAPERS_ARGUMENTS="kdet-size tetra-hash" for some of them
	@scripts/install_packages.sh base
	@$(call BUILD,release) && scripts/papers.sh $(PAPERS_ARGUMENTS)

rigid: ## compare rigid bodies in graze with FCL, ODE, Bullet, CGAL and Embree
	@scripts/install_packages.sh base peers
	@scripts/rigid.sh $(RIGID_ARGUMENTS)

python: ## build the Python package, a wheel and a virtual environment in build-python/, and run an example
	@scripts/install_packages.sh base python
	@scripts/python_package.sh $(PYTHON_ARGUMENTS)

bullet: ## build the Bullet plug-in, run its tests, and compare detection by Bullet and by graze
	@scripts/install_packages.sh base test bullet
	@scripts/configure_release.sh && cmake --build --preset release -j $(JOBS) --target tests_bullet graze_bullet_demo
	@ctest --test-dir build -L '^bullet$$' -LE '^package$$' --output-on-failure
	@build/bullet/graze_bullet_demo $(BULLET_ARGUMENTS)
	@scripts/bullet.sh

large: ## check one large scene as a whole, by slabs and by ranks, and compare the hashes; LARGE_ARGUMENTS="200000000 /var/tmp" for more
	@scripts/install_packages.sh base python mpi
	@$(call BUILD,release) --target graze_cli graze_mpi_cli
	@scripts/large.sh $(LARGE_ARGUMENTS)

docs: ## build the man pages, and the site with guide and reference: build/docs/site/index.html
	@scripts/install_packages.sh base docs
	@$(call BUILD,release) --target docs

clean: ## remove everything that other targets create
	rm -rf build build-debug build-asan build-tsan build-clang build-coverage build-fuzz build-peers build-abi build-shared build-python report

help: ## print this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18
