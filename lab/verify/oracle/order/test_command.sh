#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The command, on traces of programs in lockstep. usage: test_command.sh HEDDLE CONFIG SEED
set -uo pipefail
heddle=$1 config=$2 seed=$3
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../../../../tests/lib.sh"
export NO_COLOR=1

expect 0 "example:" "$heddle" order --help
expect 2 "one trace or list is needed" "$heddle" order
expect 2 "--accesses x" "$heddle" order --accesses x t.bin
expect 2 "No such file" "$heddle" order "$dir/none.bin"
head -c 5000 /dev/urandom >"$dir/noise.bin"
expect 2 "not a retire trace" "$heddle" order "$dir/noise.bin"
expect 2 "not a retire trace" "$heddle" order "$dir/noise.bin" --json "$dir/noise.json"
expect 0 '"outcome": "refused"' cat "$dir/noise.json"

expect 0 "0 failed" "$heddle" kernels histogram --form asm --scale 0 --launches 1 --on lockstep --config "$config" \
  --trace "$dir/k.bin"
expect 0 "every axiom holds" "$heddle" order "$dir/k.bin" --json "$dir/k.json"
expect 0 '"outcome": "holds"' cat "$dir/k.json"
expect 0 '"steps": []' cat "$dir/k.json"
expect 4 "--accesses" "$heddle" order "$dir/k.bin" --accesses 5
head -c -1 "$dir/k.bin" >"$dir/cut.bin"
expect 2 "error" "$heddle" order "$dir/cut.bin"

for div in stack its; do
  expect 0 "0 failed" "$heddle" fuzz --programs 3 --seed "$seed" --div $div --config "$config" --trace "$dir/f.bin"
  for k in 0 1 2; do expect 0 "every axiom holds" "$heddle" order "$dir/f.bin.$k"; done
  rm -f "$dir"/f.bin.*
done
# The neutral list: a version of tomorrow, what is no text, what is cut.
printf 'heddle-order-list 2\nstamps none\nend\n' >"$dir/v2.list"
expect 2 "v2.list:1:19: error: version 2; this program reads version 1" "$heddle" order "$dir/v2.list"
printf 'heddle-order-list 1\nstamps none\nthread 1 block 0\nload 1 1 0x0 4 0x0\n' >"$dir/cut.list"
expect 2 "no line 'end': the list is not whole" "$heddle" order "$dir/cut.list"
printf 'heddle-order-list 1\nstamps \0none\n' >"$dir/nul.list"
expect 2 "nul.list:2:8: error: byte 0x00; a list is plain text" "$heddle" order "$dir/nul.list"
{ printf 'heddle-order-list 1\n'; head -c 600 /dev/zero | tr '\0' a; } >"$dir/long.list"
expect 2 "long.list:2:512: error: the line is longer than 511 bytes" "$heddle" order "$dir/long.list"
