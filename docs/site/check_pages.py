#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Open every page of the site in Chromium, from the disk, as a phone and in the dark; search for some words.

usage: check_pages.py DIR
Found are: errors on the console, exceptions, requests that leave DIR, files that cannot be loaded, a page that is wider than
a phone, one that looks the same in the dark, a word that search does not find.
A line each, then the count. Exit status: 0 none, 1 some, or nothing to check, 2 usage, 5 no Chromium.
"""
import pathlib
import shutil
import sys

from playwright.sync_api import Error, sync_playwright

WORDS = ("reconvergence", "MSHR", "IADD3")
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
PHONE = {"width": 390, "height": 800}


def listen(tab, root, found):
    tab.on("console", lambda m: found.append("console: " + m.text) if m.type in ("error", "assert") else None)
    tab.on("pageerror", lambda e: found.append(f"exception: {e}"))
    tab.on("request", lambda r: None if r.url.startswith((root, "data:", "about:")) else found.append("leaves the site: " + r.url))
    tab.on("requestfailed", lambda r: found.append(f"cannot be loaded: {r.failure} {r.url}"))


def opened(tab, url, found):
    """What is wrong with a page goes into `found`."""
    tab.emulate_media(color_scheme="light")
    tab.goto(url, wait_until="load")
    light, width = tab.evaluate(BACKGROUND), tab.evaluate("document.documentElement.scrollWidth")
    tab.emulate_media(color_scheme="dark")
    if width > PHONE["width"]:
        found.append(f"is {width} pixels wide on a phone of {PHONE['width']}")
    try:
        tab.wait_for_function(f"was => {BACKGROUND} !== was", arg=light, timeout=3000)
    except Error:
        found.append("looks the same in the dark")


def searched(tab, url, found):
    for word in WORDS:
        try:
            tab.goto(url)
            tab.locator("label[for=__search]").first.click(timeout=5000)
            tab.locator(".md-search__input").press_sequentially(word, delay=20)
            tab.locator(".md-search-result__item").first.wait_for(timeout=20000)
        except Error:
            found.append(f"search does not find {word}")


def main(arguments):
    program = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
    if len(arguments) != 1 or not pathlib.Path(arguments[0]).is_dir():
        print(__doc__, file=sys.stderr)
        return 2
    if not program:
        print("site: no chromium here; docs/site/setup.sh installs it", file=sys.stderr)
        return 5
    root, found, wrong = pathlib.Path(arguments[0]).resolve(), [], 0
    pages = [*sorted(root.rglob("*.html")), root / "index.html"]
    with sync_playwright() as player:
        tab = player.chromium.launch(executable_path=program).new_page(viewport=PHONE)
        listen(tab, root.as_uri() + "/", found)
        for n, page in enumerate(pages, 1):
            (opened if n < len(pages) else searched)(tab, page.as_uri(), found)
            print("".join(f"{page.relative_to(root)}: {f}\n" for f in found), end="", flush=True)
            wrong += len(found)
            found.clear()
    print(f"{len(pages) - 1} pages opened, {wrong} findings")
    return 1 if wrong or len(pages) < 2 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
