#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a static function's name say what it does? One that stands in more than three files says nothing in a list of callers.

usage: scripts/check-names.py [ROOT]      example: scripts/check-names.py
Files are the C of the product: all but tests/ and examples/. Exit status 0, or 1 with a line for each such name and its files.
"""
import collections
import os
import re
import sys

MOST = 3  # files
APART = ("build", "tests", "examples", ".git")
DEFINED = re.compile(r"^static (?:inline )?(?:const )?(?:\w+[ *]+)+?\*?(\w+)\(", re.M)


def main(root):
    files, where = 0, collections.defaultdict(set)
    for folder, folders, names in os.walk(root):
        if folder == root:
            folders[:] = [f for f in folders if not f.startswith(APART)]
        for name in names:
            if name.endswith(".c"):
                files += 1
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8", errors="replace") as text:
                    for function in DEFINED.findall(text.read()):
                        where[function].add(os.path.relpath(path, root))
    often = {name: paths for name, paths in where.items() if len(paths) > MOST}
    for name, paths in sorted(often.items()):
        print(f"{name}: in {len(paths)} files: {' '.join(sorted(paths))}")
    print(f"{files} files, {sum(map(len, where.values()))} static functions, {len(often)} names in more than {MOST} files")
    return 1 if often or not files else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), ".."))))
