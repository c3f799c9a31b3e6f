#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build everything and run every test. ./test.sh --full also runs what takes longer.
# Installs what is missing (scripts/setup.sh). Builds into build/. Last line: N passed, N failed.
set -euo pipefail
cd "$(dirname "$0")"

full=OFF
case "${1:-}" in
  --full) full=ON ;;
  "") ;;
  -h|--help) echo "usage: ./test.sh [--full]     example: ./test.sh"; exit 0 ;;
  *) echo "usage: ./test.sh [--full]" >&2; exit 2 ;;
esac

mkdir -p build
SECONDS=0
scripts/setup.sh
printf 'time %4d s  setup\n' "$SECONDS"

SECONDS=0
cmake --preset release -DHEDDLE_FULL_TESTS="$full" >build/cmake.log 2>&1 || { cat build/cmake.log; exit 1; }
cmake --build build -j "$(nproc)" >build/build.log 2>&1 || { grep -E -A20 'FAILED|error|Error' build/build.log | head -100; exit 1; }
printf 'time %4d s  build\n' "$SECONDS"

SECONDS=0
status=0
ctest --test-dir build -j "$(nproc)" --output-on-failure --output-junit junit.xml >build/ctest.log 2>&1 || status=$?
printf 'time %4d s  tests\n' "$SECONDS"
scripts/test-summary.sh build/ctest.log build/Testing/junit.xml build/junit.xml
exit "$status"
