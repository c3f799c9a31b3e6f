#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_cov.sh HEDDLE CONFIG [COVER]
# Coverage on simulated hardware: bins of small programs as a hand counts them, --cov of several processes, heddle cov.
# CONFIG has four lanes and one lane a pass of shared memory; COVER is a device of variant cover.
set -uo pipefail
heddle=$1 config=$2 cover=${3:-}
source "$(dirname "$0")/../../../lib.sh"

# group FILE NAME: its lines
group() { sed -n "/^group $2 /,/^\(group\|end\)/p" "$1" | grep -v '^group\|^end'; }
# program NAME ARGS...: assembles standard input as kernel k and runs it
program() {
  local name=$1 status=$2
  shift 2
  cat >"$dir/$name.s"
  expect 0 "" "$heddle" as "$dir/$name.s" -o "$dir/$name.elf"
  expect "$status" "" "$heddle" run "$dir/$name.elf" --kernel k --grid 1 --block 32 --config "$config" --cov "$dir/$name.cov" "$@"
}

# ---- conflicts: four lanes a row, four banks (fpga). Words side by side are one pass; words 16 bytes apart lie in one bank;
# lanes that load one word share it; atomics of one word take turns. With one lane a pass (tiny) all of them take turns.
cat >"$dir/conflicts.asm" <<'EOF'
.kernel k
.shared buf 512
        S2R R0, SR_TID.X ;
        SHF.L.U32 R1, R0, 0x2, RZ ;
        SHF.L.U32 R2, R0, 0x4, RZ ;
        STS [R2+buf], R0 ;
        STS [R1+buf], R0 ;
        LDS R3, [R1+buf] ;
        LDS R4, [buf] ;
        ATOMS.ADD R5, [buf], R0 ;
        EXIT ;
.end
EOF
program conflicts 0 <"$dir/conflicts.asm"
group "$dir/conflicts.cov" shared >"$dir/got"
printf '%s\n' '2 load 4 3-4' '2 store 4 3-4' '1 atomic 4 3-4' >"$dir/want"
holds "lanes in turns: $(tr '\n' ';' <"$dir/got")" cmp -s "$dir/got" "$dir/want"
small=$config config=fpga
program crossbar 0 <"$dir/conflicts.asm"
config=$small
group "$dir/crossbar.cov" shared >"$dir/got"
printf '%s\n' '2 load 4 1' '1 store 4 1' '1 store 4 3-4' '1 atomic 4 3-4' >"$dir/want"
holds "conflicts: $(tr '\n' ';' <"$dir/got")" cmp -s "$dir/got" "$dir/want"
group "$dir/conflicts.cov" block >"$dir/got"
holds "one warp" grep -qx "1 32 x" "$dir/got"

# ---- a trap while a store is under way
program trap 3 --arg out:128:"$dir/bin" <<'EOF'
.kernel k
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        STG.E [R2], R0 ;
        BPT.TRAP ;
        EXIT ;
.end
EOF
group "$dir/trap.cov" trap >"$dir/got"
holds "trap: $(tr '\n' ';' <"$dir/got")" grep -qx '1 breakpoint store' "$dir/got"
holds "something completed" test "$(grep -c nothing "$dir/got")" = 0
holds "one cause" test "$(grep -vc '^1 breakpoint ' "$dir/got")" = 0

# ---- processes add to one file. Bins of words and lanes do not depend on who ran which program when
for jobs in 1 3; do
  expect 0 "6 passed" "$heddle" fuzz --programs 6 --config "$config" --jobs $jobs --cov "$dir/$jobs.cov"
  for g in form lanes code hazard split block grid; do group "$dir/$jobs.cov" $g; done >"$dir/$jobs"
done
holds "jobs" cmp -s "$dir/1" "$dir/3"
holds "launches" test "$(grep '^launches' "$dir/1.cov")" = "$(grep '^launches' "$dir/3.cov")"

