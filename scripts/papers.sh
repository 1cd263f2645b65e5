#!/bin/sh
# Reproduces figures of papers for the page docs/lab/papers.md: runs `graze-lab papers --figure NAMES` (all without names), stores
# its tables in bench/results/papers, copies the drawings that the page shows, and fills the tables of the page, between marks that
# name their columns (scripts/marked_tables.sh), from the stored ones. With --tables it only fills; with --check it fails if the page
# differs from the stored tables. PAPERS_OPTIONS are options of the tool; times are meaningful only on an idle machine. PAPERS_PAGE
# and PAPERS_KEPT are for the test.
set -eu
cd "$(dirname "$0")/.."
# shellcheck source=scripts/marked_tables.sh
. scripts/marked_tables.sh
page=${PAPERS_PAGE:-docs/lab/papers.md} kept=${PAPERS_KEPT:-bench/results/papers}
: "${PAPERS_OPTIONS=--quick --threads 1 --rounds 5}"

filled=$(mktemp)
made=$(mktemp -d)
tables=$(mktemp -d)
trap 'rm -rf "$filled" "$made" "$tables"' EXIT

# Writes the page with tables filled from the stored ones to $filled.
fill_page() {
  marked_tables "$page" | while read -r table columns; do
    awk -v table="$table" -v columns="$columns" -f scripts/doc_tables.awk "$kept/paper_$table.csv" >"$tables/$table"
  done
  with_tables "$tables" "$page" >"$filled"
}

case "${1-}" in
--check)
  fill_page
  if ! cmp -s "$filled" "$page"; then
    echo "papers.sh: the tables of $page differ from those in $kept; run scripts/papers.sh --tables" >&2
    exit 1
  fi
  echo "papers.sh: the tables of $page match the stored ones"
  exit 0
  ;;
--tables) ;;
*)
  tool=${GRAZE_LAB:-build/graze-lab}
  names=$(IFS=,; echo "$*")
  # shellcheck disable=SC2086
  "$tool" papers ${names:+--figure "$names"} $PAPERS_OPTIONS --figures "$made"
  mkdir -p "$kept"
  cp "$made"/*.csv "$kept"
  for drawing in "$made"/*.svg; do
    [ -f "$drawing" ] || continue
    shown=docs/pictures/$(basename "$drawing" | tr - _)
    if grep -q "pictures/$(basename "$shown")" "$page"; then cp "$drawing" "$shown"; fi
  done
  ;;
esac
fill_page
cat "$filled" >"$page"
