#!/bin/sh
# usage: graze_mpi_play.sh GRAZE GRAZE_MPI MPIEXEC NUMPROC_FLAG WORK
#
# `graze-mpi play` against `graze play`: the same frames, pairs, hashes and exit status, for files that are read by ranges and files
# that are not, for scene files and built-in scenes, and for any number of ranks; and what it refuses.
set -eu
graze=$1 graze_mpi=$2 mpiexec=$3 flag=$4 work=$5
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
  echo "FAILED: $*"
  exit 1
}

# The columns that do not depend on how it was found: all but times, candidates, vertices (STL) and the method.
answers() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(frame|pairs|pairs_within|pairs_between|colliding.*|objects|primitives|hash|file)$/) keep[++n] = i }
    { line = ""; for (i = 1; i <= n; i++) line = line "," $keep[i]; print line }' "$1"
}

# ranks, arguments
same() {
  ranks=$1
  shift
  wanted_status=0 status=0
  "$graze" play "$@" --csv wanted.csv --quiet 2>wanted_errors.txt || wanted_status=$?
  timeout 60 "$mpiexec" "$flag" "$ranks" "$graze_mpi" play "$@" --csv found.csv >found.txt 2>errors.txt || status=$?
  [ "$status" -eq "$wanted_status" ] || fail "$ranks ranks, $*: exit status $status, graze has $wanted_status: $(cat errors.txt)"
  answers wanted.csv >wanted_answers.csv
  answers found.csv >found_answers.csv
  cmp -s wanted_answers.csv found_answers.csv || fail "$ranks ranks, $*: $(diff wanted_answers.csv found_answers.csv)"
  hash=$("$graze" play "$@" 2>/dev/null | sed -n 's/^hash *//p')
  [ "$(sed -n 's/^hash *//p' found.txt)" = "$hash" ] || fail "$ranks ranks, $*: $(cat found.txt); graze has $hash"
  rm wanted.csv found.csv
}

for i in 1 2 3 4; do
  "$graze" make folded-cloth --primitives 1500 --seed $((i / 3 + 1)) --quiet --output "cloth$i.ply"
  "$graze" make folded-cloth --primitives $((600 + 100 * i)) --seed "$i" --quiet --output "sheet$i.stl"
  "$graze" make tet-pair --primitives 300 --seed "$i" --quiet --output "tets$i.vtk"
  "$graze" make spheres --primitives 200 --seed "$i" --quiet --output "balls$i.csv"
done
"$graze" make torus --primitives 800 --quiet --output torus.obj
cat >scene.json <<'JSON'
{
  "format": "graze-scene",
  "version": 1,
  "objects": [
    {"name": "a", "file": "torus.obj"},
    {"name": "b", "file": "torus.obj", "pose": {"translation": [0.5, 0, 0], "axis": [0, 0, 1], "degrees": 5}},
    {"name": "c", "file": "cloth1.ply"}
  ],
  "exclude": [["a", "c"]],
  "frames": [{}, {"b": {"translation": [0.1, 0.2, 0]}}, {"c": {"translation": [0, 0, 0.3]}}]
}
JSON

for ranks in 1 2 3 4; do same "$ranks" cloth1.ply cloth2.ply cloth3.ply cloth4.ply; done
same 3 'sheet%d.stl' --neighbors beyond
same 2 'cloth%d.ply' 'sheet*.stl' torus.obj --self
same 3 'cloth%d.ply' 'tets%d.vtk' 'balls*.csv' --exclude 0,1
same 4 'sheet%d.stl' --separate --method tree
"$graze" play scene.json --quiet 2>errors.txt || [ $? -le 1 ] || fail "the scene file: $(cat errors.txt)"
for ranks in 1 3; do same "$ranks" scene.json; done
same 2 scene.json --method clusters
same 2 'cloth%d.ply' 'tets[13].vtk' --self # frames without the second object
for scene in exploding-solid breaking-solid soft-net packings; do same 3 "$scene" --primitives 600 --frames 4; done
same 2 cloth-ball --primitives 600 --frames 3
"$mpiexec" "$flag" 2 "$graze_mpi" play 'cloth%d.ply' --json found.json --quiet >nothing.txt 2>errors.txt || true
[ ! -s nothing.txt ] || fail "--quiet prints something: $(cat nothing.txt)"
grep -q '"record":"play"' found.json || grep -q '"record": "play"' found.json || fail "the JSON: $(head -c 200 found.json)"

# Errors: one message, exit status 2, and an end.
refused() {
  ranks=$1 words=$2
  shift 2
  status=0
  timeout 60 "$mpiexec" "$flag" "$ranks" "$graze_mpi" play "$@" >found.txt 2>errors.txt || status=$?
  [ "$status" -eq 2 ] || fail "$*: exit status $status: $(cat errors.txt)"
  [ "$(grep -c '^graze-mpi: ' errors.txt)" -eq 1 ] || fail "$*: not one message: $(cat errors.txt)"
  grep -q "^graze-mpi: $words" errors.txt || fail "$*: $(cat errors.txt)"
}
header=$(sed -n '1,/^end_header/p' cloth2.ply | wc -c)
vertices=$(sed -n 's/^element vertex //p' cloth2.ply)
bytes=$((24 * (vertices - 1)))
cp cloth2.ply infinite2.ply
cp cloth1.ply infinite1.ply
cp cloth3.ply infinite3.ply
printf '\0\0\0\0\0\0\360\177' | dd of=infinite2.ply bs=1 seek=$((header + bytes)) conv=notrunc 2>/dev/null
refused 3 "rank [0-2]: infinite2.ply: coordinate x of vertex $((vertices - 1)) is not finite" 'infinite%d.ply'
grep -q "^1 frame: \|^.*1 frame:" found.txt || fail "the frame before the failure is not told: $(cat found.txt)"
refused 3 "rank [0-2]: infinite2.ply: coordinate x" 'infinite%d.ply' --keep-going
grep -q "2 frames:" found.txt || fail "--keep-going does not play the frames around it: $(cat found.txt)"
rm infinite3.ply
refused 2 "absent.ply: " absent.ply cloth1.ply
refused 2 'there is no scene "nosuch"' nosuch
refused 2 "play has no option --picture" cloth1.ply --picture x.png
cp torus.obj broken1.obj
cp torus.obj broken2.obj
echo "f 1 2 999999" >>broken2.obj
refused 3 "broken2.obj" 'broken%d.obj'
echo "graze-mpi plays as graze does"
