# SPDX-License-Identifier: Apache-2.0
"""issue with its dependency mode fixed, as a top of its own: what the logic of one mode takes.

usage: issue_mode.py ISSUE.sv NAME 0|1     example: issue_mode.py rtl/issue/issue.sv issue_scoreboard 1

Writes on stdout a module NAME with the ports of ISSUE.sv, whose launch_i.scoreboard is the constant. In a
machine the launch chooses the mode, so both are there; here synthesis takes the other one away.
"""
import re
import sys


def ports(text):
    """The lines between the module's parentheses, and the names of the ports in order."""
    head = re.search(r"^module issue #\(.*?^\) \(\n(.*?)^\);", text, re.M | re.S)
    if not head:
        raise SystemExit("issue_mode.py: no 'module issue #(' with ports found")
    bare = re.sub(r"//[^\n]*", "", head[1])
    return bare, re.findall(r"\b([a-z0-9_]+_(?:i|o|ni))\b\s*(?:,|$)", bare, re.M)


def wrapper(text, name, scoreboard):
    lines, names = ports(text)
    lines = "\n".join(line.rstrip() for line in lines.splitlines() if line.strip())
    joined = ",\n".join(f"    .{n} ({'launch' if n == 'launch_i' else n})" for n in names)
    return (f"// Made by lab/fpga/synth/issue_mode.py of rtl/issue/issue.sv.\nmodule {name} (\n{lines}\n);\n\n"
            f"  core_pkg::launch_t launch;\n  always_comb begin\n    launch            = launch_i;\n"
            f"    launch.scoreboard = 1'b{scoreboard};\n  end\n\n  issue u_issue (\n{joined}\n  );\n\n"
            f"endmodule\n")


def main():
    if len(sys.argv) != 4 or sys.argv[3] not in ("0", "1"):
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as f:
        sys.stdout.write(wrapper(f.read(), sys.argv[2], sys.argv[3]))


if __name__ == "__main__":
    main()
