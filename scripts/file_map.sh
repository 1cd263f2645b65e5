#!/bin/sh
# Prints a page with a short line for each source file from its first sentence, for the site of the documents. With --check, prints
# nothing, and fails if a file does not begin with a comment that describes it.
set -eu
cd "$(dirname "$0")/.."

# Every source file of the repository, including untracked ones.
source_files() {
  if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard
  else
    find . -path './build*' -prune -o -type f -print | sed 's|^[.]/||'
  fi | grep -E '[.](c|h|cpp|cu|cuh)$' | while read -r file; do [ ! -f "$file" ] || echo "$file"; done | LC_ALL=C sort -u
}

# The folders and their descriptions in reading order: from the public headers down, then what is built on top. The tests follow.
described_folders() {
  cat <<'FOLDERS'
include/graze	The public headers. Start here.
include/graze/inside	Headers of exported functions for the tools and graze_mpi, not installed.
src/distributed	Scenes divided over several ranks or slabs. The core library contains the part that several devices need.
src/distributed/include/graze	Its public headers.
src/api	The public calls: they check arguments, pass a request to the scene's backend, and fill the caller's lists.
src/backend_devices	The backend cuda with several devices: each has a scene with its part of space.
src/backend_cuda	The backend cuda: data sent to a device, and results returned.
src/backend_cpu	The backend cpu: updates, queries, contacts, poses and the k-free measure on threads.
src/backend	The interface of backends: the row of the table, requests and answers.
src/scene	Objects, poses, filters, numbering and change tracking: the data of a scene and its edits, no queries.
src/methods	The table of methods: each on the processor and on a device.
src/cuda	The scene on a device: stages shared with the processor, kernels, and their launches.
src/narrow	Narrow phase: the exact test of candidates, and the intersection of two primitives.
src/regions	Regions: pairs grouped into clashes, curves, depths of objects.
src/spheres	Inner sphere trees: two rigid sets of spheres without a scene.
src/analysis	Measures of objects: how crowded they are (k-free), components, closed surfaces, winding numbers.
src/broad	Broad phase: methods that find the pairs of primitives whose bounding boxes intersect.
src/packing	Sphere packings: closed meshes filled with spheres.
src/geometry	Exact predicates and constructions: stateless inline functions for host and device, no allocation.
src/division	Space divided into parts, and redivided when needed, for devices and ranks.
src/base	Memory, arrays, sorting, threads, SIMD; no geometry.
src/base/serial	Serial replacements for platforms without threads.
mesh_io	Readers and writers of mesh files; not in the core library.
io	The library libgraze_io: the public calls for mesh files.
mesh_ranges	Mesh files read by ranges.
mpi	The tool `graze-mpi`.
models	Procedural models: seeded, bit-identical on every platform.
simulation	Moving scenes, and the simulator that moves them.
charts	Charts as SVG.
bench	The measurements of `graze bench`, and the benchmark of rigid bodies.
viewer	The page of `graze view` and --report: TypeScript, and the page as text for the tool.
viewer/engine	The engine of the viewer: the library as a WebAssembly module that a worker calls.
viewer/engine/zlib	The replacement of zlib in the engine.
bullet	The plug-in for Bullet: graze finds the contacts of a Bullet world.
bullet/include	Its public headers.
bullet/demo	Its demonstration, and a minimal program.
bench/bullet	Bullet worlds with Bullet's own detection and with graze's.
bench/peers	Comparison of graze with other libraries.
cli	The tool `graze`.
lab	The program `graze-lab`, which is not installed: figures of papers, and variants of methods that the library does not include.
docs	Programs shown in the documents.
FOLDERS
}

# Lists all folders with source files: the described ones, then those of tests. Fails on any other.
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

# The first sentence of the opening comment of a file, on one line; `|` would end a column of the table.
first_sentence() {
  awk '
    NR == 1 && !/^\/[*\/]/ { exit }
    { line = $0; ended = sub(/[ \t]*\*\/.*$/, "", line); sub(/^(\/\*+|\/\/|[ \t]*\*)[ \t]*/, "", line) }
    NR == 1 { sub(/^graze: [A-Za-z ]+[.] /, "", line) }
    line == "" { exit }
    { text = text (text == "" ? "" : " ") line }
    ended || text ~ /[.]( |$)/ { exit }
    END { if (match(text, /[.]( |$)/)) text = substr(text, 1, RSTART - 1); sub(/[.:]$/, "", text); gsub(/[|]/, "\\|", text); print text }' "$1"
}

# Truncates a sentence of more than 15 words at the last `;` before that, otherwise at the last `:`, otherwise at the last comma.
shortened() {
  awk '
    # Returns the number of words before the last of the first 15 words that ends in `mark`; 0 if there is none.
    function words_before(mark,  i) {
      for (i = 15; i > 2; i--)
        if (substr($i, length($i)) == mark) return i
      return 0
    }
    {
      if (sub(/^graze: /, "") && !/^graze_/) $0 = toupper(substr($0, 1, 1)) substr($0, 2)
      sub(/; see [a-z_0-9]+[.](h|cuh)$/, "")
      last = NF
      if (NF > 15) { last = words_before(";"); if (!last) last = words_before(":"); if (!last) last = words_before(","); if (!last) last = NF }
      text = ""
      for (i = 1; i <= last; i++) text = text (i > 1 ? " " : "") $i
      if (last < NF) sub(/[;:,]$/, "", text)
      print text
    }'
}

# A file and its header of the same name share the row of the header.
write_map() {
  printf '# File map\n\nWhat each source file is for, in reading order: from the public headers down, then what is built on top, then the tests.\nThe lines are the first sentences of the files.\n'
  while IFS="$(printf '\t')" read -r folder words; do
    files=$(grep -E "^$folder/[^/]*$" "$sources" || true)
    [ -n "$files" ] || continue
    printf '\n## %s\n\n' "$folder"
    [ -z "$words" ] || printf '%s\n\n' "$words"
    printf '| file | what it is |\n|---|---|\n'
    for file in $files; do
      name=${file##*/}
      case $name in
      *.h) for twin in c cu cpp; do [ ! -f "${file%.h}.$twin" ] || name="$name\`, \`.$twin"; done ;;
      *) [ ! -f "${file%.*}.h" ] || continue ;;
      esac
      text=$(first_sentence "$file" | shortened)
      if [ -z "$text" ]; then
        echo "file_map.sh: $file does not begin with a comment that describes it" >&2
        exit 1
      fi
      printf '| `%s` | %s |\n' "$name" "$text"
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
[ "${1:-}" = --check ] || cat "$made"
