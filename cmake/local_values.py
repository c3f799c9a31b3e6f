# SPDX-License-Identifier: Apache-2.0
"""Values that Verilator keeps in its model become variables of the block that uses them.

example: python3 cmake/local_values.py build/verilated/verilator_fpga Vgpu

Verilator does so itself for what a function assigns outside of every `if` and loop. What stays in the
model is stored at each assignment, since the compiler cannot know that nobody reads it: the code is
longer than it need be. WORKDIR/PREFIX*.cpp, as Verilator wrote them, are changed in place.

A value becomes a variable if each time it is named it has been assigned before, as a whole, in the
same block or in one around it: then nothing is carried from one block, function or clock to the next.
No function that names it calls another that does: what is assigned there would be read here.
Functions that run before the first clock (reset by chance, settling) keep the value in the model:
none of them is called later, and what is assigned before the first clock is read there only.
"""
import bisect
import collections
import pathlib
import re
import sys

MEMBER = re.compile(r"^\s+((?:[CSIQ]Data|VlWide<(\d+)>)(?:/\*[^*]*\*/)?) (\w+);", re.M)
SELF = r"\bvlSelf(?:Ref\.|->)"
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|' + SELF + r"(\w+)|[(){};]|\b__Vlabel\w*\s*:(?!:)|[^\s\w]|\w+", re.S)
# A name that is reached in another way: from another class, from what binds the ports.
FOREIGN = re.compile(r"(?<!\bvlSelf)(?<!\bvlSelfRef)(?:\.|->)(\w+)")
FUNCTION = re.compile(r"^[^\s#/][^\n;{}]*?\b(\w+)\([^\n;{}]*\) \{\n(.*?)^\}", re.S | re.M)
CALL = re.compile(r"\b(\w+)\(")
BEFORE_CLOCK = re.compile(r"___(?:ctor_var_reset|eval_static|eval_initial|eval_settle|eval_stl|eval_phase__stl|stl_)")
ASSIGNED = re.compile(r"\s*=(?!=)")
WORD = re.compile(r"\s*\[(?:0x([0-9a-fA-F]+)|(\d+))U\](\s*=(?!=))?")


class Function:
    """Where a function names members of its class, and which of them must stay members because of it."""

    def __init__(self, text, start, end, members):
        self.text, self.members = text, members
        self.named = []  # (name, from, to)
        self.declared = []  # (name, where)
        self.stay = set()
        self.covered = {}  # name: depth of the block in which it has been assigned
        self.begun = {}  # wide name: depth, words assigned so far, where the first was
        self.scan(start, end)

    def scan(self, start, end):
        depth = parens = 0
        begins = True  # a statement could begin here
        pending = None  # the assignment whose right side is being read
        for token in TOKEN.finditer(self.text, start, end):
            what = token[0]
            if what[:2] in ("//", "/*"):
                continue
            if token[1] in self.members:
                starts = begins and parens == 0 and pending is None
                pending = self.name(token, depth, starts) or pending
                begins = False
            elif what == "{":
                depth += 1
                begins = True
            elif what == "}":
                self.leave(depth)
                depth -= 1
                begins = True
            elif what == ";":
                if parens == 0 and pending:
                    self.assign(*pending)
                    pending = None
                begins = True
            elif what.startswith("__Vlabel"):  # a jump to here may have left an assignment out
                self.stay.update(self.covered, self.begun)
                begins = True
            else:
                parens += (what == "(") - (what == ")")
                begins = False
        self.leave(0)

    def name(self, token, depth, starts):
        """A member is named. Returns what the end of the statement assigns, if it is an assignment that helps."""
        name = token[1]
        self.named.append((name, token.start(), token.end()))
        if name in self.covered:
            return None
        words = self.members[name][1]
        word = WORD.match(self.text, token.end())
        if not words and starts and ASSIGNED.match(self.text, token.end()):
            return name, depth, token.start(), None
        if words and word:
            at = int(word[1], 16) if word[1] else int(word[2])
            inside, done, _ = self.begun.get(name, (depth, (), 0))
            if starts and word[3] and inside == depth:
                self.begun.setdefault(name, (depth, set(), token.start()))
                return name, depth, token.start(), at
            if at in done and not (starts and word[3]):
                return None
        self.stay.add(name)
        return None

    def assign(self, name, depth, where, word):
        if word is not None:
            if name not in self.begun:
                return
            depth, done, where = self.begun[name]
            done.add(word)
            if len(done) < self.members[name][1]:
                return
            del self.begun[name]
        self.covered[name] = depth
        self.declared.append((name, where))

    def leave(self, depth):
        self.covered = {n: d for n, d in self.covered.items() if d < depth}
        self.stay.update(n for n, b in self.begun.items() if b[0] >= depth)
        self.begun = {n: b for n, b in self.begun.items() if b[0] < depth}


