#!/bin/sh
# usage: graze_mpi_check.sh GRAZE GRAZE_MPI MPIEXEC NUMPROC_FLAG WORK
#
# `graze-mpi check` against `graze check`: the same hash, the same pairs, the same exit status, for files of all kinds, read by
# ranges and as a whole, and for any number of ranks; and what it refuses.
set -eu
graze=$1 graze_mpi=$2 mpiexec=$3 flag=$4 work=$5
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
  echo "FAILED: $*"
  exit 1
}

# ranks, arguments: one verdict line of the hash of graze, its exit status, and its JSON record but for the members that depend on how
# the pairs were found.
same() {
  ranks=$1
  shift
  wanted_status=0 status=0
  "$graze" check "$@" --json wanted.json >wanted.txt || wanted_status=$?
  "$mpiexec" "$flag" "$ranks" "$graze_mpi" check "$@" --json found.json >found.txt 2>errors.txt || status=$?
  hash=$(sed -n 's/^hash  //p' wanted.txt)
  [ "$status" -eq "$wanted_status" ] || fail "$ranks ranks, $*: exit status $status, graze has $wanted_status: $(cat errors.txt)"
  [ "$(wc -l <found.txt)" -eq 1 ] || fail "$ranks ranks, $*: not one line: $(cat found.txt)"
  grep -q ", hash $hash\$" found.txt || fail "$ranks ranks, $*: $(cat found.txt); graze has $hash"
  for record in wanted found; do
    sed '/"pair_points"/,/^\]/d; /"pair_distances"/,/^\]/d; /"pair_nearest_points"/,/^\]/d; /^"wrenches"/,/^\]/d; /^"solid"/d
      /^"ranks"/d; /^"timings_ms"/d; /^"counters"/d; s/"vertices":[0-9]*/"vertices":0/' $record.json >$record.lines
  done
  cmp -s wanted.lines found.lines || fail "$ranks ranks, $*: $(diff wanted.lines found.lines)"
  grep -q "^\"ranks\":{\"count\":$ranks" found.json || fail "the record has no ranks: $(tail -3 found.json)"
}

# Two tetrahedra that cross, in words.
write_text_stl() {
  echo "solid two"
  for move in 0 0.3; do
    for face in "0 1 2" "0 3 1" "1 3 2" "0 2 3"; do
      echo "facet normal 0 0 0 outer loop"
      for corner in $face; do
        case $corner in
        0) echo "vertex $move 0 $move" ;;
        1) echo "vertex 1 0 $move" ;;
        2) echo "vertex 0 1 0" ;;
        3) echo "vertex 0 $move 1" ;;
        esac
      done
      echo "endloop endfacet"
    done
  done
  echo "endsolid two"
}

"$graze" make torus --primitives 2000 --quiet --output torus.ply
"$graze" make blob --primitives 3000 --quiet --output blob.stl
"$graze" make folded-cloth --primitives 3000 --quiet --output folds.ply
"$graze" make folded-cloth --primitives 3000 --quiet --output folds.stl
gzip -k folds.stl
write_text_stl >text.stl
"$graze" make tet-pair --primitives 500 --quiet --output tets.vtk
"$graze" make spheres --primitives 500 --quiet --output balls.csv
"$graze" make cells --primitives 300 --quiet --output cells.vtk

same 1 torus.ply
same 3 folds.ply
same 2 torus.ply blob.stl
same 3 torus.ply blob.stl folds.ply --self
same 3 blob.stl
same 7 folds.stl
same 4 folds.stl --neighbors skip
same 2 tets.vtk
same 3 text.stl folds.stl.gz --self
same 3 cells.vtk balls.csv --self
same 7 folds.ply torus.ply folds.ply --self --clearance 0.01

# Options of graze check: objects that are moved, left out, split; the first pairs; objects only; a scene file; a folder.
"$graze" make torus --primitives 800 --quiet --output torus.obj
cat >scene.json <<'JSON'
{"format": "graze-scene", "version": 1, "objects": [{"name": "a", "file": "torus.obj"},
  {"name": "b", "file": "torus.obj", "pose": {"translation": [0.5, 0, 0]}}, {"name": "c", "file": "folds.ply"}],
  "exclude": [["a", "c"]]}
JSON
mkdir -p parts
cp torus.ply blob.stl parts
same 2 torus.ply folds.ply torus.obj folds.stl --exclude 0,2 --exclude torus.ply,folds.ply --self --move 0=0.25,0,0 --rotate 2=10,0,0
same 4 folds.ply torus.ply --limit 7 --self
same 3 torus.ply folds.ply torus.obj --touching
same 2 text.stl blob.stl --separate --candidates
same 3 scene.json --self
same 2 parts --clearance 0.5

# Spheres may have an element for faces, without any.
{
  printf 'ply\nformat binary_little_endian 1.0\nelement vertex 2\n'
  printf 'property float x\nproperty float y\nproperty float z\nproperty float radius\n'
  printf 'element face 0\nproperty list uchar int vertex_indices\nend_header\n'
  printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\77\0\0\200\77\0\0\0\0\0\0\0\0\0\0\0\77'
} >spheres.ply
same 3 spheres.ply
[ "$wanted_status" -eq 1 ] || fail "the spheres do not intersect"

