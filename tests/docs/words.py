# SPDX-License-Identifier: Apache-2.0
"""How pages, comments and messages are worded: every .md file of the tree, comments of C headers and of SystemVerilog, and
string literals of programs in C that have three words or more.

usage: words.py ROOT [--all | --clean] [PATH ...]
The rules, each named in what is printed as `file:line: rule: what to write`:
  first    no sentence begins with What, Who, Whoever, Whatever or Of, but a question that ends in a question mark
  length   a sentence has at most 30 words; code in backquotes is one
  person   no who, whose, whom, nobody, somebody: hardware and programs are no persons
  animate  no ask, forget, hear, know, sleep, tell in any form, but of a person (a reader knows, you are asked)
  term     words that have a field's word or a glossary's
  hidden   words that hid from readers which part does what
  glossary a page of docs/ that uses a hard word leads to the glossary, in its first twelve lines or before the word
A finding in a path that tests/docs/held.txt names (a file, FOLDER/ with all that is in it, FOLDER/*.sv) fails; of other
paths the counts are printed, by folder. Findings of `hidden` and `glossary` fail in every page.
--all: each finding of each path; PATH: of these paths only. --clean: the list that held.txt can be: what it is, and all
files that are clean.
Exit status: 0 nothing held is wrong, 1 something is, 2 usage."""
import collections
import pathlib
import re
import sys

LONGEST = 30  # words
HIDDEN = {
    r"told": "say which message: reported, listed, sent, declared",
    r"whoever": "name who it is: a reader, a warp, an adapter",
    r"mended": "fixed",
    r"of another make": "say whose: another core, a core of another instruction set",
    r"rungs?": "step",
    r"riddle": "question",
    r"bits that say nothing": "redundant bits",
    r"for whom": "name the reader",
}
PERSON = re.compile(r"\b(who|whose|whom|nobody|somebody|whoever)\b(?!')", re.I)
PERSONS = {
    "who": "which, that; or name the thing", "whose": "of which, with; or turn the sentence round",
    "whom": "which; or name the thing", "nobody": "no core, nothing, none", "somebody": "a core, a warp, one",
    "whoever": "name it: the requester, the adapter",
}
ANIMATE = {
    r"asks?|asked|asking": "requests, requested; reads; needs",
    r"forgets?|forgot|forgotten|forgetting": "drops, invalidates, clears",
    r"hears?|heard|hearing": "receives, sees",
    r"knows?|knew|knowing": "has, holds, stores, computes",
    r"sleeps?|slept|sleeping": "waits, is idle",
    r"tells?|told|telling": "reports, signals, says which",
}
PEOPLE = re.compile(r"\b(you|your|readers?|users?|people|persons?|engineers?|developers?|authors?|newcomers?|I|we)\b", re.I)
NEAR = 6  # words before an animate verb, among which its subject is a person
TERMS = {
    r"stands?(?! for\b)|stood": "is, holds, stays",
    r"lies|lie|lay(?! out)": "is",
    r"gives? way|gave way|given way|giving way": "is evicted (a line); yields",
    r"gives? up|gave up|given up|giving up": "evicts, drops, frees, stops",
    r"anew": "again",
    r"sub-core": "partition",
    r"wavefronts?": "warp",
    r"work group": "block",
    r"hardware warp ID": "slot",
}
# Text of a sentence that may be: the rule, words of it, and why.
ALLOWED = [
    ("animate", "(?i)frequently asked", "the name of that kind of page"),
    ("animate", r"\bsleep\(", "a function"),
    ("first", r"^What (comes next|stays)$", "titles of CHANGELOG.md, which other pages link to"),
    ("first", r"^What the words mean$", "the glossary's title"),
    ("term", r"work items?, work group|wavefront|sub-core|hardware warp ID", "where the words of others are compared"),
    ("person", r"\bWho(se)? .*\?$", "a question about people"),
    ("length", r"\bjnz \w+ ", "a program for the interpreter of kernel vm"),
]
# Words of this project that a new reader cannot know; docs/glossary.md has them.
HARD = re.compile(r"\b(beats?|points? of order|poison(?:ed)?|row queues?|digests?|planted bugs?|adversarial memory|"
                  r"knobs?|parked)\b", re.I)
