#!/bin/sh
# Runs the benchmark of graze alone; arguments go to the program. The tables go to the screen, the rows to report/, the
# drawings to build/bench/figures/.
set -eu
cd "$(dirname "$0")/.."
figures=build/bench/figures
mkdir -p report "$figures"
program=$(find build -type f -name graze_bench -perm -u+x | head -n 1)
if [ -z "$program" ]; then
  echo "bench.sh: the benchmark was not built; build it by: make" >&2
  exit 1
fi
"$program" --csv report/bench.csv --figures "$figures" "$@"
echo "the rows: $PWD/report/bench.csv"
echo "the drawings: $PWD/$figures"
