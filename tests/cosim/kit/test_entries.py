# SPDX-License-Identifier: Apache-2.0
"""One recorded run, played by a core of plain Verilog, through every entry: all say ok of it, and all say the same of
the same run with one wrong bit, byte for byte; so does `heddle check` of the trace.

usage: test_entries.py ENTRY... --heddle H --tool T --build B --source S   (vpi, dpi, cocotb, pyuvm)
How long each entry takes for a run is printed."""

import argparse
import copy
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
TINY = {"regs": 256, "register_banks": 2}  # isa/configs/tiny.cfg


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
    declare, join = player.nets(kinds, "ret." if name.endswith(".sv") else "")
    text = (here / name).read_text()
    for key, value in (("NETS", declare), ("JOIN", join), ("FINAL", work / "final.hex"), ("LAST", len(recorded.left))):
        text = text.replace(f"@{key}@", str(value))
    (work / name).write_text(text)
    return work / name


def plusargs(core, trace):
    return [f"+heddle_core={core}", f"+heddle_launch={trace}"]


def shared(o, out, *sources, include):
    """A shared object over libheddle-sim: the lines of docs/attach-your-core.md, with the folders of a build."""
    flags = ["-I", o.build / "gen"]
    lib = o.build / "sdk"
    if not out.exists():
        run("gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-I", include, *flags, *sources, "-L", lib,
            f"-Wl,-rpath,{lib}", "-lheddle-sim", "-o", out)
    return out


def build_vpi(o, kit, work, kinds, recorded):
    shared(o, work / "heddle.vpi", kit / "heddle_vpi.c", kit / "heddle_bench.c", include="/usr/include/iverilog")
    run("iverilog", "-g2005", "-o", work / "vpi.vvp", kit / "retire_vpi.v", work / "player.v",
        bench("vpi_bench.v", kinds, recorded, Path(__file__).parent, work))
    return lambda core, trace: run("vvp", "-M", work, "-m", "heddle", work / "vpi.vvp", *plusargs(core, trace)).stdout


def build_dpi(o, kit, work, kinds, recorded):
    root = Path(run("verilator", "--getenv", "VERILATOR_ROOT").stdout.strip())
    lib = shared(o, work / "libheddle_dpi.so", kit / "heddle_dpi.c", kit / "heddle_bench.c",
                 include=root / "include/vltstd")
    out = work / "dpi"
    # The assertions are bound to the player: they say nothing of a run that keeps the rules.
    run("verilator", "--binary", "--assert", "-O3", "-fno-reloop", "--Mdir", out, "-Wno-fatal", "-Wno-lint", "-MAKEFLAGS",
        "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O1", "-LDFLAGS", f"{lib} -Wl,-rpath,{work}", "--top-module", "bench",
        "+define+RETIRE_CORE=player", "+define+RETIRE_READY=1", "-F", kit / "retire_bind.f", kit / "retire_if.sv", "-F", kit / "retire_dpi.f",
        work / "player.v", bench("dpi_bench.sv", kinds, recorded, Path(__file__).parent, work), "-o", "bench",
        env={**os.environ, "OBJCACHE": "ccache"})
    return lambda core, trace: run(out / "bench", *plusargs(core, trace), "+verilator+error+limit+1000").stdout


RUNNER = """
import sys
from cocotb_tools.runner import get_runner
work, folder = sys.argv[1:]
r = get_runner("icarus")
r.build(sources=[work + "/player.v"], hdl_toplevel="player", build_dir=work + "/cocotb")
r.test(hdl_toplevel="player", test_module="cocotb_bench", test_dir=work, build_dir=work + "/cocotb")
"""


def build_cocotb(o, _kit, work, _kinds, _recorded, **uvm):
    python = o.python or o.build / "venv/bin/python3"
    here = Path(__file__).parent
    env = {**os.environ, **uvm, "FINAL": str(work / "final.hex"),
           "PYTHONPATH": f"{here}:{o.source / 'cosim/kit/cocotb'}", "HEDDLE_SIM": str(o.build / "sdk/libheddle-sim.so"),
           "PYTHONDONTWRITEBYTECODE": "1"}
    return lambda core, trace: run(python, "-c", RUNNER, work, here,
                                   env={**env, "CORE": core, "LAUNCH": str(trace)}).stdout


def build_pyuvm(*a):
    return build_cocotb(*a, UVM="1")


