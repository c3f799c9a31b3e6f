# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/study-control-codes.md, from lab/study/control/figures/{area,chain,cycles,toggles}.json.

A table stands there between `<!-- study: NAME -->` and `<!-- end -->`. Without an option they are
written anew; --check changes nothing, and exit status 1 says that the page has others.

example: lab/study/control/run.sh tables --check
"""
import argparse
import math
import os
import re

import common

PAGE = os.path.join(common.ROOT, "docs", "study-control-codes.md")
MARK = re.compile(r"(<!-- study: (\w+) -->\n)(.*?)(<!-- end -->)", re.S)
MACHINE_NAMES = {
    "all": "everything, as the machine is", "no_stalls": "without stall counts",
    "no_counters": "without dependency counters", "no_rbar": "without read counters",
    "no_depbar": "without DEPBAR", "no_yield": "without yield", "no_scoreboard": "codes alone: no scoreboard",
    "lean_codes": "codes alone, and no read counters, no DEPBAR", "only_counters": "counters alone",
    "only_scoreboard": "scoreboard alone", "none": "nothing waits for a result"}
VARIANT_NAMES = {
    "control": "codes as compiled", "scoreboard": "scoreboard, the same codes",
    "scoreboard_bare": "scoreboard, no codes at all", "by_counters": "counters await everything, stalls of 1",
    "stalls_15": "every fixed latency taken for 15", "counters_1": "one counter in place of six",
    "no_reuse": "reuse cleared", "yield_waits": "a warp that waits yields"}
GROUP_NAMES = {
    "counters": "counters, bits that change", "stall_counts": "stall counts, bits that change",
    "scoreboard": "scoreboard, bits that change", "reuse": "reuse cache, its directory, bits that change",
    "bank_reads": "register banks, rows read", "bank_outputs": "register banks, output bits that change",
    "reuse_reads": "reuse cache, words read", "reuse_outputs": "reuse cache, output bits that change"}
PARTS = (("stalls", "stall", 4, "above 1"), ("yields", "yield", 1, "set"), ("wbars", "write counter", 3, "raised"),
         ("rbars", "read counter", 3, "raised"), ("waits", "wait mask", 6, "not empty"),
         ("reuses", "reuse", 4, "set"))


def rows(head, lines):
    """A table in Markdown."""
    out = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(out + ["| " + " | ".join(line) + " |" for line in lines]) + "\n"


def signed(number):
    """+12, −3, 0."""
    return f"+{number:,}" if number > 0 else f"−{-number:,}" if number < 0 else "0"


def percent(ratio):
    """A ratio as a change: +4.1 %."""
    change = 100 * (ratio - 1)
    return "0" if abs(change) < 0.05 else f"{'+' if change > 0 else '−'}{abs(change):.1f} %"


def table_mechanisms(figures):
    """Machines of dependence.sv, at the machine's number of warps."""
    found, fast = figures["area"]["dependence"]["tiny"]["4"], figures["area"]["speed"]
    whole = found["all"]
    return rows(
        ("machine", "LUT4", "FF", "LUT memories", "LUT sites", "against everything", "least to most", "for speed: sites",
         "ns", "MHz"),
        [(MACHINE_NAMES[name], f"{r['lut4']:,}", f"{r['ff']:,}", str(r["dpr16x4"]), f"{r['sites']:,}",
          signed(r["sites"] - whole["sites"]), "{:,} to {:,}".format(*r["sites_between"]), f"{fast[name]['sites']:,}",
          str(fast[name]["ns"]), f"{1000 / fast[name]['ns']:.1f}")
         for name in MACHINE_NAMES if (r := found.get(name))])


def table_scale(figures):
    """What each way takes over nothing at all, by warps."""
    lines = []
    for config, by_warps in figures["area"]["dependence"].items():
        for warps in sorted(by_warps, key=int):
            found = by_warps[warps]
            cells = [f"`{config}`", warps]
            for name in ("no_scoreboard", "lean_codes", "only_scoreboard"):
                over = {k: found[name][k] - found["none"][k] for k in ("lut4", "ff", "dpr16x4", "sites")}
                cells.append(f"{over['lut4']:,} · {over['ff']:,} · {over['dpr16x4']} · **{over['sites']:,}**")
            lines.append(cells)
    return rows(("machine", "warps", "codes: LUT4 · FF · memories · **sites**",
                 "codes without read counters, DEPBAR", "scoreboard"), lines)


def table_alone(figures):
    """Modules as tops of their own."""
    found = figures["area"]["alone"]
    lines = []
    for name, r in sorted(found.items(), key=lambda item: (item[0].split()[0], *map(int, item[0].split()[1:]))):
        module, *numbers = name.split()
        what = f"`{module}`, {numbers[0]} warps"
        if module == "plane_counters":
            what = f"one counter a warp, {numbers[0]} warps: {numbers[1]} bits, {numbers[2]} falls a cycle"
        lines.append((what, f"{r['lut4']:,}", f"{r['ff']:,}", str(r["dpr16x4"]), f"{r['sites']:,}", str(r["ns"])))
    return rows(("module", "LUT4", "FF", "LUT memories", "LUT sites", "ns"), lines)


def table_reuse(figures):
    """The reuse cache as a top of its own."""
    keys = ("lut4", "ff", "dpr16x4", "dp16kd", "sites")
    return rows(("reuse cache", "LUT4", "FF", "LUT memories", "block RAM", "LUT sites", "ns"),
                [(f"`{config}`", *(f"{r[key]:,}" for key in keys), str(r["ns"]))
                 for config, r in figures["area"]["reuse"].items()])


