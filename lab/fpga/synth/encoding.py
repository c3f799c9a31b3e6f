# SPDX-License-Identifier: Apache-2.0
"""Figures of one encoding as JSON, of what scripts/synth-encoding.sh had mapped.

usage: encoding.py FOLDER CONFIG
"""
import json
import os
import sys

import levels
import report
import timing


def figures(work, config, top):
    """LUT4, registers, carry cells of one top."""
    row = report.row(os.path.join(work, "synth", config), top, 0, top)
    if row is None:
        raise SystemExit(f"encoding.py: {work}: {top} has no figures")
    return {"lut4": row["lut4"], "ff": row["ff"], "ccu2c": row["ccu2c"], "sites": row["sites"]}


def longest(work, config, top):
    """Levels and MHz of the longest path."""
    names = timing.Names(os.path.join(work, "synth", config, f"{top}.json"), top)
    path = timing.paths(levels.Mapped(names.cells), names, 1)[0]
    return {"levels": path["levels"]["lut"] + path["levels"]["mux"] + path["levels"]["carry"],
            "ns": path["ns"], "mhz": round(1000 / path["ns"], 1)}


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    folder, config = sys.argv[1:]
    out = {}
    for name, freq in (("decoder", 60), ("decoder_fast", 200)):
        work = os.path.join(folder, f"decoder{freq}")
        out[name] = {**figures(work, config, "isa_decoder"), **longest(work, config, "isa_decoder")}
    for mode in ("issue_control", "issue_scoreboard"):
        with open(os.path.join(folder, f"{mode}.at"), encoding="utf-8") as f:
            work = f.read().strip()
        out[mode] = {**figures(work, config, mode), "netlist": os.path.basename(work).removeprefix("issue-")}
    json.dump(out, sys.stdout, indent=1, sort_keys=True)
    print()


if __name__ == "__main__":
    main()
