#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A short run and its stream: judged while it comes; over a slow link; with a host that does more than it must; the clock that it
# reads; and a core that does not wait, whose loss is told, and no pass.
# usage: short.sh HEDDLE JUDGE_LIVE
set -uo pipefail
heddle=$1 live=$2
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED  $1"; failed=1; }

launch=(--kernel clock --grid 2 --block 64 --arg out:256:u32:- --config tiny_stream)
"$heddle" as "$here/clock.s" -o "$dir/clock.elf" || exit 1
run() { # NAME OPTION ...
  local name=$1
  shift
  "$heddle" run "$dir/clock.elf" "${launch[@]}" --stream "$dir/$name" "$@" >"$dir/$name.txt" 2>&1
}

for seed in 1 2 3; do
  run "clock$seed" --seed $seed || { fail "live, seed $seed"; cat "$dir/clock$seed.txt"; }
  "$heddle" check "$dir/clock$seed" >"$dir/check.txt" 2>&1 || { fail "the stream, seed $seed"; cat "$dir/check.txt"; }
done
"$live" "$dir/clock1" || fail "while it comes"

# 12 Mbaud beside 50 MHz: 42 cycles a byte. The same records, later.
run slow --stream-gap 42 --on rtl || fail "over a slow link"
"$heddle" check "$dir/slow" >"$dir/check.txt" 2>&1 || { fail "the stream of a slow link"; cat "$dir/check.txt"; }

run lossy --stream-gap 200 --stream-drop --on rtl || fail "a core that does not wait"
"$heddle" check "$dir/lossy" >"$dir/check.txt" 2>&1
[ $? = 2 ] && grep -q 'the core found no room for its records; to be read again from byte' "$dir/check.txt" ||
  { fail "a loss is not told"; cat "$dir/check.txt"; }
for name in clock1 slow lossy; do
  echo "$name: $(python3 -B "$here/spoil.py" size "$dir/$name") bytes, $(sed -n 's/.*ok: //p' "$dir/$name.txt")"
done
exit $failed
