# SPDX-License-Identifier: Apache-2.0
"""What the tools make for the site: the manual and the map of the encodings, pictures of waves.

Nothing of it is stored: each is a file in a work folder, under a path as if it lay in the tree.
"""
import collections
import html
import os
import subprocess
import sys

# Runs with a wave: name -> arguments of `heddle run`, exit status. WORK is the work folder.
RUNS = {
    "moves": (["tests/waves/moves.s", "--grid", "1", "--block", "64", "--arg", "out:256:WORK/zeros.bin"], 0),
    "part": (["tests/waves/part.s", "--grid", "1", "--block", "32", "--fault", "60"], 1),
}
# A picture: of a run, in a view, beginning at the cycle before which a signal rises; groups that are left out; words below.
Figure = collections.namedtuple("Figure", "run view begin cycles pixels closed words")
FIGURES = {  # page -> heading behind which it stands -> figure
    "docs/views.md": {
        "scheduling": Figure("moves", ".scheduling", "what they wait for/dependency", 28, 26, (),
                             "Both warps have asked memory; each waits for its data, at a dependency counter."),
        "divergence": Figure("moves", ".divergence", "paths/push", 14, 64, (),
                             "BRA parts the lanes of warp 0, then those of warp 1: a path is pushed, the odd lanes go on."),
        "operands": Figure("moves", ".operands", "queue of memory/offered", 28, 26, (),
                             "A load waits in memory's queue, beat by beat; the load/store unit takes it."),
        "memory": Figure("moves", ".memory", "to the load/store unit/row offered", 32, 26, ("AXI", "shared memory"),
                         "A load: its rows, the check of its addresses, the request for its line."),
    },
    "docs/tutorial-read-a-difference.md": {
        "4-the-wave": Figure("part", ".divergence", "paths/push", 14, 64, ("convergence barrier",),
                             "The branch, the push, and the issue at which the checker stops (the red line)."),
    },
}


class Wrong(Exception):
    """A tool said no."""


def call(words, status=0, **how):
    done = subprocess.run(words, check=False, stderr=subprocess.PIPE, text=True, **how)
    if done.returncode != status:
        raise Wrong(f"exit status {done.returncode}, not {status}: {' '.join(words)}\n{done.stderr[-2000:]}")
    return done


def documents(root, heddle, work):
    """The manual and the map: path in the tree -> file."""
    isa = os.path.join(root, "isa/heddle.isa")
    made = {path: os.path.join(work, path) for path in ("isa/manual.md", "isa/map.md", "isa/map.svg")}
    os.makedirs(os.path.join(work, "isa"))
    call([heddle, "isa", "doc", isa, "-o", made["isa/manual.md"]])
    call([heddle, "isa", "map", isa, "--svg", made["isa/map.svg"]], stdout=subprocess.DEVNULL)
    with open(made["isa/map.md"], "w", encoding="utf-8") as f:
        f.write("# Map of the encodings\n\nA line of 128 columns for each format; `heddle isa map` draws it from "
                "[the ISA file](heddle.isa).\n\n![Map of the encodings](map.svg)\n")
    return made


def wave(root, heddle, work, name):
    """Run it with a wave; the wave as a VCD beside it."""
    words, status = RUNS[name]
    fst = os.path.join(work, name + ".fst")
    words = [word.replace("WORK", work) for word in words]
    call([heddle, "run", *words, "--config", "tiny", "--wave", fst], status, cwd=root, stdout=subprocess.DEVNULL)
    with open(os.path.join(work, name + ".vcd"), "w", encoding="ascii") as vcd:
        call(["fst2vcd", fst], stdout=vcd)


def picture(root, heddle, work, figure):
    """The SVG of a view of a run."""
    words = [sys.executable, "-B", os.path.join(root, "waves/picture.py"),
             os.path.join(work, f"{figure.run}.fst{figure.view}.gtkw"), os.path.join(work, figure.run + ".vcd"),
             "--heddle", heddle, "--from", figure.begin, "--cycles", str(figure.cycles), "--pixels", str(figure.pixels)]
    words += ["--closed", *figure.closed] if figure.closed else []
    return call(words, stdout=subprocess.PIPE).stdout


def waves(root, heddle, work):
    """Pictures of all figures: path in the tree -> file."""
    with open(os.path.join(work, "zeros.bin"), "wb") as f:
        f.write(bytes(256))
    for name in RUNS:
        wave(root, heddle, work, name)
    made = {}
    for page, figures in FIGURES.items():
        for heading, figure in figures.items():
            path = figure_path(page, heading)
            made[path] = os.path.join(work, os.path.basename(path))
            with open(made[path], "w", encoding="utf-8") as f:
                f.write(picture(root, heddle, work, figure))
    return made


def figure_path(page, heading):
    return f"{os.path.splitext(page)[0]}-{heading}.svg"


def with_figures(page, body):
    """The page's HTML with each of its figures behind the heading that it belongs to."""
    for heading, figure in FIGURES.get(page, {}).items():
        before, found, rest = body.partition(f'<h2 id="{heading}">')
        if not found:
            raise Wrong(f"{page}: has no heading {heading} for its figure")
        title, end, rest = rest.partition("</h2>")
        words = html.escape(figure.words)
        body = (f'{before}{found}{title}{end}\n<figure><img src="{os.path.basename(figure_path(page, heading))}" alt="{words}">'
                f"<figcaption>{words}</figcaption></figure>{rest}")
    return body
