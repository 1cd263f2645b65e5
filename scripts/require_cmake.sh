#!/bin/sh
# Prints instructions if the build tools are missing.
for program in cmake ninja; do
  if ! command -v "$program" >/dev/null 2>&1; then
    echo "$program is missing; install the packages of a build with: scripts/install_packages.sh base" >&2
    exit 1
  fi
done
