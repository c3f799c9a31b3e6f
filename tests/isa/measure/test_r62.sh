#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `heddle isa report` takes for granted: the compiler with at most 62 registers writes the program that a compiler built
# with the variant r62 writes, instruction for instruction, control codes too.
# usage: test_r62.sh HEDDLE ROOT BUILD     BUILD: where r62 is built, or has been
set -uo pipefail
[ $# = 3 ] || { echo "usage: test_r62.sh HEDDLE ROOT BUILD" >&2; exit 2; }
heddle=$1 own=$(dirname "$1") root=$2 build=$3 status=0 same=0 spilling=0
[ -x "$build/heddle" ] || {
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHEDDLE_ISA=r62 -DHEDDLE_HARDWARE=OFF -DHEDDLE_ONE_LEVEL=ON \
    -DHEDDLE_TESTS=OFF >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
}
ninja -C "$build" heddle >"$build.log" 2>&1 || { tail -n 20 "$build.log"; exit 1; }
while read -r ptx; do
  ours=$("$heddle" ptx "$ptx" --target rtl --maxregs 62 --dump asm 2>&1) || { echo "FAILED: $ptx: $ours"; status=1; continue; }
  theirs=$("$build/heddle" ptx "$ptx" --target rtl --dump asm 2>&1) || { echo "FAILED: r62: $ptx: $theirs"; status=1; continue; }
  if [ "$ours" = "$theirs" ]; then
    same=$((same + 1))
    [ "$ours" = "$("$heddle" ptx "$ptx" --target rtl --dump asm 2>/dev/null)" ] || spilling=$((spilling + 1))
  else
    echo "FAILED: $ptx differs:"
    diff <(echo "$ours") <(echo "$theirs") | head -n 6
    status=1
  fi
done < <(find -L "$own/share/heddle/kernels" "$own/tests/compiler/calls" "$root"/tests/compiler/{globals,lines} \
  "$root/tests/silicon/kernels" -name '*.ptx' | sort)
echo "$same programs alike, $spilling of them other than with all registers"
[ "$same" -gt 50 ] && [ "$spilling" -gt 0 ] || { echo "FAILED: too few to show anything"; status=1; }
exit $status