def ratios(config, name):
    """{kernel: cycles over those of control}"""
    base, other = (config["variants"][v]["kernels"] for v in ("control", name))
    return {kernel: other[kernel]["cycles"] / base[kernel]["cycles"] for kernel in base if kernel in other}


def table_cycles(figures):
    """Each variant against the codes as compiled."""
    lines = []
    configs = figures["cycles"]["configs"]
    for name, what in VARIANT_NAMES.items():
        cells = [what]
        for config in configs.values():
            found = ratios(config, name)
            mean = math.exp(sum(map(math.log, found.values())) / len(found))
            most, least = max(found, key=found.get), min(found, key=found.get)
            cells.append(percent(mean))
            cells.append("" if name == "control" else
                         f"{percent(found[least])} `{least}` to {percent(found[most])} `{most}`")
        lines.append(cells)
    head = ["codes"]
    for config_name, config in configs.items():
        head += [f"`{config_name}`: mean of {len(config['variants']['control']['kernels'])}", "from, to"]
    return rows(head, lines)


def table_chain(figures):
    """Cycles from an addition to one that needs its result."""
    configs = figures["chain"]["configs"]
    return rows(["an addition after the one that it needs"] + [f"`{name}`: cycles" for name in configs],
                [[VARIANT_NAMES[name]] + [f"{config[name]:g}" for config in configs.values()]
                 for name in ("control", "by_counters", "scoreboard", "scoreboard_bare")])


def table_kernels(figures):
    """Kernel by kernel: cycles as compiled, and what others take more."""
    lines = []
    shown = ("scoreboard", "scoreboard_bare", "by_counters", "no_reuse")
    configs = figures["cycles"]["configs"]
    for kernel in sorted({k for c in configs.values() for k in c["variants"]["control"]["kernels"]}):
        cells = [f"`{kernel}`"]
        for config in configs.values():
            own = config["variants"]["control"]["kernels"].get(kernel)
            cells.append(f"{own['cycles']:,}" if own else "–")
            cells += [percent(ratios(config, name)[kernel]) if own else "–" for name in shown]
        lines.append(cells)
    head = ["kernel"]
    for name in configs:
        head += [f"`{name}`: cycles", "scoreboard, codes", "scoreboard, none", "counters", "no reuse"]
    return rows(head, lines)


def table_waits(figures):
    """What live warps did, of all cycles of all warps, in per cent."""
    lines = []
    classes = ("issued", "wait", "stall", "pipe", "not_selected", "memory", "fetch", "sync", "const")
    for config_name, config in figures["cycles"]["configs"].items():
        for name in ("control", "scoreboard", "scoreboard_bare", "by_counters"):
            events = config["variants"][name]["events"]
            total = sum(events[key] for key in (*classes, "other"))
            lines.append([f"`{config_name}`", VARIANT_NAMES[name]]
                         + [f"{100 * events[key] / total:.1f}" for key in classes])
    return rows(("machine", "codes", "issued", "counter or scoreboard", "stall count", "operand stage",
                 "not selected", "no room", "fetch", "sync", "constant"), lines)


def table_toggles(figures):
    """Sums over the kernels, an instruction."""
    found, bits = figures["toggles"]["variants"], figures["toggles"]["bits"]
    names = [name for name in VARIANT_NAMES if name in found]
    lines = []
    for group, what in GROUP_NAMES.items():
        cells = [what, f"{bits[group]:,}"]
        for name in names:
            issued = sum(k["warp_instructions"] for k in found[name].values())
            cells.append(f"{sum(k[group] for k in found[name].values()) / issued:.2f}")
        lines.append(cells)
    return rows(["a warp instruction", "bits there"] + [VARIANT_NAMES[name] for name in names], lines)


def table_bits(figures):
    """The parts of a code, and in how many instructions of the kernels each says something."""
    codes = {name: config["codes"]["control"] for name, config in figures["cycles"]["configs"].items()}
    totals = {name: sum(k["instructions"] for k in kernels.values()) for name, kernels in codes.items()}
    lines = []
    for key, what, bits, says in PARTS:
        cells = [what, str(bits), f"{100 * bits / 128:.1f} %", says]
        for name, kernels in codes.items():
            cells.append(f"{100 * sum(k[key] for k in kernels.values()) / totals[name]:.1f} %")
        lines.append(cells)
    lines.append(["together", "21", f"{100 * 21 / 128:.1f} %", "", *[""] * len(codes)])
    return rows(["part", "bits", "of the word", "it says something when",
                 *(f"of `{name}`'s {totals[name]:,} instructions" for name in codes)], lines)


def renewed(text, figures):
    """The page with its tables made anew."""
    def table(match):
        make = globals().get(f"table_{match[2]}")
        if make is None:
            raise common.Failed(f"{PAGE}: no table is called '{match[2]}'")
        return match[1] + make(figures) + match[4]
    return MARK.sub(table, text)


def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("--json", help="the figures of all tables, as one object (-: standard output)")
    args = parser.parse_args()

    def work():
        figures = {name: common.load(os.path.join(common.FIGURES, f"{name}.json"))
                   for name in ("area", "chain", "cycles", "toggles")}
        if args.json:
            common.store(figures, args.json)
        with open(PAGE, encoding="utf-8") as page:
            text = page.read()
        after = renewed(text, figures)
        if args.check and after != text:
            raise common.Failed(f"{PAGE} has other tables than lab/study/control/figures; lab/study/control/run.sh tables")
        if after != text:
            with open(PAGE, "w", encoding="utf-8") as page:
                page.write(after)
    return common.main(work)


if __name__ == "__main__":
    raise SystemExit(main())
