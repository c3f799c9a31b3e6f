#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# isa/doc/16-progress.md, row by row: what is promised ends, on the model and in lockstep; where nothing is promised the
# run says who waits for what. usage: test_progress.sh HEDDLE CONFIG RESIDENT
# RESIDENT: blocks of one warp that CONFIG keeps at a time
set -uo pipefail
heddle=$1 config=$2 resident=$3 here=$(cd "$(dirname "$0")" && pwd)
source "$here/../lib.sh"
back=4294967295 # a step of -1
model="--on model --config $config" device="--on lockstep --config $config"
limit="--max-cycles 30000"

# FILE and launch of a chain of N warps of one block; of N blocks, each waiting for its neighbour STEP on
warps() { echo "--grid 1 --block $((32 * $1)) $(chain "$1" 0 1)"; }
blocks() { echo "--grid $1 --block 32 $(chain "$1" 1 "$2")"; }
chain() { echo "--arg out:$((4 * $1 + 4)):$dir/came --arg u32:$1 --arg u32:$2 --arg u32:$3"; }
# ends N OPTIONS: the run ends, and all N have come.
ends() {
  local n=$1 want got
  shift
  rm -f "$dir/came"
  expect 0 "" "$heddle" run "$here/chain.s" "$@"
  want=$(for ((k = 0; k < n; k++)); do echo 1; done; echo "$n")
  got=$(od -An -v -tu4 -w4 "$dir/came" | tr -d ' ')
  [ "$want" = "$got" ] && return
  fail "chain $*: not all have come: $got"
}
# waits WORDS OPTIONS: it does not end, and that is said.
waits() { expect 4 "$1" "$heddle" run "$here/chain.s" "${@:2}"; }
lanes="$here/lanes.s --grid 1 --block 32 --arg out:8:u32:-"

# lanes of one warp: under its
for on in "$model" "$device"; do expect 0 "1 31" "$heddle" run $lanes $on --div its; done
# ... under stack no promise
expect 4 "lanes 0xfffffffe" "$heddle" run $lanes $model
expect 4 "lanes 0xfffffffe" "$heddle" run $lanes $device $limit
# the holder of a lock, parked at a barrier: under its, by YIELD
lock="$here/lock.s --grid 1 --block 32 --arg out:8:u32:-"
for on in "$model" "$device"; do expect 0 "0 32" "$heddle" run $lock $on --div its; done
expect 4 "lanes 0x00000001 wait at B0" "$heddle" run $lock $model
expect 4 "lanes 0xfffffffe" "$heddle" run $lock $device $limit
# warps of a block, resident blocks in either direction: under both
for on in "$model" "$device"; do
  for div in stack its; do
    ends 4 $(warps 4) $on --div $div
    ends "$resident" $(blocks "$resident" 1) $on --div $div
    ends "$resident" $(blocks "$resident" $back) $on --div $div
  done
done
# ... with every policy
for sched in $("$here/../../scripts/policies.sh"); do ends 4 $(warps 4) $device --sched $sched; done
# ... and who needs more places of memory's queue than the others, who never leave it empty
places="$here/places.s --grid $resident --block 32 --arg out:4096:u32:-"
for sched in $("$here/../../scripts/policies.sh"); do expect 0 "1 1 1 1" "$heddle" run $places $device --sched $sched --max-cycles 200000; done
# blocks that are not resident: who waits for an earlier one ends
for on in "$model" "$device"; do ends $((2 * resident)) $(blocks $((2 * resident)) $back) $on; done
# ... for a later one does not: room comes only when a block ends
more=$(blocks $((resident + 1)) 1)
waits "block (0,0,0) warp 0 lanes 0xffffffff" $more $model
waits "$resident of $((resident + 1)) blocks started, 0 ended" $more $device $limit