CODE = re.compile(r"(?<!`)(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)", re.S)  # within a paragraph, over line ends too
GLOSSARY = re.compile(r"\]\((?:\.\./docs/)?glossary\.md[#)]")
FIRST = 12  # lines of a page in which a link to the glossary serves all of it
NO_END = re.compile(r"\b(?:e\.g|i\.e|cf|vs|etc|approx|resp)\.$|\.\.\.$", re.I)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# What stands between literals that the compiler joins: white space, a macro of a format.
JOINED = re.compile(r'"((?:[^"\\\n]|\\.)*)"(?:\s*(?:[A-Z][A-Z_0-9a-z]*\s*)?"((?:[^"\\\n]|\\.)*)")*')
C_TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)


def blank(match):
    return "\n" * match[0].count("\n")


# ---- text of a file: blocks (line, text), in which a line end is a line end of the file -------------
def prose(text):
    """The lines of a page without its blocks, code within lines, and what commands print."""
    text = re.sub(r"^ *```.*?^ *```", blank, text, flags=re.M | re.S)
    text = re.sub(r"^<!-- .*? -->\n.*?^<!-- end -->", blank, text, flags=re.M | re.S)
    text = re.sub(r"<!--.*?-->|</?\w[^<>\n]*>", blank, text, flags=re.S)
    return CODE.sub(lambda m: "CODE" + blank(m), text).splitlines()


def joined(lines, begins):
    """Blocks of numbered lines: a new one after a blank line, and where begins(line) is true."""
    block, at, last = [], 0, -1
    for number, line in lines:
        bare = line.strip()
        if block and (not bare or begins(line) or number > last + 1):
            yield at, "\n".join(block)
            block = []
        if bare:
            if not block:
                at = number
            block.append(bare)
        last = number
    if block:
        yield at, "\n".join(block)


def page_blocks(lines):
    text = []
    for number, line in enumerate(lines, 1):
        if line.startswith("|"):
            if not re.fullmatch(r"[|\s:-]+", line):
                yield from ((number, cell.strip()) for cell in line.strip("| ").split(" | ") if cell.strip())
            text.append((number, ""))
        elif line.startswith("#"):
            yield number, line.strip("# ")
            text.append((number, ""))
        else:
            text.append((number, line.lstrip("> ") if line.startswith(">") else line))
    item = re.compile(r"^\s*([-*+]|\d+[.)])\s")
    for at, block in joined(text, item.match):
        yield at, item.sub("", block)


def comment_lines(text):
    """Numbered lines of comments; two that are not of one comment are kept apart by a blank line."""
    found, whole_before = {}, -1
    for match in C_TOKEN.finditer(text):
        token = match[0]
        if token[0] in "\"'":
            continue
        line = text.count("\n", 0, match.start()) + 1
        column = match.start() - (text.rfind("\n", 0, match.start()) + 1)
        trails = text[match.start() - column:match.start()].strip() != ""
        if token.startswith("//"):
            continues = not trails and whole_before == (line - 1, column)
            found.setdefault(line, []).append((not continues, token[2:]))
            whole_before = (line, column)
        else:
            body = token[2:-2].split("\n")
            for i, piece in enumerate(body):
                found.setdefault(line + i, []).append((i == 0, re.sub(r"^\s*\* ?", " ", piece) if i else piece))
    for line in sorted(found):
        yield from ((line, apart, piece) for apart, piece in found[line])


NO_PROSE = re.compile(r"SPDX-License|^\s*verilator |NOLINT|clang-format|^\s*coverage:|^[\s\-=/*#]*$")
LABEL = re.compile(r"^(\s{3,}\S|\s*([A-Z][a-z]+(?: [a-z]+)?:\s|- |\d+[.)] |@\w|----))")


