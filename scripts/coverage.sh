#!/bin/sh
# The coverage of the last test run of build-coverage/, as a page and as a few lines.
set -eu
cd "$(dirname "$0")/.."
gcovr --root . --filter src/ --filter mesh_io/ --filter models/ --filter simulation/ --filter cli/ --exclude-throw-branches \
  --html-details build-coverage/coverage.html --print-summary build-coverage
echo "the page: build-coverage/coverage.html"