ENTRIES = {"vpi": build_vpi, "dpi": build_dpi, "cocotb": build_cocotb, "pyuvm": build_pyuvm}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("entry", nargs="+", choices=ENTRIES)
    for name in ("heddle", "tool", "build", "source"):
        p.add_argument(f"--{name}", type=Path, required=True)
    p.add_argument("--python", type=Path, help="one that has cocotb; else that of build/venv")
    o = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "square.s").write_text(PROGRAM)
        run(o.heddle, "run", "square.s", "--grid", 2, "--block", 64, "--arg", "out:256:u32:-", "--config", "tiny",
            "--trace", "t.bin", cwd=work)
        kit = work / "kit"
        run(o.heddle, "kit", kit, "--lanes", 4, "--warps", 4, "--blocks", 4, "--banks", 32, "--partitions", 1)
        judge(o, kit, work)


def one_run(o, play, which, recorded, core, trace):
    """Every entry plays what is in player.hex; what they said, which is the same."""
    said = {}
    for entry in o.entry:
        start = time.time()
        text = play[entry](core, trace)
        print(f"{entry} {which}: {time.time() - start:.2f} s for {recorded.end} cycles, {len(recorded.records)} records")
        said[entry] = Said(text)
        said[entry].text = text
        assert "\nstale\n" not in text, f"{entry}: where no launch is left it still tells of one"
        assert said[entry].image == recorded.image, (entry, said[entry].image, recorded.image)
        first = said[o.entry[0]]
        same = (first.report, first.verdict) == (said[entry].report, said[entry].verdict)
        assert same or which == "unknown" and entry == "dpi", f"{entry}: {said[entry].report}\nothers: {first.report}"
    return said


def judge(o, kit, work):
    convert = lambda name, spoil: player.Run(run(o.tool, work / "t.bin", work / name, spoil).stdout)  # noqa: E731
    good, bad = convert("good.bin", 0), convert("bad.bin", 20)
    kinds = player.write_player(good, kit, work)
    play = {e: ENTRIES[e](o, kit, work, kinds, good) for e in o.entry}

    def play_run(which, recorded, trace="good.bin", **core):
        player.write_player(recorded, kit, work)
        return one_run(o, play, which, recorded, recorded.core(**TINY, **core), work / trace)

    for s in play_run("good", good).values():
        assert s.verdict == 0 and s.report.startswith("core: ok\n"), s.report
        assert ": retire: " not in s.text, s.text
    run(o.heddle, "check", work / "good.bin")

    checked = run(o.heddle, "check", work / "bad.bin", ok=(1,)).stderr
    words = checked[:checked.find("heddle: error: difference")]
    assert words.startswith("difference: writeback.value"), words
    for s in play_run("bad", bad, "bad.bin").values():
        assert s.verdict == 1 and s.report.startswith(words), f"not the words of heddle check:\n{s.report}\n{words}"
    profile(play_run, good)
    sizes(o, play, good, work)
    unknown(play_run, good)
    gap(play_run, good)
    print("ok")


def profile(play_run, good):
    """A core of profile P0 shows neither operands nor predicates nor warps that start: fine, and told."""
    shown = copy.copy(good)
    shown.records = [r for r in good.records if r[1] not in (1, 5, 6, 7, 10)]
    assert len(shown.records) < len(good.records)
    for s in play_run("P0", shown, profile=0).values():
        assert s.verdict == 0 and "profile P0; not judged: warp_start, predicate, operands," in s.report, s.report


def sizes(o, play, good, work):
    """A core declared with other sizes than its port has is no difference: it is told."""
    player.write_player(good, work / "kit", work)
    for entry in {"vpi", "dpi"} & set(o.entry):
        s = Said(play[entry](good.core(**TINY).replace("lanes=4", "lanes=8"), work / "good.bin"))
        assert s.verdict == 4 and "other sizes than 'heddle kit' was given" in s.report, s.report


def unknown(play_run, good):
    """A lane of a result that is X is no value that could be right. (Verilator knows no X: it plays a 0.)"""
    i = [i for i, r in enumerate(good.records) if r[1] == 4][5]
    wrong = copy.copy(good)
    wrong.records = list(good.records)
    wrong.records[i] = (*good.records[i][:4], [*good.records[i][4][:-1], "000000xx"])
    for entry, s in play_run("unknown", wrong).items():
        assert entry == "dpi" or (s.verdict == 1 and "got 0x000000a5" in s.report), s.report


def gap(play_run, good):
    """Assertions that are bound see what the checker sees: here an instruction's number is left out."""
    i = [i for i, r in enumerate(good.records) if r[1] == 9][3]
    wrong = copy.copy(good)
    wrong.records = list(good.records)
    data = list(good.records[i][4])
    data[1] += 1
    wrong.records[i] = (*good.records[i][:4], data)
    for entry, s in play_run("gap", wrong).items():
        assert s.verdict == 1, s.report
        assert entry != "dpi" or "retire: issue: seq has a gap" in s.text, s.text


if __name__ == "__main__":
    sys.exit(main())
