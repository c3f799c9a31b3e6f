#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_barrel_lockstep.sh SOURCE BUILD [--full]: examples/barrel as a device of heddle: attached as its page says, it runs
# kernels and random programs in lockstep; a planted bug is found, and the trace of that run says the same. With --full:
# each of the fifty bugs, at P1 and P0 (examples/barrel/found.txt has what must come of it).
set -eu
source=$1 build=$2 full=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
HEDDLE=$build/heddle
export HEDDLE
sh "$source/examples/barrel/attach/build.sh" "$work"
HEDDLE_DEVICES=$work
export HEDDLE_DEVICES
failed=0
expect() { # WHAT STATUS COMMAND...
  what=$1 want=$2
  shift 2
  got=0
  "$@" >"$work/out" 2>&1 || got=$?
  if [ "$got" != "$want" ]; then
    echo "FAILED: $what: status $got, not $want"
    tail -n 20 "$work/out"
    failed=1
  fi
}
says() { grep -q -e "$1" "$work/out" || { echo "FAILED: nothing says '$1'"; tail -n 20 "$work/out"; failed=1; }; }

square="$source/firmware/examples/square.s --grid 1 --block 32 --arg out:128:u32:- --config barrel"
expect "a kernel" 0 "$HEDDLE" run $square
says '^576 625 676 729 784 841 900 961$'
says 'profile P1; not judged: warp_start, operands_memory, '
expect "random programs" 0 "$HEDDLE" fuzz --programs 12 --seed 3 --config barrel --no-shrink
says '^12 passed, 0 failed$'

# Bug 25: IMAD.WIDE takes negative factors for large ones. The same words live and from the trace.
cat >"$work/wide.s" <<'END'
.kernel wide
        MOV R0, 0xffffffff ;
        IMAD.WIDE R2, R0, 0x3, RZ ;
        EXIT ;
.end
END
wide="$work/wide.s --grid 1 --block 32 --config barrel"
expect "a program that a bug could spoil" 0 "$HEDDLE" run $wide
expect "a bug" 1 "$HEDDLE" run $wide --fault 25 --trace "$work/trace"
says "R3: 8 lane(s) differ; lane 0: expected 0xffffffff, got 0x00000002"
sed -n '/^difference: writeback/,/^  signature/p' "$work/out" >"$work/live"
expect "its trace" 1 "$HEDDLE" check "$work/trace"
sed -n '/^difference: writeback/,/^  signature/p' "$work/out" >"$work/later"
cmp "$work/live" "$work/later" || failed=1
expect "a judge that needs more" 2 "$HEDDLE" order "$work/trace"
says 'of profile P1; its order is judged of traces of P2'

if [ -n "$full" ]; then
  sh "$source/examples/barrel/attach/build.sh" "$work" 0
  python3 -B "$source/examples/barrel/attach/bugs.py" "$HEDDLE" --check "$source/examples/barrel/found.txt" || failed=1
fi
exit $failed
