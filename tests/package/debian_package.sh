#!/bin/sh
# Builds the Debian packages from a copy of the sources, not optimized and without CUDA, checks their contents, unpacks them into an
# empty folder, and compiles and runs a program with that folder through pkg-config. Prints "skipped: " if the tools are missing.
#
# usage: debian_package.sh SOURCE WORK VERSION
#
# WORK/libgraze.so and libgraze_io.so are then the shared libraries with their debug information, for scripts/check_abi.sh.
set -eu
source=$1
work=$2
version=$3
rm -rf "$work"
for tool in dpkg-buildpackage dh ninja scdoc pkg-config; do
  if ! command -v "$tool" >/dev/null 2>&1; then
    echo "skipped: there is no $tool to build Debian packages with"
    exit 0
  fi
done
fail() {
  echo "debian_package.sh: $1"
  exit 1
}

mkdir -p "$work/graze" "$work/unpacked"
tar -C "$source" -cf - --exclude=./.git --exclude='./build*' --exclude='./obj-*' --exclude=./report . | tar -C "$work/graze" -xf -
(cd "$work/graze" && DEB_BUILD_OPTIONS="nocheck noopt parallel=${JOBS:-2}" dpkg-buildpackage -us -uc -b) >"$work/build.log" 2>&1 || {
  tail -n 30 "$work/build.log"
  fail "dpkg-buildpackage failed"
}
ln -s "$(echo "$work"/graze/obj-*/src/libgraze.so)" "$work/libgraze.so"
ln -s "$(echo "$work"/graze/obj-*/io/libgraze_io.so)" "$work/libgraze_io.so"
[ "$(dpkg-parsechangelog -l "$source/debian/changelog" -S Version)" = "$version" ] || fail "debian/changelog does not begin with $version"
grep -m 1 '^## ' "$source/CHANGELOG.md" | grep -q "^## $version" || fail "CHANGELOG.md does not begin with $version"

# The contents of each package: every file except documents, with * as the folder of the architecture.
contents() {
  dpkg-deb -c "$work/$1_${version}_"*.deb | awk '!/^d/ { print $6 }' | grep -v '/usr/share/doc/' | sed 's|/usr/lib/[^/]*-linux-gnu[^/]*/|/usr/lib/*/|' | LC_ALL=C sort
}
minor=${version%.*}
headers=$(cd "$source/include" && { ls graze/*.h && echo graze/version.h; } | sed 's|^|./usr/include/|')
pages=$(cd "$source/docs/man" && for page in *.scd; do echo "./usr/share/man/man1/${page%.scd}.gz"; done)
expect() { # package, its files
  contents "$1" >"$work/$1.contents"
  echo "$2" | LC_ALL=C sort | diff - "$work/$1.contents" || fail "$1 does not hold what it should: < missing, > too much"
}
expect "libgraze$minor" "./usr/lib/*/libgraze.so.$minor
./usr/lib/*/libgraze.so.$version"
expect "libgraze-io$minor" "./usr/lib/*/libgraze_io.so.$minor
./usr/lib/*/libgraze_io.so.$version"
expect libgraze-dev "$headers
./usr/lib/*/cmake/graze/graze-config-version.cmake
./usr/lib/*/cmake/graze/graze-config.cmake
./usr/lib/*/cmake/graze/graze-io-targets-none.cmake
./usr/lib/*/cmake/graze/graze-io-targets.cmake
./usr/lib/*/cmake/graze/graze-targets-none.cmake
./usr/lib/*/cmake/graze/graze-targets.cmake
./usr/lib/*/libgraze.a
./usr/lib/*/libgraze.so
./usr/lib/*/libgraze_io.a
./usr/lib/*/libgraze_io.so
./usr/lib/*/pkgconfig/graze.pc
./usr/lib/*/pkgconfig/graze_io.pc"
schemas=$(cd "$source/docs/schema" && for schema in *.json; do echo "./usr/share/graze/schema/$schema"; done)
expect graze "./usr/bin/graze
$schemas
./usr/share/bash-completion/completions/graze
./usr/share/fish/vendor_completions.d/graze.fish
./usr/share/zsh/vendor-completions/_graze
$pages"

for package in "libgraze$minor" "libgraze-io$minor" libgraze-dev graze; do
  dpkg-deb -x "$work/${package}_${version}_"*.deb "$work/unpacked"
done
library_folder=$(dirname "$(echo "$work"/unpacked/usr/lib/*/libgraze.so)")
export PKG_CONFIG_PATH="$library_folder/pkgconfig" LD_LIBRARY_PATH="$library_folder"
# shellcheck disable=SC2046  # flags are meant to split into words
cc -std=c17 "$source/docs/first_program.c" -o "$work/by_shared" $(pkg-config --cflags --libs graze)
# shellcheck disable=SC2046
cc -std=c17 "$source/docs/first_program.c" -o "$work/by_static" $(pkg-config --static --cflags --libs graze | sed 's/-lgraze/-l:libgraze.a/')
# shellcheck disable=SC2046
cc -std=c17 "$source/docs/read_meshes.c" -o "$work/io_by_shared" $(pkg-config --cflags --libs graze_io) -Wl,-rpath-link,"$library_folder"
# shellcheck disable=SC2046
cc -std=c17 "$source/docs/read_meshes.c" -o "$work/io_by_static" $(pkg-config --static --cflags --libs graze_io |
  sed 's/-lgraze_io/-l:libgraze_io.a/; s/-lgraze /-l:libgraze.a /')
readelf -d "$work/io_by_shared" | grep -q "NEEDED.*libgraze_io.so.$minor]" || fail "the program does not ask for libgraze_io.so.$minor"
! readelf -d "$work/io_by_static" | grep -q libgraze || fail "the program asks for a shared library of graze"
for program in io_by_shared io_by_static; do
  (cd "$work" && "./$program") | grep -q "^1 pair$" || fail "$program printed something else"
done
readelf -d "$work/by_shared" | grep -q "NEEDED.*libgraze.so.$minor]" || fail "the program does not ask for libgraze.so.$minor"
! readelf -d "$work/by_static" | grep -q libgraze || fail "the program asks for the shared library"
for program in by_shared by_static; do
  [ "$("$work/$program")" = "triangle 0 meets triangle 1" ] || fail "$program printed something else"
done
"$work/unpacked/usr/bin/graze" --version | grep -q "$version" || fail "the tool is not of version $version"
cmake -D LIBRARY="$library_folder/libgraze.so" -D HEADERS="$source/include/graze" -P "$source/tests/package/check_names.cmake"
cmake -D LIBRARY="$library_folder/libgraze.a" -D HEADERS="$source/include/graze" -P "$source/tests/package/check_names.cmake"
for file in libgraze_io.so libgraze_io.a; do
  cmake -D LIBRARY="$library_folder/$file" -D HEADERS="$source/include/graze" -P "$source/tests/package/check_names.cmake"
done
echo "the Debian packages work from an unpacked tree"
