# SPDX-License-Identifier: Apache-2.0
"""What a clock does, once more for the case that is nearly always: certain values are what they mostly are.

example: python3 cmake/usual_case.py build/verilated/verilator_fpga Vgpu rst_ni=1 heddle_gpu__DOT__fault_q=0

Verilator has written one function of all that a clock does (`WHOLE=1`, verilate.sh). A copy of it goes to
PREFIX___024root__rare.cpp, as it was, for clocks at whose beginning one of the values is another; that file
is compiled without effort. In the function itself each of the values becomes a variable that begins with the
value named, and is kept in the model too whenever it is assigned: so the compiler leaves out what cannot
happen, and whatever is computed stays what it was. A value that the model does not have is passed over. An
error if what Verilator wrote does not have the form that this needs.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^#include "\w+__pch\.h"\n', re.M)
DECLARED = re.compile(r"^(?:extern const .*|void \w+\(.*\));\n", re.M)   # constants, and functions of other files (DPI)


def need(condition, text):
    if not condition:
        raise SystemExit(f"usual_case: {text}")


def usual(body, values):
    """The body of the function for the case that the values are what they mostly are."""
    for name in values:
        member = r"\bvlSelfRef\." + name + r"\b"
        need(not re.search(r"\bvlSelf->" + name + r"\b", body), f"{name} is reached in another way")
        need(not re.search(r"[&(]\s*" + member + r"\s*[),\[]\s*=[^=]", body), f"{name} is assigned in parts")
        body = re.sub(member + r"(\s*=(?!=))", rf"vlSelfRef.{name}\1 usual__{name} =", body)
        body = re.sub(member + r"(?!\s*=(?!=))", f"usual__{name}", body)
    variables = "".join(f"    auto usual__{n} = decltype(vlSelf->{n})({v}U);\n" for n, v in values.items())
    at = body.index("    // Body\n")
    return body[:at] + variables + body[at:]


def main():
    work, prefix = pathlib.Path(sys.argv[1]), sys.argv[2]
    values = dict(v.split("=") for v in sys.argv[3:])
    root = f"{prefix}___024root"
    header = (work / f"{root}.h").read_text()
    gone = [n for n in values if not re.search(rf"\b{n}\b", header)]  # what a change of the RTL made constant
    values = {n: v for n, v in values.items() if n not in gone}
    need(values, "the model has none of the values")
    classes = work / f"{prefix}_classes.mk"
    function = re.compile(rf"^void ({root}___nba_\w+)\({root}\* vlSelf\) \{{\n(.*?)^\}}\n", re.S | re.M)
    found = [(w, m) for w in sorted(work.glob(f"{root}__*.cpp")) for m in function.finditer(w.read_text())
             if w.stem in classes.read_text().split()]
    need(len(found) == 1, f"what a clock does are {len(found)} functions, not one")
    path, m = found[0]
    text, name, body = path.read_text(), m[1], m[2]
    need(not re.search(r"\(vlSelf[,)]", body), "the function calls others of the model")
    head = INCLUDE.search(text)
    call = f"        {name}(vlSelf);\n"
    need(head and text.count(call) == 1, "the function is not called once")
    need("    // Body\n" in body, "the function has no mark where its statements begin")
    case = "\n            && ".join(f"{v}U == vlSelf->{n}" for n, v in values.items())
    chosen = f"        if (VL_LIKELY({case})) {{\n    {call}        }} else {{\n    {name}__rare(vlSelf);\n        }}\n"
    declared = f"\nvoid {name}__rare({root}* vlSelf);\n"
    others = "".join(DECLARED.findall(text))
    (work / f"{root}__rare.cpp").write_text(f"{head[0]}\n{others}\nvoid {name}__rare({root}* vlSelf) {{\n{body}}}\n")
    changed = text[: m.start(2)] + usual(body, values) + text[m.end(2) :]
    changed = changed.replace(call, chosen).replace(head[0], head[0] + declared, 1)
    path.write_text(changed)
    with classes.open("a") as more:
        more.write(f"\nVM_CLASSES_SLOW += {root}__rare\n")
    print(f"usual_case: {len(values)} values of {name}" + "".join(f"; not there: {n}" for n in gone))


if __name__ == "__main__":
    main()
