#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# What the compiler makes of PTX's orders, scopes and fences, against mapping.txt: the accesses, fences and barriers of
# each compiled line, in their order, at both levels of the compiler. usage: mapping.py HEDDLE MAPPING
import os
import re
import subprocess
import sys
import tempfile

KERNEL = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 v)
{
  .reg .b32 %%r<4>;
  .reg .b64 %%d<4>;
  .shared .align 4 .b8 s[16];
  ld.param.u64 %%d0, [a];
  ld.param.u64 %%d1, [b];
  ld.param.u64 %%d2, [c];
  ld.param.u32 %%r1, [v];
  mov.u32 %%r0, 0;
  %s
  st.global.u32 [%%d2], %%r0;
  ret;
}
"""
WORDS = re.compile(r"\b((?:LDG|STG|LD|ST|ATOMG|RED|MEMBAR|BAR)\.[A-Z.]+|LDS|STS|ATOMS\.[A-Z.]+)(?= )")


def compiled(heddle, folder, statement, level):
    source, program = os.path.join(folder, "k.ptx"), os.path.join(folder, "k.elf")
    with open(source, "w") as f:
        f.write(KERNEL % statement)
    subprocess.run([heddle, "ptx", source, "-o", program, f"-O{level}"], check=True)
    text = subprocess.run([heddle, "dis", program], check=True, capture_output=True, text=True).stdout
    words = [w for line in text.splitlines() for w in WORDS.findall(line)]
    del words[len(words) - 1 - words[::-1].index("STG.E")]  # the store of the result, which shared memory may pass
    return words


def main():
    heddle, table = sys.argv[1:3]
    lines = wrong = 0
    with tempfile.TemporaryDirectory() as folder, open(table) as f:
        for line in f:
            if line.startswith("#"):
                continue
            statement, _, want = line.rpartition("|")
            for level in (0, 1):
                got = compiled(heddle, folder, statement.strip(), level)
                lines += 1
                if got != want.split():
                    wrong += 1
                    print(f"{statement.strip()} at level {level}: {' '.join(got)}, not {want.strip()}")
    print(f"{lines} compiled lines, {wrong} with other instructions than the table says")
    return wrong != 0 or lines == 0


if __name__ == "__main__":
    sys.exit(main())
