# SPDX-License-Identifier: Apache-2.0
"""How long a dependent instruction waits, by each mechanism: a chain of additions of one warp.

Two chains of different length run in lockstep; the difference of their cycles, over the difference
of their lengths, is the time from an addition to the one that needs its result.

example: lab/study/control/run.sh chain --configs tiny --json /tmp/chain.json
"""
import argparse
import os
import tempfile

import common

LENGTHS = (50, 150)
WAYS = (
    ("control", "control", []),
    ("by_counters", "control", ["--by-counters"]),
    ("scoreboard", "scoreboard", []),
    ("scoreboard_bare", "scoreboard", ["--clear", "all", "--scoreboard"]),
)


def program(args, config, length, folder):
    """A chain of so many additions, assembled for the machine."""
    source, out = os.path.join(folder, "chain.s"), os.path.join(folder, "chain.elf")
    lines = [".kernel chain", "MOV R1, 0x1 ;", *["IADD3 R1, R1, 0x1, RZ ;"] * length, "EXIT ;", ".end", ""]
    with open(source, "w", encoding="utf-8") as text:
        text.write("\n".join(lines))
    common.call([args.heddle, "as", source, "--config", config, "-o", out])
    return out


def cycles_of(args, config, dep, path, folder):
    """Cycles of one warp."""
    result = os.path.join(folder, "result.json")
    common.call([args.heddle, "run", path, "--grid", "1", "--block", "32", "--config", config, "--dep", dep, "--calm",
                 "--json", result])
    return common.load(result)["counters"]["cycles"]


def measure(args, config):
    """{way: cycles from an addition to the next}"""
    table = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, dep, options in WAYS:
            took = []
            for length in LENGTHS:
                out = os.path.join(folder, "other.elf")
                common.call([args.recode, program(args, config, length, folder), *options, "-o", out])
                took.append(cycles_of(args, config, dep, out, folder))
            table[name] = (took[1] - took[0]) / (LENGTHS[1] - LENGTHS[0])
    return table


def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default="build/heddle")
    parser.add_argument("--recode", default="build/bin/control-recode")
    parser.add_argument("--configs", default="tiny,wide", help="machines (default tiny,wide)")
    parser.add_argument("--json", default="-", help="where the figures go (default -, standard output)")
    args = parser.parse_args()

    def work():
        common.store({"version": 1, "commit": common.commit(),
                      "configs": {config: measure(args, config) for config in args.configs.split(",")}}, args.json)
    return common.main(work)


if __name__ == "__main__":
    raise SystemExit(main())
