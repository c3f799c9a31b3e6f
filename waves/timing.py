#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The timing diagrams of the AXI top, out of a run's wave: WaveDrom's JSON, and the SVG that WaveDrom makes of it.

usage: timing.py WAVE.vcd DIR [--svg]
  DIR    gets launch.json, read.json, write.json
  --svg  and DIR/axi-NAME.svg of each, by the package wavedrom (PyPI)
example: python3 waves/timing.py wave.vcd docs/img --svg
Nothing is drawn by hand: tests/waves/test_timing.sh makes the JSON of a run and compares. Where nothing is to be seen
for some cycles the picture has a gap.
"""
import json
import os
import re
import sys

import gtkw

CYCLE = 10  # units of time; inputs change at 0 of each, the clock rises at 5, outputs change behind that
CHANNELS = {  # valid: its ready, what it carries
    "s_axil_aw": ("awvalid_i", "awready_o", "awaddr_i"), "s_axil_w": ("wvalid_i", "wready_o", "wdata_i"),
    "s_axil_b": ("bvalid_o", "bready_i", "bresp_o"), "s_axil_ar": ("arvalid_i", "arready_o", "araddr_i"),
    "s_axil_r": ("rvalid_o", "rready_i", "rdata_o"),
    "m_axi_ar": ("arvalid_o", "arready_i", "arid_o", "araddr_o", "arlen_o"),
    "m_axi_r": ("rvalid_i", "rready_o", "rid_i", "rdata_i", "rlast_i"),
    "m_axi_aw": ("awvalid_o", "awready_i", "awid_o", "awaddr_o", "awlen_o"),
    "m_axi_w": ("wvalid_o", "wready_i", "wdata_o", "wstrb_o", "wlast_o"),
    "m_axi_b": ("bvalid_i", "bready_o", "bid_i", "bresp_i"),
}
CONTROL, STATUS = 0x40, 0x44  # of the host registers


def signals(channel):
    bus = channel[:channel.rindex("_") + 1]
    return [bus + name for name in CHANNELS[channel]]


class Wave:
    """cycle -> signal -> number, as the clock's edge finds it."""

    def __init__(self, path):
        wanted = {name for channel in CHANNELS for name in signals(channel)}
        with open(path, encoding="ascii") as vcd:
            self.code = {}
            for name, code in gtkw.names(vcd).items():
                # Of several ports a signal is an array, in a scope of its name; the first is drawn.
                top = re.fullmatch(r"heddle\.(\w+)(?:\.\1\[0\])?(?:\[[0-9]+:0\])?", name)
                if top and top[1] in wanted:
                    self.code[top[1]] = code
            if wanted - set(self.code):
                sys.exit(f"timing: the wave has no {', '.join(sorted(wanted - set(self.code)))}")
            self.cycles = self.sampled(vcd)

    def sampled(self, vcd):
        now, cycles, codes = {}, [], set(self.code.values())
        for time, code, value in gtkw.changes(vcd):
            while len(cycles) * CYCLE + CYCLE // 2 <= time:
                cycles.append(dict(now))
            if code in codes:
                now[code] = value
        return cycles

    def of(self, signal, cycle):
        return int(self.cycles[cycle].get(self.code[signal], "0").replace("x", "0").replace("z", "0"), 2)

    def valid(self, channel, cycle):
        return self.of(signals(channel)[0], cycle)

    def taken(self, channel, cycle):
        return self.valid(channel, cycle) and self.of(signals(channel)[1], cycle)

    def when(self, channel, begin=0, **needs):
        """Cycles in which the channel takes something with these values."""
        return [n for n in range(begin, len(self.cycles)) if self.taken(channel, n)
                and all(self.of(channel[:channel.rindex("_") + 1] + name, n) == v for name, v in needs.items())]


