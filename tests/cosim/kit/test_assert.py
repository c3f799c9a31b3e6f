# SPDX-License-Identifier: Apache-2.0
"""The assertions of `heddle kit`, in both forms: each is silent at the last number that is allowed and speaks once at
the first that is not; the rules of retire_protocol.sv each speak once, of a violation planted by hand
(protocol_bench.sv). The packers make what the structs are.

usage: test_assert.py --heddle H --source S"""

import argparse
import os
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from described import WIDTH, described

SIZES = {"lanes": 4, "warps": 5, "blocks": 3, "banks": 8, "partitions": 2}
PORT = {"cfg_pkg::PARTITIONS": 2, "cfg_pkg::LANES": 4, "cfg_pkg::SHARED_BANKS": 8, "cfg_pkg::SM_WARPS": 5,
        "cfg_pkg::BLOCKS": 3, "cfg_pkg::BEATS": 8}


def numbers(structs, fields):
    """(path in SystemVerilog, field that bounds it, [(when, bit)]) of every number, arrays of one dimension by element."""
    for x in fields:
        for i in range(x.dims[0]) if x.dims else [None]:
            at = x.name if i is None else f"{x.name}[{i}]"
            for y in structs.get(x.type, [x]):
                yield (at if y is x else f"{at}.{y.name}"), y, (x.when, i)


def violations(records, structs, sizes):
    """(record, instance, assignments of the last good value, of the first bad one, message)."""
    for kind, (n, fields) in records.items():
        for path, x, (when, i) in numbers(structs, fields):
            setup = f"ret_{kind}[K].{when}[{i}] = 1; " if when else ""
            if x.below and sizes[x.below] < 1 << WIDTH[x.type]:
                b = sizes[x.below]
                what = f"is not below {x.below}, {b}"
                good, bad = b - 1, b
            elif x.bits and sizes[x.bits] < WIDTH[x.type]:
                b = sizes[x.bits]
                what = f"has bits at or above {x.bits}, {b}"
                good, bad = (1 << b) - 1, 1 << b
            else:
                continue
            for k in (0, n - 1) if n > 1 else (0,):
                at = f"ret_{kind}[{k}].{path} = "
                pre = f"ret_{kind}_valid[{k}] = 1; " + setup.replace("K", str(k))
                w = f"{WIDTH[x.type]}'d"
                yield f"{pre}{at}{w}{good};", f"{pre}{at}{w}{bad};", f"retire: {kind}.{path} {what}"


def packer(kind, fields, structs):
    """An instance of retire_pack_KIND beside the struct; both get the same numbers."""
    ports, sets = [], []
    for x in fields:
        n = x.dims[0] if x.dims else 1
        for y in structs.get(x.type, [x]):
            if y is x:
                ports.append(f".{x.name}(p_{kind}.{x.name})")
            elif x.dims:
                ports.append(f".{x.name}_{y.name}({{" + ", ".join(f"p_{kind}.{x.name}[{i}].{y.name}"
                                                               for i in reversed(range(n))) + "})")
            else:
                ports.append(f".{x.name}_{y.name}(p_{kind}.{x.name}.{y.name})")
            for i in range(n) if y is not x and x.dims else [None]:
                at = x.name if y is x else f"{x.name}.{y.name}" if i is None else f"{x.name}[{i}].{y.name}"
                sets.append(f"p_{kind}.{at} = $bits(p_{kind}.{at})'(noise());")
    return (f"  retire_pkg::{kind}_t p_{kind};\n  wire [$bits(p_{kind})-1:0] v_{kind};\n"
            f"  retire_pack_{kind} pack_{kind} ({', '.join(ports)}, .record(v_{kind}));\n",
            f"p_{kind} = '0; {' '.join(sets)}",
            f"if (v_{kind} !== p_{kind}) $display(\"pack: {kind}\"); else packed_right++;")


BENCH = """module bench;
  logic clk = 0, rst_n = 0;
{nets}
  retire_assert #(.CONCURRENT(1)) sva (.*);
  retire_assert #(.CONCURRENT(0)) plain (.*);
  function automatic logic [2047:0] noise();
    for (int i = 0; i < 64; i++) noise[32*i +: 32] = $urandom;
  endfunction
  int packed_right = 0;
{packers}
  int n = 0;
  always #1 clk = ~clk;
  always @(negedge clk) begin
    {clear}
    rst_n = n > 2;
    case (n)
{steps}
      default: ;
    endcase
    n++;
  end
endmodule
"""


