#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""IP-XACT (IEEE 1685-2014) of heddle_gpu at a configuration: its ports, which of them are which bus, the registers, the files.

usage: scripts/ipxact.py [--gen DIR] CONFIG FILE.xml
  example: scripts/ipxact.py tiny heddle_tiny.xml
  --gen DIR   the generated packages (default build/gen; `ninja -C build gen` makes them)

Ports and widths are those of the elaborated top (slang), files those of heddle.core, registers those of
isa/abi/host_regs.layout. The retire port belongs to no bus: its ports stand alone. Names of files count from FILE.xml.
"""
import argparse
import os
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / "build/venv"
try:
    import pyslang
except ImportError:  # it is in the build's own environment
    python = str(VENV / "bin/python3")
    if Path(sys.prefix) == VENV or not os.access(python, os.X_OK):
        sys.exit("ipxact: no slang in build/venv: run scripts/setup.sh")
    os.execv(python, [python, "-B", *sys.argv])

NAMESPACE = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"
AXI_BUS = re.compile(r"(s_axil|m_axi)_(\w+)_[io]$")
# vendor, library, name of the bus, name of its signals as an abstraction, version
AXI4 = ("amba.com", "AMBA4", "AXI4", "AXI4_rtl", "r0p0_0")
AXI4_LITE = ("amba.com", "AMBA4", "AXI4-Lite", "AXI4-Lite_rtl", "r0p0_0")
SIGNALS = {"clk_i": ("clock", "CLK", "slave"), "rst_ni": ("reset", "RST", "slave"), "irq_o": ("interrupt", "INTERRUPT", "master")}


def element(tag, *inside, **attributes):
    """An element; inside it elements, lists of them, or its text."""
    e = ET.Element("ipxact:" + tag, attributes)
    for x in inside:
        if isinstance(x, ET.Element):
            e.append(x)
        elif isinstance(x, list):
            e.extend(x)
        else:
            e.text = str(x)
    return e


def bounds(left, right):
    return [element("left", left), element("right", right)]


# ---- files, and what slang says of the top


def source_files(core, gen, config):
    """Those of heddle.core in order: (path, a header to be included)."""
    for name, include in re.findall(r"^ +- (rtl/[\w./]+|build/gen/[\w./]+)(: \{is_include_file: true\})?$", core, re.M):
        made = re.match(r"build/gen/(.*)", name)
        yield (gen / made[1].replace("tiny/", config + "/") if made else ROOT / name), bool(include)


def elaborated(paths):
    """heddle_gpu: ports (name, direction, width), parameters (name, default). Its instances are not looked into."""
    design = pyslang.Compilation()
    for path in paths:
        if path.stem.endswith("_pkg") or path.stem == "heddle_gpu":
            design.addSyntaxTree(pyslang.SyntaxTree.fromFile(str(path)))
    top = next(i.body for i in design.getRoot().topInstances if i.name == "heddle_gpu")
    ports = [(p.name, {"In": "in", "Out": "out"}[p.direction.name], p.type.bitWidth) for p in top.portList]
    return ports, [(p.name, int(p.value.value)) for p in top.parameters if p.isPortParam and not p.isLocalParam]


# ---- buses


def bus(name, kind, mode, mapped):
    """An interface; mapped: (signal of the bus, port, bits of the port or None for all of them)."""
    vendor, library, what, signals, version = kind
    maps = [element("portMap", element("logicalPort", element("name", logical)),
                    element("physicalPort", element("name", port), [] if bits is None else element(
                        "partSelect", element("range", bounds(*bits)))))
            for logical, port, bits in mapped]
    return element("busInterface", element("name", name),
                   element("busType", vendor=vendor, library=library, name=what, version=version),
                   element("abstractionTypes", element("abstractionType", element(
                       "abstractionRef", vendor=vendor, library=library, name=signals, version=version),
                       element("portMaps", maps))), mode)


def buses(ports):
    axil = [(m[2].upper(), name, None) for name, _, _ in ports if (m := AXI_BUS.match(name)) and m[1] == "s_axil"]
    axi = [(m[2].upper(), name, width) for name, _, width in ports if (m := AXI_BUS.match(name)) and m[1] == "m_axi"]
    many = next(width for signal, _, width in axi if signal == "AWVALID")  # a port's bits stand above those of the one before
    yield bus("s_axil", AXI4_LITE, element("slave", element("memoryMapRef", memoryMapRef="registers")), axil)
    for n in range(many):
        mapped = [(signal, name, None if many == 1 else ((n + 1) * (width // many) - 1, n * (width // many)))
                  for signal, name, width in axi]
        yield bus("m_axi" if many == 1 else f"m_axi_{n}", AXI4,
                  element("master", element("addressSpaceRef", addressSpaceRef="memory")), mapped)
    for port, (what, signal, mode) in SIGNALS.items():
        yield bus(what, ("xilinx.com", "signal", what, what + "_rtl", "1.0"), element(mode), [(signal, port, None)])


# ---- registers


class Register:
    """A line `at` of the layout, with its fields: (name, highest bit, lowest bit, meaning)."""

    def __init__(self, offset, name, bits, access, meaning, count, every):
        self.offset, self.name, self.bits, self.access, self.meaning = int(offset, 0), name, int(bits), access, meaning
        self.count, self.every, self.fields = count, every, []


def layout(text):
    constant, registers = {}, []
    number = lambda s: constant[s] if s in constant else int(s, 0)  # noqa: E731
    for line in text.splitlines():
        if m := re.match(r"const\s+(\w+)\s+(\w+)", line):
            constant[m[1]] = int(m[2], 0)
        elif m := re.match(r'at\s+(\w+)\s+(\w+)\s+(\d+)\s+(\w+)\s+"(.*?)"(?:.*count=(\w+) every=(\w+))?', line):
            registers.append(Register(*m.groups()[:5], number(m[6] or "1"), number(m[7] or "0")))
        elif m := re.match(r'field\s+(\w+)\s+(\d+)(?::(\d+))?\s+"(.*)"', line):
            registers[-1].fields.append((m[1], int(m[2]), int(m[3] or m[2]), m[4]))
    return registers


def words(r):
    """The 32-bit words of a register: (name, offset, fields)."""
    for i in range(r.count):
        for high in range(-(-r.bits // 32)):
            name = r.name + ("_HI" if high else "") + (f"_{i}" if r.count > 1 else "")
            whole = [("VALUE", min(r.bits - 32 * high, 32) - 1, 0, r.meaning)]
            yield name, r.offset + r.every * i + 4 * high, r.fields or whole


def memory_map(registers):
    access = {"r": "read-only", "w": "write-only", "rw": "read-write"}
    found = []
    for r in registers:
        clears = [element("modifiedWriteValue", "oneToClear")] if "writing 1 clears" in r.meaning else []
        for name, offset, fields in words(r):
            inside = [element("field", element("name", n), element("description", meaning), element("bitOffset", low),
                              element("bitWidth", high - low + 1), element("access", access[r.access]), clears)
                      for n, high, low, meaning in fields]
            found.append(element("register", element("name", name), element("description", r.meaning),
                                 element("addressOffset", f"0x{offset:x}"), element("size", 32),
                                 element("access", access[r.access]), inside))
    block = element("addressBlock", element("name", "registers"), element("baseAddress", 0), element("range", "0x1000"),
                    element("width", 32), element("usage", "register"), found)
    return element("memoryMap", element("name", "registers"), block, element("addressUnitBits", 8))


# ---- the whole


def component(gen, config, beside):
    core = (ROOT / "heddle.core").read_text()
    vendor, library, name, version = re.search(r"^name: (.*)", core, re.M)[1].split(":")
    files = list(source_files(core, gen, config))
    ports, parameters = elaborated([path for path, _ in files])
    at = {name: width for name, _, width in ports}
    several = at["m_axi_awvalid_o"]
    listed = [element("file", element("name", os.path.relpath(path, beside)), element("fileType", "systemVerilogSource"),
                      [element("isIncludeFile", "true")] if include else []) for path, include in files]
    return element(
        "component", element("vendor", vendor), element("library", library), element("name", f"{name}_{config}"),
        element("version", version), element("busInterfaces", list(buses(ports))),
        element("addressSpaces", element("addressSpace", element("name", "memory"),
                                         element("range", f"0x{1 << at['m_axi_awaddr_o'] // several:x}"),
                                         element("width", at["m_axi_wdata_o"] // several), element("addressUnitBits", 8))),
        element("memoryMaps", memory_map(layout((ROOT / "isa/abi/host_regs.layout").read_text()))),
        element("model",
                element("views", element("view", element("name", "rtl"), element("componentInstantiationRef", "rtl"))),
                element("instantiations", element(
                    "componentInstantiation", element("name", "rtl"), element("language", "SystemVerilog"),
                    element("moduleName", "heddle_gpu"),
                    element("moduleParameters", [element("moduleParameter", element("name", n), element("value", v))
                                                 for n, v in parameters]),
                    element("fileSetRef", element("localName", "rtl")))),
                element("ports", [element("port", element("name", n), element(
                    "wire", element("direction", d), [] if w == 1 else element("vectors", element("vector", bounds(w - 1, 0)))))
                    for n, d, w in ports])),
        element("fileSets", element("fileSet", element("name", "rtl"), listed)),
        element("description", f"Heddle, a SIMT GPU core, at configuration {config}"),
        **{"xmlns:ipxact": NAMESPACE})


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], epilog=__doc__.split("\n\n", 2)[1],
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--gen", type=Path, default=Path("build/gen"), metavar="DIR", help="the generated packages")
    p.add_argument("config", metavar="CONFIG")
    p.add_argument("out", type=Path, metavar="FILE.xml")
    o = p.parse_args()
    if not (o.gen / o.config / "cfg_pkg.sv").exists():
        sys.exit(f"ipxact: {o.gen} has no package of {o.config}: ninja -C build gen")
    tree = component(o.gen, o.config, o.out.resolve().parent)
    ET.indent(tree)
    o.out.write_text('<?xml version="1.0" encoding="UTF-8"?>\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n'
                     + ET.tostring(tree, encoding="unicode") + "\n")


if __name__ == "__main__":
    main()
