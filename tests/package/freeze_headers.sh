#!/bin/sh
# Copies the public headers of today to tests/package/frozen, where the test of growing structs takes them for those of an
# old program. To be run when a version's interface is settled, and not again before the next.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p tests/package/frozen/graze
cp include/graze/*.h tests/package/frozen/graze/
