#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_netlists.sh ROOT
# What changes netlists before mapping and before place and route (answers.py, routable.py, memory_sites.py) changes what
# it says and nothing else.
source "$(dirname "$0")/checks.sh"

# ---- ... and when memories and choices answer: a box of that time at each output that leads somewhere, one of a wire's time before
# all comparisons of a bit, one of what its wires take more before eight choices by one bit, a box in the place of each LUT, and
# nothing else changes
cat >"$dir/m.before.json" <<'END'
{"modules": {"m": {"netnames": {"n": {"bits": [2, 3, 4, 5, 6, 7, "x"]}}, "cells": {
  "b": {"type": "DP16KD", "connections": {"DOA0": [2], "DOB3": [3], "DOA1": ["x"], "ADA0": [4]}},
  "d": {"type": "TRELLIS_DPR16X4", "connections": {"DO": [4, "x", 5, "x"], "RAD": [2, 3, 2, 3]}},
  "l": {"type": "LUT4", "parameters": {"INIT": "1100"}, "connections": {"A": [5], "B": [7], "C": ["0"], "D": ["0"], "Z": [6]}},
  "p1": {"type": "PFUMX", "connections": {"C0": [7]}}, "p2": {"type": "PFUMX", "connections": {"C0": [7]}},
  "p3": {"type": "PFUMX", "connections": {"C0": [7]}}, "p4": {"type": "PFUMX", "connections": {"C0": [7]}},
  "p5": {"type": "PFUMX", "connections": {"C0": [7]}}, "p6": {"type": "L6MUX21", "connections": {"SD": [7]}},
  "p7": {"type": "PFUMX", "connections": {"C0": [7]}}, "p8": {"type": "PFUMX", "connections": {"C0": [5]}},
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
chosen = {after: before for before, after in ends(400).items()}
assert len(boxes) == 7 and len(ends(1140)) == len(ends(5075)) == len(wires) == 2
assert min(drives) > 7 and sorted(drives.values()) == [2, 3, 4, 5], drives
assert list(chosen.values()) == [7] and after["p1"]["connections"]["C0"] == after["l"]["connections"]["B"] == list(chosen), chosen
assert after["l"].pop("type") == "HEDDLE_CHOICE_1100" and after["l"].pop("parameters") == {}
after["l"].update(type="LUT4", parameters={"INIT": "1100"})
assert min(wires) > 7 and sorted(wires.values()) == [2, 6] and not set(wires) & set(drives), wires
assert wires[after["c"]["connections"]["B0"][0]] == 6 and after["c"]["connections"]["B0"] == after["e"]["connections"]["D1"]
drives.update(wires | chosen)
for cell in after.values():  # with the boxes as wires it is what it was
    cell["connections"] = {p: [drives.get(b, b) for b in bits] for p, bits in cell["connections"].items()}
assert after == before
END
$python lab/fpga/synth/answers.py "$dir/m" >"$dir/out" 2>"$dir/err" && $python "$dir/answers.py" "$dir/m" >>"$dir/out" 2>>"$dir/err" ||
  fail "memories' times are not what stands in lab/fpga/synth/levels.py, or not where they belong"
grep -q 'I => O) = 5075;' "$dir/m.answers.v" && grep -q 'HEDDLE_ANSWERS_AFTER_1140' "$dir/m.gone.v" ||
  fail "a time that mapping is not told"
grep -q '(A => Z) = 1140;' "$dir/m.answers.v" && grep -q "LUT4 #(.INIT(4'b1100)) lut_i (.A(A), .B(B)" "$dir/m.gone.v" ||
  fail "a choice's LUT is not what it was"

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
subprocess.run([sys.executable, "lab/fpga/synth/routable.py", sys.argv[1] + ".json", sys.argv[1] + ".out.json"], check=True)
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

# ---- ... and block memories get the sites where their wires are short, of those that they have, and nothing else changes
cat >"$dir/memory_sites.py" <<'END'
import copy, json, subprocess, sys
bel = lambda i: f"X{5 * i}/Y22/EBR{i % 4}"
cell = lambda kind, at, to: {"type": kind, "parameters": {}, "attributes": {"NEXTPNR_BEL": at}, "port_directions": {"A": "input"},
    "connections": {"A": to}}
clock, many, cells = 2, 20, {}
for i in range(many):  # ten wires between a memory and LUTs around site i; it stands at site 7 i
    wires = list(range(100 + 10 * i, 110 + 10 * i))
    cells[f"ram{i}"] = cell("DP16KD", bel(7 * i % many), [*wires, 300 + i // 2, clock])
    for wire in wires: cells[f"lut{wire}"] = cell("LUT4", f"X{5 * i}/Y{wire % 40}/SLICEA.K0", [wire, clock])
placed = {"modules": {"box": {}, "named": {"cells": cells}}}
bare = {"modules": {"top": {"cells": copy.deepcopy(cells)}}}
for c in bare["modules"]["top"]["cells"].values(): c["attributes"] = {}
files = [f"{sys.argv[1]}.{n}.json" for n in ("bare", "placed", "out")]
run = lambda *files: subprocess.run([sys.executable, "lab/fpga/synth/memory_sites.py", *files, "top"]).returncode
for design, name in zip((bare, placed), files): json.dump(design, open(name, "w"))
assert run(*files) == 0
after = json.load(open(files[2]))["modules"]["top"]["cells"]
assert [after[f"ram{i}"]["attributes"].pop("BEL") for i in range(many)] == [bel(i) for i in range(many)]
assert after == bare["modules"]["top"]["cells"]
first = open(files[2]).read()
assert run(*files) == 0 and open(files[2]).read() == first
for name in [n for n in cells if n != "ram0" and "ram" in n]: del cells[name]
json.dump(placed, open(files[1], "w"))
assert run(*files) == 0  # one memory stays
assert json.load(open(files[2]))["modules"]["top"]["cells"]["ram0"]["attributes"]["BEL"] == bel(0)
assert run(files[0], files[0], files[2]) != 0  # what is not placed
END
$python "$dir/memory_sites.py" "$dir/sites" >"$dir/out" 2>"$dir/err" || fail "block memories get other sites than the nearest"

[ $failures = 0 ]
