#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From ctest's log and its exit status: what did not pass, and the closing line, "N passed, N failed".
# Whatever did not pass has failed: skipped, disabled, not run, without a result. Exit status 0 only if
# nothing failed and something passed: line and status always agree. A run without a test, or one that
# broke without a test's failing, counts as one failure.
# usage: scripts/test-summary.sh CTEST_LOG CTEST_STATUS
# example: scripts/test-summary.sh build/ctest.log 0
set -euo pipefail
log=${1:-} ended=${2:-}
case $ended in
  '' | *[!0-9]*) sed -n '6,7p' "$0" >&2; exit 2 ;;
esac
if [ ! -f "$log" ]; then
  echo "error: there is no log '$log'"
  echo "0 passed, 1 failed"
  exit 1
fi

if [ "$ended" != 0 ]; then
  sed -n '1,400p' "$log"
fi
grep -hE "^coverage: " "$(dirname "$log")/Testing/Temporary/LastTest.log" 2>/dev/null || true
awk -v ended="$ended" '
  # "  3/40 Test  #3: isa.parser ......   Passed    0.05 sec", "***Skipped", "***Not Run (Disabled)" ...
  /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
    split($1, of, "/")
    if (of[2] > total) total = of[2]
    name = $0; sub(/^[^:]*: */, "", name); sub(/ .*$/, "", name)
    if (name in seen) { bad[++bads] = name " has two results"; next }
    seen[name] = 1
    results++
    if ($0 ~ / Passed +[0-9.]+ sec *$/) { passed++; next }
    failed++
    why = $0; sub(/ +[0-9.]+ sec *$/, "", why); sub(/^.*\*\*\*/, "", why)
    print "did not pass: " name " (" why ")"
  }
  /tests passed, [0-9]+ tests failed out of [0-9]+/ { finished = 1; if ($NF > total) total = $NF }
  END {
    if (results < total) bad[++bads] = total - results " of " total " tests have no result"
    if (total == 0) bad[++bads] = "no test was run"
    else if (!finished) bad[++bads] = "ctest did not finish"
    for (i = 1; i <= bads; i++) print "error: " bad[i]
    failed += total - results
    if (bads && !failed) failed = 1
    if (ended != 0 && !failed) { print "error: ctest ended with status " ended; failed = 1 }
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0
  }' "$log"
