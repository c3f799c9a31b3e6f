# SPDX-License-Identifier: Apache-2.0
"""A machine of several SMs as two designs: one SM, and all else with a hole where each SM would be.

example: python3 cosim/verilator/apart.py rtl/sm/sm.sv rtl/retire/retire_ports.sv build/verilated/verilator_quad 4

Verilator writes the code of an instance anew wherever that differs by what surrounds it, and orders all of a
design as one. So the SM becomes a design of its own (top `sm_inside`: sm and retire_ports), made once, of which
a device has as many objects as SMs. The other one is heddle_gpu as it is, in which modules `sm` and
`retire_ports` have nothing inside: apart.hpp reads what goes into them and writes what comes out of them. Of the
ports' text, which is the RTL's own, this writes into WORKDIR:
  sm_inside.sv    the top of the SM's design
  sm_outside.sv   the two modules with nothing inside, for heddle_gpu; apart.vlt makes their ports readable
  apart_seam.hpp  how ports are handed over, SM by SM
What hangs on an input port is computed once more when inputs are handed over, and much hangs on the launch. It
comes out of registers in heddle_gpu, as others do (REGISTERED): sm_inside has registers of its own for these,
which take at an edge what those in heddle_gpu have taken at the same edge.
"""
import pathlib
import re
import sys

PORT = re.compile(r"^\s*(input|output)\s+(logic|\w+::\w+)?\s*((?:\[[^\]]+\]\s*)*)(\w+)\s*,?\s*(?://.*)?$")
LOCAL = re.compile(r"^\s*localparam int unsigned (\w+)\s*=\s*([^,/]+?),?\s*(?://.*)?$")
# registers of heddle_gpu; apart.hpp looks whether they are
REGISTERED = ("launch_i", "clock_i", "ret_ready_i")
# what retire_ports shows that heddle_gpu looks at itself; all else goes from the SM to who reads records
LOOKED_AT = ("ret_block_start_valid_o", "ret_block_start_o")


class Module:
    """The ports of a module, each as (direction, type, name)."""

    def __init__(self, path):
        text = path.read_text()
        self.name = path.stem
        head = re.search(rf"^module {self.name} #\(\n(.*?)^\) \(\n(.*?)^\);", text, re.S | re.M)
        if not head:
            raise SystemExit(f"apart: {path}: no module of this form")
        self.parameters = head[1]
        self.locals = [m.groups() for line in head[1].split("\n") if (m := LOCAL.match(line))]
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
    rest = "".join(f"  assign {n} = '0;\n" for _, _, n in module.of("output") if n not in names(written))
    text = (f"module {module.name} #(\n{module.parameters}) (\n{listed(module.ports)}\n);\n{rest}endmodule\n")
    lines = [f'public_flat_rd -module "{module.name}" -var "{n}"\n' for n in names(read)]
    return text, lines + [f'public_flat_rw -module "{module.name}" -var "{n}"\n' for n in names(written)]


def inside(sm, records):
    """The top of the SM's design."""
    kept = [p for p in sm.ports if p[2] not in ("ret_valid_o", "ret_o")]
    held = [p for p in sm.ports if p[2] in REGISTERED]
    own = {n: q(n) for n in names(held)} | {"ret_valid_o": "ret_valid", "ret_o": "ret"}
    back = {"ret_valid_i": "ret_valid", "ret_i": "ret"}
    pins = ",\n".join(f"    .{n} ({own.get(n, n)})" for n in names(sm.ports))
    shows = ",\n".join(f"    .{n} ({back.get(n, n)})" for n in names(records.ports))
    local = "".join(f",\n  localparam int unsigned {n} = {v}" for n, v in records.locals)
    declared = "".join(f"  {t} {q(n)};\n" for _, t, n in held)
    taken = "".join(f"    {q(n)} <= {n};\n" for n in names(held))
    return f"""module sm_inside #(
  parameter bit STRAPS = 1'b0{local}
) (
{listed([*kept, *records.of("output")])}
);
{declared}  ret_pkg::valid_t ret_valid;
  ret_pkg::ret_t ret;

  always_ff @(posedge clk_i) begin
{taken}  end

  sm #(.STRAPS(STRAPS)) u_sm (
{pins}
  );

  retire_ports u_retire_ports (
{shows}
  );
endmodule
"""


