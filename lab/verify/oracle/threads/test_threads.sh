#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Random programs and kernels again, thread by thread; a rule turned into another one is noticed; hostile files are
# refused. usage: test_threads.sh HEDDLE [PROGRAMS]       default: 40 programs for each divergence unit
set -uo pipefail
heddle=$1 programs=${2:-40}
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../../../../tests/lib.sh"
export NO_COLOR=1

expect 0 "example:" "$heddle" threads --help
expect 2 "one trace is needed" "$heddle" threads
expect 2 "no such rule" "$heddle" threads --twist none-such t.bin
head -c 3000 /dev/urandom >"$dir/noise.bin"
expect 2 "not a retire trace" "$heddle" threads "$dir/noise.bin"

# A program whose words the prose alone gives: the model's memory and the interpreter's are these.
words() {
  local lane four two
  for ((lane = 0; lane < 32; lane++)); do
    four=eeeeeeee two=aaaaaaaa
    [ $((lane % 4)) != 0 ] || four=11111111
    [ $((lane % 2)) != 0 ] || two=55555555
    echo " $four ffffffff $four ffffffff $two $([ $lane -lt 4 ] && echo 00000000 || echo "${two%?}0")" \
      "ffffffff $([ $four = 11111111 ] && echo $four || echo 00000000)"
  done
}
words >"$dir/words"
expect 0 "" "$heddle" as "$here/release.s" -o "$dir/release.elf"
for div in stack its; do
  expect 0 "ok:" "$heddle" run "$dir/release.elf" --kernel release --grid 1 --block 32 --arg out:1024:"$dir/o" \
    --on model --div $div --trace "$dir/release"
  od -A n -t x4 -w32 -v "$dir/o" >"$dir/got"
  expect 0 "" diff "$dir/words" "$dir/got"
  expect 0 "the same memory" "$heddle" threads "$dir/release"
  for twist in break-stays exit-stays call-falls sync-passes; do
    got=0
    "$heddle" threads "$dir/release" --twist $twist --steps 100000 >/dev/null 2>&1 || got=$?
    expect 0 "" test $got = 1 -o $got = 4
  done
done

# Of several programs each has a trace of its own; those whose result depends on an order have none.
for div in stack its; do
  expect 0 "0 failed" "$heddle" fuzz --programs "$programs" --seed 30 --div $div --config sm --on model \
    --trace "$dir/$div"
  expect 1 "" test -e "$dir/$div"
  made=("$dir/$div".*)
  expect 0 "" test ${#made[@]} -gt $((programs / 2))
  for t in "${made[@]}"; do
    expect 0 "the same memory" "$heddle" threads "$t" --json "$dir/k.json"
    expect 0 '"outcome": "same"' cat "$dir/k.json"
    # Whose turn it is is drawn: another draw, the same memory.
    expect 0 "the same memory" "$heddle" threads "$t" --seed 2
  done
done
# A rule that is turned into another is noticed, by other memory or by no end.
for twist in $("$heddle" threads --twist list | grep -v '^none$'); do
  seen=0
  for t in "$dir"/stack.* "$dir"/its.*; do
    got=0
    "$heddle" threads "$t" --twist "$twist" --steps 1000000 >/dev/null 2>&1 || got=$?
    [ $got = 1 ] || [ $got = 4 ] && seen=$((seen + 1))
  done
  expect 0 "" test $seen -gt 0
  echo "$twist: noticed by $seen programs"
done
one=("$dir"/stack.*)
expect 4 "--steps" "$heddle" threads "${one[0]}" --steps 10
head -c -1 "${one[0]}" >"$dir/cut.bin"
expect 2 "error" "$heddle" threads "$dir/cut.bin"
# A program by itself: the same trace as among others.
index=${one[0]##*.}
expect 0 "0 failed" "$heddle" fuzz --programs 1 --only "$index" --seed 30 --config sm --on model --trace "$dir/only"
expect 0 "the same memory" "$heddle" threads "$dir/only"

# Of several kernels, forms or seeds each run has a trace of its own. bfs and histogram keep what atomics return: which
# thread gets which number is free. (The longest, sgemm8x8 at -O0, is left to ../campaign.sh.)
expect 0 "0 failed" "$heddle" kernels --form all --scale 0 --on model --trace "$dir/k"
expect 1 "" test -e "$dir/k"
made=("$dir"/k.*.*.1)
expect 0 "" test ${#made[@]} -gt 40
for t in "${made[@]}"; do
  case $t in */k.bfs.* | */k.histogram.* | */k.sgemm8x8.O0.*) continue ;; esac
  expect 0 "the same memory" "$heddle" threads "$t"
done
expect 0 "0 failed" "$heddle" kernels vecadd --form asm --scale 0 --on model --seeds 2 --seed 7 --trace "$dir/v"
for seed in 7 8; do expect 0 "the same memory" "$heddle" threads "$dir/v.vecadd.asm.$seed"; done
expect 0 "0 failed" "$heddle" kernels vecadd --form asm --scale 0 --on model --trace "$dir/w"
expect 0 "the same memory" "$heddle" threads "$dir/w"
