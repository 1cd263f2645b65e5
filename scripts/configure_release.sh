#!/bin/sh
# Configures build/ for the demo and for the tests: the release preset.
#
# Where no GPU can run it, code for CUDA is compiled for the least of its architectures alone, and not optimized: what that
# one takes, all take, and all of them optimized take two processors ten minutes and more. A folder that has more already
# keeps it; `make` compiles what is missing, and optimizes.
set -eu
cd "$(dirname "$0")/.."
scripts/require_cmake.sh
compiled=$(sed -n 's/^CMAKE_CUDA_ARCHITECTURES:[A-Z]*=//p' build/CMakeCache.txt 2>/dev/null) || compiled=
if [ "${compiled:-75-virtual}" != 75-virtual ]; then
  cmake --preset release -D CMAKE_CUDA_ARCHITECTURES="$compiled" >/dev/null
elif nvidia-smi -L >/dev/null 2>&1; then
  cmake --preset release >/dev/null
else
  cmake --preset release -D CMAKE_CUDA_ARCHITECTURES=75-virtual -D GRAZE_CUDA_OPTIMIZED=OFF >/dev/null
fi
