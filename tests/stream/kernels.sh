#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A kernel runs beside retire_stream, judged live; the stream that it leaves is judged again, alone: the same verdict over the same
# instructions. Then its bytes are spoiled: never a pass.
# usage: kernels.sh HEDDLE "NAME FORM" ...
set -uo pipefail
heddle=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED  $1"; failed=1; }

for kernel in "$@"; do
  read -r name form <<<"$kernel"
  "$heddle" kernels "$name" --form "$form" --on lockstep --config tiny_stream --scale 0 --launches 2 \
    --stream "$dir/stream" >"$dir/live.txt" 2>&1 || { fail "$kernel: live"; cat "$dir/live.txt"; continue; }
  file=$(ls "$dir"/stream*)
  "$heddle" check "$file" >"$dir/later.txt" 2>&1 || { fail "$kernel: the stream is judged otherwise"; cat "$dir/later.txt"; }
  live=$(sed -n 's/.* \([0-9]*\) checked, .*/\1/p' "$dir/live.txt" | head -1)
  later=$(sed -n 's/^\([0-9]*\) warp instructions checked.*/\1/p' "$dir/later.txt")
  [ -n "$live" ] && [ "$live" != 0 ] && [ "$live" = "$later" ] || fail "$kernel: live $live instructions, later $later"
  grep -q '^profile P1; not judged' "$dir/later.txt" || fail "$kernel: the profile is not told"
  bytes=$(python3 -B "$here/spoil.py" size "$file")
  echo "ok      $kernel: $live instructions, $((8 * bytes / live)) bits each"
  for seed in 1 2 3 4 5 6; do
    python3 -B "$here/spoil.py" "$seed" "$file" "$dir/spoiled"
    "$heddle" check "$dir/spoiled" >"$dir/spoiled.txt" 2>&1
    status=$?
    [ $status = 2 ] && grep -q 'the stream is lost behind byte' "$dir/spoiled.txt" ||
      { fail "$kernel: spoiled by seed $seed: exit $status"; head -3 "$dir/spoiled.txt"; }
  done
  rm -f "$dir"/stream* "$dir"/spoiled*
done
exit $failed
