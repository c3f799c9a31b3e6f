#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --wave-last: the wave is of the last cycles before a failure, made by a snapshot that goes on to the same failure;
# nothing else changes. usage: test_wave_last.sh HEDDLE TESTS
set -uo pipefail
heddle=$1 tests=$2
source "$(dirname "$0")/../lib.sh"
span() { python3 "$(dirname "$0")/fst_span.py" "$1"; }
# The wave FILE begins N cycles before the failure that the last command told of, and spans it. Where the host looks at
# the device right then, which takes cycles, it begins up to 64 earlier.
spans() { # FILE N
  local first last at
  read -r first last < <(span "$1")
  at=$(failure)
  [ -n "$at" ] && [ "$first" -le $((at - $2)) ] && [ "$first" -ge $((at - $2 - 64)) ] && [ "$last" -ge "$at" ]
}
failure() { sed -nE 's/^wave: .* has the failure in cycle ([0-9]+) and .*/\1/p' "$dir/out"; }

"$heddle" as "$tests/expect_fail/carry.s" -o "$dir/carry.elf"
run=("$heddle" run "$dir/carry.elf" --grid 1 --block 32 --config tiny)
expect 1 "difference: --on lockstep --config tiny" "${run[@]}" --fault 1 # which has no counts: it has no end
expect 1 "difference: writeback.value" "${run[@]}" --fault 1
grep -v '^wave:' "$dir/out" >"$dir/plain"
for n in 1 20 77; do
  expect 1 "wave: $dir/w.fst has the failure in cycle" "${run[@]}" --fault 1 --wave "$dir/w.fst" --wave-last $n
  holds "the last $n cycles" spans "$dir/w.fst" $n
  holds "the same report" cmp -s "$dir/plain" <(grep -v '^wave:' "$dir/out")
done
holds "GTKWave's marker" grep -q "^\*.* $(failure)0$" "$dir/w.fst.gtkw"
last=$(stat -c %s "$dir/w.fst")
at=$(failure)
expect 1 "difference" "${run[@]}" --fault 1 --wave "$dir/whole.fst"
holds "smaller than the whole" test "$last" -lt "$(stat -c %s "$dir/whole.fst")"
read -r first _ < <(span "$dir/whole.fst")
holds "the whole begins with the first cycle" test "$first" -le 1
expect 1 "wave: $dir/w.fst has the failure in cycle" "${run[@]}" --fault 1 --wave "$dir/w.fst" --wave-last 1000000
holds "all of a launch that has fewer" spans "$dir/w.fst" $(sed -nE "s/^wave: .* and the ([0-9]+) before it/\1/p" "$dir/out")
read -r first _ < <(span "$dir/w.fst")
holds "from before it" test "$first" -lt 20

# Memory of another seed, a held port, a second thread, a busy host, later launches: each is a run of its numbers.
for how in "--seed 5 --hold" "--beside" "--host 7" "--dep scoreboard --calm --latency 9"; do
  expect 1 "wave: $dir/w.fst has the failure in cycle" "${run[@]}" --fault 1 $how --wave "$dir/w.fst" --wave-last 60
  holds "the last 60 cycles, $how" spans "$dir/w.fst" 60
done
# Of launches the third: each adds 0x6000 to what memory spans, and the fault is in the carry out of 16 bits.
cat >"$dir/third.s" <<'S'
.kernel third
.param u64 sum
        MOV R2, c[0x0][sum] ;
        MOV R3, c[0x0][sum+4] ;
        LDG.E R4, [R2] ;
        IADD3 R4, R4, 0x6000, RZ ;
        STG.E [R2], R4 ;
        EXIT ;
.end
S
third=("$heddle" run "$dir/third.s" --grid 1 --block 1 --arg "out:4:$dir/sum" --config tiny --fault 1)
expect 0 "ok:" "${third[@]}" --launches 2
expect 1 "wave: $dir/w.fst has the failure" "${third[@]}" --launches 3 --wave "$dir/w.fst" --wave-last 40
holds "the last 40 cycles of the third launch" spans "$dir/w.fst" 40
# One that does not end.
expect 4 "wave: $dir/w.fst has the failure in cycle" "${run[@]}" --max-cycles 30 --wave "$dir/w.fst" --wave-last 15
# A trap of the program, on both sides and on the RTL alone, also where it is the one that is wanted; an undefined read.
cat >"$dir/trap.s" <<'S'
.kernel trap
        MOV R0, 0x7 ;
        MOV R1, RZ ;
        LDG.E R2, [R0] ;
        EXIT ;
