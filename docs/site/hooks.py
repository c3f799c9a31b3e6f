# SPDX-License-Identifier: Apache-2.0
"""What MkDocs asks while it makes the site: which pages there are, with links that hold there; what stands at the side.

Pages are every .md of the tree, and what the tools have made in the work folder (`docs_dir`), as if it lay in the tree.
Whatever they link besides gets a page, too: a file its text, a folder without README a list.
"""
import os
import re
import sys

PICTURES = (".svg", ".png")
FENCE = re.compile(r"(^```.*?^```)", re.M | re.S)
LINK = re.compile(r'`[^`\n]+`|(?<=\]\()[^)\s]+(?=\))|(?<=href=")[^"]+(?=")|(?<=src=")[^"]+(?=")')
LANGUAGES = {"sv": "systemverilog", "svh": "systemverilog", "v": "verilog", "h": "c", "hpp": "cpp", "cu": "cpp", "cl": "c",
             "yml": "yaml", "s": "text"}
# Words of the glossary that pages use in their common sense, too: no tooltips.
COMMON = {"word", "line", "device", "machine", "unit", "pipe", "age", "fault", "flush", "fill", "stream", "window", "cut", "slot",
          "region", "difference", "block", "undefined", "signature", "launch", "variant", "guard", "active", "P1", "P2", "B0 to B15"}


def glossary(text):
    """Its tables as abbreviations; of several words that share a row each has its part of the meaning."""
    lines = []
    for names, means in re.findall(r"^\| ([^|`]+) \| ([^|]+) \|", text, re.M):
        words, parts = names.split(", "), re.sub(r"[`*]", "", means).split("; ")
        for n, word in enumerate(words):
            meaning = parts[n] if len(parts) == len(words) else "; ".join(parts)
            lines += [f"*[{word}{s}]: {meaning}\n" for s in ("", "s") if word not in COMMON]
    return "\n\n" + "".join(lines)


def as_gfm(text):
    """What GitHub takes and Python's Markdown does not: a list behind a line of text, steps of two or three, \\| in code."""
    text = re.sub(r"(\A\n|^(?![-*] |\d+\. |[ #<|]).+\n)(?=(?:[-*]|\d+\.) )", r"\1\n", text, flags=re.M)
    text = re.sub(r"(?<=\n\n)(?: {2,3}\S.*\n)+", lambda item: re.sub("^ +", "    ", item[0], flags=re.M) + "\n", text)
    text = re.sub(r"^ {2,3}(?=[-*] )", "    ", text, flags=re.M)
    return re.sub(r"^\|.*", lambda row: re.sub(r"`[^`]+`", lambda c: c[0].replace(r"\|", "|"), row[0]), text, flags=re.M)


class Tree:
    """Pages that have been made, path -> text, and pictures, path -> None; and those that they ask for."""

    def __init__(self, root, work):
        self.root, self.work, self.made, self.asked = root, work, {}, []
        self.words = glossary(self.read("docs/glossary.md"))

    def where(self, path):
        work = os.path.join(self.work, path)
        return work if os.path.exists(work) else os.path.join(self.root, path)

    def read(self, path):
        with open(self.where(path), encoding="utf-8", errors="replace") as f:
            return f.read()

    def pages(self):
        """Those of tree and work folder; an index that was made stands for the README of its folder."""
        found = set()
        for top in (self.root, self.work):
            for folder, folders, files in os.walk(top):
                folders[:] = [f for f in folders if not f.startswith((".", "build"))]
                found |= {os.path.relpath(os.path.join(folder, f), top) for f in files if f.endswith(".md")}
        return sorted((p for p in found if self.index(p) == p), key=lambda p: p[:-3])

    def index(self, page):
        made = re.sub(r"README\.md$", "index.md", page)
        return made if os.path.exists(os.path.join(self.work, made)) else page

    def target(self, page, link):
        """A link of a page as it is in the site; code stays."""
        path, mark, anchor = link.partition("#")
        if not path or re.match(r"`|[a-z]+:", path):
            return link
        to = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if to.startswith(("..", "/")) or not os.path.exists(self.where(to)):
            sys.exit(f"site: {page}: link {link} leads nowhere")
        if os.path.isdir(self.where(to)):
            to = os.path.normpath(to + "/README.md")
        elif not to.endswith((".md", *PICTURES)):
            header = re.sub(r".*(?=include/heddle/)", "", to + ".md")
            to = header if os.path.exists(self.where(header)) else to + ".md"
        to = self.index(to)
        self.asked.append(to)
        return os.path.relpath(to, os.path.dirname(page)) + mark + anchor

    def listing(self, folder):
        """Of a folder without README; folders in it are named alone."""
        names = sorted(n for n in os.listdir(self.where(folder)) if not n.startswith((".", "__")))
        inside = {n for n in names if os.path.isdir(self.where(f"{folder}/{n}"))}
        return f"# {folder}/\n\n" + "".join(f"- `{n}/`\n" if n in inside else f"- [{n}]({n})\n" for n in names)

    def make(self, page):
        if page.endswith(PICTURES):
            return None
        folder, name = os.path.split(page)
        if os.path.exists(self.where(page)):
            text = self.read(page)
        elif name == "README.md":
            text = self.listing(folder)
        else:
            kind = os.path.splitext(page[:-3])[1][1:]
            return (f"---\nsearch: {{exclude: true}}\n---\n# {page[:-3]}\n\n"
                    f"~~~~~~~~~ {LANGUAGES.get(kind, kind)}\n{self.read(page[:-3])}\n~~~~~~~~~\n")
        parts = FENCE.split(text)
        parts[::2] = [LINK.sub(lambda m: self.target(page, m[0]), as_gfm(part)) for part in parts[::2]]
        return "".join(parts) + (self.words if page != "docs/glossary.md" else "")

    def make_all(self):
        self.asked += self.pages()
        while self.asked:
            page = self.asked.pop()
            if page not in self.made:
                self.made[page] = self.make(page)


