#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_formal.sh SOURCE BUILD   (example: lab/verify/formal/test_formal.sh . build)
# The quick proofs hold and their planted bugs are found; and the runner says so when one does not hold.
set -euo pipefail
source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
export HEDDLE_GEN_DIR=$build/gen
run=$source/lab/verify/formal/run.sh
mkdir -p "$build/formal"
TMPDIR=$build/formal source "$source/tests/lib.sh" # Yosys sees this tree alone

expect 0 "lab/verify/formal/run.sh fifo spare" "$run" --help
expect 2 "no proof 'nothing'" "$run" nothing
expect 2 "at least 1" "$run" --limit 0 fifo
expect 2 "--json" "$run" --json /nowhere/x fifo
expect 2 "no folder" "$run" --tops /nowhere
expect 2 "counts the planted bugs" "$run" --record "$dir/page.md" --no-planted fifo
expect 2 "no folder /nowhere" "$run" --record /nowhere/page.md fifo
expect 0 "Every word leaves unchanged, in its turn." "$run" --list fifo

# All that is quick, proofs and planted bugs.
expect 0 " 0 failed" "$run" --quick --jobs 2 --json "$dir/quick.json"
check() { python3 -c "import json, sys
rows = json.load(open('$dir/quick.json'))['rows']
own = [r for r in rows if 'planted' not in r and '.' not in r['property']]
sys.exit(not ($1))"; }
expect 0 "" check "len([r for r in own if r['kind'].startswith('induction')]) >= 30"
expect 0 "" check "all(r['state'] == ('found' if 'planted' in r else 'passed') for r in rows)"
# Each property is broken by a planted bug, whose counterexample is there, with all inputs of the top.
expect 0 "" check "{(r['top'], r['property']) for r in own if not r['kind'].startswith('reached')} ==
 {(r['top'], r['property']) for r in rows if 'planted' in r}"
expect 0 "" check "all(len(r['counterexample']) > 1 for r in rows if 'planted' in r)"

# What is not so is said: a property that fails, a state that is not reached, assumptions within the design.
cat >"$dir/wrong_formal.sv" <<'SV'
// config: tiny
`include "properties.svh"
module wrong_formal (input logic clk_i, input logic valid, input logic ready, input logic [3:0] data);
  `RESET
  logic       in_ready, out_valid;
  logic [3:0] word;
  logic [1:0] count;
  fifo #(.WIDTH(4), .DEPTH(2)) u_dut (
    .clk_i (clk_i), .rst_ni (rst_ni), .in_valid_i (valid), .in_ready_o (in_ready), .in_data_i (data),
    .out_valid_o (out_valid), .out_ready_i (ready), .out_data_o (word), .count_o (count));
  // It never fills.
  `PROVE(p_false, count != 2'd2)
  // It does not fill soon.
  `BOUND(2, p_soon, count != 2'd2 || valid)
  // It fills beyond its end.
  `REACH(r_never, count == 2'd3)
endmodule
SV
mkdir "$dir/planted"
cat >"$dir/planted/own.txt" <<'BUG'
name   harmless
what   The count is written otherwise.
breaks wrong: p_false p_soon
file   rtl/lib/fifo.sv
line   assign count_o     = count_q;
to     assign count_o     = count_q + '0;
BUG
expect 1 "wrong.p_false: failed: It never fills." "$run" --tops "$dir" --no-planted
cp "$dir/out" "$dir/said"
expect 0 "" grep -qE "^wrong +p_soon +bounded \(bmc3\) +2 .*passed" "$dir/said"
expect 0 "" grep -q "wrong.r_never: failed" "$dir/said"
# The input that fifo.sv assumes to stand is not assumed here, and does not.
expect 0 "" grep -q "wrong.u_dut.a_in_stable: failed" "$dir/said"
expect 0 "" grep -qE "^  valid .* 1 +1" "$dir/said"
# Rows of what was run take the place of older ones; the others stay; what does not hold is not written.
cp "$source"/lab/verify/formal/{spare,stream_arb}_formal.sv "$dir"
awk -v RS= -v ORS='\n\n' '/^name   (spare|stream)_/' "$source"/lab/verify/formal/planted/lib.txt >"$dir/planted/lib.txt"
cat >"$dir/page.md" <<'MD'
| stream_arb | `stream_arb` | `tiny` | 11 | 12 | 13 | 14 | 15 | 16 | 1234567 |
| spare | `spare` | `tiny` | 1 | 2 | 3 | 4 | 5 | 6 | 1234567 |
| gone | `gone` | `tiny` | 1 | 2 | 3 | 4 | 5 | 6 | 1234567 |
MD
expect 0 "0 failed" "$run" --tops "$dir" --record "$dir/page.md" spare
expect 0 "" grep -qxF '| stream_arb | `stream_arb` | `tiny` | 11 | 12 | 13 | 14 | 15 | 16 | 1234567 |' "$dir/page.md"
expect 0 "" grep -qE '^\| spare \| `spare` \| `tiny` \| [1-9][0-9]* \| 0 \| .* \| 2 \| [0-9]+ \| [0-9a-f]{7,}(-dirty)? \|$' "$dir/page.md"
expect 1 "" grep -q '^| gone' "$dir/page.md"
expect 0 "" grep -qxF 'Not run yet: `wrong`.' "$dir/page.md"
expect 0 "" grep -qxF -- '- `wrong.p_soon`, 2 cycles: It does not fill soon.' "$dir/page.md"
expect 1 "page.md is not written: wrong.p_false" "$run" --tops "$dir" --record "$dir/page.md" wrong
expect 1 "" grep -q '^| wrong' "$dir/page.md"
rm "$dir"/s*_formal.sv "$dir/planted/lib.txt"
expect 1 "wrong.p_soon: failed: The count is written otherwise." "$run" --tops "$dir"
expect 1 "wrong.p_false, counterexample" "$run" --tops "$dir" --no-planted
expect 1 "wrong.p_false, planted harmless" "$run" --tops "$dir" --show
sed -i 's/breaks wrong: p_false p_soon/breaks wrong: p_false/' "$dir/planted/own.txt"
expect 1 "no planted bug breaks wrong.p_soon" "$run" --tops "$dir"
sed -i 's/breaks wrong: p_false/breaks wrong: p_false p_soon/' "$dir/planted/own.txt"
cp "$dir/planted/own.txt" "$dir/own.txt"
sed -i '/^line/s/count_q;$/count_x;/' "$dir/planted/own.txt"
expect 1 "own.txt:4: rtl/lib/fifo.sv has this 0 times, not once: assign count_o     = count_x;: harmless does not apply to the RTL as it is now" \
  "$run" --tops "$dir"
# A list that is not one: a name twice, a line that is missing, a name that is none, a file outside of rtl/.
{ cat "$dir/own.txt"; echo; cat "$dir/own.txt"; } >"$dir/planted/own.txt"
expect 1 "own.txt:8: harmless: that is the name of " "$run" --tops "$dir"
sed '/^to/d' "$dir/own.txt" >"$dir/planted/own.txt"
expect 1 "own.txt:4: an edit lacks to" "$run" --tops "$dir"
sed 's/^what/why /' "$dir/own.txt" >"$dir/planted/own.txt"
expect 1 "own.txt:2: 'why' is twice here, or no name" "$run" --tops "$dir"
sed 's,rtl/lib,rtl/none,' "$dir/own.txt" >"$dir/planted/own.txt"
expect 1 "there is no rtl/none/fifo.sv in rtl/" "$run" --tops "$dir"
cp "$dir/own.txt" "$dir/planted/own.txt"
# A constant that is nowhere is no constant.
echo '// also other: tiny NO_SUCH=1' >>"$dir/wrong_formal.sv"
expect 1 "neither tiny nor the top has a constant NO_SUCH" "$run" --tops "$dir" --no-planted other
echo 'endmodule' >>"$dir/wrong_formal.sv"
expect 1 "Yosys failed" "$run" --tops "$dir" --no-planted
HEDDLE_GEN_DIR=$dir/none expect 5 "run scripts/gen.sh" "$run" fifo

