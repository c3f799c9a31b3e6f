#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the core of a board retires, judged while it runs, at the pins of the whole board; and the same from the file that
# it leaves. A line that damages a byte is no pass, bugs in the core are found, a grid that does not end is given up.
# usage: test_live.sh BUILD KERNELS     KERNELS: build/share/heddle/kernels
set -uo pipefail
build=$1 kernels=$2
here=$(cd "$(dirname "$0")" && pwd)
faults=$here/../../../expect_fail
heddle=$build/heddle sim=$build/bin/board_sim_tiny
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
on=(--config tiny --on board --board "sim:$sim")

# ---- kernels: live and afterwards the same verdict over the same instructions ----------------------
python3 -B - "$dir" <<'PY'
import random, struct, sys
r = random.Random(1)
open(sys.argv[1] + "/floats", "wb").write(struct.pack("<64f", *(1 + r.random() for _ in range(64))))
open(sys.argv[1] + "/bytes", "wb").write(bytes(r.randrange(256) for _ in range(64)))
PY
f=in:$dir/floats b=in:$dir/bytes o=$dir/out
vecadd=("$kernels/vecadd.s" --grid 1 --block 64 --arg "$f" --arg "$f" --arg "out:256:$o" --arg u32:60)
same() { # NAME ARGUMENT...
  local name=$1 live later
  shift
  [ "$(status_of "$dir/live" "$heddle" run "$@" "${on[@]}" --stream "$dir/stream")" = 0 ] || fail "$name: live" "$dir/live"
  has "$name" "$dir/live" " 0 violations"
  [ "$(status_of "$dir/later" "$heddle" check "$dir/stream")" = 0 ] || fail "$name: from its file" "$dir/later"
  live=$(sed -n 's/^ok: \([0-9]*\) warp instructions.*/\1/p' "$dir/live")
  later=$(sed -n 's/^\([0-9]*\) warp instructions checked, .* 0 differences.*/\1/p' "$dir/later")
  { [ -n "$live" ] && [ "$live" -gt 0 ] && [ "$live" = "$later" ]; } || fail "$name: $live live, $later from its file" "$dir/live"
  echo "$name: $live warp instructions"
}
same vecadd.s "${vecadd[@]}"
cmp -s "$o" <(python3 -B - "$dir/floats" <<'PY'
import struct, sys
v = struct.unpack("<64f", open(sys.argv[1], "rb").read())
sys.stdout.buffer.write(struct.pack("<64f", *(struct.unpack("<f", struct.pack("<f", x + x))[0] for x in v[:60]), 0, 0, 0, 0))
PY
) || fail "vecadd.s: its sums"
same histogram.s "$kernels/histogram.s" --grid 1 --block 64 --arg "$b" --arg "out:256:$o" --arg "out:4:$o" --arg "out:256:$o" --arg u32:60
same saxpy.ptx "$kernels/saxpy.ptx" --grid 1 --block 64 --arg f32:2.5 --arg "$f" --arg "inout:$dir/floats:$o" --arg u32:60

# A program that traps: both sides agree, live and from the file.
s=$(status_of "$dir/live" "$heddle" run "$kernels/sgemm.s" --grid 1 --block 16,2 --arg "$f" --arg "$f" --arg "out:128:$o" \
  --arg u32:8 "${on[@]}" --stream "$dir/stream")
[ "$s" = 3 ] || fail "a trap: exit status $s" "$dir/live"
has "a trap" "$dir/live" "trap out_of_range"
s=$(status_of "$dir/later" "$heddle" check "$dir/stream")
[ "$s" = 3 ] || fail "a trap, from its file: exit status $s" "$dir/later"

# ---- a line that damages one byte of the trace, or brings no more of it: lost, live and from the file ----
damaged() { # WHAT OPTION...
  local what=$1
  shift
  printf '#!/bin/sh\nexec "%s" --damage %s "$@"\n' "$sim" "$what" >"$dir/sim"
  chmod +x "$dir/sim"
  local s
  s=$(status_of "$dir/live" "$heddle" run "${vecadd[@]}" "${on[@]}" --board "sim:$dir/sim" --stream "$dir/stream")
  [ "$s" = 2 ] || fail "$what: exit status $s" "$dir/live"
  has "$what" "$dir/live" "the stream is lost"
  s=$(status_of "$dir/later" "$heddle" check "$dir/stream")
  [ "$s" = 2 ] || fail "$what, from its file: exit status $s" "$dir/later"
  has "$what, from its file" "$dir/later" "the stream is lost"
}
for what in drop:301 flip:555 twice:404 late:702 cut:5000; do damaged $what; done

# A core that waits for nothing has no room for its records on so slow a line.
s=$(status_of "$dir/live" "$heddle" run "${vecadd[@]}" "${on[@]}" --stream-drop)
[ "$s" = 2 ] || fail "a core that does not wait: exit status $s" "$dir/live"
has "a core that does not wait" "$dir/live" "the core found no room for its records"