class Model:
    """All that Verilator wrote: classes, their members, their functions."""

    def __init__(self, work, prefix):
        listed = (work / f"{prefix}_classes.mk").read_text().split()  # older files may lie there as well
        self.texts = {p: p.read_text() for w in listed if (p := work / f"{w}.cpp").exists()}
        self.members = {}
        for path in work.glob(f"{prefix}*.h"):
            self.members[path.stem] = {m[3]: (m[1], int(m[2] or 0)) for m in MEMBER.finditer(path.read_text())}
        self.foreign = set()
        self.functions = collections.defaultdict(list)  # name: (path, class, from, to) each
        for path, text in self.texts.items():
            owner = self.owner(path)
            self.foreign.update(FOREIGN.findall(text))
            if owner is None:
                self.foreign.update(re.findall(SELF + r"(\w+)", text))
                continue
            for f in FUNCTION.finditer(text):
                self.functions[f[1]].append((path, owner, f.start(2), f.end(2)))

    def owner(self, path):
        """The class whose functions stand in a file: PREFIX_class__3__Slow.cpp."""
        stem = re.sub(r"(?:__\d+)?(?:__Slow)?$", "", path.stem)
        return stem if "_" in stem and stem in self.members else None

    def body(self, place):
        return self.texts[place[0]][place[2] : place[3]]

    def calls(self, names):
        """What functions call, in any number of steps."""
        seen, todo = set(), set(names)
        while todo:
            name = todo.pop()
            for place in self.functions[name]:
                called = {c for c in CALL.findall(self.body(place)) if c in self.functions}
                todo |= called - seen - {name}
                seen |= called
        return seen

    def early(self):
        """Functions that run before the first clock, and never again."""
        named = [n for n in self.functions if BEFORE_CLOCK.search(n)]
        later = [n for n in self.functions if not BEFORE_CLOCK.search(n)]
        return set(named) - self.calls(later), named

    def work_out(self):
        """For each file: from where to where to write what; and what has become a variable."""
        early, named = self.early()
        mixed = self.calls(named) - early
        found, stay = [], {c: set(self.foreign) for c in self.members}
        for name, places in list(self.functions.items()):
            if name in early:
                continue
            for place in places:
                path, owner, start, end = place
                f = Function(self.texts[path], start, end, self.members[owner])
                found.append((name, path, owner, f))
                stay[owner] |= f.stay
                if name in mixed:  # it runs before the first clock as well
                    stay[owner].update(n for n, _, _ in f.named)
        named_in = collections.defaultdict(set)
        for name, _, owner, f in found:
            named_in[name].update((owner, n) for n, _, _ in f.named)
        for name, _, owner, f in found:
            for called in self.calls([name]):
                stay[owner].update(n for n, _, _ in f.named if (owner, n) in named_in[called])
        edits, told = collections.defaultdict(list), set()
        for _, path, owner, f in found:
            members = self.members[owner]
            for name, start, end in f.named:
                if name not in stay[owner]:
                    edits[path].append((start, end, name))
                    told.add((owner, name))
            for name, where in f.declared:
                if name not in stay[owner]:
                    edits[path].append((where, where, f"{members[name][0]} {name}; "))
        return edits, told

    def lost(self):
        """Text of a class that stands in no function that was found: nothing may be changed then."""
        for path, text in self.texts.items():
            if self.owner(path) is None:
                continue
            spans = sorted(p[2:] for places in self.functions.values() for p in places if p[0] == path)
            starts = [s for s, _ in spans]
            for m in re.finditer(SELF, text):
                at = bisect.bisect(starts, m.start()) - 1
                if at < 0 or m.start() >= spans[at][1]:
                    return True
        return False


def main():
    work, prefix = pathlib.Path(sys.argv[1]), sys.argv[2]
    model = Model(work, prefix)
    if model.lost():
        print("local_values: Verilator writes in a form that is not known here: left as it is")
        return
    edits, told = model.work_out()
    for path, pieces in edits.items():
        text, out, last = model.texts[path], [], 0
        for start, end, new in sorted(pieces):
            out += [text[last:start], new]
            last = end
        path.write_text("".join(out) + text[last:])
    print(f"local_values: {len(told)} values of {sum(map(len, model.members.values()))} are variables of a block")


if __name__ == "__main__":
    main()