def comment_blocks(text):
    block, at, deep = [], 0, False
    for line, apart, piece in comment_lines(text):
        skip = NO_PROSE.search(piece)
        was, deep = deep, piece.startswith("   ")
        if block and (apart or skip or LABEL.match(piece) or was > deep):
            yield at, "\n".join(block)
            block = []
        if not skip:
            if not block:
                at = line
            block.append(CODE.sub("CODE", re.sub(r"^\s*-+ | -+\s*$", " ", piece)).strip())
            if piece.lstrip().startswith("----"):
                yield at, block.pop()
    if block:
        yield at, "\n".join(block)


def message_blocks(text):
    """Literals that the compiler joins are one; blocks of it end at blank lines, at indented ones and at tags of HTML."""
    code = re.sub(r"^[ \t]*#[ \t]*include[^\n]*", "", text, flags=re.M)
    code = C_TOKEN.sub(lambda m: m[0] if m[0][0] == '"' else blank(m), code)
    for match in JOINED.finditer(code):
        line = code.count("\n", 0, match.start()) + 1
        pieces = LITERAL.findall(match[0])
        whole = "".join(pieces).replace("\\n", "\n").replace('\\"', '"').replace("\\t", " ")
        for part in re.split(r"\n\s*\n|\n(?=\s)|\n(?=[a-z]+ [A-Z\[])|</?\w[^<>]*>", whole):
            if len(re.findall(r"(?<![\w%])[A-Za-z][a-z]*(?!\w)", part)) >= 3 and not re.search(r"[;{}]\s*$", part):
                yield line, part.replace("\n", " ")


# ---- the rules --------------------------------------------------------------------------------------
def sentences(at, block):
    """(line, text) of each; links and emphasis are words without their marks."""
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", lambda m: m[1] + "\n" * (m[0].count("\n") - m[1].count("\n")), block)
    plain = re.sub(r"\*\*|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)", "", plain)
    begin = 0
    for match in re.finditer(r"[.!?][\"')\]]*(\s+|$)", plain):
        if NO_END.search(plain[:match.start() + 1]):
            continue
        yield at + plain.count("\n", 0, begin), plain[begin:match.end()].rstrip()
        begin = match.end()
    if plain[begin:].strip():
        yield at + plain.count("\n", 0, begin), plain[begin:].rstrip()


def allowed(rule, sentence):
    plain = " ".join(sentence.split())
    return any(rule == of and re.search(text, plain) for of, text, _ in ALLOWED)


def of_a_person(before):
    return PEOPLE.search(" ".join(before.split()[-NEAR:]))


def found_in(line, sentence):
    """(line, rule, what to write)"""
    first = re.match(r"[\"'(\s]*(What|Whatever|Who|Whoever|Of)\b", sentence)
    if first and not sentence.rstrip("\"')*").endswith("?"):
        yield line, "first", f"'{first[1]}' begins a sentence: begin with the noun that it is about"
    count = sum(any(map(str.isalnum, word)) for word in sentence.split())
    if count > LONGEST:
        yield line, "length", f"{count} words: at most {LONGEST}, make two sentences or a table"
    for word in filter(lambda word: not word[0].isupper(), PERSON.finditer(sentence)):  # a constant may be named so
        yield line + sentence.count("\n", 0, word.start()), "person", f"'{word[0]}': {PERSONS[word[0].lower()]}"
    for rule, table in (("animate", ANIMATE), ("term", TERMS)):
        for words, instead in table.items():
            for word in re.finditer(rf"(?<![\w-])(?:{words})(?![\w(-])", sentence, re.I):
                if rule == "term" or not of_a_person(sentence[:word.start()]):
                    yield line + sentence.count("\n", 0, word.start()), rule, f"'{word[0]}': {instead}"


def wording(blocks):
    for at, block in blocks:
        for line, sentence in sentences(at, block):
            yield from (found for found in found_in(line, sentence) if not allowed(found[1], sentence))


def hidden(lines):
    for number, line in enumerate(lines, 1):
        for word, instead in HIDDEN.items():
            if re.search(rf"\b{word}\b", line, re.I):
                yield number, "hidden", f"'{word}': {instead}"