# ---- bugs in the core: what the checker must say stands in tests/expect_fail/expected.txt ---------------
bug() { # FAULT NAME
  local line fields launch saw s
  line=$(grep "^$1 $2 " "$faults/expected.txt" | grep -E '^[^ ]+ [^ ]+ [^ ]+ ([^ ]*,)?(tiny|all)[, ]' | head -1)
  [ -n "$line" ] || { fail "no fault $1 $2 of tiny"; return; }
  read -ra fields <<<"${line%% : *}"
  read -ra launch <<<"$(sed -n 's,^// launch: ,,p' "$faults/${fields[2]}.s" | sed "s,out:\([0-9]*\),out:\1:$dir/out.bin,g")"
  "$heddle" as --long "$faults/${fields[2]}.s" -o "$dir/bug.elf" >"$dir/as" 2>&1 || fail "fault $1" "$dir/as"
  s=$(status_of "$dir/live" env HEDDLE_FAULT="$1" "$heddle" run "$dir/bug.elf" --kernel "${fields[2]}" --grid 1 "${launch[@]}" \
    --dep "${fields[4]}" "${on[@]}" --stream "$dir/stream")
  saw=$(sed -n 's/^difference: \([a-z_.]*\) (.*/\1/p' "$dir/live" | head -1)
  [ "$s" = 1 ] && [ "$saw" = "${fields[5]}" ] || fail "fault $1 $2: exit status $s, '$saw', not ${fields[5]}" "$dir/live"
  s=$(status_of "$dir/later" "$heddle" check "$dir/stream")
  [ "$s" = 1 ] && [ "$(grep -m 1 '^difference: ' "$dir/live")" = "$(grep -m 1 '^difference: ' "$dir/later")" ] ||
    fail "fault $1 $2, from its file: exit status $s, or another difference" "$dir/later"
}
bug 1 ALU_CARRY
bug 2 POP_MASK
bug 3 STORE_LOST
bug 7 BAR_EARLY
bug 13 DRAM_DATA # no record shows it: memory that was read back does

# ---- random programs, small ones ------------------------------------------------------------------
s=$(status_of "$dir/live" "$heddle" fuzz --programs 2 --seed 5 "${on[@]}" --no-shrink --knobs "$here/board.knobs")
[ "$s" = 0 ] || fail "random programs: exit status $s" "$dir/live"
has "random programs" "$dir/live" "2 passed, 0 failed"
sed -n 's/^2 programs, \([0-9]* warp instructions\).*/random programs: \1/p' "$dir/live"

# ---- heddle board: the driver's way; docs/first-bitstream.md has the run that passes, which takes longer ----
# A bug is told before the kernel has ended, and it is stopped while its stream is open; what is loaded next is judged anew.
s=$(status_of "$dir/live" env HEDDLE_FAULT=9 "$heddle" board "sim:$sim" vecadd vecadd --check --json "$dir/json")
[ "$s" = 1 ] || fail "heddle board with a bug: exit status $s" "$dir/live"
has "heddle board with a bug" "$dir/live" "difference: "
has "heddle board with a bug" "$dir/live" "stopped, since the verdict is final"
python3 -B - "$dir/json" <<'PY' || fail "heddle board with a bug, --json" "$dir/json"
import json, sys
j = json.load(open(sys.argv[1]))
assert j["status"] == "difference" and len(j["kernels"]) == 2
for k in j["kernels"]:
    assert k["verdict"]["kind"] == "difference"
    assert k["difference"]["message"] == k["difference"]["checker"]["difference"]["kind"] == "writeback.early"
PY
# Not over in a second: given up.
s=$(status_of "$dir/live" "$heddle" board "sim:$sim" sgemm --check --limit 1)
[ "$s" = 4 ] || fail "heddle board --limit: exit status $s" "$dir/live"
has "heddle board --limit" "$dir/live" "was stopped"

# ---- what cannot be --------------------------------------------------------------------------------
[ "$(status_of "$dir/live" "$heddle" board "sim:$build/bin/board_sim_registers" vecadd --check)" = 2 ] || fail "a board without a stream" "$dir/live"
has "a board without a stream" "$dir/live" "sends no stream"
[ "$(status_of "$dir/live" "$heddle" board "sim:$sim" vecadd sgemm --trace "$dir/stream")" = 2 ] || fail "two kernels in a file" "$dir/live"
[ "$(status_of "$dir/live" "$heddle" board "sim:$sim" --check)" = 2 ] || fail "no kernel" "$dir/live"
[ "$(status_of "$dir/live" "$heddle" run "${vecadd[@]}" --on board --config tiny)" = 2 ] || fail "no board" "$dir/live"
[ "$(status_of "$dir/live" "$heddle" run "${vecadd[@]}" --on board --config fpga --board "sim:$sim")" = 2 ] || fail "another machine" "$dir/live"
has "another machine" "$dir/live" "another machine than fpga"
[ "$(status_of "$dir/live" "$heddle" run "${vecadd[@]}" "${on[@]}" --fault 9)" = 2 ] || fail "--fault of a board" "$dir/live"
has "--fault of a board" "$dir/live" "HEDDLE_FAULT=N"
[ "$failed" = 0 ] && echo ok
exit $failed
