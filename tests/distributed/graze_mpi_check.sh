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

# ranks, arguments: one verdict line of the hash of graze, and its exit status
same() {
  ranks=$1
  shift
  wanted_status=0 status=0
  "$graze" check "$@" >wanted.txt || wanted_status=$?
  "$mpiexec" "$flag" "$ranks" "$graze_mpi" check "$@" >found.txt 2>errors.txt || status=$?
  hash=$(sed -n 's/^hash  //p' wanted.txt)
  [ "$status" -eq "$wanted_status" ] || fail "$ranks ranks, $*: exit status $status, graze has $wanted_status: $(cat errors.txt)"
  [ "$(wc -l <found.txt)" -eq 1 ] || fail "$ranks ranks, $*: not one line: $(cat found.txt)"
  grep -q ", hash $hash\$" found.txt || fail "$ranks ranks, $*: $(cat found.txt); graze has $hash"
}

"$graze" make torus --primitives 2000 --quiet --output torus.ply
"$graze" make blob --primitives 3000 --quiet --output blob.stl
"$graze" make folded-cloth --primitives 3000 --quiet --output folds.ply
"$graze" make tet-pair --primitives 500 --quiet --output tets.vtk
"$graze" make spheres --primitives 500 --quiet --output balls.csv
"$graze" make cells --primitives 300 --quiet --output cells.vtk

same 1 torus.ply
same 3 folds.ply
same 2 torus.ply blob.stl
same 3 torus.ply blob.stl folds.ply --self
same 2 tets.vtk
same 3 cells.vtk balls.csv --self
same 7 folds.ply torus.ply folds.ply --self --clearance 0.01

"$graze" check folds.ply torus.ply --self --csv wanted.csv --quiet || true
"$mpiexec" "$flag" 3 "$graze_mpi" check folds.ply torus.ply --self --csv found.csv --quiet >nothing.txt 2>errors.txt || true
cmp wanted.csv found.csv || fail "the pairs differ"
[ "$(wc -l <wanted.csv)" -gt 1 ] || fail "there is no pair to compare"
[ ! -s nothing.txt ] || fail "--quiet prints something"

# A part of a binary PLY file is refused by its rank: vertices that are not there, coordinates that are none.
refused() {
  status=0
  "$mpiexec" "$flag" 3 "$graze_mpi" check "$2" >found.txt 2>errors.txt || status=$?
  [ "$status" -eq 2 ] || fail "$2: exit status $status"
  grep -q "^graze-mpi: rank [0-2]: $2: $1" errors.txt || fail "$2: $(cat errors.txt)"
}
header=$(sed -n '1,/^end_header/p' torus.ply | wc -c)
vertices=$(sed -n 's/^element vertex //p' torus.ply)
faces=$(sed -n 's/^element face //p' torus.ply)
cp torus.ply index.ply
printf '\377\377\377\177' | dd of=index.ply bs=1 seek=$((header + vertices * 24 + 13 * (faces - 1) + 1)) conv=notrunc 2>/dev/null
refused "face $((faces - 1)) refers to vertex 2147483647; the file has $vertices vertices" index.ply
cp torus.ply infinite.ply
printf '\0\0\0\0\0\0\360\177' | dd of=infinite.ply bs=1 seek=$((header + 24 * 7)) conv=notrunc 2>/dev/null
refused "coordinate x of vertex 7 is not finite" infinite.ply
refused "cannot be opened" absent.ply
echo "graze-mpi agrees with graze"
