#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A device with digests: programs run in lockstep as without them, record by record; the digests that it leaves are
# those of the records that it showed, launch by launch, however slow the link. A core that waits for nothing says what
# it lost.
# usage: devices.sh HEDDLE AGAINST_TRACE CONFIG KERNELS [PROGRAMS]    KERNELS: build/share/heddle/kernels
set -uo pipefail
heddle=$1 against=$2 config=$3 kernels=$4 programs=${5:-6}
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED  $1"; failed=1; }

python3 -B - "$dir" <<'PY'
import random, struct, sys
r = random.Random(1)
open(sys.argv[1] + "/floats", "wb").write(struct.pack("<1024f", *(1 + r.random() for _ in range(1024))))
open(sys.argv[1] + "/bytes", "wb").write(bytes(r.randrange(256) for _ in range(4096)))
PY
f=in:$dir/floats b=in:$dir/bytes o=$dir/out

launch_of() {
  case $1 in
    vecadd.s) echo "$kernels/vecadd.s --grid 6 --block 64 --arg $f --arg $f --arg out:1536:$o --arg u32:380" ;;
    sgemm.s) echo "$kernels/sgemm.s --grid 1 --block 16,8 --arg $f --arg $f --arg out:1024:$o --arg u32:16" ;;
    histogram.s)
      echo "$kernels/histogram.s --grid 1 --block 64 --arg $b --arg out:256:$o --arg out:4:$o --arg out:256:$o" \
        "--arg u32:60" ;;
    reads_clock.s) echo "$here/reads_clock.s --grid 3 --block 64 --arg out:768:$o" ;;
  esac
}
# Which records a trace has, in which cycles, of which instructions. Lockstep has judged what they say; what they say of
# registers that nobody has written is drawn for each device.
records() {
  python3 -B - "$1" <<'PY'
import hashlib, sys
d = open(sys.argv[1], "rb").read()
h, at = hashlib.sha256(), 8
while at + 5 <= len(d):
    n = int.from_bytes(d[at + 1:at + 5], "little")
    if d[at:at + 1] == b"R": h.update(d[at + 5:at + 5 + min(n, 16)])
    at += 5 + n
print(h.hexdigest())
PY
}

for name in vecadd.s sgemm.s histogram.s reads_clock.s; do
  read -ra launch <<<"$(launch_of $name)"
  for seed in 1 2; do
    "$heddle" run "${launch[@]}" --seed $seed --on lockstep --config "$config" --trace "$dir/plain" \
      >"$dir/plain.txt" 2>&1 || { fail "$name: without digests"; cat "$dir/plain.txt"; continue; }
    "$heddle" run "${launch[@]}" --seed $seed --on lockstep --config "${config}_digest" --stream "$dir/digest" \
      --trace "$dir/trace" >"$dir/live.txt" 2>&1 || { fail "$name: live"; cat "$dir/live.txt"; continue; }
    [ "$(records "$dir/plain")" = "$(records "$dir/trace")" ] ||
      fail "$name: the core does something else beside digests"
    "$against" "$dir/trace" "$dir/digest" >"$dir/said" || { fail "$name"; cat "$dir/said"; }
    [ $seed != 1 ] || sed "s/^/$name: /" "$dir/said"
    # A link that holds the core.
    "$heddle" run "${launch[@]}" --seed $seed --on lockstep --config "${config}_digest" --stream "$dir/digest" \
      --stream-gap 60 --launches 2 --trace "$dir/trace" >"$dir/live.txt" 2>&1 ||
      { fail "$name: held"; cat "$dir/live.txt"; continue; }
    "$against" "$dir/trace" "$dir/digest" >"$dir/said" || { fail "$name, held"; cat "$dir/said"; }
  done
done

# Random programs, many of whose warps meet; of a host that does more than to launch the trace does not tell.
"$heddle" fuzz --programs "$programs" --config "${config}_digest" --knob program.host=0 --stream "$dir/f" \
  --trace "$dir/t" >"$dir/fuzz.txt" 2>&1
judged=0
for t in "$dir"/t.*; do
  [ -s "$t" ] && [ -s "$dir/f.${t##*/t.}" ] || continue
  "$against" "$t" "$dir/f.${t##*/t.}" >"$dir/said" || { fail "program ${t##*/t.}"; cat "$dir/said"; }
  judged=$((judged + 1))
done
[ $judged -ge $((programs / 2)) ] ||
  { fail "of $programs random programs $judged have left a trace"; tail -5 "$dir/fuzz.txt"; }

# A core that waits for nothing, before a link that is far too slow for one that reads the clock all the time.
read -ra launch <<<"$(launch_of reads_clock.s)"
"$heddle" run "${launch[@]}" --on lockstep --config "${config}_digest" --stream "$dir/digest" --stream-gap 300 \
  --stream-drop --trace "$dir/trace" >"$dir/live.txt" 2>&1 || fail "dropped: live"
"$against" "$dir/trace" "$dir/digest" >"$dir/said" && fail "what was lost is not said"
grep -q 'a loss where nothing was lost' "$dir/said" || { fail "dropped"; cat "$dir/said"; }
exit $failed
