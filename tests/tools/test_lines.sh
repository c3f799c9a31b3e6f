#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_lines.sh HEDDLE PTX
# addr2line and readelf of binutils read the lines of assembled and of compiled programs; -g0 leaves them out and changes
# no word. PTX: tests/compiler/lines/scale.ptx.
set -euo pipefail
heddle=$1 ptx=$2
source "$(dirname "$0")/../lib.sh"
cd "$dir"

printf '%s\n' '.pack off' '.kernel k' 'MOV R4, 0x1 ;' '' 'IADD3 R5, R4, R4, RZ ;' 'EXIT ;' '.end' >k.s
"$heddle" as k.s -o k.elf
expect 0 "k.s:3" addr2line -e k.elf 0x0
expect 0 "k.s:5" addr2line -e k.elf 0x10
expect 0 "k.s:6" addr2line -e k.elf 0x20
expect 0 "k.s" readelf --debug-dump=decodedline k.elf
"$heddle" ptx "$ptx" -o scale.elf
"$heddle" ptx "$ptx" -g0 -o plain.elf
at=$("$heddle" dis scale.elf | sed -n 's|.*STG.*// \(.*\)|\1|p')
expect 0 "/src/scale.cl:6" addr2line -e scale.elf "0x$at"
expect 0 "??:" addr2line -e plain.elf "0x$at"
expect 0 "" diff <("$heddle" dis scale.elf) <("$heddle" dis plain.elf)
expect 2 "expected 0" "$heddle" as -g7 k.s -o k.elf