def the_map(text, pages):
    """What docs/README.md names above its sections; then each section: title, pages of its tables."""
    first, *parts = re.split(r"^## (.*)$", text, flags=re.M)

    def linked(part):
        links = (os.path.normpath(os.path.join("docs", p)) for p in re.findall(r"\]\(([^)#]+\.md)[)#]", part))
        return [p for p in links if p in pages]

    sections = [(re.split(":| and | of ", title)[0], linked("".join(re.findall(r"^\|.*", part, re.M))))
                for title, part in zip(parts[::2], parts[1::2])]
    return linked(first), sections


def folders(pages, folder=""):
    """Pages of a folder, its README first, then those of folders in it."""
    inside = [p for p in pages if p.startswith(folder)]
    here = sorted((p for p in inside if "/" not in p[len(folder):]), key=lambda p: (not p.endswith("README.md"), p))
    below = sorted({p[len(folder):].split("/")[0] for p in inside} - {p[len(folder):] for p in here})
    return here + [{f + "/": folders(inside, f"{folder}{f}/")} for f in below]


def navigation(text, pages):
    """`text`: of docs/README.md, the one map; what it does not name stands with its folder."""
    left = {p: None for p in pages}

    def take(wanted):
        return [p for p in wanted if p in left and left.pop(p, 0) is None]

    instructions = take(p for p in pages if p.startswith("isa/doc/"))
    manual = take(["isa/manual/index.md", *(p for p in pages if p.startswith("isa/manual"))])
    instructions += [{"Instructions A to Z": manual}, *take(["isa/map.md"])]
    headers = take(["include/heddle/index.md", *(p for p in pages if p.startswith("include/"))])
    above, sections = the_map(text, pages)
    nav = [{"Home": take(["README.md", "docs/README.md"])}]
    nav += [{title: take(links)} for title, links in sections]
    nav[4:4] = [{"Instruction set": instructions}, {"Headers": headers}]
    return nav + [{"Developers": take(above) + folders(list(left))}]


def on_files(files, config):
    """All pages; those of the work folder with links that hold, too."""
    from mkdocs.structure.files import File  # here, since tests of the parts do without MkDocs

    tree = Tree(os.path.realpath(os.path.join(os.path.dirname(__file__), "../..")), config.docs_dir)
    tree.make_all()
    for path, text in sorted(tree.made.items()):
        if files.get_file_from_path(path):
            files.remove(files.get_file_from_path(path))
        what = {"abs_src_path": tree.where(path)} if text is None else {"content": text}
        files.append(File.generated(config, path, **what))
    config.nav = navigation(tree.read("docs/README.md"), tree.pages())
    return files


def on_page_content(html, **_):
    """A word's meaning stands where a page has it first."""
    seen = set()
    return re.sub(r'<abbr title="([^"]*)">([^<]*)</abbr>',
                  lambda m: m[2] if m[1] in seen or seen.add(m[1]) else m[0], html)
