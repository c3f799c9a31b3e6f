# SPDX-License-Identifier: Apache-2.0
"""Gives each block memory the site where its wires are short; what the design does stays the same.

example, in build/synth/tiny: python3 ../../../lab/fpga/synth/memory_sites.py routable.json placed.json sited.json heddle_gpu_pins

In a part that has most of its block memories in use, nextpnr's placer leaves many of them far from what
they are wired to: in `fpga` with digests (203 of 208) the wires to them were a fifth shorter once exchanged.
Given a netlist and the same netlist once placed, this exchanges memories between the sites they
have, while all else stands still, until the wires to them are short (simulated annealing: S. Kirkpatrick,
C. D. Gelatt, M. P. Vecchi, "Optimization by Simulated Annealing", Science 220, 1983), and locks them
there; placed again, the rest of the design comes to its memories.
"""
import collections
import json
import math
import random
import re
import sys

MEMORY = "DP16KD"
GLOBAL = 5000  # a net with more ends than this (clock, reset) has wires of its own
ROUNDS, EXCHANGES = 13, 8000  # of a round, tried
WARM, COOLER = 400.0, 0.75  # tiles' lengths of wire that may be lost for a better place later; from round to round


def shape(ends):
    """How much of a net's wires there is for each tile of half the way around its ends; more with many."""
    return max(1, 0.5 + 0.09 * ends) if ends < 60 else 0.8 * ends ** 0.5


class Memories:
    """Where memories are, and how long the nets to them."""

    def __init__(self, cells):
        """Cells of a placed design, with its wires."""
        ends = collections.defaultdict(list)
        self.at, self.bel = {}, {}
        for name, cell in cells.items():
            bel = cell["attributes"].get("NEXTPNR_BEL", "")
            where = re.match(r"X(\d+)/Y(\d+)/", bel)
            if not where:
                continue
            at = int(where[1]), int(where[2])
            if cell["type"] == MEMORY:
                self.at[name], self.bel[at] = at, bel
            for bits in cell["connections"].values():
                for bit in bits:
                    if isinstance(bit, int):
                        ends[bit].append(name if cell["type"] == MEMORY else at)
        if not ends or all(isinstance(end, str) for net in ends.values() for end in net):
            sys.exit("memory_sites: the netlist is not placed")
        self.nets, self.of = {}, collections.defaultdict(set)  # a net: the box of its other ends, memories, shape
        for bit, net in ends.items():
            memories = sorted({end for end in net if isinstance(end, str)})
            if not memories or not 1 < len(net) <= GLOBAL:
                continue
            others = [end for end in net if not isinstance(end, str)]
            box = (limit((end[axis] for end in others), default=none)
                   for axis in (0, 1) for limit, none in ((min, math.inf), (max, -math.inf)))
            self.nets[bit] = *box, memories, shape(len(net))
            for name in memories:
                self.of[name].add(bit)
        self.long = {bit: self.length(bit) for bit in self.nets}

    def length(self, bit):
        left, right, top, bottom, memories, factor = self.nets[bit]
        for name in memories:
            x, y = self.at[name]
            if x < left:
                left = x
            if x > right:
                right = x
            if y < top:
                top = y
            if y > bottom:
                bottom = y
        return (right - left + bottom - top) * factor

    def exchange(self, one, other, warm, chance):
        """The two stay exchanged if wires are shorter so, and now and then while it is warm."""
        nets = self.of[one] | self.of[other]
        before = sum(self.long[bit] for bit in nets)
        self.at[one], self.at[other] = self.at[other], self.at[one]
        after = {bit: self.length(bit) for bit in nets}
        more = sum(after.values()) - before
        if more < 0 or chance.random() < math.exp(-more / warm):
            self.long.update(after)
        else:
            self.at[one], self.at[other] = self.at[other], self.at[one]

    def settle(self):
        chance, warm, names = random.Random(1), WARM, list(self.at)
        for _ in range(ROUNDS if len(names) > 1 else 0):
            for _ in range(EXCHANGES):
                self.exchange(*chance.sample(names, 2), warm, chance)
            warm *= COOLER


def main(netlist, placed_netlist, out, top):
    with open(placed_netlist, encoding="utf-8") as file:
        modules = json.load(file)["modules"].values()  # nextpnr names the design itself, beside boxes without cells
    memories = Memories(max((module.get("cells", {}) for module in modules), key=len))
    before = sum(memories.long.values())
    memories.settle()
    with open(netlist, encoding="utf-8") as file:
        design = json.load(file)
    for name, at in memories.at.items():
        design["modules"][top]["cells"][name]["attributes"]["BEL"] = memories.bel[at]
    with open(out, "w", encoding="utf-8") as file:
        json.dump(design, file)
    print(f"{len(memories.at)} block memories: wires {before:.0f} tiles long, {sum(memories.long.values()):.0f} once exchanged")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
