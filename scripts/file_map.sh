#!/bin/sh
# Writes docs/file_map.md from the first sentence of each source file; with --check, fails where the map is not that.
set -eu
cd "$(dirname "$0")/.."
map=docs/file_map.md

# The folders in reading order, from the public face down, then what is built on top, then the proofs: folder, what it is.
folders() {
  cat <<'FOLDERS'
include/graze	The public face. Start here.
src/scene	What the public calls do. The only room that knows all others below it.
src/cuda	The backend cuda: stages shared with the processor, kernels, and what launches them.
src/analysis	Measures of a mesh: how crowded it is (k-free).
src/narrow	Narrow phase: the exact test of candidates, and what two primitives share.
src/broad	Broad phase: methods that find the pairs of primitives whose bounding boxes meet.
src/geometry	Exact predicates and constructions: stateless inline functions for host and device, no allocation.
src/base	Memory, arrays, sorting, threads, SIMD: knows no geometry.
mesh_io	Files of meshes in and out; not in the core library.
models	Procedural models, seeded, the same bits on every platform.
simulation	Scenes that move, and the simulator that moves them.
charts	Drawings in SVG.
bench	What `graze bench` measures, and the benchmark of rigid bodies.
bench/peers	graze beside other libraries.
cli	The tool `graze`.
docs	Programs that the documents show.
FOLDERS
  find tests -type d -not -path 'tests/fuzz/corpus*' -not -path 'tests/package/frozen*' | LC_ALL=C sort | sed 's/$/\t/'
}

# The first sentence of the comment that opens a file, on one line; `|` would end a column of the table.
first_sentence() {
  awk '
    NR == 1 && !/^\/[*\/]/ { exit }
    { line = $0; ended = sub(/[ \t]*\*\/.*$/, "", line); sub(/^(\/\*+|\/\/|[ \t]*\*)[ \t]*/, "", line) }
    line == "" { exit }
    { text = text (text == "" ? "" : " ") line }
    ended || text ~ /[.]( |$)/ { exit }
    END { if (match(text, /[.]( |$)/)) text = substr(text, 1, RSTART - 1); sub(/[.:]$/, "", text); gsub(/[|]/, "\\|", text); print text }' "$1"
}

write_map() {
  printf '# File map\n\nEvery source file with the first sentence of what it says of itself, in reading order: from the public face down, then what\nis built on top, then the proofs. Made by `scripts/file_map.sh`; do not edit.\n'
  folders | while IFS="$(printf '\t')" read -r folder words; do
    files=$(find "$folder" -maxdepth 1 -type f \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) | LC_ALL=C sort)
    [ -n "$files" ] || continue
    printf '\n## %s\n\n' "$folder"
    [ -z "$words" ] || printf '%s\n\n' "$words"
    printf '| file | what it is |\n|---|---|\n'
    for file in $files; do
      text=$(first_sentence "$file")
      if [ -z "$text" ]; then
        echo "file_map.sh: $file does not open with a sentence that says what it is" >&2
        exit 1
      fi
      printf '| `%s` | %s |\n' "${file##*/}" "$text"
    done
  done
}

made=$(mktemp)
trap 'rm -f "$made"' EXIT
write_map >"$made"
if [ "${1:-}" = --check ]; then
  if ! cmp -s "$made" "$map"; then
    diff "$map" "$made" | head -n 20 || true
    echo "file_map.sh: $map is not what the files say: run scripts/file_map.sh"
    exit 1
  fi
  exit 0
fi
cp "$made" "$map"
