#!/bin/sh
# Builds the drivers of other libraries and runs the benchmark of rigid bodies. Arguments are passed to the program.
#
# The bodies are two scans, two machine parts and a scan of 871,000 triangles if GRAZE_DATA names the folder of real meshes;
# otherwise, and with --quick or --mesh, built-in models. Writes the table to the screen, rows to report/rigid.csv, and drawings
# to build-peers/figures/.
set -eu
cd "$(dirname "$0")/.."
figures=build-peers/figures
cmake --preset peers >/dev/null
cmake --build --preset peers -j "${JOBS:-$(nproc)}" --target graze_rigid
mkdir -p report "$figures"
program=$(find build-peers -type f -name graze_rigid -perm -u+x | head -n 1)
if [ -z "$program" ]; then
  echo "rigid.sh: the program graze_rigid was not built" >&2
  exit 1
fi
files=${GRAZE_DATA:+yes}
for argument in "$@"; do
  case $argument in --quick | --mesh | --mesh=* | --triangles | --triangles=*) files= ;; esac
done
if [ -n "$files" ]; then
  for name in stanford-bunny.obj.gz dragon_100k.obj.gz fandisk.obj.gz crank-case.obj.gz dragon_scan_871k.ply.gz; do
    set -- --mesh "$GRAZE_DATA/meshes/$name" "$@"
  done
fi
"$program" --csv report/rigid.csv --figures "$figures" "$@"
echo "rows: $PWD/report/rigid.csv"
echo "drawings: $PWD/$figures"
