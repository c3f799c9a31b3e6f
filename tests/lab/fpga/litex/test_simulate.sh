#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An SoC of LiteX in LiteX's own simulation: its CPU runs vecadd and sgemm by the driver; then the SoC as a board, where both are
# judged live by the stream of what the core retires, and from the file that it leaves.
# usage: test_simulate.sh BUILD KERNELS NAME [OPTION...]     KERNELS: build/share/heddle/kernels; NAME: of its folder; OPTION: of make.py
set -uo pipefail
build=$1 kernels=$2 out=$1/litex/test_$3
shift 3
litex=$(cd "$(dirname "$0")/../../../../lab/fpga/litex" && pwd)
export HEDDLE_GEN_DIR=$build/gen HEDDLE_BUILD=$build
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { # WHAT FILE
  echo "FAILED  $1"
  failed=1
  tail -12 "$2" | sed 's/^/        | /'
}
"$litex/setup.sh" --simulate || exit 1

timeout 3600 "$litex/make.py" --board sim --stream --limit 1800 "$@" --output "$out" >"$dir/demo" 2>&1 ||
  fail "the SoC's own programs" "$dir/demo"
for text in "vecadd: 0 wrong" "sgemm: 0 wrong" "heddle: passed"; do
  grep -q "$text" "$dir/demo" || fail "no '$text'" "$dir/demo"
done
grep -oE 'heddle: .*(wrong|interrupts|cycles).*' "$dir/demo"

# ---- the same SoC, with the firmware that makes a board of it
timeout 300 "$litex/make.py" --board sim --firmware board "$@" --output "$out" >"$dir/make" 2>&1 || fail "the SoC as a board" "$dir/make"
judged() { # NAME COMMAND...: live, the stream to $dir/stream; and once more from there
  local name=$1
  shift
  timeout 900 "$@" >"$dir/live" 2>&1 || fail "$name, judged live" "$dir/live"
  grep -qE '(judged live: |^ok: )[1-9]' "$dir/live" || fail "$name: nothing was judged" "$dir/live"
  timeout 300 "$build/heddle" check "$dir/stream" >"$dir/later" 2>&1 || fail "$name, from its file" "$dir/later"
  grep -E '[1-9][0-9]* warp instructions checked.* 0 differences' "$dir/later" || fail "$name: nothing in its file" "$dir/later"
}
judged vecadd "$build/heddle" board "sim:$out/board" vecadd --trace "$dir/stream"
python3 -B - "$dir" <<'PY'
import struct, sys
for name, n in (("a", 7), ("b", 11)):
    open(f"{sys.argv[1]}/{name}", "wb").write(struct.pack("<256f", *(i % n - n // 2 for i in range(256))))
PY
judged sgemm "$build/heddle" run "$kernels/sgemm.s" --config tiny --grid 1 --block 16,8 --arg "in:$dir/a" --arg "in:$dir/b" \
  --arg "out:1024:$dir/c" --arg u32:16 --on board --board "sim:$out/board" --stream "$dir/stream"
python3 -B - "$dir" >"$dir/sums" 2>&1 <<'PY' || fail "sgemm: its sums" "$dir/sums"
import struct, sys
a, b, c = (struct.unpack("<256f", open(f"{sys.argv[1]}/{name}", "rb").read()) for name in "abc")
assert list(c) == [sum(a[16 * i + k] * b[16 * k + j] for k in range(16)) for i in range(16) for j in range(16)]
PY
[ "$failed" = 0 ] && echo ok
exit $failed
