#!/bin/sh
# Runs a command with a fixed memory layout where the system allows that. The thread sanitizer of older clang versions
# stops at start on kernels whose address randomization uses more bits than its shadow memory was laid out for.
set -eu
if setarch "$(uname -m)" -R true 2>/dev/null; then
  exec setarch "$(uname -m)" -R "$@"
fi
exec "$@"
