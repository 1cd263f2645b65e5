#!/bin/sh
# Checks a large scene as a whole, by slabs of two sizes, and by four ranks; all must have the same hash.
#
# usage: scripts/large.sh [TRIANGLES [FOLDER]]      20,000,000 triangles in a temporary folder by default
#
# WHOLE=no omits the check as a whole, which takes about 150 bytes of memory per triangle; RANKS=0 omits the ranks. Writes 19
# bytes per triangle to FOLDER, and removes them at the end.
set -eu
cd "$(dirname "$0")/.."
triangles=${1:-20000000}
folder=$(mktemp -d "${2:-/tmp}/large.XXXXXX")
trap 'rm -rf "$folder"' EXIT
file=$folder/sheets.ply
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# Status 1: something intersects.
check() {
  echo "$*"
  "$@" >"$folder/words" || [ $? -eq 1 ]
  grep -E "[0-9] triangles|^note  the largest" "$folder/words" | head -2
  sed -n 's/.*hash  *\([0-9a-f]*\)$/\1/p' "$folder/words" >>"$folder/hashes"
}

/usr/bin/python3 scripts/large_sheets.py "$triangles" "$file"
[ "${WHOLE:-yes}" = no ] || check build/graze check "$file"
check build/graze check "$file" --memory "$((triangles * 40))"
check build/graze check "$file" --memory "$((triangles * 100))"
[ "${RANKS:-4}" -eq 0 ] || check mpirun -q -np "${RANKS:-4}" build/graze-mpi check "$file"
if [ "$(sort -u "$folder/hashes" | wc -l)" -ne 1 ]; then
  echo "large.sh: the hashes differ" >&2
  exit 1
fi
