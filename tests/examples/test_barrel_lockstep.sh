#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_barrel_lockstep.sh SOURCE BUILD: examples/barrel as a device of heddle: attached as its page says, it runs
# kernels and random programs in lockstep; a planted bug is found, and the trace of that run says the same; the order of
# memory holds in traces, at P1 and P0, right ones and of bugs; each of the fifty bugs in lockstep, at P1 and P0
# (examples/barrel/found.txt has what must come of it).
set -eu
source=$1 build=$2
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

square="$source/examples/programs/square.s --grid 1 --block 32 --arg out:128:u32:- --config barrel"
expect "a kernel" 0 "$HEDDLE" run $square
says '^576 625 676 729 784 841 900 961$'
says 'profile P1; not judged: warp_start, operands_memory, '
expect "random programs" 0 "$HEDDLE" fuzz --programs 12 --seed 3 --config barrel --no-shrink
says '^12 passed, 0 failed$'

# A launch that does not fit is refused before the core has been reset: nothing that it shows then is believed.
expect "a block that is too large" 1 "$HEDDLE" kernels transpose --scale 0 --launches 1 --config barrel
says "a block has 8 warps, barrel has room for 4"

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

# The order of memory, from the trace alone and from the list that is written of it.
order() { # WHAT STATUS OF-TRACE OF-LIST: of $work/order.bin
  expect "$1" "$2" "$HEDDLE" order "$work/order.bin" --write-list "$work/order.list"
  says "$3"
  says '^profile P[01]; not judged: warp_start, .*global.stamp, global.bank'
  expect "$1, as a list" "$2" "$HEDDLE" order "$work/order.list"
  says "$4"
}
program() { # STATUS CONFIG BUG SEED NUMBER: a random program's trace
  rm -f "$work/order.bin"
  expect "program $5 of seed $4 on $2, bug $3" "$1" "$HEDDLE" fuzz --programs 1 --only "$5" --seed "$4" --config "$2" \
    --on rtl --fault "$3" --no-shrink --trace "$work/order.bin"
}
program 0 barrel 0 3 0
order "its order" 0 'every axiom holds' 'every axiom holds'

sh "$source/examples/barrel/attach/build.sh" "$work" 0
for config in barrel barrel0; do
  for number in 1 2 3 4; do
    program 0 $config 0 3 $number
    order "$config, program $number" 0 'every axiom holds' 'every axiom holds'
  done
  for kernel in reduce histogram; do
    rm -f "$work/order.bin"
    expect "$kernel on $config" 0 "$HEDDLE" kernels $kernel --form asm --scale 0 --launches 1 --config $config \
      --trace "$work/order.bin"
    order "$config, $kernel" 0 'every axiom holds' 'every axiom holds'
  done
  # Wrong strobes, a wrong byte: the operands say so; a list has no strobes, and sees what came of them.
  program 1 $config 41 1 0
  order "$config, bug 41" 1 '^broken: stored' '^broken: memory'
  program 1 $config 44 1 0
  order "$config, bug 44" 1 '^broken: stored' '^broken: memory'
  program 1 $config 45 1 0
  order "$config, bug 45" 1 '^broken: stored' '^broken: reads-from'
done
python3 -B "$source/examples/barrel/attach/bugs.py" "$HEDDLE" --check "$source/examples/barrel/found.txt" || failed=1
exit $failed
