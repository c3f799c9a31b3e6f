# SPDX-License-Identifier: Apache-2.0
"""What the scripts of this study share."""
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
FIGURES = os.path.join(HERE, "figures")


class Failed(Exception):
    """What went wrong, in a sentence."""


def progress(text):
    """What is being done, on a terminal only."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}" if text else "\r\033[K")
        sys.stderr.flush()


def call(command, statuses=(0,), **more):
    """Runs a command; its output. Failed, with the end of what it said, at another exit status."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **more)
    if done.returncode not in statuses:
        said = (done.stderr or done.stdout).strip().splitlines()[-3:]
        raise Failed(f"{' '.join(command)}: exit status {done.returncode}: {' / '.join(said)}")
    return done.stdout


MEASURED = ("rtl", "isa/configs", "compiler", "firmware/kernels")


def commit():
    """The last commit that changed what is measured, with -dirty where it is not as committed."""
    last = call(["git", "-C", ROOT, "log", "-1", "--format=%h", "--abbrev=8", "--", *MEASURED]).strip()
    return last + ("-dirty" if call(["git", "-C", ROOT, "status", "--porcelain", "--", *MEASURED]) else "")


def load(path):
    """A JSON file of ours; Failed if it is none."""
    try:
        with open(path, encoding="utf-8") as text:
            return json.load(text)
    except (OSError, ValueError) as error:
        raise Failed(f"{path}: {error}") from error


def store(figures, path):
    """Writes figures to a file, or with - to standard output."""
    text = json.dumps(figures, indent=1, sort_keys=True) + "\n"
    text = re.sub(r"[{\[][^{}\[\]]*[}\]]", lambda leaf: " ".join(leaf[0].split()), text)  # a line each
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        raise Failed(f"cannot write '{path}': {error.strerror}") from error


def main(work):
    """Exit status of work(): 1 if it Failed, with the reason on standard error."""
    try:
        work()
    except Failed as error:
        progress("")
        print(f"control study: error: {error}", file=sys.stderr)
        return 1
    return 0
