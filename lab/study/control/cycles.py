# SPDX-License-Identifier: Apache-2.0
"""Cycles of all kernels with mechanisms of the control code left out, one by one.

Every kernel is compiled for the machine, its codes are changed by control-recode, which proves that
they suffice, and it runs in lockstep with the model, its results compared with the host's.

example: lab/study/control/run.sh cycles --configs tiny,wide --json /tmp/cycles.json
"""
import argparse
import os
import tempfile

import common

# What runs: name, dependency mode, what control-recode is asked for, which machines.
VARIANTS = (
    ("control", "control", []),
    ("scoreboard", "scoreboard", []),
    ("scoreboard_bare", "scoreboard", ["--clear", "all", "--scoreboard"]),
    ("by_counters", "control", ["--by-counters"]),
    ("stalls_15", "control", ["--stalls", "15"]),
    ("counters_1", "control", ["--counters", "1"]),
    ("no_reuse", "control", ["--clear", "reuse"]),
    ("yield_waits", "control", ["--yield-waits"]),
)


def compile_all(args, config, folder):
    """{kernel: its program}; those that the machine cannot run are left out."""
    sources = os.path.join(os.path.dirname(os.path.abspath(args.heddle)), "share", "heddle", "kernels")
    programs = {}
    for name in sorted(f[:-4] for f in os.listdir(sources) if f.endswith(".ptx")):
        if (args.only and name not in args.only.split(",")) or name in args.skip.split(","):
            continue
        path = os.path.join(folder, f"{name}.elf")
        common.call([args.heddle, "ptx", os.path.join(sources, f"{name}.ptx"), "--config", config, "-o", path])
        programs[name] = path
    return programs


def recode_all(args, programs, options, folder):
    """Writes each with other codes as `heddle kernels --programs` wants it; what the codes hold."""
    codes = {}
    for name, path in programs.items():
        out = os.path.join(folder, f"{name}.ptx.elf")
        recode = [args.recode, path, "-o", out, "--json", "-", *options]
        codes[name] = common.json.loads(common.call(recode))
        del codes[name]["file"], codes[name]["version"]
    return codes


def run_all(args, config, dep, names, folder):
    """{kernel: {cycles, warp_instructions}} of those that ran and were right, and why the others did not; of what the
    warps waited for, as the machine's event counters have it."""
    result = os.path.join(folder, "result.json")
    common.call([args.heddle, "kernels", *names, "--form", "ptx", "--programs", folder, "--on", "lockstep", "--config",
                 config, "--dep", dep, "--scale", str(args.scale), "--launches", "1", "--calm", "--latency",
                 str(args.latency), "--profile", "--json", result], statuses=(0, 1))
    ran, left_out = {}, {}
    report = common.load(result)
    for one in report["kernels"]:
        name = one["kernel"].removesuffix(".ptx")
        if one.get("ok"):
            ran[name] = {key: one[key] for key in ("cycles", "warp_instructions")}
        elif "lacking" in one or "refuses the launch" in one.get("why", ""):
            left_out[name] = "lacks " + one["lacking"] if "lacking" in one else "a block is too large"
        else:
            raise common.Failed(f"{config}, {dep}: {name}: {one.get('why', 'failed')}")
    return {"kernels": ran, "events": report["counters"]}, left_out


def measure(args, config):
    """All variants on one machine."""
    figures = {"variants": {}, "codes": {}}
    with tempfile.TemporaryDirectory() as top:
        programs = compile_all(args, config, top)
        for name, dep, options in VARIANTS:
            if args.variants and name not in args.variants.split(","):
                continue
            common.progress(f"{config}: {name}")
            folder = os.path.join(top, name)
            os.mkdir(folder)
            figures["codes"][name] = recode_all(args, programs, options, folder)
            figures["variants"][name], left_out = run_all(args, config, dep, list(programs), folder)
            if left_out:
                figures["left_out"] = left_out
    common.progress("")
    return figures


def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default="build/heddle")
    parser.add_argument("--recode", default="build/bin/control-recode")
    parser.add_argument("--configs", default="tiny,wide", help="machines (default tiny,wide)")
    parser.add_argument("--only", help="these kernels, with commas between")
    parser.add_argument("--skip", default="", help="not these kernels")
    parser.add_argument("--variants", help="these variants, with commas between: " + " ".join(v[0] for v in VARIANTS))
    parser.add_argument("--scale", type=int, default=0, help="size of the kernels, 0 or 1 (default 0)")
    parser.add_argument("--latency", type=int, default=100, help="cycles until memory answers (default 100)")
    parser.add_argument("--json", default="-", help="where the figures go (default -, standard output)")
    args = parser.parse_args()

    def work():
        figures = {"version": 1, "commit": common.commit(), "scale": args.scale, "latency": args.latency,
                   "configs": {config: measure(args, config) for config in args.configs.split(",")}}
        common.store(figures, args.json)
    return common.main(work)


if __name__ == "__main__":
    raise SystemExit(main())
