#!/bin/sh
# Rewrites tables of the documents from the rows of a benchmark, report/bench.csv of `make bench` or report/rigid.csv of `make
# rigid`, and copies its drawings. Everything else stays.
#
#   scripts/doc_tables.sh ROWS.csv [DRAWINGS [DOCUMENTS]]    folders of drawings and of documents (default docs/)
#
# A table is between marks (scripts/marked_tables.sh), with all that comes from the rows: commit, machine, date, rounds. The text about
# it is outside the marks; review it afterwards.
set -eu
cd "$(dirname "$0")/.."
# shellcheck source=scripts/marked_tables.sh
. scripts/marked_tables.sh
if [ $# -lt 1 ] || [ $# -gt 3 ]; then
  echo "usage: scripts/doc_tables.sh ROWS.csv [DRAWINGS [DOCUMENTS]]" >&2
  exit 2
fi
rows=$1 drawings=${2:-} documents=${3:-docs}
tables=$(mktemp -d)
written=$(mktemp)
trap 'rm -rf "$tables" "$written"' EXIT

# Tables whose marks name columns belong to scripts/papers.sh.
for document in "$documents"/*.md "$documents"/*/*.md; do
  [ -f "$document" ] || continue
  marked_tables "$document" | while read -r table columns; do
    if [ -n "$columns" ]; then continue; fi
    awk -v table="$table" -f scripts/doc_tables.awk "$rows" >"$tables/$table"
    if [ -s "$tables/$table" ]; then echo "$document: $table"; fi
  done
  with_tables "$tables" "$document" >"$written"
  cmp -s "$written" "$document" || cat "$written" >"$document"
  rm -f "$tables"/*
done

# The names of drawings in benchmarks and in the documents.
[ -n "$drawings" ] || exit 0
while read -r drawn picture; do
  [ -f "$drawings/$drawn" ] || continue
  cp "$drawings/$drawn" "$documents/pictures/$picture"
  echo "$documents/pictures/$picture"
done <<'PICTURES'
clusters.svg bench_clusters.svg
cluster_members.svg bench_cluster_members.svg
depth.svg bench_depth.svg
memory.svg bench_memory.svg
sphere_trees_build.svg bench_sphere_trees_build.svg
sphere_trees_questions.svg bench_sphere_trees_questions.svg
sphere_trees_shared.svg bench_sphere_trees_shared.svg
rigid_rotation_fandisk.svg bench_rigid_rotation.svg
PICTURES
