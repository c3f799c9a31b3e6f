#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_vecadd_fault.sh VECADD VECADD.elf [--valgrind]
# A planted fault stops a host that knows nothing of lockstep: exit status 1, the kernel in its
# message, the whole report on stderr, figures of what it launched; without the fault it is well.
# With --valgrind it loses no memory on the way. What nobody has written is not asked for
# there: the checker compares rows of lanes, those that are off among them.
set -uo pipefail
host=("$1" "$2")
source "$(dirname "$0")/../lib.sh"
told() { "$@" 2>&1 >"$dir/printed"; } # what is said on stderr
leaks=()
[ "${3:-}" != --valgrind ] ||
  leaks=(valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite --undef-value-errors=no)

export HEDDLE_BOARD=lockstep:tiny_faults HEDDLE_STATS=1
expect 0 "lockstep:tiny_faults, seed 1: 1 launches (0 trapped, 0 refused, 0 failed), 608 warp instructions" told "${host[@]}"
export HEDDLE_FAULT=5
expect 1 "hardware and model differ: vecadd: lockstep:tiny_faults, launch 1: operand.value in cycle " told "${host[@]}"
said "lockstep:tiny_faults, launch 1, seed 1: difference: operand.value"
said "history of the warp"
HEDDLE_BOARD=lockstep:tiny_faults@2 expect 0 "" "${host[@]}" # its only launch is the model's
HEDDLE_BOARD=lockstep:tiny_faults@two expect 2 "lockstep:NAME@N" told "${host[@]}"
HEDDLE_BOARD=lockstep:tiny HEDDLE_FAULT=0 expect 0 "" "${leaks[@]}" "${host[@]}"
HEDDLE_BOARD=lockstep:tiny@2 HEDDLE_FAULT=0 HEDDLE_STATS="json:$dir/stats" expect 0 "" "${leaks[@]}" "${host[@]}"
expect 1 "" "${leaks[@]}" "${host[@]}"
