#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Random programs on a device that tells digests, in lockstep: what lockstep finds right is right by digests alone, and a
# trap is the same trap. (A host that resets between launches leaves no whole stream.)
# usage: random.sh HEDDLE [CONFIG [PROGRAMS [SEED [OPTION ...]]]]      example: random.sh build/heddle fpga 100 7 --dep scoreboard
set -uo pipefail
heddle=$1 config=${2:-tiny} programs=${3:-8} seed=${4:-5}
shift $(($# > 4 ? 4 : $#))
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$heddle" fuzz --programs "$programs" --seed "$seed" --config "${config}_digest" --knob program.host=0 --stream "$dir/digests" "$@" \
  >"$dir/fuzz.txt" 2>&1 || { cat "$dir/fuzz.txt"; exit 1; }
right=0 trapped=0 refused=0 failed=0
for file in "$dir"/digests.*; do
  "$heddle" check "$file" >"$dir/check.txt" 2>&1
  case $? in
    0) right=$((right + 1)) ;;
    3) trapped=$((trapped + 1)) ;;
    2)
      if grep -q 'not for a memory that answers with errors' "$dir/check.txt"; then refused=$((refused + 1)); else failed=1; fi
      ;;
    *) failed=1 ;;
  esac
  [ $failed = 0 ] || { echo "FAILED  program ${file##*.} of seed $seed"; head -20 "$dir/check.txt"; exit 1; }
done
echo "$config: $right right, $trapped trap as the model does, $refused refused (memory answers with errors)"
[ $((right + trapped + refused)) = "$programs" ] && [ "$right" -gt 0 ]
