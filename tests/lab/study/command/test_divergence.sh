#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# heddle study divergence on the model: for every kernel its own count of issue slots is the one that `heddle kernels`
# retires, under both units; JSON and table agree; wrong traces of the conformance set are refused, with where.
# usage: test_divergence.sh HEDDLE
set -uo pipefail
heddle=$1
source "$(dirname "$0")/../../../lib.sh"
study=("$heddle" study divergence)

# ---- every kernel, against what another command counted
"${study[@]}" --json "$dir/all.json" >"$dir/all.md" || { echo "FAILED: all kernels"; exit 1; }
for div in stack its; do
  "$heddle" kernels --on model --div $div --scale 0 --launches 1 | awk '/ launches / { print $1, $4 }' >"$dir/$div" || exit 1
done
python3 -B "$(dirname "$0")/counts.py" "$dir/all.json" "$dir/stack" "$dir/its" "$dir/all.md" || fail "counts"
for n in one two; do "${study[@]}" nested bfs spmv --branches --json "$dir/$n.json" >"$dir/$n.md"; done
expect 0 "" cmp "$dir/one.md" "$dir/two.md"
expect 0 "" cmp "$dir/one.json" "$dir/two.json"

# ---- traces: right ones, and each that is wrong where masks or words are
expect 0 "" "$heddle" conform "$dir/set"
for lanes in 4 8 16 32; do
  expect 0 "| divergence.$lanes.P0.trace | 2 | 4 | 100 | 27.2 |" "${study[@]}" --trace "$dir/set/golden/divergence.$lanes.P0.trace"
done
wrong() { expect 2 "$2" "${study[@]}" --trace "$dir/set/$1.trace"; }
wrong spoiled/issue_active.P0 "warp slot 1, seq 25, pc 0x0190: executing lanes 0xffffffff are not among the active ones, 0xfffffff7"
wrong spoiled/issue_exec.P0 "warp slot 0, seq 25, pc 0x01b0: lane 3 of active mask 0x00000fff cannot be here: by its record before it is at 0x0190"
wrong spoiled/issue_pc.P0 "pc 0x01a0: the word is not the one of the code"
wrong mistakes/active_all.P0 "lane 1 of active mask 0xffffffff has exited, or no thread is in it"
wrong mistakes/exec_without_guard.P0 "cannot be here"
wrong mistakes/annulled_uncounted.P0 "cannot be here"
wrong golden/trap_address.8.P0 "the launch traps: its threads end in the middle"
head -c 900 "$dir/set/golden/few.8.P0.trace" >"$dir/cut.trace"
expect 2 "the file ends" "${study[@]}" --trace "$dir/cut.trace"
"$heddle" kernels ifelse --on model --scale 0 --launches 1 --trace "$dir/launch" >"$dir/out"
expect 2 "the trace holds no records" "${study[@]}" --trace "$dir/launch"

# ---- options
expect 0 "| nested | 5 | 540 | 8396 |" "${study[@]}" nested --policy pc
expect 0 "@P1 BRA" "${study[@]}" nested --branches
expect 0 "nested.s:44" "${study[@]}" nested --branches
expect 0 "transpose.ptx is not among them: a block has 8 warps, tiny has room for 4" "${study[@]}" transpose vecadd --config tiny
expect 2 "no kernel 'nothing'" "${study[@]}" nothing
expect 2 "expected majority or pc" "${study[@]}" ifelse --policy best
expect 2 "expected a number from 1 to 65536" "${study[@]}" ifelse --pool 0
expect 2 "expected last or any" "${study[@]}" ifelse --join best
expect 2 "expected model or rtl" "${study[@]}" ifelse --on paper
expect 2 "not both" "${study[@]}" ifelse --trace "$dir/launch"
expect 2 "expected: divergence" "$heddle" study
expect 2 "expected: divergence" "$heddle" study nothing
expect 1 "more than 100 issues" "${study[@]}" ifelse --max-cycles 100
expect 0 "Example" bash -c "'$heddle' study --help | grep -i -o example | head -1 | sed 's/^e/E/'"
if command -v gnuplot >/dev/null; then
  expect 0 "" "${study[@]}" ifelse nested -o "$dir/out.d"
  holds "a picture" test "$(head -c 4 "$dir/out.d/divergence.png" | tail -c 3)" = PNG
  expect 0 "" grep -q "^| nested |" "$dir/out.d/divergence.md"
fi
