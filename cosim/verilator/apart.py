# SPDX-License-Identifier: Apache-2.0
"""A machine as two designs: one SM, and all else with a hole where each SM would be.

example: python3 cosim/verilator/apart.py rtl/sm/sm.sv build/verilated/sm_quad 4

Verilator writes the code of an instance anew wherever that differs by what surrounds it, and orders all of a
design as one. So the SM becomes a design of its own (top `sm_inside`), made once for all devices of a configuration;
a device has as many objects of it as SMs. The other one is the top as it is, in which module `sm` has nothing
inside: apart.hpp reads what goes into it and writes what comes out of it. What an SM shows goes from there to who
reads records, and into the top where that reads it itself (HEDDLE_SHOWN). Of the ports'
text, which is the RTL's own, this writes into WORKDIR:
  sm_inside.sv    the top of the SM's design
  sm_outside.sv   the module with nothing inside, for the top; apart.vlt makes its ports readable
  apart_seam.hpp  how ports are handed over, SM by SM; HEDDLE_HOLE says where the module is in the top
What hangs on an input port is computed once more when inputs are handed over, and much hangs on the launch. It
comes out of registers in heddle_gpu, as others do (REGISTERED): sm_inside has registers of its own for these,
which take at an edge what those in heddle_gpu have taken at the same edge.
"""
import pathlib
import re
import sys

PORT = re.compile(r"^\s*(input|output)\s+(logic|\w+::\w+)?\s*((?:\[[^\]]+\]\s*)*)(\w+)\s*,?\s*(?://.*)?$")
# registers of heddle_gpu; apart.hpp looks whether they are
REGISTERED = ("launch_i", "clock_i", "ret_ready_i")
# what goes elsewhere: the design's own clock, and what the SM shows
APART = ("clk_i", "ret_valid_o", "ret_o")


class Module:
    """The ports of a module, each as (direction, type, name)."""

    def __init__(self, path):
        text = path.read_text()
        self.name = path.stem
        head = re.search(rf"^module {self.name} #\(\n(.*?)^\) \(\n(.*?)^\);", text, re.S | re.M)
        if not head:
            raise SystemExit(f"apart: {path}: no module of this form")
        self.parameters = head[1]
        self.ports = []
        for line in head[2].split("\n"):
            if not line.split("//")[0].strip():
                continue
            m = PORT.match(line)
            if not m:
                raise SystemExit(f"apart: {path}: not a port on a line of its own: {line.strip()}")
            self.ports.append((m[1], f"{m[2] or 'logic'} {m[3].strip()}".strip(), m[4]))

    def of(self, direction):
        return [p for p in self.ports if p[0] == direction]


def names(ports):
    return [n for _, _, n in ports]


def q(name):
    return name[: -len("_i")] + "_q"


def listed(ports):
    return ",\n".join(f"  {d:<6} {t} {n}" for d, t, n in ports)


def outside(module, read, written):
    """The module with nothing inside, and what makes those of its ports that are carried readable and writable."""
    text = f"""module {module.name} #(
{module.parameters}) (
{listed(module.ports)}
);
`ifdef HEDDLE_SHOWN
  retire_pkg::sm_t shown /* verilator public_flat_rw */;
  assign ret_valid_o = shown.valid;
  assign ret_o       = shown.ret;
`else
  assign ret_valid_o = '0;
  assign ret_o       = '0;
`endif
endmodule
"""
    lines = [f'public_flat_rd -module "{module.name}" -var "{n}"\n' for n in names(read)]
    return text, lines + [f'public_flat_rw -module "{module.name}" -var "{n}"\n' for n in names(written)]


def inside(sm):
    """The top of the SM's design."""
    kept = [p for p in sm.ports if p[2] not in ("ret_valid_o", "ret_o")]
    held = [p for p in sm.ports if p[2] in REGISTERED]
    own = {n: q(n) for n in names(held)} | {"ret_valid_o": "ret_valid", "ret_o": "ret"}
    pins = ",\n".join(f"    .{n} ({own.get(n, n)})" for n in names(sm.ports))
    declared = "".join(f"  {t} {q(n)};\n" for _, t, n in held)
    taken = "".join(f"    {q(n)} <= {n};\n" for n in names(held))
    return f"""module sm_inside #(
  parameter bit STRAPS = 1'b0
) (
{listed([*kept, ("output", "retire_pkg::sm_t", "ret_sm_o")])}
);
{declared}  retire_pkg::sm_valid_t ret_valid;
  retire_pkg::sm_ret_t ret;

  always_ff @(posedge clk_i) begin
{taken}  end

  sm #(.STRAPS(STRAPS)) u_sm (
{pins}
  );
  assign ret_sm_o = retire_pkg::sm_of(ret_valid, ret, sm_i);
endmodule
"""


def seam(s, to_sm, from_sm):
    """How the ports of SM number s are handed over, by the names that Verilator gives them in the shell."""
    text = ""
    for name, ports, line in (
            ("to_sm(const Vgpu___024root &g, Vsm___024root &m)", to_sm, "carry(HEDDLE_HOLE(g, {0}, {1}), m.{1})"),
            ("registers(const Vgpu___024root &g, Vsm___024root &m)", REGISTERED, "carry(HEDDLE_HOLE(g, {0}, {1}), m.{1})"),
            ("from_sm(const Vsm___024root &m, Vgpu___024root &g)", from_sm, "carry(m.{1}, HEDDLE_HOLE(g, {0}, {1}))")):
        body = "".join(f"  changed |= {line.format(s, n)};\n" for n in ports)
        text += f"template <> inline bool Seam<{s}>::{name}\n{{\n  bool changed = false;\n{body}  return changed;\n}}\n"
    return text + "\n"


def main():
    sm, work = Module(pathlib.Path(sys.argv[1])), pathlib.Path(sys.argv[2])
    head = "// SPDX-License-Identifier: Apache-2.0\n// Written by cosim/verilator/apart.py; do not edit.\n"
    held = [p for p in sm.ports if p[2] in REGISTERED]
    to_sm = [p for p in sm.of("input") if p[2] not in APART and p not in held]
    from_sm = [p for p in sm.of("output") if p[2] not in APART]
    text, lines = outside(sm, to_sm + held, from_sm)
    first, last = head + "// verilator lint_off WIDTHCONCAT\n\n", "\n"
    (work / "sm_outside.sv").write_text(first + text + last)
    (work / "sm_inside.sv").write_text(first + inside(sm) + last)
    (work / "apart.vlt").write_text("`verilator_config\n" + "".join(lines))
    (work / "apart_seam.hpp").write_text(
        head + "// Included by apart.hpp.\n\n" + "".join(seam(s, names(to_sm), names(from_sm)) for s in range(int(sys.argv[3]))))


if __name__ == "__main__":
    main()
