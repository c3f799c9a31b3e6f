#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""barrel through every entry to the checker: one program, one launch file, the core itself behind each.

usage: entries.py [ENTRY ...] --work FOLDER [--bug N ...] [--times N] [--cost]     (all entries: direct dpi vpi cocotb systemc)

Prints the report of each, and how often it is the same. --cost: no reports, but what a run takes in each.
From the environment: HEDDLE (heddle), INCLUDES and LIBS (what pkg-config says of heddle-sim), VERILATOR, COCOTB_PYTHON
(a python3 that has cocotb, with cosim/kit/cocotb), HEDDLE_SIM (libheddle-sim.so, for cocotb), CXX, OBJCACHE."""

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORE = (HERE / "core.txt").read_text(encoding="utf-8").strip()
VERILATOR_FLAGS = ("-O3", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1")


def run(*words, ok=(0,), **more):
    r = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, **more)
    if r.returncode not in ok:
        raise SystemExit(f"{' '.join(map(str, words))}: exit status {r.returncode}\n{r.stdout}{r.stderr}")
    return r.stdout + r.stderr


class Work:
    """A folder with the kit, the launch file, and what is built."""

    def __init__(self, folder, times):
        self.folder, self.kit, self.times = folder, folder / "kit", times
        self.heddle = os.environ.get("HEDDLE", "heddle")
        self.verilator = os.environ.get("VERILATOR", "verilator")
        self.includes = (os.environ.get("INCLUDES") or run("pkg-config", "--cflags", "heddle-sim")).split()
        self.libs = (os.environ.get("LIBS") or run("pkg-config", "--libs", "heddle-sim")).split()
        folder.mkdir(parents=True, exist_ok=True)
        run(self.heddle, "kit", self.kit, "--lanes", 8, "--warps", 4, "--blocks", 2)
        self.launch = folder / "wide.launch"
        run(*self.program(), "--on", "model", "--trace", self.launch)

    def program(self):
        return (self.heddle, "run", HERE / "wide.s", "--grid", 2, "--block", 64, "--arg", "out:512:u64:-", "--arg",
                f"u32:{self.times}")

    def design(self):
        return [HERE / "barrel_retire.v", *sorted((HERE.parent / "src").glob("*.v")),
                *sorted(self.kit.glob("retire_pack_*.v"))]

    def shared(self, name, *sources, include):
        """The C of an entry, a shared object."""
        out = self.folder / name
        run("gcc", "-shared", "-fPIC", "-O2", "-I", include, "-I", self.kit, *self.includes,
            *(self.kit / s for s in sources), "-o", out, *self.libs)
        return out

    def verilate(self, name, lib, *words):
        run(self.verilator, "--Mdir", self.folder / name, *VERILATOR_FLAGS, f"-I{HERE}", f"-I{HERE.parent / 'src'}",
            "-LDFLAGS", f"{lib} -Wl,-rpath,{self.folder}", *words, "-o", "bench",
            env={"SYSTEMC_INCLUDE": "/usr/include", "SYSTEMC_LIBDIR": "/usr/lib", **os.environ})
        return self.folder / name / "bench"


# Each builds, and returns what runs it: bug -> what it printed.

def direct(w, profile=1):
    run("sh", HERE / "build.sh", w.folder / "devices", *([] if profile else [0]))
    env = {**os.environ, "HEDDLE_DEVICES": str(w.folder / "devices")}
    words = (*w.program(), "--config", "barrel" if profile else "barrel0", "--calm")
    trace = () if profile == 0 else ("--trace", w.folder / "direct.trace")
    return lambda bug, more=trace: run(*words, "--fault", bug, *more, ok=(0, 1), env=env)


def plusargs(w, bug):
    return f"+heddle_launch={w.launch}", f"+heddle_core={CORE}", f"+bug={bug}"


def dpi(w):
    root = run(w.verilator, "--getenv", "VERILATOR_ROOT").strip()
    lib = w.shared("libheddle_dpi.so", "heddle_dpi.c", "heddle_bench.c", include=f"{root}/include/vltstd")
    bench = w.verilate("dpi", lib, "--binary", "-fno-reloop", "--top-module", "bench", w.kit / "heddle_dpi_pkg.sv",
                       w.kit / "retire_dpi.sv", HERE / "dpi/bench.sv", *w.design())
    return lambda bug: run(bench, *plusargs(w, bug))


def vpi(w):
    w.shared("heddle.vpi", "heddle_vpi.c", "heddle_bench.c", include="/usr/include/iverilog")
    run("iverilog", "-g2005", "-I", HERE, "-I", HERE.parent / "src", "-s", "bench", "-o", w.folder / "bench.vvp",
        w.kit / "retire_vpi.v", HERE / "vpi/bench.v", *w.design())
    return lambda bug: run("vvp", "-M", w.folder, "-m", "heddle", w.folder / "bench.vvp", *plusargs(w, bug))


RUNNER = """
import sys
from cocotb_tools.runner import get_runner
work, includes, *sources = sys.argv[1:]
r = get_runner("icarus")
r.build(sources=sources, includes=[includes], hdl_toplevel="barrel_retire", build_dir=work + "/cocotb")
r.test(hdl_toplevel="barrel_retire", test_module="barrel_bench", test_dir=work, build_dir=work + "/cocotb")
"""


def cocotb(w):
    verdict = w.folder / "cocotb.txt"
    path = ":".join([str(HERE / "cocotb"), *filter(None, [os.environ.get("PYTHONPATH")])])
    env = {**os.environ, "PYTHONPATH": path, "LAUNCH": str(w.launch), "CORE": CORE, "VERDICT": str(verdict)}

    def play(bug):
        verdict.unlink(missing_ok=True)
        run(os.environ.get("COCOTB_PYTHON", "python3"), "-c", RUNNER, w.folder, HERE.parent / "src", *w.design(),
            env={**env, "BUG": str(bug)})
        return verdict.read_text(encoding="utf-8")

    return play


def systemc(w):
    lib = w.shared("libheddle_bench.so", "heddle_bench.c", include=w.kit)
    flags = " ".join(["-std=c++17", f"-I{w.kit}", f"-I{HERE / 'systemc'}", *w.includes])
    bench = w.verilate("systemc", lib, "--sc", "--exe", "--build", "-CFLAGS", flags, "--prefix", "Vbarrel_retire",
                       "--top-module", "barrel_retire", *w.design(), HERE / "systemc/main.cpp")
    return lambda bug: run(bench, w.launch, CORE, bug, ok=(0, 1))


def direct0(w):
    return direct(w, profile=0)


ENTRIES = {"direct": direct, "dpi": dpi, "vpi": vpi, "cocotb": cocotb, "systemc": systemc}


def words(text):
    """From the difference to the end of the history: what each entry has around it is its own. Or that all is well."""
    found = re.search(r"^difference: (?:.*\n)*?  history of the warp.*\n(?:    .*\n)*", text, re.M)
    if found is None and re.search(r"^(?:barrel: ok|ok: \d+ .*|\d+ warp .*, 0 differences.*)$", text, re.M) is None:
        raise SystemExit(f"neither well nor a difference:\n{text}")
    return found.group(0) if found else "ok\n"


def through(w, entries, bugs):
    """What each says of a run, the trace of the direct one among them."""
    play = {name: ENTRIES[name](w) for name in entries}
    return all([one_bug(w, play, bug) for bug in bugs])


def one_bug(w, play, bug):
    said = {}
    print(f"bug {bug}")
    for name, p in play.items():
        said[name] = words(p(bug))
        if name == "direct":
            said["trace"] = words(run(w.heddle, "check", w.folder / "direct.trace", ok=(0, 1)))
    first = None
    for name, text in said.items():
        same = text == first
        first = first or text
        print(f"{name}: {'the same' if same else text.rstrip()}", flush=True)
    return len(set(said.values())) == 1


def cost(w, entries):
    """Seconds of the shortest of three runs, the start of each program included."""
    entries = {n: ENTRIES[n] for n in entries}
    entries = {"direct": entries.pop("direct", direct), "direct at P0": direct0, **entries}
    play = {n: e(w) for n, e in entries.items()}
    said = play["direct"](0, ())
    clocks = int(re.search(r"(\d+) cycles", said).group(1))
    print(f"{clocks} clocks, {w.times} rounds\n")
    print("| entry | seconds | beside direct |\n|---|---|---|")
    base = None
    for name, p in play.items():
        taken = []
        for _ in range(3):
            start = time.perf_counter()
            p(0, ()) if name.startswith("direct") else p(0)
            taken.append(time.perf_counter() - start)
        base = base or min(taken)
        print(f"| {name} | {min(taken):.2f} | {min(taken) / base:.1f} |", flush=True)
    return True


def main():
    p = argparse.ArgumentParser()
    p.add_argument("entry", nargs="*", help="all")
    p.add_argument("--work", type=Path, required=True)
    p.add_argument("--bug", type=int, nargs="+", default=[0], help="each in turn")
    p.add_argument("--times", type=int, default=1, help="rounds of the program's loop")
    p.add_argument("--cost", action="store_true")
    o = p.parse_args()
    unknown = set(o.entry) - set(ENTRIES)
    if unknown:
        p.error(f"no entry {', '.join(unknown)}")
    w = Work(o.work.resolve(), o.times)
    return 0 if (cost(w, o.entry or ENTRIES) if o.cost else through(w, o.entry or ENTRIES, o.bug)) else 1


if __name__ == "__main__":
    sys.exit(main())
