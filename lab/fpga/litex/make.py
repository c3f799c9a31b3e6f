#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SoCs of LiteX with Heddle in them: VexRiscv, LiteDRAM, a UART, Heddle.

  lab/fpga/litex/make.py --board sim                       simulate: vecadd and sgemm by the SoC's own CPU
  lab/fpga/litex/make.py --board sim --firmware board       ... as a board: then heddle board sim:build/litex/sim/board vecadd --check
  lab/fpga/litex/make.py --board arty --no-compile         Verilog, constraints, scripts, headers; no tool of a vendor runs
  lab/fpga/litex/make.py --board arty                      ... and the bit file, where the vendor's tools are

(with the Python of build/venv-litex; what is missing is said. lab/fpga/litex/setup.sh installs it.)"""
import argparse
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
VENV = ROOT / "build/venv-litex"
if (VENV / "bin/python3").exists() and pathlib.Path(sys.prefix).resolve() != VENV.resolve():
    os.execv(VENV / "bin/python3", [str(VENV / "bin/python3"), "-B", *sys.argv])

try:
    from litex.soc.integration.builder import Builder
except ImportError:
    sys.exit("make.py: no LiteX: run lab/fpga/litex/setup.sh")

import boards
import simulate
from heddle_litex import Missing, add_heddle

DEFAULTS = {"cpu_type": "vexriscv", "cpu_variant": "standard", "integrated_rom_size": 0x20000, "integrated_sram_size": 0x2000}


def soc_of(args, init=()):
    """The SoC, not yet built."""
    kwargs = dict(DEFAULTS, cpu_variant=args.cpu_variant, l2_size=args.l2_size)
    if args.board != "sim":
        kwargs["uart_baudrate"] = args.baud
    if args.sys_clk_freq:
        kwargs["sys_clk_freq"] = args.sys_clk_freq
    if args.board == "sim":
        soc = boards.SimSoC(args.sdram_module, args.sdram_width, init, args.trace, **kwargs)
    else:
        soc = boards.board_soc(args.board, **kwargs)
    add_heddle(soc, config=args.config, with_stream=args.stream, dma=args.dma, text=args.text)
    return soc


@contextlib.contextmanager
def logged(args):
    """What LiteX says, and what its makefiles do, goes to litex.log; the end of it is shown where it failed."""
    args.output.mkdir(parents=True, exist_ok=True)
    log = args.output / "litex.log"
    kept = [os.dup(1), os.dup(2)]
    sys.stdout.flush()
    sys.stderr.flush()
    failed = True
    try:
        with open(log, "ab") as to:
            os.dup2(to.fileno(), 1)
            os.dup2(to.fileno(), 2)
        yield
        failed = False
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for number, was in enumerate(kept, 1):
            os.dup2(was, number)
            os.close(was)
        if failed:
            print("\n".join(log.read_text(errors="replace").splitlines()[-12:]) + f"\nmake.py: {log} has all of it", file=sys.stderr)


def builder_of(args, soc, software):
    return Builder(soc, output_dir=str(args.output), compile_software=software, compile_gateware=False,
                   csr_csv=str(args.output / "csr.csv"), bios_console="lite")


def need_software():
    """Meson and Ninja are LiteX's; a compiler is the system's."""
    os.environ["PATH"] = f"{VENV / 'bin'}:{os.environ['PATH']}"
    for tool in ("riscv64-unknown-elf-gcc", "make"):
        if not shutil.which(tool):
            raise Missing(f"no {tool}: run lab/fpga/litex/setup.sh --software")


def firmware(args):
    """The programs of firmware/, for the SoC whose headers and libraries are there."""
    out = args.output / "firmware"
    out.mkdir(parents=True, exist_ok=True)
    build = pathlib.Path(os.environ.get("HEDDLE_BUILD", ROOT / "build")).resolve()
    subprocess.run(["make", "-s", f"-j{args.jobs}", "-C", str(out), "-f", str(HERE / "firmware/Makefile"), f"BUILD_DIR={args.output}",
                    f"ROOT={ROOT}", f"HEDDLE_BUILD={build}", f"{args.firmware}.bin"], check=True)
    return out / f"{args.firmware}.bin"


def elaborate(args):
    started = time.monotonic()
    with logged(args):
        soc = soc_of(args)
        builder_of(args, soc, args.software).build(run=False)
        if args.software:
            firmware(args)
    made = sorted(str(p.relative_to(args.output)) for p in (args.output / "gateware").iterdir() if p.is_file() and p.stat().st_size)
    print(f"{args.board}: {args.config}: elaborated in {time.monotonic() - started:.0f} s: {args.output}: {', '.join(made)}, "
          "software/include/generated/csr.h")


def compile_board(args):
    with logged(args):
        soc = soc_of(args)
        builder_of(args, soc, True).build(run=True)
        firmware(args)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", default="sim", choices=["sim", *boards.BOARDS])
    parser.add_argument("--config", default="tiny", help="of Heddle, from isa/configs/ (default: tiny)")
    parser.add_argument("--stream", action="store_true", help="with the stream of what the core retires (tiny)")
    parser.add_argument("--dma", default="litedram", choices=["litedram", "bus"], help="its memory: a port of LiteDRAM, or the SoC's bus")
    parser.add_argument("--text", choices=["sv", "shaped", "plain"],
                        help="of Heddle: SystemVerilog, or Verilog by Yosys for an ECP5 or for others (default: what the tools read)")
    parser.add_argument("--l2-size", type=int, default=8192, help="bytes of the SoC's L2 (0: none)")
    parser.add_argument("--cpu-variant", default="standard")
    parser.add_argument("--sys-clk-freq", type=float, help="else the board's own")
    parser.add_argument("--baud", type=int, default=115200, help="of a board's UART")
    parser.add_argument("--firmware", default="demo", choices=["demo", "board"], help="what the simulation runs")
    parser.add_argument("--no-compile", dest="compile", action="store_false", help="elaborate only")
    parser.add_argument("--software", action="store_true", help="with --no-compile: compile BIOS and firmware, too")
    parser.add_argument("--output", type=pathlib.Path, help="default: build/litex/BOARD")
    parser.add_argument("--jobs", type=int, default=1)
    sim = parser.add_argument_group("of the simulation")
    sim.add_argument("--sdram-module", default="MT48LC16M16", help="of litedram.modules")
    sim.add_argument("--sdram-width", type=int, default=32, help="its data pins")
    sim.add_argument("--trace", action="store_true", help="a waveform of the SoC, sim.fst")
    sim.add_argument("--limit", type=int, default=600, help="seconds that the simulation may take")
    args = parser.parse_args()
    args.output = (args.output or ROOT / "build/litex" / args.board).resolve()
    (args.output / "litex.log").unlink(missing_ok=True)
    try:
        if args.compile or args.software:
            need_software()
        if args.board == "sim" and args.compile:
            sys.exit(simulate.run(args, soc_of, builder_of, firmware, logged))
        if args.compile:
            compile_board(args)
        else:
            elaborate(args)
    except (Missing, ValueError) as e:
        sys.exit(f"make.py: {e}")
    except subprocess.CalledProcessError as e:
        sys.exit(f"make.py: failed: {' '.join(map(str, e.cmd))}")


if __name__ == "__main__":
    main()
