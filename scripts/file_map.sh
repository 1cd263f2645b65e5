#!/bin/sh
# Writes docs/file_map.md from the first sentence of each source file; with --check, fails where the map is not that.
set -eu
cd "$(dirname "$0")/.."
map=docs/file_map.md

# Every source file of the repository, also one that is not yet added to it.
source_files() {
  if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard
  else
    find . -path './build*' -prune -o -type f -print | sed 's|^[.]/||'
  fi | grep -E '[.](c|h|cpp|cu|cuh)$' | while read -r file; do [ ! -f "$file" ] || echo "$file"; done | LC_ALL=C sort -u
}

# The folders in reading order, from the public face down, then what is built on top: folder, what it is. The proofs follow.
described_folders() {
  cat <<'FOLDERS'
include/graze	The public face. Start here.
src/distributed	Scenes divided over several ranks or slabs: divisions, what goes where, the frame of ranks; not in the core library.
src/distributed/include/graze	Its public face.
src/api	The public calls: they check arguments, pass a request to the scene's backend, and fill the caller's lists.
src/backend_cuda	The backend cuda: what a device receives from the scene, and what comes back.
src/backend_cpu	The backend cpu: updates, queries, contacts, poses and the k-free measure on threads.
src/backend	What backends have in common: the row of the table, requests and answers.
src/scene	Objects, poses, filters, numbering and change tracking: the data of a scene and its edits, no queries.
src/methods	The table of methods: each on the processor and on a device.
src/cuda	The scene on a device: stages shared with the processor, kernels, and what launches them.
src/narrow	Narrow phase: the exact test of candidates, and what two primitives share.
src/regions	Regions: pairs grouped into clashes, curves, depths of objects.
src/spheres	Inner sphere trees: two rigid sets of spheres without a scene.
src/analysis	Measures of objects: how crowded they are (k-free), components, closed surfaces, winding numbers.
src/broad	Broad phase: methods that find the pairs of primitives whose bounding boxes meet.
src/packing	Sphere packings: closed meshes filled with spheres.
src/geometry	Exact predicates and constructions: stateless inline functions for host and device, no allocation.
src/base	Memory, arrays, sorting, threads, SIMD: knows no geometry.
src/base/serial	Twins of what platforms without threads lack.
mesh_io	Files of meshes in and out; not in the core library.
io	libgraze_io: the public face of mesh_io, by the rules of the other public calls.
mesh_ranges	Mesh files read by ranges.
mpi	The tool `graze-mpi`.
models	Procedural models, seeded, the same bits on every platform.
simulation	Scenes that move, and the simulator that moves them.
charts	Drawings in SVG.
bench	What `graze bench` measures, and the benchmark of rigid bodies.
viewer	The page of `graze view` and --report: TypeScript, and its text for the tool.
viewer/engine	The module of the viewer: the library in WebAssembly, as its worker calls it.
viewer/engine/zlib	What the module has in place of zlib.
bullet	The plug-in for Bullet: graze finds the contacts of a Bullet world.
bullet/include	Its public face.
bullet/demo	Its demonstration, and the smallest program.
bench/bullet	Bullet worlds with Bullet's own detection and with graze's.
bench/peers	graze beside other libraries.
cli	The tool `graze`.
lab	The program `graze-lab`, which is not installed: figures of papers, and variants of methods that the library does not offer.
docs	Programs that the documents show.
FOLDERS
}

# All folders that hold source files: those described, then those of tests. Fails on any other.
folders() {
  described_folders
  sed 's|/[^/]*$||' "$sources" | LC_ALL=C sort -u | while read -r folder; do
    case $folder in
    tests | tests/*) printf '%s\t\n' "$folder" ;;
    *)
      if ! described_folders | cut -f 1 | grep -qxF "$folder"; then
        echo "file_map.sh: the folder $folder has source files and no line in scripts/file_map.sh" >&2
        exit 1
      fi
      ;;
    esac
  done
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
  while IFS="$(printf '\t')" read -r folder words; do
    files=$(grep -E "^$folder/[^/]*$" "$sources" || true)
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
sources=$(mktemp)
listed=$(mktemp)
trap 'rm -f "$made" "$sources" "$listed"' EXIT
source_files >"$sources"
folders >"$listed"
write_map <"$listed" >"$made"
if [ "${1:-}" = --check ]; then
  if ! cmp -s "$made" "$map"; then
    diff "$map" "$made" | head -n 20 || true
    echo "file_map.sh: $map is not what the files say: run scripts/file_map.sh"
    exit 1
  fi
  exit 0
fi
cp "$made" "$map"