def seam(s, to_sm, from_sm, looked):
    """How the ports of SM number s are handed over, by the names that Verilator gives them in the shell."""
    hole = f"g.heddle_gpu__DOT__gen_sm__BRA__{s}__KET____DOT__"
    into = [f"changed |= carry({hole}u_sm__DOT__{n}, m.{n});" for n in names(to_sm)]
    held = [f"changed |= carry({hole}u_sm__DOT__{n}, m.{n});" for n in REGISTERED]
    out = [f"changed |= carry(m.{n}, {hole}u_sm__DOT__{n});" for n in names(from_sm)]
    out += [f"changed |= carry(m.{n}, {hole}u_retire_ports__DOT__{n});" for n in names(looked)]
    text = ""
    for name, lines in (("to_sm(const Vgpu___024root &g, Vsm___024root &m)", into),
                        ("registers(const Vgpu___024root &g, Vsm___024root &m)", held),
                        ("from_sm(const Vsm___024root &m, Vgpu___024root &g)", out)):
        body = "".join(f"  {line}\n" for line in lines)
        text += f"template <> inline bool Seam<{s}>::{name}\n{{\n  bool changed = false;\n{body}  return changed;\n}}\n"
    return text + "\n"


def show(shown):
    """Who reads records finds them in the SMs, where heddle_gpu has an array of them."""
    valid = [n for n in names(shown) if n.endswith("_valid_o")]
    side = "ports::Side<decltype(Vsm___024root::{0}), SMS, {1}> {0};\n"
    text = "struct ShownOfSms {\n"
    for n in valid:
        kind = n[len("ret_"):-len("_valid_o")]
        text += "  " + side.format(n, f"retire::words<sample::Sizes>::{kind}_ports / SMS")
        text += "  " + side.format(f"ret_{kind}_o", "0")
    text += "\n  void add(unsigned s, const Vsm___024root &m)\n  {\n"
    return text + "".join(f"    {n}.of[s] = &m.{n};\n" for n in names(shown)) + "  }\n};\n\n"


def main():
    sm, records = Module(pathlib.Path(sys.argv[1])), Module(pathlib.Path(sys.argv[2]))
    work = pathlib.Path(sys.argv[3])
    head = "// SPDX-License-Identifier: Apache-2.0\n// Written by cosim/verilator/apart.py; do not edit.\n"
    to_sm = [p for p in sm.of("input") if p[2] not in ("clk_i", *REGISTERED)]
    held = [p for p in sm.ports if p[2] in REGISTERED]
    from_sm = [p for p in sm.of("output") if p[2] not in ("ret_valid_o", "ret_o")]
    shown = records.of("output")
    looked = [p for p in shown if p[2] in LOOKED_AT]
    texts, lines = zip(outside(sm, to_sm + held, from_sm), outside(records, [], looked))
    first, last = head + "`default_nettype none\n// verilator lint_off WIDTHCONCAT\n\n", "\n`default_nettype wire\n"
    (work / "sm_outside.sv").write_text(first + "\n".join(texts) + last)
    (work / "sm_inside.sv").write_text(first + inside(sm, records) + last)
    (work / "apart.vlt").write_text("`verilator_config\n" + "".join(sum(lines, [])))
    (work / "apart_seam.hpp").write_text(
        head + "// Included by apart.hpp.\n\n" + "".join(seam(s, to_sm, from_sm, looked) for s in range(int(sys.argv[4])))
        + show(shown))


if __name__ == "__main__":
    main()
