# SPDX-License-Identifier: Apache-2.0
"""The headers that are installed, by Doxygen: its text, without its scripts and menus, for pages of this site."""
import html
import os
import re
import subprocess

SECTION = "Interfaces"
KINDS = ("File", "Struct", "Union", "Class", "Namespace", "Directory", "Class Template", "Struct Template")
TITLE = re.compile(r"(.*?)(?:&lt;.*&gt;)? (" + "|".join(KINDS) + r")(?: Template)? Reference")
TOP = re.compile(r'<div id="nav-path".*?</div>\s*|</div><!-- top -->\s*', re.S)
HEADING = re.compile(r'<div class="headertitle">.*?</div></div>\s*', re.S)
# What its scripts would open and shut, and a list of headings, some of which are not there.
SCRIPTED = re.compile(r'<img src="closed.png"[^>]*>(?:&#160;)?| on\w+="[^"]*"|<div class="summary">.*?</div>', re.S)
TABLE = re.compile(r'<table class="(?:memberdecls|fieldtable|directory)">.*?</table>', re.S)


class Wrong(Exception):
    """Doxygen or cmake said no."""


def call(words, what):
    done = subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise Wrong(f"{what}: {' '.join(words)}\n{done.stdout[-2000:]}")


def run(here, build, work):
    """Doxygen over what `cmake --install` would install; returns the folder of its pages."""
    call(["cmake", "--install", build, "--prefix", os.path.join(work, "sdk"), "--component", "development"], "headers")
    include = os.path.join(work, "sdk/include")
    settings = os.path.join(work, "Doxyfile")
    with open(settings, "w", encoding="utf-8") as f:
        f.write(f'@INCLUDE = "{here}/Doxyfile"\nINPUT = "{include}/heddle"\nOUTPUT_DIRECTORY = "{work}"\n'
                f'STRIP_FROM_PATH = "{include}"\nINPUT_FILTER = "awk -f {here}/comments.awk"\n'
                f'HTML_HEADER = "{here}/doxygen_header.html"\nHTML_FOOTER = "{here}/doxygen_footer.html"\n')
    call(["doxygen", settings], "doxygen")
    return os.path.join(work, "html")


def read(folder, name):
    """(title, body) of one of its pages."""
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        text = f.read()
    title = re.search(r"<!-- title: (?:heddle/)?(.*?) -->", text)[1]
    body = text.split("<!-- begin -->", 1)[1].split("<!-- end -->", 1)[0]
    found = TITLE.fullmatch(title)
    if found:
        title = found[1] if found[2] in ("File", "Directory") else f"{found[2].split()[0].lower()} {found[1]}"
    body = SCRIPTED.sub("", HEADING.sub("", TOP.sub("", body), count=1))
    body = TABLE.sub(lambda table: f'<div class="scroll">{table[0]}</div>', body)
    return html.unescape(title), f"<h1>{title}</h1>\n{body}"


def reachable(folder, first):
    """Names of the pages to which links lead from the first ones: the rest are lists that nothing here shows."""
    found, new = {}, list(first)
    while new:
        name = new.pop()
        if name in found:
            continue
        found[name] = read(folder, name)
        for link in re.findall(r'href="([^"#:]+\.html)', found[name][1]):
            if os.path.exists(os.path.join(folder, link)):
                new.append(link)
    return found


def about(body):
    """The first sentence of a header's description."""
    text = re.search(r'Detailed Description</h2>\s*<div class="textblock"><p[^>]*>(.*?)</p>', body, re.S)
    text = re.sub(r"<[^>]*>|\s+", " ", text[1] if text else "").strip()
    return re.split(r"(?<=[.:]) ", text)[0].rstrip(":")


def index(pages):
    """Of each header a line."""
    lines = ["<h1>Interfaces</h1>", "<p>Headers that <code>cmake --install</code> puts into <code>include/heddle</code>, in C; "
             "<code>tlm*.hpp</code> in C++.</p>", '<div class="scroll"><table><tr><th>header</th><th></th></tr>']
    for name in sorted(pages):
        title, body = pages[name]
        if title.endswith((".h", ".hpp")):
            lines.append(f'<tr><td><a href="{name}">{title}</a></td><td>{about(body)}</td></tr>')
    return "\n".join(lines) + "</table></div>\n"


def pages(here, build, work):
    """name -> (title, body) of every page of the folder `api`."""
    folder = run(here, build, work)
    found = reachable(folder, [n for n in sorted(os.listdir(folder)) if n.endswith(("_8h.html", "_8hpp.html"))])
    found = {name: page for name, page in found.items() if name != "index.html"}
    found["index.html"] = ("Interfaces", index(found))
    return found
