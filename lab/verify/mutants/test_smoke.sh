#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Twelve mutants of the arbiters from the choice to the report: their bench passes without one, and kills each.
# usage: test_smoke.sh ROOT GEN
set -uo pipefail
root=$1 gen=$2
here=$root/lab/verify/mutants
source "$root/tests/lib.sh"
python=$root/build/venv/bin/python

expect 5 "make it: lab/verify/mutants/build.sh" "$here/build-benches.sh" --out "$dir" rtl_lib_arb
expect 0 "12 mutants in 2 files" "$python" "$here/place.py" --gen "$gen" --only lib/arb --count 12 --seed 1 --out "$dir/tree"
cp "$dir/tree/mutants.jsonl" "$dir/"
expect 5 "none of these judges is built" "$python" "$here/run_tests.py" --mutants "$dir" --judges benches
expect 0 "rtl_lib_arb: 12 mutants in the bench" "$here/build-benches.sh" --out "$dir" rtl_lib_arb
expect 0 "" env HEDDLE_FAULT=0 "$dir/benches/bin/rtl_lib_arb"
expect 0 "12 of 12 killed, 0 left" "$python" "$here/run_tests.py" --mutants "$dir" --judges benches --jobs 2
expect 0 "| all | 12 | 12 | 12 | 0 | 0 | 100.0% |" "$python" "$here/report.py" "$dir"
# It goes on where it was: nothing is asked twice.
expect 0 "0 of 0 killed" "$python" "$here/run_tests.py" --mutants "$dir" --judges benches

# The same mutants watched in a whole machine: what a program kills, it has made different.
heddle=$(dirname "$gen")/heddle
expect 0 "tiny: " "$here/build.sh" --watch --only lib/arb --count 12 --seed 1 --gen "$gen" --out "$dir/watch" tiny
expect 0 "" cmp "$dir/mutants.jsonl" "$dir/watch/mutants.jsonl"
mkdir -p "$dir/devices" "$dir/present"
cp "$dir/watch/devices/verilator_tiny.so" "$dir/devices/"
cp "$dir/watch/present/tiny.txt" "$dir/present/"
expect 0 "tiny, 2 programs of seed 1" "$python" "$here/run_reach.py" --mutants "$dir" --heddle "$heddle" --programs 2
expect 0 "" "$python" "$here/run.py" --mutants "$dir" --heddle "$heddle" --programs 2 --jobs 2 --results "$dir/all.jsonl"
expect 0 "" "$python" "$here/run.py" --mutants "$dir" --heddle "$heddle" --programs 2 --jobs 2 --results "$dir/some.jsonl" \
  --reach "$dir/reach.jsonl"
cat >"$dir/same.py" <<'END'
import json, sys
def killed(name):
    return {r["id"]: r["killed"] for r in map(json.loads, open(f"{sys.argv[1]}/{name}"))}
assert killed("all.jsonl") == killed("some.jsonl") and "random" in killed("all.jsonl").values()
END
expect 0 "" "$python" "$dir/same.py" "$dir"
