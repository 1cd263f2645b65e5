#!/bin/sh
# Compares the binary interface of the shared libraries with their base lines, abi/libgraze-VERSION-ARCHITECTURE.abi and that of
# libgraze_io, and fails on any difference; see docs/reference/abi.md. Prints "skipped" if abigail-tools is not installed.
#
# usage: scripts/check_abi.sh [--update] [--library FILE]
#
#   --update         rewrite the base lines instead
#   --library FILE   use this libgraze.so for the architecture of the machine, with debug information, and the libgraze_io.so
#                    next to it
#
# Without FILE, or if it does not exist, the library is built under build-abi/ without optimization: for this machine, and for each
# other architecture with a cross compiler. The interface of libgraze_io does not contain zlib, so an empty zlib replaces that of
# another architecture.
set -eu
cd "$(dirname "$0")/.."
update=false
library=
while [ $# -gt 0 ]; do
  case $1 in
  --update) update=true ;;
  --library)
    library=${2:?check_abi.sh: --library needs a file}
    shift
    ;;
  *)
    echo "check_abi.sh: unknown argument '$1'; usage: scripts/check_abi.sh [--update] [--library FILE]" >&2
    exit 2
    ;;
  esac
  shift
done
if ! command -v abidw >/dev/null 2>&1 || ! command -v abidiff >/dev/null 2>&1; then
  echo "check_abi.sh: skipped: abigail-tools is not installed"
  exit 0
fi
version=$(sed -n 's/^project(graze VERSION \([0-9]*[.][0-9]*\)[.].*/\1/p' CMakeLists.txt)
machine=$(uname -m)
failed=0
today=$(mktemp)
trap 'rm -f "$today"' EXIT

# Omits types that no public header defines, and the folder of the sources. Both sides of a comparison are written this way.
write_interface() { # library, file
  abidw --exported-interfaces-only --headers-dir include/graze --drop-private-types --drop-undefined-syms --no-elf-needed \
    --no-corpus-path --no-comp-dir-path --no-show-locs --no-parameter-names --type-id-style hash --out-file "$2" "$1"
  sed -i "s|path='$PWD/|path='|" "$2"
}

build() { # architecture; prints the library
  folder=build-abi/$1
  compiler=cc
  set -- "$1" -D GRAZE_IO=ON
  if [ "$1" != "$machine" ]; then
    compiler=$1-linux-gnu-gcc
    zlib=$PWD/$folder/zlib
    mkdir -p "$zlib"
    for header in zlib.h zconf.h; do
      cp "$(ls "/usr/include/$header" "/usr/include/$machine-linux-gnu/$header" 2>/dev/null | head -n 1)" "$zlib"
    done
    ar rc "$zlib/libz.a"
    set -- "$@" -D ZLIB_INCLUDE_DIR="$zlib" -D ZLIB_LIBRARY="$zlib/libz.a"
  fi
  architecture=$1
  shift
  scripts/require_cmake.sh >&2
  if ! { cmake -S . -B "$folder" -G Ninja -D CMAKE_SYSTEM_NAME=Linux -D CMAKE_SYSTEM_PROCESSOR="$architecture" -D CMAKE_C_COMPILER="$compiler" \
    -D CMAKE_BUILD_TYPE=Debug -D CMAKE_C_FLAGS_DEBUG="-O0 -g" -D BUILD_SHARED_LIBS=ON -D GRAZE_CUDA=OFF -D GRAZE_TOOLS=OFF \
    "$@" -D GRAZE_TESTS=OFF && cmake --build "$folder" --target product -j "${JOBS:-$(nproc)}"; } >"$folder.log" 2>&1; then
    tail -n 20 "$folder.log" >&2
    return 1
  fi
  echo "$folder/src/libgraze.so"
}

check() { # architecture, libgraze.so
  check_library "$1" "$2" libgraze
  for io in "${2%/*}/libgraze_io.so" "${2%/*}/../io/libgraze_io.so"; do
    [ ! -f "$io" ] || check_library "$1" "$io" libgraze_io
  done
}

check_library() { # architecture, library, its name
  base_line=abi/$3-$version-$1.abi
  if $update; then
    mkdir -p abi
    write_interface "$2" "$base_line"
    echo "check_abi.sh: wrote $base_line; CHANGELOG.md must state what changed"
    return
  fi
  if [ ! -f "$base_line" ]; then
    echo "check_abi.sh: there is no $base_line; scripts/check_abi.sh --update writes it"
    failed=1
    return
  fi
  status=0
  write_interface "$2" "$today" && abidiff "$base_line" "$today" || status=$?
  if [ "$status" -eq 0 ]; then
    echo "check_abi.sh: the binary interface for $1 matches $base_line"
    return
  fi
  failed=1
  if [ $((status & 3)) -ne 0 ]; then
    echo "check_abi.sh: abidiff could not compare $2 with $base_line"
  elif [ $((status & 8)) -ne 0 ]; then
    echo "check_abi.sh: the binary interface for $1 is INCOMPATIBLE with $base_line: see docs/reference/abi.md"
  else
    echo "check_abi.sh: the binary interface for $1 differs from $base_line. If docs/reference/abi.md allows the change, add it to CHANGELOG.md" \
      "and run scripts/check_abi.sh --update"
  fi
}

if [ -n "$library" ] && [ -f "$library" ]; then
  check "$machine" "$library"
  exit "$failed"
fi
mkdir -p build-abi
for architecture in aarch64 x86_64; do
  if [ "$architecture" = "$machine" ] || { [ -z "$library" ] && command -v "$architecture-linux-gnu-gcc" >/dev/null 2>&1; }; then
    built=$(build "$architecture")
    check "$architecture" "$built"
  else
    echo "check_abi.sh: skipped $architecture, which is not built here"
  fi
done
exit "$failed"
