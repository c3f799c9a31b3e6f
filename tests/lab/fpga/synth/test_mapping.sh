#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_mapping.sh ROOT
# What sums, comparisons and choices are mapped to is what the source says, by proof; a wrong one is noticed.
source "$(dirname "$0")/checks.sh"

# ---- what stands before sums goes into their carry cells: no LUT is left, and the sums are what they were
sums() { # MODULE
  echo "module $1 (input [8:0] a, b, c, input [2:0] s, output [9:0] gated, turned, chosen, both, output [8:0] less);
    assign gated  = a + (b & {9{s[0]}});
    assign turned = b + (a ^ {9{s[1]}});
    assign chosen = c + (s[2] ? a : b);
    assign both   = (a ^ {9{s[0]}}) + (c & {9{s[2]}});
    assign less   = (a & b) - c;
  endmodule"
}
sums mapped >"$dir/sums.v"
cat >"$dir/sums.ys" <<'END'
read_verilog sums.v
synth_ecp5 -top mapped -run begin:check
blackbox =A:whitebox
write_json sums.mapped.json
select -assert-min 27 t:LUT4
END
(cd "$dir" && yosys -q sums.ys >out 2>err </dev/null) &&
  $python lab/fpga/synth/fold.py "$dir/sums" >"$dir/out" 2>"$dir/err" || fail 'no sums to put into carry cells'
{ sums choice; } >"$dir/sums.v"
cat >"$dir/choice.ys" <<'END'
read_verilog sums.v
read_json sums.json
select -assert-none mapped/t:LUT4
END
choices || fail 'a sum is another one with what stood before it, or not all of it is in its carry cells'
$python - "$dir/sums.json" <<'END'
import json, sys
design = json.load(open(sys.argv[1]))
cell = next(c for c in design["modules"]["mapped"]["cells"].values() if c["type"] == "CCU2C")
cell["parameters"]["INIT0"] = cell["parameters"]["INIT0"].translate({48: 49, 49: 48})
json.dump(design, open(sys.argv[1], "w"))
END
refuted choices || fail 'a wrong carry cell is not noticed'

# ---- comparisons of two words are carry cells, of any width from 16 on (16, 17 bits: five; 18, 19: six); narrower ones stay
{
  echo 'module choice (input [18:0] a, b, output [9:0] y);'
  for width in 15 16 17 18 19; do
    echo "  assign y[$(((width - 15) * 2))] = a[$((width - 1)):0] == b[$((width - 1)):0];"
    echo "  assign y[$(((width - 15) * 2 + 1))] = a[$((width - 1)):0] != b[$((width - 1)):0];"
  done
  echo 'endmodule'
} >"$dir/equal.v"
mapped=$(sed -nE 's/^ *echo "(techmap -map lab.fpga.synth.wide_equal.*)"$/\1/p' scripts/ecp5.sh | sed 's#lab/fpga/synth/##; s/\\//g')
[ -n "$mapped" ] || fail 'no step of comparisons in ecp5.sh'
cat >"$dir/choice.ys" <<END
read_verilog equal.v
copy choice mapped
cd mapped
$mapped
select -assert-count 44 t:CCU2C
select -assert-count 1 t:\$eq
select -assert-count 1 t:\$ne
cd ..
END
cp lab/fpga/synth/wide_equal.v "$dir"
choices || fail 'a comparison in carry cells is another one'

# ---- ... and they still are when all of mapping has gone over them, and so are choices, whose LUTs ABC9 knows as boxes
eval "$(sed -nE '/^(wire|abc9_map|abc9_script\+?)=|^for round/p' scripts/ecp5.sh)"
cp "$dir/choice.ys" "$dir/equal.ys"
compare() { # MODULE: of an even number of halves of carry cells, and of an odd one; two choices, one by the other
  echo "module $1 (input c, input [17:0] a, b, output [2:0] y);
    wire d = b[4 * (a[1] & c) + 2 * (a[0] ^ c) +: 1];
    assign y = {a[4 * (b[9] | d) + 2 * (b[8] & ~d) +: 1] ^ c, c | a == b, c | a[16:0] != b[16:0]};
  endmodule"
}
chosen=$(sed -nE 's/^ *echo "(muxcover.*|(techmap -map lab.fpga.synth.wide_mux|opt_lut).*)"$/\1/p' scripts/ecp5.sh | sed 's#lab/fpga/synth/##g; s#[*]/choice#*choice#; s/\\//g')
cp lab/fpga/synth/wide_*.v "$dir"
compare mapped >"$dir/compare.v"
cat >"$dir/before.ys" <<END
read_verilog compare.v
synth_ecp5 -top mapped -run begin:map_ram
$mapped
synth_ecp5 -top mapped -run map_ram:map_luts
$chosen
select -assert-count 4 t:LUT4
select -assert-count 2 t:PFUMX
techmap -map +/lattice/latches_map.v
delete =A:whitebox =A:blackbox
write_json compare.before.json
END
cat >"$dir/after.ys" <<END
read_json compare.answers.json
read_verilog -lib -specify +/lattice/cells_sim_ecp5.v +/lattice/cells_bb_ecp5.v compare.answers.v
scratchpad -set abc9.D 16666
abc9 -W $wire -script "+$abc9_script"
techmap -map compare.gone.v
clean
synth_ecp5 -top mapped -run map_cells:check
blackbox =A:whitebox
write_json compare.json
END
compare choice >"$dir/choice.v"
cat >"$dir/choice.ys" <<'END'
read_verilog choice.v
read_json compare.json
select -assert-count 11 mapped/t:CCU2C
END
(cd "$dir" && yosys -q before.ys >out 2>err </dev/null) && $python lab/fpga/synth/answers.py "$dir/compare" &&
  (cd "$dir" && yosys -q after.ys >out 2>err </dev/null) && choices || fail 'a comparison is another one once it is mapped'
