#!/bin/sh
# Fails on an #include that goes upward or sideways, on a file name used twice, and on an outdated file map. With --objects LIBRARY,
# fails on an upward reference between object files of the static library, and on a cycle of object files, also inside a folder.
# References are those of nm, so tables of functions count as calls. Also fails on a header of src that declares a function of
# another file: a function of NAME.c or NAME.cu is declared in NAME.h.
#
# What each folder may include and reference, in addition to itself and the headers of the C library:
#
#   include/graze   nothing; include/graze/inside, which is not installed: include/graze
#   src/base        include/graze
#   src/geometry    nothing; pose.h also include/graze, for the public pose; a file *_exports.c also include/graze, and of base float_environment.h
#   src/broad       include/graze, base, geometry; the files of a method do not include those of another method
#   src/narrow      include/graze, base, geometry; of broad the common interface of all methods: method.h, primitive_view.h, primitive_box.h, kind_table.h, part_vertices.h, vertex_normalization.h
#   src/regions     include/graze, base, geometry, broad, narrow, scene
#   src/analysis    include/graze, base, geometry, broad, packing
#   src/packing     include/graze, base, geometry
#   src/spheres     include/graze, base, geometry
#   src/cuda        include/graze, base, geometry; of broad, narrow, analysis, packing and spheres inline functions, and of broad what the host
#                   computes for a device: axis maps, clusters and their learning, bodies and forests of trees; a file *.cu or *.cuh also CUDA
#   src/division    include/graze, base: space divided into parts, for devices and for ranks
#   src/methods     include/graze, base, broad, cuda: the table of methods
#   src/scene       include/graze, base, geometry, broad, narrow
#   src/backend     all of the above: only headers, with the rows and requests that backends share
#   src/backend_cpu all of the above except cuda
#   src/backend_cuda  all of the above
#   src/backend_devices  all of the above except cuda; of distributed the files in the core
#   src/api         all of the above: the public calls
#   src/distributed  include/graze, base, geometry, division: divided scenes; the core has the files for backend_devices    (and MPI: mpi_transport.c, graze_mpi.c)
#   mesh_io         of geometry the triangulation of polygons                       (and zlib)
#   io              include/graze, base, mesh_io: libgraze_io
#   models          include/graze, mesh_io                                          (and zlib)
#   simulation      include/graze, mesh_io, models
#   mesh_ranges     include/graze, mesh_io
#   mpi             include/graze, mesh_ranges, mesh_io, simulation; of cli what checks meshes and plays frames: the tool graze-mpi    (and MPI)
#   charts          nothing
#   bench           include/graze, mesh_io, models, simulation, charts              (and peers)
#   cli             include/graze, distributed, mesh_ranges, mesh_io, models, simulation, charts, bench; of viewer the page as
#                   text (and zlib)
#   lab             everything except tests; only tests include it                   (and zlib)
#   bullet          include/graze: the plug-in for Bullet                            (and Bullet)
#   viewer          include/graze, mesh_io, models; of cli the files that write JSON and text, and count pairs
#   tests           everything
#
# src/backend_devices and src/distributed, which divide a scene, may reference functions of src/api: the public calls on the scenes
# of the parts. So the two folders and src/api form a circle, their files do not.
#
# A module is a source with its headers NAME.h and NAME_inline.h; modules of src do not include each other in a cycle.
#
# A method is what src/methods/method_table.h declares as `method_NAME`; its files in src/broad are NAME.* and NAME_*.*.
# The core (include and src) includes only headers of the C library, POSIX threads and memory, OpenMP and vector instructions.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
library=
if [ "${1:-}" = --objects ]; then
  library=$(realpath "$2")
  shift 2
fi
cd "${1:-$root}"
sources=$(mktemp)
trap 'rm -f "$sources"' EXIT
for folder in include src mesh_io io mesh_ranges mpi models simulation charts cli bench lab bullet viewer tests; do
  [ ! -d "$folder" ] || find "$folder" -name node_modules -prune -o -type f \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.cuh' \) -print
done | LC_ALL=C sort >"$sources"
failed=0

# The table, for awk.
table='
    function read_table() {
      below["include/graze"] = " "
      below["include/graze/inside"] = " graze "
      below["base"] = " graze "
      below["geometry"] = " "
      below["broad"] = " graze base geometry "
      below["narrow"] = " graze base geometry "
      below["regions"] = " graze base geometry broad narrow scene "
      below["analysis"] = " graze base geometry broad packing "
      below["packing"] = " graze base geometry "
      below["spheres"] = " graze base geometry "
      below["cuda"] = " graze base geometry broad narrow analysis packing spheres "
      below["division"] = " graze base "
      below["methods"] = " graze base broad cuda "
      below["scene"] = " graze base geometry broad narrow "
      below["backend"] = " graze base geometry broad narrow analysis regions packing spheres scene "
      below["backend_cpu"] = below["backend"] "backend methods "
      below["backend_cuda"] = below["backend_cpu"] "backend_cpu cuda "
      below["backend_devices"] = below["backend_cpu"] "backend_cpu backend_cuda division distributed "
      below["api"] = below["backend_cuda"] "backend_cuda backend_devices "
      below["distributed"] = " graze base geometry division "
      below["mesh_io"] = " "
      below["io"] = " graze base mesh_io "
      below["models"] = " graze mesh_io "
      below["simulation"] = " graze mesh_io models "
      below["mesh_ranges"] = " graze mesh_io "
      below["mpi"] = " graze mesh_ranges mesh_io models simulation cli "
      below["charts"] = " "
      below["bench"] = " graze mesh_io models simulation charts "
      below["cli"] = " graze mesh_io models simulation charts bench distributed mesh_ranges "
      below["bullet"] = " graze "
      below["viewer"] = " graze mesh_io models "
      below["lab"] = below["api"] "api mesh_io models simulation charts bench "
    }'

