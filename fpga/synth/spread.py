# SPDX-License-Identifier: Apache-2.0
"""Keeps LUT sites free where wires would be crowded; what the design does stays the same.

example, in build/synth/tiny: python3 ../../../fpga/synth/spread.py routable.json placed.json spread.json
example, there: python3 ../../../fpga/synth/spread.py --even placed.json again.json

nextpnr's placer makes wires short and does not count how many go through a place: what reads the register
file came to lie so close that three times as many wires were asked of a tile there as of one elsewhere.
Given a netlist and the same netlist once placed, this adds LUTs that do nothing, locked to sites where
more wires are wanted than CROWDED for each tile; placed again, the design has to leave more room between
the cells that belong there. The more wires, the more sites, up to FREE of a tile's.

Where the first placing is even, the second one need not be: --even says which of two is, by the tile
that most wires are wanted in. It is the one to route.

How many wires a place is asked for: each net's length, spread evenly over the smallest rectangle around
its cells (P. Spindler, F. M. Johannes, "Fast and accurate routing demand estimation for efficient
routability-driven placement", DATE 2007), averaged over the tiles around.
"""
import collections
import json
import re
import sys

TOP = "heddle_gpu_pins"
CROWDED = 125  # tiles' lengths of wire through a tile
FREE = 0.5  # of the sites of a tile, at most
AROUND = 4  # tiles to each side that are averaged
SITES = [f"SLICE{slice_}.K{half}" for slice_ in "DCBA" for half in (1, 0)]  # of a tile, in this order
GLOBAL = 5000  # a net with more ends than this (clock, reset) has wires of its own


def length(ends):
    """Of a net's wires, in tiles: half the way around its cells, more with many ends."""
    xs, ys = zip(*ends)
    around = max(xs) - min(xs) + max(ys) - min(ys)
    return around * (max(1, 0.5 + 0.09 * len(ends)) if len(ends) < 60 else 0.8 * len(ends) ** 0.5)


def placed(cells):
    """The ends of each net, and the tiles where LUTs lie."""
    nets, tiles = collections.defaultdict(list), set()
    for cell in cells.values():
        where = re.match(r"X(\d+)/Y(\d+)/(\w+)", cell["attributes"].get("NEXTPNR_BEL", ""))
        if not where:
            continue
        x, y = int(where[1]), int(where[2])
        if where[3].startswith("SLICE"):
            tiles.add((x, y))
        for bits in cell["connections"].values():
            for bit in bits:
                if isinstance(bit, int):
                    nets[bit].append((x, y))
    return nets, tiles


def sums(grid):
    """Of all tiles above and to the left, with a border of zeros."""
    total = [[0.0] * (len(grid[0]) + 1) for _ in range(len(grid) + 1)]
    for y, row in enumerate(grid):
        for x, value in enumerate(row):
            total[y + 1][x + 1] = value + total[y][x + 1] + total[y + 1][x] - total[y][x]
    return total


def demand(nets, width, height):
    """Wires that each tile is asked for, averaged."""
    steps = [[0.0] * (width + 1) for _ in range(height + 1)]
    for ends in nets.values():
        if not 1 < len(ends) <= GLOBAL:
            continue
        xs, ys = zip(*ends)
        left, right, top, bottom = min(xs), max(xs) + 1, min(ys), max(ys) + 1
        each = length(ends) / ((right - left) * (bottom - top))
        for y, x, sign in ((top, left, 1), (bottom, left, -1), (top, right, -1), (bottom, right, 1)):
            steps[y][x] += sign * each
    wires = [row[1:width + 1] for row in sums(steps)[1:height + 1]]
    total = sums(wires)

    def mean(x, y):
        left, right = max(0, x - AROUND), min(width, x + AROUND + 1)
        top, bottom = max(0, y - AROUND), min(height, y + AROUND + 1)
        area = (right - left) * (bottom - top)
        return (total[bottom][right] - total[top][right] - total[bottom][left] + total[top][left]) / area

    return mean


def crowding(placed_netlist):
    """The tiles of a placed design, and what says of each how many wires it is asked for."""
    with open(placed_netlist, encoding="utf-8") as file:
        modules = json.load(file)["modules"].values()  # nextpnr names the design itself, beside boxes without cells
    nets, tiles = placed(max((module.get("cells", {}) for module in modules), key=len))
    if not tiles:
        sys.exit(f"spread: {placed_netlist} is not placed")
    width, height = (max(place[i] for ends in nets.values() for place in ends) + 1 for i in (0, 1))
    return sorted(tiles), demand(nets, width, height)


def even(*placed_netlists):
    """Of placed designs the one whose most crowded tile is the least so."""
    def worst(name):
        tiles, mean = crowding(name)
        return max(mean(x, y) for x, y in tiles)

    print(min(placed_netlists, key=worst))


def main(netlist, placed_netlist, out):
    tiles, mean = crowding(placed_netlist)
    with open(netlist, encoding="utf-8") as file:
        design = json.load(file)
    cells = design["modules"][sys.argv[4] if len(sys.argv) == 5 else TOP]["cells"]
    bit = 1 + max(b for cell in cells.values() for bits in cell["connections"].values() for b in bits if isinstance(b, int))
    owed, added, worst = 0.0, 0, 0.0
    for x, y in tiles:
        wires = mean(x, y)
        worst = max(worst, wires)
        owed += len(SITES) * min(FREE, 1 - CROWDED / wires) if wires > CROWDED else 0.0
        for site in SITES[:int(owed)]:
            cells[f"kept_free_{added}"] = {
                "hide_name": 1,
                "type": "LUT4",
                "parameters": {"INIT": "0" * 16},
                "attributes": {"BEL": f"X{x}/Y{y}/{site}", "keep": "1"},
                "port_directions": {**{p: "input" for p in "ABCD"}, "Z": "output"},
                "connections": {**{p: ["0"] for p in "ABCD"}, "Z": [bit + added]},
            }
            added += 1
        owed -= int(owed)
    with open(out, "w", encoding="utf-8") as file:
        json.dump(design, file)
    print(f"{added} sites kept free; {worst:.0f} wires a tile at most, averaged")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    if sys.argv[1] == "--even":
        even(*sys.argv[2:])
    else:
        main(*sys.argv[1:4])
