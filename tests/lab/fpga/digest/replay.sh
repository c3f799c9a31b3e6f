#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What heddle check says of files of digests: the verdict, its exit status, JSON; the three words of a replay, of which
# none is a pass; what is refused.
# usage: replay.sh HEDDLE
set -uo pipefail
heddle=$1
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED  $1"; failed=1; head -8 "$dir/said"; }

"$heddle" as "$here/../../../expect_fail/carry.s" -o "$dir/carry.elf" >"$dir/said" 2>&1 || fail "carry.s"
"$heddle" as "$here/meet.s" -o "$dir/meet.elf" >"$dir/said" 2>&1 || fail "meet.s"
run() { # NAME PROGRAM OPTION ...: digests and the full stream
  local name=$1 program=$2
  shift 2
  "$heddle" run "$dir/$program.elf" --on rtl --config tiny_digest --stream "$dir/$name.digest" "$@" >"$dir/said" 2>&1 || fail "$name"
  "$heddle" run "$dir/$program.elf" --on rtl --config tiny_stream --stream "$dir/$name.stream" "$@" >"$dir/said" 2>&1 || fail "$name"
}
says() { # STATUS WORDS ARGUMENT ...
  local want=$1 words=$2
  shift 2
  "$heddle" check "$@" >"$dir/said" 2>&1
  local status=$?
  [ $status = "$want" ] && grep -q "$words" "$dir/said" || fail "check ${*##*/}: exit $status, want $want and '$words'"
}
small=(--grid 1 --block 32) large=(--grid 1 --block 64 --arg "out:4096:$dir/out")
run right carry "${small[@]}"
run wrong carry "${small[@]}" --fault 1
run slow carry "${small[@]}" --stream-gap 500 # the file has its bytes in small parts
run meet meet "${large[@]}"
run meet_wrong meet "${large[@]}" --fault 1  # the carry is felt where the sums grow: not in the first window

says 0 '1 windows, 1 right, 0 wrong; memory at the end compared' "$dir/right.digest"
says 0 '1 right' "$dir/right.digest" "$dir/carry.elf"
says 0 '1 windows, 1 right' "$dir/slow.digest"
says 2 'of another program' "$dir/right.digest" "$dir/meet.elf"
says 1 '(0,0,0)  *0  *0  0 to [0-9]* .*expected [0-9a-f]*, got' "$dir/wrong.digest"
says 1 'replay: same difference: writeback.value at seq 1 ' "$dir/wrong.digest" --replay "$dir/wrong.stream"
says 1 'replay: not reproduced' "$dir/wrong.digest" --replay "$dir/right.stream"
says 0 '1 right' "$dir/right.digest" --replay "$dir/wrong.stream" # nobody asks
says 2 'is for a file of digests' "$dir/right.stream" --replay "$dir/right.stream"

# A digest of the last window that is wrong, and a full stream that differs before.
says 0 ' right, 0 wrong' "$dir/meet.digest"
python3 -B "$here/spoil_window.py" "$dir/meet.digest" "$dir/last.digest" || fail "spoil_window.py"
says 1 '1 wrong' "$dir/last.digest"
if "$heddle" check "$dir/meet_wrong.stream" >"$dir/said" 2>&1; then fail "meet.s with a fault has no difference"; fi
says 1 'replay: other difference' "$dir/last.digest" --replay "$dir/meet_wrong.stream"

# A file of a stream without a byte is no file of digests, and comes to an end.
python3 -B - "$here/../stream" "$dir/right.digest" "$dir/empty" >"$dir/said" 2>&1 <<'PY' || fail "empty"
import struct, sys
sys.path.insert(0, sys.argv[1])
import spoil
items = [(t, p) for t, p in spoil.sections(open(sys.argv[2], "rb").read()) if t != b"S"]
tag, foot = items[-1]
items[-1] = (tag, foot[:8] + struct.pack("<Q", 0) + foot[16:])
open(sys.argv[3], "wb").write(spoil.written(items))
PY
says 2 'the stream is lost' "$dir/empty"

# JSON.
"$heddle" check "$dir/wrong.digest" --replay "$dir/wrong.stream" --json "$dir/json" >"$dir/said" 2>&1
python3 -B - "$dir/json" >"$dir/said" 2>&1 <<'PY' || fail "JSON"
import json, sys
j = json.load(open(sys.argv[1]))
assert j["status"] == "difference" and j["exit"] == 1 and j["outcome"] == "difference", j
w = j["wrong"]
assert len(w) == 1 and w[0]["block"] == [0, 0, 0] and w[0]["warp"] == 0 and w[0]["window"] == 0 and w[0]["first"] == 0, w
assert w[0]["expected"] != w[0]["got"] and w[0]["pc"][0] == 0, w
assert j["replay"] == "same difference" and j["difference"]["checker"]["difference"]["kind"] == "writeback.value", j
PY

# In lockstep the checker stops first.
"$heddle" run "$dir/carry.elf" "${small[@]}" --fault 1 --config tiny_digest --stream "$dir/live" --replay "$dir/full" >"$dir/said" 2>&1
[ $? = 1 ] && grep -q '^difference: writeback.value' "$dir/said" || fail "lockstep"

# Refused: unit its.
"$heddle" run "$dir/carry.elf" "${small[@]}" --on rtl --config tiny_digest --div its --stream "$dir/its.digest" >"$dir/said" 2>&1 || fail its
says 2 'not for divergence unit its' "$dir/its.digest"
for bad in "--config tiny --replay x" "--config tiny_digest --replay x" "--config tiny_stream --stream y --replay x"; do
  read -ra options <<<"$bad"
  "$heddle" run "$dir/carry.elf" "${small[@]}" "${options[@]}" >"$dir/said" 2>&1
  [ $? = 2 ] && grep -q -- --replay "$dir/said" || fail "heddle run $bad"
done
exit $failed
