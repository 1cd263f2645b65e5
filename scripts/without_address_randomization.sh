#!/bin/sh
# Runs a command with a fixed memory layout if the system allows it. The thread sanitizer of older clang versions fails at
# start on kernels whose address randomization uses more bits than its shadow memory supports.
set -eu
if setarch "$(uname -m)" -R true 2>/dev/null; then
  exec setarch "$(uname -m)" -R "$@"
fi
exec "$@"
