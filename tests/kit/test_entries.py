# SPDX-License-Identifier: Apache-2.0
"""One recorded run, played by a core of plain Verilog, through every entry: all say ok of it, and all say the same of
the same run with one wrong bit, byte for byte; so does `heddle check` of the trace.

usage: test_entries.py ENTRY... --heddle H --tool T --build B --source S [--time]   (vpi, dpi, cocotb, pyuvm)
--time prints how long each entry takes for the run."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import player

PROGRAM = """
.kernel square
.param u64 out
        S2R R0, SR_TID.X ;
        IMAD R1, R0, R0, RZ ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        STG.E [R2], R1 ;
        EXIT ;
.end
"""
TINY = {"regs": 256, "register_banks": 2}  # configs/tiny.cfg


def run(*words, ok=(0,), **more):
    r = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, **more)
    assert r.returncode in ok, f"{words}: exit status {r.returncode}\n{r.stdout}{r.stderr}"
    return r


class Said:
    """What a bench printed."""

    def __init__(self, text):
        lines = text.splitlines(keepends=True)
        start, end = lines.index("report\n"), [i for i, s in enumerate(lines) if s.startswith("verdict ")][0]
        self.report = "".join(lines[start + 1:end])
        self.verdict = int(lines[end].split()[1])
        self.image = [s.split()[1] for s in lines if s.startswith("image ")][0]


def bench(name, kinds, recorded, here, work):
    declare, join = player.nets(kinds)
    text = (here / name).read_text()
    for key, value in (("NETS", declare), ("JOIN", join), ("FINAL", work / "final.hex"), ("LAST", len(recorded.left))):
        text = text.replace(f"@{key}@", str(value))
    (work / name).write_text(text)
    return work / name


def plusargs(recorded, trace):
    return [f"+heddle_core={recorded.core(**TINY)}", f"+heddle_launch={trace}"]


def shared(o, out, *sources, include):
    """A shared object over libheddle-sim: the lines of docs/kit.md, with the folders of a build."""
    parts = ("cosim", "cmodel", "isa", "configs", "firmware")
    flags = [f for folder in ("build/gen", *(f"{p}/include" for p in parts)) for f in ("-I", o.source / folder)]
    flags[1] = o.build / "gen"
    lib = o.build / "sdk"
    if not out.exists():
        run("gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-I", include, *flags, *sources, "-L", lib,
            f"-Wl,-rpath,{lib}", "-lheddle-sim", "-o", out)
    return out


def build_vpi(o, kit, work, kinds, recorded):
    shared(o, work / "heddle.vpi", kit / "heddle_vpi.c", kit / "heddle_bench.c", include="/usr/include/iverilog")
    run("iverilog", "-g2005", "-o", work / "vpi.vvp", kit / "retire_vpi.v", work / "player.v",
        bench("vpi_bench.v", kinds, recorded, Path(__file__).parent, work))
    return lambda trace: run("vvp", "-M", work, "-m", "heddle", work / "vpi.vvp", *plusargs(recorded, trace)).stdout


def build_dpi(o, kit, work, kinds, recorded):
    root = Path(run("verilator", "--getenv", "VERILATOR_ROOT").stdout.strip())
    lib = shared(o, work / "libheddle_dpi.so", kit / "heddle_dpi.c", kit / "heddle_bench.c",
                 include=root / "include/vltstd")
    out = work / "dpi"
    run("verilator", "--binary", "-O3", "--Mdir", out, "-Wno-fatal", "-Wno-lint", "-MAKEFLAGS",
        "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O1", "-LDFLAGS", f"{lib} -Wl,-rpath,{work}", "--top-module", "bench", kit / "heddle_dpi_pkg.sv", kit / "retire_dpi.sv",
        work / "player.v", bench("dpi_bench.sv", kinds, recorded, Path(__file__).parent, work), "-o", "bench",
        env={**os.environ, "OBJCACHE": "ccache"})
    return lambda trace: run(out / "bench", *plusargs(recorded, trace)).stdout


RUNNER = """
import sys
from cocotb_tools.runner import get_runner
work, folder = sys.argv[1:]
r = get_runner("icarus")
r.build(sources=[work + "/player.v"], hdl_toplevel="player", build_dir=work + "/cocotb")
r.test(hdl_toplevel="player", test_module="cocotb_bench", test_dir=work, build_dir=work + "/cocotb")
"""


def build_cocotb(o, _kit, work, _kinds, recorded, **uvm):
    python = o.python or o.build / "venv/bin/python3"
    here = Path(__file__).parent
    env = {**os.environ, **uvm, "CORE": recorded.core(**TINY), "FINAL": str(work / "final.hex"),
           "PYTHONPATH": f"{here}:{o.source / 'kit/cocotb'}", "HEDDLE_SIM": str(o.build / "sdk/libheddle-sim.so"),
           "PYTHONDONTWRITEBYTECODE": "1"}
    return lambda trace: run(python, "-c", RUNNER, work, here, env={**env, "LAUNCH": str(trace)}).stdout


def build_pyuvm(*a):
    return build_cocotb(*a, UVM="1")


ENTRIES = {"vpi": build_vpi, "dpi": build_dpi, "cocotb": build_cocotb, "pyuvm": build_pyuvm}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("entry", nargs="+", choices=ENTRIES)
    for name in ("heddle", "tool", "build", "source"):
        p.add_argument(f"--{name}", type=Path, required=True)
    p.add_argument("--python", type=Path, help="one that has cocotb; else that of build/venv")
    p.add_argument("--time", action="store_true")
    o = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "square.s").write_text(PROGRAM)
        run(o.heddle, "run", "square.s", "--grid", 2, "--block", 64, "--arg", "out:256:u32:-", "--config", "tiny",
            "--trace", "t.bin", cwd=work)
        kit = work / "kit"
        run(o.heddle, "kit", kit, "--lanes", 4, "--warps", 4, "--blocks", 4, "--banks", 32, "--partitions", 1)
        judge(o, kit, work)


def judge(o, kit, work):
    said = {}
    for which, spoil in (("good", 0), ("bad", 20)):
        trace = work / f"{which}.bin"
        recorded = player.Run(run(o.tool, work / "t.bin", trace, spoil).stdout)
        kinds = player.write_player(recorded, kit, work)
        checked = run(o.heddle, "check", trace, ok=(0, 1))
        assert checked.returncode == spoil // 20, checked.stderr
        text = checked.stderr[:checked.stderr.find("heddle: error: difference")] if spoil else ""
        assert ("expected" in text) == (spoil != 0)
        for entry in o.entry:
            play = ENTRIES[entry](o, kit, work, kinds, recorded)
            start = time.time()
            s = Said(play(trace))
            if o.time:
                print(f"{entry} {which}: {time.time() - start:.2f} s for {recorded.end} cycles, {len(recorded.records)} records")
            assert s.image == recorded.image, (entry, s.image, recorded.image)
            assert s.verdict == (1 if spoil else 0), (entry, s.report)
            assert s.report.startswith(text), f"{entry}: not the words of heddle check:\n{s.report}\n{text}"
            assert said.setdefault(which, s.report) == s.report, f"{entry}: {s.report}\nothers: {said[which]}"
    assert said["good"].startswith("core: ok\n") and "core: difference" in said["bad"]
    print(said["bad"] if o.time else "ok", end="\n")


if __name__ == "__main__":
    sys.exit(main())
