#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kernels run beside retire_stream, judged live; the stream that each leaves is judged again, alone: the same verdict
# over the same instructions. Then its bytes are spoiled: never a pass. Launches are small, since the core waits for its
# stream; what kernels compute is looked at elsewhere.
# usage: kernels.sh HEDDLE KERNELS [NAME ...]     KERNELS: build/share/heddle/kernels
set -uo pipefail
heddle=$1 kernels=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
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
    *) return 1 ;;
  esac
}

[ $# -gt 0 ] || set -- vecadd.s sgemm.s histogram.s saxpy.ptx
for name in "$@"; do
  read -ra launch <<<"$(launch_of "$name")"
  file=$dir/stream
  "$heddle" run "$kernels/$name" "${launch[@]}" --on lockstep --config tiny_stream --launches 2 --stream "$file" \
    --trace "$dir/trace" >"$dir/live.txt" 2>&1 || { fail "$name: live"; cat "$dir/live.txt"; continue; }
  "$heddle" check "$file" >"$dir/later.txt" 2>&1 || { fail "$name: judged otherwise"; cat "$dir/later.txt"; }
  "$heddle" check "$dir/trace" >"$dir/trace.txt" 2>&1 || fail "$name: the trace of the same run"
  all=$(sed -n 's/.*ok: \([0-9]*\) warp instructions.*/\1/p' "$dir/live.txt")
  for what in trace later; do
    sed -n 's/^\([0-9]*\) warp instructions checked.*/\1/p' "$dir/$what.txt" >"$dir/$what.count" # of the last launch
  done
  { [ -s "$dir/later.count" ] && cmp -s "$dir/trace.count" "$dir/later.count"; } ||
    fail "$name: $(cat "$dir/trace.count") instructions in the trace, $(cat "$dir/later.count") in the stream"
  grep -q '^profile P1; not judged' "$dir/later.txt" || fail "$name: the profile is not told"
  bytes=$(python3 -B "$here/spoil.py" size "$file")
  echo "$name: $all instructions, $((8 * bytes / all)) bits each"
  for seed in 1 2 3 4 5 6; do
    python3 -B "$here/spoil.py" "$seed" "$file" "$dir/spoiled"
    "$heddle" check "$dir/spoiled" >"$dir/spoiled.txt" 2>&1
    status=$?
    [ $status = 2 ] && grep -q 'the stream is lost behind byte' "$dir/spoiled.txt" ||
      { fail "$name: spoiled by seed $seed: exit $status"; head -3 "$dir/spoiled.txt"; }
  done
done
exit $failed
