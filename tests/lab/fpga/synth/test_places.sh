#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_places.sh ROOT
# Memories and multipliers stand in rtl/lib: none is inferred elsewhere, in whole machines (as they are mapped, without the retire
# port) and in the units of the largest. What counts as one: places.py. One elsewhere is noticed.
source "$(dirname "$0")/checks.sh"

search="-y rtl"
for folder in rtl/*/ rtl/*/*/; do search+=" -y ${folder%/}"; done
gen=$(realpath --relative-to=. "$generated")
work=build/places
mkdir -p $work

inferred() { # NAME CONFIG TOP FILE: its memories and products, in $work/NAME.il
  echo "read_slang -j 1 --std 1800-2017 -Wno-unconnected-output-port -DSYNTHESIS -I rtl/lib -y $gen -y $gen/$2 $search --libext .sv --top $3 $4
proc -noopt
opt_expr -full
opt_clean
memory_collect
tee -q -o $work/$1.il dump t:\$mul t:\$mem_v2
design -reset"
}
judged() { # NAME...
  for name in "$@"; do $python tests/lab/fpga/synth/places.py "$work/$name.il" || return 1; done
}

cat >"$dir/planted.sv" <<'END'
module planted (input logic clk_i, we, input logic [3:0] at, from, input logic [8:0] a, b, output logic [8:0] kept, output logic [17:0] y);
  logic [8:0] mem_q [16];
  always_ff @(posedge clk_i) if (we) mem_q[at] <= a;
  PLANTED
endmodule
END
planted() { # NAME TEXT
  sed "s/PLANTED/$2/" "$dir/planted.sv" >$work/planted_$1.sv
  inferred "planted_$1" tiny planted "$work/planted_$1.sv"
}

names=()
{
  for config in tiny backed; do
    inferred $config $config heddle_gpu_pins lab/fpga/synth/heddle_gpu_pins.sv
    names+=("$config")
  done
  for module in mma_unit half fp64_unit sfu_unit uni warp_unit shm_conflict regfile; do
    inferred $module sm $module "$(find rtl -name $module.sv)"
    names+=("$module")
  done
  # Constants are no factors, registers that all are looked at are no memory.
  planted neither 'assign y = a * 9'"'"'d24; assign kept = '"{mem_q[15] ^ mem_q[14] ^ mem_q[13] ^ mem_q[12] ^ mem_q[11] ^ mem_q[9]}"';'
  planted product 'assign y = a * b; assign kept = '"'0"';'
  planted memory 'assign y = '"'0"'; assign kept = mem_q[from];'
} >$work/places.ys
yosys -q -l $work/places.log -s $work/places.ys >"$dir/out" 2>"$dir/err" </dev/null || { fail 'Yosys does not take them'; exit 1; }
judged "${names[@]}" planted_neither >"$dir/out" 2>"$dir/err" || fail 'a memory or a multiplier stands outside of rtl/lib'
found() { ! judged "planted_$1" >"$dir/out" 2>"$dir/err" && grep -q ": a $2 of" "$dir/out" || fail "a $2 is not noticed"; }
found product multiplier
found memory memory
# What is looked for is there.
for kind in mem_v2 mul; do
  grep -q "cell \\\$$kind" $work/tiny.il || { echo "no \$$kind in tiny"; failures=$((failures + 1)); }
done

[ $failures = 0 ]
