#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_hosts.sh HEDDLE VECADD VECADD.elf
# What becomes of a host's launches: recorded as cases that run again elsewhere, failures as folders
# that show the same failure again, digests of memory that are compared; `heddle hosts`. Of hardware:
# tiny, and tiny with faults.
set -uo pipefail
heddle=$(realpath "$1") vecadd=$(realpath "$2") elf=$(realpath "$3")
source "$(dirname "$0")/../lib.sh"
cd "$dir"
unset HEDDLE_BOARD HEDDLE_SEED HEDDLE_STATS HEDDLE_FAULT HEDDLE_PAD HEDDLE_UNDEFINED
# The command that the last one has told to repeat a launch.
repeats() { sed -n 's/^heddle: launch .* is kept; repeat: heddle //p' "$dir/out"; }

# ---- recorded
expect 0 "1 of 1 launches are in rec; repeat: heddle cases rec --on model" env HEDDLE_RECORD=rec "$vecadd" "$elf"
expect 0 "1 passed, 0 failed" "$heddle" cases rec --on model
expect 0 "1 passed, 0 failed" "$heddle" cases rec --on lockstep --config tiny --seed 3
expect 0 "1 passed, 0 failed" "$heddle" cases rec --on rtl --config tiny --only 0001_vecadd --wave w.fst
expect 0 "" test -s w.fst
expect 0 "of 1 launches" env HEDDLE_RECORD=again HEDDLE_BOARD=lockstep:tiny "$vecadd" "$elf"
expect 0 "" cmp <(grep -o '"memory".*' rec/cases.json) <(grep -o '"memory".*' again/cases.json)
# One byte that the launch should have left otherwise; one less of what it had before.
cp -r rec wrong
golden=$(sed -n 's/.*"golden": *"\([^"]*\)".*/\1/p' rec/cases.json)
printf '\xaa' | dd of="wrong/$golden" bs=1 seek=100 conv=notrunc status=none
expect 1 "byte 100: got 0x00, want 0xaa of $golden (1 of 4000 bytes differ)" "$heddle" cases wrong --on model
truncate -s -1 "wrong/$golden"
expect 1 "golden file" "$heddle" cases wrong --on model
expect 2 "cannot be made" env HEDDLE_RECORD=/nowhere/at/all "$vecadd" "$elf"

# ---- what fails is kept: a fault of the hardware, here and again
export HEDDLE_BOARD=lockstep:tiny_faults HEDDLE_FAULT=5
expect 1 "heddle: launch 1, vecadd, is kept; repeat: heddle cases caps/0001_vecadd --on lockstep --config tiny --fault 5" \
  env HEDDLE_CAPSULE=caps "$vecadd" "$elf"
again=$(repeats)
expect 0 "in        kernel vecadd" env HEDDLE_CAPSULE=caps sh -c "! '$vecadd' '$elf'"
expect 1 "difference: operand.value" "$heddle" $again
expect 1 "0 passed, 1 failed" "$heddle" $again --seed 9
expect 0 "1 passed, 0 failed" "$heddle" cases caps/0001_vecadd --on lockstep --config tiny
expect 1 "is kept; repeat: heddle cases both/0001_vecadd" env HEDDLE_RECORD=both "$vecadd" "$elf"
expect 0 '{"cases": [' cat both/cases.json
unset HEDDLE_BOARD HEDDLE_FAULT

# ---- digests
expect 0 "" env HEDDLE_STATS=json:model.json "$vecadd" "$elf"
expect 0 "" env HEDDLE_STATS=json:tiny.json HEDDLE_BOARD=lockstep:tiny HEDDLE_SEED=4 "$vecadd" "$elf"
expect 0 "1 launches, all the same" "$heddle" hosts --compare model.json tiny.json
expect 1 "wrong" env HEDDLE_STATS=json:bad.json HEDDLE_BOARD=rtl:tiny_faults HEDDLE_FAULT=5 "$vecadd" "$elf"
expect 1 "launch 1 is the first that differs" "$heddle" hosts --compare model.json bad.json
expect 1 "bad.json: vecadd, done, memory 0x" "$heddle" hosts --compare model.json bad.json
expect 2 "no list" "$heddle" hosts --compare model.json rec/cases.json
expect 2 "two files" "$heddle" hosts --compare model.json

# ---- a folder of hosts
mkdir -p bin/own
printf '#!/bin/sh\nexec "%s" "%s"\n' "$vecadd" "$elf" | tee bin/adds >bin/own/deep
printf '#!/bin/sh\necho result: FAILED\n' >bin/says
printf '#!/bin/sh\necho some words; exit 7\n' >bin/ends
printf '#!/bin/sh\nsleep 30 & sleep 30\n' >bin/sleeps
chmod +x bin/adds bin/own/deep bin/says bin/ends bin/sleeps
echo nothing >bin/text
run=("$heddle" hosts bin --limit 2 --jobs 2)
expect 1 "2 passed, 3 failed" "${run[@]}" --json bin.json --junit bin.xml
expect 0 "adds: passed: 1 launches, 608 warp instructions" "${run[@]}" --only adds
expect 1 "says: failed: result: FAILED" "${run[@]}" --only says
expect 1 "hosts bin --limit 2 --pass 'a b' --only says --on model --dep control --seed 1" "${run[@]}" --only says --pass 'a b'
expect 1 "ends: failed: exit status 7; last it said: some words" "${run[@]}" --only ends
echo 'ends: sh -c "kill -SEGV \$\$"; exit $?' >signals
expect 1 "ends: failed: signal 11" "$heddle" hosts signals
expect 1 "sleeps: too long: 2 seconds" "${run[@]}" --only sleeps
expect 0 "own: passed" "${run[@]}" --only own
expect 0 '"passed": 2' cat bin.json
expect 0 'failures="3"' cat bin.xml
run=("$heddle" hosts bin --limit 100)
expect 0 "1 passed, 0 failed" "${run[@]}" --only adds --pass '[0-9]+ sums, 0 wrong' --on lockstep --config tiny
expect 1 "what --pass looks for" "${run[@]}" --only adds --pass 'all right'
expect 1 "adds: differs: launch 1, vecadd: vecadd: lockstep:tiny_faults, launch 1: operand.value" "${run[@]}" --only adds --config tiny --on lockstep --fault 5 --keep kept
expect 0 "launch 1, seed 1: difference: operand.value" cat kept/adds/output.txt
expect 1 "operand.value" "$heddle" cases kept/adds/capsules/0001_vecadd --on lockstep --config tiny --fault 5
printf '# remarks\n\none: cd own && ./deep\ntwo: exit 1\n' >bin/list
expect 1 "1 passed, 1 failed" "$heddle" hosts bin/list
echo 'no command' >>bin/list
expect 2 "list:5: expected NAME: COMMAND" "$heddle" hosts bin/list
cp bin/list bin/hosts.txt
expect 2 "hosts.txt:5" "$heddle" hosts bin
expect 2 "no hosts" "$heddle" hosts bin/own --only none
expect 2 "not a regular expression" "$heddle" hosts bin --pass '('
expect 2 "one folder" "$heddle" hosts
