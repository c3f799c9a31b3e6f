#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Declarations of Heddle's C headers as a Python module of cffi (ABI mode: no compiler where it is used).

usage: declarations.py INCLUDE OUT.py      example: declarations.py build/gen firmware/host/python/heddle/_c.py
INCLUDE holds heddle/*.h, as a build or an installation has them. Constants are the headers' macros that are whole
numbers.
"""
import re
import subprocess
import sys

import cffi

HEADERS = ("sim", "module_ptx", "session", "trace", "printf", "asm", "explain", "host", "needs", "isa_tables")
NUMBER = re.compile(r"[\s0-9a-fA-FxXuUlL()<>|+*-]+")


def compiler(include, text, *options):
    command = ["cc", "-std=c11", f"-I{include}", "-x", "c", "-E", *options, "-"]
    return subprocess.run(command, input=text, text=True, check=True, stdout=subprocess.PIPE).stdout


def own_lines(text, include):
    """What stands in Heddle's headers, without what they include."""
    own = False
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            own = marker.group(1).startswith(f"{include}/heddle/")
        elif own and line.strip():
            yield line


def without_bodies(text):
    """Functions that the headers define: no library has them."""
    while (at := text.find("static inline")) >= 0:
        end, depth = text.index("{", at), 0
        while True:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        text = text[:at] + text[end:]
    return text


def constants(include, source):
    names = re.findall(r"^#define ((?:HEDDLE|ISA)_\w+) \S",
                       compiler(include, source, "-dM"), re.MULTILINE)
    asked = source + "".join(f'\n@"{name}" {name}' for name in sorted(names))
    for name, value in re.findall(r'^@ ?"(\w+)" (.*)$', compiler(include, asked, "-P"), re.MULTILINE):
        if NUMBER.fullmatch(value) and re.search(r"\d", value):
            plain = re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b", r"\1", value)
            yield name, eval(plain, {"__builtins__": {}})  # digits and operators, nothing else


def declarations(include):
    source = "".join(f"#include <heddle/{h}.h>\n" for h in HEADERS)
    text = "\n".join(own_lines(compiler(include, source), include))
    text = without_bodies(text).replace('__attribute__((visibility("default")))', "")
    return text + "\n" + "".join(f"#define {n} {v}\n" for n, v in constants(include, source)) + LIBC


# A report goes into a stream: one in memory is libc's.
LIBC = """
FILE *open_memstream(char **text, size_t *bytes);
int fclose(FILE *stream);
void free(void *p);
"""


def main(include, out):
    ffi = cffi.FFI()
    ffi.cdef(declarations(include.rstrip("/")))
    ffi.set_source("heddle._c", None)
    ffi.emit_python_code(out)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
