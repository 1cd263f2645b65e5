#!/bin/sh
# Runs checks of the project in phases, each with its wall and processor time. Stops at the first phase that fails.
#
#   test_everything.sh release   the release build, all its tests, and the documents
#   test_everything.sh others    other compilers, sanitizers, leaks, threads, fuzz targets; counts the tests of the former too
#
# Long tests run a quarter of their cases, or all of them if GRAZE_TEST_FULL is set (tests/test_scale.h). The sanitizer presets
# reduce this further by GRAZE_TEST_SCALE: sanitizers check code paths; the full amounts have run in the release build.
set -u
cd "$(dirname "$0")/.." || exit
part=${1:-}
case $part in
  release | others) ;;
  *)
    echo "usage: test_everything.sh release|others" >&2
    exit 2
    ;;
esac
passed=build/tests_passed # the number of tests in the release build
jobs=${JOBS:-$(nproc)}
fuzz_seconds=${FUZZ_SECONDS:-2}
summary=$(mktemp)
log=$(mktemp)
clock=$(mktemp)
trap 'rm -f "$summary" "$log" "$clock"' EXIT
test_count=0
processors=0 # seconds of all finished phases
started=$(date +%s)

# The output of a phase uses its own file descriptor, so that the exit status is not that of tee.
phase() {
  name=$1
  shift
  printf '\n=== %s\n' "$name"
  phase_started=$(date +%s)
  processors_before=$processors
  status=$({ { "$@" 2>&1; echo $? >&3; } | tee "$log" >&4; } 3>&1) 4>&1
  seconds=$(($(date +%s) - phase_started))
  times >"$clock"
  processors=$(awk -F '[ms ]+' 'NR == 2 { printf "%d\n", 60 * ($1 + $3) + $2 + $4 }' "$clock")
  tests=$(sed -n 's/.*tests passed, .* out of \([0-9]*\).*/\1/p' "$log" | awk '{ sum += $1 } END { print sum + 0 }')
  test_count=$((test_count + tests))
  if [ "$status" -ne 0 ]; then
    printf '=== FAILED: %s, after %s s\n' "$name" "$seconds"
    exit 1
  fi
  printf '=== passed: %s, %s s\n' "$name" "$seconds"
  printf '%-44s %5s s %6s s  %s\n' "$name" "$seconds" "$((processors - processors_before))" \
    "$([ "$tests" -eq 0 ] || echo "$tests tests")" >>"$summary"
}

# Warnings of C and C++ are errors; those of CUDA and of the linker are refused here.
refuse_warnings() {
  if grep -q ': warning: ' "$log"; then
    printf '=== FAILED: compiler warnings, see above\n'
    exit 1
  fi
}

build_release() {
  scripts/configure_release.sh -D GRAZE_STRICT=ON && cmake --build --preset release -j "$jobs"
}

build() { # configure preset, build preset
  cmake --preset "$1" >/dev/null && cmake --build --preset "$2" -j "$jobs"
}

build_and_test() { # configure preset, build and test preset
  build "$1" "$2" && ctest --preset "$2" -j "$jobs"
}

thread_sanitizer() {
  build tsan tsan && scripts/without_address_randomization.sh ctest --preset tsan -j "$jobs"
}

# Targets that run the whole library are compiled without optimization, in a quarter of the time, and run three times as long.
# This tests as many inputs as an optimized build would in the given time.
fuzz() {
  readers=$(find tests/fuzz -name 'fuzz_*.c' ! -name fuzz_scene.c ! -name fuzz_play.c -exec basename {} .c \; | sort)
  cmake --preset fuzz -D GRAZE_FUZZ_LIBRARY_OPTIONS=-O0 >/dev/null && cmake --build --preset fuzz -j "$jobs" || return
  export FUZZ_SEED=1
  # shellcheck disable=SC2086  # the list is meant to split into words
  scripts/fuzz.sh $((3 * fuzz_seconds)) fuzz_play fuzz_scene && scripts/fuzz.sh "$fuzz_seconds" $readers
}

if [ "$part" = release ]; then
  rm -f "$passed"
  phase "layers, file names, file map" scripts/check_layers.sh
  phase "format" scripts/check_format.sh
  phase "tables of the papers" scripts/papers.sh --check
  phase "release: build" build_release
  refuse_warnings
  phase "calls go downward, without a cycle" scripts/check_layers.sh --objects build/src/libgraze.a
  phase "release: all tests" ctest --preset release -j "$jobs"
  phase "documents without warnings" cmake --build --preset release --target docs
  builds="release build"
  echo "$test_count" >"$passed"
else
  phase "golden hashes: gcc -O0" build_and_test debug debug-golden
  phase "golden hashes: clang -O3" build_and_test clang clang-golden
  phase "address and undefined behavior: build" build asan asan
  phase "address and undefined behavior: tests" ctest --preset asan -j "$jobs"
  phase "leaks" ctest --preset asan-leaks -j "$jobs"
  phase "threads: thread sanitizer" thread_sanitizer
  phase "fuzz targets, $fuzz_seconds s each" fuzz
  builds="other builds"
  if [ -f "$passed" ]; then
    test_count=$((test_count + $(cat "$passed")))
    builds="all builds together"
  fi
fi

printf '\n=== all phases passed\n'
printf '%-44s %5s   %6s\n' "" "time" "processors"
cat "$summary"
printf '%-44s %5s s %6s s\n' "together" "$(($(date +%s) - started))" "$processors"
printf '100%% tests passed, 0 tests failed out of %s (%s)\n' "$test_count" "$builds"