# ---- on the model alone: the same bins of words, lanes, flow, addresses and numbers, where time decides nothing
alone() { # DIV OPTION...
  local div=$1
  shift
  expect 0 "6 passed" "$heddle" fuzz --programs 6 --config "$config" --div "$div" "${still[@]}" --cov "$dir/$div.rtl" "$@"
  expect 0 "6 passed" "$heddle" fuzz --stats --programs 6 --config "$config" --div "$div" "${still[@]}" --cov "$dir/$div.alone" "$@"
}
# A busy host's other programs run on a device alone.
still=(--knob program.host=0 --knob program.traps=0 --knob stream.talk=0 --knob program.machine=0 --knob node.lock=0 --knob block.full=0 --knob launches=1..1)
alone stack
alone its
for g in form lanes code hazard split release global number pair block grid edge bank relation; do
  holds "alone: $g" cmp -s <(group "$dir/stack.rtl" $g) <(group "$dir/stack.alone" $g)
done
for g in form lanes code global number pair edge bank relation; do
  holds "alone, its: $g" cmp -s <(group "$dir/its.rtl" $g) <(group "$dir/its.alone" $g)
done
for g in shared order barrier trap who queue resident held; do
  holds "alone: nothing of $g" test -z "$(group "$dir/stack.alone" $g)"
done
expect 0 "launches, 6 of them on the model alone" "$heddle" cov report "$dir/stack.alone"

# ---- directed streams reach what they are for: seed, programs, knob; then groups and the bins that must be there
reach() { # NAME PROGRAMS OPTION...
  local name=$1 n=$2
  shift 2
  expect 0 "$n passed" "$heddle" fuzz --programs "$n" --seed 3 --config "$config" --knob block.small=1 --knob block.ragged=0 \
    --knob block.medium=0 --knob block.full=0 --knob grid.blocks=1..1 --knob grid.fills=0 --knob launches=1..1 \
    --knob program.traps=0 --cov "$dir/$name.reach" "$@"
}
hit() { holds "$1: $2 $3 is hit" sh -c "sed -n '/^group $2 /,/^group/p' '$dir/$1.reach' | grep -q '^[0-9]* $3'"; }
reach release 40 --knob stream.release=600 --knob program.leaves=0
for by in BSYNC BREAK WARPSYNC BMOV.SET; do hit release release "$by 8-31 "; done
for op in BRA JMP BRX CALL.REL CALL.ABS RET; do for who in nobody all part; do hit release split "$op $who "; done; done
reach leaves 20 --knob stream.release=600 --knob program.leaves=100
for by in EXIT KILL; do hit leaves release "$by "; done
reach its 12 --knob stream.release=600 --knob program.leaves=0 --div its
hit its release 'YIELD [0-9-]* [a-z]* its'
reach address 20 --knob stream.address=600 --knob shared.spread=100
for n in 1 2 3-4 5-8 9-16 17-32; do hit address global "[a-z]* [0-9]* $n "; done
for a in load store atomic reduction; do hit address global "$a [0-9]* [0-9-]* [a-z]* overlap"; done
reach hazard 20 --knob stream.hazard=600
for d in 1 2 3 4 5 6 7 8 more; do hit hazard hazard "fma mem b $d control"; done
expect 0 "12 passed" "$heddle" fuzz --programs 12 --seed 3 --config "$config" --knob block.small=0 --knob block.ragged=0 \
  --knob block.medium=1 --knob block.full=0 --knob program.ends=100 --knob program.leaves=0 --knob program.traps=0 \
  --knob launches=1..1 --cov "$dir/ends.reach"
hit ends barrier 'BAR[A-Z.]* one'
hit ends barrier 'exit '
reach fills 12 --knob grid.fills=100
for n in 1 2 3; do hit fills resident "$n 1"; done
for n in 1 2 3 4; do hit fills held "0 $n"; done

# ---- a campaign of one program of each kind and mode
campaign=$(dirname "$0")/../../../../lab/verify/coverage/campaign.sh
expect 0 "$config its scoreboard fills seed 54: 1 passed, 0 failed" "$campaign" "$heddle" "$config" 1 11 "$dir/campaign.cov"
expect 0 "launches" "$heddle" cov report "$dir/campaign.cov"
expect 2 "are numbers" "$campaign" "$heddle" "$config" x 11 "$dir/campaign.cov"
expect 2 "usage" "$campaign" "$heddle"

