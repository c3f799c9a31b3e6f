#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Mutants in a device: none is active by default, and a handful in the integer pipe is killed by a few random programs.
# usage: test_kill.sh ROOT HEDDLE GEN DIR
set -uo pipefail
root=$1 heddle=$2 gen=$3 dir=$4
mkdir -p "$dir"
source "$root/tests/tools/expect.sh"
here=$root/verify/mutants
expect 0 "tiny: " "$here/build.sh" --only rtl/execute/alu --count 12 --gen "$gen" --out "$dir" tiny
rm -f "$dir/results.jsonl"
export HEDDLE_DEVICES=$dir/devices
expect 0 "5 passed, 0 failed" "$heddle" fuzz --programs 5 --config tiny
expect 0 "killed" "$root/build/venv/bin/python" "$here/run.py" --heddle "$heddle" --mutants "$dir" --programs 10
# Most of them, at the least: what is left after so few programs is not judged here.
expect 0 "" test "$(grep -c '"killed": "' "$dir/results.jsonl")" -ge 6
# A hunt that is over starts nothing again.
before=$(wc -l <"$dir/results.jsonl")
expect 0 "killed" "$root/build/venv/bin/python" "$here/run.py" --heddle "$heddle" --mutants "$dir" --programs 10
expect 0 "$before" wc -l "$dir/results.jsonl"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
