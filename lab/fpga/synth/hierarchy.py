# SPDX-License-Identifier: Apache-2.0
"""What each part of a mapped, flat design takes.

example: build/venv/bin/python3 lab/fpga/synth/hierarchy.py build/synth/tiny/pins.json heddle_gpu_pins --depth 6

Flattening leaves the instances in the names. A cell belongs to the instance that its own name says,
or the name of what it drives (what only inputs are called, NAME_i, is driven outside of them); one
that has neither (a LUT of ABC's) to the deepest instance that all have in common where what it
drives goes. So the figures of a part are what it takes within the whole: where ABC joins the logic
of two parts, it stands in the second. LUT sites count a 16 by 4 memory as six and a carry cell as
two.
"""
import argparse
import json
import re
from collections import defaultdict

import timing

KINDS = ("LUT4", "TRELLIS_FF", "DP16KD", "MULT18X18D", "TRELLIS_DPR16X4", "CCU2C")
HEADS = ("LUT4", "FF", "DP16KD", "MULT18X18D", "DPR16X4", "CCU2C")
SITES = {"LUT4": 1, "TRELLIS_DPR16X4": 6, "CCU2C": 2}


def instance(name):
    """The instances of a name, outermost first; the pieces of a memory are numbered."""
    return tuple(re.sub(r"(\.\d+)+$", "", name).split(".")[:-1])


def driver(nets):
    """The instance that drives what is called so."""
    own = [instance(n) for n in nets if not n.endswith("_i")]
    if own:
        return max(own, key=lambda place: (len(place), place))
    return min((instance(n)[:-1] for n in nets), key=lambda place: (len(place), place))


def common(places):
    """What the beginnings of these have in common."""
    first, last = min(places), max(places)
    for i, part in enumerate(first):
        if i >= len(last) or last[i] != part:
            return first[:i]
    return first


def place_cells(names):
    """{cell: instances}"""
    drives, sinks = {}, defaultdict(set)
    for name, cell in names.cells.items():
        ways = cell["port_directions"]
        drives[name] = [b for p, bits in cell["connections"].items() if ways[p] == "output" for b in bits]
        for port, bits in cell["connections"].items():
            if ways[port] == "input":
                for bit in bits:
                    if isinstance(bit, int):
                        sinks[bit].add(name)
    places, todo = {}, []
    for name in names.cells:
        if "$" not in name and "." in name:
            places[name] = instance(name)
            continue
        found = [n for b in drives[name] if isinstance(b, int) for n, _, _ in names.nets.get(b, ())]
        if found:
            places[name] = driver(found)
        else:
            todo.append(name)
    # From what is known backwards, as often as LUTs stand behind each other.
    while todo:
        left = []
        for name in todo:
            readers = {s for b in drives[name] if isinstance(b, int) for s in sinks[b]}
            if readers <= places.keys():
                places[name] = common([places[r] for r in readers]) if readers else ()
            else:
                left.append(name)
        if len(left) == len(todo):
            for name in left:
                places[name] = ()
            break
        todo = left
    return places


def sums(names, depth):
    """{instances up to a depth: {kind: cells}}, each with what lies in it."""
    table = defaultdict(lambda: defaultdict(int))
    for name, place in place_cells(names).items():
        for length in range(min(depth, len(place)) + 1):
            table[place[:length]][names.cells[name]["type"]] += 1
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("netlist", help="what Yosys' write_json left, mapped and flat")
    parser.add_argument("top")
    parser.add_argument("--depth", type=int, default=4, help="how many instances deep (default 4)")
    parser.add_argument("--least", type=int, default=100, help="only parts of so many LUT sites (default 100)")
    parser.add_argument("--json", help="write them to this file too, as lab/fpga/synth/doc.py takes them")
    args = parser.parse_args()
    names = timing.Names(args.netlist, args.top)
    parts = {}
    print(f"{'sites':>7}" + "".join(f"{head:>11}" for head in HEADS) + "  part")
    for place, cells in sorted(sums(names, args.depth).items()):
        sites = sum(cells[kind] * weight for kind, weight in SITES.items())
        if sites >= args.least or not place:
            parts[".".join(place)] = {head.lower(): cells[kind] for head, kind in zip(HEADS, KINDS)} | {"sites": sites}
            print(f"{sites:7}" + "".join(f"{cells[kind]:11}" for kind in KINDS) + "  "
                  + "  " * len(place) + (place[-1] if place else args.top))
    if args.json:
        with open(args.json, "w", encoding="utf-8") as out:
            json.dump({"version": 1, "parts": parts}, out, indent=0)
            out.write("\n")


if __name__ == "__main__":
    main()
