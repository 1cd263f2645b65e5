#!/bin/sh
# Every proof of the project, one phase after the other, each with its time. Stops at the first phase that fails.
#
# Long tests read GRAZE_TEST_SCALE (default 1), which the sanitizer presets set to a small fraction: sanitizers look at
# paths, and the full amount has run in the release build before.
set -u
cd "$(dirname "$0")/.." || exit
jobs=${JOBS:-$(nproc)}
fuzz_seconds=${FUZZ_SECONDS:-5}
summary=$(mktemp)
log=$(mktemp)
trap 'rm -f "$summary" "$log"' EXIT
test_count=0
started=$(date +%s)

# The output of a phase goes through a file descriptor of its own, so that its exit status is not that of tee.
phase() {
  name=$1
  shift
  printf '\n=== %s\n' "$name"
  phase_started=$(date +%s)
  status=$({ { "$@" 2>&1; echo $? >&3; } | tee "$log" >&4; } 3>&1) 4>&1
  seconds=$(($(date +%s) - phase_started))
  tests=$(sed -n 's/.*tests passed, .* out of \([0-9]*\).*/\1/p' "$log" | awk '{ sum += $1 } END { print sum + 0 }')
  test_count=$((test_count + tests))
  if [ "$status" -ne 0 ]; then
    printf '=== FAILED: %s, after %s s\n' "$name" "$seconds"
    exit 1
  fi
  printf '=== passed: %s, %s s\n' "$name" "$seconds"
  printf '%-44s %5s s  %s\n' "$name" "$seconds" "$([ "$tests" -eq 0 ] || echo "$tests tests")" >>"$summary"
}

# Users must not be stopped by a warning of a compiler to come, so the release preset allows what is refused here.
refuse_warnings() {
  if grep -q ': warning: ' "$log"; then
    printf '=== FAILED: the compiler has warned, see above\n'
    exit 1
  fi
}

build() { # configure preset, build preset
  cmake --preset "$1" >/dev/null && cmake --build --preset "$2" -j "$jobs"
}

build_and_test() { # configure preset, build and test preset
  build "$1" "$2" && ctest --preset "$2" -j "$jobs"
}

thread_sanitizer() {
  build tsan tsan && scripts/without_address_randomisation.sh ctest --preset tsan
}

fuzz() {
  build fuzz fuzz && FUZZ_SEED=1 scripts/fuzz.sh "$fuzz_seconds"
}

phase "layers, file names, file map" scripts/check_layers.sh
phase "format" scripts/check_format.sh
phase "release: build" build release release
refuse_warnings
phase "release: all tests" ctest --preset release -j "$jobs"
phase "documents without warnings" cmake --build --preset release --target docs
phase "golden hashes: gcc -O0" build_and_test debug debug-golden
phase "golden hashes: clang -O3" build_and_test clang clang-golden
phase "address and undefined behaviour: build" build asan asan
phase "address and undefined behaviour: tests" ctest --preset asan -j "$jobs"
phase "leaks" ctest --preset asan-leaks -j "$jobs"
phase "threads: thread sanitizer" thread_sanitizer
phase "fuzz targets, $fuzz_seconds s each" fuzz

printf '\n=== all phases passed\n'
cat "$summary"
printf '%-44s %5s s\n' "together" "$(($(date +%s) - started))"
printf '100%% tests passed, 0 tests failed out of %s (all builds together)\n' "$test_count"
