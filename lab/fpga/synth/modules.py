# SPDX-License-Identifier: Apache-2.0
"""Lines and LUTs by module: how long the text of each is, and what it takes in a mapped, flat design.

example: build/venv/bin/python3 lab/fpga/synth/modules.py build/synth/tiny/pins.json --commit f3a82d37 --json tiny.json
Cells go to instances as lab/fpga/synth/hierarchy.py does it; a module has those of all its instances, with all that these
instantiate, so that a module's cells are among those of whoever has it too. Lines are those of its file alone. Of another
commit: the netlist that its own scripts/synth.sh made, and --rtl with its folder rtl. lab/fpga/synth/doc.py makes the table of two.
"""
import argparse
import json
import os
import re
from collections import defaultdict

import hierarchy
import timing

TOP = "heddle_gpu_pins"
TOKEN = re.compile(r"\b(?:(?P<begin>begin)\b(?:\s*:\s*(?P<label>\w+))?|(?P<end>end)\b|"
                   r"(?P<instance>u_\w+)\s*(?:\[[^\]]*\]\s*)?\()")


def files(rtl):
    """{module: (folder, lines)} of all files below a folder."""
    found = {}
    for folder, folders, names in os.walk(rtl):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".sv", ".svh")):
                with open(os.path.join(folder, name), encoding="utf-8") as text:
                    lines = len(text.readlines())
                found[os.path.splitext(name)[0]] = (os.path.relpath(folder, rtl).strip("."), lines)
    return found


def word_before(text, end):
    """The module of an instance whose name begins at `end`: the word before it, or before its parameters."""
    text = text[:end].rstrip()
    if text.endswith(")"):
        depth = 0
        for at in range(len(text) - 1, -1, -1):
            depth += (text[at] == ")") - (text[at] == "(")
            if depth == 0:
                break
        text = text[:at].rstrip()
        if not text.endswith("#"):
            return None
        text = text[:-1].rstrip()
    word = re.search(r"(\w+)$", text)
    return word[1] if word else None


def instances(path, modules):
    """{(generate block or None, instance): module} of one file."""
    with open(path, encoding="utf-8") as text:
        text = re.sub(r"//[^\n]*", "", text.read())
    # Instances, and which of the named blocks around each is the innermost.
    found, open_blocks = {}, []
    for m in TOKEN.finditer(text):
        if m["begin"]:
            open_blocks.append(m["label"])
        elif m["end"]:
            open_blocks = open_blocks[:-1]
        else:
            module = word_before(text, m.start())
            if module in modules:
                block = next((label for label in reversed(open_blocks) if label), None)
                found[block, m["instance"]] = module
    return found


def modules_of(place, inside, modules):
    """The modules that an instance lies in, outermost first, but for those of rtl/lib."""
    found, block = [], None
    for part in place:
        if not found:
            found = ["gpu" if "gpu" in modules else "heddle_gpu"] if part == "u_gpu" else []  # an older tree has no gpu
        elif part.startswith("gen_"):
            block = re.sub(r"\[\d+\]$", "", part)
        elif part.startswith("u_"):
            below = inside.get(found[-1], {}).get((block, part))
            if below is None or modules[below][0].split("/")[0] == "lib":
                break
            found.append(below)
            block = None
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("netlist", help="build/synth/CONFIG/pins.json of scripts/synth.sh --no-blocks")
    parser.add_argument("--rtl", default="rtl", help="the text that it was made from (default rtl)")
    parser.add_argument("--commit", default="", help="which one that is")
    parser.add_argument("--json", help="write them to this file, as lab/fpga/synth/doc.py takes them")
    args = parser.parse_args()
    modules = files(args.rtl)
    inside = {}
    for name, (folder, _) in modules.items():
        path = os.path.join(args.rtl, folder, name + ".sv")
        if os.path.exists(path):
            inside[name] = instances(path, modules)
    names = timing.Names(args.netlist, TOP)
    table = defaultdict(lambda: defaultdict(int))
    for cell, place in hierarchy.place_cells(names).items():
        for name in (TOP, *modules_of(place, inside, modules)):
            table[name][names.cells[cell]["type"]] += 1
    rows = {}
    modules[TOP] = ("../lab/fpga/synth", 0)
    for name, (folder, lines) in sorted(modules.items(), key=lambda m: (m[1][0], m[0])):
        cells = table[name]
        rows[name] = {"folder": folder, "lines": lines, "lut4": cells["LUT4"], "ff": cells["TRELLIS_FF"],
                      "dp16kd": cells["DP16KD"], "sites": sum(cells[k] * n for k, n in hierarchy.SITES.items())}
    if args.json:
        with open(args.json, "w", encoding="utf-8") as out:
            body = ",\n".join(f'"{name}": {json.dumps(row)}' for name, row in rows.items())
            out.write(f'{{"version": 1, "commit": "{args.commit}", "modules": {{\n{body}\n}}}}\n')
    print("  lines    LUT4      FF  DP16KD   sites  module")
    for name, row in sorted(rows.items(), key=lambda r: -r[1]["lut4"]):
        if row["sites"]:
            print("{lines:7}{lut4:8}{ff:8}{dp16kd:8}{sites:8}  ".format(**row) + f"{row['folder']}/{name}")


if __name__ == "__main__":
    main()
