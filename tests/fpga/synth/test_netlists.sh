#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_netlists.sh ROOT
# What changes netlists before mapping and before place and route (answers.py, routable.py, spread.py) changes what
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
$python fpga/synth/answers.py "$dir/m" >"$dir/out" 2>"$dir/err" && $python "$dir/answers.py" "$dir/m" >>"$dir/out" 2>>"$dir/err" ||
  fail "memories' times are not what stands in fpga/synth/levels.py, or not where they belong"
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
subprocess.run([sys.executable, "fpga/synth/routable.py", sys.argv[1] + ".json", sys.argv[1] + ".out.json"], check=True)
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
spread = lambda *words, **more: subprocess.run([sys.executable, "fpga/synth/spread.py", *words], **more)
run = lambda placed: spread(sys.argv[1] + ".json", placed, sys.argv[1] + ".out.json").returncode
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
    done = spread("--even", *(sys.argv[1] + n for n in two), capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == sys.argv[1] + ".over.json\n", (two, done)
assert spread("--even", sys.argv[1] + ".json", sys.argv[1] + ".over.json").returncode != 0
END
$python "$dir/spread.py" "$dir/spread" >"$dir/out" 2>"$dir/err" || fail "sites are kept free elsewhere than where wires are crowded"

[ $failures = 0 ]
