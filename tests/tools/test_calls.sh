#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_calls.sh HEDDLE LEAF.ptx CONFIG
# Calls without a stack, compiled as functions, in lockstep at CONFIG; the results against a plain loop here.
set -euo pipefail
heddle=$1 ptx=$2 config=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

turns() { # of collatz from $1, 50 at most
  local n=$1 s=0
  while [ "$n" -gt 1 ] && [ $s -lt 50 ]; do
    n=$((n & 1 ? 3 * n + 1 : n / 2))
    s=$((s + 1))
  done
  echo $s
}

for t in $(seq 0 95); do
  first=$(turns "$t") sum=$first
  [ $((t & 3)) = 1 ] || sum=$((sum + $(turns "$first")))
  [ $((t & 3)) -gt 1 ] && last=$first || last=$(((t ^ 50) + 77))
  echo $((sum * 1000 + last))
done >"$dir/want"

"$heddle" ptx "$ptx" --no-inline -o "$dir/leaf.elf"
"$heddle" lint "$dir/leaf.elf" >/dev/null
[ "$("$heddle" dis "$dir/leaf.elf" | grep -c '^\.func')" = 2 ] || { echo "the functions have no symbols"; exit 1; }
for dep in control scoreboard; do
  "$heddle" run "$dir/leaf.elf" --kernel k --grid 1,1,1 --block 96,1,1 --arg "out:384:$dir/out" --on lockstep \
    --config "$config" --dep $dep
  od -A n -v -t u4 -w4 "$dir/out" | tr -d ' ' | diff - "$dir/want"
done
