#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What docs/site/check_pages.py must find in a page, and what it must let pass.

usage: test_browser.py ROOT
"""
import os
import subprocess
import sys
import tempfile

HEAD = ('<!DOCTYPE html><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style>'
        "body { background: #fff } @media (prefers-color-scheme: dark) { body { background: #000 } }</style>")
# page: what follows the head, what is said of it
PAGES = {
    "right.html": ("<p>right<script>console.log('no error')</script>", None),
    "said.html": ("<script>console.error('planted', 5)</script>", "console: planted 5"),
    "thrown.html": ("<script>none.at_all()</script>", "exception: none is not defined"),
    "outside.html": ("<img src='http://example.com/a.png'>", "leaves the site: http://example.com/a.png"),
    "lost.html": ("<img src='none.png'>", "cannot be loaded: net::ERR_FILE_NOT_FOUND"),
    "above.html": ("<img src='../right.png'>", "leaves the site: file://"),
    "wide.html": ("<div style='width: 900px'>wide</div>", "pixels wide on a phone of 390"),
    "light.html": ("<style>body { background: #eee !important }</style>", "looks the same in the dark"),
}


def main():
    program = [sys.executable, "-B", os.path.join(sys.argv[1], "docs/site/check_pages.py")]
    failed = 0
    with tempfile.TemporaryDirectory() as root:
        for name, (body, _) in PAGES.items():
            with open(os.path.join(root, name), "w", encoding="utf-8") as f:
                f.write(HEAD + body)
        done = subprocess.run([*program, root], check=False, stdout=subprocess.PIPE, text=True)
        said = done.stdout.splitlines()
        for name, (_, words) in PAGES.items():
            found = [line for line in said if line.startswith(name + ": ")]
            if bool(found) != bool(words) or (words and not any(words in line for line in found)):
                print(f"FAILED: {name}: want '{words}', got {found}")
                failed = 1
        if done.returncode != 1:
            print(f"FAILED: exit status {done.returncode}, not 1: {said}")
            failed = 1
        for word in ("reconvergence", "MSHR", "IADD3"):
            if f"index.html: search does not find {word}" not in said:
                print(f"FAILED: no search, and not said: {said}")
                failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
