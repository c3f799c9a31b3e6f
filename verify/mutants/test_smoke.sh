#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Twelve mutants of the arbiters from the choice to the report: their bench passes without one, and kills each.
# usage: test_smoke.sh ROOT GEN
set -uo pipefail
root=$1 gen=$2
here=$root/verify/mutants
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
source "$root/tests/tools/expect.sh"
python=$root/build/venv/bin/python

expect 5 "make it: verify/mutants/build.sh" "$here/build-benches.sh" --out "$dir" rtl_lib_arb
expect 0 "12 mutants in 2 files" "$python" "$here/place.py" --gen "$gen" --only lib/arb --count 12 --seed 1 --out "$dir/tree"
cp "$dir/tree/mutants.jsonl" "$dir/"
expect 5 "none of these judges is built" "$python" "$here/run_tests.py" --mutants "$dir" --judges benches
expect 0 "rtl_lib_arb: 12 mutants in the bench" "$here/build-benches.sh" --out "$dir" rtl_lib_arb
expect 0 "" env HEDDLE_MUTANT=0 "$dir/benches/bin/rtl_lib_arb"
expect 0 "12 of 12 killed, 0 left" "$python" "$here/run_tests.py" --mutants "$dir" --judges benches --jobs 2
expect 0 "| all | 12 | 12 | 12 | 0 | 0 | 100.0% |" "$python" "$here/report.py" "$dir"
# It goes on where it was: nothing is asked twice.
expect 0 "0 of 0 killed" "$python" "$here/run_tests.py" --mutants "$dir" --judges benches
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
