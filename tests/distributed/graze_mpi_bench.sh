#!/bin/sh
# usage: graze_mpi_bench.sh GRAZE GRAZE_MPI MPIEXEC NUMPROC_FLAG WORK
#
# `graze-mpi bench`: a line for each number of ranks and frame, with the hashes of `graze play`; nothing is sent where nothing moves, and
# no more than 120 bytes for a new primitive of an indexed mesh in single precision, 40 on the average of a border.
set -eu
graze=$1 graze_mpi=$2 mpiexec=$3 flag=$4 work=$5
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
  echo "FAILED: $*"
  exit 1
}

"$graze" make folded-cloth --primitives 4000 --seed 1 --quiet --output cloth1.ply
cp cloth1.ply cloth2.ply
"$graze" make folded-cloth --primitives 4000 --seed 2 --quiet --output cloth3.ply
"$mpiexec" "$flag" 3 "$graze_mpi" bench 'cloth%d.ply' --json found.json >found.txt 2>errors.txt || fail "exit status $?: $(cat errors.txt)"
[ "$(grep -c '"ranks":' found.json)" -eq 9 ] || fail "not three frames by 1, 2 and 3 ranks: $(cat found.json)"
grep -q '^3 ranks: ' found.txt || fail "no ratio of 3 ranks: $(cat found.txt)"
"$graze" play 'cloth%d.ply' --json wanted.json --quiet || true
for frame in 1 2 3; do
  hash=$(grep "\"frame\": *$frame," wanted.json | sed -n 's/.*"hash": *"\([0-9a-f]*\)".*/\1/p')
  [ "$(grep -c "\"frame\": *$frame,.*\"hash\": *\"$hash\"" found.json)" -eq 3 ] || fail "frame $frame: not hash $hash: $(cat found.json)"
done
awk '$1 == 3 && $2 == 2 && NF == 15 { exit !($11 > 0 && $12 == 0 && $13 == 0) }' found.txt ||
  fail "a frame that is the one before sends something: $(cat found.txt)"
awk '$1 ~ /^[23]$/ && $2 ~ /^[13]$/ && NF == 15 && ($12 == 0 || $14 > 120) { bad = 1 } END { exit bad }' found.txt ||
  fail "too many bytes for a primitive: $(cat found.txt)"
status=0
"$mpiexec" "$flag" 2 "$graze_mpi" bench nosuch >found.txt 2>errors.txt || status=$?
[ "$status" -eq 2 ] && grep -q '^graze-mpi: there is no scene "nosuch"' errors.txt || fail "nosuch: $status: $(cat errors.txt)"
status=0
"$mpiexec" "$flag" 2 "$graze_mpi" bench n-body --csv rows.csv >found.txt 2>errors.txt || status=$?
[ "$status" -eq 2 ] && grep -q '^graze-mpi: bench has no option --csv' errors.txt || fail "--csv: $status: $(cat errors.txt)"
"$mpiexec" "$flag" 2 "$graze_mpi" bench 'cloth%d.ply' --json - >found.json 2>words.txt || fail "--json -: $?: $(cat words.txt)"
[ "$(grep -c '"ranks":' found.json)" -eq 6 ] && grep -q '^2 ranks: ' words.txt || fail "--json -: $(cat found.json words.txt)"
# A bench that is ended has measured nothing.
"$mpiexec" "$flag" 1 sh -c 'echo $$ >pid.txt; exec "$@"' sh "$graze_mpi" bench n-body --primitives 20000 --frames 100000 --json stopped.json \
  >found.txt 2>errors.txt &
for wait in 1 2 3 4 5 6 7 8 9 10; do
  [ -s pid.txt ] && break
  sleep 0.3
done
sleep 2
kill "$(cat pid.txt)"
status=0
wait $! || status=$?
[ "$status" -eq 130 ] && [ ! -e stopped.json ] && ! grep -q 'ranks: ' found.txt || fail "ended: $status: $(cat found.txt errors.txt)"
echo "graze-mpi bench measures what graze plays"
