#!/bin/sh
# Builds and tries the Python package: shared libraries in build-shared/, a wheel in build-python/wheels/, a virtual environment
# in build-python/ with the package, and a first example.
#
# usage: scripts/python_package.sh [CMAKE_OPTION...]      options of the preset shared, such as -D GRAZE_CUDA=OFF
#
# Uses no network: numpy and the packaging tools are those of the system.
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
