#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_ptx_hostile.sh HEDDLE
# Files that no compiler writes: `heddle ptx` refuses them in words, or takes them, in a few seconds of processor time.
set -uo pipefail
heddle=$(realpath "$1")
source "$(dirname "$0")/../lib.sh"
cd "$dir" || exit 1
head='.version 6.3\n.target sm_70\n.address_size 64\n'
repeat() { awk -v s="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) { t = s; if (index(s, "#")) gsub(/#/, i, t); printf "%s", t } }'; }

compile() { (ulimit -t 10 && "$heddle" ptx "$@"); }
# ends STATUS WORDS FILE [OUTPUT]: at most ten seconds of processor time at each level
ends() { for level in 0 2; do expect "$1" "$2" compile "$3" -O$level -o "${4:-$dir/out.elf}"; done; }

: >empty.ptx
ends 2 'a module begins with .version' empty.ptx
head -c 4096 "$heddle" >binary.ptx
ends 2 'unexpected' binary.ptx
truncate -s 100M large.ptx
ends 2 'larger than' large.ptx
mkdir folder.ptx
ends 2 'cannot be read' folder.ptx
ends 2 'No such file' missing.ptx
printf "$head"'.entry k() { ret; }\n' >good.ptx
ends 0 '' good.ptx
ends 2 'cannot create' good.ptx "$dir/nowhere/out.elf"
ends 2 'cannot create' good.ptx "$dir/folder.ptx"

# ---- deep
body='.entry k() { .reg .u32 %%r; mov.u32 %%r, '
{ printf "$head$body"; repeat '(' 100000; printf 1; repeat ')' 100000; echo '; ret; }'; } >parentheses.ptx
ends 2 'nested more than' parentheses.ptx
{ printf "$head.entry k() "; repeat '{' 100000; printf 'ret;'; repeat '}' 100000; } >braces.ptx
ends 2 'nested more than' braces.ptx
{ printf "$head"; printf '.func f0() { ret; }\n'
  awk 'BEGIN { for (i = 1; i < 40; i++) printf ".func f%d() { call.uni f%d; call.uni f%d; ret; }\n", i, i - 1, i - 1 }'
  printf '.entry k() { call.uni f39; ret; }\n'; } >calls.ptx
ends 0 '' calls.ptx

# ---- long
{ printf "$head.entry k() {\n"; repeat 'L#:\n' 100000; echo 'ret; }'; } >labels.ptx
ends 0 '' labels.ptx
load='.reg .b32 %%r<3>; .reg .b64 %%a; .reg .pred %%p; ld.param.u64 %%a, [p]; ld.global.u32 %%r0, [%%a]; ld.global.u32 %%r1, [%%a+4];\n'
{ printf "$head.entry k(.param .u64 p) { $load"; repeat 'mad.lo.u32 %r0, %r1, %r0, %r0; xor.b32 %r1, %r0, %r1;\n' 50000
  echo 'st.global.u32 [%a], %r1; ret; }'; } >straight.ptx
ends 0 '' straight.ptx
{ printf "$head.entry k(.param .u64 p) { $load"
  repeat 'setp.eq.u32 %p, %r0, #; @%p bra A#; add.u32 %r0, %r0, %r1; bra B#;\nA#: sub.u32 %r0, %r0, %r1;\nB#:\n' 5000
  echo 'st.global.u32 [%a], %r0; ret; }'; } >branches.ptx
ends 0 '' branches.ptx
{ printf "$head"; repeat '.entry k#() { ret; }\n' 5000; } >kernels.ptx
ends 2 'more than 4096 kernels' kernels.ptx
