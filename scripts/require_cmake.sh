#!/bin/sh
# Says in one message what to do where the build tools are missing.
for program in cmake ninja; do
  if ! command -v "$program" >/dev/null 2>&1; then
    echo "$program is missing; install what a build needs by: scripts/install_packages.sh base" >&2
    exit 1
  fi
done
