# SPDX-License-Identifier: Apache-2.0
"""What is counted in each family of FPGAs: cells by Yosys' names, and the part in which they stand."""
import collections
import re


class Family:
    """Columns of a table: the key of a row's figure, its heading, and what each cell counts for it; of a family that is routed
    nextpnr's names of what is used, package and speed grade (of an ECP5 it is asked for)."""

    def __init__(self, part, columns, sites, routed=None, package=None, grade=None):
        self.part, self.columns, self.sites = part, columns, sites
        self.routed, self.package, self.grade = routed, package, grade

    def counts(self, cells):
        """The figures of one netlist, from its cells by type."""
        count = {key: sum(cells.get(kind, 0) * worth for kind, worth in kinds.items()) for key, _, kinds in self.columns}
        return {**count, "sites": sum(count[key] * worth for key, worth in self.sites.items())}

    def heads(self):
        return [head for _, head, _ in self.columns] + ["LUT sites"]

    def keys(self):
        return [key for key, *_ in self.columns] + ["sites"]


def each(*kinds):
    return dict.fromkeys(kinds, 1)


FAMILIES = {
    # PDPW16KD is a DP16KD with one port of each kind. LUT sites: a carry cell takes two, a 16 x 4 memory four and as much
    # as two more for its write port.
    "ecp5": Family(
        {"name": "LFE5U-85F", "comb": 83640, "dp16kd": 208, "mult18x18d": 156},
        [("lut4", "LUT4", each("LUT4")), ("ff", "FF", each("TRELLIS_FF")), ("dp16kd", "DP16KD", each("DP16KD", "PDPW16KD")),
         ("mult18x18d", "MULT18X18D", each("MULT18X18D")), ("dpr16x4", "DPR16X4", each("TRELLIS_DPR16X4")),
         ("ccu2c", "CCU2C", each("CCU2C"))],
        {"lut4": 1, "ccu2c": 2, "dpr16x4": 6},
        {"TRELLIS_COMB": "comb", "TRELLIS_FF": "ff", "TRELLIS_RAMW": "ramw", "DP16KD": "dp16kd", "MULT18X18D": "mult18x18d"},
        "CABGA756"),
    # A 16 x 4 memory takes the eight LUT sites of its tile (nextpnr leaves none of them to others), a carry cell one. Multiplexers
    # stand beside LUTs. Yosys infers no multiplier cells here: products are LUTs and carry cells.
    "gw5a": Family(
        {"name": "GW5AST-138C", "sites": 138240, "ff": 138240, "bsram": 340},
        [("lut", "LUT1-4", each("LUT1", "LUT2", "LUT3", "LUT4")),
         ("mux", "MUX2_LUT", each("MUX2_LUT5", "MUX2_LUT6", "MUX2_LUT7", "MUX2_LUT8")), ("alu", "ALU", each("ALU")),
         ("ff", "FF", each("DFF", "DFFE", "DFFS", "DFFSE", "DFFR", "DFFRE", "DFFP", "DFFPE", "DFFC", "DFFCE")),
         ("bsram", "BSRAM", each("SP", "SPX9", "SDPB", "SDPX9B", "DPB", "DPX9B", "pROM", "pROMX9")),
         ("ram16", "RAM16", each("RAM16SDP1", "RAM16SDP2", "RAM16SDP4"))],
        {"lut": 1, "alu": 1, "ram16": 8},
        {"LUT4": "lut4", "DFF": "ff", "ALU": "alu", "RAM16SDP4": "ram16", "BSRAM": "bsram", "MULT12X12": "mult12x12",
         "MULTALU27X18": "multalu27x18"},
        "PG484A", "C1/I0"),
    # LUTs that a memory or a shift register takes; two memories of 18 kbit are one of 36. Two LUTs of at most five inputs
    # in all may share a site, which Yosys does not say: sites are an upper bound. Carry cells stand beside LUTs.
    "xc7": Family(
        {"name": "XC7A100T", "sites": 63400, "ff": 126800, "ramb36": 135, "dsp48e1": 240},
        [("lut6", "LUT6", each("LUT6")), ("lut5", "LUT5", each("LUT5")),
         ("lut_small", "LUT1-4", each("LUT1", "LUT2", "LUT3", "LUT4", "INV")),
         ("lut_ram", "RAM LUTs", {"RAM32X1S": 1, "RAM32X1D": 2, "RAM32M": 4, "RAM64X1S": 1, "RAM64X1D": 2, "RAM64M": 4,
                                  "RAM128X1S": 2, "RAM128X1D": 4, "RAM256X1S": 4, "SRL16E": 1, "SRLC32E": 1}),
         ("ff", "FF", each("FDRE", "FDSE", "FDCE", "FDPE", "FDRE_1", "FDSE_1", "FDCE_1", "FDPE_1")),
         ("ramb36", "RAMB36", {"RAMB36E1": 1, "RAMB18E1": 0.5}), ("dsp48e1", "DSP48E1", each("DSP48E1")),
         ("carry4", "CARRY4", each("CARRY4"))],
        {"lut6": 1, "lut5": 1, "lut_small": 1, "lut_ram": 1}),
}


def cells(dump):
    """(name, type, source) of each cell of a dump of Yosys."""
    source = ""
    for line in dump.splitlines():
        words = line.split()
        if words[:2] == ["attribute", "\\src"]:
            source = line
        elif words[:1] == ["cell"]:
            yield words[2], words[1].lstrip("\\"), source
            source = ""


def primitive(source):
    """The file of rtl/lib that it comes from, else the one elsewhere."""
    files = re.findall(r"([\w/]+)\.sv:", source)
    return ([f for f in files if f.startswith("rtl/lib/")] or files or ["?"])[0].split("/")[-1]


def by_primitive(asked, stores):
    """(primitive, cell): how many, of the dumps of memories before mapping, and of RAM and multipliers after it."""
    memories = {name: primitive(source) for name, _, source in cells(asked)}
    found = collections.Counter()
    for name, kind, source in cells(stores):
        # A memory's cells have its name, and two numbers.
        found[memories.get(re.sub(r"(\.\d+)+$", "", name)) or primitive(source), kind] += 1
    return found