def run(*words, **more):
    r = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, **more)
    assert r.returncode == 0, f"{words}\n{r.stdout}{r.stderr}"
    return r.stdout + r.stderr


def simulate(work, name, kit, *sources):
    out = work / name
    run("verilator", "--binary", "--assert", "-O3", "-Wno-fatal", "-Wno-lint", "--Mdir", out,
        "-fno-reloop", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O1",
        "--top-module", "bench", *(kit / s for s in ("retire_pkg.sv", "retire_protocol.sv", "retire_assert.sv")),
        *sources, "-o", "bench", env={**os.environ, "OBJCACHE": "ccache"})
    return run(out / "bench", "+verilator+error+limit+100000")


def said(text):
    """How often each message came from which of the two."""
    found = Counter()
    for line in text.splitlines():
        if "Error" in line and ": retire: " in line:
            form = "sva" if "bench.sva" in line else "plain"
            found[form, line[line.index("retire: "):]] += 1
    return found


def bounds(records, structs, sizes, kit, work):
    planted = list(violations(records, structs, sizes))
    assert len(planted) > 60, len(planted)
    names = [f"  logic [{n - 1}:0] ret_{k}_valid;\n  retire_pkg::{k}_t [{n - 1}:0] ret_{k};" for k, (n, _) in records.items()]
    packers = [packer(k, fields, structs) for k, (_, fields) in records.items()]
    steps = [f"{good} $display(\"good\");\n{bad} $display(\"planted\");" for good, bad, _ in planted]
    steps = [half for step in steps for half in step.split("\n")]
    steps += [" ".join(p[1] for p in packers), " ".join(p[2] for p in packers),
              "begin $display(\"packed %0d\", packed_right); $finish; end"]
    (work / "bounds.sv").write_text(BENCH.format(
        nets="\n".join(names), clear=" ".join(f"ret_{k}_valid = '0; ret_{k} = '0;" for k in records),
        steps="\n".join(f"      {i + 4}: begin {step} end" for i, step in enumerate(steps)),
        packers="".join(p[0] for p in packers)))
    text = simulate(work, "bounds", kit, *sorted(kit.glob("retire_pack_*.v")), work / "bounds.sv")
    wanted = Counter((form, message) for _, _, message in planted for form in ("sva", "plain"))
    assert said(text) == wanted, (said(text) - wanted, wanted - said(text))
    assert f"packed {len(records)}\n" in text and "pack: " not in text, text[-2000:]
    lines = [s for s in text.splitlines() if s in ("good", "planted") or ": retire: " in s]
    assert len(lines) == 4 * len(planted)  # each where it was planted: not at the good number before it
    for i, (_, _, message) in enumerate(planted):
        good, wrong, *twice = lines[4 * i:4 * i + 4]
        assert (good, wrong) == ("good", "planted") and all(message in s for s in twice), (message, lines[4 * i:4 * i + 4])
    return len(planted)


def protocol(kit, work):
    """protocol_bench.sv prints `plant: MESSAGE` before each violation."""
    text = simulate(work, "protocol", kit, Path(__file__).parent / "protocol_bench.sv")
    wanted = Counter((form, line[7:]) for line in text.splitlines() if line.startswith("plant: ")
                     for form in ("sva", "plain"))
    rules = (kit / "retire_protocol.sv").read_text().count("\n  `RETIRE_RULE(")
    assert len(wanted) == 2 * rules, (len(wanted), rules)
    assert said(text) == wanted, (said(text) - wanted, wanted - said(text))
    return rules


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--heddle", type=Path, required=True)
    p.add_argument("--source", type=Path, required=True)
    o = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        kit = work / "kit"
        run(o.heddle, "kit", kit, "--cache", "1", *(w for k, v in SIZES.items() for w in (f"--{k}", v)))
        records, structs, sizes = described(o.source / "cosim/retire/retire.records", PORT)
        n = bounds(records, structs, sizes, kit, work)
        print(f"{n} bounds and {protocol(kit, work)} rules, each in two forms; {len(records)} packers")


if __name__ == "__main__":
    main()
