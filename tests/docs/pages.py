#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run what the pages say, as a reader would: every command of their fenced blocks, in order.

usage: pages.py [--write] ROOT BUILD PAGE ... [--read PAGE ...]
  ROOT   the source tree; pages are named relative to it
  BUILD  a build of it, whose heddle and devices are used
  --read nothing is run of these; what they do not run counts for exceptions.py
Each page has a scratch folder that looks like ROOT, with BUILD as build/. Blocks:
  sh       commands; each must succeed
  console  "$ command", and what it prints; "…" is any text, on a line of its own any lines. Numbers that
           may be others stand in a comment in front of the block: <!-- varies: 556 0x1f -->; each is
           the same wherever it stands
  text     no commands
  c        code that quotes.py finds in what is compiled
A command that must fail says so: "# exit status N". What cannot be run here stands in exceptions.py,
with the reason. "<!-- COMMAND -->" up to "<!-- end -->" is what COMMAND prints (--write renews it).
Exit status: 0 all is as the pages say, 1 it is not, 2 usage.
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile

import exceptions

ANY = "…"
LANGUAGES = ("sh", "console", "text", "c")
SECONDS = 600  # for one command: some compile a core, with nothing remembered, beside other tests


class Wrong(Exception):
    """Something that the page says does not hold."""


def blocks(text):
    """(line number of its first line, language, lines, numbers that vary) of each fenced block."""
    start, language, lines, before = None, None, [], ""
    for number, line in enumerate(text.splitlines(), 1):
        if start is None and line.startswith("```"):
            start, language, lines = number + 1, line[3:].strip(), []
            varies = re.fullmatch(r"<!-- varies: (.*) -->", before)
        elif line.startswith("```"):
            yield start, language, lines, varies[1].split() if varies else []
            start = None
        elif start is not None:
            lines.append(line)
        before = line
    if start is not None:
        raise Wrong(f"{start}: the block has no end")


def complete(lines, at):
    """Index after the command that begins at lines[at]: continued lines and here-documents belong to it."""
    end = at + 1
    while lines[end - 1].endswith("\\") and end < len(lines):
        end += 1
    here = re.search(r"<<'?(\w+)'?", "\n".join(lines[at:end]))
    if here:
        while end < len(lines) and lines[end - 1] != here[1]:
            end += 1
    return end


def sh_commands(first, lines):
    """(line number, command, None) of each command of a block of commands."""
    at = 0
    while at < len(lines):
        end = complete(lines, at)
        if lines[at].strip():
            yield first + at, "\n".join(lines[at:end]), None
        at = end


def console_commands(first, lines):
    """(line number, command, lines that it prints) of each command of a session."""
    at = 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            raise Wrong(f"{first + at}: a session begins with '$ ' and a command")
        end = complete(lines, at)
        command = "\n".join([lines[at][2:]] + lines[at + 1:end])
        stop = end
        while stop < len(lines) and not lines[stop].startswith("$ "):
            stop += 1
        yield first + at, command, lines[end:stop]
        at = stop


def pattern_of(text, varies, seen):
    """A regular expression for what a page shows; `seen` holds the varying numbers that stood in front of it."""
    found = ""
    for part in re.split(r"(\b\w+\b)", text):
        if part not in varies:
            found += re.escape(part)
        elif part in seen:
            found += f"(?P=v{varies.index(part)})"
        else:
            seen.add(part)
            found += f"(?P<v{varies.index(part)}>{'0x[0-9a-f]+' if part.startswith('0x') else '[0-9]+'})"
    return found


def as_shown(shown, printed, varies=()):
    """Whether the printed lines are as the page shows them."""
    pattern, seen = "", set()
    for line in shown:
        if line.strip() == ANY:
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += ".*?".join(pattern_of(part, varies, seen) for part in line.split(ANY)) + r"\n"
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in printed)) is not None