"$graze" check folds.ply torus.ply --self --csv wanted.csv --quiet || true
"$mpiexec" "$flag" 3 "$graze_mpi" check folds.ply torus.ply --self --csv found.csv --quiet >nothing.txt 2>errors.txt || true
cmp wanted.csv found.csv || fail "the pairs differ"
# If one file cannot be written, the other is not replaced.
echo before >kept.json
status=0
"$mpiexec" "$flag" 2 "$graze_mpi" check folds.ply --json kept.json --csv nowhere/pairs.csv --quiet >nothing.txt 2>errors.txt || status=$?
[ "$status" -eq 2 ] && [ "$(cat kept.json)" = before ] || fail "a file that cannot be written: $status: $(cat errors.txt)"
[ "$(wc -l <wanted.csv)" -gt 1 ] || fail "there is no pair to compare"
[ ! -s nothing.txt ] || fail "--quiet prints something"

# One message, and exit status 2, of rank 0: options that are refused, and objects that do not exist.
refused_options() {
  words=$1
  shift
  status=0
  "$mpiexec" "$flag" 2 "$graze_mpi" check "$@" >found.txt 2>errors.txt || status=$?
  [ "$status" -eq 2 ] && [ "$(grep -c '^graze-mpi: ' errors.txt)" -eq 1 ] && grep -q "^graze-mpi: $words" errors.txt ||
    fail "$*: exit status $status: $(cat errors.txt)"
}
refused_options "check has no option --devices" folds.ply --devices 2
refused_options "--device selects a CUDA device; it requires --backend cuda" folds.ply --device 0,1
refused_options "--move 4=0,0,1: there is no object 4" folds.ply torus.ply --move 4=0,0,1
refused_options "--limit lists only the first pairs" folds.ply --limit 2 --touching
refused_options "absent.ply: cannot be opened" absent.ply
head -c 84 /dev/zero >none.stl
refused_options "none.stl: no triangle, polygon, tetrahedron, polyhedron or sphere was read" torus.ply none.stl

# A part of a binary PLY file is refused by its rank: vertices that are not there, coordinates that are none.
refused() {
  status=0
  "$mpiexec" "$flag" 3 "$graze_mpi" check "$2" >found.txt 2>errors.txt || status=$?
  [ "$status" -eq 2 ] || fail "$2: exit status $status"
  grep -q "^graze-mpi: \(rank [0-2]: \)\{0,1\}$2: $1" errors.txt || fail "$2: $(cat errors.txt)"
}
header=$(sed -n '1,/^end_header/p' torus.ply | wc -c)
vertices=$(sed -n 's/^element vertex //p' torus.ply)
faces=$(sed -n 's/^element face //p' torus.ply)
cp torus.ply index.ply
printf '\377\377\377\377' | dd of=index.ply bs=1 seek=$((header + vertices * 24 + 13 * (faces - 1) + 1)) conv=notrunc 2>/dev/null
refused "face $((faces - 1)) refers to vertex 4294967295; the file has $vertices vertices" index.ply
cp torus.ply infinite.ply
printf '\0\0\0\0\0\0\360\177' | dd of=infinite.ply bs=1 seek=$((header + 24 * 7)) conv=notrunc 2>/dev/null
refused "coordinate x of vertex 7 is not finite" infinite.ply
{
  printf 'ply\nformat binary_little_endian 1.0\nelement vertex 400\n'
  printf 'property float x\nproperty float y\nproperty float z\n'
  printf 'element face 1\nproperty list uchar int vertex_indices\nend_header\n'
  head -c 4796 /dev/zero
  printf '\0\0\300\177\3\0\0\0\0\1\0\0\0\2\0\0\0'
} >unused.ply
refused "coordinate z of vertex 399 is not finite" unused.ply
cp folds.stl infinite.stl
printf '\0\0\300\177' | dd of=infinite.stl bs=1 seek=$((84 + 50 * 2000 + 12)) conv=notrunc 2>/dev/null
refused "triangle 2000 has the x coordinate nan at corner 0, which is not a finite number" infinite.stl
{
  printf 'ply\nformat binary_little_endian 1.0\nelement vertex 3\n'
  printf 'property float x\nproperty float y\nproperty float z\nproperty float x\n'
  printf 'element face 1\nproperty list uchar int vertex_indices\nend_header\n'
  head -c 48 /dev/zero
  printf '\3\0\0\0\0\1\0\0\0\2\0\0\0'
} >twice.ply
refused "element vertex needs the properties x, y and z, each once" twice.ply

# Ranks that open different files of one name: what a rank finds if the file is replaced meanwhile.
mkdir -p here there
cp torus.ply here/moved.ply
cp folds.ply there/moved.ply
status=0
"$mpiexec" "$flag" 1 sh -c "cd here && exec '$graze_mpi' check moved.ply" : \
  "$flag" 2 sh -c "cd there && exec '$graze_mpi' check moved.ply" >found.txt 2>errors.txt || status=$?
[ "$status" -eq 2 ] || fail "different files: exit status $status: $(cat found.txt)"
grep -q "^graze-mpi: rank [12]: moved.ply: the file has changed, or is not the file of rank 0" errors.txt ||
  fail "different files: $(cat errors.txt)"
echo "graze-mpi agrees with graze"
