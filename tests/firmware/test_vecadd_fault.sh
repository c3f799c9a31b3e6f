#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_vecadd_fault.sh VECADD VECADD.elf
# A planted fault stops a host that knows nothing of lockstep: exit status 1, the kernel in its
# message, the whole report on stderr, figures of what it launched; without the fault it is well.
# Where there is valgrind it loses no memory on the way. What nobody has written is not asked for
# there: the checker compares rows of lanes, those that are off among them.
set -euo pipefail
host=("$1" "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*" >&2
  cat "$work/err" >&2
  exit 1
}
# ends STATUS COMMAND...
ends() {
  local want=$1 got=0
  shift
  "$@" >"$work/out" 2>"$work/err" || got=$?
  [ "$got" = "$want" ] || fail "$*: status $got, not $want"
}
says() {
  grep -qF -- "$1" "$work/err" || fail "stderr does not say '$1'"
}
leaks=()
[ ! -x /usr/bin/valgrind ] ||
  leaks=(valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite --undef-value-errors=no)

export HEDDLE_BOARD=lockstep:tiny_faults HEDDLE_STATS=1
ends 0 "${host[@]}"
says "lockstep:tiny_faults, seed 1: 1 launches (0 trapped, 0 refused, 0 failed), 608 warp instructions"
export HEDDLE_FAULT=5
ends 1 "${host[@]}"
says "hardware and model differ: vecadd: lockstep:tiny_faults, launch 1: operand.value in cycle "
says "lockstep:tiny_faults, launch 1, seed 1: difference: operand.value"
says "history of the warp"
HEDDLE_BOARD=lockstep:tiny_faults@2 ends 0 "${host[@]}" # its only launch is the model's
HEDDLE_BOARD=lockstep:tiny_faults@two ends 2 "${host[@]}"
says "lockstep:NAME@N"
HEDDLE_BOARD=lockstep:tiny HEDDLE_FAULT=0 ends 0 "${leaks[@]}" "${host[@]}"
HEDDLE_BOARD=lockstep:tiny@2 HEDDLE_FAULT=0 HEDDLE_STATS="json:$work/stats" ends 0 "${leaks[@]}" "${host[@]}"
ends 1 "${leaks[@]}" "${host[@]}"
echo "a fault stops vecadd in lockstep"