def scratch(root, build):
    """A folder that looks like the source tree; what is written there stays there."""
    folder = tempfile.TemporaryDirectory(prefix="heddle-pages-")
    for name in os.listdir(root):
        if name != ".git" and not name.startswith("build"):
            os.symlink(os.path.join(root, name), os.path.join(folder.name, name))
    os.mkdir(os.path.join(folder.name, "build"))
    for name in os.listdir(build):
        os.symlink(os.path.join(build, name), os.path.join(folder.name, "build", name))
    return folder


def run(command, folder):
    """Exit status and lines printed, both streams as a terminal shows them."""
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, timeout=SECONDS, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace").splitlines()


def plain(command):
    """The command without its comment."""
    return re.sub(r"\s+#.*$", "", command)


def check_command(command, shown, varies, folder):
    want = re.search(r"# exit status (\d+)$", re.sub(r"\\\n", "", command).splitlines()[0])
    want = int(want[1]) if want else 0
    got, printed = run(command, folder)
    text = "".join("    | " + line + "\n" for line in printed[:40])
    if got != want:
        raise Wrong(f"exit status {got}, not {want}: {command}\n{text}")
    if shown is not None and not as_shown(shown, printed, varies):
        raise Wrong(f"prints something else than the page shows: {command}\n{text}")


def tables(text, folder):
    """The page with every generated part as its command prints it now."""
    def renewed(match):
        status, printed = run(match[1], folder)
        if status != 0:
            raise Wrong(f"exit status {status}: {match[1]}")
        return f"<!-- {match[1]} -->\n" + "".join(line + "\n" for line in printed) + "<!-- end -->"

    return re.sub(r"^<!-- ((?:scripts/|build/heddle ).*?) -->\n.*?^<!-- end -->", renewed, text, flags=re.M | re.S)


def commands(text):
    """(line number, command, lines that it prints or None, numbers that vary) of a page."""
    for first, language, lines, varies in blocks(text):
        if language not in LANGUAGES:
            raise Wrong(f"{first}: a block is sh, console, text or c, not '{language}'")
        if language in ("sh", "console"):
            for command in (sh_commands if language == "sh" else console_commands)(first, lines):
                yield *command, varies


def text_of(root, page):
    with open(os.path.join(root, page), encoding="utf-8") as f:
        return f.read()


def check_page(page, root, build, write):
    """Number of commands that were run."""
    text, ran = text_of(root, page), 0
    with scratch(root, build) as folder:
        new = tables(text, folder)
        if new != text and not write:
            old = difflib.unified_diff(text.splitlines(), new.splitlines(), "page", "printed now", lineterm="", n=0)
            raise Wrong("a table is old; tests/docs/pages.py --write ROOT BUILD PAGE renews it:\n" + "\n".join(old))
        if new != text:
            with open(os.path.join(root, page), "w", encoding="utf-8") as f:
                f.write(new)
        for line, command, shown, varies in commands(new):
            if plain(command) in exceptions.NOT_RUN:
                continue
            try:
                check_command(command, shown, varies, folder)
            except (Wrong, subprocess.TimeoutExpired) as e:
                raise Wrong(f"{line}: {e}") from e
            ran += 1
    return ran


def main(arguments):
    write = arguments[:1] == ["--write"]
    arguments = arguments[write:]
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    root, build = map(os.path.realpath, arguments[:2])
    failed, total, used = 0, 0, set()
    read = arguments.index("--read") if "--read" in arguments else len(arguments)
    for page in arguments[2:read] + arguments[read + 1:]:
        try:
            said = {plain(command) for _, command, _, _ in commands(text_of(root, page))}
            used |= said & set(exceptions.NOT_RUN)
            if page in arguments[read + 1:]:
                print(f"{page}: only read")
                continue
            ran = check_page(page, root, build, write)
            total += ran
            print(f"{page}: {ran} commands run")
        except Wrong as e:
            failed += 1
            print(f"{page}:{e}")
    for wrong in [] if write else exceptions.check(root, build, used):
        failed += 1
        print(wrong)
    print(f"{total} commands run, {len(used)} not, {failed} failed")
    return 1 if failed or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
