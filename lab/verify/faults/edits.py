# SPDX-License-Identifier: Apache-2.0
"""Faults as edits of the text, in files that a reader can judge: what stands there, what stands there instead, and why.

A fault is a block of lines "name  value"; blocks are apart by empty lines; # begins a comment. Of each edit:

  file   from the root of the tree
  line   a piece of the file's text that stands in it once, mostly a line without its indentation
  from   what of it is replaced, once in it as well; left out: all of it
  to     what stands there instead
  add    in place of from and to: lines that are put behind that of `line`. FAULT in them is true while the fault is active;
         what does not ask for it stands there always (a counter that the fault needs)

What else a fault has (its name, what goes wrong) is the matter of those who read it. A fault with several edits repeats
these names; `file` may be left out from the second on. A value of several lines goes on in lines that begin with |, after
which the text stands as it is in the file:

  line   if (hand) last_q <= turn;
         |      else if (count) last_q <= pick_o;
  to     if (count) last_q <= pick_o;

An edit that the file has left behind is an error, never passed over."""
import re
from dataclasses import dataclass

OF_EDIT = ("file", "line", "from", "to", "add")


class Bad(Exception):
    """A list of edits, or an edit, that is not as it must be."""


@dataclass
class Edit:
    where: str   # FILE:LINE of the list
    file: str
    line: str
    before: str  # in `line`
    after: str
    adds: bool = False   # `after` comes behind the line

    def span(self, text):
        """Where `before` stands in the file's text: start and end. Of what is added: the end of the line, without length."""
        for what, inside in ((self.line, text), (self.before, self.line)):
            if inside.count(what) != 1:
                raise Bad(f"{self.where}: {self.file} has this {inside.count(what)} times, not once: {what}")
        start = text.index(self.line) + self.line.index(self.before)
        end = start + len(self.before)
        if self.adds:
            start = end = text.index("\n", end)
        return start, end

    def added(self, active):
        """What is added, where `active` says whether the fault is."""
        return "\n" + re.sub(r"\bFAULT\b", active, self.after)

    def apply(self, text):
        start, end = self.span(text)
        return text[:start] + (self.added("1'b1") if self.adds else self.after) + text[end:]


def blocks(path):
    """(first line's number, [[name, value, line's number]]) of each block."""
    block = []
    with open(path, encoding="latin-1") as f:
        for number, line in enumerate(f, 1):
            line = line.rstrip("\n")
            if line.startswith("#"):
                continue
            if not line.strip():
                if block:
                    yield block[0][2], block
                block = []
            elif line.lstrip().startswith("|"):
                if not block:
                    raise Bad(f"{path}:{number}: | goes on with nothing")
                block[-1][1] += "\n" + line.lstrip()[1:]
            else:
                name, _, value = line.strip().partition(" ")
                block.append([name, value.strip(), number])
    if block:
        yield block[0][2], block


def read(path, once, many=(), may=()):
    """(FILE:LINE, {name: value}, edits) of each fault: it has each of `once` once, of `many` one or more, as a list, and
    of `may` what it likes."""
    for at, block in blocks(path):
        words, edits, edit = {name: [] for name in many}, [], {}
        for name, value, number in block:
            if name in OF_EDIT:
                if name in edit or (name == "file" and edit):
                    edits.append(edit_of(path, edits, edit))
                    edit = {}
                edit.setdefault("at", number)
                edit[name] = value
            elif name in many:
                words[name].append(value)
            elif name in (*once, *may) and name not in words:
                words[name] = value
            else:
                raise Bad(f"{path}:{number}: '{name}' is twice here, or no name")
        missing = [name for name in (*once, *many) if not words.get(name)]
        if missing or not edit:
            raise Bad(f"{path}:{at}: lacks {', '.join(missing or OF_EDIT)}")
        edits.append(edit_of(path, edits, edit))
        yield f"{path}:{at}", words, edits


def edit_of(path, before, edit):
    edit.setdefault("from", edit.get("line"))
    if before:
        edit.setdefault("file", before[-1].file)
    adds = "add" in edit
    if adds and "to" in edit:
        raise Bad(f"{path}:{edit['at']}: an edit either replaces (to) or adds (add)")
    missing = [name for name in ("file", "line", "add" if adds else "to") if not edit.get(name)]
    if missing:
        raise Bad(f"{path}:{edit['at']}: an edit lacks {', '.join(missing)}")
    return Edit(f"{path}:{edit['at']}", edit["file"], edit["line"], edit["from"], edit["add" if adds else "to"], adds)