check_includes() {
  methods=$(sed -n 's/^extern const method //p' src/methods/method_table.h 2>/dev/null | grep -o 'method_[a-z0-9_]*' | sed 's/^method_//' | tr '\n' ' ')
  grep -v '^tests/' "$sources" | xargs awk -v methods="$methods" "$table"'
    BEGIN {
      read_table()
      method_count = split(methods, method, " ")
      core_header = "^(sys/mman|assert|ctype|errno|fenv|float|inttypes|limits|locale|math|pthread|sched|signal|stdalign|stdarg|" \
                    "stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|time|unistd|omp|arm_neon|emmintrin|immintrin|wasm_simd128|" \
                    "smmintrin|xmmintrin|cpuid|sys/auxv|sys/types)[.]h$"
    }
    function complain(words) { printf "%s:%d: %s\n", FILENAME, FNR, words; bad = 1 }
    function method_of(file,    i, stem) {
      stem = file
      sub(/.*\//, "", stem)
      sub(/[.].*/, "", stem)
      for (i = 1; i <= method_count; i++)
        if (stem == method[i] || index(stem, method[i] "_") == 1) return method[i]
      return ""
    }
    FNR == 1 {
      folder = FILENAME
      sub(/\/[^\/]*$/, "", folder)
      core = folder ~ /^(include|src)/
      room = folder
      sub(/^src\//, "", room)
      if (room !~ /^include\//) sub(/\/.*/, "", room)
      if (!(room in below)) { complain("its folder has no row in the table of layers"); nextfile }
    }
    /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
      quoted = $0 ~ /include[ \t]*"/
      name = $0
      sub(/^[^<"]*[<"]/, "", name)
      sub(/[>"].*/, "", name)
      if (!quoted) {
        if (room == "cuda" && FILENAME ~ /[.]cuh?$/ && name ~ /^(cuda_runtime[.]h|cub\/.*|cstdio|cstdlib|cstring)$/) next
        if (room == "distributed" && FILENAME ~ /mpi(_transport)?[.][ch]$/ && name == "mpi.h") next
        if (FILENAME == "src/cuda/cell_box.h" && name == "cuda_fp16.h") next # for nvcc alone
        if (core && name !~ core_header) complain("the core depends on nothing but the C library: <" name ">")
        next
      }
      if (name ~ /(^|\/)[.][.]?\//) { complain("no path through . or ..: \"" name "\""); next }
      target = name
      if (!sub(/\/.*/, "", target)) target = room
      if (room == "include/graze" && target == "graze" && name !~ /\/inside\//) next
      if (FILENAME ~ /geometry\/pose[.]h$/ && target == "graze") next
      if (room == "geometry" && target == "graze" && FILENAME ~ /_exports[.]c$/) next
      if (room == "geometry" && name == "base/float_environment.h" && FILENAME ~ /_exports[.]c$/) next
      if (room == "narrow" && name ~ /^broad\/(method|primitive_view|primitive_box|kind_table|part_vertices|vertex_normalization)[.]h$/) next
      if (room == "mesh_io" && name == "geometry/polygon_triangulation.h") next
      if (room == "cli" && name == "viewer/viewer_page.h") next
      if (room == "viewer" && name ~ /^cli\/(json_writer|pair_table|plain_words)[.]h$/) next
      if (target != room && index(below[room], " " target " ") == 0) {
        complain(room " may not include \"" name "\"")
        next
      }
      if (room == "broad" && target == "broad" && method_of(name) != "" && method_of(name) != method_of(FILENAME))
        complain("the method " method_of(name) " is known to its own files only: \"" name "\"")
    }
    END { exit bad }' || failed=1
}

# A file of code and its header share a name and a folder; no other two files share a name.
check_names() {
  grep -v '^tests/package/outside/' "$sources" | awk '
    {
      stem = $0
      sub(/.*\//, "", stem)
      sub(/[.][^.]*$/, "", stem)
      folder = $0
      sub(/\/[^\/]*$/, "", folder)
      if (stem in home && home[stem] != folder) { print $0 ": the name " stem " is used in " home[stem] " too"; bad = 1 }
      home[stem] = folder
      if (stem ~ /^(util|utils|common|misc|helper|helpers|stuff)$/) { print $0 ": the name says nothing"; bad = 1 }
    }
    END { exit bad }' || failed=1
}

# Includes between the modules of src have no cycle but those through the edges of `remaining`, which are to be removed.
check_modules() {
  loops=$(grep '^src/' "$sources" | xargs awk '
    BEGIN {
      remaining = " cuda/device_memory>cuda/bulk_copy cuda/device_scene>cuda/device_tables cuda/device_scene>cuda/device_upload " \
                  "narrow/primitive_pair>narrow/primitive_clearance "
    }
    FNR == 1 { from = FILENAME; sub(/^src\//, "", from); sub(/(_inline)?[.][^.]*$/, "", from) }
    /^#include "/ {
      to = $2
      gsub(/"/, "", to)
      sub(/(_inline)?[.][^.]*$/, "", to)
      if (to ~ /\// && to != from && index(remaining, " " from ">" to " ") == 0) print from, to
    }' | tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([a-z].*\)$/  \1/p' | sort -u)
  [ -n "$loops" ] || return 0
  echo "modules that include each other in a cycle:"
  echo "$loops"
  failed=1
}

# References between object files, one line each: FROM TO, where a symbol of TO is used in FROM.
list_references() {
  nm -A "$library" | awk '
    {
      file = $1
      sub(/:[0-9a-f]*$/, "", file)
      sub(/.*:/, "", file)
      sub(/[.]o$/, "", file)
      type = $(NF - 1)
      if (type ~ /^[TDBRVWGSC]$/) { if (!($NF in home)) home[$NF] = file }
      else if (type == "U") used[file, $NF] = 1
    }
    END {
      for (key in used) {
        split(key, part, SUBSEP)
        if (part[2] in home && home[part[2]] != part[1]) print part[1], home[part[2]], part[2]
      }
    }' | LC_ALL=C sort
}

check_objects() {
  references=$(mktemp)
  list_references >"$references"
  if [ ! -s "$references" ]; then
    echo "$library: nm finds no references between object files"
    failed=1
  fi
  grep '^src/' "$sources" | awk "$table"'
    BEGIN { read_table() }
    NR == FNR { name = $0; sub(/.*\//, "", name); folder = $0; sub(/^src\//, "", folder); sub(/\/.*/, "", folder); home[name] = folder; next }
    home[$2] == "api" && home[$1] ~ /^(backend_devices|distributed)$/ { next }
    home[$1] != "" && home[$2] != "" && home[$1] != home[$2] && index(below[home[$1]], " " home[$2] " ") == 0 {
      printf "src/%s/%s: references %s of src/%s/%s: %s may not use %s\n", home[$1], $1, $3, home[$2], $2, home[$1], home[$2]
      bad = 1
    }
    END { exit bad }' - "$references" || failed=1
  if ! awk '{ print $1, $2 }' "$references" | tsort >/dev/null 2>"$references.cycle"; then
    echo "cycle of object files:"
    sed -n 's/^tsort: \(.*[.].*\)$/  \1/p' "$references.cycle" | grep -v 'contains a loop'
    failed=1
  fi
  count=$(wc -l <"$references" | tr -d ' ')
  rm -f "$references" "$references.cycle"
  [ "$failed" -ne 0 ] || echo "check_layers.sh: $count references between object files go downward, without cycles"
}

# A declaration begins in the first column. cuda_absent.c replaces cuda_operations.cu; both share cuda_backend.h.
check_declarations() {
  nm -A "$library" | awk '
    FILENAME == "-" {
      if ($(NF - 1) != "T") next
      file = $1
      sub(/:[0-9a-f]*$/, "", file)
      sub(/.*:/, "", file)
      sub(/[.].*/, "", file)
      home[$NF] = file == "cuda_absent" || $NF ~ /^cuda_backend_/ ? "cuda_backend" : file
      next
    }
    FNR == 1 { stem = FILENAME; sub(/.*\//, "", stem); sub(/[.][^.]*$/, "", stem) }
    /^[a-z]/ && !/^(static|typedef|extern|enum)/ {
      count = split($0, word, /[^a-z0-9_]+/)
      for (i = 1; i <= count; i++)
        if (word[i] in home) {
          declared++
          if (home[word[i]] == stem) continue
          printf "%s:%d: declares %s, a function of %s\n", FILENAME, FNR, word[i], home[word[i]]
          bad = 1
        }
    }
    END {
      if (!declared) print "no header of src declares a function of the library"
      if (!bad && declared) print "check_layers.sh: " declared " functions are declared in the headers of their own files"
      exit bad || !declared
    }' - $(grep -E '^src/.*[.](h|cuh)$' "$sources") || failed=1
}

if [ -n "$library" ]; then
  check_objects
  check_declarations
  [ "$failed" -eq 0 ] || echo "check_layers.sh: object files violate the layers, see above and the table in scripts/check_layers.sh"
  exit "$failed"
fi
check_includes
check_names
check_modules
scripts/file_map.sh --check || failed=1
if [ "$failed" -ne 0 ]; then
  echo "check_layers.sh: files violate the layers, see above and the table in scripts/check_layers.sh"
  exit 1
fi
echo "check_layers.sh: $(wc -l <"$sources" | tr -d ' ') source files follow the layers"