.end
.kernel undefined
.param u64 out
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IADD3 R4, R4, R4, RZ ;
        STG.E [R2], R4 ;
        EXIT ;
.end
S
traps=("$heddle" run "$dir/trap.s" --kernel trap --grid 1 --block 32 --config tiny --wave "$dir/w.fst" --wave-last 50)
expect 3 "wave: $dir/w.fst has the failure in cycle" "${traps[@]}"
holds "the last 50 cycles before a trap" spans "$dir/w.fst" 50
expect 0 "wave: $dir/w.fst has the failure in cycle" "${traps[@]}" --expect-trap misaligned
expect 3 "wave: $dir/w.fst has the failure in cycle" "${traps[@]}" --on rtl
holds "the last 50 cycles before a trap, of the RTL alone" spans "$dir/w.fst" 50
expect 3 "wave: $dir/w.fst has the failure in cycle" "$heddle" run "$dir/trap.s" --kernel undefined --grid 1 --block 32 \
  --arg "out:4:$dir/sum" --config tiny --wave "$dir/w.fst" --wave-last 50
# One that is right has no wave.
rm -f "$dir/w.fst"
expect 0 "w.fst is not written: nothing failed" "${run[@]}" --wave "$dir/w.fst" --wave-last 60
holds "no wave of what is right" test ! -e "$dir/w.fst"
# The trace is the first run's, whole.
expect 1 "wave:" "${run[@]}" --fault 1 --wave "$dir/w.fst" --wave-last 9 --trace "$dir/t"
expect 1 "difference: writeback.value" "$heddle" check "$dir/t" "$dir/carry.elf"
expect 2 "a trace cannot be clocked again" "$heddle" check "$dir/t" "$dir/carry.elf" --wave "$dir/w.fst" --wave-last 9
"$heddle" fuzz --only 2 --seed 3 --config tiny --fault 1 --no-shrink --trace "$dir/t" >/dev/null 2>&1
expect 2 "the run that it is of: heddle fuzz --programs 1 --only 2" "$heddle" check "$dir/t" "$dir/carry.elf" --wave-last 9

# Kernels, in a later launch: the limit is what the first one just needs, with a seed under which another takes longer.
vecadd=("$heddle" kernels vecadd --config tiny --scale 0)
ends() { "${vecadd[@]}" --seed $seed --launches "$1" --max-cycles "$2" >/dev/null 2>&1; } # LAUNCHES CYCLES
for seed in {1..24}; do
  low=10000 high=30000
  while [ $((high - low)) -gt 1 ]; do
    middle=$(((low + high) / 2))
    if ends 1 $middle; then high=$middle; else low=$middle; fi
  done
  ends 3 $high || break
done
expect 1 "limit: not finished after $high cycles" "${vecadd[@]}" --seed $seed --max-cycles $high --wave "$dir/k.fst" --wave-last 300
holds "the last 300 cycles of a kernel" spans "$dir/k.fst" 300
holds "in a later launch" grep -q '^vecadd  *[23] launches' "$dir/out"
# Random programs.
expect 1 "wave: $dir/f.fst has the failure in cycle" "$heddle" fuzz --only 2 --seed 3 --config tiny --fault 1 --no-shrink --wave "$dir/f.fst" --wave-last 50
holds "one wave" test "$(grep -c ^wave: "$dir/out")" = 1
holds "the last 50 cycles of a random program" spans "$dir/f.fst" 50

expect 2 "--wave-last needs --wave" "${run[@]}" --wave-last 9
expect 2 "--wave: with --on rtl, lockstep or systemc" "${run[@]}" --on model --wave "$dir/w.fst" --wave-last 9
expect 2 "--wave-last 0: expected cycles, from 1" "${run[@]}" --wave "$dir/w.fst" --wave-last 0
expect 2 "$dir/nowhere/w.fst: cannot be written: No such file or directory" "${run[@]}" --wave "$dir/nowhere/w.fst"
expect 2 "$dir/nowhere/w.fst: cannot be written: No such file or directory" "${run[@]}" --fault 1 --wave "$dir/nowhere/w.fst" --wave-last 9
expect 2 "$dir: cannot be written: Is a directory" "${run[@]}" --wave "$dir"
