#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Random programs and kernels again, thread by thread; a rule turned into another one is noticed; hostile files are
# refused. usage: test_threads.sh HEDDLE [PROGRAMS]       default: 60 programs for each divergence unit
set -uo pipefail
heddle=$1 programs=${2:-60}
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
source "$here/../../../tests/tools/expect.sh"
export NO_COLOR=1

expect 0 "example:" "$heddle" threads --help
expect 2 "one trace is needed" "$heddle" threads
expect 2 "no such rule" "$heddle" threads --twist none-such t.bin
head -c 3000 /dev/urandom >"$dir/noise.bin"
expect 2 "not a retire trace" "$heddle" threads "$dir/noise.bin"

# Each program by itself; those whose result depends on an order leave no trace.
for div in stack its; do
  mkdir "$dir/$div"
  for ((k = 0; k < programs; k++)); do
    expect 0 "0 failed" "$heddle" fuzz --programs 1 --only $k --seed 30 --div $div --config sm --on model \
      --trace "$dir/$div/$k.bin"
    [ -s "$dir/$div/$k.bin" ] || continue
    expect 0 "the same memory" "$heddle" threads "$dir/$div/$k.bin" --json "$dir/k.json"
    expect 0 '"outcome": "same"' cat "$dir/k.json"
  done
  made=("$dir/$div"/*.bin)
  expect 0 "" test ${#made[@]} -gt $((programs / 2))
done
# Whose turn it is under its is drawn: another draw, the same memory.
for t in "$dir"/its/*.bin; do expect 0 "the same memory" "$heddle" threads "$t" --seed 2; done
# Each rule that is turned is noticed by some program.
for twist in release-early break-stays exit-stays call-falls guard-votes shfl-hears lowest-stores; do
  seen=0
  for t in "$dir"/stack/*.bin; do "$heddle" threads "$t" --twist $twist >/dev/null || seen=$((seen + 1)); done
  expect 0 "" test $seen -gt 0
  echo "$twist: $seen of $programs programs"
done
one=("$dir"/stack/*.bin)
expect 4 "--steps" "$heddle" threads "${one[0]}" --steps 10
head -c -1 "${one[0]}" >"$dir/cut.bin"
expect 2 "error" "$heddle" threads "$dir/cut.bin"

for form in asm ptx O0; do
  expect 0 "0 failed" "$heddle" kernels --form $form --scale 0 --on model --trace "$dir/k.bin"
  expect 0 "the same memory" "$heddle" threads "$dir/k.bin"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
