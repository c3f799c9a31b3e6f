#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_unit_queue.sh HEDDLE CONFIG     (a machine with unit sfu)
# Memory and the units of a partition have queues of their own: a MUFU takes as many cycles while loads of slow memory fill the
# load/store unit and its queue as it takes while nothing else runs; a load takes longer.
set -uo pipefail
heddle=$1 config=$2
source "$(dirname "$0")/../lib.sh"

# Warp 0 loads, if it is told to, a line for each lane, more than the load/store unit holds. Warp 1 waits until they stand there,
# and tells how many cycles go by from before $1 (which writes R12) to its result; in the second of two rounds, when all code is in
# the instruction cache.
program() {
  printf '%s\n' '.kernel k' '.param u64 out' '.param u64 in' '.param u32 loads' 'S2R R0, SR_TID.X ;' 'MOV R2, c[0x0][out] ;' \
    'MOV R3, c[0x0][out+4] ;' 'IMAD.WIDE.U32 R2, R0, 0x4, R2 ;' 'MOV R8, c[0x0][in] ;' 'MOV R9, c[0x0][in+4] ;' \
    'IMAD.WIDE.U32 R8, R0, 0x80, R8 ;' 'MOV R6, c[0x0][loads] ;' 'MOV R1, RZ ;' 'ISETP.NE.AND P2, PT, R6, RZ, PT ;' \
    'ISETP.GE.AND P3, PT, R0, 0x20, PT ;' \
    'round: BAR.SYNC 0x0 ;' 'IADD3 R1, R1, 0x1, RZ ;' 'ISETP.LT.AND P1, PT, R1, 0x2, PT ;' '@P3 BRA timed ;'
  for ((i = 0; i < 16; i++)); do printf '[B------:R-:W0:-:S01] @P2 LDG.E RZ, [R8+0x%x] ;\n' $((4 * i)); done
  printf '%s\n' '[B0-----:R-:W-:-:S15] NOP ;' '@P1 BRA round ;' 'EXIT ;' \
    'timed: MOV R5, RZ ;' 'delay: IADD3 R5, R5, 0x1, RZ ;' 'ISETP.LT.AND P4, PT, R5, 0x40, PT ;' '@P4 BRA delay ;' \
    '[B------:R-:W-:-:S15] S2R R10, SR_CLOCKLO ;' "[B------:R-:W1:-:S02] $1 ;" '[B-1----:R-:W-:-:S15] S2R R11, SR_CLOCKLO ;' \
    'IADD3 R13, R11, -R10, RZ ;' '@P1 BRA round ;' 'STG.E [R2], R13 ;' 'EXIT ;' '.end'
}

# taken PROGRAM LOADS MODE: how many cycles warp 1 tells
taken() {
  expect 0 "ok: " "$heddle" run "$dir/$1.elf" --grid 1 --block 64 --arg "out:256:$dir/out.bin" --arg "in:$dir/in.bin" --arg "u32:$2" \
    --on lockstep --config "$config" --calm --latency 1000 --dep "$3"
  cycles=$(od -An -v -tu4 -w4 -j128 "$dir/out.bin" | sort -un | xargs)
}

head -c 8192 /dev/zero >"$dir/in.bin"
program 'MUFU.RCP R12, R0' >"$dir/mufu.s"
program 'LDG.E R12, [R8]' >"$dir/load.s"
for name in mufu load; do expect 0 "" "$heddle" as "$dir/$name.s" -o "$dir/$name.elf"; done
for dep in control scoreboard; do
  for name in mufu load; do
    taken $name 0 $dep
    alone=$cycles
    taken $name 1 $dep
    echo "$config $dep: $name alone $alone cycles, beside loads $cycles"
    case $name in
    mufu) holds "a MUFU waits for no load" [ $((${alone:-0} > 0 && ${cycles:-0} == ${alone:-0})) = 1 ] ;;
    load) holds "the load/store unit is full" [ "${cycles:-0}" -ge $((${alone:-0} + 1000)) ] ;;
    esac
  done
done
