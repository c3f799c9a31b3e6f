#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An SoC of LiteX in LiteX's own simulation: its CPU runs vecadd and sgemm by the driver; then the SoC as a board, whose kernels are
# judged live by the stream of what the core retires, and from the file that it leaves.
# usage: test_simulate.sh BUILD
set -uo pipefail
build=$1
litex=$(cd "$(dirname "$0")/../../../fpga/litex" && pwd)
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
out=$build/litex/test

timeout 1500 "$litex/make.py" --board sim --stream --output "$out" >"$dir/demo" 2>&1 || fail "the SoC's own programs" "$dir/demo"
for text in "vecadd: 0 wrong" "sgemm: 0 wrong" "heddle: passed"; do
  grep -q "$text" "$dir/demo" || fail "no '$text'" "$dir/demo"
done
grep -E '^heddle: .*(wrong|interrupts|cycles)' "$dir/demo"

timeout 300 "$litex/make.py" --board sim --firmware board --output "$out" >"$dir/make" 2>&1 || fail "the SoC as a board" "$dir/make"
timeout 900 "$build/heddle" board "sim:$out/board" vecadd --trace "$dir/stream" >"$dir/live" 2>&1 || fail "vecadd, judged live" "$dir/live"
grep -q "judged live: [1-9]" "$dir/live" || fail "nothing was judged" "$dir/live"
timeout 300 "$build/heddle" check "$dir/stream" >"$dir/later" 2>&1 || fail "vecadd, from its file" "$dir/later"
grep -E 'judged live' "$dir/live"
[ "$failed" = 0 ] && echo ok
exit $failed
