#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The checker can fail: every injected fault, and every wrong control code, is stopped and named as expected.txt says.
# usage: run.sh HEDDLE [CONFIG ...]     default: tiny cached quad fpga mid wide duo sm. Devices: HEDDLE_DEVICES, or those of the build.
# SKIP="PROGRAM ...": programs that make no sense in another encoding, since they hold words in hex.
set -uo pipefail
[ $# -ge 1 ] || { echo "usage: run.sh HEDDLE [CONFIG ...]" >&2; exit 2; }
heddle=$1
shift
configs=("$@")
[ ${#configs[@]} -gt 0 ] || configs=(tiny cached quad fpga mid wide duo sm)
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
declare -A clean

pass() { passed=$((passed + 1)); echo "ok      $1"; }
fail() { # WHAT WHY [REPORT]
  failed=$((failed + 1))
  echo "FAILED  $1: $2"
  [ $# -lt 3 ] || sed 's/^/        | /' "$3" | head -24
}

# "tiny, fpga, cached, quad and paged/mid/duo, sm and gpu/wide": the value for this configuration.
pick() {
  local of
  IFS=/ read -ra of <<<"$1"
  [ ${#of[@]} = 4 ] || { echo "$1"; return; }
  case $2 in
    tiny | fpga | cached | quad | paged) echo "${of[0]}" ;;
    mid) echo "${of[1]}" ;;
    duo | sm | gpu) echo "${of[2]}" ;;
    *) echo "${of[3]}" ;;
  esac
}

# What a program's head says: launch options (with places for its outputs), the trap that it ends with.
launch_of() { sed -n 's,^// launch: ,,p' "$here/$1.s" | sed "s,out:\([0-9]*\),out:\1:$dir/out.bin,g"; }
trap_of() { sed -n 's,^// traps: ,,p' "$here/$1.s"; }

# assembled PROGRAM CONFIG: with the stall count of its head, if it has one, in place of ##.
assembled() {
  local stall
  stall=$(pick "$(sed -n 's,^// stall: ,,p' "$here/$1.s")" "$2")
  sed "s/S##/S$(printf %02d "${stall:-0}")/" "$here/$1.s" >"$dir/$1.s"
  "$heddle" as --long "$dir/$1.s" -o "$dir/$1.elf" >"$dir/as.txt" 2>&1 || { cat "$dir/as.txt"; return 1; }
}

# run PROGRAM CONFIG MODE FAULT: the exit status; what it said is in $dir/report.txt.
run() {
  local options
  read -ra options <<<"$(launch_of "$1")"
  "$heddle" run "$dir/$1.elf" --kernel "$1" --grid 1 "${options[@]}" --on lockstep --config "$2" --dep "$3" \
    --fault "$4" --max-cycles 200000 >"$dir/report.txt" 2>&1
}

# Without a fault both sides agree; each program, configuration and mode once.
check_clean() {
  local program=$1 config=$2 mode=$3 cause want=0 got=0
  [ -z "${clean[$program.$config.$mode]:-}" ] || return 0
  clean[$program.$config.$mode]=1
  cause=$(trap_of "$program")
  [ -z "$cause" ] || want=3
  run "$program" "$config" "$mode" 0 || got=$?
  if [ $got = $want ] && { [ -z "$cause" ] || grep -qF "trap $cause" "$dir/report.txt"; }; then
    pass "$program $config $mode: no fault, no difference"
  else
    fail "$program $config $mode: no fault" "exit $got, want $want" "$dir/report.txt"
  fi
}

# The place that the report names, as "warp block seq pc lanes"; - for what it does not name.
place() {
  awk '
    /^  warp / { sm = $2 == "SM" ? 2 : 0; warp = $(7 + sm); block = $(10 + sm); gsub(/[()]/, "", block) }
    /^  at        seq/  { seq = $3; pc = $5 }
    /^  lanes     0x/   { lanes = $2 }
    function named(x) { return x == "" ? "-" : x }
    END { print named(warp), named(block), named(seq), named(pc), named(lanes) }' "$dir/report.txt"
}

same() { [ "$1" = - ] || [ "$1" = any ] || [ "$1" = "$2" ] || { [[ $1 == 0x* && $2 == 0x* ]] && [ $(($1)) = $(($2)) ]; }; }

# Is the difference of this kind? "device": a rule of the bus, which the memory is told.
named() { if [ "$1" = device ]; then grep -q "^device: " "$dir/report.txt"; else grep -qF "difference: $1 (" "$dir/report.txt"; fi; }

# fault name program config mode kind warp block seq pc lanes says
check_fault() {
  local fault=$1 program=$3 config=$4 mode=$5 kind=$6 says=${12} got=0 saw wrong="" i
  local what="fault $1 $2: $program $config $mode" want=("${@:7:5}") name=(warp block seq pc lanes)
  [ "$fault" != 0 ] || what="code: $program $config $mode"
  run "$program" "$config" "$mode" "$fault" || got=$?
  [ $got = 1 ] || wrong="exit $got, want 1"
  named "$kind" || wrong="$wrong; not named $kind"
  grep -qF -- "$says" "$dir/report.txt" || wrong="$wrong; does not say '$says'"
  read -ra saw <<<"$(place)"
  for i in 0 1 2 3 4; do
    same "${want[i]}" "${saw[i]}" || wrong="$wrong; ${name[i]} ${saw[i]}, want ${want[i]}"
  done
  # A difference without lanes must not show any.
  [ "${want[4]}" != - ] || [ "${saw[4]}" = - ] || wrong="$wrong; shows lanes ${saw[4]}"
  if [ -z "$wrong" ]; then pass "$what: $kind"; else fail "$what" "${wrong#; }" "$dir/report.txt"; fi
}

one_line() { # CONFIG, then the line's fields
  local config=$1 fault=$2 name=$3 program=$4 where=$5 mode=$6 kind=$7 warp=$8 block=$9
  local seq pc lanes says=${13}
  [ "$where" = all ] || [[ ,$where, == *,$config,* ]] || return 0
  [[ " ${SKIP:-} " != *" $program "* ]] || return 0
  seq=$(pick "${10}" "$config") pc=$(pick "${11}" "$config") lanes=$(pick "${12}" "$config")
  assembled "$program" "$config" || { fail "$program" "does not assemble"; return 0; }
  [ "$fault" = 0 ] || check_clean "$program" "$config" control
  check_clean "$program" "$config" scoreboard
  check_fault "$fault" "$name" "$program" "$config" "$mode" "$kind" "$warp" "$block" "$seq" "$pc" "$lanes" "$says"
}

for config in "${configs[@]}"; do
  while read -r line; do
    case $line in "" | \#*) continue ;; esac
    read -ra f <<<"${line%% : *}"
    if [ ${#f[@]} != 11 ]; then fail "expected.txt" "not eleven fields: $line"; continue; fi
    one_line "$config" "${f[@]}" "${line#* : }"
  done <"$here/expected.txt"
done

# Every fault of verify/faults has a line under its own name and number.
while read -r number name _; do
  if grep -q "^$number $name " "$here/expected.txt"; then pass "fault $number $name has a line"
  else fail "fault $number $name" "has no line in expected.txt"; fi
done < <("$here/../../verify/faults/plant.py" --list)

echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
