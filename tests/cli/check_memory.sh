#!/bin/sh
# usage: check_memory.sh GRAZE WORK
#
# Compares `graze check --memory` with `graze check`: the same hash and exit status for one slab and for many; and tests its errors.
set -eu
graze=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
  echo "FAILED: $*"
  exit 1
}

# memory, least number of slabs, arguments
same() {
  memory=$1 slabs=$2
  shift 2
  wanted_status=0 status=0
  "$graze" check "$@" >wanted.txt || wanted_status=$?
  "$graze" check "$@" --memory "$memory" >found.txt || status=$?
  [ "$status" -eq "$wanted_status" ] || fail "$*: exit status $status, without --memory $wanted_status"
  [ "$(sed -n 's/^hash  //p' found.txt)" = "$(sed -n 's/^hash  //p' wanted.txt)" ] || fail "$*: $(cat found.txt)"
  found_slabs=$(sed -n 's/.*, \([0-9,]*\) slabs*, .*/\1/p' found.txt | tr -d ,)
  [ "$found_slabs" -ge "$slabs" ] || fail "$*: $found_slabs slabs"
}

refused() {
  words=$1
  shift
  status=0
  "$graze" check "$@" >found.txt 2>errors.txt || status=$?
  [ "$status" -eq 2 ] || fail "$*: exit status $status"
  grep -q -- "$words" errors.txt || fail "$*: $(cat errors.txt)"
}

"$graze" make torus --primitives 2000 --quiet --output torus.ply
"$graze" make folded-cloth --primitives 3000 --quiet --output folds.ply
"$graze" make soup --primitives 1000 --quiet --output soup.ply
"$graze" make torus --primitives 500 --quiet --output torus.obj
"$graze" make folded-cloth --primitives 3000 --quiet --output folds.stl
"$graze" make torus --primitives 2000 --quiet --output torus.STL
"$graze" make folded-cloth --primitives 20 --quiet --output few.stl

same 1G 1 folds.ply
same 100K 6 folds.ply
same 20K 30 folds.ply --neighbors skip
same 50K 8 torus.ply
same 100K 10 torus.ply folds.ply soup.ply --self
same 100K 10 torus.ply folds.ply soup.ply
same 60K 5 soup.ply torus.ply --clearance 0.05

# The pairs of all slabs are one sorted list, that of graze check.
same_pairs() {
  memory=$1
  shift
  "$graze" check "$@" --quiet --csv wanted.csv || [ $? -eq 1 ]
  "$graze" check "$@" --quiet --memory "$memory" --csv found.csv || [ $? -eq 1 ]
  cmp found.csv wanted.csv || fail "$*: other pairs with --memory $memory"
  "$graze" check "$@" --memory "$memory" --csv - >found.csv 2>words.txt || [ $? -eq 1 ]
  cmp found.csv wanted.csv || fail "$*: other pairs on standard output"
  grep -q '^hash' words.txt || fail "$*: no verdict beside the pairs: $(cat words.txt)"
}
same_pairs 50K folds.ply
same_pairs 50K torus.STL folds.stl soup.ply --self
same_pairs 50K torus.ply

# Every vertex is in several ranges: equal positions are the same vertex in all of them.
same 1G 1 folds.stl
same 20K 30 folds.stl
same 20K 30 folds.stl --neighbors skip
same 10K 40 torus.STL
same 50K 10 torus.STL folds.stl soup.ply --self

refused "takes a number of bytes" torus.ply --memory 8Q
refused "takes a number of bytes" torus.ply --memory 0
refused "takes a number of bytes" torus.ply --memory 99999999T
refused "takes at least 8K, not \"1\"" torus.ply --memory 1
refused "takes at least 8K, not \"7K\"" torus.ply --memory 7K
same 8K 80 torus.STL
cp few.stl infinite.stl
printf '\0\0\300\177' | dd of=infinite.stl bs=1 seek=$((84 + 50 * 7 + 24 + 4)) conv=notrunc 2>/dev/null
refused "infinite.stl: triangle 7 has the y coordinate nan at corner 1, which is not a finite number" infinite.stl --memory 1M
{
  printf 'ply\nformat binary_little_endian 1.0\nelement vertex 400\n'
  printf 'property float x\nproperty float y\nproperty float z\n'
  printf 'element face 1\nproperty list uchar int vertex_indices\nend_header\n'
  head -c 4796 /dev/zero
  printf '\0\0\300\177\3\0\0\0\0\1\0\0\0\2\0\0\0'
} >unused.ply
refused "unused.ply: coordinate z of vertex 399 is not finite" unused.ply --memory 1M
head -c 500 few.stl >short.stl
refused "binary STL, or little-endian binary PLY of triangles; short.stl is not one" short.stl --memory 1M
# Spheres may have an element for faces, without any.
{
  printf 'ply\nformat binary_little_endian 1.0\nelement vertex 2\n'
  printf 'property float x\nproperty float y\nproperty float z\nproperty float radius\n'
  printf 'element face 0\nproperty list uchar int vertex_indices\nend_header\n'
  printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\77\0\0\200\77\0\0\0\0\0\0\0\0\0\0\0\77'
} >spheres.ply
refused "binary PLY of triangles; spheres.ply is not one" spheres.ply --memory 1M
refused "binary PLY of triangles; torus.obj is not one" torus.obj --memory 1M
refused "absent.ply: cannot be opened: No such file or directory" absent.ply --memory 1M

# Ten million triangles, without their bytes: refused before a table of all slabs that each range reaches takes the memory.
head -c 80 /dev/zero >many.stl
printf '\200\226\230\0' >>many.stl
truncate -s 500000084 many.stl
refused "is too low: it would need 58,480 slabs for 10,000,000 triangles" many.stl --memory 64K
mkfifo pipe.stl
refused "pipe.stl is not one" pipe.stl --memory 1M
refused "cannot be combined with --candidates" torus.ply --memory 1M --candidates
refused "cannot be combined with --units" torus.ply --memory 1M --clearance 0.1 --units mm
refused "cannot be combined with --report" torus.ply --memory 1M --report page.html
refused "cannot be combined with --bcf" torus.ply --memory 1M --bcf clashes.bcf
refused "cannot be combined with --csv" torus.ply --memory 1M --clearance 0.1 --csv pairs.csv
refused "nowhere/pairs.csv" torus.ply --memory 1M --csv nowhere/pairs.csv
echo "slabs have the pairs of the whole"
