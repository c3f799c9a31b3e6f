# SPDX-License-Identifier: Apache-2.0
"""The longest paths of a routed design, in words.

nextpnr names one critical path; its SDF file has every delay. The paths here are found over that
file, worst first, each from and to another register (a vector counts as one). Names come from the
netlist that was placed: a register is called what the source calls it, or the port that it drives,
with the instances around it; file and line are where the source writes it.
"""
import json
import os
import re
from collections import defaultdict

TOKEN = re.compile(r"^\s*\((INSTANCE|INTERCONNECT|IOPATH|SETUPHOLD|CELLTYPE)\s*(.*?)\)*\s*$")
MAX = re.compile(r"\((-?\d+):(-?\d+):(-?\d+)\)")
CLOCKED = re.compile(r"^\(?(?:pos|neg)?edge (\S+?)\)?$")


def unescape(name):
    return re.sub(r"\\(.)", r"\1", name)


class Delays:
    """Pins and what lies between them, in picoseconds (the slow corner)."""

    def __init__(self):
        self.kind = {}  # cell: its type
        self.out = defaultdict(list)  # pin: [(pin, delay)]
        self.starts = {}  # pin: clock to output
        self.ends = defaultdict(int)  # pin: set-up time

    def level(self, cell, port):
        """What a cell is that a path goes through, from this pin on."""
        if self.kind.get(cell, "") != "TRELLIS_COMB":
            return "other"
        if "$CCU2_COMB" in cell:
            return "carry"
        return "mux" if port in ("M", "FXA", "FXB", "F1") else "lut"


def read_sdf(path):
    d = Delays()
    cell = ""
    arcs = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            match = TOKEN.match(line)
            if not match:
                continue
            what, rest = match.groups()
            if what == "CELLTYPE":
                kind = rest.strip('" ')
            elif what == "INSTANCE":
                cell = unescape(rest.strip())
                d.kind[cell] = kind
            elif what == "INTERCONNECT":
                source, sink, delay = rest.split(" ", 2)
                d.out[unescape(source)].append((unescape(sink), int(MAX.search(delay)[3])))
            elif what == "IOPATH":
                delay = int(MAX.search(rest)[3])
                names = rest[: rest.index(" (" + MAX.search(rest)[0].strip("()"))].split()
                arcs.append((cell, names[-2].rstrip(")"), names[-1], delay))
            elif what == "SETUPHOLD":
                pin = rest.split(")", 1)[0].split()[-1]
                key = f"{cell}/{pin}"
                d.ends[key] = max(d.ends[key], int(MAX.findall(rest)[0][2]))
    for cell, source, sink, delay in arcs:
        if re.match(r"^(CLK|WCK|CK)", source):
            key = f"{cell}/{sink}"
            d.starts[key] = max(d.starts.get(key, 0), delay)
        else:
            d.out[f"{cell}/{source}"].append((f"{cell}/{sink}", delay))
    return d


def arrivals(d):
    """Latest arrival at every pin, and the pin before it."""
    left = defaultdict(int)
    for edges in d.out.values():
        for sink, _ in edges:
            left[sink] += 1
    at = {pin: (delay, None) for pin, delay in d.starts.items()}
    pins = set(d.out) | set(left) | set(d.starts)
    ready = [pin for pin in pins if not left[pin]]
    while ready:
        pin = ready.pop()
        here = at.get(pin)
        for sink, delay in d.out.get(pin, ()):
            if here is not None and (sink not in at or here[0] + delay > at[sink][0]):
                at[sink] = (here[0] + delay, pin)
            left[sink] -= 1
            if not left[sink]:
                ready.append(sink)
    return at


