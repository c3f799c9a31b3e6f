# SPDX-License-Identifier: Apache-2.0
"""The plan of verification and its state, item by configuration; scripts/evidence.py makes the table of it.

docs/lab/evidence.json has the rows, `plan`: item, name, aim; `least` and `unit` where the aim is a number; `not`, the
configurations of which the item is not asked, with the reason; `whole`: true where it is not asked by configuration.
A figure is evidence of the item that it names, for its `configs`, or for those of `reached`, which has a number for
each (or names a page with a table of proofs, which is counted); `short` says what it lacks. Of tests, which ./test.sh --more
runs on every landing, a `*` stands for the configuration.
Of a cell that has several figures the one with the fewest shortcomings counts, of equal ones the newest.
"""
import glob
import os
import re
import textwrap

PAGE, BEGIN, END = "docs/for-verification.md", "<!-- scripts/evidence.py plan -->\n", "<!-- end -->\n"
GREEN, AMBER, RED, DASH = "●", "◐", "○", "–"
ROW = {"item", "name", "aim"}
# What may be left out or differ, and stays so: what it is, where it stands, and how its entries begin.
WAIVERS = (
    ("reasons why bins of coverage cannot be, by ISA or RTL", "lab/verify/coverage/never*.c", r'"[^"\n]+ [^"\n]+"'),
    ("bins of coverage that these tools cannot reach", "lab/verify/coverage/exclusions.txt", r"^[^#\n]"),
    ("mutants that change nothing", "lab/verify/mutants/equivalent.txt", r"^\S.*::"),
    ("PTX forms that are not as an H200 has them", "tests/silicon/forms/differs.txt", r"^[^#\n]"),
    ("assertions of the RTL that a proof leaves out", "docs/lab/proofs.md", r"^- `\S+\.a_\w+`: "),
)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        return f.read()


def configs(root):
    return sorted(os.path.splitext(os.path.basename(p))[0] for p in glob.glob(os.path.join(root, "isa/configs/*.cfg")))


def tested(root):
    """The configurations whose devices a landing tests: those of others run with --full alone."""
    found = re.findall(r"foreach\(name ([\w ]+)\)\n  set\(HEDDLE_TIER_\S+ (?:first|more)\b", read(root, "isa/configs/CMakeLists.txt"))
    return " ".join(found).split()


def percent(part, whole):
    """Rounded down: 100 is all of it."""
    return 1000 * part // whole / 10


def proved(root, page):
    """Of each configuration, the share of its properties that are proved for ever, by the table of a page."""
    sums, at = {}, None
    for line in read(root, page).splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        if cells[0] == "proof":
            at = [cells.index(name) for name in ("on", "proved", "bounded")]
        elif at and line.startswith("| ") and cells[at[1]].isdigit():
            old = sums.get(cells[at[0]].strip("`"), (0, 0))
            sums[cells[at[0]].strip("`")] = (old[0] + int(cells[at[1]]), old[1] + int(cells[at[2]]))
    return {name: percent(a, a + b) for name, (a, b) in sums.items()}


def reached(root, figure):
    """A number, or None, for each configuration that the figure is evidence of."""
    given = figure.get("reached", {})
    return proved(root, given) if isinstance(given, str) else given or dict.fromkeys(figure.get("configs", []))


def number(row, value):
    return "" if value is None else f"{value:,}".removesuffix(".0") + row.get("unit", "")


def shortcomings(row, figure, value, status):
    """Why it is not green."""
    why = ["stale"] if status in ("stale", "history") else []
    if value is not None and value < row.get("least", value):
        why.append(f"of {number(row, row['least'])}")
    return why + ([figure["short"]] if "short" in figure else [])


