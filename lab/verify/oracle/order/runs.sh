#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lists that are written from traces of runs: each says what its trace says. Kernels hold, with and without a fence, a
# barrier, atomics; spoiled ones are found, or are harmless (spoil_list.py); of the faults in faults.txt, those that a list can show break it, by the axiom of list_faults.txt.
# usage: runs.sh HEDDLE CONFIG       devices: HEDDLE_DEVICES, or those of the build
set -uo pipefail
[ $# = 2 ] || { echo "usage: runs.sh HEDDLE CONFIG" >&2; exit 2; }
heddle=$1 config=$2
here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../../../../tests/expect_fail
source "$here/../../../../tests/lib.sh"

for kernel in vecadd reduce permute nested histogram; do
  rm -f "$dir"/t.bin*
  expect 0 "0 failed" "$heddle" kernels "$kernel" --form asm --scale 0 --launches 1 --on lockstep --config "$config" \
    --trace "$dir/t.bin"
  expect 0 "every axiom holds" "$heddle" order "$dir/t.bin" --write-list "$dir/t.list"
  expect 0 "every axiom holds" "$heddle" order "$dir/t.list"
  case $kernel in vecadd | reduce) # without stamps an order is found, too
    sed 's/ at [0-9]*$//; s/stamps total/stamps none/' "$dir/t.list" >"$dir/none.list"
    expect 0 "every axiom holds" "$heddle" order "$dir/none.list" ;;
  esac
done
expect 0 ", 0 missed, 0 found that are harmless" python3 "$here/spoil_list.py" "$heddle" "$dir/t.list" --each 20
expect 2 "is a list already" "$heddle" order "$dir/t.list" --write-list "$dir/again.list"

while read -r fault program axiom; do
  case $fault in "" | \#*) continue ;; esac
  where=$(awk -v f="$fault" -v p="$program" '$1 == f && $3 == p { print $4; exit }' "$programs/expected.txt")
  [ "$where" = all ] || [[ ,$where, == *,$config,* ]] || continue
  options=()
  read -ra options <<<"$(sed -n 's,^// launch: ,,p' "$programs/$program.s" | sed "s,out:\([0-9]*\),out:\1:$dir/out.bin,g")"
  expect 0 "" "$heddle" as "$programs/$program.s" -o "$dir/p.elf"
  for inject in 0 "$fault"; do
    rm -f "$dir/t.bin"
    "$heddle" run "$dir/p.elf" --kernel "$program" --grid 1 "${options[@]}" --on rtl --config "$config" \
      --fault "$inject" --max-cycles 50000 --trace "$dir/t.bin" >"$dir/run.txt" 2>&1
    if [ "$inject" = 0 ] || [ "$axiom" = hidden ]; then
      [ "$inject" = 0 ] && expect 0 "every axiom holds" "$heddle" order "$dir/t.bin" --write-list "$dir/t.list"
      [ "$inject" = 0 ] || expect 1 "broken: " "$heddle" order "$dir/t.bin" --write-list "$dir/t.list"
      expect 0 "every axiom holds" "$heddle" order "$dir/t.list"
    else
      expect 1 "broken: " "$heddle" order "$dir/t.bin" --write-list "$dir/t.list"
      expect 1 "broken: $axiom" "$heddle" order "$dir/t.list"
    fi
  done
done <"$here/list_faults.txt"