def without_glossary(lines):
    """The first hard word of a page (not in a heading, nor the target of a link) that no link leads up to."""
    for number, line in enumerate(lines, 1):
        said = None if line.startswith("#") else HARD.search(re.sub(r"\]\([^)]*\)", "]", line))
        if said:
            if not any(map(GLOSSARY.search, lines[:max(number, FIRST)])):
                yield number, "glossary", f"'{said[0]}': link docs/glossary.md here, before, or in the first {FIRST} lines"
            return


# ---- the tree ---------------------------------------------------------------------------------------
def blocks_of(path, text):
    if path.endswith(".md"):
        return page_blocks(prose(text))
    if path.endswith((".sv", ".svh")):
        return comment_blocks(text)
    if path.endswith((".h", ".hpp")):
        return [*comment_blocks(text), *message_blocks(text)]
    return message_blocks(text)


def files(root):
    """Paths below the root whose words are judged."""
    for where in sorted(root.rglob("*")):
        path = where.relative_to(root).as_posix()
        if any(part.startswith((".", "build")) for part in path.split("/")) or not where.is_file():
            continue
        if path.endswith((".md", ".sv", ".svh", ".h", ".hpp")) or (path.endswith(".c") and not path.startswith("tests/")):
            yield path


def findings(root, path):
    """(line, rule, what to write), and whether every page must be free of it."""
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    yield from ((found, False) for found in wording(blocks_of(path, text)))
    if path.endswith(".md") and not path.startswith("docs/lab/"):
        yield from ((found, True) for found in hidden(prose(text)))
    if re.fullmatch(r"docs/[^/]*\.md", path) and path != "docs/glossary.md":
        yield from ((found, True) for found in without_glossary(prose(text)))


def held_paths(root):
    try:
        lines = (root / "tests/docs/held.txt").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [line for line in lines if line and not line.startswith("#")]


def names_of(path):
    """A file's own name and those that hold it with others: its folders, from the root on; files of its kind beside it."""
    parts = path.split("/")
    folders = ["/".join(parts[:n]) + "/" for n in range(1, len(parts))]
    return [*folders, folders[-1] + "*" + pathlib.PurePosixPath(path).suffix, path] if folders else [path]


def is_in(path, names):
    return not set(names_of(path)).isdisjoint(names)


def shortest(names, every):
    """The fewest names that hold the same files."""
    names = set(names)
    loose = {name for path in every if not is_in(path, names) for name in names_of(path)}
    short = dict.fromkeys(next(n for n in names_of(p) if n not in loose) for p in every if is_in(p, names))
    return list(short)


def folder_of(path):
    return "/".join(path.split("/")[:-1][:2]) or "."


def judge(root, held, every):
    """Lines that fail, counts of the others by folder and kind, files without a finding."""
    wrong, others, clean = [], collections.Counter(), []
    for path in every:
        found = list(findings(root, path))
        if not found:
            clean.append(path)
        for (line, rule, what), must in found:
            if must or is_in(path, held):
                wrong.append(f"{path}:{line}: {rule}: {what}")
            else:
                others[folder_of(path), rule] += 1
    return wrong, others, clean


def main(arguments):
    options = [a for a in arguments[1:] if a.startswith("--")]
    if not arguments or arguments[0].startswith("--") or options not in ([], ["--all"], ["--clean"]):
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(arguments[0])
    paths = [a for a in arguments[1:] if not a.startswith("--")]
    every = [p for p in files(root) if not paths or is_in(p, paths + [q.rstrip("/") + "/" for q in paths])]
    held = held_paths(root)
    missing = [f"tests/docs/held.txt: no {p}" for p in held if not any(root.glob(p))]
    wrong, others, clean = judge(root, every if options == ["--all"] or paths else held, every)
    if options == ["--clean"]:
        print(*shortest(clean + held, every), sep="\n")
        return 0
    print(*wrong, *missing, sep="\n", end="\n" if wrong or missing else "")
    if others:
        print("not held yet, findings by folder:")
        for folder in dict.fromkeys(f for f, _ in others):
            print(f"  {folder}: " + ", ".join(f"{n} {rule}" for (f, rule), n in sorted(others.items()) if f == folder))
    print(f"{len(every)} files, {len(wrong) + len(missing)} findings, {sum(others.values())} in paths that are not held")
    return 1 if wrong or missing or not every else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
