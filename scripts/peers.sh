#!/bin/sh
# Builds the drivers of other libraries and prints the comparison table. Arguments are passed to the program.
#
# Ratios are comparable only within one run. GRAZE_DATA names a folder of real meshes; without it, built-in scenes run.
set -eu
cd "$(dirname "$0")/.."
mkdir -p report
cmake --preset peers >/dev/null
cmake --build --preset peers -j "${JOBS:-$(nproc)}"
program=$(find build-peers -type f -name graze_peers -perm -u+x | head -n 1)
if [ -z "$program" ]; then
  echo "peers.sh: the program graze_peers was not built" >&2
  exit 1
fi
"$program" --csv report/peers.csv "$@"
echo "rows: $PWD/report/peers.csv"