# ---- merge and report
expect 0 "" "$heddle" cov merge "$dir/ab" "$dir/conflicts.cov" "$dir/trap.cov" "$dir/3.cov"
expect 0 "" "$heddle" cov merge "$dir/ba" "$dir/3.cov" "$dir/trap.cov" "$dir/conflicts.cov"
holds "merging in any order" cmp -s "$dir/ab" "$dir/ba"
expect 0 "machine $config" "$heddle" cov report "$dir/ab"
expect 0 "hole form " "$heddle" cov report "$dir/ab" --holes
expect 0 "excluded form JMP/JM/abs32=zero # the first" "$heddle" cov report "$dir/ab" --holes
expect 0 "" "$heddle" cov report "$dir/ab" --html "$dir/html" --json "$dir/json" --lcov "$dir/lcov"
holds "a page a group" test "$(ls "$dir/html" | wc -l)" = "$(($(grep -c '^group' "$dir/ab") + 1))"
holds "no script" test "$(cat "$dir"/html/*.html | grep -ci '<script')" = 0
hits=$(grep -c '^[0-9]' "$dir/ab")
holds "every bin that was hit is one of lcov's lines" test "$(sed -n 's/^LH://p' "$dir/lcov" | awk "{ n += \$1 } END { print n + 0 }")" = "$hits"
holds "lcov's sources" test "$(cat "$dir"/lcov.bins/*.txt | wc -l)" = "$(sed -n 's/^LF://p' "$dir/lcov" | awk "{ n += \$1 } END { print n + 0 }")"
holds "JSON" test "$(grep -o '"hit": [0-9]*' "$dir/json" | sed 's/.* //' | awk "{ n += \$1 } END { print n + 0 }")" = "$hits"
expect 0 "stream.hazard=" "$heddle" cov weights "$dir/ab"
"$heddle" cov weights "$dir/ab" >"$dir/knobs"
expect 0 ".kernel fuzz" "$heddle" fuzz --programs 1 --config "$config" --print --knobs "$dir/knobs"

# ---- what is excluded and was hit is an error; so are files that are none
printf 'shared load 4 1 # nobody loads\n' >"$dir/exclude"
expect 1 "shared load 4 1: hit 2 times" "$heddle" cov report "$dir/crossbar.cov" --exclude "$dir/exclude"
expect 0 "" "$heddle" cov report "$dir/trap.cov" --exclude "$dir/exclude"
printf 'shared load 4 1\n' >"$dir/exclude"
expect 2 "exclude:1: a reason is needed" "$heddle" cov report "$dir/trap.cov" --exclude "$dir/exclude"
expect 2 "No such file" "$heddle" cov report "$dir/absent"
expect 2 "no coverage database" "$heddle" cov report "$dir/trap.s"
expect 2 "a file to write" "$heddle" cov merge "$dir/x"
expect 2 "expected merge" "$heddle" cov grow
expect 2 "--cov: with --on lockstep or systemc" "$heddle" fuzz --programs 1 --config "$config" --on model --cov "$dir/m.cov"
expect 2 "no coverage database" "$heddle" fuzz --programs 1 --config "$config" --cov "$dir/trap.s"
sed 's/^machine [a-z]* 0x./machine '"$config"' 0xf/' "$dir/ab" >"$dir/other"
expect 2 "another configuration" "$heddle" fuzz --programs 1 --config "$config" --cov "$dir/other"
# ---- queues: what a device that counts has seen of them; the same program on another one sees none
if [ -n "$cover" ]; then
  expect 0 "2 passed" "$heddle" fuzz --programs 2 --config "$cover" --jobs 2 --cov "$dir/queues.cov"
  group "$dir/queues.cov" queue >"$dir/got"
  for bin in "line.tags empty" "line.tags some" "order.waiting some" "ibuf.warps some" "dep.counters some" "axi.aw some"; do
    holds "queue $bin" grep -q "^[0-9]* $bin\$" "$dir/got"
  done
fi
holds "none without counting" test -z "$(group "$dir/1.cov" queue)"

holds "nothing is left beside" test -z "$(find "$dir" -name '*.part' -o -name '*.queues-*')"
