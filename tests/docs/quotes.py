# SPDX-License-Identifier: Apache-2.0
"""Code that a page quotes is code that is compiled: each of its blocks of C, or of another language, stands in the file,
word for word.

usage: quotes.py PAGE FILE [LANGUAGE]
"""
import re
import sys

page, file = (open(path, encoding="utf-8").read() for path in sys.argv[1:3])
language = sys.argv[3] if len(sys.argv) > 3 else "c"
blocks = re.findall(rf"^```{language}\n(.*?)^```", page, re.M | re.S)
missing = [block for block in blocks if block not in file]
for block in missing:
    print(f"{sys.argv[2]} does not hold what {sys.argv[1]} quotes:\n{block}")
sys.exit(1 if missing or not blocks else 0)