cp "$dir/equal.ys" "$dir/choice.ys"
sed -i "s/: 16'h9009)/: 16'h9008)/" "$dir/wide_equal.v"
refuted choices || fail 'a wrong LUT in wide_equal.v is not noticed'

# ---- choices of four and eight: what they are mapped to is what Yosys says that they are, and a wrong LUT is noticed
cat >"$dir/choice.ys" <<'END'
read_verilog -icells <<EOT
module choice (input [10:0] i, output [1:0] y);
  \$_MUX4_ a (.A(i[0]), .B(i[1]), .C(i[2]), .D(i[3]), .S(i[8]), .T(i[9]), .Y(y[0]));
  \$_MUX8_ b (.A(i[0]), .B(i[1]), .C(i[2]), .D(i[3]), .E(i[4]), .F(i[5]), .G(i[6]), .H(i[7]), .S(i[8]), .T(i[9]), .U(i[10]),
    .Y(y[1]));
endmodule
EOT
copy choice mapped
techmap -map +/simcells.v choice
techmap -map wide_mux.v mapped
techmap -map wide_lut.v mapped
select -assert-count 3 mapped/t:PFUMX
END
cp lab/fpga/synth/wide_*.v "$dir"
choices || fail 'wide_mux.v is no choice'
sed -i 's/hCACA)) odd_i/hCACC)) odd_i/' "$dir/wide_mux.v"
refuted choices || fail 'a wrong LUT in wide_mux.v is not noticed'

# ---- a choice with another word ORed to it is what it says, in two LUTs a bit
cp lab/fpga/synth/wide_mux.v rtl/lib/{ecp5/choice.sv,heddle_form.svh} "$dir"
steps=$(sed -nE 's/^ *echo "((techmap -map lab.fpga.synth.wide_mux|opt_lut|select -set luts|techmap .*wide_side).*)"$/\1/p' scripts/ecp5.sh |
  sed 's#lab/fpga/synth/##g; s#[*]/choice#*choice#; s/\\//g')
[ "$(wc -l <<<"$steps")" = 5 ] || fail 'no steps of choices in ecp5.sh'
cat >"$dir/choice.ys" <<END
read_slang -j 1 -I . --top choice -G WIDTH=2 choice.sv
techmap
simplemap
opt
copy choice mapped
cd mapped
muxcover -nodecode -nopartial -mux4=180 -mux8=360
$steps
select -assert-count 4 t:LUT4
select -assert-count 2 t:PFUMX
select -assert-none t:* t:LUT4 %d t:PFUMX %d
cd ..
END
choices || fail 'a choice with an OR is another one, or takes more than it should'
sed -i 's/hEEEE/hEEE0/' "$dir/wide_or.v"
refuted choices || fail 'a wrong LUT in wide_or.v is not noticed'

# ---- a choice half of which is constant, or one word twice, keeps a LUT before each side of its multiplexer, which place
# and route asks for
cp lab/fpga/synth/wide_*.v "$dir"
cat >"$dir/choice.ys" <<END
read_verilog -icells <<EOT
module choice (input [3:0] i, output [2:0] y);
  \\\$_MUX4_ a (.A(1'b0), .B(i[0]), .C(1'b0), .D(i[1]), .S(i[2]), .T(i[3]), .Y(y[0]));
  \\\$_MUX4_ b (.A(i[0]), .B(1'b1), .C(i[1]), .D(1'b1), .S(i[2]), .T(i[3]), .Y(y[1]));
  \\\$_MUX4_ c (.A(i[0]), .B(i[1]), .C(i[0]), .D(i[1]), .S(i[2]), .T(i[3]), .Y(y[2]));
endmodule
EOT
copy choice mapped
techmap -map +/simcells.v choice
read_verilog -lib -specify +/ecp5/cells_sim.v
cd mapped
$steps
select -assert-count 6 t:LUT4
select -assert-count 3 t:PFUMX
cd ..
END
choices || fail 'a choice that is constant or the same in part is another one, or lacks a LUT'

# ---- what choices are found is what they were: a tree whose branches choose by different bits (muxcover's partial covers of one
# leave a select bit open)
options=$(sed -nE 's/.*"muxcover ([^"]*)".*/\1/p' scripts/ecp5.sh)
[ -n "$options" ] || fail 'no muxcover in ecp5.sh'
cat >"$dir/choice.ys" <<END
read_verilog <<EOT
module choice (input n, c, input [7:0] w, o, output [7:0] y);
  assign y = n ? (c ? o : w) : w;
endmodule
EOT
techmap
simplemap
opt
copy choice mapped
muxcover $options mapped
techmap -map +/simcells.v mapped
END
choices || fail 'choices are found that are none'
sed -i 's/-nopartial//' "$dir/choice.ys"
refuted choices || fail 'a wrong choice is not noticed'

[ $failures = 0 ]
