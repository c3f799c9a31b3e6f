# SPDX-License-Identifier: Apache-2.0
"""Places where a bug can be planted, whatever the language: which are taken, and the text with the bugs in it.

A site is a range of a file with one mutation. All mutants of a file live in one text; a number, chosen when the program
starts, says which of them is active. In the text of a mutant everything else is as it was, so that the text grows with
the depth of nesting only.
"""
import hashlib
import re
from dataclasses import dataclass, field


@dataclass
class Site:
    file: str       # from the root of the tree
    start: int      # bytes [start, end) of the file
    end: int
    kind: str       # operator, constant, condition ...
    before: str     # what stands there
    after: str      # what the mutant has in its place; of kind drop and reset: nothing; of kind add: what comes there, guards
                    # and all
    line: int = 0
    column: int = 0
    group: str = "logic"   # or: tap
    number: int = 0        # of the mutant, from 1 on; 0 while it is not taken
    occurrence: int = 0    # of the same kind and text in this file, from 0 on
    extra: dict = field(default_factory=dict)

    @property
    def key(self):
        """What stays the same when the mutants are placed anew: file, kind, text before and after."""
        return f"{self.file} | {self.kind} | {squeeze(self.before)} | {squeeze(self.after)}"

    @property
    def drops(self):
        return self.kind in ("drop", "reset")


def squeeze(text):
    """On one line, without comments (a text may be copied into the middle of a line)."""
    return " ".join(re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S).split())


def count_occurrences(sites):
    seen = {}
    for s in sorted(sites, key=lambda s: (s.file, s.start, s.end)):
        s.occurrence = seen.get(s.key, 0)
        seen[s.key] = s.occurrence + 1


def rank(site, seed):
    """A number that depends on the seed and on what the site is, not on where it stands."""
    return hashlib.sha256(f"{seed}|{site.key}|{site.occurrence}".encode()).digest()


def by_turns(sites, seed):
    """The sites of one file in the order in which they are taken: kinds in turns, chance within a kind."""
    kinds = {}
    for s in sorted(sites, key=lambda s: rank(s, seed)):
        kinds.setdefault(s.kind, []).append(s)
    queues = [kinds[k] for k in sorted(kinds)]
    order = []
    while queues:
        for q in queues:
            order.append(q.pop(0))
        queues = [q for q in queues if q]
    return order


def quotas(counts, total):
    """How many of each file: in proportion to its sites, at least one, `total` in all (largest remainders)."""
    all_sites = sum(counts.values())
    if total >= all_sites:
        return dict(counts)
    share = {f: n * total / all_sites for f, n in counts.items()}
    taken = {f: min(counts[f], max(1, int(share[f]))) for f in counts}
    for f in sorted(counts, key=lambda f: (int(share[f]) - share[f], f)):
        if sum(taken.values()) >= total:
            break
        if taken[f] < counts[f]:
            taken[f] += 1
    return taken


def choose(sites, total, seed, rejected=frozenset()):
    """The sites that are taken, numbered in the order of files and places. `rejected`: (key, occurrence) of those that
    the language does not allow there."""
    files = {}
    for s in sites:
        if (s.key, s.occurrence) not in rejected:
            files.setdefault(s.file, []).append(s)
    quota = quotas({f: len(v) for f, v in files.items()}, total)
    taken = [s for f, v in files.items() for s in by_turns(v, seed)[:quota[f]]]
    taken.sort(key=lambda s: (s.file, s.start, s.end, s.kind, s.after))
    for number, s in enumerate(taken, 1):
        s.number = number
    return taken


def rewrite(text, sites, select, unless):
    """The text of one file with its mutants. select(site, mutant, original) and unless(site, statement) word the
    choice in the language. Returns the text and, for messages about it, [(start, end, site)] in the new text."""
    ordered = sorted(sites, key=lambda s: (s.start, -s.end, not s.drops, s.kind, s.after))
    out, spans, _ = _rewrite(text, ordered, 0, len(text), (select, unless))
    return out, spans


def _rewrite(text, sites, start, end, words):
    """Text [start, end) with the sites that lie in it: (new text, its spans, sites that come after it)."""
    out, spans, here = "", [], start
    while sites and sites[0].start < end:
        first = sites[0]
        out += text[here:first.start]
        same = [s for s in sites if (s.start, s.end) == (first.start, first.end)]
        inner, inside, sites = _rewrite(text, sites[len(same):], first.start, first.end, words)
        for s in same:
            inner, inside = _wrap(inner, inside, s, words)
        spans += [(len(out) + a, len(out) + b, s) for a, b, s in inside]
        out += inner
        here = first.end
    return out + text[here:end], spans, sites


def _wrap(inner, inside, site, words):
    select, unless = words
    mark = "\0"
    if site.kind == "add":
        whole = mark + site.after
    else:
        whole = unless(site, mark) if site.drops else select(site, squeeze(site.after), mark)
    before, after = whole.split(mark)
    moved = [(len(before) + a, len(before) + b, s) for a, b, s in inside]
    whole = before + inner + after
    return whole, moved + [(0, len(whole), site)]


def culprits(text, spans, offset):
    """The sites to blame for what is refused at this place of the new text: the innermost that holds it, or else those
    in the rest of the statement."""
    around = [(e - s, site) for s, e, site in spans if s <= offset < e]
    if around:
        least = min(n for n, _ in around)
        return [site for n, site in around if n == least]
    last = text.find(";", offset)
    return [site for s, e, site in spans if offset <= s and e <= last]
