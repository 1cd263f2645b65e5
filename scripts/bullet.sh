#!/bin/sh
# Steps the scenes of the Bullet plug-in, then prints its speed table. Arguments are passed to graze_bullet_scenes.
#
# Writes tables to the screen and to report/bullet.txt, rows of the scenes to report/bullet.csv, frames and a picture of each
# last frame to report/bullet/. GRAZE_DATA names a folder of real meshes, for bunnies; without it, blobs fall.
set -eu
cd "$(dirname "$0")/.."
scripts/configure_release.sh
cmake --build --preset release -j "${JOBS:-$(nproc)}" --target graze_bullet_scenes graze_bullet_speed graze_cli
if [ ! -x build/graze_bullet_scenes ]; then
  echo "bullet.sh: the plug-in was not built: Bullet is not installed (Debian: libbullet-dev)" >&2
  exit 1
fi
rm -rf report/bullet
mkdir -p report/bullet
run_programs() {
  build/graze_bullet_scenes --csv report/bullet.csv --frames report/bullet "$@" && echo && build/graze_bullet_speed
}
# A pipe returns the status of tee.
{ run_programs "$@" || echo "bullet.sh: a program failed"; } | tee report/bullet.txt
if grep -q '^bullet.sh: ' report/bullet.txt; then exit 1; fi
# Status 1 of graze play: something intersects.
for folder in report/bullet/*; do
  build/graze play "$folder" --separate --quiet --picture "$folder.png" || [ $? -eq 1 ]
done
echo "tables: $PWD/report/bullet.txt, $PWD/report/bullet.csv"
echo "frames and pictures: $PWD/report/bullet"