class Names:
    """What the source calls the cells of a netlist."""

    def __init__(self, path, top):
        with open(path, encoding="utf-8") as text:
            module = json.load(text)["modules"][top]
        self.cells = module["cells"]
        self.nets = defaultdict(list)  # bit: [(name, index)]
        for name, net in module["netnames"].items():
            if name.startswith("$") or "$" in name.rsplit(".", 1)[-1]:
                continue
            for index, bit in enumerate(net["bits"]):
                if isinstance(bit, int):
                    self.nets[bit].append((name, index + net.get("offset", 0), len(net["bits"])))
        self.addresses = defaultdict(list)  # bit: [memory in LUTs]
        self.clocks = set()
        for name, cell in self.cells.items():
            for port in ("CLK", "WCK"):
                self.clocks.update(cell["connections"].get(port, ()))
            if cell["type"] == "TRELLIS_DPR16X4":
                for bit in cell["connections"].get("RAD", ()):
                    self.addresses[bit].append(name)

    def best(self, bits):
        """The best name for one of these bits: a register's, else one close to the top."""
        found = [entry for bit in bits for entry in self.nets.get(bit, ())]
        if not found:
            return None
        return min(found, key=lambda e: (not e[0].endswith("_q"), e[0].count("."), len(e[0]), e[0]))

    def outputs(self, cell):
        return self.pins(cell, "output")

    def inputs(self, cell):
        return [b for b in self.pins(cell, "input") if b not in self.clocks]

    def pins(self, cell, way):
        c = self.cells.get(cell, {"connections": {}})
        ways = c.get("port_directions", {})
        return [b for port, bits in c["connections"].items() if ways.get(port) == way for b in bits]

    def yosys_cell(self, cell):
        """nextpnr packs cells into others and appends to their names."""
        while cell not in self.cells and "$" in cell[1:]:
            cell = cell[: cell.rindex("$")]
        return cell

    def addressed(self, cell):
        """What of the source the memories have in common whose address a register is, if it is one of some."""
        memories = [name for bit in self.outputs(cell) for name in self.addresses[bit]]
        return ".".join(os.path.commonprefix([re.sub(r"(\.\d+)+$", "", name).split(".") for name in memories]))

    def register(self, cell):
        """(register without a bit's number, file:line that writes it)"""
        cell = self.yosys_cell(cell)
        name = re.sub(r"(\.\d+)+$", "", cell)
        if self.cells.get(cell, {}).get("type") == "TRELLIS_FF":
            found = self.best(self.outputs(cell))
            # Yosys gives a memory that is read in a clocked block a register of its own for the address.
            within = None if found else self.addressed(cell)
            name = found[0] if found else f"read address in {within}" if within else name
        sources = self.cells.get(cell, {}).get("attributes", {}).get("src", "")
        place = re.search(r"(?:rtl|synth)/(?:\w+/)*(\w+\.sv:\d+)", sources)
        return name, place[1] if place else "?"


def words(d, names, at, end, setup):
    """One path: its ends, the cells on the way, the share of wires; steps: (what, begin, end in ps, a name in the
    source of what it drives or takes, or None)."""
    pins = [end]
    while at[pins[-1]][1]:
        pins.append(at[pins[-1]][1])
    pins.reverse()
    logic = at[pins[0]][0] + setup
    routing = 0
    levels = {"lut": 0, "mux": 0, "carry": 0, "other": 0}
    way = []
    steps = [("clock", 0, at[pins[0]][0], None)]
    for source, sink in zip(pins, pins[1:]):
        cell, port = source.rsplit("/", 1)
        delay = at[sink][0] - at[source][0]
        if cell != sink.rsplit("/", 1)[0]:
            routing += delay
            steps.append(("wire", at[source][0], at[sink][0], None))
            continue
        logic += delay
        levels[d.level(cell, port)] += 1
        found = names.best(names.outputs(names.yosys_cell(cell)))
        place = found[0].rsplit(".", 1)[0] if found and "." in found[0] else None
        beside = found or names.best(names.inputs(names.yosys_cell(cell)))
        steps.append((d.level(cell, port), at[source][0], at[sink][0], beside[0] if beside else None))
        if place and (not way or way[-1] != place):
            way.append(place)
    steps.append(("set-up", at[end][0], at[end][0] + setup, None))
    start, start_place = names.register(pins[0].rsplit("/", 1)[0])
    stop, stop_place = names.register(end.rsplit("/", 1)[0])
    return {
        "ns": round((logic + routing) / 1000, 2),
        "logic_ns": round(logic / 1000, 2),
        "routing_ns": round(routing / 1000, 2),
        "from": start,
        "from_place": start_place,
        "to": stop,
        "to_place": stop_place,
        "levels": levels,
        "through": way,
        "steps": steps,
    }


def longest(sdf, netlist, top, count):
    """The `count` longest paths of what nextpnr has placed."""
    return paths(read_sdf(sdf), Names(netlist, top), count)


def paths(d, names, count, match=""):
    """The `count` longest paths, each between another pair of registers."""
    at = arrivals(d)
    ends = sorted(((at[pin][0] + setup, pin) for pin, setup in d.ends.items() if pin in at), reverse=True)
    found, seen = [], set()
    for _, pin in ends:
        path = words(d, names, at, pin, d.ends[pin])
        if (path["from"], path["to"]) in seen or match not in path["to"]:
            continue
        seen.add((path["from"], path["to"]))
        found.append(path)
        if len(found) == count:
            break
    return found


def sentence(path):
    """A path as one line of prose."""
    levels = path["levels"]
    parts = [f"{levels[key]} {one if levels[key] == 1 else many}" for key, one, many in
             (("lut", "LUT", "LUTs"), ("mux", "wide mux", "wide muxes"), ("carry", "carry bit", "carry bits"),
              ("other", "hard block", "hard blocks")) if levels[key]]
    text = " and ".join(", ".join(parts).rsplit(", ", 1))
    share = round(100 * path["routing_ns"] / path["ns"]) if path["ns"] else 0
    return (f"{path['ns']:.1f} ns, {share} % of it routing: from `{short(path['from'])}` ({path['from_place']}) "
            f"to `{short(path['to'])}` ({path['to_place']}), {text or 'no logic'}")


def short(name):
    return re.sub(r"\bu_gpu\.((gen_sm\[0\]\.)?u_sm\.)?", "", name)
