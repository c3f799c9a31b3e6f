#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The four views of parts of the machine: every signal that one names is in the wave, and those by which it is read change in
# a run that has something for each of them. usage: test_views.sh HEDDLE CONFIG
set -uo pipefail
[ $# = 2 ] || { echo "usage: test_views.sh HEDDLE CONFIG" >&2; exit 2; }
heddle=$1 config=$2
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../lib.sh"

head -c 256 /dev/zero >"$dir/zeros.bin"
"$heddle" run "$here/moves.s" --grid 1 --block 64 --arg "out:256:$dir/zeros.bin" --config "$config" \
  --wave "$dir/w.fst" >"$dir/report" 2>&1 || { cat "$dir/report"; exit 1; }
fst2vcd "$dir/w.fst" >"$dir/w.vcd" 2>"$dir/log" || { cat "$dir/log"; exit 1; }

view() { # NAME LABEL ...: these signals of the view change
  local name=$1 label
  shift
  python3 -B "$here/moves.py" "$dir/w.fst.$name.gtkw" "$dir/w.vcd" >"$dir/$name" || fail "$name: signals"
  for label; do
    holds "$name: '$label' stands still: $(grep " $label\$" "$dir/$name")" grep -q "^[1-9][0-9]* $label\$" "$dir/$name"
  done
}
# of partition 0, whose groups have a number where there are several
p=""
! grep -q '^-issue, partition 0$' "$dir/w.fst.gtkw" || p=", partition 0"
view scheduling "candidates$p/may issue" "candidates$p/selected" "what they wait for$p/stall count" \
  "what they wait for$p/dependency" "what they wait for$p/control or start" "second stage$p/commits" "issue$p/instruction"
view divergence "control instruction$p/arrives" "at work$p/done" "at work$p/goes on at" "the warp$p/active" \
  "the warp$p/waiting paths" "paths$p/push" "paths$p/pushed lanes" "paths$p/as stored" "paths$p/pop" "convergence barrier$p/members" \
  "convergence barrier$p/parked" "convergence barrier$p/released"
view operands "reading$p/one to read" "reading$p/banks read" "reading$p/row is complete" "operand bus$p/row on the bus" \
  "queue of memory$p/a row comes" "queue of memory$p/one waits" "queue of memory$p/offered" "queue of memory$p/taken" \
  "queue of memory$p/places given back" "places as issue counts them$p/memory: in use"
view memory "to the load/store unit/row taken" "addresses/all lanes pass" "addresses/global, in flight" \
  "request channel/request" "request channel/answer" "global memory/performed" "shared memory/performed" \
  "results/result taken" "AXI/ar valid" "AXI/aw valid"

# A wrong path is noticed, and named; a signal that does not change is told as such.
sed 's/u_select\.sel\[/u_select.self[/' "$dir/w.fst.scheduling.gtkw" >"$dir/wrong.gtkw"
if python3 -B "$here/moves.py" "$dir/wrong.gtkw" "$dir/w.vcd" >"$dir/log" 2>&1; then fail "a wrong path is not noticed"; fi
holds "the wrong path is not named" grep -q 'wrong.gtkw:[0-9]*: the wave has no signal .*u_select.self\[' "$dir/log"
holds "a trap is shown, and there is none" grep -q "^0 addresses/trap$" "$dir/memory"

# The same as a picture: the branch parts even and odd lanes; what stands still cannot be begun with.
picture() { python3 -B "$here/../../waves/picture.py" "$dir/w.fst.divergence.gtkw" "$dir/w.vcd" --heddle "$heddle" "$@"; }
picture --from "paths$p/push" --pixels 64 >"$dir/push.svg" 2>"$dir/log" || fail "no picture: $(cat "$dir/log")"
for text in '@P0 BRA 0x30' 'pushed lanes' 55555555 aaaaaaaa; do
  holds "the picture of the push lacks '$text'" grep -q ">$text<" "$dir/push.svg"
done
if picture --from "at work$p/trap" >/dev/null 2>"$dir/log"; then fail "a picture of a trap that there is not"; fi
holds "the trap that there is not: $(cat "$dir/log")" grep -q "^picture: at work$p/trap is always 0$" "$dir/log"
