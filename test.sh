#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build everything and run every test but those of tests/long.txt; ./test.sh --full also runs those, on more machines.
# Installs what is missing (scripts/setup.sh). Builds into build/. Last line: N passed, N failed; a
# test that is skipped or cannot run has failed, and so has a build that broke. Exit status 0: nothing
# failed.
set -euo pipefail
cd "$(dirname "$0")"

full=OFF
case "${1:-}" in
  --full) full=ON ;;
  "") ;;
  -h|--help) echo "usage: ./test.sh [--full]     example: ./test.sh"; exit 0 ;;
  *) echo "usage: ./test.sh [--full]" >&2; exit 2 ;;
esac

# Nothing to test: one failure.
broken() {
  echo "error: $1"
  echo "0 passed, 1 failed"
  exit 1
}

mkdir -p build
SECONDS=0
scripts/setup.sh || broken "setup failed"
for more in docs/site study/simd; do [ "$full" = OFF ] || $more/setup.sh || broken "setup of $more failed"; done
printf 'time %4d s  setup\n' "$SECONDS"

SECONDS=0
machines=""
[ "$full" = ON ] || machines="tiny;fpga;sm;cached;quad;paged"
cmake --preset release -DHEDDLE_COMPLETE=ON -DHEDDLE_FULL_TESTS="$full" -DHEDDLE_DEVICE_CONFIGS="$machines" >build/cmake.log 2>&1 || { cat build/cmake.log; broken "cmake failed"; }
# The largest device takes as long as a third of all else, and may be the last: more than one process compiles it.
JOBS=2 cmake --build build -j "$(nproc)" 2>&1 | scripts/progress.sh building build/build.log ||
  { grep -E -A20 '^FAILED|error: |Error ' build/build.log | head -100 || true; broken "the build failed (build/build.log)"; }
printf 'time %4d s  build\n' "$SECONDS"

SECONDS=0
status=0
long="" # tests that are left out
[ "$full" = ON ] || long=$(sed -nE 's/^([a-z][^ ]*).*/\1/p' tests/long.txt | paste -sd '|')
ctest --test-dir build -j "$(nproc)" -E "^(${long:--})$" --output-on-failure --output-junit junit.xml 2>&1 |
  scripts/progress.sh testing build/ctest.log || status=$?
printf 'time %4d s  tests\n' "$SECONDS"
exec scripts/test-summary.sh build/ctest.log "$status"
