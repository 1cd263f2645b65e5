#!/bin/sh
# Reports the coverage of the last test run of build-coverage/, as a page and a summary.
set -eu
cd "$(dirname "$0")/.."
gcovr --root . --filter src/ --filter mesh_io/ --filter models/ --filter simulation/ --filter cli/ --exclude-throw-branches \
  --html-details build-coverage/coverage.html --print-summary build-coverage
echo "page: build-coverage/coverage.html"
