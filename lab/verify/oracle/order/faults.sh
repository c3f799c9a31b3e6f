#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each fault of faults.txt breaks its axiom in a trace of the device alone; without the fault every axiom holds.
# usage: faults.sh HEDDLE CONFIG       devices: HEDDLE_DEVICES, or those of the build
set -uo pipefail
[ $# = 2 ] || { echo "usage: faults.sh HEDDLE CONFIG" >&2; exit 2; }
heddle=$1 config=$2
here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../../../../tests/expect_fail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

check() { # WHAT STATUS "WORDS" FAULT PROGRAM
  local got=0 options
  read -ra options <<<"$(sed -n 's,^// launch: ,,p' "$programs/$5.s" | sed "s,out:\([0-9]*\),out:\1:$dir/out.bin,g")"
  rm -f "$dir/t.bin"
  "$heddle" run "$dir/p.elf" --kernel "$5" --grid 1 "${options[@]}" --on rtl --config "$config" --fault "$4" \
    --max-cycles 50000 --trace "$dir/t.bin" >"$dir/run.txt" 2>&1
  "$heddle" order "$dir/t.bin" >"$dir/out.txt" 2>&1 || got=$?
  if [ "$got" = "$2" ] && grep -qF -- "$3" "$dir/out.txt"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $1: status $got (want $2), want '$3':"
    sed 's/^/  | /' "$dir/run.txt" "$dir/out.txt" | head -20
  fi
}

while read -r fault program axiom; do
  case $fault in "" | \#*) continue ;; esac
  where=$(awk -v f="$fault" -v p="$program" '$1 == f && $3 == p { print $4; exit }' "$programs/expected.txt")
  [ -n "$where" ] || { failed=$((failed + 1)); echo "FAILED: expected.txt has no fault $fault of $program"; continue; }
  [ "$where" = all ] || [[ ,$where, == *,$config,* ]] || continue
  "$heddle" as "$programs/$program.s" -o "$dir/p.elf" || { failed=$((failed + 1)); continue; }
  check "$program as it is" 0 "every axiom holds" 0 "$program"
  check "$program with fault $fault" 1 "broken: $axiom in cycle" "$fault" "$program"
done <"$here/faults.txt"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
