#!/bin/sh
# Runs the benchmark of graze alone; arguments go to the program. The table goes to the screen, the rows to report/.
set -eu
cd "$(dirname "$0")/.."
mkdir -p report
program=$(find build -type f -name graze_bench -perm -u+x | head -n 1)
if [ -z "$program" ]; then
  echo "bench.sh: the benchmark was not built; build it by: make" >&2
  exit 1
fi
"$program" --csv report/bench.csv "$@"
echo "the rows: $PWD/report/bench.csv"
