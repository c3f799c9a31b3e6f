# SPDX-License-Identifier: Apache-2.0
"""Runs a kernel in assembly on the RTL and says how many cycles it took; draws points."""
import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
HEDDLE = ROOT / "build/heddle"


class Rig:
    """A machine whose memory answers after exactly `latency` cycles."""

    def __init__(self, config, latency):
        self.config, self.latency = config, latency
        self.folder = tempfile.TemporaryDirectory()

    def cycles(self, source, block, args):
        """Cycles of one block of that many threads; `args` as of heddle run."""
        file = pathlib.Path(self.folder.name) / "kernel.s"
        file.write_text(source, encoding="utf-8")
        command = [HEDDLE, "run", file, "--grid", "1", "--block", str(block), "--on", "rtl", "--config", self.config,
                   "--calm", "--latency", str(self.latency), "--max-cycles", "100000000", "--json", "-"]
        for a in args:
            command += ["--arg", a]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr + "error: " + " ".join(map(str, command)))
        return json.loads(done.stdout)["result"]["cycles"]

    def number(self, key):
        """A number of the machine's configuration, by its key."""
        text = (ROOT / f"build/gen/{self.config}/cfg_pkg.sv").read_text(encoding="utf-8")
        return int(re.search(rf" {key.upper()} = (\d+);", text)[1])


def draw(png, title, xlabel, ylabel, lines, extra=""):
    """Lines: (title, style, points) each, into a PNG by gnuplot."""
    script = f"""set terminal pngcairo size 1000,560 font 'sans,11'
set output '{png}'
set title '{title}'
set xlabel '{xlabel}'
set ylabel '{ylabel}'
set key left top
set grid
set logscale x 2
{extra}
plot {", ".join(f"'-' with {style} title '{name}'" for name, style, _ in lines)}
"""
    for _, _, points in lines:
        script += "".join(f"{x} {y}\n" for x, y in points) + "e\n"
    subprocess.run(["gnuplot"], input=script, text=True, check=True)
