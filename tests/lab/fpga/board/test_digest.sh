#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A whole board that sends digests: judged at the end of each launch, and the same verdict from the file that it leaves.
# A bug in the core is a difference, a damaged byte of the line is no pass and no difference.
# usage: test_digest.sh BUILD KERNELS     KERNELS: build/share/heddle/kernels
set -uo pipefail
build=$1 kernels=$2
here=$(cd "$(dirname "$0")" && pwd)
faults=$here/../../../expect_fail
heddle=$build/heddle sim=$build/bin/board_sim_tiny_digest
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { # WHAT [FILE]
  echo "FAILED  $1"
  failed=1
  [ $# = 1 ] || head -12 "$2" | sed 's/^/        | /'
}
has() { grep -qF -- "$3" "$2" || fail "$1: no '$3'" "$2"; } # WHAT FILE TEXT
status_of() { # FILE COMMAND...: its exit status
  local to=$1
  shift
  timeout 300 "$@" >"$to" 2>&1
  echo $?
}
# Exit status of both, live and from the file, and what both say.
both() { # STATUS WHAT COMMAND...: leaves $dir/live, $dir/later
  local want=$1 what=$2 s
  shift 2
  rm -f "$dir/digests"
  s=$(status_of "$dir/live" "$@")
  [ "$s" = "$want" ] || fail "$what: exit status $s, not $want" "$dir/live"
  s=$(status_of "$dir/later" "$heddle" check "$dir/digests" --json "$dir/later.json")
  [ "$s" = "$want" ] || fail "$what, from its file: exit status $s, not $want" "$dir/later"
}
# Windows, instructions, differences and all: what was found live is what is found in the file.
same_found() { # WHAT
  python3 -B - "$dir/live.json" "$dir/later.json" >"$dir/found" 2>&1 <<'PY' || fail "$1: live and from its file" "$dir/found"
import json, sys

def digests_of(j): # heddle board, heddle run
    return j["kernels"][0]["digests"] if "kernels" in j else j["result"]["digests"]

live, later = (json.load(open(p)) for p in sys.argv[1:])
found = digests_of(live)
for key in ("outcome", "message", "counters", "wrong"):
    assert found[key] == later[key], f"{key}: {found[key]} live, {later[key]} from the file"
assert found["counters"]["windows"] > 0 and found["counters"]["warp_instructions"] > 0, found
print(found["outcome"], found["counters"])
PY
  echo "$1: $(cat "$dir/found")"
}
on=(--config tiny --on board --board "sim:$sim" --stream "$dir/digests" --json "$dir/live.json")

# ---- kernels: the driver's way, and heddle run's ----------------------------------------------------
both 0 vecadd "$heddle" board "sim:$sim" vecadd --trace "$dir/digests" --json "$dir/live.json"
has vecadd "$dir/live" "1 passed, 0 failed"
has vecadd "$dir/live" " right; memory at the end compared"
has vecadd "$dir/live" " 0 violations"
same_found vecadd

python3 -B - "$dir/bytes" <<'PY'
import random, sys
r = random.Random(1)
open(sys.argv[1], "wb").write(bytes(r.randrange(256) for _ in range(64)))
PY
histogram=("$kernels/histogram.s" --grid 1 --block 64 --arg "in:$dir/bytes" --arg "out:256:$dir/bins" --arg "out:4:$dir/more"
  --arg "out:256:$dir/out" --arg u32:60)
both 0 histogram "$heddle" run "${histogram[@]}" "${on[@]}"
has histogram "$dir/live" " right; memory at the end compared"
same_found histogram

# ---- a bug in the core: which window is told, and what says more ------------------------------------
read -ra launch <<<"$(sed -n 's,^// launch: ,,p' "$faults/carry.s" | sed "s,out:\([0-9]*\),out:\1:$dir/out.bin,g")"
"$heddle" as --long "$faults/carry.s" -o "$dir/carry.elf" >"$dir/as" 2>&1 || fail "carry.s" "$dir/as"
both 1 "fault 1 ALU_CARRY" env HEDDLE_FAULT=1 "$heddle" run "$dir/carry.elf" --kernel carry --grid 1 "${launch[@]}" "${on[@]}"
has "fault 1 ALU_CARRY" "$dir/live" "window(s) of "
has "fault 1 ALU_CARRY" "$dir/live" "heddle check DIGESTS --replay STREAM"
same_found "fault 1 ALU_CARRY"

# ---- a byte of the trace comes damaged: lost -------------------------------------------------------
printf '#!/bin/sh\nexec "%s" --damage flip:400 "$@"\n' "$sim" >"$dir/sim"
chmod +x "$dir/sim"
both 2 flip "$heddle" board "sim:$dir/sim" vecadd --trace "$dir/digests" --json "$dir/live.json"
has flip "$dir/live" "the digests are lost"
has "flip, from its file" "$dir/later" "the digests are lost"
[ "$failed" = 0 ] && echo ok
exit $failed
