#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A batch script for Vivado: Heddle of a configuration, synthesised for a part of AMD's. Nobody has run one yet (docs/other-vendors.md).

usage: lab/fpga/synth/vivado.py CONFIG FOLDER [--part PART] [--mhz N]      example: lab/fpga/synth/vivado.py tiny build/vivado
       then: vivado -mode batch -source build/vivado/tiny.tcl

Writes FOLDER/CONFIG.tcl and FOLDER/CONFIG.xdc. The files are those of heddle.core, packages first, each after those it names;
the top is heddle_gpu_pins, the machine without its retire port on four pins."""
import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def files(config, generated):
    """Paths from the root, in an order in which each is read after the packages that it uses."""
    text = (ROOT / "heddle.core").read_text()
    named = re.findall(r"^ +- ([\w./]+\.sv)$", text, re.M)
    placed = {"build/gen/tiny/cfg_pkg.sv": f"{generated}/{config}/cfg_pkg.sv"}
    return [placed.get(f, f.replace("build/gen/", f"{generated}/")) for f in named] + ["lab/fpga/synth/heddle_gpu_pins.sv"]


def script(config, part, sources, constraints):
    lines = [f"# Written by lab/fpga/synth/vivado.py: Heddle, configuration {config}. Run in the root of the tree.",
             f"read_verilog -sv {{\n  {chr(10).join(sources).replace(chr(10), chr(10) + '  ')}\n}}",
             f"read_xdc {constraints}",
             f"synth_design -top heddle_gpu_pins -part {part} -include_dirs rtl/lib -verilog_define SYNTHESIS "
             "-verilog_define HEDDLE_PLAIN -flatten_hierarchy rebuilt",
             f"report_utilization -file {constraints.parent / config}.utilization.txt",
             f"report_ram_utilization -file {constraints.parent / config}.ram.txt",
             "opt_design", "place_design", "route_design",
             f"report_timing_summary -file {constraints.parent / config}.timing.txt", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", default="xc7a100tcsg324-1", help="of an Arty A7-100 or a Nexys A7-100, if not said")
    parser.add_argument("--mhz", type=float, default=50)
    parser.add_argument("--generated", default="build/gen")
    args = parser.parse_args()
    sources = files(args.config, args.generated)
    missing = [f for f in sources if not (ROOT / f).is_file()]
    if missing:
        print(f"vivado.py: no {missing[0]}: run scripts/gen.sh; configurations are those of isa/configs/", file=sys.stderr)
        sys.exit(5)
    args.folder.mkdir(parents=True, exist_ok=True)
    constraints = args.folder / f"{args.config}.xdc"
    constraints.write_text(f"create_clock -name clk -period {1000 / args.mhz:.3f} [get_ports clk_i]\n")
    (args.folder / f"{args.config}.tcl").write_text(script(args.config, args.part, sources, constraints))


if __name__ == "__main__":
    main()
