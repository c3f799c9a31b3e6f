#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_cells_ports.sh ROOT
# What Yosys never asks of the models in lab/fpga/synth/cells: output registers, write modes, chip selects, inverters, asynchronous resets,
# two clocks, the registers of a multiplier and its shift chain. On random inputs they do what the guides say, as cells_ports.cpp
# has it; wrong models are noticed. From the environment: VERILATOR, CXX, OBJCACHE (cmake/verilate.sh).
source "$(dirname "$0")/checks.sh"
include=$(dirname "$VERILATOR")/../include

cp lab/fpga/synth/cells/*.v tests/lab/fpga/synth/cells_ports* "$dir"

# ---- the cells with vectors for pins, and all of their parameters
pins() { for ((i = 0; i < $3; i++)); do printf '.%s%d(%s[%d]), ' "$1" "$i" "$2" "$i"; done; } # NAME VECTOR NUMBER
cell() { # FILE: its parameters, and the cell with them
  sed -n '/^  parameter/,/;/p' "$dir/$1.v"
  echo "$1 #("
  sed -n '/^  parameter/,/;/p' "$dir/$1.v" | grep -oE '\b[A-Z][A-Z0-9_]* *=' | sed 's/ *=//; s/.*/  .&(&),/' | sed '$s/,$//'
  echo ') u_cell ('
}
{
  echo 'module block (input clk_a, ce_a, oce_a, we_a, rst_a, input [2:0] cs_a, input [13:0] ad_a, input [17:0] di_a,'
  echo '  output [17:0] do_a, input clk_b, ce_b, oce_b, we_b, rst_b, input [2:0] cs_b, input [13:0] ad_b, input [17:0] di_b,'
  echo '  output [17:0] do_b);'
  cell DP16KD
  for s in a b; do
    S=${s^^}
    echo "  .CLK$S(clk_$s), .CE$S(ce_$s), .OCE$S(oce_$s), .WE$S(we_$s), .RST$S(rst_$s),"
    echo "  $(pins "CS$S" "cs_$s" 3) $(pins "AD$S" "ad_$s" 14) $(pins "DI$S" "di_$s" 18) $(pins "DO$S" "do_$s" 18)"
  done | sed '$s/, *$//'
  echo '); endmodule'
} >"$dir/block.v"
{
  echo 'module multiplier (input [17:0] a, b, c, input signeda, signedb, sourcea, sourceb, input [3:0] clk, ce, rst,'
  echo '  input [17:0] sria, srib, output [17:0] sroa, srob, roa, rob, roc, output [35:0] p, output signedp);'
  cell MULT18X18D
  for v in a b c sria srib sroa srob roa rob roc; do pins "${v^^}" $v 18; done
  for v in clk ce rst; do pins "${v^^}" $v 4; done
  pins P p 36
  echo '.SIGNEDA(signeda), .SIGNEDB(signedb), .SOURCEA(sourcea), .SOURCEB(sourceb), .SIGNEDP(signedp)); endmodule'
} >"$dir/multiplier.v"

built() { # in $dir
  OPT=-O0 "$root/cmake/verilate.sh" obj Vcells_ports_tb --cc --top-module cells_ports_tb --x-assign unique --x-initial unique \
    --assert -Wno-PINMISSING -Wno-WIDTHEXPAND -Wno-WIDTHTRUNC -y . cells_ports_tb.sv &&
    # shellcheck disable=SC2046  # several words
    "$CXX" $(cat obj/Vcells_ports_tb.flags) -Iobj -I"$include" -I"$root" cells_ports.cpp \
      obj/libVcells_ports_tb.a -lpthread -o ports
}
runs() { # SEED
  (cd "$dir" && ./ports 20000 "$1") >"$dir/out" 2>"$dir/err"
}
wrong() { sed -n 's/^wrong //p' "$dir/out"; }
(cd "$dir" && built) >"$dir/out" 2>"$dir/err" || { fail 'Verilator does not take the models'; exit 1; }
for seed in 1 2 3; do
  runs $seed || fail 'a cell does not do what the guides say'
  [ "$(sed -n 's/^compared //p' "$dir/out")" -gt 2000000 ] || fail 'hardly anything is compared'
  [ "$(wrong)" = 00000000 ] || fail 'a cell does not do what the guides say'
done

# ---- wrong models: a write that shows the old word instead of the new one (blocks 2 and 6; 1 the other way round), a chip select
# (6), an asynchronous reset (7, 8), a reset of the multiplier's output register
sed -i "s/MODE_A == 2'd1 ? new_a/MODE_A == 2'd2 ? new_a/; s/arst_a = ASYNC & rst_a/arst_a = 1'b0/" "$dir/ecp5_ebr.v"
sed -i 's/CSDECODE_B\[8\]/CSDECODE_B[0]/' "$dir/DP16KD.v"
sed -i 's/rst\[`NUMBER(REG_OUTPUT_RST)\]/rst[0]/' "$dir/MULT18X18D.v"
for file in ecp5_ebr DP16KD MULT18X18D; do
  ! diff -q "$dir/$file.v" lab/fpga/synth/cells/$file.v >"$dir/out" || fail "nothing of $file to be changed"
done
(cd "$dir" && built) >"$dir/out" 2>"$dir/err" || fail 'Verilator does not take the wrong models'
! runs 1 || fail 'wrong models are not noticed'
(((0x$(wrong) & 0x800001C6) == 0x800001C6)) || fail 'some wrong model is not noticed'

[ $failures = 0 ]
