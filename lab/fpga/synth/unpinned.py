# SPDX-License-Identifier: Apache-2.0
"""Takes a netlist of heddle_gpu_pins off its pins: inputs and outputs of the machine become ports again.

example: build/venv/bin/python3 lab/fpga/synth/unpinned.py build/synth/tiny/routable.json build/synth/tiny/unpinned.json

Place and route gets the machine between a long shift register, from which its inputs come, and registers at
its outputs, which gates fold into one bit. Here the shift register and its copies go, and what they drove
are the inputs; what the registers hold are the outputs, which so come a cycle late; the gates stay, read by
nobody. All other cells are those that place and route gets, each with the same wires. Which bit is which
input or output is read from the structs of the two buses, rtl/lib/axi_pkg.sv; ports are named as heddle_gpu has them.
"""
import collections
import json
import pathlib
import re
import sys

TOP = "heddle_gpu_pins"
SOURCE = pathlib.Path(__file__).parents[3] / "rtl/lib/axi_pkg.sv"
# in_t and out_t of heddle_gpu_pins.sv: what ports begin with, and the struct; the highest first
INPUTS = (("s_axil_", "axil_req_t"), ("m_axi_", "axi_rsp_t"))
OUTPUTS = (("s_axil_", "axil_rsp_t"), ("m_axi_", "axi_req_t"))


def fields(text, structs, end):
    """(port, width as an expression) of each field, the highest first."""
    found = []
    for begin, struct in structs:
        body = re.search(r"typedef struct packed \{([^}]*)\} " + struct + ";", text)[1]
        found += [(begin + name + end, f"{width} + 1" if width else "1")
                  for width, name in re.findall(r"logic\s+(?:\[(.*?):0\])?\s*(\w+);", body)]
    return found


def number(width, known):
    """An expression of numbers and names, from a source of our own."""
    for name, value in known.items():
        width = width.replace(name, str(value))
    return int(eval(width.replace("/", "//"), {"__builtins__": {}}))


def widths(text, sizes):
    """Widths of the fields of both structs that make them as wide as they are in the netlist."""
    structs = [fields(text, INPUTS, "_i"), fields(text, OUTPUTS, "_o")]
    for data in (32 << i for i in range(6)):
        for tag in range(1, 16):
            known = {"cfg_pkg::AXI_BITS": data, "l2_pkg::AXI_ID_W": tag}
            found = [[(name, number(width, known)) for name, width in each] for each in structs]
            if [sum(width for _, width in each) for each in found] == sizes:
                return found
    sys.exit(f"unpinned: {SOURCE.name} has other inputs or outputs than the netlist")


def shift_register(module):
    """The cells of in_q and rst_q with their copies, which must be nothing but that."""
    names, pins = module["netnames"], {}
    for net, first in (("in_q", module["ports"]["shift_i"]["bits"][0]), ("rst_q", module["ports"]["rst_ni"]["bits"][0])):
        for i, bit in enumerate(names[net]["bits"]):
            pins[bit] = first if i == 0 else names[net]["bits"][i - 1]
    cells = {}
    for name, cell in module["cells"].items():
        if cell["type"] == "TRELLIS_FF" and cell["connections"]["Q"][0] in pins:
            cells[name] = cell["connections"]["Q"][0]
    for name, cell in module["cells"].items():
        stem = name.partition("$copy")[0]
        if stem in cells and name not in cells:
            cells[name] = cells[stem]
    return cells, pins


def unpinned(module, text):
    names = module["netnames"]
    sizes = [len(names[net]["bits"]) for net in ("in_q", "out_d")]
    inputs, outputs = widths(text, sizes)
    cells, pins = shift_register(module)
    alias = {}
    for name, bit in cells.items():
        cell = module["cells"].pop(name)
        alias[cell["connections"]["Q"][0]] = bit
        stages = {pins[bit], *(b for b, of in alias.items() if of == pins[bit])}
        if cell["connections"]["LSR"] != ["0"] or cell["parameters"]["CEMUX"].strip() != "1" or cell["connections"]["DI"][0] not in stages:
            sys.exit(f"unpinned: {name} is no stage of the shift register alone")
    for cell in module["cells"].values():
        for bits in cell["connections"].values():
            bits[:] = [alias.get(bit, bit) for bit in bits]
    ports = collections.OrderedDict(clk_i=module["ports"]["clk_i"], rst_ni={"direction": "input", "bits": names["rst_q"]["bits"]})
    for net, each, direction in (("in_q", inputs, "input"), ("out_q", outputs, "output")):
        high = sum(width for _, width in each)
        for port, width in each:
            ports[port] = {"direction": direction, "bits": names[net]["bits"][high - width:high]}
            high -= width
    module["ports"] = ports


def main():
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    design = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    unpinned(design["modules"][TOP], SOURCE.read_text(encoding="utf-8"))
    pathlib.Path(sys.argv[2]).write_text(json.dumps(design), encoding="utf-8")


if __name__ == "__main__":
    main()
