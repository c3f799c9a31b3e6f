#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the libraries touch the process of their host only where docs/hosts.md says so?

usage: test_process.py ROOT
Each call of the C library that reads the host's locale or changes its process stands in ALLOWED; numbers with a point
go through base/number.h. Exit status 0, or 1 with a line FILE:LINE: what is wrong for each.
"""
import os
import re
import sys

FOLDERS = ("base", "isa/asm", "isa/lib", "isa/lint", "isa/configs/lib", "compiler", "cmodel", "cosim", "firmware")
# Programs of their own, and what a user compiles.
OTHERS = ("cosim/kit", "cosim/retire/gen", "cosim/systemc", "cosim/verilator", "cosim/port/example.c", "compiler/library",
          "compiler/device", "firmware/host/cuda/include")
ALLOWED = {"base/number.c": {"strtod", "strtof", "newlocale", "uselocale", "fesetenv"},
           # From fork on for programs of our own alone.
           "base/process.c": {"pthread_create", "waitpid", "pthread_sigmask", "posix_spawnp", "kill",
                              "fork", "_exit", "process_fork", "chdir", "execvpe", "process_become",
                              "process_wait_any", "sigaction", "process_cleans_up", "temporary_remove_all",
                              "temporary_forget_all"},
           # Of a handler of signals, which such a program alone has.
           "base/file.c": {"waitpid", "execv", "_exit", "temporary_remove_all", "temporary_forget_all"},
           "firmware/host/cuda/state.c": {"_exit"}, "firmware/host/opencl/board.c": {"_exit"}}  # heddle/sim.h: a difference ends a host
CALLS = re.compile(r"(?<![\w.>])(strto(?:d|f|ld)|atof|setlocale|newlocale|uselocale|localeconv|chdir|fchdir|umask|setenv|"
                   r"putenv|unsetenv|clearenv|system|popen|v?fork|exec[lv]p?e?|posix_spawnp?|wait(?:pid|id|3|4)?|signal|sigaction|"
                   r"sigprocmask|pthread_sigmask|pthread_create|pthread_atfork|atexit|setrlimit|setitimer|alarm|kill|"
                   r"tmpnam|mktemp|exit|_exit|abort|perror|puts|putchar|printf|vprintf|strn?casecmp|strcoll|strftime|"
                   r"to(?:upper|lower)|is(?:alpha|alnum|upper|lower|space|print|graph|punct|digit|xdigit)|fesetround|fesetenv|"
                   r"process_(?:fork|become|wait_any|cleans_up)|temporary_(?:remove|forget)_all)\(")
PRINT = re.compile(r"(?<![\w.>])(\w*printf|ptx_error|print|asm_error|model_fail)\s*\((.*?)\)\s*;", re.S)
FLOAT = re.compile(r"%[-+ #0-9.*]*l?[aefgAEFG]")
MOVES = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)


def blank(found):
    return re.sub(r"[^\n]", " ", found.group(0))


def wrong_of(file, text):
    """Lines and words of what stands in `text` and should not."""
    allowed = ALLOWED.get(file, set())
    bare = MOVES.sub(blank, text)
    for found in CALLS.finditer(bare):
        line = bare[bare.rfind("\n", 0, found.start()) + 1:found.start()]
        declares = re.match(r"(?:static |const |struct |enum |void |bool |int |pid_t )+[\w *]*$", line)
        if found.group(1) not in allowed and not declares and file != "base/number.h":
            yield bare.count("\n", 0, found.start()) + 1, f"{found.group(1)}: the host's process is not ours (base/number.h, process.h)"
    without = re.sub(r"/\*.*?\*/", blank, text, flags=re.S)
    for found in PRINT.finditer(without):
        strings = "\n".join(re.findall(r'"((?:\\.|[^"\\\n])*)"', found.group(2))).replace("%%", "")
        if found.group(1) != "number_print" and FLOAT.search(strings):
            yield without.count("\n", 0, found.start()) + 1, f"{found.group(1)} of a number with a point: number_print of base/number.h"


PLANTED = ['double d = strtod(text, NULL);', 'if (toupper(c) == 1) x = 0;', '(void)signal(SIGPIPE, SIG_IGN);', 'exit(1);',
           'snprintf(text, sizeof text, "%.9g",\n         v);', 'const pid_t pid = fork();',
           'process_cleans_up();']
SOUND = ['/* strtod( */ x = "exit(1)";', 'number_print(text, sizeof text, "%.9g", v);', 'snprintf(t, 9, "%%f %u", 1);', 'l->write(x);',
         'static bool read(int fork);']


def main():
    root = sys.argv[1]
    bad = [f"the planted '{p}' is not found" for p in PLANTED if not list(wrong_of("isa/asm/x.c", p))]
    bad += [f"'{s}' is refused" for s in SOUND if list(wrong_of("isa/asm/x.c", s))]
    files = 0
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                file = os.path.relpath(os.path.join(folder, name), root)
                if not name.endswith((".c", ".h")) or file.startswith(OTHERS):
                    continue
                files += 1
                with open(os.path.join(root, file), encoding="utf-8") as f:
                    bad += [f"{file}:{line}: {why}" for line, why in wrong_of(file, f.read())]
    for line in bad:
        print(line)
    print(f"{files} files, {len(bad)} wrong")
    return 1 if bad or files < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
