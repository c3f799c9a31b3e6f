# SPDX-License-Identifier: Apache-2.0
"""Faults that somebody has chosen by reading, from a file such as directed/faults.txt.

Each is a block as verify/edits.py reads it, with one edit of one line:

  class  of what edge it is (a word)
  file line from to    the edit; `to` is an expression that stands instead of another
  what   what goes wrong, for a reader
"""
import pathlib
import sys

import sites

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import edits  # noqa: E402


def read(path, texts):
    """The sites, numbered from 1 on in the order of the file."""
    try:
        found = [site(number, words, faults, texts)
                 for number, (_, words, faults) in enumerate(edits.read(path, ("class", "what")), 1)]
    except edits.Bad as error:
        sys.exit(f"error: {error}")
    if not found:
        sys.exit(f"error: {path}: no fault stands here")
    sites.count_occurrences(found)
    return found


def site(number, words, faults, texts):
    edit = faults[0]
    if len(faults) > 1 or "\n" in edit.line + edit.after:
        raise edits.Bad(f"{edit.where}: a fault is one edit of one line here")
    text = texts.get(edit.file)
    if text is None:
        raise edits.Bad(f"{edit.where}: there is no {edit.file}")
    start, end = edit.span(text)
    before = text[:start]
    return sites.Site(edit.file, start, end, words["class"], edit.before, edit.after, line=before.count("\n") + 1,
                      column=start - before.rfind("\n"), number=number, extra={"shown": words["what"]})
