#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Memory of a board: what LiteDRAM makes of BOARD.yml, and the steps that initialise it.

usage: generate.py BOARD.yml FOLDER      (with the Python of build/venv-board, which lab/fpga/board/setup.sh makes)

Writes FOLDER/litedram_core.v and FOLDER/sdram_init_pkg.sv. Nothing is fetched. litedram_core.v is LiteDRAM's (BSD-2-Clause,
its notice is written into the file); it is made at build time and stands in no repository of ours.
"""
import csv
import math
import pathlib
import re
import subprocess
import sys
import tempfile
from importlib import metadata

NOTICE = """// Made by litedram_gen {version} (migen {migen}, LiteX {litex}) from {source}; not edited but for what generate.py says.
// LiteDRAM: Copyright 2012-2024 EnjoyDigital; initial development based on MiSoC's LASMICON, Copyright 2007-2016 M-Labs.
// SPDX-License-Identifier: BSD-2-Clause
"""
# What the parts that the boards carry want at most: seconds with a clock before the first command, refreshes before use.
POWER_UP = 200e-6
REFRESHES = 8


def fail(text):
    sys.exit(f"generate.py: {text}")


def once(text, old, new):
    if text.count(old) != 1:
        fail(f"expected once in what LiteDRAM wrote: {old!r}; another release?")
    return text.replace(old, new)


def width(config):
    """Data pins."""
    return 8 * config["sdram_module_nb"]


def core(source, folder):
    """Run LiteDRAM, and mend what its Verilog cannot be used with."""
    import yaml

    with tempfile.TemporaryDirectory() as work:
        out = pathlib.Path(work) / "out"
        ran = subprocess.run([sys.executable, "-B", __file__, "--litedram", str(source.resolve()), "--output-dir", str(out), "--no-compile-software", "--name", "litedram_core",
                              str(source.resolve())], cwd=work, capture_output=True, text=True, check=False)
        if ran.returncode:
            fail(f"litedram_gen failed:\n{ran.stdout[-800:]}{ran.stderr[-2000:]}")
        text = (out / "gateware" / "litedram_core.v").read_text()
        registers = {}
        with open(out / "csr.csv", encoding="utf-8") as lines:
            for row in csv.reader(lines):
                if row and row[0] == "csr_register":
                    registers[row[1]] = int(row[2], 0)
        phy = (out / "software/include/generated/sdram_phy.h").read_text()
    # The data pins are driven by the I/O cells inside, and declared as inputs all the same.
    pins = f"[{width(yaml.safe_load(source.read_text())) - 1}:0] sdram_dq,\n"
    text = once(text, f"    input  wire   {pins}", f"    inout  wire   {pins}")
    text = once(text, "`timescale 1ns / 1ps\n", "")
    # A concatenation on the left is assigned once a member, each time the same: several drivers, to a tool that counts them.
    text = re.sub(r"^(assign \{.*;\n)\1+", r"\1", text, flags=re.M)
    # The same file from the same input: no date, no commit of whatever folder this runs in.
    text = re.sub(r"^// (Date|LiteX sha1) +:.*\n", "", text, flags=re.M)
    notice = NOTICE.format(version=metadata.version("litedram"), migen=metadata.version("migen"),
                           litex=metadata.version("litex"), source=source.name)
    (folder / "litedram_core.v").write_text(notice + text)
    return registers, phy


def part(config):
    """The SDRAM that LiteDRAM is told of: geometry and times of BOARD.yml."""
    from litedram.modules import SDRModule, _SpeedgradeTimings, _TechnologyTimings

    g, t, clock = config["geometry"], config["timings"], float(config["sys_clk_freq"])
    # Its timer of refreshes counts from what it is told down to 0, and so takes a cycle more: it is told one less.
    interval = t["tREFI"] - 1e9 / clock
    return type("Part", (SDRModule,), {
        "nbanks": g["banks"], "nrows": g["rows"], "ncols": g["columns"],
        "technology_timings": _TechnologyTimings(tREFI=interval, tWTR=(2, None), tCCD=(1, None), tRRD=(None, t["tRRD"])),
        "speedgrade_timings": {"default": _SpeedgradeTimings(tRP=t["tRP"], tRCD=t["tRCD"], tWR=t["tWR"], tRFC=(None, t["tRFC"]),
                                                             tFAW=None, tRAS=t["tRAS"])}})


def litedram(arguments):
    """litedram_gen, with a part of ours in its table."""
    import yaml
    from litedram import gen, modules

    modules.Part = part(yaml.safe_load(pathlib.Path(arguments[0]).read_text()))
    sys.argv = ["litedram_gen"] + arguments[1:]
    gen.main()


def steps(source, registers, phy):
    """Writes of control registers as (name, address, data, cycles to wait), of LiteDRAM's own sequence."""
    import yaml
    from litedram.common import PhySettings
    from litedram.init import get_sdram_phy_init_sequence

    config = yaml.safe_load(source.read_text())
    clock = float(config["sys_clk_freq"])
    value = {n: int(v, 0) for n, v in re.findall(r"#define (\w+) (0x[0-9a-f]+|\d+)\n", phy)}
    module = part(config)(clock, "1:1")
    settings = PhySettings(phytype="GENSDRPHY", memtype="SDR", databits=width(config), dfi_databits=width(config), nphases=1, rdphase=0,
                           wrphase=0, cl=value["SDRAM_PHY_CL"], read_latency=0, write_latency=0)
    sequence, _ = get_sdram_phy_init_sequence(settings, module.timing_settings)

    def bits(words):
        return sum(value[w] for w in words.split("|"))

    def at(name):
        return registers[name]

    power_up = math.ceil(POWER_UP * clock)
    apart = math.ceil(module.timing_settings.tRFC) + 2  # no command needs more time after another
    made = []
    for name, address, bank, command, delay in sequence:
        if command.endswith("WE|DFII_COMMAND_CS") and "CAS" in command and address & 0x100:
            continue  # "reset DLL": an SDR part has none, and this bit of its mode register is reserved
        made.append((name, at("sdram_dfii_pi0_address"), address, 0))
        made.append((name, at("sdram_dfii_pi0_baddress"), bank, 0))
        refresh = name == "Auto Refresh"
        if command.startswith("DFII_CONTROL"):
            made.append((name, at("sdram_dfii_control"), bits(command), max(power_up, 16)))
        else:
            made.append((name, at("sdram_dfii_pi0_command"), bits(command), 0))
            issue = (name, at("sdram_dfii_pi0_command_issue"), 1, max(apart, min(delay, 200)))
            made += [issue] * (REFRESHES // 2 if refresh else 1)  # it has two of them
    made.append(("The controller takes over", at("sdram_dfii_control"), value["DFII_CONTROL_SEL"], apart))
    made.append(("User ports open", at("ddrctrl_init_done"), 1, 0))
    return made


def package(made, folder, source):
    width = max(1, max(wait for *_, wait in made).bit_length())
    lines = ["// SPDX-License-Identifier: Apache-2.0",
             f"// Made by lab/fpga/board/memory/generate.py from {source.name}: how LiteDRAM's SDRAM is initialised.",
             "package sdram_init_pkg;", "",
             f"  localparam int unsigned STEPS  = {len(made)};",
             f"  localparam int unsigned STEP_W = {max(1, (len(made) - 1).bit_length())};",
             f"  localparam int unsigned WAIT_W = {width};", "",
             "  typedef struct packed {", "    logic [11:0]       addr;    // bytes, of a control register",
             "    logic [15:0]       data;", "    logic [WAIT_W-1:0] cycles;  // to wait behind it", "  } step_t;", "",
             "  function automatic step_t step(input logic [STEP_W-1:0] index);", "    case (index)"]
    for i, (name, address, data, wait) in enumerate(made):
        lines.append(f"      {i}: step = '{{addr: 12'h{address:03x}, data: 16'h{data:04x}, cycles: WAIT_W'({wait})}};  // {name}")
    lines += ["      default: step = '0;", "    endcase", "  endfunction", "", "endpackage", ""]
    (folder / "sdram_init_pkg.sv").write_text("\n".join(lines))


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "--litedram":
        litedram(sys.argv[2:])
        return
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    registers, phy = core(source, folder)
    package(steps(source, registers, phy), folder, source)


main()
