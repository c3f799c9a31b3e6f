#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_cells.sh ROOT
# The memories of rtl/lib and products, mapped to an ECP5, over the models of its cells (lab/fpga/synth/cells), beside their text: the same
# answers to random inputs. A wrong model is noticed, and so is a design that relies on what no document promises; what is not
# modelled is refused. From the environment: VERILATOR, CXX, OBJCACHE (cmake/verilate.sh).
source "$(dirname "$0")/checks.sh"
source "$(dirname "$0")/cells.sh"

cp lab/fpga/synth/cells/*.v tests/lab/fpga/synth/cells_* rtl/lib/ram_{1r1w,apart,unpack}.sv rtl/lib/*.svh "$dir"
text='read_slang -j 1 --unroll-limit 20000 --std 1800-2017 -DSYNTHESIS -I . -y . --libext .sv'
cat >"$dir/map.ys" <<END
$text --top cells_memories cells_pkg.sv cells_subjects.sv
synth_ecp5 -top cells_memories -run begin:map_gates
select -assert-none t:\$mem* t:TRELLIS_DPR16X4
select -assert-min 20 t:DP16KD
rename cells_memories right_memories
write_verilog -noattr right_memories.v
delete
$text --top cells_products cells_pkg.sv cells_subjects.sv
synth_ecp5 -top cells_products -run begin:map_gates
select -assert-none t:\$mul
select -assert-min 20 t:MULT18X18D
maccmap -unmap
techmap -map cells_alu.v
rename cells_products right_products
write_verilog -noattr right_products.v
END
(cd "$dir" && yosys -q -T map.ys >out 2>err </dev/null) || { fail 'Yosys does not map them'; exit 1; }

# ---- wrong models beside the right ones: the lowest byte enables changed places, each word of 18 bits of the contents is read two
# bits away, the sign of the second operand is not looked at
changed() { # FILE CHANGE: of the wrong model
  sed "$2" "$dir/$1.v" >"$dir/part.v"
  ! diff -q "$dir/$1.v" "$dir/part.v" >"$dir/out" || fail "nothing of $1 to be changed"
  sed -E 's/(module|^ ) (DP16KD|ecp5_ebr|MULT18X18D) /\1 wrong_\2 /' "$dir/part.v" >"$dir/wrong_$1.v"
}
changed ecp5_ebr 's/{9{ad\[1\]}}, {9{ad\[0\]}}/{9{ad[0]}}, {9{ad[1]}}/; s/INITVAL\[40\*w+20 +: 18\]/INITVAL[40*w+18 +: 18]/'
changed MULT18X18D "s/SIGNEDB & b_q/1'b0 \& b_q/"
changed DP16KD 's/ ecp5_ebr / wrong_ecp5_ebr /'
for netlist in memories products; do
  sed -E 's/right_/wrong_/; s/^  (DP16KD|MULT18X18D) /  wrong_\1 /' "$dir/right_$netlist.v" >"$dir/wrong_$netlist.v"
done

cells_built
for seed in 1 2 3; do
  (cd "$dir" && ./cells 10000 $seed) >"$dir/out" 2>"$dir/err" || fail 'the run fails'
  [ "$(count compared)" -gt 2000000 ] || fail 'hardly anything is compared'
  [ "$(count memories)" = 00000000 ] || fail 'a mapped memory answers otherwise'
  [ "$(count products)" = 00000000 ] || fail 'a mapped product is another'
  # By bits: the memories and products (cells_pkg.sv) which must show it. All whose parts share a block, all with contents; all
  # signed products but one of which Yosys leaves the multiplier no sign.
  (((0x$(count wrong) & 0x39D000) == 0x39D000)) || fail 'wrong byte enables or contents are not noticed'
  (((0x$(count signs) & 0x2F00) == 0x2F00)) || fail 'a wrong sign is not noticed'
  [ "$(count races)" = 00000fba ] || fail 'nothing is read as it is written'
  [ "$(count relied)" = 00000fba ] || fail 'who relies on a word that is read as it is written is not noticed'
done

# ---- what is not modelled is refused, as the design is elaborated
lint DP16KD CLKAMUX '"INV"' || fail 'an inverted clock is refused'
lint MULT18X18D REG_OUTPUT_CLK '"CLK3"' || fail 'an output register is refused'
refused DP16KD DATA_WIDTH_A 3
refused DP16KD DATA_WIDTH_B 36
refused DP16KD CSDECODE_B '"0b1x1"'
refused DP16KD DIA5MUX '"INV"'
refused DP16KD WRITEMODE_A '"THROUGH"'
refused DP16KD INIT_DATA '"DYNAMIC"'
refused MULT18X18D MULT_BYPASS '"ENABLED"'
refused MULT18X18D SOURCEB_MODE '"HIGHSPEED"'
refused MULT18X18D REG_PIPELINE_CLK '"CLK4"'

[ $failures = 0 ]
