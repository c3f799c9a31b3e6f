#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: netlist-lockstep.sh HEDDLE CONFIG PART [PROGRAMS]
#   example: scripts/netlist-lockstep.sh build/heddle tiny netlist 100
# The machine as mapped to an ECP5 (devices CONFIG_netlist, CONFIG_pins, CONFIG_netlist_faults; lab/fpga/synth/README.md says what they are):
#   netlist  with its retire port, every instruction judged: each kernel, then PROGRAMS random programs (default 100) in either
#            mode of dependencies
#   gw5a     the same of the machine mapped to a Gowin GW5A (device CONFIG_gw5a)
#   pins     as place and route gets it, beside the RTL: the same programs, every bit of every output in every cycle
#   planted  each planted fault must be found by these kernels and programs, but for those in lab/fpga/synth/planted_unseen.txt; says by
#            which
# Exit status: 0 all is right, 1 it is not.
set -euo pipefail
heddle=$1 config=$2 part=$3 programs=${4:-100}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# kernels DEVICE WHERE: those that the RTL of this configuration runs (some blocks are larger than a small machine); of the
# planted, those in assembly.
names() {
  "$heddle" kernels ${1:+--form "$1"} --on lockstep --config "$config" --scale 0 --launches 1 2>/dev/null |
    sed -nE 's/^([a-z0-9_]+)[. ].* ok$/\1/p'
}
kernels() {
  # shellcheck disable=SC2086  # several names
  "$heddle" kernels $kernels --on "$2" --config "$1" --scale 0 --launches 1 "${@:3}"
}
# programs_on DEVICE WHERE: kernels, then random programs in both modes.
fuzz() { "$heddle" fuzz --on "$2" --config "$1" --programs "$3" "${@:4}"; }
programs_on() {
  kernels "$1" "$2" && fuzz "$1" "$2" "$programs" --seed 11 --dep control && fuzz "$1" "$2" "$programs" --seed 12 --dep scoreboard
}

# found_by FAULT: the words of the first run that ends with a difference, a trap or a watchdog's, or nothing. Few programs first:
# most faults are found by them.
found_by() {
  local run status
  for run in "fuzz - lockstep 5 --seed 20" "fuzz - lockstep 5 --seed 20 --dep scoreboard" "kernels - lockstep" \
    "fuzz - lockstep $programs --seed 21 --knob program.traps=100" "fuzz - lockstep $programs --seed 22 --dep scoreboard"; do
    status=0
    # shellcheck disable=SC2086  # several words
    ${run/-/${config}_netlist_faults} --fault "$1" ${extra[${run%% *}]} >"$dir/out" 2>&1 || status=$?
    [ $status = 0 ] || { echo "${run/ - lockstep/}: $(grep -m 1 'difference: ' "$dir/out" || tail -n 1 "$dir/out")"; return; }
  done
}
declare -A extra=([fuzz]=--no-shrink [kernels]=)

form=""
[ "$part" != planted ] || form=asm
kernels=$(names $form) || true # some are refused
[ -n "$kernels" ] || { echo "netlist-lockstep: no kernel runs on $config: is device_verilator_$config built?" >&2; exit 1; }
case $part in
  netlist | gw5a) programs_on "${config}_$part" lockstep ;;
  pins) programs_on "${config}_pins" rtl ;;
  planted)
    missed=0 faults=0 unseen=0
    ledger=$(cd "$(dirname "$0")/../lab/fpga/synth" && pwd)/planted_unseen.txt
    [ -z "$(found_by 0)" ] || { echo "without a fault something fails"; exit 1; }
    while read -r number what; do
      faults=$((faults + 1))
      how=$(found_by "$number")
      if grep -qF "$config | $what | " "$ledger"; then
        unseen=$((unseen + 1))
        [ -z "$how" ] || { echo "it stands in $ledger, but is found: delete it there"; missed=$((missed + 1)); }
      elif [ -z "$how" ]; then
        missed=$((missed + 1))
      fi
      echo "$number $what: ${how:-NOT FOUND}"
    done <"$(dirname "$heddle")/synth/$config/planted.txt"
    listed=$(grep -c "^$config | " "$ledger" || true)
    [ "$unseen" = "$listed" ] || echo "$ledger has $listed of $config, of which $unseen are planted: delete the others"
    echo "$faults faults planted, $unseen known as not found, $missed wrong"
    [ $missed = 0 ] && [ $faults -gt 0 ] && [ "$unseen" = "$listed" ] ;;
  *) sed -n 3,5p "$0" >&2; exit 2 ;;
esac
