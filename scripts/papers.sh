#!/bin/sh
# Makes figures of the papers anew and puts them on the page docs/papers.md: runs `graze bench --papers NAMES` (all of
# them without names), keeps its tables in bench/results/papers, copies the drawings that the page shows, and fills the
# page's tables between the marks `<!-- table NAME: COLUMN, COLUMN=WORDS, ... -->` and `<!-- end -->` from the kept ones.
# With --tables it only fills, with --check it fails where the page does not have what the kept tables say. PAPERS_OPTIONS
# are options of the tool; times mean something on a machine that has no other work.
set -eu
cd "$(dirname "$0")/.."
page=docs/papers.md kept=bench/results/papers
: "${PAPERS_OPTIONS=--quick --threads 1 --rounds 5}"

# The page on standard input, with its tables filled from the kept ones, on standard output.
fill_tables() {
  awk -v kept="$kept" '
    function grouped(text,    rest) {
      if (text !~ /^[0-9]+$/) return text
      for (rest = ""; length(text) > 3; text = substr(text, 1, length(text) - 3)) rest = "," substr(text, length(text) - 2) rest
      return text rest
    }
    function fill(name, wanted,    path, line, cells, count, i, j, names, places, parts, row, rule, known) {
      path = kept "/paper_" name ".csv"
      if ((getline line < path) <= 0) { print "papers.sh: " path " is not there" > "/dev/stderr"; failed = 1; exit 1 }
      count = split(line, cells, ",")
      for (i = 1; i <= count; i++) known[cells[i]] = i
      count = split(wanted, names, /, */)
      row = rule = "|"
      for (i = 1; i <= count; i++) {
        split(names[i], parts, "=")
        if (!(parts[1] in known)) { print "papers.sh: " path " has no column " parts[1] > "/dev/stderr"; failed = 1; exit 1 }
        places[i] = known[parts[1]]
        row = row " " (parts[2] != "" ? parts[2] : parts[1]) " |"
        rule = rule (i == 1 ? "---|" : "--:|")
      }
      print row; print rule
      while ((getline line < path) > 0) {
        split(line, cells, ",")
        row = "|"
        for (j = 1; j <= count; j++) row = row " " grouped(cells[places[j]]) " |"
        print row
      }
      close(path)
    }
    /^<!-- table / {
      print
      text = $0
      sub(/^<!-- table /, "", text); sub(/ -->$/, "", text)
      name = text; sub(/:.*/, "", name); sub(/^[^:]*: */, "", text)
      fill(name, text)
      inside = 1
      next
    }
    /^<!-- end -->/ { inside = 0 }
    !inside { print }
    END { if (inside && !failed) { print "papers.sh: a table has no end" > "/dev/stderr"; exit 1 } }'
}

filled=$(mktemp)
made=$(mktemp -d)
trap 'rm -rf "$filled" "$made"' EXIT

case "${1-}" in
--check)
  fill_tables <"$page" >"$filled"
  if ! cmp -s "$filled" "$page"; then
    echo "papers.sh: the tables of $page are not those of $kept; run scripts/papers.sh --tables" >&2
    exit 1
  fi
  echo "papers.sh: the tables of $page are those that are kept"
  exit 0
  ;;
--tables) ;;
*)
  tool=${GRAZE_TOOL:-build/graze}
  names=$(IFS=,; echo "$*")
  # shellcheck disable=SC2086
  "$tool" bench --papers $names $PAPERS_OPTIONS --figures "$made"
  mkdir -p "$kept"
  cp "$made"/*.csv "$kept"
  for drawing in "$made"/*.svg; do
    [ -f "$drawing" ] || continue
    shown=docs/pictures/$(basename "$drawing" | tr - _)
    if grep -q "pictures/$(basename "$shown")" "$page"; then cp "$drawing" "$shown"; fi
  done
  ;;
esac
fill_tables <"$page" >"$filled"
cat "$filled" >"$page"
