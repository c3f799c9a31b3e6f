# SPDX-License-Identifier: Apache-2.0
"""Long paths as a picture: time goes to the right, a row is a register or net of the source that the path meets.

A bar is a LUT, a multiplexer, a carry chain or a memory, in the row of what it drives or of what comes to it from beside
(mapping leaves most cells no name of their own); a cell without either stays in its row. A thin line is a wire.
"""
import html
import re

import timing

LEFT, WIDTH, ROW, GAP, TOP = 270, 640, 17, 44, 46  # pixels
COLOURS = {"clock": "#555", "lut": "#2b6cb0", "mux": "#38a169", "carry": "#b7791f", "other": "#805ad5", "set-up": "#555"}
WORDS = {"clock": "clock to output, set-up", "lut": "LUT", "mux": "wide multiplexer", "carry": "carry", "other": "hard block"}


def row_of(name):
    """The name of a net or register, without the instances around all of the machine."""
    return re.sub(r"^(\w+\.)*(u_core|u_sm)\.|\bgen_\w+(\[0\])?\.|\bu_partition\.|\.mem_q$", "", timing.short(name))


def rows_of(path):
    """[(row, what, begin, end)] of the cells of a path, and the names of the rows."""
    rows, placed, row = [], [], row_of(path["from"])
    for what, begin, end, name in path["steps"]:
        if what == "wire":
            continue
        row = row_of(path["to"]) if what == "set-up" else row_of(name) if name else row
        if row not in rows:
            rows.append(row)
        placed.append((rows.index(row), what, begin, end))
    return placed, rows


def drawn(paths):
    """The picture (SVG) of some paths, one below the other with one axis."""
    longest = max(path["ns"] for path in paths)
    scale = WIDTH / longest / 1000
    text, y = [], TOP
    for path in paths:
        placed, rows = rows_of(path)
        share = round(100 * path["routing_ns"] / path["ns"])
        title = f"{path['ns']:.1f} ns, {share} % wires: {row_of(path['from'])} to {row_of(path['to'])}"
        text.append(f'<text x="10" y="{y - 8}" font-weight="bold">{html.escape(title)}</text>')
        for i, row in enumerate(rows):
            middle = y + i * ROW + ROW / 2
            text.append(f'<path d="M{LEFT} {middle}h{WIDTH}" stroke="#e2e8f0"/>')
            text.append(f'<text x="{LEFT - 8}" y="{middle + 4}" text-anchor="end">{html.escape(row)}</text>')
        before = None
        for row, what, begin, end in placed:
            x, at = LEFT + begin * scale, y + row * ROW
            if before:
                text.append(f'<path d="M{before[0]:.1f} {before[1]}L{x:.1f} {at + ROW / 2}" stroke="#4a5568" fill="none"/>')
            text.append(f'<rect x="{x:.1f}" y="{at + 3}" width="{max(1.5, (end - begin) * scale):.1f}" height="{ROW - 6}" '
                        f'fill="{COLOURS[what]}"><title>{what}, {(end - begin) / 1000:.2f} ns</title></rect>')
            before = (LEFT + end * scale, at + ROW / 2)
        y += len(rows) * ROW + GAP
    for ns in range(0, int(longest) + 1, 5):
        x = LEFT + ns * 1000 * scale
        text.append(f'<text x="{x:.1f}" y="{y - 20}" text-anchor="middle">{ns} ns</text>')
        text.append(f'<path d="M{x:.1f} {TOP}V{y - 34}" stroke="#cbd5e0" stroke-dasharray="2 3"/>')
    x = LEFT
    for what, words in WORDS.items():
        text.append(f'<rect x="{x}" y="10" width="10" height="10" fill="{COLOURS[what]}"/><text x="{x + 14}" y="19">{words}</text>')
        x += 30 + 6.2 * len(words)
    size = f'width="{LEFT + WIDTH + 20}" height="{y}" viewBox="0 0 {LEFT + WIDTH + 20} {y}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="11">',
                      '<rect width="100%" height="100%" fill="#fff"/>', *text, "</svg>\n"])
