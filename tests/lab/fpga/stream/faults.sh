#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every fault that lockstep finds on tiny (tests/expect_fail/expected.txt) is found from the stream alone: the core runs
# unjudged, with the fault; its stream is judged afterwards. seen_later.txt: which are told otherwise, and why.
# usage: faults.sh HEDDLE [FAULT ...]
set -uo pipefail
heddle=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
list=$here/../../../expect_fail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
found=0 unseen=0 all=0 failed=0

launch_of() { sed -n 's,^// launch: ,,p' "$list/$1.s" | sed "s,out:\([0-9]*\),out:\1:$dir/out.bin,g"; }

one() { # fault name program mode kind
  local fault=$1 name=$2 program=$3 mode=$4 kind=$5 stall options status saw other drop=""
  [ "$fault" != 0 ] || name=code
  other=$(awk -v f="$fault" -v p="$program" '$1 == f && $2 == p { print $3, $4, $5 }' "$here/seen_later.txt")
  [ -z "$other" ] || read -r program kind drop <<<"$other"
  [ "$drop" != - ] || drop=""
  [ "$program" != - ] || { program=$3 kind=""; unseen=$((unseen + 1)); }
  stall=$(sed -n 's,^// stall: ,,p' "$list/$program.s")
  stall=${stall%%/*}
  sed "s/S##/S$(printf %02d "${stall:-0}")/" "$list/$program.s" >"$dir/$program.s"
  "$heddle" as --long "$dir/$program.s" -o "$dir/$program.elf" >"$dir/as.txt" 2>&1 || { cat "$dir/as.txt"; return 1; }
  read -ra options <<<"$(launch_of "$program")"
  rm -f "$dir/stream"
  "$heddle" run "$dir/$program.elf" --kernel "$program" --grid 1 "${options[@]}" --on rtl --config tiny_stream --dep "$mode" \
    --fault "$fault" --max-cycles 400000 --stream "$dir/stream" $drop >"$dir/run.txt" 2>&1
  "$heddle" check "$dir/stream" >"$dir/report.txt" 2>&1
  status=$?
  saw=$(sed -n 's/^difference: \([a-z_.]*\) .*/\1/p' "$dir/report.txt" | head -1)
  all=$((all + 1))
  if [ -z "$kind" ] && [ -z "$saw" ]; then
    echo "unseen  fault $fault $name: $program $mode"
  elif [ $status = 1 ] && [ "$saw" = "$kind" ]; then
    found=$((found + 1))
    echo "ok      fault $fault $name: $program $mode: $saw"
  else
    failed=1
    echo "FAILED  fault $fault $name: $program $mode: exit $status, '$saw', want $kind"
    head -5 "$dir/report.txt" | sed 's/^/        | /'
  fi
}

while read -r line; do
  case $line in "" | \#*) continue ;; esac
  read -ra f <<<"${line%% : *}"
  [ "${f[3]}" = all ] || [[ ,${f[3]}, == *,tiny,* ]] || continue
  [ $# = 0 ] || [[ " $* " == *" ${f[0]} "* ]] || continue
  one "${f[0]}" "${f[1]}" "${f[2]}" "${f[4]}" "${f[5]}"
done <"$list/expected.txt"
echo "$found of $all found, $unseen listed as not in a stream"
[ $failed = 0 ] && [ "$all" -gt 0 ]
