#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kernels on a device that tells digests, two launches each: they pass; a program whose warps meet in memory under several
# seeds too. Then the bytes are spoiled: never a pass. It prints what digests cost.
# usage: kernels.sh HEDDLE KERNELS [CONFIG]     KERNELS: build/share/heddle/kernels; CONFIG: tiny
set -uo pipefail
heddle=$1 kernels=$2 config=${3:-tiny}
here=$(cd "$(dirname "$0")" && pwd)
spoil=$here/../stream/spoil.py
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED  $1"; failed=1; }

# Numbers that are no zeros: 4,096 bytes, as floats between 1 and 2 and as bytes.
python3 -B - "$dir" <<'PY'
import random, struct, sys
r = random.Random(1)
open(sys.argv[1] + "/floats", "wb").write(struct.pack("<1024f", *(1 + r.random() for _ in range(1024))))
open(sys.argv[1] + "/bytes", "wb").write(bytes(r.randrange(256) for _ in range(4096)))
PY
f=in:$dir/floats b=in:$dir/bytes o=$dir/out

launch_of() {
  case $1 in
    vecadd.s) echo "--grid 2 --block 64 --arg $f --arg $f --arg out:512:$o --arg u32:100" ;;
    sgemm.s) echo "--grid 1 --block 16,8 --arg $f --arg $f --arg out:1024:$o --arg u32:16" ;;
    histogram.s) echo "--grid 1 --block 64 --arg $b --arg out:256:$o --arg out:4:$o --arg out:256:$o --arg u32:60" ;;
    saxpy.ptx) echo "--grid 2 --block 64 --arg f32:2.5 --arg $f --arg inout:$dir/floats:$o --arg u32:100" ;;
    meet.s | clock.s) echo "--grid 3 --block 64 --arg out:4096:$o" ;;
  esac
}
source_of() { if [ -f "$here/$1" ]; then echo "$here/$1"; else echo "$kernels/$1"; fi; }

passes() { # FILE WHAT
  "$heddle" check "$1" >"$dir/check.txt" 2>&1 && grep -q '; memory at the end compared' "$dir/check.txt" ||
    { fail "$2"; cat "$dir/check.txt"; }
}

for name in vecadd.s sgemm.s histogram.s saxpy.ptx; do
  read -ra launch <<<"$(launch_of "$name")"
  file=$dir/digests
  "$heddle" run "$(source_of "$name")" "${launch[@]}" --on rtl --config "${config}_digest" --launches 2 --stream "$file" \
    >"$dir/run.txt" 2>&1 || { fail "$name: run"; cat "$dir/run.txt"; continue; }
  passes "$file" "$name"
  all=$(sed -n 's/.*ok: \([0-9]*\) warp instructions.*/\1/p' "$dir/run.txt")
  bytes=$(python3 -B "$spoil" size "$file")
  echo "$name: $all instructions, $bytes bytes: $((10 * bytes / all / 10)).$((10 * bytes / all % 10)) an instruction"
  for seed in 1 2 3 4 5 6; do
    python3 -B "$spoil" "$seed" "$file" "$dir/spoiled"
    "$heddle" check "$dir/spoiled" >"$dir/spoiled.txt" 2>&1
    status=$?
    [ $status = 2 ] && grep -q 'the digests are lost behind byte\|the stream is lost' "$dir/spoiled.txt" ||
      { fail "$name: spoiled by seed $seed: exit $status"; head -3 "$dir/spoiled.txt"; }
  done
done

for name in meet.s clock.s; do
  read -ra launch <<<"$(launch_of "$name")"
  for seed in 1 2 3 4; do
    "$heddle" run "$(source_of "$name")" "${launch[@]}" --on rtl --config "${config}_digest" --seed $seed --stream "$dir/digests" \
      >"$dir/run.txt" 2>&1 || { fail "$name, seed $seed: run"; cat "$dir/run.txt"; continue; }
    passes "$dir/digests" "$name, seed $seed"
  done
  echo "$name: $(head -1 "$dir/check.txt")"
done
exit $failed