def diagram(wave, head, channels, ranges):
    """WaveJSON of these channels in these ranges of cycles, with a gap between any two."""
    columns = []
    for first, last in ranges:
        columns += ([None] if columns else []) + list(range(first, last + 1))
    rows = [{"name": "clk_i", "wave": "".join("|" if n is None else "p" if i == 0 else "." for i, n in enumerate(columns))}]
    for channel in channels:
        names, drawn = signals(channel), []
        for name in names:
            carried = names.index(name) > 1 and not name.endswith(("last_o", "last_i"))
            beats = "data" in name and name.startswith("m_axi")  # of 64 bits and more: numbered, their bits say nothing here
            row = {"name": name, "wave": "", "data": []}
            last = None
            for n in columns:
                seen = None if n is None else "x" if carried and not wave.valid(channel, n) else wave.of(name, n)
                if n is None:
                    row["wave"] += "|"
                elif seen == last:
                    row["wave"] += "."
                elif carried and seen != "x":
                    row["wave"] += "="
                    row["data"].append(f"beat {len(row['data'])}" if beats else f"{seen:x}")
                else:
                    row["wave"] += str(seen)
                last = seen if n is not None else last
            drawn.append(row if row["data"] else {"name": row["name"], "wave": row["wave"]})
        rows += [{}, *drawn]
    return {"signal": rows, "head": {"text": head, "tock": 0}, "config": {"hscale": 2}}


def joined(ranges, gap):
    """Ranges of cycles, in order, without gaps of fewer cycles than that."""
    out = []
    for begin, end in ranges:
        if out and begin <= out[-1][1] + gap:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((begin, end))
    return out


def launch(wave):
    writes = wave.when("s_axil_b")
    start = wave.when("s_axil_aw", awaddr_i=CONTROL)[0]
    polls = wave.when("s_axil_ar", start, araddr_i=STATUS)
    first, done = wave.when("s_axil_aw")[0], [n for n in wave.when("s_axil_r", start) if wave.of("s_axil_rdata_o", n) & 1 == 0][0]
    ranges = [(first - 1, writes[0] + 1), (start - 2, wave.when("s_axil_b", start)[0] + 1)]
    ranges += [(polls[0] - 1, wave.when("s_axil_r", polls[0])[0] + 1), (max(n for n in polls if n < done) - 1, done + 1)]
    return diagram(wave, "A launch: launch registers, START to CONTROL (0x040), STATUS (0x044): DONE",
                   ("s_axil_aw", "s_axil_w", "s_axil_b", "s_axil_ar", "s_axil_r"), joined(ranges, 2))


def burst(wave, address, data, answer, head):
    """The first burst that has more than one beat: its address, then every cycle in which its channels transfer, until the end."""
    first = next(n for n in wave.when(address) if wave.of("m_axi_" + CHANNELS[address][4], n) > 0)
    last = next(n for n in wave.when(data, first) if wave.of("m_axi_" + CHANNELS[data][4], n))
    end = wave.when(answer, last)[0] if answer != data else last
    begins = first
    while wave.valid(address, begins - 1):
        begins -= 1
    busy = [n for n in range(begins, end + 1) if any(wave.valid(c, n) for c in (address, data, answer))]
    ranges = joined([(n, n) for n in [begins - 1, *busy, end + 1]], 3)
    return diagram(wave, head, (address, data, *([answer] if answer != data else [])), ranges)


def svg(picture):
    """WaveDrom's SVG, without the bricks of its skin that the picture does not use."""
    import wavedrom
    text = wavedrom.render(json.dumps(picture)).tostring()
    used = set(re.findall(r'xlink:href="#([^"]+)"', text))
    return re.sub(r'<g id="([^"]+)">(?:<(?!g\b|/g\b)[^>]*>)*</g>', lambda brick: brick[0] if brick[1] in used else "", text)


def main(arguments):
    words = [a for a in arguments if a != "--svg"]
    if len(words) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    wave = Wave(words[0])
    pictures = {"launch": launch(wave),
                "read": burst(wave, "m_axi_ar", "m_axi_r", "m_axi_r", "A line is read: one burst"),
                "write": burst(wave, "m_axi_aw", "m_axi_w", "m_axi_b", "What lanes have stored to a line: one burst")}
    for name, picture in pictures.items():
        with open(os.path.join(words[1], f"axi-{name}.json"), "w", encoding="ascii") as f:
            rows = ",\n  ".join(json.dumps(row) for row in picture["signal"])
            f.write(f'{{"signal": [\n  {rows}],\n "head": {json.dumps(picture["head"])}, "config": {json.dumps(picture["config"])}}}\n')
        if "--svg" in arguments:
            with open(os.path.join(words[1], f"axi-{name}.svg"), "w", encoding="ascii") as f:
                f.write(svg(picture) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
