#!/bin/sh
# Runs `graze bench` on all tables, or with the given arguments. Writes tables to the screen, rows to report/, and drawings to
# build/bench/figures/.
set -eu
cd "$(dirname "$0")/.."
figures=build/bench/figures
mkdir -p report "$figures"
tool=build/graze
if [ ! -x "$tool" ]; then
  echo "bench.sh: there is no tool at $tool; build it with: make" >&2
  exit 1
fi
tables="--table all" records="--csv report/bench.csv --json report/bench.json"
for argument in "$@"; do
  case $argument in
  --suite | --suite=*) tables='' records='' ;;
  --table | --table=* | --scene | --scene=*) tables='' ;;
  esac
done
# shellcheck disable=SC2086  # several words, or none
"$tool" bench $tables $records --figures "$figures" "$@"
[ -z "$records" ] || echo "rows: $PWD/report/bench.csv, $PWD/report/bench.json"
echo "drawings: $PWD/$figures"
