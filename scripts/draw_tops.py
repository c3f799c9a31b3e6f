#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The core in ten drawings: each top of rtl/ as a block diagram, made of its instances.

usage: scripts/draw_tops.py [--write] [MODULE ...]
  example: scripts/draw_tops.py lsu          prints lsu's drawing as a graph for dot
  --write   write docs/img/top-NAME.svg of all of them (needs Debian's graphviz); without it they are
            compared (exit status 1: a drawing is not what the text says): each ends with the digest
            of the graph that it was drawn of

An instance is a box. An arrow is what one drives (_o) and another reads (_i): nets of one name up to
the first part are one arrow, and its words are those names. Clock, reset, injected faults and the
nets of the retire port are left out; what makes records is a box. What a top drives by itself is
drawn as a dot.
"""
import hashlib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RTL = ROOT / "rtl"
OUT = ROOT / "docs" / "img"
TOPS = ("gpu", "sm", "partition", "front", "issue", "back", "mem_top", "lsu", "global_pipe", "order")
LEFT_OUT = re.compile(r"^(clk|rst_?n\w*|fault|ret_\w*|is_cnt\w*|unused\w*|launch|straps?)$")


def stripped(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def source(module):
    found = sorted(RTL.rglob(module + ".sv"))
    if len(found) != 1:
        sys.exit(f"draw_tops: {module}: {len(found)} files of that name in rtl/; name a module of one")
    return found[0]


def balanced(text, start):
    """The end of the parenthesis that opens at start."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    sys.exit("draw_tops: a parenthesis is not closed")


def ports_of(text):
    """Name of each port of the module: True for an output."""
    body = text[: text.index(");")]
    found = {}
    for direction, name in re.findall(r"^\s*(input|output)\b[^,\n]*?\b(\w+)\s*,?\s*$", body, flags=re.M):
        found[name] = direction == "output"
    return found


def instances(text):
    """Module, name and connections of each instance."""
    for match in re.finditer(r"^\s*(\w+)\s*(#\s*)?(?=\(|\w+\s*\()", text, flags=re.M):
        module = match.group(1)
        if module in ("module", "if", "for", "assign", "function", "else", "case", "begin", "always_comb"):
            continue
        at = match.end()
        if match.group(2):
            at = balanced(text, text.index("(", at)) + 1
        name = re.compile(r"\s*(u_\w+)\s*\(").match(text, at)
        if not name:
            continue
        end = balanced(text, name.end() - 1)
        yield module, name.group(1), re.findall(r"\.(\w+)\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)", text[name.end():end])


def nets(expression):
    """Names in a connection, each with its index if that is a number; without constants, casts and packages."""
    expression = re.sub(r"\w+::\w+|'[bdh][0-9a-fA-FxXzZ_]+|\w+'\(|\.\w+|\[[^\]]*[^\d\]][^\]]*\]", " ", expression)
    return [(name, index) for name, index in re.findall(r"\b([A-Za-z_]\w*)(\[\d+\])?", expression)]


def meets(one, other):
    """Two nets are one, or one is an element of the other."""
    return one[0] == other[0] and (one[1] == other[1] or not one[1] or not other[1])


def short(net):
    net = re.sub(r"_[ioq]$", "", net)
    net = re.sub(r"^(p_|n_)", "", net)
    return re.sub(r"_(valid|ready)$", "", net)


def group(net):
    """Nets that travel together: one arrow's word."""
    parts = short(net).split("_")
    return "_".join(parts[:2]) if len(parts) > 1 else parts[0]


def drawing(module):
    text = stripped(source(module).read_text(encoding="utf-8"))
    ports = ports_of(text)
    boxes, drives, reads = {}, {}, {}
    for kind, name, connections in instances(text):
        boxes[name] = kind
        for port, expression in connections:
            for net in nets(expression):
                if not LEFT_OUT.match(short(net[0])) and not LEFT_OUT.match(re.sub(r"_[io]$", "", port)):
                    (drives if port.endswith("_o") else reads).setdefault(net, set()).add(name)
    for net, output in ports.items():
        if not LEFT_OUT.match(short(net)):
            (reads if output else drives).setdefault((net, ""), set()).add("outside")
    # What stands between two instances in an assign of the top, one step of it.
    for name, index, value in re.findall(r"\bassign\s+(\w+)(\[\d+\])?(?:\[[^\]]*\])?\s*=\s*([^;]*);", text):
        if any(meets((name, index), net) for net in reads) and not any(meets((name, index), net) for net in drives):
            for net in nets(value):
                for other in [o for o in drives if meets(net, o)]:
                    drives.setdefault((name, index), set()).update(drives[other])
    edges = {}
    for net, sources in drives.items():
        for other in [o for o in reads if meets(net, o)]:
            for driver in sources:
                for reader in reads[other] - {driver}:
                    if not re.search(r"_ready(_[io])?$", net[0]):
                        edges.setdefault((driver, reader), set()).add(group(net[0]))
    lines = [f"// Made by scripts/draw_tops.py from {source(module).relative_to(ROOT)}; do not edit.",
             f"digraph {module} {{",
             "  rankdir=TB; nodesep=0.35; ranksep=0.6;",
             '  node [shape=box, style=rounded, fontname="Helvetica", fontsize=11];',
             '  edge [fontname="Helvetica", fontsize=8, color="#555555", arrowsize=0.6];']
    if any("outside" in pair for pair in edges):
        lines += [f'  outside_in [label="into {module}", shape=plaintext];',
                  f'  outside_out [label="out of {module}", shape=plaintext];']
    for name in boxes:
        label = boxes[name] if name == "u_" + boxes[name] else f"{boxes[name]}\\n{name[2:]}"
        lines.append(f'  {name} [label="{label}"];')
    for driver, reader in sorted(edges):
        words = sorted(w for w in edges[driver, reader] if w.split("_")[0] == w or w.split("_")[0] not in edges[driver, reader])
        shown = words[:5] + (["..."] if len(words) > 5 else [])
        begin = "outside_in" if driver == "outside" else driver
        end = "outside_out" if reader == "outside" else reader
        label = "\\n".join(shown)
        lines.append(f'  {begin} -> {end} [label="{label}"];')
    return "\n".join(lines + ["}", ""])


def mark(graph):
    """What a picture of it ends with."""
    return f"<!-- sha256 of its graph: {hashlib.sha256(graph.encode()).hexdigest()} -->\n"


def picture(graph):
    return subprocess.run(["dot", "-Tsvg"], input=graph, stdout=subprocess.PIPE, check=True, text=True).stdout + mark(graph)


def main(words):
    write = "--write" in words
    named = [w for w in words if not w.startswith("-")]
    if "-h" in words or "--help" in words:
        print(__doc__.strip())
        return 0
    if [w for w in words if w.startswith("-") and w != "--write"]:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    if named:
        for module in named:
            print(drawing(module), end="")
        return 0
    stale = []
    for module in TOPS:
        path, graph = OUT / f"top-{module}.svg", drawing(module)
        if write:
            path.write_text(picture(graph), encoding="utf-8")
        elif not path.exists() or not path.read_text(encoding="utf-8").endswith(mark(graph)):
            stale.append(path)
    for path in stale:
        print(f"{path.relative_to(ROOT)} is not what rtl/ says; scripts/draw_tops.py --write mends it")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
