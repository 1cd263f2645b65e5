#!/bin/sh
# Configures build/ for the demo and for the tests: the release preset, and the options given to this script.
#
# Without a GPU, CUDA code is compiled only for its lowest architecture, without optimization: all architectures accept code that this
# one accepts, and an optimized build of all takes at least ten minutes on two processors. A build folder that already has more
# architectures keeps them; `make` compiles all, with optimization.
set -eu
cd "$(dirname "$0")/.."
scripts/require_cmake.sh
compiled=$(sed -n 's/^CMAKE_CUDA_ARCHITECTURES:[A-Z]*=//p' build/CMakeCache.txt 2>/dev/null) || compiled=
if [ "${compiled:-75-virtual}" != 75-virtual ]; then
  cmake --preset release -D CMAKE_CUDA_ARCHITECTURES="$compiled" "$@" >/dev/null
elif nvidia-smi -L >/dev/null 2>&1; then
  cmake --preset release "$@" >/dev/null
else
  cmake --preset release -D CMAKE_CUDA_ARCHITECTURES=75-virtual -D GRAZE_CUDA_OPTIMIZED=OFF "$@" >/dev/null
fi
