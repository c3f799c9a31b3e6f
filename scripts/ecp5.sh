# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# For scripts that source it: how a design is mapped for an ECP5 and placed (scripts/synth.sh, scripts/board.sh). The script has
# $yosys, $nextpnr, $python (scripts/find-tool.sh), all files in the folder $work below the current one (WebAssembly sees
# no other), and $freq, the MHz that mapping aims at.

# A wire between two LUTs, in ps, as place and route leaves it in a part that is half full.
wire=1000

# What ABC9 does: Yosys' own script up to the first mapping; then logic is made anew from what was mapped, four times, once with
# choices of its own (&synch2) and once with those that it proves (&dch), and mapped again, each time within the cycle.
abc9_map="&if {W} {D} {R} -v"
abc9_script="&scorr; &sweep; &dc2; &dch -f -r; $abc9_map; &st; &if -g -K 4"
for round in 1 2 3 4; do abc9_script+="; &synch2 -K 4; $abc9_map; &st; &if -g -K 4; &dch -f; $abc9_map; &st; &if -g -K 4"; done
abc9_script+="; &synch2 -K 4; $abc9_map; &mfs"

# yosys_runs SCRIPT NAME: $work/SCRIPT.ys, its log after that of NAME. Some builds of Yosys end without an error status when
# they crash: look for what comes last.
yosys_runs() {
  local status=0
  "$yosys" -q -l "$work/$1.part" -s "$work/$1.ys" >>"$work/$2.out" 2>&1 || status=1
  grep -q '^synth: complete' "$work/$1.part" || status=1
  cat "$work/$1.part" >>"$work/$2.log" || status=1
  rm -f "$work/$1.part"
  return $status
}

