#!/bin/sh
# Builds the Python package and tries it: shared libraries in build-shared/, a wheel in build-python/wheels/, a virtual
# environment in build-python/ that has it, and a first example.
#
# usage: scripts/python_package.sh [CMAKE_OPTION...]      options of the preset shared, such as -D GRAZE_CUDA=OFF
#
# Nothing comes from the network: numpy and the tools of packaging are the system's.
set -eu
cd "$(dirname "$0")/.."
scripts/require_cmake.sh
cmake --preset shared "$@" >/dev/null
cmake --build --preset shared -j "${JOBS:-$(nproc)}"
python=/usr/bin/python3
[ -x "$python" ] || python=python3
"$python" -m venv --system-site-packages build-python
rm -rf build-python/wheels
build-python/bin/python -m pip wheel -q --no-build-isolation --no-deps --no-index --wheel-dir build-python/wheels ./python
rm -rf python/build python/*.egg-info
build-python/bin/python -m pip install -q --no-deps --no-index --force-reinstall build-python/wheels/*.whl
build-python/bin/python python/examples/first.py
echo "installed: build-python/bin/python has grazelib; the wheel is $(ls build-python/wheels/*.whl)"
