#!/bin/sh
# The developer's loop: layers, format, the release build with warnings as errors, and its tests at the scale of sanitizers, without
# the tests of the package and those that read documents. `check.sh FOLDER` builds and runs only the tests of a folder, such as
# src/broad, cli or tests/scene.
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}

# The folders of tests that belong to a folder.
tests_of() {
  case $1 in
    broad | narrow | regions | methods | api | backend | backend_cpu) echo scene ;;
    scene) echo scene distributed ;;
    cuda | backend_cuda | backend_devices) echo cuda ;;
    division | mesh_ranges | mpi) echo distributed ;;
    completions) echo cli ;;
    include | abi | debian | cmake | docs) echo package ;;
    *) echo "$1" ;;
  esac
}

folder=$(basename "${1:-.}")
areas=
labels=
if [ "$folder" != . ]; then
  for area in $(tests_of "$folder"); do
    if [ ! -f "tests/$area/CMakeLists.txt" ]; then
      echo "check.sh: no tests belong to $1; folders of tests: $(find tests -mindepth 2 -maxdepth 2 -name CMakeLists.txt | cut -d / -f 2 | sort | xargs)" >&2
      exit 2
    fi
    areas="$areas area_$area"
    labels="${labels:+$labels|}area_$area"
  done
fi

scripts/check_layers.sh
scripts/check_format.sh
scripts/configure_release.sh -D GRAZE_STRICT=ON
# shellcheck disable=SC2086  # the list is meant to split into words
cmake --build --preset release -j "$jobs" ${areas:+--target graze $areas}
scripts/check_layers.sh --objects build/src/libgraze.a
if [ -z "$areas" ]; then
  ctest --preset check -j "$jobs"
else
  ctest --preset check -j "$jobs" -L "^($labels)\$"
fi
