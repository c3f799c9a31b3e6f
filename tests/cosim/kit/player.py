# SPDX-License-Identifier: Apache-2.0
"""A core that plays records: a small Verilog module with the flat port of `heddle kit`, from what port_words printed."""

import re
from pathlib import Path

WORDS_MAX = 1 << 16  # of a player's memory: it is built once for all runs


class Run:
    """What port_words printed of a trace: sizes, records, the end."""

    def __init__(self, text):
        self.records, self.left = [], []  # left: offset and word in turn
        for line in text.splitlines():
            key, *words = line.split()
            if key == "sizes":
                names = "lanes warps blocks partitions shared read_age pred_age clock_ahead scoreboard its".split()
                self.sizes = dict(zip(names, map(int, words)))
            elif key == "image":
                self.image = words[0]
            elif key == "record":
                self.records.append((*map(int, words[:4]), [int(w, 16) for w in words[4:]]))
            elif key == "end":
                self.end = int(words[0])
            elif key == "left":
                self.left += words
        self.sizes["partitions"] = max(self.sizes["partitions"], 1)

    def core(self, **more):
        """The core's declaration."""
        own = {"name": "core", **self.sizes, "banks": 32, **more}
        return " ".join(f"{k}={v}" for k, v in own.items())


def layout(vpi_module):
    """[(name, instances, words of one)] of each kind, from the ports of retire_vpi.v."""
    kinds = []
    for name, high_valid, high in re.findall(
            r"input wire \[(?=\d+:0\] ret_(\w+)_valid)(\d+):0\] \w+,\n  input wire \[(\d+):0\]", vpi_module):
        n = int(high_valid) + 1
        kinds.append((name, n, (int(high) + 1) // n // 32))
    return kinds


def hex_words(run, kinds):
    """The player's memory: cycle, {valid bit, first word, words}, the words; at the end ffffffff and a cycle."""
    first_valid, first_word, v, w = [], [], 0, 0
    for _, n, words in kinds:
        first_valid.append(v)
        first_word.append(w)
        v, w = v + n, w + n * words
    out, taken = [], set()
    for cycle, kind, partition, port, data in run.records:
        n, words = kinds[kind][1:]
        assert len(data) == words and cycle >= 1, (kinds[kind], len(data), cycle)
        i = (partition * (n // run.sizes["partitions"]) + port) % n
        assert (cycle, kind, i) not in taken, "two records at one place of the port"
        taken.add((cycle, kind, i))
        out += [cycle, first_valid[kind] + i << 20 | first_word[kind] + i * words << 8 | words, *data]
    return out + [0xFFFFFFFF, run.end], v, w


PLAYER = """// A core that plays what it is told (tests/cosim/kit/player.py).
module player (input wire clk, input wire rst_n, output reg [63:0] cycle, output reg done,
{ports});
  reg [31:0] mem [0:{last}];
  reg [{all_high}:0] all, all_next;
  reg [{valid_high}:0] valid, valid_next;
  integer p, k;
  initial $readmemh("{hex}", mem);
{slices}
  always @(posedge clk) begin
    valid_next = 0;
    all_next = all;
    if (!rst_n) begin
      p = 0;
      cycle <= 0;
      done <= 0;
    end else begin
      while (mem[p] == cycle[31:0] + 1) begin
        valid_next[mem[p+1][31:20]] = 1;
        for (k = 0; k < mem[p+1][7:0]; k = k + 1) all_next[(mem[p+1][19:8] + k) * 32 +: 32] = mem[p+2+k];
        p = p + 2 + mem[p+1][7:0];
      end
      done <= mem[p] == 32'hffffffff && cycle[31:0] + 1 >= mem[p+1];
      cycle <= cycle + 1;
    end
    valid <= valid_next;
    all <= all_next;
  end
endmodule
"""


def write_player(run, kit, folder):
    """player.v, player.hex and final.hex in `folder`; `kit` is where `heddle kit` wrote. The layout of the port."""
    kinds = layout((kit / "retire_vpi.v").read_text())
    words, valids, total = hex_words(run, kinds)
    assert len(words) <= WORDS_MAX
    folder = Path(folder)
    (folder / "player.hex").write_text("".join(f"{w if isinstance(w, str) else format(w, '08x')}\n" for w in words))
    (folder / "final.hex").write_text("".join(f"{w}\n" for w in run.left))
    ports, slices, v, w = [], [], 0, 0
    for name, n, size in kinds:
        ports += [f"  output wire [{n - 1}:0] ret_{name}_valid", f"  output wire [{n * size * 32 - 1}:0] ret_{name}"]
        slices += [f"  assign ret_{name}_valid = valid[{v} +: {n}];",
                   f"  assign ret_{name} = all[{32 * w} +: {n * size * 32}];"]
        v, w = v + n, w + n * size
    (folder / "player.v").write_text(
        PLAYER.format(ports=",\n".join(ports), slices="\n".join(slices), last=WORDS_MAX - 1, all_high=32 * total - 1,
                      valid_high=valids - 1, hex=folder / "player.hex"))
    return kinds


def nets(kinds, of=""):
    """Declarations that join the player with whatever listens, and the list of ports; `of` an interface: "ret."."""
    declare = "".join(f"  wire [{n - 1}:0] ret_{name}_valid;\n  wire [{n * size * 32 - 1}:0] ret_{name};\n"
                      for name, n, size in kinds)
    join = ",\n".join(f"    .ret_{name}_valid({of}ret_{name}_valid), .ret_{name}({of}ret_{name})" for name, _, _ in kinds)
    return declare, join
