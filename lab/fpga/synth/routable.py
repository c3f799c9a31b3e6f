# SPDX-License-Identifier: Apache-2.0
"""Makes a mapped netlist easier to route; what it does stays the same.

example: build/venv/bin/python3 lab/fpga/synth/routable.py build/synth/tiny/pins.json build/synth/tiny/routable.json
Another top than heddle_gpu_pins is named after the files.

- A LUT or a register with more than LOADS loads stands there several times, each with loads that lie
  together in the design. One net to all of them is a tree over the whole part, and a router that takes
  a wire from it has all loads beyond that wire to route again.
- A memory of 16 by 4 with fewer rows has address bits that are always 0. They become 1: its words then
  lie in other rows, and where it is read nothing needs to be brought there, since an input of a slice
  that nothing drives is 1.
"""
import collections
import copy
import json
import sys

TOP = "heddle_gpu_pins"
LOADS = 64
ROUNDS = 8  # how far from a named net a cell may lie and still be told by its name
RAM = "TRELLIS_DPR16X4"
PAIRED = ("ALUT", "BLUT", "D0", "D1")  # sides of a wide multiplexer, which stay with the LUT of their slice


def pins(cell, direction):
    """Each (port, index, net) of a cell that way; constants are none."""
    for port, bits in cell["connections"].items():
        if cell["port_directions"][port] == direction:
            for i, bit in enumerate(bits):
                if isinstance(bit, int):
                    yield port, i, bit


def unused_rows(cells):
    """Unused address bits from 0 to 1; returns how many."""
    changed = 0
    for cell in cells.values():
        if cell["type"] != RAM or set(cell["parameters"].get("INITVAL", "x")) != {"x"}:
            continue  # which row a word lies in matters where a memory begins with words
        write, read = cell["connections"]["WAD"], cell["connections"]["RAD"]
        for i, bits in enumerate(zip(write, read)):
            if bits == ("0", "0"):
                write[i], read[i] = "1", "x"
                changed += 1
    return changed


def places(module, loads):
    """{cell: (folder, net, bit)}: where it lies in the design, by its own output or what that leads to."""
    names = {}
    for name, net in module["netnames"].items():
        if net.get("hide_name") or name.startswith("$"):
            continue
        folder = name.rpartition(".")[0]
        for i, bit in enumerate(net["bits"]):
            if isinstance(bit, int) and (bit not in names or len(folder) > len(names[bit][0])):
                names[bit] = (folder, name, i)
    outputs = {name: [bit for *_, bit in pins(cell, "output")] for name, cell in module["cells"].items()}
    place = {}
    for name, bits in outputs.items():
        known = next((names[bit] for bit in bits if bit in names), None)
        if known:
            place[name] = known
    for _ in range(ROUNDS):
        further = {}
        for name, bits in outputs.items():
            if name not in place:
                near = (place[load] for bit in bits if len(loads[bit]) <= LOADS for load, *_ in loads[bit] if load in place)
                known = next(near, None)
                if known:
                    further[name] = known
        if not further:
            break
        place.update(further)
    return place


def copies(module):
    """Copies of cells with many loads; returns how many."""
    cells = module["cells"]
    loads, driver = collections.defaultdict(list), {}
    for name, cell in cells.items():
        for port, i, bit in pins(cell, "input"):
            loads[bit].append((name, port, i))
        for port, i, bit in pins(cell, "output"):
            driver[bit] = (name, port, i)
    place = places(module, loads)
    free = 1 + max((b for n in module["netnames"].values() for b in n["bits"] if isinstance(b, int)), default=1)
    made = 0
    for bit in sorted((b for b in loads if len(loads[b]) > LOADS and b in driver), key=lambda b: (-len(loads[b]), b)):
        name, port, i = driver[bit]
        if cells[name]["type"] not in ("LUT4", "TRELLIS_FF"):
            continue
        if any(p in PAIRED and cells[c]["type"] in ("PFUMX", "L6MUX21") for c, p, _ in loads[bit]):
            continue
        groups = -(-len(loads[bit]) // LOADS)
        size = -(-len(loads[bit]) // groups)
        near = sorted(loads[bit], key=lambda load: (place.get(load[0], ("~", "~", 0)), load))
        for group in range(1, groups):
            cell = copy.deepcopy(cells[name])
            cell["connections"][port][i] = free
            cells[f"{name}$copy{group}"] = cell
            module["netnames"][f"{name}$copy{group}"] = {"hide_name": 1, "bits": [free], "attributes": {}}
            for load, p, k in near[group * size:(group + 1) * size]:
                cells[load]["connections"][p][k] = free
            for p, k, net in pins(cell, "input"):
                loads[net].append((f"{name}$copy{group}", p, k))
            free += 1
            made += 1
        loads[bit] = near[:size]
    return made


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    with open(sys.argv[1], encoding="utf-8") as f:
        netlist = json.load(f)
    module = netlist["modules"][sys.argv[3] if len(sys.argv) == 4 else TOP]
    rows = unused_rows(module["cells"])
    made = copies(module)
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        json.dump(netlist, f)
    print(f"{made} copies; {rows} unused address bits of memories")


if __name__ == "__main__":
    main()
