#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_verilog.sh ROOT
# A mapped netlist as Verilog for the simulator says what was mapped, by proof; another one is noticed. What it has no words
# for is refused.
source "$(dirname "$0")/checks.sh"

# ---- logic, sums, choices, registers of every kind: what was mapped, once all registers have been reset
design() { # MODULE
  echo "module $1 (input clk, rst, en, input [5:0] a, b, input [2:0] s, output reg [6:0] sum, output reg [5:0] set, kept, output y);
    wire [5:0] less = a - (s[0] ? b : ~b);
    wire [7:0] wide = {b[1:0], a};
    assign y = en ? wide[s] : (^a & |b) ^ less[5];
    always @(posedge clk) begin
      if (rst) sum <= 0; else if (en) sum <= a + b;
      if (rst) set <= 6'h2a; else if (!en) set <= less;
      if (rst) kept <= 0; else kept <= kept ^ (a & {6{s[2]}});
    end
  endmodule"
}
design mapped >"$dir/mapped_from.v"
cat >"$dir/map.ys" <<'END'
read_verilog mapped_from.v
synth_ecp5 -top mapped -run begin:check
select -assert-min 1 t:LUT4
select -assert-min 1 t:CCU2C
select -assert-min 1 t:PFUMX
select -assert-min 1 t:TRELLIS_FF r:REGSET=SET %i
blackbox =A:whitebox
write_json mapped.json
END
(cd "$dir" && yosys -q map.ys >out 2>err </dev/null) || fail 'no netlist'
{ design choice; } >"$dir/choice.v"
cat >"$dir/choice.ys" <<'END'
read_verilog choice.v
read_verilog mapped.v
proc
END
after_reset='-seq 5 -prove-skip 1 -set-at 1 in_rst 1'
$python lab/fpga/synth/verilog.py "$dir/mapped.json" "$dir/mapped.v" >"$dir/out" 2>"$dir/err" && choices "$after_reset" ||
  fail 'a netlist as Verilog is another one'

# ---- one bit of a LUT, a reset, an enable, a choice's sides: none passes
for change in 'cell("LUT4")["parameters"].update(INIT=cell("LUT4")["parameters"]["INIT"].translate({48: 49, 49: 48}))' \
  'cell("TRELLIS_FF", "SET")["parameters"].update(REGSET="RESET")' \
  'cell("TRELLIS_FF", "CE")["connections"].update(CE=["1"])' \
  'swap(cell("PFUMX")["connections"])' \
  'cell("CCU2C")["connections"].update(CIN=["1"])'; do
  $python - "$dir/mapped.json" "$dir/wrong.json" "$change" <<'END'
import json, sys
design = json.load(open(sys.argv[1]))
cells = design["modules"]["mapped"]["cells"].values()
def cell(kind, value=None):
    return next(c for c in cells if c["type"] == kind and (value is None or value in c["parameters"].values()))
def swap(pins):
    pins["ALUT"], pins["BLUT"] = pins["BLUT"], pins["ALUT"]
eval(sys.argv[3])
json.dump(design, open(sys.argv[2], "w"))
END
  $python lab/fpga/synth/verilog.py "$dir/wrong.json" "$dir/mapped.v" && refuted choices "$after_reset" || fail "not noticed: $change"
done

# ---- a cell that it does not know, a register on the falling edge, a net that nobody drives
for change in 's/"LUT4"/"LUT5"/' 's/"CLKMUX": "CLK"/"CLKMUX": "INV"/' 's/"Q": \[ [0-9]* \]/"Q": [ 99999 ]/'; do
  sed "$change" "$dir/mapped.json" >"$dir/wrong.json"
  $python lab/fpga/synth/verilog.py "$dir/wrong.json" "$dir/wrong.v" >"$dir/out" 2>"$dir/err" && fail "not refused: $change"
done

[ $failures = 0 ]
