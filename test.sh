#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build what a tier's tests run, and run them (docs: README.md, tests/README.md; which test has which tier: where it is
# registered, by cmake/HeddleTest.cmake). Installs what is missing (scripts/setup.sh). Builds into build/. What each step
# and test took: build/times.txt. Last line: N passed, N failed; a test that is skipped or cannot run has failed, and so has
# a build that broke. Exit status 0: nothing failed.
set -euo pipefail
cd "$(dirname "$0")"
help() {
  cat <<'END_HELP'
usage: test.sh [--more | --full] [--seed N]     example: ./test.sh --seed 12345
  (no option)  what every change must pass: a quarter of an hour on two processors, set-up included
  --more       what a landing must pass: that and more, three quarters of an hour
  --full       the night: other machines, long campaigns
  --seed N     seed of random programs (default: the commit's, so that each has others; it is printed)
END_HELP
}
usage() {
  help | head -1 >&2
  exit 2
}
tier=first tiers=first seed=""
while [ $# -gt 0 ]; do
  case $1 in
    --more) tier=more tiers="first|more" ;;
    --full) tier=full tiers="first|more|full" ;;
    --seed)
      [[ ${2:-} =~ ^[0-9]{1,9}$ ]] || usage
      seed=$2
      shift ;;
    -h | --help) help; exit 0 ;;
    *) usage ;;
  esac
  shift
done

# Nothing to test: one failure.
broken() {
  echo "error: $1"
  echo "0 passed, 1 failed"
  exit 1
}

mkdir -p build
SECONDS=0
more=()
[ $tier = first ] || more=(--more)
scripts/setup.sh "${more[@]+"${more[@]}"}" || broken "setup failed"
for part in docs/site lab/study/simd; do [ $tier != full ] || $part/setup.sh || broken "setup of $part failed"; done
printf 'time %4d s  setup\n' "$SECONDS"

SECONDS=0
if [ -z "$seed" ]; then
  commit=$(git rev-parse --short=7 HEAD 2>/dev/null || echo 1)
  seed=$((16#${commit:0:7}))
fi
echo "seed $seed"
cmake --preset release -DHEDDLE_COMPLETE=ON -DHEDDLE_SEED="$seed" >build/cmake.log 2>&1 || { cat build/cmake.log; broken "cmake failed"; }
# The largest device takes as long as a third of all else, and may be the last: more than one process compiles it.
JOBS=2 cmake --build build -j "$(nproc)" --target tests_$tier 2>&1 | scripts/progress.sh building build/build.log ||
  { grep -E -A20 '^FAILED|error: |Error ' build/build.log | head -100 || true; broken "the build failed (build/build.log)"; }
# A device that a larger tier left may be of an older text, and programs would take it before the one with faults.
for device in build/devices/*.so; do
  grep -qxF "device_$(basename "$device" .so)" build/devices/tests_$tier.txt ||
    [ -z "$(find rtl isa cosim/verilator -type f -newer "$device" -print -quit)" ] ||
    { rm -f "$device"; echo "removed $device: older than its sources, and not of this tier"; }
done
printf 'time %4d s  build\n' "$SECONDS"

SECONDS=0
status=0
ctest --test-dir build -j "$(nproc)" -L "^($tiers)\$" --output-on-failure --output-junit junit.xml 2>&1 |
  scripts/progress.sh testing build/ctest.log || status=$?
printf 'time %4d s  tests\n' "$SECONDS"
scripts/times.sh build
exec scripts/test-summary.sh build/ctest.log "$status"
