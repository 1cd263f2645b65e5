#!/bin/sh
# Lists every source file that clang-format would change, and fails if there is one. With --fix, changes them. Prints "skipped"
# if clang-format is not installed.
set -eu
cd "$(dirname "$0")/.."
if ! command -v clang-format >/dev/null 2>&1; then
  echo "check_format.sh: skipped, clang-format is not installed"
  exit 0
fi
files=$(find include src mesh_io io mesh_ranges mpi models simulation charts cli bench lab bullet viewer tests docs -name node_modules -prune -o -type f \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.cuh' \) -print | sort)
if [ "${1:-}" = --fix ]; then
  echo "$files" | xargs clang-format -i
fi
changed=$(echo "$files" | xargs clang-format --dry-run 2>&1 | sed -n 's/^\([^ :]*\):[0-9]*:[0-9]*: warning: .*/\1/p' | uniq)
if [ -n "$changed" ]; then
  echo "clang-format would change these files; scripts/check_format.sh --fix changes them:"
  echo "$changed"
  exit 1
fi
echo "check_format.sh: all source files match .clang-format"