# ---- the table
class Plan:
    """data: the list; status: of a figure, fresh, tested, stale or history; date: of a commit."""

    def __init__(self, root, data, status, date):
        self.root, self.rows, self.date = root, data["plan"], date
        self.found = {}  # by (item, configuration): the figure that counts, its number, its shortcomings
        by_age = sorted(data["figures"], key=lambda f: date(f["commit"]) if "commit" in f else "9999", reverse=True)
        for row in self.rows:
            for figure in (f for f in by_age if f.get("item") == row["item"]):
                for config, value in reached(root, figure).items() or {"": None}.items():
                    why = shortcomings(row, figure, value, status(figure))
                    best = self.found.get((row["item"], config))
                    if best is None or len(why) < len(best[2]):
                        self.found[row["item"], config] = (figure, value, why)
        self.number = {}  # of the note of each figure
        for figure, _, _ in (self.found[key] for key in self.keys() if key in self.found):
            self.number.setdefault(figure["id"], len(self.number) + 1)

    def keys(self):
        for row in self.rows:
            yield from ((row["item"], config) for config in ([""] if row.get("whole") else configs(self.root)))

    def state(self, row, config):
        if config in row.get("not", {}):
            return DASH
        best = self.found.get((row["item"], config))
        return RED if best is None else AMBER if best[2] else GREEN

    def cell(self, row, config):
        best = self.found.get((row["item"], config))
        if best is None or self.state(row, config) == DASH:
            return self.state(row, config)
        raised = str(self.number[best[0]["id"]]).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return " ".join(filter(None, (self.state(row, config), number(row, best[1]), raised)))

    def table(self):
        names = configs(self.root)
        yield "| | " + " | ".join(f"`{name}`" for name in names) + " |"
        yield "|---" * (len(names) + 1) + "|"
        for row in self.rows:
            if not row.get("whole"):
                yield f"| {row['name']} | " + " | ".join(self.cell(row, name) for name in names) + " |"

    def note(self, row, figure, cells, only):
        """cells: (configuration, number, shortcomings) of those where it counts; only: those of no other figure."""
        names = [" ".join(filter(None, (f"`{c}`" if c else "", number(row, n)))) for c, n, _ in cells]
        where = ", ".join([] if only and "reached" not in figure else filter(None, names))
        said = where if "reached" in figure else ": ".join(filter(None, (where, figure["figure"])))
        when = f"{self.date(figure['commit'])}, `{figure['commit']}`" if "commit" in figure else "each commit"
        why = list(dict.fromkeys(w for _, _, reasons in cells for w in reasons))
        lacks = f"; *{', '.join(why)}*" if why else ""
        return f"({self.number[figure['id']]}) {said}; {when}{lacks}."

    def item(self, row):
        """A paragraph: the aim, each figure, of what the item is not asked."""
        cells = {}
        for config in [""] if row.get("whole") else configs(self.root):
            best = self.found.get((row["item"], config))
            if best is not None and self.state(row, config) != DASH:
                cells.setdefault(best[0]["id"], (best[0], []))[1].append((config, *best[1:]))
        said = [f"**{row['name']}.** Aim: {row['aim']}."]
        if row.get("whole"):
            said[0] = f"{self.state(row, '')} {said[0]}"
        said += [self.note(row, figure, of, len(cells) == 1) for figure, of in cells.values()]
        reasons = {}
        for config, why in row.get("not", {}).items():
            reasons.setdefault(why, []).append(f"`{config}`")
        for why, names in reasons.items():
            said.append(f"{DASH}{' ' + ', '.join(names) if len(reasons) > 1 else ''}: {why}.")
        return "\n".join(textwrap.wrap("- " + " ".join(said), 100, subsequent_indent="  ", break_long_words=False,
                                       break_on_hyphens=False))

    def text(self):
        counts = [self.state(row, c) for row in self.rows for c in ([""] if row.get("whole") else configs(self.root))]
        yield ", ".join(f"{counts.count(s)} {s}" for s in (GREEN, AMBER, RED, DASH)) + ":\n"
        yield "\n".join(self.table()) + "\n"
        yield from (self.item(row) for row in self.rows if not row.get("whole"))
        yield "\nNot by configuration:\n"
        yield from (self.item(row) for row in self.rows if row.get("whole"))
        yield "\nWaivers, each with its reason in the file; bins of coverage: [groups](coverage.md#what-does-each-group-count).\n"
        for what, path, pattern in WAIVERS:
            found = [p for whole in sorted(glob.glob(os.path.join(self.root, path))) for p in
                     re.findall(pattern, read(self.root, whole), re.M)]
            yield f"- {len(found)} {what}: `{path}`"


def block(page):
    """What stands in the page now; None: nothing does."""
    before, mark, rest = page.partition(BEGIN)
    return rest.partition(END)[0] if mark and END in rest else None


def with_block(page, text):
    return page.replace(BEGIN + block(page) + END, BEGIN + text + END)


# ---- what is wrong with the list
def wrong_share(figure):
    """A share in percent that is typed beside "48 of 57" is one of those that the figure has."""
    of = [100 * int(a) / int(b) for a, b in re.findall(r"\b(\d+) of (\d+)\b", figure["figure"]) if int(b)]
    given = figure.get("reached", {})
    for name, value in {}.items() if isinstance(given, str) or not of else given.items():
        if not any(abs(value - share) < 0.06 for share in of):
            yield f"{name} {value}: {figure['figure']} is {', '.join(f'{share:.1f}' for share in of)}"


def wrong_figure(root, figure, rows, tests, built):
    """tests, built: names of the tests and of the tested configurations of a build, or None."""
    row = rows.get(figure["item"])
    if row is None:
        yield f"{figure['item']} is no item of the plan"
        return
    yield from wrong_share(figure)
    names = list(reached(root, figure))
    if bool(names) == bool(row.get("whole")):
        yield "says for no configuration what it is evidence of" if not names else "its item is not by configuration"
    for name in names:
        if name not in configs(root):
            yield f"there is no configuration {name}"
        elif tests is not None and (name in built or name not in tested(root)): # else a build of fewer machines
            for test in figure.get("tests", []):
                if test.replace("*", name) not in tests:
                    yield f"there is no test {test.replace('*', name)}"


def wrong(root, data, tests, built):
    rows = {row.get("item"): row for row in data["plan"]}
    yield from (f"plan: {row.get('item', row)} has no {', '.join(sorted(ROW - row.keys()))}" for row in data["plan"]
                if ROW - row.keys())
    for name, row in rows.items():
        for config in set(row.get("not", {})) - set(configs(root)):
            yield f"plan: {name}: there is no configuration {config}"
    for figure in data["figures"]:
        if "item" in figure:
            yield from (f"{figure['id']}: {why}" for why in wrong_figure(root, figure, rows, tests, built))
    if block(read(root, PAGE)) is None:
        yield f"{PAGE} has no {BEGIN.strip()}"
