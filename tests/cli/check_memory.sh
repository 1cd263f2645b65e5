#!/bin/sh
# usage: check_memory.sh GRAZE WORK
#
# `graze check --memory` against `graze check`: the same hash and exit status for one slab and for many; and what it refuses.
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

same 1G 1 folds.ply
same 100K 6 folds.ply
same 20K 30 folds.ply --neighbors skip
same 50K 8 torus.ply
same 100K 10 torus.ply folds.ply soup.ply --self
same 100K 10 torus.ply folds.ply soup.ply
same 60K 5 soup.ply torus.ply --clearance 0.05

refused "takes a number of bytes" torus.ply --memory 8Q
refused "takes a number of bytes" torus.ply --memory 0
refused "takes a number of bytes" torus.ply --memory 99999999T
refused "binary PLY files of triangles" torus.obj --memory 1M
refused "binary PLY files of triangles" absent.ply --memory 1M
refused "--csv does not go with it" torus.ply --memory 1M --csv pairs.csv
echo "slabs have the pairs of the whole"
