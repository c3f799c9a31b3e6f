#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_figures.sh ROOT
# The paths of a made design are put into the right words, what its parts take is found, speeds of all grades are
# reported; which modules an instance lies in is found; the tables of docs/for-fpga.md and docs/lab/area.md are those of
# lab/fpga/synth/figures.
source "$(dirname "$0")/checks.sh"

# ---- the longest path of a made design: from a_q through a LUT and a carry to the register of u_b
mkdir "$dir/made"
$python tests/lab/fpga/synth/make_routed.py "$dir/made" || fail 'make_routed.py'
cat >"$dir/words.py" <<END
import sys
sys.path.insert(0, "lab/fpga/synth")
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
sys.path.insert(0, "lab/fpga/synth")
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
$python -B lab/fpga/synth/levels.py "$dir/made/pins.json" top >"$dir/out" 2>"$dir/err" || fail 'levels.py'
cat >"$dir/expected" <<END
  1. 4.1 ns, 66 % of it routing: from \`u_a.a_q\` (first.sv:12) to \`u_b.b_q\` (second.sv:12), 1 LUT and 1 carry bit
  2. 1.8 ns, 59 % of it routing: from \`u_b.b_q\` (second.sv:12) to \`u_a.a_q\` (first.sv:12), no logic
END
grep -v '^     through ' "$dir/out" | cmp -s "$dir/expected" - || fail 'the guessed paths differ'

# ... and drawn: a row for each of the three registers and nets that the longest meets, a bar for a cell
$python -B lab/fpga/synth/levels.py "$dir/made/pins.json" top --paths 1 --picture "$dir/paths.svg" >"$dir/out" 2>"$dir/err" || fail '--picture'
cat >"$dir/drawn.py" <<'END'
import sys
import xml.etree.ElementTree as xml
items = list(xml.parse(sys.argv[1]).getroot().iter("{http://www.w3.org/2000/svg}text"))
print(*(t.text for t in items if t.get("font-weight") == "bold"), sep="\n")
print(*(t.text for t in items if t.get("text-anchor") == "end"))
bars = xml.parse(sys.argv[1]).getroot().iter("{http://www.w3.org/2000/svg}title")
print(*sorted(t.text for t in bars), sep="; ")
END
$python -B "$dir/drawn.py" "$dir/paths.svg" >"$dir/out" 2>"$dir/err" || fail 'the picture is no SVG'
cat >"$dir/expected" <<END
4.1 ns, 66 % wires: u_a.a_q to u_b.b_q
u_a.a_q u_b.sum u_b.b_q
carry, 0.45 ns; clock, 0.53 ns; lut, 0.24 ns; set-up, 0.20 ns
END
cmp -s "$dir/expected" "$dir/out" || fail 'the path is drawn otherwise'

# ---- what each part takes: registers are their driver's, a LUT without a name that of what it leads to, a memory six sites
$python -B lab/fpga/synth/hierarchy.py "$dir/made/pins.json" top --least 0 >"$dir/out" 2>"$dir/err" || fail 'hierarchy.py'
cat >"$dir/expected" <<END
  sites       LUT4         FF     DP16KD MULT18X18D    DPR16X4      CCU2C  part
     10          2          3          0          0          1          1  top
      1          1          2          0          0          0          0    u_a
      9          1          1          0          0          1          1    u_b
      6          0          0          0          0          1          0      u_ram
END
cmp -s "$dir/expected" "$dir/out" || fail 'the parts differ'
$python -B lab/fpga/synth/hierarchy.py "$dir/made/pins.json" top --depth 1 --least 5 >"$dir/out" 2>"$dir/err" || fail 'hierarchy.py'
awk '{ print $1, $NF }' "$dir/out" | tr '\n' ' ' | grep -qx 'sites part 10 top 9 u_b ' || fail '--depth and --least choose otherwise'
$python -B lab/fpga/synth/hierarchy.py "$dir/made/pins.json" top --least 9 --json "$dir/parts.json" >"$dir/out" 2>"$dir/err" || fail '--json'
$python -c 'import json, sys
parts = json.load(open(sys.argv[1]))["parts"]
print(sorted((k, p["lut4"], p["ff"], p["sites"]) for k, p in parts.items()))' "$dir/parts.json" >"$dir/out"
echo "[('', 2, 3, 10), ('u_b', 1, 1, 9)]" | cmp -s - "$dir/out" || fail 'the parts differ in JSON'

# ---- of which module an instance is: by the named block around it, with parameters or without
mkdir -p "$dir/rtl/lib" "$dir/rtl/gpu"
echo 'module cell_a; endmodule' >"$dir/rtl/lib/cell_a.sv"
for name in one other; do echo 'module '$name'; cell_a u_cell (.a(1)); endmodule' >"$dir/rtl/$name.sv"; done
cat >"$dir/rtl/gpu/gpu.sv" <<'END'
module gpu;
  if (A) begin : gen_a
    one #(.N(F(2)), .M(3)) u_part (.x(y)); // other u_part (
  end else begin : gen_b
    always_comb begin
      u_x = 1;
    end
    other u_part (.x(y));
  end
endmodule
END
cat >"$dir/of.py" <<'END'
import sys
sys.path.insert(0, "lab/fpga/synth")
import modules
found = modules.files(sys.argv[1])
inside = {n: modules.instances(f"{sys.argv[1]}/{f}/{n}.sv", found) for n, (f, _) in found.items()}
for place in ("gen_a.u_part.u_cell", "gen_b.u_part", "u_other"):
    print(modules.modules_of(["u_gpu"] + place.split("."), inside, found))
END
$python -B "$dir/of.py" "$dir/rtl" >"$dir/out" 2>"$dir/err" || fail 'modules.py'
printf "['gpu', 'one']\n['gpu', 'other']\n['gpu']\n" | cmp -s - "$dir/out" || fail 'other modules'

# ---- what place and route left: the speed of each grade, from reports of their own
report() { $python -B lab/fpga/synth/report.py --work "$dir/made" --rows "$dir/rows" --config tiny --commit none "$@"; }
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
$python -B lab/fpga/synth/doc.py --check docs/lab/area.md >"$dir/out" 2>"$dir/err" || fail 'docs/lab/area.md'
sed 's/^| whole | /| whole | 1/' docs/lab/area.md >"$dir/area.md"
! $python -B lab/fpga/synth/doc.py --check "$dir/area.md" >"$dir/out" 2>"$dir/err" || fail 'another figure was not noticed'
grep -q 'its tables are not lab/fpga/synth/figures' "$dir/err" || fail 'another figure: another message'

[ $failures = 0 ]
