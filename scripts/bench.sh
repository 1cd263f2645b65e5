#!/bin/sh
# Runs `graze bench` on all tables, or on what the arguments say. The tables go to the screen, the rows to report/, the
# drawings to build/bench/figures/.
set -eu
cd "$(dirname "$0")/.."
figures=build/bench/figures
mkdir -p report "$figures"
tool=build/graze
if [ ! -x "$tool" ]; then
  echo "bench.sh: there is no tool at $tool; build it by: make" >&2
  exit 1
fi
tables="--table all"
for argument in "$@"; do
  case $argument in --table | --table=* | --suite | --suite=* | --scene | --scene=*) tables= ;; esac
done
# shellcheck disable=SC2086  # none, or two words
"$tool" bench $tables --csv report/bench.csv --json report/bench.json --figures "$figures" "$@"
echo "the rows: $PWD/report/bench.csv, $PWD/report/bench.json"
echo "the drawings: $PWD/$figures"