# ecp5_map READ TOP NAME: what Yosys reads (commands) as a netlist $work/NAME.json for place and route; $work/NAME.stat.json.
# Flat: ABC9 of Yosys 0.70 dies over a kept hierarchy. What it dies of all the same (its memory ends at
# 4 GiB) goes once more through the older ABC, and $work/NAME.abc says which one it was.
# Left to itself, ABC9 makes every path as short as it can be and pays with a tenth to a half more LUTs:
# it is told how long a cycle is (abc9.D, in ps), what a wire takes ($wire, in ps; Yosys says 300 by itself, which lets
# thirty LUTs in a row pass for 60 MHz), and when memories answer (lab/fpga/synth/answers.py). Nor does it find a slice's own
# multiplexers for choices of four and eight: all trees of choices get them beforehand (lab/fpga/synth/wide_mux.v).
# Comparisons of wide words are chains of carry cells (lab/fpga/synth/wide_equal.v): no LUTs, and fewer sites.
# Not as parts of larger ones (-nopartial): muxcover of Yosys 0.70 then leaves select bits open that choose.
# What fits into the LUTs and carry cells that read it goes into them at the end (lab/fpga/synth/fold.py).
ecp5_map() {
  local read=$1 top=$2 name=$3 abc option start=$SECONDS netlist
  netlist="blackbox =A:whitebox; write_json $work/$name.mapped.json"
  rm -f "$work/$name".{stat.json,json,abc,seconds,log,out}
  for abc in abc9 abc; do
    option=""
    [ $abc = abc9 ] || option=-noabc9
    {
      echo "$read"
      echo "synth_ecp5 -top $top $option -run begin:map_ram"
      echo "techmap -map lab/fpga/synth/wide_equal.v t:\$eq t:\$ne %u; clean"
      echo "synth_ecp5 -top $top $option -run map_ram:map_luts"
      echo "muxcover -nodecode -nopartial -mux4=180 -mux8=360"
      echo "techmap -map lab/fpga/synth/wide_mux.v; techmap -map lab/fpga/synth/wide_or.v a:src=*/choice.sv* t:\$_OR_ %i; opt_clean"
      echo "opt_lut; techmap -map lab/fpga/synth/wide_lut.v; opt_clean"
      # Where opt_lut left no LUT of its own before a side of a slice's multiplexer.
      echo "select -set luts t:LUT4 %co1:+[Z] t:LUT4 %d"
      echo "techmap -max_iter 1 -D SIDE_A -map lab/fpga/synth/wide_side.v t:PFUMX %ci1:+[ALUT] t:PFUMX %d @luts %d %co1:+[ALUT] t:PFUMX %i"
      echo "techmap -max_iter 1 -map lab/fpga/synth/wide_side.v t:PFUMX %ci1:+[BLUT] t:PFUMX %d @luts %d %co1:+[BLUT] t:PFUMX %i"
      if [ $abc = abc9 ]; then
        echo "techmap -map +/lattice/latches_map.v; delete =A:whitebox =A:blackbox; write_json $work/$name.before.json"
      else
        echo "synth_ecp5 -top $top $option -run map_luts:check"
        echo "$netlist"
        echo "tee -q -o $work/$name.stat.json stat -json"
      fi
      echo "log synth: complete"
    } >"$work/$name.ys"
    # What synth_ecp5 does there, but for the time of a wire, and for those of memories (lab/fpga/synth/answers.py).
    {
      echo "read_json $work/$name.answers.json"
      echo "read_verilog -lib -specify +/lattice/cells_sim_ecp5.v +/lattice/cells_bb_ecp5.v $work/$name.answers.v"
      echo "scratchpad -set abc9.D $((1000000 / freq))"
      echo "abc9 -W $wire -script \"+$abc9_script\"; techmap -map $work/$name.gone.v; clean"
      echo "synth_ecp5 -top $top -run map_cells:check"
      echo "$netlist"
      echo "tee -q -o $work/$name.stat.json stat -json"
      echo "log synth: complete"
    } >"$work/$name.map.ys"
    if yosys_runs "$name" "$name" && { [ $abc = abc ] ||
      { "$python" lab/fpga/synth/answers.py "$work/$name" 2>>"$work/$name.out" && yosys_runs "$name.map" "$name"; }; } &&
      "$python" lab/fpga/synth/fold.py "$work/$name" 2>>"$work/$name.out"; then
      rm -f "$work/$name".{before,answers,mapped}.json "$work/$name".{answers,gone}.v
      echo $abc >"$work/$name.abc"
      echo $((SECONDS - start)) >"$work/$name.seconds"
      return 0
    fi
    # An error of the source is none of ABC's.
    ! grep '^ERROR' "$work/$name.log" 2>/dev/null | grep -qv ABC || break
  done
  return 1
}

# What many listen to stands there several times: wires are a twentieth shorter in all. It is placed twice, the second time with
# block memories where the first one wants them: a seventh shorter (docs/lab/area.md). By nextpnr's other placer wires are a sixth
# longer in all.
# ecp5_place NETLIST TOP NAME ARGUMENT...: $ecp5_placed is the netlist placed, ARGUMENTs are nextpnr's of the part and its pins.
ecp5_place() {
  local netlist=$1 top=$2 name=$3
  shift 3
  rm -f "$work/$name".{routable,placed,sited,again}.json "$work/$name".{placed,again}.log
  ecp5_places() { # NETLIST STEP ARGUMENT...
    "$nextpnr" --json "$1" --top "$top" --placer static --no-route --write "$work/$name.$2.json" -q -l "$work/$name.$2.log" \
      "${@:3}" >>"$work/$name.out" 2>&1
  }
  "$python" lab/fpga/synth/routable.py "$netlist" "$work/$name.routable.json" "$top" >"$work/$name.out" 2>&1 &&
    ecp5_places "$work/$name.routable.json" placed "$@" &&
    "$python" lab/fpga/synth/memory_sites.py "$work/$name".{routable,placed,sited}.json "$top" >>"$work/$name.out" 2>&1 &&
    ecp5_places "$work/$name.sited.json" again "$@" &&
    ecp5_placed=$work/$name.again.json &&
    rm -f "$work/$name".{routable,placed,sited}.json
}
