#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every fault that lockstep finds on a machine (tests/expect_fail/expected.txt) is found from digests: the core runs
# unjudged, with the fault; a digest is wrong, and the launch done again with the full stream shows the same difference.
# seen_otherwise.txt: which are told by another program, or not at all, and why.
# usage: faults.sh HEDDLE [CONFIG [FAULT ...]]      CONFIG: tiny (default), or fpga
set -uo pipefail
heddle=$1 config=${2:-tiny}
shift $(($# > 1 ? 2 : 1))
here=$(cd "$(dirname "$0")" && pwd)
list=$here/../../../expect_fail
for kind in digest_faults stream_faults; do # each serves as the one without
  device=verilator_${config}_$kind
  [ -e "${HEDDLE_DEVICES:-$(dirname "$heddle")/devices}/$device.so" ] ||
    { echo "faults: $device is not built: cmake --build $(dirname "$heddle") --target device_$device" >&2; exit 5; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
found=0 unseen=0 all=0 failed=0

# A program of the list, or of this folder.
source_of() { if [ -f "$here/$1.s" ]; then echo "$here/$1.s"; else echo "$list/$1.s"; fi; }
launch_of() { sed -n 's,^// launch: ,,p' "$(source_of "$1")" | sed "s,out:\([0-9]*\),out:\1:$dir/out.bin,g"; }

one() { # fault name program mode
  local fault=$1 name=$2 program=$3 mode=$4 stall options status want=same other drop=""
  [ "$fault" != 0 ] || name=code
  other=$(awk -v f="$fault" -v p="$program" -v c="$config" \
    '$1 == f && $2 == p && ($3 == "all" || $3 == c) { print $4, $5, $6; exit }' "$here/seen_otherwise.txt")
  all=$((all + 1))
  if [ -n "$other" ]; then
    read -r program want drop <<<"$other"
    if [ "$program" = - ]; then
      unseen=$((unseen + 1))
      program=$3
      want=unseen
    fi
  fi
  stall=$(sed -n 's,^// stall: ,,p' "$(source_of "$program")")
  stall=${stall%%/*}
  sed "s/S##/S$(printf %02d "${stall:-0}")/" "$(source_of "$program")" >"$dir/$program.s"
  "$heddle" as --long "$dir/$program.s" -o "$dir/$program.elf" >"$dir/as.txt" 2>&1 || { cat "$dir/as.txt"; failed=1; return; }
  read -ra options <<<"$(launch_of "$program")"
  rm -f "$dir/digests" "$dir/stream"
  "$heddle" run "$dir/$program.elf" --kernel "$program" --grid 1 "${options[@]}" --on rtl --config "${config}_digest" --dep "$mode" \
    --fault "$fault" --max-cycles 400000 --stream "$dir/digests" --replay "$dir/stream" $drop >"$dir/report.txt" 2>&1
  status=$?
  saw=$(sed -n 's/^replay: \([a-z]*\) .*/\1/p' "$dir/report.txt")
  if [ "$want" = unseen ]; then
    # Listed as not to be seen: if it is, the list is wrong.
    if [ -z "$saw" ]; then echo "unseen  fault $fault $name: $program $mode"; else
      failed=1
      echo "FAILED  fault $fault $name: $program $mode: seen after all ($saw); seen_otherwise.txt says it is not"
    fi
  elif [ $status = 1 ] && [ "$saw" = "$want" ]; then
    found=$((found + 1))
    echo "ok      fault $fault $name: $program $mode: $(sed -n 's/^replay: //p' "$dir/report.txt")"
  else
    failed=1
    echo "FAILED  fault $fault $name: $program $mode: exit $status, replay '$saw', want '$want'"
    head -8 "$dir/report.txt" | sed 's/^/        | /'
  fi
}

while read -r line; do
  case $line in "" | \#*) continue ;; esac
  read -ra f <<<"${line%% : *}"
  [ "${f[3]}" = all ] || [[ ,${f[3]}, == *,$config,* ]] || continue
  [ $# = 0 ] || [[ " $* " == *" ${f[0]} "* ]] || continue
  one "${f[0]}" "${f[1]}" "${f[2]}" "${f[4]}"
done <"$list/expected.txt"
echo "$config: $found of $all found and reproduced, $unseen listed as not in a digest"
[ $failed = 0 ] && [ "$all" -gt 0 ]
