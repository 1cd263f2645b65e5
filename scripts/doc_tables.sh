#!/bin/sh
# Writes tables of the documents anew from the rows of a benchmark, report/bench.csv of `make bench` or report/rigid.csv of `make
# rigid`, and takes its drawings over; what the rows are not about stays as it is.
#
#   scripts/doc_tables.sh ROWS.csv [DRAWINGS [DOCUMENTS]]    a folder of drawings, and one of documents in place of docs/
#
# A table stands between the lines <!-- table NAME --> and <!-- end of table NAME --> of a document, with all that comes from the
# rows: commit, machine, date, rounds. What is said about it in words stands outside, and has to be read again afterwards.
set -eu
cd "$(dirname "$0")/.."
if [ $# -lt 1 ] || [ $# -gt 3 ]; then
  echo "usage: scripts/doc_tables.sh ROWS.csv [DRAWINGS [DOCUMENTS]]" >&2
  exit 2
fi
rows=$1 drawings=${2:-} documents=${3:-docs}
lines=$(mktemp)
written=$(mktemp)
trap 'rm -f "$lines" "$written"' EXIT

# Puts what is in $lines between the marks of the table; a mark without its end is an error, and the document stays.
replace() { # table, document
  awk -v begin="<!-- table $1 -->" -v end="<!-- end of table $1 -->" -v lines="$lines" '
    $0 == end && inside { inside = 0 }
    !inside { print }
    $0 == begin {
      inside = 1
      print ""
      while ((getline line < lines) > 0) print line
      close(lines)
      print ""
    }
    END { if (inside) { print "doc_tables.sh: there is no line " end > "/dev/stderr"; exit 1 } }' "$2" >"$written"
  cat "$written" >"$2"
  echo "$2: $1"
}

for table in methods moving cluster_times cluster_members cluster_axes cluster_lost rigid_rotation rigid_queries rigid_build rigid_world; do
  awk -v table="$table" -f scripts/doc_tables.awk "$rows" >"$lines"
  [ -s "$lines" ] || continue
  for document in "$documents"/*.md; do
    if grep -qxF "<!-- table $table -->" "$document"; then replace "$table" "$document"; fi
  done
done

# What benchmarks call their drawings, and what the documents do.
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
