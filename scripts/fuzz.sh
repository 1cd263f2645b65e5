#!/bin/sh
# Runs every fuzz target of build-fuzz/ for a number of seconds, starting from the seeds of tests/fuzz/corpus/ and the findings
# of earlier runs, one target per processor at a time. Inputs that fail are kept in build-fuzz/failures/. FUZZ_SEED makes a run
# reproducible, as tests require.
#
# usage: scripts/fuzz.sh SECONDS [TARGET...]
set -eu
cd "$(dirname "$0")/.."

run_one() { # program, seconds
  name=$(basename "$1")
  failures=build-fuzz/failures
  found=build-fuzz/corpus/$name
  log=build-fuzz/$name.log
  mkdir -p "$failures" "$found"
  seeds=tests/fuzz/corpus/${name#fuzz_}
  [ -d "$seeds" ] || seeds=
  # A header may state any size: a failed allocation is then correct, and its handling is under test.
  export ASAN_OPTIONS=allocator_may_return_null=1
  # shellcheck disable=SC2086  # empty variables must expand to nothing
  if ! "$1" ${FUZZ_SEED:+-seed=$FUZZ_SEED} -max_total_time="$2" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$failures/$name-" "$found" $seeds >"$log" 2>&1; then
    tail -n 40 "$log"
    echo "fuzz.sh: $name failed; the input is in $failures/, the output in $log"
    exit 1
  fi
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  printf '%-24s %12s runs, no failure\n' "$name" "${runs:-?}"
}

if [ "${1:-}" = --one ]; then
  run_one "$3" "$2"
  exit
fi

seconds=${1:-60}
[ $# -eq 0 ] || shift
programs=$(find build-fuzz -type f -name 'fuzz_*' -perm -u+x ! -name '*.*' | sort)
if [ $# -gt 0 ]; then
  programs=$(for name in "$@"; do echo "$programs" | grep "/$name\$" || echo "fuzz.sh: there is no target $name" >&2; done)
fi
if [ -z "$programs" ]; then
  echo "fuzz.sh: there are no fuzz targets in build-fuzz/; build them with: make fuzz" >&2
  exit 1
fi
echo "$programs" | xargs -n 1 -P "${JOBS:-$(nproc)}" scripts/fuzz.sh --one "$seconds"
