#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_sched.sh HEDDLE GEN CONFIG   (GEN: the folder of generated packages)
# Scheduling policies on the hardware: kernels in lockstep with each, in both dependency modes; what a run says about its
# policy; and that the policies differ as they should, on two programs that ask more of the instruction cache than it has.
set -uo pipefail
heddle=$1 gen=$2 config=$3
source "$(dirname "$0")/../lib.sh"
policies=$("$(dirname "$0")/../../scripts/policies.sh")

# ---- the same results under every policy
for dep in control scoreboard; do
  for sched in $policies; do
    expect 0 "3 passed, 0 failed" "$heddle" kernels vecadd reduce sgemm --on lockstep --config "$config" --scale 0 --launches 2 \
      --dep $dep --sched $sched
  done
done

# ---- options, and what a run says
value() { sed -n "s/.* $1 = \([0-9]*\);.*/\1/p" "$gen/$config/cfg_pkg.sv"; }
number() { sed -n 's/.* \([0-9]*\) cycles.*/\1/p' "$dir/out"; }
warps=$(value SM_WARPS) icache=$(value ICACHE_BYTES)
threads=$((32 * warps))

expect 2 "expected one of: default $(echo $policies)" "$heddle" fuzz --programs 1 --sched fifo
expect 0 "--dep control --sched lrr --seed 3" "$heddle" fuzz --programs 2 --config "$config" --seed 3 --sched lrr --json "$dir/j"
expect 0 '"sched": "lrr"' cat "$dir/j"
expect 0 "--dep control --sched lrr --seed 3 --memory-seed" cat "$dir/j"
expect 0 "--dep control --seed 3" "$heddle" fuzz --programs 2 --config "$config" --seed 3 --sched default --json "$dir/j"
expect 1 "" grep sched "$dir/j"

# ---- they differ. Memory answers at once: the cycles of a program are always the same.
tail_of_kernel() {
  printf '%s\n' 'store:' 'IADD3 R6, R6, R7, RZ ;' 'MOV R2, c[0x0][out] ;' 'MOV R3, c[0x0][out+4] ;' \
    'IMAD.WIDE.U32 R2, R0, 0x4, R2 ;' 'STG.E [R2], R6 ;' 'EXIT ;' '.end'
}
# $1 instructions, of four one that adds and needs the addition before the last; the others read nothing. So fetch is what holds
# them up, also where an addition keeps the operand bus for several cycles a beat.
work() {
  for ((i = 0; i < $1; i++)); do
    if ((i % 4 == 0)); then echo "IADD3 R$((6 + i / 4 % 2)), R$((6 + i / 4 % 2)), 0x$2, R0 ;"; else echo "NOP ;"; fi
  done
}

# Each warp has a loop of its own; all loops together are 1.7 times the instruction cache. Who stays with the oldest warps keeps
# their loops in the cache; who takes all warps in turn finds each loop pushed out by the others (Rogers, O'Connor and
# Aamodt, "Cache-Conscious Wavefront Scheduling", 2012: locality within a warp). A small set of warps lies between.
own_loops() {
  local n=$((icache * 17 / 10 / 16 / warps - 4))
  printf '%s\n' '.kernel k' '.param u64 out' 'S2R R0, SR_TID.X ;' 'SHF.R.U32.HI R1, RZ, 0x5, R0 ;' 'MOV R6, R0 ;' \
    'MOV R7, R0 ;' 'MOV R8, RZ ;'
  for ((w = 1; w < warps; w++)); do printf '%s\n' "ISETP.EQ.AND P0, PT, R1, 0x$(printf %x $w), PT ;" "@P0 BRA loop$w ;"; done
  for ((w = 0; w < warps; w++)); do
    echo "loop$w:"
    work $n $((3 + w))
    printf '%s\n' 'IADD3 R8, R8, 0x1, RZ ;' 'ISETP.LT.AND P0, PT, R8, 0x10, PT ;' "@P0 BRA loop$w ;" 'BRA store ;'
  done
  tail_of_kernel
}

# Code in one line, four times the instruction cache, the same for all warps. Who takes warps in turn has them all at the same
# place, and each word is fetched once for all; whose oldest warps run ahead fetches it again for those that follow
# (Narasiman and others, "Improving GPU Performance via Large Warps and Two-Level Warp Scheduling", 2011: locality
# between warps, which equal progress preserves).
one_line() {
  printf '%s\n' '.kernel k' '.param u64 out' 'S2R R0, SR_TID.X ;' 'MOV R6, R0 ;' 'MOV R7, R0 ;'
  work $((icache * 4 / 16)) 5
  tail_of_kernel
}

declare -A cycles
for program in own_loops one_line; do
  $program >"$dir/$program.s"
  expect 0 "" "$heddle" as "$dir/$program.s" -o "$dir/$program.elf"
  for dep in control scoreboard; do
    for sched in $policies; do
      expect 0 "ok: " "$heddle" run "$dir/$program.elf" --kernel k --grid 1 --block $threads --arg out:$((4 * threads)):"$dir/$sched.bin" \
        --on lockstep --config "$config" --calm --dep $dep --sched $sched
      cycles[$program.$dep.$sched]=$(number)
    done
    for sched in $policies; do expect 0 "" cmp "$dir/gto.bin" "$dir/$sched.bin"; done
  done
done

# sooner PROGRAM DEP POLICY POLICY: the first takes at least one part in 50 fewer cycles
sooner() {
  local a=${cycles[$1.$2.$3]:-0} b=${cycles[$1.$2.$4]:-0}
  holds "$1, --dep $2: $3 takes $a cycles, $4 $b" [ $((a > 0 && a * 50 < b * 49)) = 1 ]
}
# With two instructions buffered the warp that gto stays with runs dry more often: in scoreboard mode others' loops come between.
for dep in control scoreboard; do
  sooner own_loops $dep gto $([ $dep = control ] && echo twolevel || echo lrr)
  sooner own_loops $dep twolevel lrr
  sooner one_line $dep lrr gto
  sooner one_line $dep twolevel gto
done

# sgemm8x8 by hand, 128 x 128 x 128: a trip through its loop is more than twice the instruction cache. Multiply-adds that keep
# the bus for two cycles a beat leave time to fetch it: under either policy 0.9 of what the lanes of pipe fma can do.
product() { # $1 policy: cycles; of all cycles of warps those without an instruction, in percent
  expect 0 "1 passed" "$heddle" kernels sgemm8x8 --form asm --on rtl --config "$config" --scale 1 --launches 1 --calm \
    --sched "$1" --profile
  cycles[sgemm8x8.control.$1]=$(sed -n 's/.* \([0-9]*\) cycles; .*/\1/p' "$dir/out")
  starved[$1]=$(sed -n 's/.*warp cycles: //p' "$dir/out" |
    awk '{ for (i = 1; i < NF; i += 2) { all += $(i + 1); if ($i == "fetch") f = $(i + 1) } print int(100 * f / all) }')
}
declare -A starved
for sched in gto lrr; do product $sched; done
peak=$((128 * 128 * 128 / $(value fma_lanes)))
for sched in gto lrr; do
  took=${cycles[sgemm8x8.control.$sched]:-0}
  holds "sgemm8x8: $sched reaches 0.9 of the peak of $peak cycles: $took" [ $((took * 9 <= peak * 10 && took >= peak)) = 1 ]
  holds "sgemm8x8: under $sched 5 % of the warps' time is without an instruction, or less" [ "${starved[$sched]:-100}" -le 5 ]
done

for k in "${!cycles[@]}"; do echo "$k ${cycles[$k]} cycles"; done | sort
