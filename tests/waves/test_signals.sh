#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every signal that the save file names is in the wave; it opens at the launch, or at the difference, and there the
# issue port shows, as assembly, what the report names. usage: test_signals.sh HEDDLE CONFIG
set -uo pipefail
[ $# = 2 ] || { echo "usage: test_signals.sh HEDDLE CONFIG" >&2; exit 2; }
heddle=$1 config=$2
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../lib.sh"

wave() { # NAME FAULT EXIT: a wave of the program whose carries are tried; on what NAME says, else in lockstep
  local got=0 on=lockstep
  [ "$1" != rtl ] || on=rtl
  "$heddle" run "$dir/carry.elf" --kernel carry --grid 1 --block 32 --on "$on" --config "$config" --fault "$2" \
    --wave "$dir/$1.fst" >"$dir/$1.report" 2>&1 || got=$?
  [ $got = "$3" ] || { cat "$dir/$1.report"; fail "$1: exit $got, want $3"; }
  fst2vcd "$dir/$1.fst" >"$dir/$1.vcd" 2>"$dir/log" || fail "$1: fst2vcd: $(cat "$dir/log")"
  python3 -B "$here/signals.py" "$dir/$1.fst.gtkw" "$dir/$1.vcd" >"$dir/$1.values" || fail "$1: signals"
}
value() { sed -n "s|^$2 ||p" "$dir/$1.values"; } # NAME LABEL
word() { # binary digits to hex, as GTKWave hands them to the filter
  python3 -c 'import sys; print("%032X" % int(sys.argv[1], 2))' "$1"
}

"$heddle" as "$here/../expect_fail/carry.s" -o "$dir/carry.elf" || exit 2

# A lost carry (fault 1): the marker stands in the cycle that the report names, at the instruction that it names.
wave fault 1 1
cycle=$(sed -n 's/^difference: writeback.value (.*) in cycle \([0-9]*\)$/\1/p' "$dir/fault.report")
holds "marker at $(value fault marker), difference in cycle $cycle" [ "$(value fault marker)" = $((cycle * 10)) ]
start=$(value fault start)
holds "opens at $start, difference in cycle $cycle" test $((start < cycle * 10 && start > cycle * 10 - 400)) = 1
said=$(word "$(value fault issue/instruction)" | "$dir/fault.fst.filter")
named=$(sed -n 's/^  at        seq [0-9]* pc [0-9a-fx]*  //p' "$dir/fault.report")
[ -n "$named" ] && [ "$said" = "$named" ] || fail "at the marker: '$said'; the report names '$named'"
# Surfer shows the same by its mapping, and names the wave.
said=$(python3 -B "$here/surfer.py" show "$dir/fault.fst.surfer" "$(value fault issue/instruction)")
holds "Surfer at the marker: '$said'; the report names '$named'" [ "$said" = "$named" ]
holds "the mapping's name" grep -qx 'Name = Heddle words of fault.fst' "$dir/fault.fst.surfer"

# Nothing differs: opens at the launch, and the marker stands at the first instruction; on the RTL alone, too.
first_word=$("$heddle" dis "$dir/carry.elf" | grep -m1 -o 'S2R R0, SR_LANEID')
for on in lockstep rtl; do
  wave $on 0 0
  holds "$on: opens at $(value $on start), marker $(value $on marker)" test $(($(value $on start) < $(value $on marker))) = 1
  said=$(word "$(value $on issue/instruction)" | "$dir/$on.fst.filter")
  holds "$on: nothing issues at the marker" [ "$(value $on issue/issue)" = 1 ]
  [ -n "$first_word" ] && [ "$said" = "$first_word" ] || fail "$on: at the marker: '$said', not '$first_word'"
done

# A wrong path is noticed, and named.
sed 's/\(ret\.front\.\[0\]\.issue\)\.pc\[/\1.cp[/' "$dir/lockstep.fst.gtkw" >"$dir/wrong.gtkw"
if python3 -B "$here/signals.py" "$dir/wrong.gtkw" "$dir/lockstep.vcd" >"$dir/log" 2>&1; then fail "a wrong path is not noticed"; fi
holds "the wrong path is not named: $(cat "$dir/log")" grep -q 'wrong.gtkw:[0-9]*: the wave has no signal heddle.heddle_gpu.u_gpu.gen_sm\[0\].ret.front.\[0\].issue.cp\[31:0\]' "$dir/log"
