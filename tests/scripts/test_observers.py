# SPDX-License-Identifier: Apache-2.0
"""Records of the retire port are formed in rtl/retire and nowhere else, by modules that drive nothing but them.

Outside rtl/retire a name ret_* stands in the declaration of a port or net, in a connection to a port of such a name, and in an
assignment of another one, of zero, or of retire_pkg::sm_of, which puts the SM's number in; a type of retire_pkg in such a
declaration alone, and core_pkg::who, which makes a record's identity, not at all. In rtl/retire every output is ret_*, but of a
part that modules of this folder alone have; README.md there lists the modules.

usage: test_observers.py ROOT
"""
import re
import sys
import tempfile
from pathlib import Path

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
NAME = r"ret(?!_ready)(?:_\w+)?"       # ret_ready goes the other way: who looks at records holds issue
PLACE = NAME + r"(?:\.\w+|\[[^\]\n]*\])*"
PASSED_ON = re.compile(rf"""
    (?:\b(?:input|output)\s+)?\b(?:logic|wire|retire_pkg::\w+)(?:\s*\[[^;,\n]*\])?\s+{NAME}\b(?=\s*[,;)\n])  # a port or net
  | \.ret_\w+\s*\(\s*(?:{PLACE})?\s*\)                                                              # a connection
  | \bassign\s+{PLACE}\s*=\s*(?:{PLACE}|'0|1'b0|retire_pkg::sm_of\(ret_valid,\s*ret,[^;]*\))\s*;    # joined, or none
""", re.X)
FORMED = re.compile(r"\bret_(?!ready)\w+|\bretire_pkg::[a-z]\w*|\bwho\s*\(")
# What has to name them all the same.
EXCEPT = {("core_pkg.sv", "who("): "makes the identity, for modules of rtl/retire",
          ("core_pkg.sv", "retire_pkg::id_t"): "... of this type",
          ("heddle_gpu.sv", "ret_sm"): "told to be unused, where nothing leaves the port",
          ("heddle_gpu.sv", "ret_bank"): "... nor of memory",
          ("retire_hash.sv", "rh_look_o"): "where it looks: the memories of divergence have a port for it"}
OUTPUT = re.compile(r"^\s*output\b[^,\n]*?\b(\w+)\s*,?\s*$", re.M)


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def wrong(root):
    """Each place that should not be there, as a line for a person."""
    rtl = root / "rtl"
    texts = {f: COMMENT.sub(blank, f.read_text()) for f in sorted(rtl.rglob("*.sv*"))}
    for f, text in texts.items():
        if f.parent != rtl / "retire":
            text = PASSED_ON.sub(blank, text)
            for m in FORMED.finditer(text):
                if (f.name, m.group()) not in EXCEPT:
                    line = text.count("\n", 0, m.start()) + 1
                    yield f"{f}:{line}: {m.group()} is more than passed on: a record is formed in rtl/retire"
    modules = {f.stem: text for f, text in texts.items() if f.parent == rtl / "retire"}
    for name, text in modules.items():
        users = [f for f, other in texts.items() if re.search(rf"^\s*{name}\s+(#|u_)", other, re.M)]
        inside = users and all(f.parent == rtl / "retire" for f in users)
        for port in () if inside else OUTPUT.findall(text):
            if not port.startswith("ret_") and (name + ".sv", port) not in EXCEPT:
                yield f"{rtl}/retire/{name}.sv: {port} is no record: an observer drives nothing else"
    readme = rtl / "retire" / "README.md"
    listed = re.findall(r"^\| `(\w+)` \|", readme.read_text(), re.M) if readme.exists() else []
    for name in sorted({*modules} ^ {*listed}):
        yield f"{readme}: {name}: modules of the folder and rows of the table are the same"


def judged(place, text):
    """How much is wrong in a tree with this text alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rtl" / place
        path.parent.mkdir(parents=True)
        path.write_text(text)
        if path.parent.name == "retire":
            path.with_name("README.md").write_text("| `a` | a |\n")
        return len(list(wrong(Path(folder))))


def notices():
    """What is planted is found, and nothing else."""
    for place, text, count in (
            ("sm/a.sv", "  output retire_pkg::issue_t [1:0] ret_issue_o,\n  output logic ret_valid_o // ret_x = y\n);\n", 0),
            ("sm/a.sv", "  logic [retire_pkg::LINE-1:0] ret_fill_valid;\n", 0),
            ("sm/a.sv", "  b u_b (.ret_o(ret_o.front[p]), .ret_valid_o(), .ret_ready_i(ret_ready_i));\n", 0),
            ("sm/a.sv", "  assign ret_o.cache = '0;\n  assign ret_o.back[1] = ret_back;\n", 0),
            ("sm/a.sv", "  assign run = ret_ready_i && !halt_i;\n", 0),
            ("sm/a.sv", "  assign ret_o.cache = is_pc_i;\n", 1),
            ("sm/a.sv", "  assign ret_valid_o.issue = valid_q && ret_issue_valid;\n", 2),
            ("sm/a.sv", "  always_ff @(posedge clk_i) ret_issue_o <= '{pc: is_pc_i, default: '0};\n", 1),
            ("sm/a.sv", "  always_comb ret_valid_o = '0;\n", 1),
            ("sm/a.sv", "  b u_b (.is_pc_o(ret_issue_o.pc));\n", 1),
            ("sm/a.sv", "  b u_b (.ret_issue_valid_o(shown), .go_i(ret_issue_valid));\n", 2),
            ("sm/a.sv", "  assign go = ret_issue_valid;\n", 1),
            ("sm/a.sv", "  retire_pkg::issue_t now_q;\n  assign id = core_pkg::who(id_i, part_i);\n", 2),
            ("retire/a.sv", "  output logic ret_valid_o,\n  output retire_pkg::issue_t ret_o\n);\n  assign ret_o = now_q;\n", 0),
            ("retire/a.sv", "  output logic [31:0] number_o\n);\n", 1),
            ("retire/b.sv", "  output logic ret_valid_o\n);\n", 2)):
        if judged(place, text) != count:
            yield f"{place}: {judged(place, text)} wrong, not {count}: {text!r}"


root = Path(sys.argv[1])
found = [*wrong(root), *notices()]
if len(list((root / "rtl" / "retire").glob("*.sv"))) < 5:
    found.append("fewer than 5 modules in rtl/retire: this is not the tree")
print("\n".join(found) if found else "records are formed in rtl/retire")
sys.exit(1 if found else 0)
