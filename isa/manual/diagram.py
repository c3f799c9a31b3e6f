# SPDX-License-Identifier: Apache-2.0
"""A picture of the bits of an encoding: rows of 32, bit 127 or whichever is asked for first. SVG that reads in light and
dark and on paper, whose text can be searched."""
import html

BIT, BOX, NUMBER = 22, 24, 10  # pixels: a bit, the height of a box, of the numbers above it
COLORS = {"fixed": "#888888", "a": "#1b9e77", "b": "#377eb8", "c": "#8a7fd0", "result": "#e4604e", "guard": "#f08c1e",
          "predicate": "#d8b40a", "suffix": "#e66ab0", "number": "#66a61e", "control": "#9b59b6"}
CONTROL = ("stall", "yield", "sbset", "sbwait", "reuse")


def what(run, fields):
    """What a run of bits is for: a key of COLORS; None: reserved."""
    if "field" not in run:
        return None
    field = fields[run["field"]]
    kind = field["kind"]
    if "value" in run:
        return "fixed"
    if "operand" in run or "changes" in run:
        return run.get("operand") or run["changes"]
    if kind in ("guard", "uguard"):
        return "guard"
    if "pred." in kind:
        return "predicate"
    if kind.endswith(".write"):
        return "result"
    if kind in CONTROL:
        return "control"
    return "suffix" if field["set"] else "number"


def label(run):
    if "field" not in run:
        return "0"
    return run["field"] + (f" {run['value']:#x}" if "value" in run else "")


def text(x, y, size, words, anchor="middle"):
    return (f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" fill="currentColor">'
            f"{html.escape(words)}</text>")


def box(hi, lo, row_hi, y, run, color):
    """The part of a run that lies in one row."""
    x, w = (row_hi - hi) * BIT, (hi - lo + 1) * BIT
    top = y + NUMBER
    fill = f'fill="{color}" fill-opacity="0.3"' if color else 'fill="none"'
    words = label(run)
    out = [f'<rect x="{x + 0.5:g}" y="{top:g}" width="{w - 1:g}" height="{BOX}" {fill} stroke="currentColor" '
           'stroke-opacity="0.45"/>',
           text(x + w / 2, top + BOX / 2 + 4, min(11, (w - 3) / (0.62 * len(words))), words)]
    if hi == lo:
        out.append(text(x + w / 2, top - 2, 7, str(hi)))
    else:
        out += [text(x + 2, top - 2, 7, str(hi), "start"), text(x + w - 2, top - 2, 7, str(lo), "end")]
    return "".join(out)


def rows(form):
    """The words of 32 bits, as what stands in them: what can be compared with another form's."""
    found = []
    for row_hi in range(127, 0, -32):
        row_lo = row_hi - 31
        found.append((row_hi, [(min(r["hi"], row_hi), max(r["lo"], row_lo), r) for r in form["bits"]
                               if r["lo"] <= row_hi and r["hi"] >= row_lo]))
    return found


def svg(shown, fields, name):
    """The picture of some rows."""
    height = len(shown) * (NUMBER + BOX + 4)
    out = [f'<svg class="bits" role="img" aria-label="{html.escape(name)}" xmlns="http://www.w3.org/2000/svg" '
           f'viewBox="0 0 {32 * BIT} {height}" style="width:100%;max-width:{32 * BIT}px;height:auto" '
           'font-family="sans-serif">']
    for i, (row_hi, cells) in enumerate(shown):
        for hi, lo, run in cells:
            out.append(box(hi, lo, row_hi, i * (NUMBER + BOX + 4), run, COLORS.get(what(run, fields))))
    return "".join(out) + "</svg>"
